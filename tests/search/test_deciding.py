"""The move and the generator, without a tree."""

import gc
from typing import NamedTuple

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings

from fmcts import EngineError, FinishedGameError, Search, SplitMix, StdGen, analyse, mcts
from fmcts._running import automatic, deciding
from fmcts._running.deciding import decide
from fmcts._running.registry import ENGINES
from fmcts.bots import MctsBot
from fmcts.errors import IterationsError, NoRoomError, RulesError
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import plant
from fmcts.testing import positions, searches
from fmcts.testing._strategies import splitmixes
from lines import play_line

RNG = SplitMix.from_seed(5)
ABLE = [
    name
    for name, it in ENGINES.items()
    if it.unsupported(plant(tictactoe.start), RNG, Search()) is None
]
RUNNING = positions(tictactoe.start, running=True)


@settings(max_examples=60)
@given(RUNNING, splitmixes(), searches(max_iterations=100))
def test_decide_equals_the_analysis(state, rng, search):
    analysis, after = analyse(state, rng, search, engine='inplace')
    for engine in ('auto', *ABLE):
        assert decide(state, rng, search, engine=engine) == (analysis.move, after)
    for engine in ('auto', ABLE[-1]):
        assert mcts(search, engine=engine)(state, rng) == (analysis.move, after)


# What a search may have that the visits and rewards of the root do not tell, or not at once.
OTHERS = {
    'resolved': Search(400, solver=True),  # by the last of four visits
    'shared out': Search(200, schedule='halving'),
    'ended early': Search(800, stop=lambda stats: max(row.visits for row in stats) > 50),
    'by a score': Search(200, final='ucb'),
    'by a rule': Search(200, final=lambda edge, _parent: edge.visits),
    'of all': Search(200, final='robust-of-all'),
    'long': Search(1200),
    'short of nodes': Search(200, max_nodes=20),
    'equal visits': Search(14),
    'by value': Search(200, final='max'),
}


@pytest.mark.parametrize('search', OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize('engine', [name for name in ('inplace', 'compiled') if name in ABLE])
def test_other_searches_decide_alike(search, engine):
    state = tictactoe.parse('X.O......').unwrap()
    if search.solver:  # the fourth move wins
        state = play_line(connect4.start, (3, 0, 3, 0, 3, 1))
    analysis, after = analyse(state, RNG, search, engine='inplace')
    assert decide(state, RNG, search, engine=engine) == (analysis.move, after)


@pytest.mark.needs_numba
@pytest.mark.parametrize('rng', [RNG, StdGen.from_seed(1)])
def test_a_short_search_makes_no_tree(monkeypatch, rng):
    made = []
    engine = ENGINES['compiled']

    def run(*told):
        made.append(told)
        return engine.run(*told)

    monkeypatch.setitem(ENGINES, 'compiled', evolve(engine, run=run))
    for iterations, trees in ((1000, 0), (1001, 1)):
        search = Search(iterations)
        expected = analyse(tictactoe.start, rng, search, engine='inplace')
        assert mcts(search, engine='compiled')(tictactoe.start, rng) == (
            expected[0].move,
            expected[1],
        )
        assert len(made) == trees


@pytest.mark.parametrize('engine', ABLE)
def test_invalid_input_is_refused(engine):
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='the game is over'):
        decide(over, RNG, Search(9), engine=engine)
    with pytest.raises(NoRoomError, match='max_nodes 1 leaves no room'):
        decide(tictactoe.start, RNG, Search(9, max_nodes=1), engine=engine)
    with pytest.raises(IterationsError, match='needs a visit for each of the 9 moves'):
        decide(tictactoe.start, RNG, Search(8, final='robust-of-all'), engine=engine)
    with pytest.raises(TypeError, match='search must be a Search, not 9'):
        decide(tictactoe.start, RNG, 9, engine=engine)
    with pytest.raises(EngineError, match="unknown engine 'fast'"):
        decide(tictactoe.start, RNG, Search(9), engine='fast')
    with pytest.raises(EngineError, match='the engine compiled does not support'):
        decide(tictactoe.start, RNG, Search(9, transpositions='sound'), engine='compiled')


def test_falling_back_from_broken_rules(monkeypatch):
    """Another engine goes on, and it is the whole search that says so."""
    asked = []

    def of_no_use(*_told):
        asked.append('shorter')
        raise RulesError('broken')

    engine = evolve(
        ENGINES['inplace'], unsupported=lambda *_: None, name='compiled', shorter=of_no_use
    )
    monkeypatch.setitem(ENGINES, 'compiled', engine)
    monkeypatch.setattr(automatic._Choice, 'begins_fast', lambda _choice: True)
    analysis, after = analyse(tictactoe.start, RNG, Search(50), engine='inplace')
    assert decide(tictactoe.start, RNG, Search(50)) == (analysis.move, after)
    assert asked == ['shorter']
    with pytest.raises(RulesError, match='broken'):  # who asks for the engine is told
        decide(tictactoe.start, RNG, Search(50), engine='compiled')


class FirstMove:
    """An engine whose short way takes the first move, and that counts how often it is prepared."""

    def __init__(self):
        self.asked = 0

    def prepared(self, *_told):
        self.asked += 1
        return self

    def decide(self, state, rng):
        return state.moves[0], rng


@pytest.mark.parametrize(
    ('search', 'times'),
    [
        (Search(5), 1),
        (Search(5, selection='ucb1-tuned', playout='decisive'), 1),
        (Search(5, selection=lambda edge, _parent: edge.value), 3),
        (Search(5, playout=lambda state: state.moves), 3),
        (Search(5, solver=True), 0),
    ],
)
def test_what_may_change_is_prepared_for_each_search(monkeypatch, search, times):
    engine, own = FirstMove(), evolve(search)  # its own, as others may be remembered
    monkeypatch.setattr(deciding, 'find_engine', lambda *_told: engine)
    monkeypatch.setattr(deciding, 'analyse', analyse_in_place)
    for _ in range(3):
        decide(tictactoe.start, RNG, own)
    assert engine.asked == times
    decide(tictactoe.start, RNG, evolve(search))  # an equal one
    decide(connect4.start, RNG, own)
    assert engine.asked == (times and times + 2)
    del own
    gc.collect()
    assert all(ready.prepared is not engine for ready in deciding._ready.values())


def analyse_in_place(state, rng, search, **_more):
    return analyse(state, rng, search, engine='inplace')


@pytest.mark.needs_numba
def test_positions_of_another_class_are_not_decided_by_the_same_code():
    from fmcts._compiled.engine import prepared  # noqa: PLC0415 - which needs numba

    found = prepared(tictactoe.start, RNG, Search(50))
    pack = found.rules.pack
    kind = type(pack(tictactoe.start))
    other = NamedTuple('other', [(name, int) for name in kind._fields[::-1]])
    turned = evolve(found.rules, pack=lambda state: other(*pack(state)[::-1]))
    assert found.decide(tictactoe.start, RNG) == mcts(Search(50))(tictactoe.start, RNG)
    assert evolve(found, rules=turned).decide(tictactoe.start, RNG) is None


def test_a_bot_with_its_own_analysis_is_respected():
    @frozen
    class Hasty(MctsBot):
        def analyse(self, state, rng, **more):
            return super().analyse(state, rng.child(7), **more)

    analysis, after = analyse(tictactoe.start, RNG.child(7), Search(50))
    assert Hasty(Search(50))(tictactoe.start, RNG) == (analysis.move, after)
