"""Where two designs differ first (`fmcts.compare._difference`)."""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix
from fmcts._running.registry import ENGINES
from fmcts.compare import Parting, parting
from fmcts.compare._difference import first_difference, identical
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import freeze_in_place, plant, walk
from fmcts.search._watch import ignore
from fmcts.testing import generators

RNG = SplitMix.from_seed(7)


def grow(engine, search, state=connect4.start, rng=RNG):
    return engine(plant(state), rng, search, ignore)


def located(engine, search, state=connect4.start, rng=RNG):
    """Where `engine` parts from the reference, and how many iterations were made to find it."""
    made = []

    def pair(iterations):
        made.append(iterations)
        shorter = evolve(search, iterations=iterations)
        return grow(ENGINES['persistent'], shorter, state, rng), grow(engine, shorter, state, rng)

    ends = grow(ENGINES['persistent'], search, state, rng), grow(engine, search, state, rng)
    return first_difference(ends, search.iterations, pair), made


@pytest.mark.parametrize(
    ('one', 'two', 'same'),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        (0.5, 0.5, True),
        (0.0, -0.0, False),
        (0.1 + 0.2, 0.3, False),
        (float('nan'), float('nan'), True),
        ((1, 2), (1, 2), True),
        ((1, 2), (2, 1), False),
    ],
)
def test_identical_is_to_the_bit(one, two, same):
    assert identical(one, two) is same


def test_half_a_reward_at_iteration_137(half_too_much):
    found, made = located(half_too_much(137, (3, 2)), Search(1000))
    right, _ = grow(ENGINES['persistent'], Search(137))
    reward = right.child(3).child(2).reward
    assert found == (137, Parting((3, 2), 'reward', (reward, reward + 0.5)))
    assert {136, 137} <= set(made)
    assert max(made) <= 4 * 137
    assert len(made) <= 16  # 8 times doubled, and halved again


@settings(max_examples=30)
@given(data=st.data(), rng=generators(), iteration=st.integers(1, 40))
def test_any_iteration_and_node_is_named(half_too_much, data, rng, iteration):
    search = Search(data.draw(st.integers(iteration, 60)))
    tree, _ = grow(ENGINES['persistent'], Search(iteration), tictactoe.start, rng)
    path = ()
    node = tree
    while node.children and data.draw(st.booleans()):
        node = data.draw(st.sampled_from(node.children))
        path = (*path, node.move)
    wrong = half_too_much(iteration, path)
    found, _ = located(wrong, search, tictactoe.start, rng)
    if iteration < search.iterations:
        assert found[0] == iteration
    assert found == (iteration, Parting(path, 'reward', (node.reward, node.reward + 0.5)))


def test_one_draw_too_many_at_iteration_50(spoiled):
    wrong = spoiled(50, lambda root, rng: (root, rng.uniform(0, 6)[1]))
    (iteration, found), _ = located(wrong, Search(400))
    _, rng = grow(ENGINES['persistent'], Search(50))
    assert iteration == 50
    assert found == Parting(None, 'generator', (rng, rng.uniform(0, 6)[1]))


def test_children_in_the_wrong_order(spoiled, changed):
    def reverse(draft):
        draft.places = draft.places[::-1]

    (iteration, found), _ = located(spoiled(90, changed((4,), reverse)), Search(200))
    assert iteration == 90
    assert found == Parting((4,), 'children', ((0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)))


def test_a_missing_iteration():
    def lazy(root, rng, search, watch):
        if search.iterations == 1:
            return root, rng
        return ENGINES['persistent'](
            root, rng, evolve(search, iterations=search.iterations - 1), watch
        )

    (iteration, found), _ = located(lazy, Search(100))
    assert (iteration, found) == (1, Parting((), 'visits', (1, 0)))


@pytest.mark.parametrize(
    ('field', 'value'),
    [
        ('move', 6),
        ('mover', 'X'),
        ('state', tictactoe.start),
        ('moves', (0, 1)),
        ('visits', 99),
        ('reward', -1.0),
        ('value', 0.25),
    ],
)
def test_every_field_is_compared(changed, field, value):
    tree, rng = grow(ENGINES['persistent'], Search(100))
    wrong, _ = changed((2,), lambda draft: setattr(draft, field, value))(tree, rng)
    right = getattr(tree.child(2), field)
    if field == 'move':  # of a child it shows in its parent; only the root has none
        found = parting((tree, rng), (wrong, rng))
        assert (found.path, found.field) == ((), 'children')
        wrong, _ = changed((), lambda draft: setattr(draft, field, value))(tree, rng)
        assert parting((tree, rng), (wrong, rng)) == Parting((), field, (None, value))
    else:
        assert parting((tree, rng), (wrong, rng)) == Parting((2,), field, (right, value))


def test_the_first_of_several_nodes_in_preorder_is_named(changed):
    tree, rng = grow(ENGINES['persistent'], Search(500))
    wrong = tree
    paths = [(5,), (1, 6), (1, 2), (6,)]
    for path in paths:
        wrong, _ = changed(path, lambda draft: setattr(draft, 'visits', 0))(wrong, rng)
    assert parting((tree, rng), (wrong, rng)).path == (1, 2)
    assert sum(1 for _ in walk(wrong)) == sum(1 for _ in walk(tree))


def test_an_extra_node_is_named_by_its_parent():
    one, rng = grow(ENGINES['persistent'], Search(3))
    two, _ = grow(ENGINES['persistent'], Search(4))
    assert parting((one, rng), (two, rng)).field == 'visits'
    fewer = evolve_children(two, (*two.places[:3], *[None] * len(two.places[3:])))
    assert parting((two, rng), (fewer, rng)) == Parting((), 'children', ((0, 1, 2, 3), (0, 1, 2)))


def evolve_children(node, children):
    return freeze_in_place(node.mutable_copy(children))
