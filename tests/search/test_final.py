"""The final choice, on trees made for the purpose."""

import pytest

from fmcts import Player
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
        ('max', [(2, 1.0), (4, 2.0), (4, 2.0)], 1),  # equal means: more visits, the first
        ('max', [(2, 0.0), (0, 0.0), (4, 0.0)], 2),  # an unvisited child is never chosen
        ('ucb', [(50, 30.0), (2, 1.0), (50, 30.0)], 1),  # little visited: a high bound
        ('ucb', [(50, 30.0), (50, 30.0), (50, 10.0)], 0),
    ],
)
def test_the_rule_decides(rule, children, move):
    assert choose(tree(*children), rule, 1.4) == move


def test_ucb_depends_on_the_constant():
    children = [(50, 30.0), (2, 1.0)]
    assert choose(tree(*children), 'ucb', 0.0) == 0
    assert choose(tree(*children), 'ucb', 2.0) == 1
