"""The strategy of formulas covers the language, keeps to its size, and shrinks."""

import ast
import random
import re
from types import SimpleNamespace

import pytest
from hypothesis import Phase, find, given, settings, strategies as st

from fmcts._expressions import Expression, trace
from fmcts.testing import Formula, formulas
from fmcts.testing._grammar import COMPARISONS, FIELDS, KINDS, LEAVES, drawn_formula
from tiers import usually

CERTAIN = settings(derandomize=True, database=None, max_examples=3000, phases=tuple(Phase))

SIGNS = [f' {sign} ' for sign in ('+', '-', '*', '/', '&', '|', *COMPARISONS)]


WORDS = [*LEAVES, *SIGNS, *(f'{name}(' for name in KINDS[6:])]


@pytest.mark.parametrize('word', usually(WORDS[::4], WORDS))
def test_the_strategy_reaches_every_word_and_shrinks(word):
    formula = find(formulas(), lambda it: word in it.text, settings=CERTAIN)
    assert numbers_of(formula) <= (
        6 if word in {' & ', ' | '} else 4 if 'where' in formula.text else 2
    )


def numbers_of(formula):
    tree = ast.parse(formula.text, mode='eval')
    return sum(isinstance(node, ast.Constant | ast.Attribute) for node in ast.walk(tree))


@given(st.integers(1, 30), st.integers(0, 999))
def test_a_drawn_formula_has_at_most_the_given_size(size, seed):
    drawn = drawn_formula(random.Random(seed).choice, size)  # noqa: S311 - no secrets here
    assert 1 <= numbers_of(drawn) <= size
    assert Formula(drawn.text) == drawn


@given(formulas(size=4))
def test_the_strategy_has_at_most_the_given_size(formula):
    assert numbers_of(formula) <= 4


@given(formulas())
def test_every_formula_can_be_traced(formula):
    """So that it has machine code, and a page in the explorer."""
    edge, parent = (
        SimpleNamespace(**{name: Expression(f'{whose}.{name}') for name in names})
        for whose, names in FIELDS.items()
    )
    assert trace(formula.function, edge, parent) is not None


def test_a_failing_example_prints_as_code(capsys):
    @settings(CERTAIN, print_blob=False, report_multiple_bugs=False)
    @given(rule=formulas())
    def fails(rule):
        assert 'sqrt' not in rule.text

    with pytest.raises(AssertionError) as caught:
        fails()
    shown = ' '.join([*getattr(caught.value, '__notes__', ()), capsys.readouterr().out])
    assert re.search(r"rule=Formula\((?:text=)?'sqrt\([a-z.]+\)'\)", shown), shown
