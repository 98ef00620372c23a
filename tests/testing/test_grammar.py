"""Formulas: values that print as what they are, and a strategy that reaches the whole language."""

import ast
import pickle
import random
import re

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.formulas import sqrt, where
from fmcts.games import tictactoe
from fmcts.search.errors import MethodError
from fmcts.search.methods import Rule
from fmcts.testing import Formula, formulas
from fmcts.testing.grammar import COMPARISONS, KINDS, LEAVES, drawn_formula

CERTAIN = settings(derandomize=True, database=None, max_examples=3000)
TEXT = 'where(edge.visits > 3, -0.25, edge.value) + sqrt(parent.log_visits / edge.visits)'


def by_hand(edge, parent):
    return where(edge.visits > 3, -0.25, edge.value) + sqrt(parent.log_visits / edge.visits)


def test_a_formula_is_the_search_of_the_function_it_stands_for():
    searched = [
        analyse(tictactoe.start, SplitMix.from_seed(4), Search(200, selection=rule))
        for rule in (Formula(TEXT), by_hand)
    ]
    assert searched[0] == searched[1]


def test_a_formula_is_a_value():
    one, same, other = Formula(TEXT), Formula(TEXT), Formula('edge.value')
    assert one == same != other
    assert len({one, same, other}) == 2
    assert repr(one) == f'Formula({TEXT!r})'
    assert eval(repr(one)) == one  # noqa: S307 - our own text
    again = pickle.loads(pickle.dumps(Search(selection=one)))  # noqa: S301 - our own bytes
    assert again == Search(selection=same)
    assert again.method.function is one.function  # so that it is compiled once
    assert isinstance(one, Rule)


def test_the_parts_of_a_formula():
    formula = Formula('where((edge.visits > 3) & (edge.value < 0.5), -0.25, sqrt(parent.value))')
    texts = [part.text for part in formula.parts]
    assert texts == [
        'sqrt(parent.value)',
        'parent.value',
        'edge.visits',
        'edge.value',
        '-0.25',
        '0.25',
        '0.5',
        '3',
    ]
    assert [*Formula('edge.value').parts] == []


@pytest.mark.parametrize(
    ('text', 'named'),
    [
        ('edge.depth', 'edge.depth'),
        ('parent.reward', 'parent.reward'),
        ('edge', 'edge'),
        ('edge.value + print(1)', 'print(1)'),
        ('__import__("os").getcwd()', "__import__('os').getcwd()"),
        ('edge.value ** 2', 'edge.value ** 2'),
        ('edge.value // 2', 'edge.value // 2'),
        ('not edge.value', 'not edge.value'),
        ('~1', '~1'),
        ('+1', '+1'),
        ('sqrt(1, 2)', 'sqrt(1, 2)'),
        ('minimum(1)', 'minimum(1)'),
        ('minimum(1, two=2)', 'minimum(1, two=2)'),
        ('where(edge.value, 1, 2)', 'edge.value'),
        ('where(1 < 2 < 3, 1, 2)', '1 < 2 < 3'),
        ('where(1 in 2, 1, 2)', '1 in 2'),
        ('where((1 < 2) ^ (2 < 3), 1, 2)', '(1 < 2) ^ (2 < 3)'),
        ('1 < 2', '1 < 2'),
        ('True', 'True'),
        ('1j', '1j'),
        ('"text"', "'text'"),
        ('1 if 2 < 3 else 4', '1 if 2 < 3 else 4'),
        ('(one := 1)', '(one := 1)'),
    ],
)
def test_what_is_not_in_the_language_is_named(text, named):
    with pytest.raises(ValueError, match='is no formula: it is made of numbers, edge') as caught:
        Formula(text)
    assert str(caught.value).startswith(repr(named))


@pytest.mark.parametrize('text', ['', '1 +', '1\n2', 'a = 1', '\0', '(' * 500, 7, None, b'1.0'])
def test_what_is_no_expression_is_quoted_on_one_line(text):
    with pytest.raises(ValueError, match='is no formula: it is made of numbers, edge') as caught:
        Formula(text)
    assert len(str(caught.value).splitlines()) == 1


def test_an_error_of_a_search_names_the_formula():
    search = Search(30, selection=Formula('edge.value * (0.0 / 0.0)'))
    message = re.escape('the selection rule edge.value * (0.0 / 0.0) gives a score that is not a n')
    with pytest.raises(MethodError, match=message):
        analyse(tictactoe.start, SplitMix.from_seed(1), search)


SIGNS = [f' {sign} ' for sign in ('+', '-', '*', '/', '&', '|', *COMPARISONS)]


@pytest.mark.parametrize('word', [*LEAVES, *SIGNS, *(f'{name}(' for name in KINDS[6:])])
def test_the_strategy_reaches_every_word_and_shrinks(word):
    formula = find(formulas(), lambda it: word in it.text, settings=CERTAIN)
    assert numbers_of(formula) <= (
        6 if word in {' & ', ' | '} else 4 if 'where' in formula.text else 2
    )


def numbers_of(formula):
    tree = ast.parse(formula.text, mode='eval')
    return sum(isinstance(node, ast.Constant | ast.Attribute) for node in ast.walk(tree))


@given(st.integers(1, 30), st.integers(0, 999))
def test_a_drawn_formula_is_no_larger_than_asked_for(size, seed):
    drawn = drawn_formula(random.Random(seed).choice, size)  # noqa: S311 - no secrets here
    assert 1 <= numbers_of(drawn) <= size
    assert Formula(drawn.text) == drawn


@given(formulas(size=4))
def test_the_strategy_keeps_to_its_size(formula):
    assert numbers_of(formula) <= 4


def test_a_failing_example_prints_as_it_is_to_be_written(capsys):
    @settings(CERTAIN, print_blob=False, report_multiple_bugs=False)
    @given(rule=formulas())
    def fails(rule):
        assert 'sqrt' not in rule.text

    with pytest.raises(AssertionError) as caught:
        fails()
    shown = ' '.join([*getattr(caught.value, '__notes__', ()), capsys.readouterr().out])
    assert re.search(r"rule=Formula\((?:text=)?'sqrt\([a-z.]+\)'\)", shown), shown
