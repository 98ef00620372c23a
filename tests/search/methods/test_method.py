"""The defaults of `Method`."""

import pytest
from attrs import frozen

from fmcts import Search
from fmcts.search._columns import NO_COLUMNS, ColumnNames, Columns
from fmcts.search.methods import METHODS, UCB1, Method, ParentNumbers, Rule
from fmcts.search.methods.method import edge_type


@frozen
class Mine(Method):
    columns = ('sum', 'last')
    move_columns = ('seen', 'worth', 'age')

    weight: int = 3
    share: float = 0.5
    name: str = 'x'


def test_names_of_columns():
    assert Mine().names == ColumnNames(('sum', 'last'), ('seen', 'worth', 'age'))
    assert Mine().own_names == ColumnNames(('sum', 'last'), ())
    assert Method().names == ColumnNames((), ()) == NO_COLUMNS.names
    assert not Method().names
    assert ColumnNames(('a',))
    assert ColumnNames((), ('b',))
    assert Columns(Mine().names).own == ()


def test_edges_and_rows_have_named_fields():
    edge = edge_type(Mine().names)(3.0, 1.5, 0.5, 10.0, 11.0, 12.0, 13.0, 14.0)
    assert (edge.visits, edge.reward, edge.value) == (3.0, 1.5, 0.5)
    assert (edge.sum, edge.last, edge.seen, edge.worth, edge.age) == (10.0, 11.0, 12.0, 13.0, 14.0)
    assert edge_type(Mine().own_names)._fields == ('visits', 'reward', 'value', 'sum', 'last')


def test_equal_names_share_one_edge_class():
    """Machine code is made for the class."""
    assert edge_type(Mine().names) is edge_type(Mine(weight=1).names)


def test_default_first_rows_are_zeros():
    assert Mine().first_rows(None, 'ab') == ((0.0, 0.0),) * 3
    assert Mine().first_rows(None, ()) == ((),) * 3
    assert Method().first_rows(None, 'ab') == ()
    numbers = Mine().first_numbers()
    assert [number(None, 1, 2) for number in numbers] == [0.0, 0.0, 0.0]
    assert Method().first_numbers() == ()


def test_numeric_fields_are_parameters():
    parameters = Mine().parameters
    assert parameters == {'weight': 3.0, 'share': 0.5}
    assert [*map(type, parameters.values())] == [float, float]


def test_counts_is_true_only_with_by_visits():
    class Counted(Mine):
        def by_visits(self, visits):
            return visits

    assert Counted().counts
    assert not Mine().counts
    assert Counted().edge._fields == (*Mine().edge._fields, 'by_visits')
    assert Mine().edge is edge_type(Mine().names)


@pytest.mark.parametrize(
    ('name', 'given', 'arguments'),
    [
        ('score', (None, ParentNumbers(1.0, 1.0, 0.5)), 'self, edge, parent'),
        ('update', (None, 0.5), 'self, edge, reward'),
        ('by_visits', (3.0,), 'self, visits'),
    ],
)
def test_missing_functions_are_named(name, given, arguments):
    with pytest.raises(TypeError, match=rf'^the method Mine has no {name}\({arguments}\)$'):
        getattr(Mine(), name)(*given)


def test_methods_are_values():
    assert Mine() == Mine()
    assert Mine() != Mine(weight=4)
    assert hash(Mine()) == hash(Mine())
    assert Method() == Method() != UCB1()
    with pytest.raises(AttributeError):
        Mine().weight = 4
    assert [method().names is not None for method in METHODS.values()] == [True] * len(METHODS)
    assert [vars(kind)['name'] for kind in METHODS.values()] == [*METHODS]
    with pytest.raises(TypeError):
        METHODS['mine'] = Mine


def rule(edge, parent):
    return edge.value + parent.visits


def test_score_calls_the_function():
    edge = edge_type(ColumnNames())(2.0, 1.0, 0.5)
    assert Rule(rule).score(edge, ParentNumbers(20.0, 3.0, 0.25)) == 20.5


def test_equality_follows_the_function():
    assert Search(selection=rule).method == Rule(rule)
    assert Rule(rule) == Rule(rule) != Rule(max)
    assert hash(Rule(rule)) == hash(Rule(rule))
    with pytest.raises(AttributeError):
        Rule(rule).function = len


def test_no_columns_and_no_parameters():
    method = Rule(rule)
    assert not method.names
    assert method.parameters == {}
    assert method.table is None
    assert not method.scores_unvisited
