"""A graph seen as a tree: walking, counting, comparing, pickling, and re-rooting."""

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import IllegalMoveError, Search, SplitMix, analyse, reroot, walk
from fmcts.games import connect4, tictactoe
from fmcts.rules import rules_of
from fmcts.testing import games, generators, positions

RULES = ['sound', 'naive']
RNG = SplitMix.from_seed(1)
running = st.one_of(games(), positions(tictactoe.start, running=True))


def search(iterations, rule='sound', **options):
    return Search(iterations, transpositions=rule, **options)


def unfolded(node, depth):
    """Every line of so many moves, with the states on it."""
    yield node
    if depth:
        for child in node.children:
            yield from unfolded(child, depth - 1)


@pytest.mark.parametrize('rule', RULES)
@given(running, generators(), st.integers(1, 150), st.integers(0, 5))
@settings(max_examples=60)
def test_walk_yields_every_state_once(rule, state, rng, iterations, depth):
    analysis, _ = analyse(state, rng, search(iterations, rule), engine='inplace')
    states = [node.state for node in walk(analysis)]
    assert states[0] == state
    assert len(states) == len(set(states)) == analysis.nodes
    near = [node.state for node in walk(analysis, depth)]
    assert len(near) == len(set(near))
    assert set(near) == {node.state for node in unfolded(analysis.tree, depth)}


def test_walk_is_linear_in_the_number_of_states():
    """Unfolded it would have millions of nodes, and the walk would not end."""
    analysis, _ = analyse(tictactoe.start, RNG, search(9000))
    assert sum(1 for _ in walk(analysis)) == analysis.nodes == analysis.tree.count() <= 5478


@pytest.mark.parametrize(
    ('engine', 'rule'), [*product(['persistent', 'inplace'], RULES), ('compiled', 'sound')]
)
def test_pickles_and_copies_are_equal(engine, rule):
    analysis, after = analyse(connect4.start, RNG, search(300, rule), engine=engine)
    again = pickle.loads(pickle.dumps(analysis))  # noqa: S301 - our own
    assert again == analysis
    assert (again.tree, again.stats, again.nodes) == (analysis.tree, analysis.stats, analysis.nodes)
    assert copy.deepcopy(analysis.tree) is analysis.tree
    child = analysis.tree.child(3)
    below = pickle.loads(pickle.dumps(child))  # noqa: S301 - our own
    assert below == child
    assert (below.facts(), below.value) == (child.facts(), child.value)
    on = analyse(connect4.start, after, search(100, rule), engine=engine, tree=again)
    assert on == analyse(connect4.start, after, search(100, rule), engine=engine, tree=analysis)


def test_different_graphs_are_unequal():
    one, _ = analyse(tictactoe.start, RNG, search(200))
    more, _ = analyse(tictactoe.start, RNG, search(201))
    tree, _ = analyse(tictactoe.start, RNG, Search(200), engine='inplace')
    naive, _ = analyse(tictactoe.start, RNG, search(200, 'naive'))
    trees = [one.tree, more.tree, tree.tree, naive.tree, one.tree.child(4), one.tree.child(0)]
    for number, each in enumerate(trees):
        assert [each == other for other in trees] == [number == at for at in range(len(trees))]
    assert one.tree != 'a tree'
    again, _ = analyse(tictactoe.start, RNG, search(200), engine='monadic')
    assert (again.tree, hash(again.tree)) == (one.tree, hash(one.tree))


@pytest.mark.parametrize('rule', RULES)
@given(running, generators(), st.integers(1, 200), st.data())
@settings(max_examples=60)
def test_reroot_keeps_the_statistics_of_a_state(rule, state, rng, iterations, data):
    """By whichever ways it was visited; and nothing of what does not lie below."""
    analysis, after = analyse(state, rng, search(iterations, rule), engine='inplace')
    open_children = [child for child in analysis.tree.children if child.moves]
    if not open_children:
        return
    child = data.draw(st.sampled_from(open_children))
    root = reroot(analysis, child.move)
    entries = analysis.tree.graph.entries
    led_here = [edge.visits for entry in entries for edge in entry.edges if edge.to == child.number]
    visited = sum(led_here) if rule == 'sound' else child.entry.visits
    assert (root.iterations, root.visits, root.state) == (visited, visited, child.state)
    assert (root.move, root.mover, root.transpositions) == (child.move, child.mover, rule)
    assert {node.state for node in walk(root)} == {node.state for node in walk(child)}
    assert len(root.graph.entries) == root.count()
    for node in walk(root):
        known = next(each for each in walk(child) if each.state == node.state)
        assert (node.entry.visits, node.entry.total) == (known.entry.visits, known.entry.total)
    edges = [
        (number, edge.to) for number, each in enumerate(root.graph.entries) for edge in each.edges
    ]
    for number, entry in enumerate(root.graph.entries):
        parents = [parent for parent, to in edges if to == number] if rule == 'naive' else []
        assert sorted(entry.parents) == parents
    more = analyse(root.state, after, search(20, rule), tree=root, engine='inplace')
    assert more[0].iterations == visited + 20
    other = 'compiled' if rule == 'sound' and rules_of(state) else 'persistent'
    assert more == analyse(root.state, after, search(20, rule), tree=child, engine=other)


def test_reroot_to_an_untried_move_gives_a_new_graph():
    analysis, rng = analyse(tictactoe.start, RNG, search(3))
    root = reroot(analysis, 8)
    assert (root.visits, root.children) == (0, ())
    assert analyse(root.state, rng, search(5), tree=root)[0].iterations == 5
    with pytest.raises(IllegalMoveError):
        reroot(analysis, 9)


def test_edges_are_counted():
    analysis, _ = analyse(tictactoe.start, RNG, search(2000))
    edges = {
        (node.state, child.state) for node in walk(analysis) for child in node.children
    }  # no two moves of this game lead to one state
    assert analysis.edges == len(edges) > analysis.nodes
    tree, _ = analyse(tictactoe.start, RNG, Search(200))
    assert tree.edges == tree.nodes - 1


def test_any_search_can_continue_from_an_unvisited_state():
    """Full expansion makes all children: what is not searched yet is gone on from by any search."""
    analysis, rng = analyse(tictactoe.start, RNG, search(1, expansion='full'))
    new = next(child for child in analysis.tree.children if not child.visits)
    for rule in (None, 'sound', 'naive'):
        further = Search(20, transpositions=rule)
        found = analyse(new.state, rng, further, tree=reroot(analysis, new.move))
        assert found[0].digest == analyse(new.state, rng, further)[0].digest
