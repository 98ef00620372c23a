"""What a compiled function refers to is compared when a search begins, or refused."""

import enum
import re
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest
from attrs import define, frozen

from fmcts import Search, SplitMix, analyse
from fmcts._linked import codes
from fmcts._linked.keys import key_of
from fmcts.bits import Table
from fmcts.errors import RulesError
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import Method
from shapes import rule_with

RNG = SplitMix.from_seed(1)
START = tictactoe.start
NUMBER, PAIR, TABLE = 0.25, (0.25, 0.5), Table(range(512))
SCALAR = np.float64(0.25)
LISTED, NAMED, ARRAY = [0.25], {'a': 0.25}, np.array([0.25])


class Colour(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    one: int
    two: float


@define
class Kept:
    number: float = 0.25


KEPT = Kept()


def digest(engine, **options):
    return analyse(START, RNG, Search(60, **options), engine=engine)[0].digest


def helper(position):
    return NUMBER if position.mine & 1 else 0.5


def worth(position):
    return helper(position)


def branching(edge, parent):
    return edge.value if edge.visits > 9 else edge.value + NUMBER * parent.log_visits / edge.visits


def liked(_position, menu):
    return menu & MASK or menu


MASK = 0b111_111_111


@pytest.mark.parametrize(
    ('options', 'name', 'value'),
    [
        ({'evaluate': OnPositions(worth)}, 'NUMBER', 0.75),
        ({'reward': OnPositions(worth)}, 'NUMBER', 0.75),
        ({'selection': branching}, 'NUMBER', 0.75),
        ({'playout': OnPositions(liked)}, 'MASK', 0b101_010_101),
        ({'evaluate': OnPositions(worth)}, 'helper', lambda position: position.mine % 3 / 4),
    ],
    ids=['evaluator', 'reward', 'score', 'policy', 'function'],
)
def test_a_changed_global_is_followed(monkeypatch, options, name, value):
    """In the same process by the next search; and back."""
    before = digest('compiled', **options)
    assert before == digest('inplace', **options)
    with monkeypatch.context() as patch:
        patch.setitem(globals(), name, value)
        assert before != digest('compiled', **options) == digest('inplace', **options)
    assert digest('compiled', **options) == before


def test_a_changed_global_of_a_rule_is_followed(monkeypatch, with_rules):
    """The rules then give other moves than the states, which `check_rules` would find."""
    state = with_rules(winner=lambda position: (1 - position.turn) ^ FLIPPED)(9)
    one = analyse(state, RNG, Search(200), engine='compiled')[0]
    monkeypatch.setitem(globals(), 'FLIPPED', 1)
    other = analyse(state, RNG, Search(200), engine='compiled')[0]
    assert one.value != other.value


FLIPPED = 0


def test_a_changed_closure_is_followed():
    number = 0.25

    def inner(position):
        return number if position.mine & 1 else 0.5

    before = digest('compiled', evaluate=OnPositions(inner))
    number = 0.75
    after = digest('compiled', evaluate=OnPositions(inner))
    assert before != after == digest('inplace', evaluate=OnPositions(inner))


def fine(position):
    return PAIR[1] * SCALAR + TABLE[position.mine] / 2048 + Pair(1, 0.125).two


def test_numbers_tuples_tables_and_scalars_of_numpy_may_be_named():
    given = OnPositions(fine)
    assert digest('compiled', evaluate=given) == digest('inplace', evaluate=given)


def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)


def even(number):
    return True if number == 0 else odd(number - 1)


def odd(number):
    return False if number == 0 else even(number - 1)


def test_functions_may_call_themselves():
    given = OnPositions(lambda position: factorial(position.mine & 7) / 5040)
    assert digest('compiled', evaluate=given) == digest('inplace', evaluate=given)


def test_functions_that_call_each_other_are_refused():
    given = OnPositions(lambda position: 0.25 + 0.5 * even(position.mine & 7))
    with pytest.raises(RulesError, match='even and other functions call each other'):
        digest('compiled', evaluate=given)


def test_functions_of_a_module_of_the_user_s_may_be_named(monkeypatch):
    module = types.ModuleType('users_own')
    exec('K = 0.25\ndef value(number):\n    return K if number & 1 else 0.5\n', vars(module))  # noqa: S102 - a module of a user
    monkeypatch.setitem(sys.modules, 'users_own', module)
    monkeypatch.setitem(globals(), 'users_own', module)

    def given(position):
        return users_own.value(position.mine)  # noqa: F821 - set above

    before = digest('compiled', evaluate=OnPositions(given))
    assert before == digest('inplace', evaluate=OnPositions(given))
    module.K = 0.75
    assert before != digest('compiled', evaluate=OnPositions(given))


@pytest.mark.parametrize(
    ('function', 'complaint'),
    [
        (lambda _position: LISTED[0], "'LISTED', which <lambda> refers to, is a list, which can"),
        (lambda _position: NAMED['a'], "'NAMED', which <lambda> refers to, is a dict, which can"),
        (lambda _position: ARRAY[0], "'ARRAY', which <lambda> refers to, is a ndarray, which can"),
        (lambda _position: KEPT.number, "'KEPT', which <lambda> refers to, is a Kept, which can"),
        (lambda _position, given=LISTED: given[0], 'a default of <lambda> is a list, which can'),
    ],
)
def test_what_can_change_is_refused_by_name(function, complaint):
    with pytest.raises(RulesError, match=re.escape(complaint)) as refused:
        digest('compiled', evaluate=OnPositions(function))
    assert '\n' not in str(refused.value)
    assert str(refused.value).endswith('use numbers, texts, tuples or fmcts.bits.Table')


def test_what_can_change_is_refused_in_rules_and_scores(with_rules):
    state = with_rules(menu=lambda position: min(position.left, THREE[0]))(9)
    with pytest.raises(RulesError, match=r"'THREE', which .*<lambda> refers to, is a list"):
        analyse(state, RNG, Search(5), engine='compiled')

    def rule(edge, _parent):
        return edge.value if edge.visits > LISTED[0] else 1.0

    with pytest.raises(RulesError, match=r"'LISTED', which .*rule refers to, is a list"):
        digest('compiled', selection=rule)


THREE = [3]


def test_keys_are_equal_for_equal_content():
    def made(number):
        return lambda position: position.mine + number

    def by_default(number):
        return lambda position, number=number: position.mine + number

    assert key_of(made(1)) == key_of(made(1)) != key_of(made(2))
    assert key_of(by_default(1)) == key_of(by_default(1)) != key_of(by_default(2))
    assert key_of(made(1)) != key_of(made(1.0)) != key_of(made(Colour.RED))
    assert key_of(made(0.0)) != key_of(made(-0.0))
    assert key_of(made(Colour.RED)) == key_of(made(Colour.RED))
    assert key_of(made(Table([1]))) == key_of(made(Table([1]))) != key_of(made(Table([2])))
    assert key_of(made((1, (2,)))) != key_of(made((1, 2)))
    assert key_of(made(np.int64(1))) != key_of(made(np.int32(1)))


def traced_rule(factor):
    return rule_with(lambda: factor)


def branching_rule(factor):
    return lambda edge, parent: edge.value if edge.visits > 9.0 else factor * parent.log_visits


@pytest.mark.parametrize('rule', [traced_rule, branching_rule])
def test_equal_searches_made_anew_are_linked_once(monkeypatch, rule):
    """A number in a rule is part of its code."""
    monkeypatch.setattr(codes, '_codes', {})  # other tests have the rule too
    for factor in (0.375, 0.375, 0.625, 0.375):
        digest('compiled', selection=rule(factor))
    assert len([loop for _, loop, *_ in codes._codes if loop == 'search']) == 2  # not of digests


NUMBERS = {'factor': 0.375}  # from which a formula takes a number without naming it


@frozen
class Looking(Method):
    """A method that takes its number from a dict."""

    def score(self, edge, parent):
        return edge.value + NUMBERS['factor'] * parent.log_visits / edge.visits


@pytest.mark.parametrize(
    'selection', [rule_with(lambda: NUMBERS['factor']), Looking()], ids=['dict', 'method']
)
def test_formulas_follow_changed_constants(monkeypatch, selection):
    before = digest('compiled', selection=selection)
    assert before == digest('inplace', selection=selection)
    monkeypatch.setitem(NUMBERS, 'factor', 0.625)
    after = digest('compiled', selection=selection)
    assert before != after == digest('inplace', selection=selection)
