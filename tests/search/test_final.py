"""The final choice, on trees built by hand."""

import math

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from drawn_games import Maze
from fmcts import Player, Search, SplitMix, analyse
from fmcts._engines.final import choose
from fmcts.errors import IterationsError, MethodError, NoRoomError
from fmcts.formulas import sqrt, where
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import MutableNode, freeze_in_place
from shapes import SHAPES
from toy_games import play_line


def tree(*children):
    """A root whose children have these (visits, reward)."""
    nodes = [
        freeze_in_place(
            MutableNode(
                move, Player.X, tictactoe.start.play(move), (), n, q, q / n if n else 0.0, ()
            )
        )
        for move, (n, q) in enumerate(children)
    ]
    visits = sum(n for n, _ in children)
    start = tictactoe.start
    return freeze_in_place(
        MutableNode(None, Player.O, start, start.moves, visits, 0.0, 0.0, tuple(nodes))
    )


@pytest.mark.parametrize(
    ('rule', 'children', 'move'),
    [
        ('robust', [(5, 5.0), (9, 1.0), (3, 3.0)], 1),
        ('robust', [(9, 1.0), (9, 4.0), (9, 4.0)], 1),  # equal visits: the higher mean, the first
        ('first-robust', [(5, 5.0), (9, 1.0), (9, 4.0)], 1),
        ('max', [(5, 2.0), (9, 8.0), (1, 1.0)], 2),
        ('max', [(4, 1.0), (2, 1.0), (4, 1.0)], 1),
        ('max', [(2, 1.0), (4, 2.0), (4, 2.0)], 1),  # equal means: more visits, the first
        ('max', [(2, 0.0), (0, 0.0), (4, 0.0)], 2),  # an unvisited child is never chosen
        ('ucb', [(50, 30.0), (2, 1.0), (50, 30.0)], 1),  # little visited: a high bound
        ('ucb', [(50, 30.0), (50, 30.0), (50, 10.0)], 0),
    ],
)
def test_each_rule_s_choice(rule, children, move):
    assert choose(tree(*children), Search(final=rule, c=1.4)) == move


@pytest.mark.parametrize(('reward', 'move'), [(0.66, 0), (0.72, 1)])
def test_ucb_counts_root_visits_plus_one(reward, move):
    """Means of 0 and q/2 after 1 and 2 visits: equal for q/2 = (1 - 1/sqrt 2) sqrt(ln x), which is
    0.307, 0.345 and 0.372 for x = 3, 4 and 5; the root has 3 visits."""
    assert choose(tree((1, 0.0), (2, reward)), Search(final='ucb', c=1)) == move


@pytest.mark.parametrize(
    ('reward', 'by_method', 'by_rule'), [(0.58, 0, 0), (0.66, 1, 0), (0.72, 1, 1)]
)
def test_uct_counts_root_visits_only(reward, by_method, by_rule):
    """As above, with 3 visits for the method and 4 for the rule, whatever the method is."""
    root = tree((1, 0.0), (2, reward))

    def bound(edge, parent):
        return edge.value + sqrt(parent.log_visits / edge.visits)

    assert choose(root, Search(selection='uct', final='ucb', c=1)) == by_method
    assert choose(root, Search(selection='uct', final=bound)) == by_rule


ROWS = st.lists(
    st.integers(1, 50).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 * n))),
    min_size=1,
    max_size=9,
).map(lambda rows: [(n, halves / 2) for n, halves in rows])


@given(ROWS)
def test_custom_rules_can_express_the_built_in_ones(rows):
    """Those that compare one number; and a weighed one against plain arithmetic."""
    root = tree(*rows)

    def visits(edge, _parent):
        return edge.visits

    def mean(edge, _parent):
        return edge.value + edge.visits / 1e6  # of equal means the more visited

    def weighed(edge, parent):
        return where(edge.visits * 4 < parent.visits, -math.inf, edge.reward / (edge.visits + 2))

    assert choose(root, Search(final=visits)) == choose(root, Search(final='first-robust'))
    if len({q / n for n, q in rows}) == len(rows):
        assert choose(root, Search(final=mean)) == choose(root, Search(final='max'))
    total = sum(n for n, _ in rows)
    known = [(q / (n + 2), -move) for move, (n, q) in enumerate(rows) if not 4 * n < total]
    if known:
        assert choose(root, Search(final=weighed)) == -max(known)[1]
    else:
        with pytest.raises(MethodError, match='the final rule weighed excludes every move'):
            choose(root, Search(final=weighed))


def test_custom_rules_see_the_method_s_columns(engine):
    search = evolve(SHAPES['tuned'], iterations=60, final=lambda edge, _parent: -edge.squares)
    found, _ = analyse(Maze(7, 30, 5), SplitMix.from_seed(1), search, engine=engine)
    least = min(found.tree.children, key=lambda child: child.columns.own[0])
    assert found.move == least.move


def test_a_nan_from_a_custom_rule_is_refused():
    with pytest.raises(MethodError, match=r'the final rule nothing gives .* \(NaN\)'):
        choose(tree((3, 1.0)), Search(final=nothing))


def nothing(_edge, _parent):
    return math.nan


# What is proven, and where there is nothing to choose among.


@pytest.mark.parametrize('selection', ['ucb1', 'ucb1-tuned'])
@pytest.mark.parametrize('seed', range(8))
def test_a_proven_win_comes_first(selection, seed):
    """The fourth move wins; with as many visits, others may have done as well by luck."""
    state = play_line(connect4.start, (3, 0, 3, 0, 3, 1))
    search = Search(1000, selection=selection, solver=True)
    found, _ = analyse(state, SplitMix.from_seed(seed), search, engine='inplace')
    assert [row.visits for row in found.stats] == [1, 1, 1, 1, 0, 0, 0]
    assert found.move == choose(found.tree, search) == 3


def test_robust_of_all_needs_a_visit_for_each_move():
    every = [(3, 1.0), (5, 2.0), (5, 4.0), *[(1, 1.0)] * 6]
    assert choose(tree(*every), Search(final='robust-of-all')) == 1
    for number in (8, 3):
        rows = [*every[:number]]
        rows[0] = (rows[0][0] + 18 - sum(visits for visits, _ in rows), 1.0)
        with pytest.raises(
            IterationsError, match=f' 9 moves, and 18 iterations visited {number} of'
        ):
            choose(tree(*rows), Search(final='robust-of-all'))


def test_a_root_without_visits_means_max_nodes_is_too_small():
    for root in (tree(), tree((0, 0.0))):
        with pytest.raises(NoRoomError, match=r'^max_nodes 2 leaves no room for the first iter'):
            choose(root, Search(max_nodes=2))
