"""Functions made again by the same lines are shared, and no others."""

import types

import pytest
from attrs import evolve
from numba import njit

from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.simulation import simulation
from fmcts._compiled.structure import Structure
from fmcts._numba.intrinsics import inlined, made_before
from fmcts._numba.positions import menus_of
from fmcts._numba.register import register
from fmcts.games import connect4
from fmcts.search.methods import METHODS, UCB1

RULES = connect4.start.compiled


def over(value):
    return made_before(lambda: value)


def another():
    pass


@pytest.mark.parametrize('value', [3, True, None, 'of a name', another, Structure, (1, 2), 0.5])
def test_equal_closure_values_share_the_function(value):
    assert over(value) is over(value)
    assert over(value)() is value


@pytest.mark.parametrize(
    ('value', 'other'), [(1, True), (0, False), (1, 1.0), (0.0, -0.0), ('1', 1), (0, None)]
)
def test_closure_values_of_other_types_do_not_share(value, other):
    assert [type(over(one)()) for one in (value, other)] == [type(value), type(other)]
    assert over(value) is not over(other)
    assert repr(over(other)()) == repr(other)


def test_mutable_closure_values_do_not_share():
    assert over([1]) is not over([1])


def test_closure_values_are_kept_alive():
    assert len({over(object()) for _ in range(100)}) == 100


def test_functions_from_different_lines_do_not_share():
    assert made_before(lambda: 1) is not made_before(lambda: 1)


def test_functions_with_different_globals_do_not_share():
    code = over.__code__
    found = [types.FunctionType(code, {'made_before': made_before})(0) for _ in range(2)]
    assert found[0] is not found[1]


def test_defaults_or_unbound_variables_prevent_sharing():
    def with_default():
        return made_before(lambda number=1: number)

    def over_what_comes_later():
        function = made_before(lambda: later)
        later = 1
        assert function() == later
        return function

    def with_keyword(value):
        return made_before(lambda *, number=value: number)

    for make in (with_default, over_what_comes_later):
        assert make() is not make()
    assert (with_keyword(1)(), with_keyword(2)()) == (1, 2)


def test_compiled_functions_are_shared():
    def make():
        return inlined(lambda number: number + 1)

    assert make() is make()


def test_user_functions_are_registered_separately():
    """As rules that a function makes twice: neither stands for the other."""

    def make():
        return lambda number: 2 * number

    for function in (make(), make()):
        register(function)
        assert njit(lambda number, function=function: function(number))(3) == 6


@pytest.mark.parametrize('method', [kind for kind in METHODS.values() if kind().table is None])
def test_searches_of_one_game_share_menus_and_playouts(method):
    """That of the plain search, so long as the method does not remember the moves of playouts."""
    plain = Structure(UCB1(), 'in-order')
    assert menus_of(RULES) == menus_of(RULES)
    assert simulation(RULES, Structure(method(), 'full')) is simulation(RULES, plain)


@pytest.mark.parametrize('kind', METHODS.values(), ids=METHODS)
def test_searches_by_one_method_share_its_parameter_class(kind):
    """Whatever they are: or no code would be shared that is told them."""
    method = kind()
    other = evolve(method, **dict.fromkeys(method.parameters, 1.0))
    assert parameters_of(method) is parameters_of(other)
    assert parameters_of(method)._fields == tuple(method.parameters)


def test_methods_with_other_parameters_have_other_classes():
    assert len({parameters_of(kind()) for kind in METHODS.values()}) == len(METHODS)
