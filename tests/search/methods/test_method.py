"""Methods and rules as values."""

import pytest
from attrs import frozen

from fmcts import Search
from fmcts.search.methods import METHODS, UCB1, Method, ParentNumbers, Rule


@frozen
class Mine(Method):
    move_columns = ('seen', 'worth', 'age')

    weight: int = 3


def test_default_first_rows_are_zeros():
    assert Mine().first_rows(None, 'ab') == ((0.0, 0.0),) * 3
    assert [number(None, 1, 2) for number in Mine().first_numbers()] == [0.0, 0.0, 0.0]


def test_numbers_of_a_method_are_floats():
    """As machine code has them."""
    assert [*map(type, Mine().parameters.values())] == [float]


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


def test_equality_follows_the_function():
    assert Search(selection=rule).method == Rule(rule)
    assert Rule(rule) == Rule(rule) != Rule(max)
    assert hash(Rule(rule)) == hash(Rule(rule))
    with pytest.raises(AttributeError):
        Rule(rule).function = len
