"""The final choice, on trees made for the purpose."""

import pytest

from fmcts import Player, Search
from fmcts.games import tictactoe
from fmcts.search.final import choose
from fmcts.search.tree import Draft, seal


def tree(*children):
    """A root whose children have these (visits, reward)."""
    nodes = [
        seal(Draft(move, Player.X, tictactoe.start.play(move), (), n, q, q / n if n else 0.0, ()))
        for move, (n, q) in enumerate(children)
    ]
    visits = sum(n for n, _ in children)
    start = tictactoe.start
    return seal(Draft(None, Player.O, start, start.moves, visits, 0.0, 0.0, tuple(nodes)))


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
def test_the_rule_decides(rule, children, move):
    assert choose(tree(*children), Search(final=rule, c=1.4)) == move


def test_ucb_depends_on_the_constant():
    children = [(50, 30.0), (2, 1.0)]
    assert choose(tree(*children), Search(final='ucb', c=0)) == 0
    assert choose(tree(*children), Search(final='ucb', c=2)) == 1


@pytest.mark.parametrize(('reward', 'move'), [(0.66, 0), (0.72, 1)])
def test_ucb_counts_the_visits_of_the_root_and_one_more(reward, move):
    """Means of 0 and q/2 after 1 and 2 visits: equal for q/2 = (1 - 1/sqrt 2) sqrt(ln x), which is
    0.307, 0.345 and 0.372 for x = 3, 4 and 5; the root has 3 visits."""
    assert choose(tree((1, 0.0), (2, reward)), Search(final='ucb', c=1)) == move


def test_ucb_of_a_tree_as_large_as_a_table_of_logarithms():
    assert choose(tree((1000, 500.0), (23, 12.0)), Search(final='ucb', c=1)) == 1
