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

from fmcts import EngineError, Player, Search, SplitMix, analyse
from fmcts.games import GAMES, tictactoe
from fmcts.search import digest as digests
from fmcts.search.compiled import VISITS_LIMIT, arena, bounds, engine, layout, logs, preorder
from fmcts.search.compiled.arena import Arena, checked_move, thaw
from fmcts.search.compiled.lanes import best, doubles_at
from fmcts.search.compiled.machine import address, get
from fmcts.search.compiled.positions import fields_of
from fmcts.search.tree import Draft, plant, seal
from fmcts.testing import generators, positions, searches

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
        if shape == (128,):  # the path's first array
            shape = (4,)
        elif len(shape) == 2 and shape[0] == 64:  # the digest's first frames
            shape = (2, shape[1])
        length = int(np.prod(shape))
        buffer = np.full(length + 2 * GUARDS, PATTERN, dtype)
        self.buffers.append(buffer)
        return buffer[GUARDS : GUARDS + length].reshape(shape)

    def logarithms(self, limit):
        """A table that ends exactly at the limit; what would be read behind it is no number."""
        buffer = np.full(limit + 1 + 2 * GUARDS, np.nan)
        buffer[GUARDS : GUARDS + limit + 1] = logs.logarithms(limit)[: limit + 1]
        return buffer[GUARDS : GUARDS + limit + 1]

    def grow(self, array):
        array._move(len(array.words) + self.steps[len(self.buffers) % len(self.steps)])

    def all_untouched(self):
        return all(
            (side == PATTERN).all()
            for buffer in self.buffers
            for side in (buffer[:GUARDS], buffer[-GUARDS:])
        )


def analysed_between_guards(state, rng, search, tree, steps, rows):
    guarded = Guarded(steps)
    arrays = SimpleNamespace(**{**vars(np), 'empty': guarded.empty})
    with pytest.MonkeyPatch.context() as patch:
        for module in (arena, engine, preorder):
            patch.setattr(module, 'np', arrays)
        patch.setattr(arena, 'AHEAD', 0)
        patch.setattr(engine, 'logarithms', guarded.logarithms)
        patch.setattr(preorder, 'CHUNK', rows)
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
    rng=generators(),
    search=searches(max_iterations=150),
    steps=STEPS,
    rows=st.integers(1, 7),
)
@pytest.mark.parametrize('game', ['heap', 'tictactoe', 'connect4'])
def test_guards_around_every_array(heap, game, data, rng, search, steps, rows):
    """Searches that fill their arrays to the very end, and begin from trees that do."""
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


@pytest.mark.skipif(bounds.CHECKED, reason='this is the checked build')
def test_every_look_is_at_an_array():
    """The searches above once more, in another process."""
    names = [f'{__file__}::test_guards_around_every_array[{game}]' for game in ('heap', 'connect4')]
    options = (
        '-q',
        '-p',
        'no:cacheprovider',
        '--hypothesis-profile=mutation',
        '--import-mode=importlib',
    )
    root = pathlib.Path(__file__).parents[3]
    done = in_the_checked_build('-m', 'pytest', f'--rootdir={root}', *options, *names)
    assert done.returncode == 0, done.stdout
    assert '2 passed' in done.stdout


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from conftest import Heap
from fmcts import Search, SplitMix, analyse, bits
from fmcts.search.compiled import arena, bounds, engine, loop
assert bounds.CHECKED

def least(slack):
    arena.SLACK = loop.SLACK = slack
    arena.AHEAD = 0
    arena.Arena.grow = lambda array: array._move(len(array.words) + 1)
    engine._loop.cache_clear()
    try:
        for left in range(1, 9):
            analyse(Heap(left), SplitMix.from_seed(left), Search(60), engine='compiled')
    except IndexError as error:
        return str(error)
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
"""


def test_the_checked_build_sees_what_lies_outside():
    """Lanes read at most five entries past the last block; a table has as many words as it has."""
    done = in_the_checked_build('-c', SCRIPT.format(tests=str(pathlib.Path(__file__).parent)))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        'enough',
        '8 entries from an index on that are not all in the array',
        '3',
        'refused',
        'refused',
    ]
    assert layout.SLACK >= 5


@pytest.mark.skipif(bounds.CHECKED, reason='this is the checked build')
def test_the_usual_build_has_no_checks():
    @njit
    def look(array, index):
        return get(address(array), index)

    assert look(np.arange(3), 2) == 2
    assert 'index on that are not all' not in ''.join(look.inspect_llvm().values())
    assert str(bounds.pointer_to(types.int32)) == 'int32*'


def test_lanes_are_read_from_anywhere():
    """Rows begin at any entry, so that no more than an entry's alignment may be promised."""

    @njit
    def look(array):
        return best(doubles_at(address(array), 1), 8)

    assert look(np.array([9, 1, 7, 3, 4, 5, 6, 2, 0], np.int32)) == (7.0, 1)
    (code,) = look.inspect_llvm().values()
    assert re.findall(r'load <8 x i32>,.* align (\d+)', code) == ['4']


# ---- numbers on their way in ----


@pytest.mark.parametrize(
    ('value', 'expected'),
    [
        *((0, 0), (1, 1), (-1, -1), (True, 1)),
        *(((1 << 63) - 1, (1 << 63) - 1), (1 << 63, -(1 << 63)), ((1 << 63) + 1, 1 - (1 << 63))),
        *(((1 << 64) - 1, -1), (-(1 << 63), -(1 << 63)), ((1 << 64) - 2, -2)),
    ],
)
def test_fields_are_words(position, value, expected):
    fields = fields_of(position(value, 0))
    assert fields == (expected, 0)
    assert {type(field) for field in fields} == {np.int64}


@pytest.mark.parametrize(
    'value', [1 << 64, (1 << 64) + 1, -(1 << 63) - 1, 1 << 200, 0.5, '1', None]
)
def test_fields_that_are_none(position, value):
    with pytest.raises(
        EngineError, match="field 'turn' of a position must be an integer of 64 bits"
    ):
        fields_of(position(0, value))


def test_moves_have_32_bits():
    for move in (0, -1, (1 << 31) - 1, -(1 << 31)):
        assert checked_move(move) == move
    for move in (1 << 31, -(1 << 31) - 1, 1 << 63, 1 << 64):
        with pytest.raises(EngineError, match=f'must fit in 32 bits, unlike {move}$'):
            checked_move(move)


def tree_with(**changed):
    """A tree with one child, in which the child or (`root_visits`) the root has other numbers."""
    root = plant(tictactoe.start)
    state = root.state.play(4)
    child = Draft(4, Player.X, state, state.moves, 3, 1.5, 0.5, ())
    for name, value in changed.items():
        if not name.startswith('root_'):
            setattr(child, name, value)
    tree = root.draft((seal(child),))
    tree.visits, tree.reward = changed.get('root_visits', 3), changed.get('root_reward', 1.5)
    return seal(tree)


def test_a_tree_with_one_child_is_gone_on_from():
    one, two = (
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(50), engine=name, tree=tree_with())
        for name in ('compiled', 'inplace')
    )
    assert one == two
    assert one[0].tree == two[0].tree


@pytest.mark.parametrize(
    'changed',
    [
        *({'visits': 4}, {'visits': -1, 'reward': 0.0}, {'reward': -0.5}, {'reward': 3.5}),
        *({'reward': 2.0**40}, {'reward': float('nan')}, {'reward': float('inf')}),
        *({'visits': 1 << 31, 'root_visits': 100}, {'root_reward': -0.5}, {'root_reward': 2.0**62}),
        {'root_visits': -1, 'root_reward': 0.0, 'visits': 0, 'reward': 0.0},
    ],
)
def test_numbers_that_no_search_leaves_are_refused(changed):
    """Half points beyond 32 bits, or more visits than there are logarithms for."""
    tree = tree_with(**changed)
    with pytest.raises(EngineError, match='lacks trees with rewards other than sums of halves'):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(5), engine='compiled', tree=tree)


def test_visits_fill_30_bits():
    """So many that twice their reward is the greatest number of 32 bits, less one."""
    many = tree_with(
        visits=VISITS_LIMIT, reward=float(VISITS_LIMIT), root_visits=VISITS_LIMIT,
        root_reward=float(VISITS_LIMIT),
    )  # fmt: skip
    thawed = thaw(many, tictactoe.TicTacToe.compiled, 'in-order', 0)
    place = layout.cell(thawed.first, 9, layout.HALVES, 4)
    assert thawed.words[place] == 2 * VISITS_LIMIT == 2**31 - 2
    thawed.count_root(0, 0)
    assert thawed.visits == VISITS_LIMIT
    with pytest.raises(EngineError, match='lacks room for more than 1,073,741,823 iterations'):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(1), engine='compiled', tree=many)


def test_a_tree_too_large_to_thaw(monkeypatch):
    """It is refused as soon as its blocks and the slack behind them do not fit, and no sooner."""
    tree = analyse(tictactoe.start, SplitMix.from_seed(1), Search(40), engine='inplace')[0].tree
    rules = tictactoe.TicTacToe.compiled
    used = thaw(tree, rules, 'in-order', 0).used
    monkeypatch.setattr(arena, 'LIMIT', used + layout.SLACK)
    fitting = thaw(tree, rules, 'in-order', 1000)
    assert len(fitting.words) == used + layout.SLACK
    monkeypatch.setattr(arena, 'LIMIT', used + layout.SLACK - 1)
    with pytest.raises(EngineError, match='the tree to go on from is too large for the compiled'):
        thaw(tree, rules, 'in-order', 1000)
