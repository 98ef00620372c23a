"""Sequential halving applied to trees, against its recursion."""

import sys

from attrs import frozen
from hypothesis import given, settings, strategies as st

from drawn import games
from fmcts import Search, SplitMix, analyse
from fmcts.bots._spec import parse_bot
from fmcts.games import tictactoe
from fmcts.search.schedules import SHOT
from fmcts.testing import generators
from halving_in_trees import agrees
from lines import Corridor
from small_positions import running

RNG = SplitMix.from_seed(1)
positions_of_games = st.one_of(games(), running)


@given(positions_of_games, generators(), st.integers(1, 400))
@settings(max_examples=40)
def test_matches_the_recursion(state, rng, iterations):
    """Any number of moves, any budget; games in which a side moves twice; nothing left over."""
    assert agrees(state, rng, iterations)


def test_rounds_of_a_root():
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


def test_every_move_is_visited_and_nothing_divides_by_zero():
    """The fewest iterations, and one move only: the logarithm of 1 is 0."""
    for iterations in range(1, 20):
        found, _ = analyse(tictactoe.start, RNG, Search(iterations, schedule='shot'))
        visits = [row.visits for row in found.stats]
        assert sum(visits) == iterations
        assert visits == [1] * iterations + [0] * (9 - iterations) or min(visits) == 1
    last = tictactoe.parse('XOXOXOOX.').unwrap()
    found, _ = analyse(last, RNG, Search(7, schedule='shot'))
    assert [row.visits for row in found.stats] == [7]


def test_a_deep_game():
    """Deeper than Python's recursion: a line of moves, each with one child."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        found, _ = analyse(Corridor(450), RNG, Search(400, schedule='shot'), engine='inplace')
    finally:
        sys.setrecursionlimit(limit)
    assert (found.iterations, found.nodes) == (400, 401)


def test_shot_in_bot_specs():
    assert parse_bot('mcts:300,schedule=shot').unwrap().search == Search(300, schedule=SHOT())
