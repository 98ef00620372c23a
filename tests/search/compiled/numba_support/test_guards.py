"""Machine code keeps to its arrays: words before and behind each of them, and each look checked."""

import os
import pathlib
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit, types

from fmcts import analyse
from fmcts.games import GAMES
from fmcts.search import digest as digests
from fmcts.search.compiled import engine, logs
from fmcts.search.compiled.numba_support import guards
from fmcts.search.compiled.numba_support.intrinsics import address, get
from fmcts.search.compiled.numba_support.simd import best, doubles_at
from fmcts.search.compiled.tree import arena, layout
from fmcts.search.compiled.tree import digest as tree_digest
from fmcts.search.compiled.tree.arena import Arena
from fmcts.testing import positions, searches
from fmcts.testing.strategies import splitmixes

GUARDS = (
    37  # entries on each side; an odd number, so that arrays are aligned to an entry and no more
)
PATTERN = 0x5A5A5A5A


class Guarded:
    """Arrays for the engine that lie between guards, as short as they can be."""

    def __init__(self, steps):
        self.steps = steps  # by how much the tree's array grows, in turns
        self.buffers = []

    def empty(self, shape, dtype=np.float64):
        if np.dtype(dtype).names:  # rows for the digest, which only Python sees
            return np.empty(shape, dtype)
        shape = (shape,) if isinstance(shape, int) else shape
        if len(shape) == 2 and shape[0] == 64:  # the digest's first frames
            shape = (2, shape[1])
        length = int(np.prod(shape))
        buffer = np.full(length + 2 * GUARDS, PATTERN, dtype)
        self.buffers.append(buffer)
        return buffer[GUARDS : GUARDS + length].reshape(shape)

    def path(self, length, dtype):
        """That of the search, which begins with room for a child and one below it."""
        return self.empty(4 if length == 128 else length, dtype)

    def logarithms(self, limit):
        """A table that ends exactly at the limit; what would be read behind it is no number."""
        buffer = np.full(limit + 1 + 2 * GUARDS, np.nan)
        buffer[GUARDS : GUARDS + limit + 1] = logs.logarithms(limit)[: limit + 1]
        return buffer[GUARDS : GUARDS + limit + 1]

    def grow(self, array):
        length = len(array.words) + self.steps[len(self.buffers) % len(self.steps)]
        words = self.empty(length, np.int32)
        words[: array.used] = array.words[: array.used]
        array.words = words

    def all_untouched(self):
        return all(
            (side == PATTERN).all()
            for buffer in self.buffers
            for side in (buffer[:GUARDS], buffer[-GUARDS:])
        )


def analysed_between_guards(state, rng, search, tree, steps, rows):
    guarded = Guarded(steps)
    with pytest.MonkeyPatch.context() as patch:
        made = ((arena, guarded.empty), (engine, guarded.path), (tree_digest, guarded.empty))
        for module, empty in made:
            patch.setattr(module, 'np', SimpleNamespace(**{**vars(np), 'empty': empty}))
        patch.setattr(arena, 'AHEAD', 0)
        patch.setattr(engine, 'logarithms', guarded.logarithms)
        patch.setattr(tree_digest, 'CHUNK', rows)
        patch.setattr(Arena, 'grow', lambda array: guarded.grow(array))  # noqa: PLW0108 - a method
        patch.setattr(Arena, 'trim', lambda _array: None)  # what is not numpy's own stays as it is
        found, after = analyse(state, rng, search, engine='compiled', tree=tree)
        digest = found.digest
    assert guarded.all_untouched()
    assert len(guarded.buffers) > 3
    return found, digest, after


STEPS = st.lists(st.integers(14, 60), min_size=1, max_size=3)  # a block of a heap takes 14 at most


@settings(max_examples=25)
@given(
    data=st.data(),
    rng=splitmixes(),
    search=searches(max_iterations=150),
    steps=STEPS,
    rows=st.integers(1, 7),
)
@pytest.mark.parametrize('game', ['heap', 'tictactoe', 'connect4'])
def test_guards_around_every_array(heap, game, data, rng, search, steps, rows):
    """Searches that fill their arrays to the very end, and begin from trees that do.

    Which generator draws does not matter to arrays, and two would double the machine code.
    """
    start = heap(21) if game == 'heap' else GAMES[game].start
    steps = [step if game == 'heap' else step + 30 for step in steps]
    state = data.draw(positions(start, running=True))
    tree = None
    for _ in range(data.draw(st.integers(1, 2))):
        expected = analyse(state, rng, search, engine='inplace', tree=tree)
        found, digest, rng = analysed_between_guards(state, rng, search, tree, steps, rows)
        assert (found, rng) == expected
        assert digest == digests.digest(found.tree) == expected[0].digest
        tree = found.tree


def test_a_guard_that_is_written_to_is_seen():
    for place in (-1, 10):
        guarded = Guarded([1])
        guarded.empty(10, np.int32)
        assert guarded.all_untouched()
        guarded.buffers[0][GUARDS + place] = 0
        assert not guarded.all_untouched()


# ---- the build in which every look is checked ----


def in_the_checked_build(*command):
    environment = os.environ | {'FMCTS_CHECK_BOUNDS': '1', 'NUMBA_BOUNDSCHECK': '1'}
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, env=environment
    )


@pytest.mark.skipif(guards.CHECKED, reason='this is the checked build')
def test_every_look_is_at_an_array():
    """The searches above once more, and the marks of moves, in another process."""
    # In this game there are from one to nine moves: fewer than lanes, as many, and more.
    names = [f'{__file__}::test_guards_around_every_array[tictactoe]']
    names.append(str(pathlib.Path(__file__).with_name('test_marks.py')))
    options = (
        '-q',
        '-p',
        'no:cacheprovider',
        '--hypothesis-profile=mutation',
        '--import-mode=importlib',
    )
    root = pathlib.Path(__file__).parents[4]
    done = in_the_checked_build('-m', 'pytest', f'--rootdir={root}', *options, *names)
    assert done.returncode == 0, done.stdout
    assert '5 passed' in done.stdout


SCRIPT = """
import sys
import numpy as np
sys.path.insert(0, {tests!r})
from conftest import Heap
from fmcts import Search, SplitMix, analyse, bits
from fmcts.search.compiled import engine, loop
from fmcts.search.compiled.tree import arena
from fmcts.search.compiled.numba_support import guards
from fmcts.search.errors import RulesError
assert guards.CHECKED

def grow(array):
    words = np.empty(len(array.words) + 1, np.int32)
    words[: array.used] = array.words[: array.used]
    array.words = words

def least(slack):
    arena.SLACK = loop.SLACK = slack
    arena.AHEAD = 0
    arena.Arena.grow = grow
    engine._loops.clear()
    try:
        for left in range(1, 9):
            analyse(Heap(left), SplitMix.from_seed(left), Search(60), engine='compiled')
    except RulesError as error:
        return str(error.__cause__)
    return 'enough'

print(least(5))
print(least(4))

from numba import njit
TABLE = bits.Table([1, 2, 3])
look = njit(lambda index: TABLE[index])
print(look(2))
for index in (3, -1):
    try:
        print(look(index))
    except IndexError:
        print('refused')

from fmcts.search.compiled.numba_support.intrinsics import address, all_at, get_int, put_all

@njit
def pairs(array, first):
    put_all(address(array), first, (7, 8))
    return all_at(address(array), first, 2), get_int(address(array), first)

write = njit(lambda array, first: put_all(address(array), first, (7, 8)))
read = njit(lambda array, first: all_at(address(array), first, 2))
single = njit(lambda array, first: get_int(address(array), first))
three = np.zeros(3, np.int32)
print(pairs(three, 1))
for use, first in ((write, 2), (read, 2), (read, -1), (single, 3)):
    try:
        print(use(three, first))
    except IndexError:
        print('refused')
"""


def test_the_checked_build_sees_what_lies_outside():
    """Lanes read at most five entries past the last block; a table has as many words as it has."""
    done = in_the_checked_build(
        '-c', SCRIPT.format(tests=str(pathlib.Path(__file__).parent.parent))
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        'enough',
        '8 entries from an index on that are not all in the array',
        '3',
        'refused',
        'refused',
        '((7, 8), 7)',
        *4 * ['refused'],
    ]
    assert layout.SLACK >= 5


@pytest.mark.skipif(guards.CHECKED, reason='this is the checked build')
def test_the_usual_build_has_no_checks():
    @njit
    def look(array, index):
        return get(address(array), index)

    assert look(np.arange(3), 2) == 2
    assert 'index on that are not all' not in ''.join(look.inspect_llvm().values())
    assert str(guards.pointer_to(types.int32)) == 'int32*'


def test_lanes_are_read_from_anywhere():
    """Rows begin at any jit, so that no more than an entry's alignment may be promised."""

    @njit
    def look(array):
        return best(doubles_at(address(array), 1), 8)

    assert look(np.array([9, 1, 7, 3, 4, 5, 6, 2, 0], np.int32)) == (7.0, 1)
    (code,) = look.inspect_llvm().values()
    assert re.findall(r'load <8 x i32>,.* align (\d+)', code) == ['4']
