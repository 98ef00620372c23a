"""Searches restricted to root moves."""

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Player, Search, SplitMix, analyse, monte_carlo, reroot, trees
from fmcts._running.registry import ENGINES
from fmcts.bots.montecarlo import evaluate
from fmcts.errors import IllegalMoveError
from fmcts.games import connect4, othello, tictactoe
from fmcts.search._digest import digest, serialise
from fmcts.search._tree import candidates, plant
from fmcts.testing import generators, positions, searches

INTERPRETED = [name for name in ENGINES if name != 'compiled']
START, RNG = tictactoe.start, SplitMix.from_seed(1)

running = st.one_of(*(positions(game.start) for game in (tictactoe, connect4, othello))).filter(
    lambda state: not state.over
)


@frozen
class Narrow:
    """A game of its own, whose first player has the choice of a few moves of `state` only."""

    state: object
    moves: tuple[int, ...]
    over = False
    winner = None

    player = property(lambda self: self.state.player)

    def play(self, move):
        return self.state.play(move)


@given(running, generators(), searches(max_iterations=60), st.data())
def test_equals_a_game_without_the_other_moves(state, rng, search, data):
    chosen = data.draw(st.sets(st.sampled_from(state.moves), min_size=1))
    narrow = Narrow(state, tuple(move for move in state.moves if move in chosen))
    expected, after = analyse(narrow, rng, search, engine='persistent')
    for engine in INTERPRETED:
        analysis, handed_back = analyse(state, rng, search, engine=engine, root_moves=chosen)
        assert analysis.stats == expected.stats
        assert analysis.move == expected.move
        assert handed_back == after
        assert serialise(analysis.tree).startswith(serialise(expected.tree))
        assert {stats.move for stats in analysis.stats} == chosen


@given(running, generators(), st.sampled_from(['first', 'last']), st.data())
def test_the_flat_bot_evaluates_root_moves_only(state, rng, order, data):
    chosen = data.draw(st.sets(st.sampled_from(state.moves), min_size=1))
    bot = monte_carlo(8 * len(chosen), order=order)
    analysis, after = bot.analyse(state, rng, root_moves=chosen)
    moves = [move for move in state.moves if move in chosen]
    for move in moves if order == 'first' else reversed(moves):
        node, _, rng = evaluate(state, move, 8, rng)
        assert analysis.tree.child(move) == node
    assert after == rng
    assert [stats.move for stats in analysis.stats] == moves


def test_order_and_duplicates_do_not_matter():
    assert candidates(START, iter([7, 1, 7])) == candidates(START, {1, 7}) == (1, 7)


def test_root_moves_change_the_digest():
    by_flat_bot = {
        monte_carlo(9).analyse(START, RNG, root_moves=[move])[0].digest for move in range(9)
    }
    assert len(by_flat_bot) == 9
    one, other = (plant(START, [3, last]) for last in (4, 5))
    assert digest(one) != digest(other)
    assert serialise(other)[12 + 29 :] == bytes([3, 0, 0, 0, 5, 0, 0, 0])
    assert len(serialise(plant(START, range(9)))) == 12 + 29


def test_a_tree_is_continued_with_its_root_moves():
    first, rng = analyse(START, RNG, Search(20), root_moves=[2, 6])
    for root_moves in (None, [6, 2]):
        more, _ = analyse(START, rng, Search(10), tree=first.tree, root_moves=root_moves)
        assert [stats.move for stats in more.stats] == [2, 6]
        assert more.tree.visits == 30
    with pytest.raises(ValueError, match='the tree to continue has other root moves'):
        analyse(START, rng, Search(10), tree=first.tree, root_moves=[2])
    with pytest.raises(ValueError, match='the tree to continue has other root moves'):
        analyse(START, rng, Search(10), tree=plant(START), root_moves=[2])


def test_reroot_to_a_move_outside_the_root_moves():
    tree = analyse(START, RNG, Search(20), root_moves=[2, 6])[0].tree
    assert reroot(tree, 2).visits > 0
    assert reroot(tree, 4) == plant(START.play(4))
    with pytest.raises(IllegalMoveError, match='illegal move 9 at the root of the tree'):
        reroot(tree, 9)


@pytest.mark.parametrize('search', [analyse, trees])
def test_invalid_root_moves_are_refused(search):
    state = START.play(4)
    with pytest.raises(IllegalMoveError, match='illegal move 4: the legal moves are 0, 1, 2, 3, 5'):
        search(state, RNG, Search(10), root_moves=[0, 4])
    with pytest.raises(ValueError, match='root_moves is empty: name at least one move'):
        search(state, RNG, Search(10), root_moves=[])
    with pytest.raises(IllegalMoveError, match='illegal move 4'):
        monte_carlo().analyse(state, RNG, root_moves=[4])
    assert state.player is Player.O
