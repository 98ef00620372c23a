"""Machine code stays within its arrays: guard words around them, and checked accesses."""

import os
import pathlib
import re
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st
from numba import njit, types

from chained import mazes
from fmcts import Search, SplitMix, analyse, bits
from fmcts._compiled import engine, loop
from fmcts._compiled.memory import as_array
from fmcts._linked.logarithms import logarithms
from fmcts._linked.tree import arena, digest as tree_digest
from fmcts._linked.tree.arena import Arena
from fmcts._linked.tree.nodes import lazy
from fmcts._numba import guards
from fmcts._numba.intrinsics import address, all_at, get, get_int, put_all
from fmcts._numba.simd import best, doubles_at
from fmcts.errors import RulesError
from fmcts.games import GAMES
from fmcts.search import _digest as digests
from fmcts.search.methods import UCB1Tuned
from fmcts.testing import positions, searches
from fmcts.testing._strategies import splitmixes
from maze import Maze
from processes import run_python
from shapes import FORMS, of_kinds
from tiers import exhaustive, usually

GUARDS = (
    37  # entries on each side; an odd number, so that arrays are aligned to an entry and no more
)
PATTERN = 0x5A5A5A5A


def pattern_of(dtype):
    """What a guard holds: the pattern, or a byte of it."""
    return 0x5A if np.dtype(dtype).itemsize == 1 else PATTERN


class Guarded:
    """Arrays for the engine that lie between guards, as short as they can be."""

    def __init__(self, steps):
        self.steps = steps  # by how much the tree's array grows, in turns
        self.buffers = []

    def empty(self, shape, dtype=np.float64):
        shape = (shape,) if isinstance(shape, int) else shape
        if len(shape) == 2 and shape[0] == 64:  # the digest's first frames
            shape = (2, shape[1])
        length = int(np.prod(shape))
        buffer = np.full(length + 2 * GUARDS, pattern_of(dtype), dtype)
        self.buffers.append(buffer)
        return buffer[GUARDS : GUARDS + length].reshape(shape)

    def zeros(self, shape, dtype=np.float64):
        array = self.empty(shape, dtype)
        array[...] = 0
        return array

    def copied(self, array):
        """The same numbers between guards."""
        copy = self.empty(array.shape, array.dtype)
        copy[...] = array
        return copy

    def memory(self, *given):
        """What playouts remember."""
        array = as_array(*given)
        return None if array is None else self.copied(array)

    def table(self, structure, visits, table):
        """The numbers of a method by visits, as many as are needed and one that says how many."""
        if not structure.method.counts:
            return table
        return self.zeros(visits + 2) if visits + 2 > len(table) else table

    def path(self, length, dtype):
        """That of the search, which begins with room for a child and one below it."""
        return self.empty(4 if length == 128 else length, dtype)

    def logarithms(self, limit):
        """A table that ends exactly at the limit; what would be read behind it is no number."""
        buffer = np.full(limit + 1 + 2 * GUARDS, np.nan)
        buffer[GUARDS : GUARDS + limit + 1] = logarithms(limit)[: limit + 1]
        return buffer[GUARDS : GUARDS + limit + 1]

    def grow(self, array):
        length = len(array.words) + self.steps[len(self.buffers) % len(self.steps)]
        words = self.empty(length, np.int32)
        words[: array.used] = array.words[: array.used]
        array.words = words

    def all_untouched(self):
        return all(
            (side == pattern_of(side.dtype)).all()
            for buffer in self.buffers
            for side in (buffer[:GUARDS], buffer[-GUARDS:])
        )


def left_as_it_is(array, root, structure, memory=()):
    """The tree, in an array that is not numpy's own and so keeps its length."""
    return lazy(root, array.store(structure), memory)


def analysed_between_guards(state, rng, search, tree, steps, rows):
    guarded = Guarded(steps)
    with pytest.MonkeyPatch.context() as patch:
        made = ((arena, guarded.empty), (engine, guarded.path), (tree_digest, guarded.empty))
        for module, empty in made:
            names = {**vars(np), 'empty': empty, 'zeros': guarded.zeros}
            patch.setattr(module, 'np', SimpleNamespace(**names))
        patch.setattr(arena, 'AHEAD', 0)
        patch.setattr(engine, 'logarithms', guarded.logarithms)
        patch.setattr(engine, 'as_array', guarded.memory)
        patch.setattr(engine, 'table_for', guarded.table)
        patch.setattr(tree_digest, 'CHUNK', rows)
        patch.setattr(Arena, 'grow', lambda array: guarded.grow(array))  # noqa: PLW0108 - a method
        patch.setattr(Arena, 'frozen', left_as_it_is)
        found, after = analyse(state, rng, search, engine='compiled', tree=tree)
        digest = found.digest
    assert guarded.all_untouched()
    assert len(guarded.buffers) > 3
    return found, digest, after


STEPS = st.lists(st.integers(14, 90), min_size=1, max_size=3)


@settings(max_examples=25)
@given(
    data=st.data(),
    rng=splitmixes(),
    search=searches(max_iterations=150),
    steps=STEPS,
    rows=st.integers(1, 7),
)
@pytest.mark.parametrize('game', usually(['tictactoe'], ['heap', 'tictactoe', 'connect4']))
def test_searches_stay_within_guarded_arrays(heap, game, data, rng, search, steps, rows):
    """Searches that fill their arrays to the very end, and begin from trees that do.

    Which generator draws does not matter to arrays, and two would double the machine code.
    """
    start = heap(21) if game == 'heap' else GAMES[game].start
    state = data.draw(positions(start, running=True))
    tree = None
    for _ in range(data.draw(st.integers(1, 2))):
        tree, rng = guarded_as_expected(state, rng, search, tree, steps, rows)


@settings(max_examples=25)
@given(data=st.data(), rng=splitmixes(), steps=STEPS, rows=st.integers(1, 7))
@pytest.mark.parametrize('kind', usually(['tuned', 'grave', 'minimax'], FORMS))
def test_searches_of_every_kind_stay_within_guarded_arrays(kind, data, rng, steps, rows):
    """With rows of doubles, tables by keys, memories, and from one move in a position to 17."""
    state = data.draw(mazes())
    tree = None
    for new in (True, False)[: data.draw(st.integers(1, 2))]:
        search = evolve(data.draw(of_kinds([kind])), max_nodes=None, max_plies=1000)
        if search.schedule is None or new:
            tree, rng = guarded_as_expected(state, rng, search, tree, steps, rows)


def guarded_as_expected(state, rng, search, tree, steps, rows):
    """The tree and the generator that another engine finds too, by arrays between guards."""
    expected = analyse(state, rng, search, engine='inplace', tree=tree)
    found, digest, rng = analysed_between_guards(state, rng, search, tree, steps, rows)
    assert (found, rng) == expected
    assert digest == digests.digest(found.tree) == expected[0].digest
    return found.tree, rng


def test_an_overwritten_guard_is_detected():
    for place in (-1, 10):
        guarded = Guarded([1])
        guarded.empty(10, np.int32)
        assert guarded.all_untouched()
        guarded.buffers[0][GUARDS + place] = 0
        assert not guarded.all_untouched()


# ---- the build in which every look is checked ----


def in_the_checked_build(*command):
    environment = os.environ | {'FMCTS_CHECK_BOUNDS': '1', 'NUMBA_BOUNDSCHECK': '1'}
    return run_python(*command, env=environment)


@pytest.mark.skipif(guards.CHECKED, reason='this is the checked build')
@pytest.mark.parametrize(
    ('searches', 'count'), [('checked_rows', 1), exhaustive(('every_kind', len(FORMS)))]
)
def test_every_access_is_within_an_array(searches, count):
    """Of such searches, and of the marks of moves: in one other process.

    Those of the default run have rows of doubles, lanes of which are read past their ends.
    """
    here = pathlib.Path(__file__)
    names = [str(here), str(here.with_name('test_marks.py'))]
    options = (
        *('-q', '--all', '-p', 'no:cacheprovider', '--import-mode=importlib'),
        *(
            '--hypothesis-profile=mutation',
            '-k',
            f'{searches} or are_checked or missing_slack or test_marks',
        ),
    )
    root = here.parents[4]
    done = in_the_checked_build('-m', 'pytest', f'--rootdir={root}', *options, *names)
    assert done.returncode == 0, done.stdout
    assert f'{count + 9} passed' in done.stdout


only_checked = pytest.mark.skipif(not guards.CHECKED, reason='of the checked build')


@only_checked
@settings(max_examples=25)
@given(state=mazes(), rng=splitmixes(), steps=STEPS, iterations=st.integers(1, 80))
def test_searches_with_checked_rows_stay_within_arrays(state, rng, steps, iterations):
    """Without a solver or a memory, so that they are compiled in half of the time."""
    search = Search(iterations, selection=UCB1Tuned())
    guarded_as_expected(state, rng, search, None, steps, 5)


@only_checked
def test_missing_slack_after_the_last_block_is_detected(monkeypatch):
    """Lanes are read past the end of a row; without room behind the last there is an error."""
    monkeypatch.setattr(arena, 'SLACK', 0)
    monkeypatch.setattr(loop, 'SLACK', 0)
    monkeypatch.setattr(arena, 'AHEAD', 0)
    monkeypatch.setattr(arena, 'LEAST', 0)
    monkeypatch.setattr(engine, '_loops', {})

    def search():
        for seed in range(50):
            analyse(Maze(seed, 9, 2), SplitMix.from_seed(1), Search(60), engine='compiled')

    with pytest.raises(RulesError) as refused:
        search()
    assert str(refused.value.__cause__) == ('an access to 8 entries reaches outside the array')


@only_checked
@pytest.mark.parametrize('index', [2, 3, -1])
def test_lookups_in_a_table_are_checked(index):
    table = bits.Table([1, 2, 3])
    look = njit(lambda index: table[index])
    if index == 2:
        assert look(index) == 3
    else:
        with pytest.raises(IndexError):
            look(index)


@only_checked
def test_accesses_to_array_entries_are_checked():
    @njit
    def pairs(array, first):
        put_all(address(array), first, (7, 8))
        return all_at(address(array), first, 2), get_int(address(array), first)

    write = njit(lambda array, first: put_all(address(array), first, (7, 8)))
    read = njit(lambda array, first: all_at(address(array), first, 2))
    single = njit(lambda array, first: get_int(address(array), first))
    three = np.zeros(3, np.int32)
    assert pairs(three, 1) == ((7, 8), 7)
    for use, first in ((write, 2), (read, 2), (read, -1), (single, 3)):
        with pytest.raises(IndexError):
            use(three, first)


@pytest.mark.skipif(guards.CHECKED, reason='this is the checked build')
def test_the_normal_build_has_no_checks():
    @njit
    def look(array, index):
        return get(address(array), index)

    assert look(np.arange(3), 2) == 2
    assert 'index on that are not all' not in ''.join(look.inspect_llvm().values())
    assert str(guards.pointer_to(types.int32)) == 'int32*'


def test_lanes_need_no_alignment():
    """Rows begin at any jit, so that no more than an entry's alignment may be promised."""

    @njit
    def look(array):
        return best(doubles_at(address(array), 1), 8)

    assert look(np.array([9, 1, 7, 3, 4, 5, 6, 2, 0], np.int32)) == (7.0, 1)
    (code,) = look.inspect_llvm().values()
    assert re.findall(r'load <8 x i32>,.* align (\d+)', code) == ['4']
