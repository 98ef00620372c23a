"""The solver: its choices, when it ends, and refused combinations."""

import pytest

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import principal_variation
from fmcts.search.resolution import SOLVER, Proven
from toy_games import Tree, play_line

RNG = SplitMix.from_seed(1)


def test_a_won_position_ends_the_search(engine):
    state = play_line(connect4.start, (3, 0, 3, 0, 3, 1))
    analysis, _ = analyse(state, RNG, Search(1000, solver=True), engine=engine)
    assert (analysis.move, analysis.iterations) == (3, 4)  # the fourth move in order wins
    assert analysis.proof == Proven(1.0, 1)
    assert [row.proof for row in analysis.stats] == [None, None, None, Proven(1.0, 1), *[None] * 3]
    assert analysis.principal_variation == (3,)
    again, _ = analyse(state, RNG, Search(1000, solver=True), engine=engine, tree=analysis)
    assert again == analysis  # nothing is left to do
    assert analysis.tree.columns.own == (-2.0,)  # for the opponent, from the move before


LONG = Tree(  # X to move: 0 draws, 1 wins in three, 2 wins at once, 3 loses
    Player.X,
    (
        Tree(Player.O, won=None),
        Tree(Player.O, (Tree(Player.X, (Tree(Player.O, won=Player.X),)),)),
        Tree(Player.O, won=Player.X),
        Tree(Player.O, (Tree(Player.X, won=Player.O),)),
    ),
)
LOST = Tree(  # X loses in two, or in four
    Player.X,
    (
        Tree(Player.O, (Tree(Player.X, won=Player.O),)),
        Tree(Player.O, (Tree(Player.X, (Tree(Player.O, (Tree(Player.X, won=Player.O),)),)),)),
    ),
)


@pytest.mark.parametrize(
    'final', ['robust', 'first-robust', 'max', 'ucb', lambda edge, _: -edge.visits]
)
def test_the_longest_loss_is_preferred(final):
    analysis, _ = analyse(LOST, RNG, Search(1000, solver=True, final=final), engine='inplace')
    assert analysis.move == 1
    assert analysis.proof == Proven(0.0, 4)
    assert [row.proof for row in analysis.stats] == [Proven(0.0, 2), Proven(0.0, 4)]
    assert principal_variation(analysis.tree) == (1, 0, 0, 0)


def test_the_shortest_win_is_preferred():
    """Grown at first without the winning move, so that the longer win is known before it."""
    numbers = [0.5, 3.0, 1.0, -2.0]
    assert SOLVER.preferred(numbers) == [2]
    assert SOLVER.preferred([0.5, -2.0, 0.0]) == [0, 2]
    assert SOLVER.preferred([-2.0, -4.0, -4.0]) == [1]
    analysis, _ = analyse(LONG, RNG, Search(1000, solver=True), engine='inplace')
    assert analysis.move == 2


def test_a_tree_without_the_proof_column_is_refused(engine):
    plain, _ = analyse(tictactoe.start, RNG, Search(5), engine=engine)
    with pytest.raises(ValueError, match='keeps no columns, the search the columns proof'):
        analyse(tictactoe.start, RNG, Search(5, solver=True), tree=plain, engine=engine)
