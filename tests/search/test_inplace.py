"""The in-place engine: its verbs are those of the reference, and nothing of it stays mutable.

That it finds what the others find is shown for all engines in `test_engines.py`.
"""

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._engines import inplace, persistent
from fmcts._engines.plan import plan_of
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.rng import thaw
from fmcts.search._arithmetic import logarithms
from fmcts.search._tree import MutableNode, Node, freeze_in_place, plant, walk
from fmcts.testing import generators, positions, searches
from small_positions import mazes

EXPANSIONS = ['in-order', 'random', 'full']
LOG = logarithms(1000)

# Short enough that no game is over.
running = st.one_of(
    positions(tictactoe.start, max_plies=4), positions(connect4.start, max_plies=6), mazes
)


def ignore(_done):
    pass


def grown(state, rng, search):
    """A tree of the reference engine, and the generator after it."""
    return ENGINES['persistent'](plant(state), rng, search, ignore)


def assert_frozen(tree):
    """Nodes and tuples only, and every value follows from reward and visits."""
    for node in walk(tree):
        assert type(node) is Node
        assert type(node.places) is tuple
        assert node.value == (node.reward / node.visits if node.visits else 0.0)


@given(running, generators(), searches(max_iterations=40))
def test_thaw_copies_and_freeze_restores_the_tree(state, rng, search):
    tree, _ = grown(state, rng, search)
    copy = inplace.thaw(tree)
    drafts = [copy]
    for draft in drafts:
        assert type(draft) is MutableNode
        assert type(draft.places) is list
        drafts.extend(draft.children)
    assert len(drafts) == len(list(walk(tree)))
    assert_frozen(tree)
    frozen = inplace.freeze(copy)
    assert frozen is copy
    assert frozen == tree
    assert_frozen(frozen)


@given(running, generators(), searches(max_iterations=60))
def test_select_equals_the_reference(state, rng, search):
    tree, rng = grown(state, rng, search)
    path, last, step, after = persistent.select(tree, plan_of(search, state), LOG, rng)
    nodes = [*(node for node, _, _ in path), last]
    plan, draws = plan_of(search, state, in_place=True), thaw(rng)
    above, end, same_step = inplace.select(inplace.thaw(tree), plan, LOG, draws)
    assert [draft.move for draft in (*above, end)] == [node.move for node in nodes]
    assert [draft.visits for draft in (*above, end)] == [node.visits for node in nodes]
    assert (same_step, draws.freeze()) == (step, after)


@given(running, st.sampled_from(EXPANSIONS), st.data())
def test_expand_equals_the_reference(state, expansion, data):
    node = plant(state)
    random, plan = (plan_of(Search(expansion=kind), state) for kind in ('random', expansion))

    def step_of(plan, node):
        chances = plan.chances(node, node.places, []) if plan.chances else 0
        drawn = data.draw(st.integers(0, chances - 1)) if chances else 0
        return plan.step(node, node.places, 0.0, [], drawn)

    for _ in range(data.draw(st.integers(0, len(state.moves) - 1), label='children')):
        places = persistent.expand(node, step_of(random, node), random)
        node = freeze_in_place(node.mutable_copy(places))
    step = step_of(plan, node)
    places = persistent.expand(node, step, plan)
    assert sum(map(bool, places)) == len(node.children) + step[1]
    draft, before = inplace.thaw(node), list(node.places)
    child = inplace.expand(draft, step, plan_of(Search(), state, in_place=True))
    assert child is draft.places[step[0]]
    assert child.move == node.moves[step[0]]
    assert inplace.freeze(draft) == freeze_in_place(node.mutable_copy(places))
    assert_frozen(draft)
    assert list(node.places) == before
    for child in filter(None, places):
        assert_frozen(child)


@given(running, generators())
def test_simulate_and_backup_equal_the_reference(state, rng):
    tree, rng = grown(state, rng, Search(20))
    plan, own = (plan_of(Search(c=1), state, in_place=it) for it in (False, True))
    path, node, _, rng = persistent.select(tree, plan, LOG, rng)
    found, after = persistent.simulate(path, node, plan, rng)
    copy, draws = inplace.thaw(tree), thaw(rng)
    above, draft, _ = inplace.select(copy, own, LOG, draws)
    assert inplace.simulate(above, draft, own, draws) == found
    assert draws.freeze() == after
    inplace.backup(above, draft, found[0], found[1], own)
    assert inplace.freeze(copy) == persistent.backup(path, node, found[0], found[1], plan)
    assert_frozen(copy)


@given(running, generators(), searches(max_iterations=60))
def test_equals_the_reference(state, rng, search):
    tree, after = ENGINES['inplace'](plant(state), rng, search, ignore)
    assert (tree, after) == grown(state, rng, search)
    assert_frozen(tree)


@pytest.mark.parametrize('expansion', EXPANSIONS)
def test_terminal_nodes_are_revisited_but_not_expanded(expansion):
    state, rng = tictactoe.parse('XX.OO....').unwrap(), SplitMix.from_seed(1)
    search = Search(150, expansion=expansion)
    tree, after = ENGINES['inplace'](plant(state), rng, search, ignore)
    assert (tree, after) == grown(state, rng, search)
    assert any(node.visits > 1 for node in walk(tree) if not node.moves)
    assert not any(node.children for node in walk(tree) if not node.moves)


@pytest.mark.parametrize('run', [ENGINES['inplace'], ENGINES['persistent']])
@pytest.mark.parametrize(
    ('expansion', 'bound', 'nodes'),
    [
        ('full', 10, 10),  # the root's 9 moves; then the 8 of one child after the other
        ('full', 17, 10),
        ('full', 18, 18),
        ('full', 50, 50),
        ('full', 57, 50),
        ('in-order', 50, 50),
        ('random', 2, 2),
    ],
)
def test_max_nodes_is_respected(run, expansion, bound, nodes):
    search = Search(1000, expansion=expansion, max_nodes=bound)
    tree, _ = run(plant(tictactoe.start), SplitMix.from_seed(1), search, ignore)
    assert len(list(walk(tree))) == nodes


@pytest.mark.parametrize('iterations', [1021, 1022, 1023, 1024, 1025, 2050])
def test_logarithm_tables_suffice_for_any_number_of_visits(iterations):
    """Tables of logarithms end at powers of two."""
    rng = SplitMix.from_seed(1)
    one, _ = analyse(tictactoe.start, rng, Search(iterations), engine='inplace')
    two, _ = analyse(tictactoe.start, rng, Search(iterations), engine='persistent')
    assert one == two
