"""Graph search: the same in every engine, the tree where nothing comes twice, and what its sources
say elsewhere."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from returns.unsafe import unsafe_perform_io

from fmcts import STOP, Search, SplitMix, analyse, analyse_for, trees
from fmcts.games import connect4, othello, tictactoe
from fmcts.search.graph.entry import recomputed
from fmcts.search.graph.nodes import root_node
from fmcts.testing import formulas, generators, positions, searches

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
import naive
from games import Pathed, numbered

sys.path.pop(0)

RULES = ['sound', 'naive']
ENGINES = ['persistent', 'monadic', 'inplace']
running = st.one_of(
    numbered(), *(positions(game.start, running=True) for game in (tictactoe, connect4, othello))
)


def selections():
    return st.one_of(st.sampled_from(['ucb1', 'puct']), formulas())


def outcome(run):
    """What a search gives, or its complaint: a drawn formula may give what is no number."""
    try:
        return run()
    except ValueError as error:
        return str(error)


def known(analysis):
    return analysis.tree.graph.entries


@pytest.mark.parametrize('rule', RULES)
@pytest.mark.parametrize('engine', ENGINES[1:])
@given(running, generators(), selections(), st.data())
@settings(max_examples=60)
def test_every_engine_finds_what_the_reference_finds(engine, rule, state, rng, selection, data):
    search = data.draw(searches(max_iterations=60, selection=selection, transpositions=rule))

    def found(engine):
        analysis, after = analyse(state, rng, search, engine=engine)
        stats = analysis.move, analysis.stats, analysis.iterations, analysis.digest
        return (*stats, analysis.nodes, analysis.tree), after

    assert outcome(lambda: found(engine)) == outcome(lambda: found('persistent'))


def same_trees(one, two):
    pairs = [(one, two)]
    while pairs:
        left, right = pairs.pop()
        assert left.facts() == right.facts()
        assert left.value == right.value
        pairs += zip(left.children, right.children, strict=True)


@pytest.mark.parametrize('rule', RULES)
@pytest.mark.parametrize('engine', ENGINES)
@given(running, generators(), selections(), st.data())
@settings(max_examples=40)
def test_without_transpositions_it_is_the_tree_to_the_bit(
    engine, rule, state, rng, selection, data
):
    """Move, generator and every node, in all of a search's options, also when it is gone on from.

    The game is one that other tests draw, with the moves so far in its states.
    """
    graph = data.draw(searches(max_iterations=50, selection=selection, transpositions=rule))
    plain = evolve(graph, transpositions=None)

    def twice(search):
        one, middle = analyse(Pathed(state), rng, search, engine=engine)
        return one, analyse(Pathed(state), middle, search, engine=engine, tree=one)

    expected, found = outcome(lambda: twice(plain)), outcome(lambda: twice(graph))
    if isinstance(expected, str):
        assert found == expected
        return
    (first, (last, after)), (one, (two, rng_after)) = expected, found
    assert after == rng_after
    for tree, analysis in ((first, one), (last, two)):
        assert (analysis.move, analysis.stats) == (tree.move, tree.stats)
        assert (analysis.iterations, analysis.nodes) == (tree.iterations, tree.nodes)
        assert analysis.principal_variation == tree.principal_variation
        same_trees(analysis.tree, tree.tree)


@pytest.mark.parametrize('rule', RULES)
@given(running, generators(), st.integers(1, 150))
@settings(max_examples=150)
def test_it_is_what_its_source_says(rule, state, rng, iterations):
    nodes, rng_after = naive.TRANSCRIBED[rule](state, rng, iterations)
    search = Search(iterations, transpositions=rule)
    analysis, after = analyse(state, rng, search, engine='inplace')
    assert after == rng_after
    assert not [*naive.differences(analysis.tree, nodes)]


@given(running, generators(), st.integers(1, 200), st.sampled_from([None, 'random', 'full']))
@settings(max_examples=60)
def test_visits_are_conserved(state, rng, iterations, expansion):
    """What goes into a state goes out by its moves, but for the iterations that end there.

    One ends in each state that was new, none at the root, and any number in finished ones.
    """
    search = Search(iterations, expansion=expansion, transpositions='sound')
    analysis, _ = analyse(state, rng, search, engine='inplace')
    into = dict.fromkeys(range(analysis.nodes), 0)
    for entry in known(analysis):
        assert entry.visits == entry.own + sum(edge.visits for edge in entry.edges)
        assert entry.own <= 1 or not entry.moves
        for edge in entry.edges:
            into[edge.to] += edge.visits
    root, *others = known(analysis)
    assert (root.own, root.visits, into[0]) == (0, iterations, 0)
    assert [entry.visits for entry in others] == [*into.values()][1:]
    assert sum(entry.own for entry in others) == iterations


@given(running, generators(), st.integers(1, 150))
@settings(max_examples=60)
def test_a_state_is_worth_what_follows_from_its_moves(state, rng, iterations):
    """Visits always; totals wherever the last iteration passed; everywhere, where nothing comes
    twice. Computing again changes nothing."""
    search = Search(iterations, transpositions='sound')
    stream = trees(state, rng, search)
    *_, before, after = itertools.chain(
        [()], (node.graph.entries for node, _ in itertools.islice(stream, iterations))
    )
    for number, entry in enumerate(after):
        again = recomputed(entry, after) if entry.visits else entry
        assert again.visits == entry.visits
        if number >= len(before) or before[number].visits != entry.visits:
            assert again == entry
    pathed, _ = analyse(Pathed(state), rng, search, engine='inplace')
    entries = known(pathed)
    assert [recomputed(entry, entries) for entry in entries] == [*entries]


@pytest.mark.parametrize('rule', RULES)
@pytest.mark.parametrize('engine', ENGINES)
@given(running, generators(), st.integers(1, 50), st.integers(1, 50))
@settings(max_examples=20)
def test_going_on_is_having_searched_that_long_at_once(engine, rule, state, rng, some, more):
    def search(iterations):
        return Search(iterations, transpositions=rule)

    first, middle = analyse(state, rng, search(some), engine=engine)
    digest, entries = first.digest, [*known(first)]
    then = analyse(state, middle, search(more), engine=engine, tree=first)
    assert then == analyse(state, rng, search(some + more), engine=engine)
    assert then[0].iterations == some + more
    assert (first.digest, [*known(first)]) == (digest, entries)  # the older one stays as it was


@pytest.mark.parametrize('rule', RULES)
def test_any_engine_goes_on_from_what_another_found(rule):
    search, rng = Search(150, transpositions=rule), SplitMix.from_seed(3)
    whole = analyse(tictactoe.start, rng, Search(300, transpositions=rule))
    for one, other in itertools.permutations(ENGINES, 2):
        half, middle = analyse(tictactoe.start, rng, search, engine=one)
        assert analyse(tictactoe.start, middle, search, engine=other, tree=half) == whole


@pytest.mark.parametrize('rule', RULES)
def test_the_stream_of_graphs_is_that_of_the_search(rule):
    search = Search(60, transpositions=rule)
    stream = [*itertools.islice(trees(tictactoe.start, SplitMix.from_seed(3), search), 60)]
    for number in (1, 30, 60):
        analysis, after = analyse(
            tictactoe.start, SplitMix.from_seed(3), Search(number, transpositions=rule)
        )
        assert stream[number - 1] == (analysis.tree, after)


@pytest.mark.parametrize('engine', ENGINES)
def test_a_schedule_shares_out_iterations(engine):
    halving = {'schedule': 'halving', 'expansion': 'in-order'}
    rng = SplitMix.from_seed(1)
    search = Search(200, transpositions='sound', **halving)
    found, after = analyse(tictactoe.start, rng, search, engine=engine)
    assert (found, after) == analyse(tictactoe.start, rng, search, engine='persistent')
    pathed, after = analyse(Pathed(tictactoe.start), rng, search, engine=engine)
    tree, rng_after = analyse(Pathed(tictactoe.start), rng, Search(200, **halving))
    assert after == rng_after
    same_trees(pathed.tree, tree.tree)


@pytest.mark.parametrize('engine', ENGINES)
@given(numbered(), generators(), st.sampled_from(['in-order', 'full']), st.data())
@settings(max_examples=40)
def test_max_nodes_bounds_the_states(engine, state, rng, expansion, data):
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


@pytest.mark.parametrize('expansion', ['in-order', 'random', 'full'])
def test_what_an_iteration_without_room_began_is_undone(expansion):
    """It may have tried moves to known states, and drawn, before it came to the one too many."""
    start = tictactoe.parse('XO.......').unwrap()
    free = Search(400, expansion=expansion, transpositions='sound')
    stream = [*itertools.islice(trees(start, SplitMix.from_seed(1), free), 400)]
    counts, undone = [tree.count() for tree, _ in stream], 0
    for bound in range(20, 200):
        search = evolve(free, max_nodes=bound)
        found, after = analyse(start, SplitMix.from_seed(1), search, engine='inplace')
        kept = sum(count <= bound for count in counts)
        assert (found.tree, after) == stream[kept - 1]
        undone += stream[kept][0].count_edges() > found.edges + 1
    assert undone > 10  # of these iterations, which tried more than the move too many


@pytest.mark.parametrize('rule', RULES)
@pytest.mark.parametrize('engine', ENGINES)
def test_a_search_ends_when_it_is_told_to(engine, rule):
    """By its condition, by who watches, or by the clock: as many iterations find the same."""
    rng = SplitMix.from_seed(1)
    search = Search(1000, transpositions=rule)

    def again(analysis):
        replayed = evolve(search, iterations=analysis.iterations)
        return analyse(tictactoe.start, rng, replayed, engine=engine)

    stopped = analyse(
        tictactoe.start, rng, evolve(search, stop=lambda rows: rows[4].visits > 30), engine=engine
    )
    assert 100 <= stopped[0].iterations < 1000
    assert stopped[0].iterations % 100 == 0
    assert stopped == again(stopped[0])
    watched = analyse(
        tictactoe.start,
        rng,
        search,
        engine=engine,
        watch=lambda done: STOP if done > 20 else None,
    )
    assert 20 < watched[0].iterations < 1000
    assert watched == again(watched[0])
    timed = unsafe_perform_io(analyse_for(0.01, tictactoe.start, rng, search, engine=engine))
    assert timed == again(timed[0])


def test_inflated_visits_do_not_shorten_a_search_by_time():
    """What is bounded are iterations, of which there may be 2**30; naive visits may be more."""
    search, rng = Search(50, transpositions='naive'), SplitMix.from_seed(1)
    graph = analyse(tictactoe.start, rng, search)[0].tree.graph
    root, *others = graph.entries
    inflated = root_node(evolve(graph, entries=(root._replace(visits=2**31), *others)))
    timed = unsafe_perform_io(analyse_for(0.05, tictactoe.start, rng, search, tree=inflated))
    assert timed[0].iterations > 51


def test_rewards_other_than_halves_are_searched_too():
    search = Search(80, transpositions='sound', reward=lambda state: 0.3 if state.winner else 0.1)
    found = [
        analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=each) for each in ENGINES
    ]
    assert found[0] == found[1] == found[2]
    assert {entry.for_x for entry in known(found[0][0]) if not entry.moves} <= {0.3, 0.1}


def test_there_are_fewer_states_than_nodes():
    """Tic-tac-toe has 5,478 positions, and its tree 549,946 nodes."""
    rng = SplitMix.from_seed(1)
    graph, _ = analyse(tictactoe.start, rng, Search(8000, transpositions='sound'))
    tree, _ = analyse(tictactoe.start, rng, Search(8000), engine='inplace')
    assert graph.nodes < 0.7 * tree.nodes
    assert graph.nodes <= 5478


def test_the_naive_rule_inflates():
    """A playout is counted once for each way up: more than there are iterations."""
    search = Search(3000, transpositions='naive')
    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), search)
    assert analysis.iterations == 3000
    assert analysis.tree.visits > 3 * analysis.iterations


SCRIPT = """
from fmcts import Search, SplitMix, analyse
from fmcts.games import GAMES
for name, game in GAMES.items():
    for rule in ('sound', 'naive'):
        for engine in ('inplace', 'persistent'):
            search = Search(120, transpositions=rule)
            analysis, rng = analyse(game.start, SplitMix.from_seed(7), search, engine=engine)
            print(name, rule, analysis.move, analysis.digest, analysis.nodes, rng)
"""


def test_another_hash_seed_gives_the_same_digests():
    printed = {
        subprocess.run(
            [sys.executable, '-c', SCRIPT],
            env={**os.environ, 'PYTHONHASHSEED': seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ('0', '1', '4242')
    }
    assert len(printed) == 1
    lines = printed.pop().splitlines()
    assert len(lines) == 12
    assert lines[::2] == lines[1::2]  # of both engines
