"""How a graph search ends: no room, a stop condition, a watch, the clock."""

import importlib.util
import itertools

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st
from returns.unsafe import unsafe_perform_io

from drawn_games import Maze
from fmcts import EngineError, Search, SplitMix, analyse, analyse_for, reroot, trees
from fmcts._engines.graph import engine as graph_engine
from fmcts._engines.graph.nodes import root_node
from fmcts._linked import engine as engine_module
from fmcts._linked.tree import arena
from fmcts.games import tictactoe
from fmcts.testing import games, generators
from tiers import usually

RULES = ['sound', 'naive']
ENGINES = ['persistent', 'monadic', 'inplace']


@pytest.mark.parametrize('engine', ENGINES)
@given(games(), generators(), st.sampled_from(['in-order', 'full']), st.data())
@settings(max_examples=40)
def test_max_nodes_limits_the_states(engine, state, rng, expansion, data):
    """The search ends before the iteration that would make one too many; nothing is left of it."""
    free = Search(60, expansion=expansion, transpositions='sound')
    stream = [*itertools.islice(trees(state, rng, free), 60)]
    bound = data.draw(st.integers(stream[0][0].count(), stream[-1][0].count()))
    search = Search(60, expansion=expansion, transpositions='sound', max_nodes=bound)
    found = analyse(state, rng, search, engine=engine)
    kept = [*itertools.takewhile(lambda made: made[0].count() <= bound, stream)]
    assert (found[0].tree, found[1]) == kept[-1]
    assert analyse(state, found[1], search, engine=engine, tree=found[0])[1] == found[1] or len(
        kept
    ) == len(stream)


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
@pytest.mark.parametrize('expansion', usually(['random'], ['in-order', 'random', 'full']))
def test_an_iteration_without_room_is_rolled_back(engine, expansion):
    """It may have tried moves to known states, and drawn, before it came to the one too many."""
    start = tictactoe.parse('XO.......').unwrap()
    free = Search(400, expansion=expansion, transpositions='sound')
    stream = [*itertools.islice(trees(start, SplitMix.from_seed(1), free), 400)]
    counts, undone = [tree.count() for tree, _ in stream], 0
    for bound in range(20, 200):
        search = evolve(free, max_nodes=bound)
        found, after = analyse(start, SplitMix.from_seed(1), search, engine=engine)
        kept = sum(count <= bound for count in counts)
        assert (found.tree, after) == stream[kept - 1]
        undone += stream[kept][0].count_edges() > found.edges + 1
    assert undone > 10  # of these iterations, which tried more than the move too many


@pytest.mark.parametrize('expansion', ['in-order', 'full'])
def test_an_iteration_is_made_again_when_the_memory_has_grown(expansion, monkeypatch):
    """Of machine code, which has too little room in the midst of iterations."""
    monkeypatch.setattr(arena, 'AHEAD', 64)
    monkeypatch.setattr(engine_module, 'LEVELS', 4)
    monkeypatch.setattr(engine_module, 'PLACES', 2)
    search, rng = Search(900, expansion=expansion, transpositions='sound'), SplitMix.from_seed(1)
    start = tictactoe.parse('XO.......').unwrap()
    one, two = (analyse(start, rng, search, engine=name) for name in ('inplace', 'compiled'))
    assert one == two


def test_naive_counts_may_be_larger_than_memory(monkeypatch):
    """A part of a graph takes its visits for its iterations."""
    search, rng = Search(300, transpositions='naive'), SplitMix.from_seed(1)
    found, rng = analyse(Maze(7, 20, 17), rng, search, engine='inplace')
    part = reroot(found.tree, found.move)
    assert part.iterations > 1 << 32
    table, digests = graph_engine.logarithms, set()

    def short(limit):
        assert limit < 1 << 20
        return table(limit)

    monkeypatch.setattr(graph_engine, 'logarithms', short)
    for longest in (graph_engine.LONGEST, 1):
        monkeypatch.setattr(graph_engine, 'LONGEST', longest)
        found, _ = analyse(part.state, rng, search, tree=part, engine='inplace')
        digests.add(found.digest)
    assert len(digests) == 1


def test_naive_visits_do_not_count_as_iterations_by_time():
    """What is bounded are iterations, of which there may be 2**30; naive visits may be more."""
    search, rng = Search(50, transpositions='naive'), SplitMix.from_seed(1)
    graph = analyse(tictactoe.start, rng, search)[0].tree.graph
    root, *others = graph.entries
    inflated = root_node(evolve(graph, entries=(root._replace(visits=2**31), *others)))
    timed = unsafe_perform_io(
        analyse_for(tictactoe.start, rng, search, seconds=0.05, tree=inflated)
    )
    assert timed[0].iterations > 51


RNG = SplitMix.from_seed(1)


def test_a_graph_is_continued_only_by_the_same_kind_of_search():
    kinds = (None, 'sound', 'naive')
    found = {
        kind: analyse(tictactoe.start, RNG, Search(20, transpositions=kind))[0] for kind in kinds
    }
    for one in kinds:
        for other in kinds:
            search = Search(20, transpositions=other)
            if one == other:
                assert analyse(tictactoe.start, RNG, search, tree=found[one])[0].iterations == 40
                continue
            message = f'keeps transpositions={one}, the search transpositions={other}'
            with pytest.raises(ValueError, match=message):
                analyse(tictactoe.start, RNG, search, tree=found[one])


def test_without_pyrsistent_only_inplace_is_available(monkeypatch):
    """The third needs no persistent tables, and `auto` takes it."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, 'find_spec', lambda name: None if name == 'pyrsistent' else find(name)
    )
    search = Search(10, transpositions='sound')
    assert analyse(tictactoe.start, RNG, search)[0].iterations == 10
    for engine in ('persistent', 'monadic'):
        message = (
            f'the engine {engine} does not support transpositions without pyrsistent: '
            'install fmcts.graph.; use one of: compiled, inpl'
        )
        with pytest.raises(EngineError, match=message):
            analyse(tictactoe.start, RNG, search, engine=engine)
    with pytest.raises(
        EngineError,
        match='the engine persistent does not support transpositions without pyrsistent',
    ):
        next(trees(tictactoe.start, RNG, search))
    assert analyse(tictactoe.start, RNG, Search(10), engine='persistent')[0].iterations == 10
