"""Machine code is compiled before a search starts, or in advance."""

import pytest

from fmcts import (
    EngineError,
    FinishedGameError,
    Search,
    SplitMix,
    _compiled as compiled,
    analyse,
    analyse_for,
    prepare,
)
from fmcts._engines.plan import fitted
from fmcts._linked.tree.nodes import LazyNode
from fmcts._running import automatic
from fmcts.games import tictactoe
from fmcts.notices import listening
from fmcts.search import _digest as digests
from fmcts.search._tree import plant
from tiers import exhaustive

RNG = SplitMix.from_seed(1)


@pytest.fixture
def told(monkeypatch, tmp_path):
    """All notices; no machine code is on disk, and `auto` knows nothing."""
    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path))
    monkeypatch.setattr(automatic, '_kinds', {})
    heard = []
    with listening(heard.append):
        yield heard


@pytest.mark.exhaustive
@pytest.mark.parametrize('selection', ['ucb1', exhaustive('puct')])
def test_the_clock_starts_after_compilation(told, with_rules, selection):
    state = with_rules(side=lambda position: position.turn)(9)
    search = Search(50, selection=selection)
    analyse_for(state, RNG, search, seconds=1e-9, engine='compiled', watch=told.append)
    notices = [one for one in told if isinstance(one, str)]
    assert notices
    assert told[: len(notices)] == notices
    assert told[len(notices) :] == [0, 1]


def test_prepared_code_is_reused(told, with_rules):
    """For other positions, numbers and trees too; and `auto` takes it for the smallest search."""
    state, search = with_rules(side=lambda position: position.turn | 0)(9), Search(50, c=0.3)
    assert prepare(state, search) is True
    assert len(told) > 0
    told.clear()
    assert prepare(state.play(1), Search(7)) is True
    found, rng = analyse(state, RNG, Search(3))
    assert isinstance(found.tree, LazyNode)
    more, _ = analyse(state, rng, Search(3), tree=found)
    assert more.digest == analyse(state, RNG, Search(6), engine='inplace')[0].digest
    assert told == []
    # A session compiles before it starts, which changes nothing about the search.
    search = Search(20, selection='ucb-v')
    session = compiled.begin(fitted(plant(state), search), RNG, search)
    assert len(told) == 1
    tree, after = session.advance(20).finish()
    found, expected = analyse(state, RNG, search, engine='inplace')
    assert (tree, digests.digest(tree), after) == (found.tree, found.digest, expected)
    assert len(told) == 1  # the search; the digest's code is that of the game
    assert prepare(state, search) is True  # it is on disk, though it was compiled by a search


@pytest.mark.usefixtures('told')
def test_rules_that_do_not_compile_are_refused(with_rules):
    with pytest.raises(EngineError, match='cannot be compiled'):
        prepare(with_rules(side=lambda position: int(f'{position.turn:>1}'))(9))


def test_searches_without_machine_code_are_refused():
    with pytest.raises(EngineError, match='the engine compiled does not support transpositions'):
        prepare(tictactoe.start, Search(transpositions='sound'))
    with pytest.raises(FinishedGameError):
        prepare(tictactoe.parse('XXXOO....').unwrap())
    with pytest.raises(TypeError, match='search must be a Search, not 5'):
        prepare(tictactoe.start, 5)
