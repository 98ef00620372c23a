"""Matches by the engine `auto`: the choice of the engine, and its independence of results."""

import json
import math
from importlib.util import find_spec

import pytest
from returns.io import IO

from fmcts import Search, SplitMix, analyse, mcts, random_bot
from fmcts._running import automatic
from fmcts._running.registry import ENGINES, Engine
from fmcts.bots import _treesearch
from fmcts.errors import FmctsWarning, RulesError
from fmcts.games import tictactoe
from fmcts.matches import Match, match, play_match
from fmcts.matches._files import game_in, head_of, line_of
from fmcts.notices import listening

RNG = SplitMix.from_seed(3)
TROUBLE = 'the rules on integers of TicTacToe broke a promise'


def described(engine='auto', **more):
    bots = mcts(Search(30), engine=engine), random_bot
    return Match(first=bots[0], second=bots[1], start=tictactoe.start, games=10, rng=RNG, **more)


def stood_for(monkeypatch, run):
    """`run` in the place of the compiled engine, which pays after no time at all."""
    monkeypatch.setitem(ENGINES, 'compiled', Engine('compiled', run, lambda *_: None))
    monkeypatch.setattr(automatic, '_spent', {})
    monkeypatch.setattr(automatic, 'PAYS', 0.0)


def test_the_searches_of_a_match_are_linked_when_it_pays_for_them_together(monkeypatch):
    plain = play_match(described('inplace')).games
    searched = []

    def run(root, *more):
        searched.append(root.state)
        return ENGINES['inplace'](root, *more)

    stood_for(monkeypatch, run)
    monkeypatch.setattr(automatic, 'PAYS', math.inf)
    assert play_match(described()).games == plain
    assert searched == []
    stood_for(monkeypatch, run)
    assert play_match(described()).games == plain
    own = [game.moves[game.number % 2 :: 2] for game in plain]
    assert len(searched) == sum(map(len, own))


@pytest.mark.parametrize('keep_trees', [False, True])
def test_falling_back_from_rules_found_broken_late(monkeypatch, keep_trees):
    """As in a single search: another engine goes on, and that is said once."""
    plain = play_match(described('inplace', keep_trees=keep_trees)).games

    def run(root, *more):
        if len(root.state.moves) < 6:
            raise RulesError(TROUBLE)
        return ENGINES['inplace'](root, *more)

    stood_for(monkeypatch, run)
    heard = []
    with listening(heard.append):
        assert play_match(described(keep_trees=keep_trees)).games == plain
    assert heard == [f'{TROUBLE}; continuing with the engine inplace']
    with pytest.raises(FmctsWarning, match='continuing with'):  # warnings are errors in these tests
        play_match(described(keep_trees=keep_trees))
    with pytest.raises(RulesError, match=TROUBLE):  # who asks for the engine is told
        play_match(described('compiled', keep_trees=keep_trees))


PACES = {  # engines, and iterations of every search, of both bots
    'one lacks it': (('inplace', 20), ('compiled', 300), 'mine made less than a tenth of the'),
    'the other does': (('compiled', 300), ('persistent', 20), 'yours made less than a tenth of'),
    'not ten times': (('inplace', 20), ('compiled', 200), None),
    'both have it': (('compiled', 20), ('compiled', 300), None),
    'not for want of it': (('inplace', 300), ('compiled', 20), None),
}


@pytest.mark.skipif(find_spec('numba') is None, reason='numba is missing')
@pytest.mark.parametrize('case', PACES)
def test_a_match_by_time_tells_of_a_bot_that_lacks_machine_code(case, monkeypatch):
    one, two, notice = PACES[case]

    def counted(state, rng, search, **given):  # in place of a clock
        del given['seconds']
        return IO(analyse(state, rng, search, **given))

    monkeypatch.setattr(_treesearch, 'analyse_for', counted)
    bots = [mcts(Search(iterations), engine=engine) for engine, iterations in (one, two)]
    names, heard = ('mine', 'yours'), []
    with listening(heard.append):
        match(*bots, tictactoe.start, games=2, rng=RNG, seconds=1.0, names=names)
    found = [it for it in heard if 'iterations' in it]  # others say what is compiled
    assert len(found) == (notice is not None)
    assert all(it.startswith(notice) for it in found)


@pytest.mark.needs_numba
def test_games_by_time_keep_the_engine_of_each_search():
    bots = mcts(Search(100)), mcts(Search(100), engine='inplace')
    described = Match(
        first=bots[0], second=bots[1], start=tictactoe.start, games=2, rng=RNG, seconds=0.002
    )
    with listening(lambda _notice: None):  # that one is much slower
        games = play_match(described).games
    for game in games:
        mine = game.engines[game.number % 2 :: 2], game.engines[1 - game.number % 2 :: 2]
        assert set(mine[0]) == {'compiled'}, game  # linked before the clock started
        assert set(mine[1]) == {'python'}, game
        assert len(game.engines) == len(game.iterations)
        line = json.loads(line_of(head_of(described, tictactoe), game, tictactoe))
        assert game_in(line, game.number, tictactoe) == game
