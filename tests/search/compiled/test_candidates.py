"""A choice among some of the legal moves: the tree search refuses it, the flat playouts have it."""

import pytest

from fmcts import EngineError, Search, SplitMix, analyse, monte_carlo
from fmcts.games import GAMES

RNG = SplitMix.from_seed(1)
MANY = 30_000  # iterations for which `auto` loads the compiled engine


@pytest.mark.parametrize('game', GAMES)
def test_refused_in_words(game):
    start = GAMES[game].start
    with pytest.raises(
        EngineError, match='lacks a choice among only some of the legal moves; able'
    ):
        analyse(start, RNG, Search(10), engine='compiled', root_moves=start.moves[:1])


def test_all_moves_are_no_choice():
    start = GAMES['connect4'].start
    every = analyse(start, RNG, Search(500), engine='compiled', root_moves=range(7))
    assert every == analyse(start, RNG, Search(500), engine='compiled')


def test_auto_goes_on_without_it():
    start = GAMES['tictactoe'].start
    analysis, _ = analyse(start, RNG, Search(MANY), root_moves=[1])
    assert analysis.move == 1
    assert analysis.iterations == MANY


@pytest.mark.parametrize('game', GAMES)
def test_the_flat_bot(game):
    start = GAMES[game].start
    few = start.moves[1:3]
    one, two = (
        monte_carlo(300, engine=engine).analyse(start, RNG, root_moves=few)
        for engine in ('compiled', 'inplace')
    )
    assert one == two
    assert [stats.move for stats in one[0].stats] == list(few)
