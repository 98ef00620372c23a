"""Sequential halving applied to trees, against its recursion written out."""

import math
import sys
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import EngineError, Player, Search, SplitMix, analyse
from fmcts.bots.spec import parse_bot
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.search import schedules
from fmcts.search.errors import MethodError
from fmcts.search.schedules import SHOT, Step
from fmcts.testing import generators, positions

sys.path.insert(0, str(Path(__file__).parent / 'settling'))  # importlib mode: no packages
from drawn import games

sys.path.pop(0)

RNG = SplitMix.from_seed(1)
PYTHON = ['persistent', 'monadic', 'inplace']
running = st.one_of(games(), *(positions(game.start, running=True) for game in GAMES.values()))


class Entry:
    """What is kept of a position: by move, what it leads to, its visits and rewards."""

    def __init__(self, state):
        self.state = state
        self.moves = list(state.moves)
        self.children = {}
        self.visits = dict.fromkeys(self.moves, 0)
        self.rewards = dict.fromkeys(self.moves, 0.0)


class Program:
    """The recursion: `shot(entry, budget)` gives how many were won by X, drawn counting half."""

    def __init__(self, rng):
        self.rng = rng

    def playout(self, state):
        while not state.over:
            index, self.rng = self.rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        return {None: 0.5, Player.X: 1.0}.get(state.winner, 0.0)

    def shot(self, entry, budget):
        state, moves = entry.state, entry.moves
        if state.over:
            return budget * self.playout(state)
        used, for_x, spent = 0, 0.0, sum(entry.visits.values())
        for move in moves:
            if entry.visits[move] == 0 and used < budget:
                entry.children[move] = Entry(state.play(move))
                for_x += self.update(entry, move, self.playout(entry.children[move].state), 1)
                used += 1
        kept, share = list(moves), 0
        while used < budget and len(kept) > 1:
            rounds = math.ceil(math.log2(len(moves)))
            share += max(1, math.floor((spent + budget) / (len(kept) * rounds)))
            for move in self.best_first(entry, kept):
                if entry.visits[move] < share and used < budget:
                    more = min(share - entry.visits[move], budget - used)
                    gained = self.shot(entry.children[move], more)
                    for_x += self.update(entry, move, gained, more)
                    used += more
            kept = self.best_first(entry, kept)[: math.ceil(len(kept) / 2)]
        if used < budget:
            gained = self.shot(entry.children[kept[0]], budget - used)
            for_x += self.update(entry, kept[0], gained, budget - used)
        return for_x

    @staticmethod
    def update(entry, move, for_x, playouts):
        mine = for_x if entry.state.player is Player.X else playouts - for_x
        entry.visits[move] += playouts
        entry.rewards[move] += mine
        return for_x

    @staticmethod
    def best_first(entry, kept):
        def mean(move):
            return entry.rewards[move] / entry.visits[move] if entry.visits[move] else 0.0

        return sorted(kept, key=lambda move: (-mean(move), entry.moves.index(move)))


def same(node, entry):
    """Whether a tree is what the recursion kept."""
    pairs = [(node, entry)]
    while pairs:
        node, entry = pairs.pop()
        found = {child.move: (child.visits, child.reward) for child in node.children}
        kept = {
            move: (entry.visits[move], entry.rewards[move])
            for move in entry.moves
            if entry.visits[move]
        }
        if found != kept:
            return False
        pairs += [(child, entry.children[child.move]) for child in node.children]
    return True


def agrees(state, rng, iterations, engine='inplace'):
    program, entry = Program(rng), Entry(state)
    program.shot(entry, iterations)
    found, after = analyse(state, rng, Search(iterations, schedule='shot'), engine=engine)
    return found.iterations == iterations and after == program.rng and same(found.tree, entry)


@given(running, generators(), st.integers(1, 400))
@settings(max_examples=40)
def test_it_is_the_recursion(state, rng, iterations):
    """Any number of moves, any budget; games in which a side moves twice; nothing left over."""
    assert agrees(state, rng, iterations)


@pytest.mark.parametrize('engine', ['monadic', 'persistent'])
def test_engines_agree(engine):
    for state in (tictactoe.start, connect4.start):
        for iterations in (1, 8, 9, 10, 500):
            search = Search(iterations, schedule=SHOT())
            one = analyse(state, RNG, search, engine='inplace')
            assert analyse(state, RNG, search, engine=engine) == one
    assert agrees(tictactoe.start, RNG, 300, engine=engine)


def test_the_rounds_of_a_root():
    """100 among 9 of one ply: 1 each; b = 2, then 2 + 5 for 5, 7 + 8 for 3, 15 + 12 for 2, ..."""
    pulls, payouts = [0] * 9, [index / 10 for index in range(9)]

    def stats(line=()):
        return () if line else tuple(Arm(pulls[arm], payouts[arm]) for arm in range(9))

    for line, count in SHOT().steps(100, stats):
        (arm,) = line
        pulls[arm] += count
    assert sum(pulls) == 100
    assert pulls == [2, 2, 2, 2, 7, 7, 15, 27, 36]


@frozen
class Arm:
    visits: int
    value: float


def test_no_move_without_a_visit_and_no_division_by_zero():
    """The fewest iterations, and one move only: the logarithm of 1 is 0."""
    for iterations in range(1, 20):
        found, _ = analyse(tictactoe.start, RNG, Search(iterations, schedule='shot'))
        visits = [row.visits for row in found.stats]
        assert sum(visits) == iterations
        assert visits == [1] * iterations + [0] * (9 - iterations) or min(visits) == 1
    last = tictactoe.parse('XOXOXOOX.').unwrap()
    found, _ = analyse(last, RNG, Search(7, schedule='shot'))
    assert [row.visits for row in found.stats] == [7]


@frozen
class Lane:
    """One move at a time, for so many plies."""

    plies: int
    player: Player = Player.X

    @property
    def moves(self):
        return (40,) if self.plies else ()  # and no index of a child

    @property
    def over(self):
        return not self.plies

    @property
    def winner(self):
        return Player.X if self.over else None

    def play(self, _move):
        return type(self)(self.plies - 1, self.player.other)


def test_a_deep_game():
    """Deeper than Python's recursion: a line of moves, each with one child."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        found, _ = analyse(Lane(450), RNG, Search(400, schedule='shot'), engine='inplace')
    finally:
        sys.setrecursionlimit(limit)
    assert (found.iterations, found.nodes) == (400, 401)


def test_it_is_named_on_the_command_line():
    assert parse_bot('mcts:300,schedule=shot').unwrap().search == Search(300, schedule=SHOT())


def test_the_compiled_engine_refuses_it():
    with pytest.raises(EngineError, match='compiled lacks schedules below the root, such as shot'):
        analyse(tictactoe.start, RNG, Search(30, schedule='shot'), engine='compiled')


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        ({'selection': 'rave'}, 'schedule shot and selection exclude each other: it chooses every'),
        ({'expansion': 'full'}, 'schedule shot and expansion exclude each other: it chooses every'),
        ({'transpositions': 'sound'}, 'schedule shot and transpositions exclude each other: '),
        ({'rollout_expand': True}, 'schedule shot and rollout_expand exclude each other: '),
        ({'solver': True}, 'solver and schedule exclude each other'),
    ],
)
def test_what_does_not_go_together(options, message):
    with pytest.raises(ValueError, match=message):
        Search(schedule='shot', **options)


@frozen
class Given:
    """A schedule that gives one step."""

    step: Step
    below_root = True

    def steps(self, _iterations, _stats):
        yield self.step


@pytest.mark.parametrize(
    'step',
    [
        Step((), 1),
        Step((9,), 1),
        Step((-1,), 1),
        Step((0, 0), 1),
        Step((0,), 2),
        Step((0,), 0),
        Step(0, 1),
        Step((0.0,), 1),
    ],
    ids=repr,
)
def test_a_wrong_line_is_named(step):
    with pytest.raises(MethodError, match=r'the schedule Given gave .*: expected a line of ind'):
        analyse(tictactoe.start, RNG, Search(30, schedule=Given(step)))


# ---- what others got wrong ----


def budgets_apart(given, stats):
    """What was spent before does not count."""
    return right(given, stats, spent_counts=False)


def worst_kept(given, stats):
    """The better half is left out."""
    return right(given, stats, sign=1.0)


def right(given, stats, *, spent_counts=True, sign=-1.0):
    """The generator of the module once more, with a fault."""
    (line, budget), rows = given, stats(given.line)
    if not rows:
        yield Step(line, budget)
        return
    spent, left = sum(row.visits for row in rows) if spent_counts else 0, budget
    for index, row in enumerate(rows):
        if left and not row.visits:
            yield Step((*line, index), 1)
            left -= 1
    rows, wanted = stats(line), 0
    alive, rounds = list(range(len(rows))), (len(rows) - 1).bit_length()
    while left and len(alive) > 1:
        wanted += max(1, (spent + budget) // (len(alive) * rounds))
        order = sorted(alive, key=lambda index: (sign * (rows[index].value or 0.0), index))
        for index in order:
            lacking = min(wanted - rows[index].visits, left)
            if lacking > 0:
                yield schedules.Budget((*line, index), lacking)
                left -= lacking
        rows = stats(line)
        order = sorted(alive, key=lambda index: (sign * (rows[index].value or 0.0), index))
        alive = order[: (len(order) + 1) // 2]
    if left:
        yield schedules.Budget((*line, alive[0]), left)


@pytest.mark.parametrize('wrong', [budgets_apart, worst_kept], ids=lambda wrong: wrong.__name__)
def test_the_law_catches_it(wrong, monkeypatch):
    monkeypatch.setattr(schedules, '_shot', right)
    assert agrees(connect4.start, RNG, 500)
    monkeypatch.setattr(schedules, '_shot', wrong)
    assert not agrees(connect4.start, RNG, 500)
