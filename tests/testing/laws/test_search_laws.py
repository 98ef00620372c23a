"""Each law of searches: violations word for word, and correct searches."""

from itertools import count
from types import SimpleNamespace

import pytest

from fmcts import EngineError, Search
from fmcts.search._analysis import Analysis, MoveStats
from searched import ALONE, BOUNDS, CONSERVED, ENDS, NAMES, RAISED, found, node, of


@pytest.mark.parametrize(
    ('move', 'words'),
    [
        (4, None),
        (5, 'the move found is 5, which was never tried'),
        (6, 'the move found is 6, which was never tried'),
        (7, 'the move found is 7, which is not legal'),
    ],
)
def test_the_move_must_be_legal_and_visited(move, words):
    tree = node(1, node(1, move=4), node(0, move=5))
    assert found(ENDS, whole=(), analysis=of(tree, move)) == words


@pytest.mark.parametrize('whole', [RAISED, EngineError('raised ValueError: no')], ids=type)
def test_a_search_without_a_move_is_reported(whole):
    assert found(ENDS, whole=whole, analysis=None) == 'raised ValueError: no'


@pytest.mark.parametrize('drawn', [None, "Python's was drawn from"])
def test_draws_from_global_generators_are_named(drawn):
    assert found(ALONE, drawn=drawn) == drawn


# Visits.


@pytest.mark.parametrize(
    ('search', 'is_told'),
    [
        (Search(10), True),
        (Search(10, solver=True), False),
        (Search(10, closing=True), False),
        (Search(10, max_nodes=3), False),
        (Search(10, stop=bool), False),
    ],
    ids=count(),
)
def test_the_number_of_iterations_is_checked(search, is_told):
    fewer, all_of_them, more = (of(node(made, node(made))) for made in (9, 10, 11))
    words = '{} iterations made, not 10'
    assert found(CONSERVED, search=search, analysis=all_of_them) is None
    assert found(CONSERVED, search=search, analysis=more) == words.format(11)
    assert found(CONSERVED, search=search, analysis=fewer) == (words.format(9) if is_told else None)


@pytest.mark.parametrize(
    ('tree', 'words'),
    [
        (node(10, node(6), node(4)), None),
        (node(9, node(6), node(3)), 'after 10 iterations the root has 9 visits'),
        (node(11, node(6), node(5)), 'after 10 iterations the root has 11 visits'),
        (node(10, node(6), node(3)), 'the root has 10 visits, and its children 9'),
        (node(10, node(6), node(5)), 'the root has 10 visits, and its children 11'),
        (node(10, node(6, node(5), node(1)), node(4, node(3))), None),
        (node(10, node(6), node(4, node(2))), 'a node has 4 visits, and its children 2'),
        (node(10, node(6), node(4, node(5))), 'a node has 4 visits, and its children 5'),
        (node(10, node(10, node(9, node(9, node(7))))), 'a node has 9 visits, and its children 7'),
    ],
    ids=count(),
)
def test_visits_must_add_up(tree, words):
    assert found(CONSERVED, analysis=Analysis(4, 10, tree)) == words
    below_root = words is not None and words.startswith('a node')
    for rule, told in (('sound', None if below_root else words), ('naive', None)):
        search = Search(10, transpositions=rule)
        assert found(CONSERVED, search=search, analysis=Analysis(4, 10, tree)) == told


# Statistics.


@pytest.mark.parametrize(
    ('options', 'halves'),
    [
        ({}, True),
        ({'transpositions': 'sound'}, False),
        ({'reward': lambda _: 0.3}, False),
        ({'evaluate': lambda _: 0.3, 'evaluate_after': 1}, False),
    ],
    ids=count(),
)
@pytest.mark.parametrize(
    ('statistics', 'words', 'always'),
    [
        ((0, 0.0, 0.0), None, False),
        ((3, 0.0, 0.0), None, False),
        ((3, 3.0, 1.0), None, False),
        ((4, 2.5, 0.625), None, False),
        ((3, -0.5, -0.5 / 3), '3 visits and the reward -0.5', True),
        ((3, 3.5, 3.5 / 3), '3 visits and the reward 3.5', True),
        ((-1, -1.0, 1.0), '-1 visits and the reward -1.0', True),
        ((3, float('nan'), 0.5), '3 visits and the reward nan', True),
        ((4, 0.75, 0.1875), 'the reward 0.75, which is not a sum of wins and draws', False),
        ((4, 0.25, 0.0625), 'the reward 0.25, which is not a sum of wins and draws', False),
        ((4, 2.0, 0.75), '4 visits, the reward 2.0 and the value 0.75', False),
        ((4, 2.0, 0.25), '4 visits, the reward 2.0 and the value 0.25', False),
        ((0, 0.0, 0.5), '0 visits, the reward 0.0 and the value 0.5', False),
    ],
    ids=count(),
)
def test_statistics_must_lie_within_bounds(options, halves, statistics, words, always):
    visits, reward, value = statistics
    tree = node(9, node(9, node(visits, reward=reward, value=value)))
    told = found(BOUNDS, search=Search(10, **options), analysis=of(tree))
    assert told == (f'a node has {words}' if words and (always or halves) else None)


@pytest.mark.parametrize(
    ('value', 'words'),
    [
        (0.0, None),
        (1.0, None),
        (-0.01, 'a node has the value -0.01'),
        (1.01, 'a node has the value 1.01'),
        (1.99, 'a node has the value 1.99'),
        (float('nan'), 'a node has the value nan'),
    ],
)
def test_values_other_than_means_must_be_between_0_and_1(value, words):
    analysis = of(node(2, reward=1.0, value=value))
    assert found(BOUNDS, search=Search(10, reward=len), analysis=analysis) == words


@pytest.mark.parametrize(
    ('reward', 'value', 'words'),
    [
        (-30.0, -15.0, None),
        (30.0, 15.0, None),
        (float('inf'), 1.0, 'a node has 2 visits and the reward inf'),
        (1.0, float('nan'), 'a node has the value nan'),
    ],
)
def test_statistics_of_what_is_gained_must_be_finite(reward, value, words):
    state = SimpleNamespace(players=('one',), gained=0.0)
    tree = node(3, node(2, reward=reward, value=value), state=state)
    assert found(BOUNDS, analysis=of(tree)) == words


@pytest.mark.parametrize(
    ('rows', 'words'),
    [
        ([(4, 2, 0.5), (5, 0, None), (6, 1, 0.0)], None),
        ([(4, 2, 0.5), (6, 1, 0.0)], 'the statistics are of (4, 6), the moves (4, 5, 6)'),
        ([(4, 2, 0.5), (5, 1, 0.0)], 'the statistics are of (4, 5), the moves (4, 5, 6)'),
        (
            [(5, 0, None), (4, 2, 0.5), (6, 1, 0.0)],
            'the statistics are of (5, 4, 6), the moves (4, 5, 6)',
        ),
        ([(4, 2, 0.5), (5, 0, 0.0), (6, 1, 0.0)], 'the move 5 has 0 visits and the value 0.0'),
        ([(4, 2, 0.5), (5, 0, None), (6, 1, None)], 'the move 6 has 1 visit and the value None'),
    ],
    ids=count(),
)
def test_statistics_must_name_every_move(rows, words):
    stats = tuple(MoveStats(*row) for row in rows)
    assert found(NAMES, analysis=SimpleNamespace(stats=stats)) == words


@pytest.mark.parametrize('law', [CONSERVED, BOUNDS, NAMES], ids=lambda law: law.name)
def test_searches_without_a_result_are_left_to_another_law(law):
    assert found(law, analysis=None) is None
