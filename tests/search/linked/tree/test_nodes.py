"""Lazy nodes: made only when read, and equal to other engines' nodes."""

import copy
import gc
import pickle
import subprocess
import sys
import weakref

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings, strategies as st

from chained import mazes
from fmcts import EngineError, Search, SplitMix, analyse, reroot
from fmcts._linked.tree.nodes import LazyNode
from fmcts._running.registry import ENGINES
from fmcts.compare import parting
from fmcts.games import connect4, othello, tictactoe
from fmcts.search import _digest as digests
from fmcts.search._tree import principal_variation, walk
from fmcts.testing import positions, searches
from fmcts.testing._strategies import splitmixes
from shapes import in_order_if_wide

RNG = SplitMix.from_seed(11)


def found(iterations=3000, engine='compiled', state=connect4.start, **options):
    return analyse(state, RNG, Search(iterations, **options), engine=engine)[0]


@pytest.fixture
def plays(monkeypatch):
    """The moves that states have played since: a node that is made plays one."""
    played = []
    for game in (connect4.Connect4, othello.Othello, tictactoe.TicTacToe):
        original = game.play

        def play(state, move, original=original):
            played.append(move)
            return original(state, move)

        monkeypatch.setattr(game, 'play', play)
    return played


# ---- only what is looked at ----


def test_statistics_and_sizes_make_no_nodes(plays):
    analysis = pickle.loads(pickle.dumps(found()))  # noqa: S301 - our own bytes
    expected = found(engine='inplace')
    plays.clear()
    assert analysis.nodes == expected.nodes
    assert analysis.digest == expected.digest
    assert not plays
    assert analysis.stats == expected.stats
    assert plays == [0, 1, 2, 3, 4, 5, 6]


def test_continuing_a_tree_makes_no_nodes(plays):
    analysis, rng = analyse(connect4.start, RNG, Search(3000), engine='compiled')
    view = reroot(reroot(analysis, 3), 3)
    for state, tree in ((connect4.start, analysis), (view.state, view)):
        plays.clear()
        more, _ = analyse(state, rng, Search(500), engine='compiled', tree=tree)
        assert len(plays) <= 7  # the children of the new root
        assert more.digest
        assert len(plays) <= 7


# ---- what another engine makes ----


@settings(max_examples=40)
@given(rng=splitmixes(), drawn=searches(max_iterations=200), data=st.data())
def test_nodes_equal_the_reference(rng, drawn, data):
    state = data.draw(positions(tictactoe.start, running=True) | mazes())
    search = in_order_if_wide(drawn, state)
    tree = analyse(state, rng, search, engine='compiled')[0].tree
    expected = analyse(state, rng, search, engine='persistent')[0].tree
    visited = [(it.move, it.visits, it.reward) for it in expected.children if it.visits]
    assert tree.visited() == expected.visited() == visited  # no child is made yet
    for _ in range(data.draw(st.integers(0, 4))):  # some are looked at before
        node = tree
        while node and (moves := node.moves):
            node = node.child(data.draw(st.sampled_from(moves)))
    assert isinstance(tree, LazyNode)
    assert principal_variation(tree) == principal_variation(expected)
    assert parting((tree, rng), (expected, rng)) is None  # field by field, to the bit
    assert tree == expected
    assert expected == tree
    assert hash(tree) == hash(expected)
    assert repr(tree) == repr(expected)
    assert digests.digest(tree) == digests.digest(expected)
    assert tree.count() == len(list(walk(tree))) == expected.count()
    for node, other in zip(walk(tree), walk(expected), strict=True):
        for move in (*node.moves, 'no move'):
            assert (node.child(move) is None) is (other.child(move) is None)
        assert node.most_visited() == other.most_visited()
        assert node.visited() == other.visited()


def test_a_lazy_node_is_frozen():
    node = found(50).tree.child(3)
    for name in ('visits', 'children', 'other'):
        with pytest.raises(FrozenInstanceError):
            setattr(node, name, 7)
        with pytest.raises(FrozenInstanceError):
            delattr(node, name)
    assert copy.copy(node) is copy.deepcopy(node) is node
    with pytest.raises(TypeError, match=r'a Node comes from plant\(\)'):
        LazyNode()


def test_changed_rules_are_detected(monkeypatch):
    tree = pickle.loads(pickle.dumps(found(500).tree))  # noqa: S301 - our own bytes
    monkeypatch.setattr(connect4.Connect4, 'moves', (0, 1, 2))
    with pytest.raises(EngineError, match='by other rules: Connect4 had 7 moves where it has 3'):
        tree.child(2).child(1)


# ---- an analysis never changes ----


@pytest.mark.parametrize('engine', ENGINES)
@pytest.mark.parametrize('looked_at', [False, True])
def test_continuing_a_tree_does_not_modify_it(engine, looked_at):
    analysis = found(600, expansion='random')
    view = reroot(analysis, 3)
    if looked_at:
        assert len(list(walk(analysis.tree))) == analysis.nodes
    before = pickle.dumps((analysis, view)), analysis.digest, digests.digest(view)
    for tree in (analysis, view):
        state = reroot(tree, 2).state if tree is analysis else view.state.play(2)
        for expansion in ('in-order', 'random', 'full'):
            search = Search(40, expansion=expansion)
            analyse(state, RNG, search, engine=engine, tree=reroot(tree, 2))
            root = analysis.tree if tree is analysis else view
            analyse(root.state, RNG, search, engine=engine, tree=tree)
    again = pickle.loads(before[0])  # noqa: S301 - our own bytes
    assert pickle.dumps((analysis, view)) == before[0]
    fresh = type(analysis)(analysis.move, analysis.iterations, analysis.tree)  # without its digest
    assert (fresh.digest, digests.digest(view)) == before[1:]
    assert again == (analysis, view)
    assert analysis == found(600, engine='persistent', expansion='random')


def test_growing_a_subtree_frees_the_rest():
    """Memory does not grow without bound over a match."""
    analysis, rng = analyse(connect4.start, RNG, Search(5000), engine='compiled')
    view = reroot(reroot(analysis, 3), 2)
    assert view.store is analysis.tree.store  # nothing is copied before it is grown
    more, _ = analyse(view.state, rng, Search(1), engine='compiled', tree=view)
    assert more.nodes - view.count() in {0, 1}
    # The root's own block, and one for every node with children.
    blocks = [2 + 4 * len(node.moves) for node in walk(more.tree) if node.children]
    assert more.tree.store.used == 6 + sum(blocks) < analysis.tree.store.used // 5
    assert more.iterations == view.visits + 1
    store = weakref.ref(analysis.tree.store.numbers)
    del analysis, view
    gc.collect()
    assert store() is None


# ---- where there is no numba ----

WITHOUT = """
import pickle, sys
for name in ('numba', 'numpy', 'llvmlite'):
    sys.modules[name] = None  # an import of it fails
from fmcts import Search, SplitMix, analyse, reroot
from fmcts._linked import installed
from fmcts.search._tree import walk
analysis = pickle.load(sys.stdin.buffer)
print(analysis.stats)
print(analysis.principal_variation)
print([node.visits for node in walk(analysis.tree, depth=2)])
print(analysis.nodes)
view = reroot(analysis, analysis.move)
assert pickle.loads(pickle.dumps(view)) == view
more, rng = analyse(view.state, SplitMix.from_seed(1), Search(20), tree=view)
print(more.digest)
print(analysis.digest)
assert not any(sys.modules.get(name) for name in ('numba', 'numpy', 'llvmlite'))
"""


def test_analyses_can_be_inspected_without_numba():
    analysis = found(700)
    view = reroot(analysis, analysis.move)
    more, _ = analyse(view.state, SplitMix.from_seed(1), Search(20), engine='compiled', tree=view)
    done = subprocess.run(
        [sys.executable, '-c', WITHOUT], input=pickle.dumps(analysis), capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.stderr.decode() == ''
    assert done.stdout.decode().splitlines() == [
        str(analysis.stats),
        str(analysis.principal_variation),
        str([node.visits for node in walk(analysis.tree, depth=2)]),
        str(analysis.nodes),
        more.digest,
        analysis.digest,
    ]
