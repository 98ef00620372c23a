"""Formulas: values that print as code, the language, and drawing."""

import ast
import pickle
import re

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.formulas import sqrt, where
from fmcts.games import tictactoe
from fmcts.search.methods import Rule
from fmcts.testing import Formula, _grammar as grammar
from fmcts.testing._drawn import Drawn, Graph
from fmcts.testing._grammar import COMPARISONS, KINDS, drawn_formula

TEXT = 'where(edge.visits > 3, -0.25, edge.value) + sqrt(parent.log_visits / edge.visits)'


def by_hand(edge, parent):
    return where(edge.visits > 3, -0.25, edge.value) + sqrt(parent.log_visits / edge.visits)


def test_a_formula_searches_like_its_function():
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


def test_parts_of_a_formula():
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
        ('edge.value + print(1)', 'print(1)'),
        ('__import__("os").getcwd()', "__import__('os').getcwd()"),
        ('edge.value ** 2', 'edge.value ** 2'),
        ('sqrt(1, 2)', 'sqrt(1, 2)'),
        ('where(edge.value, 1, 2)', 'edge.value'),
        ('where(1 < 2 < 3, 1, 2)', '1 < 2 < 3'),
        ('1 < 2', '1 < 2'),
        ('1 if 2 < 3 else 4', '1 if 2 < 3 else 4'),
        ('where(1 < 2, 3, 4, two=2)', 'where(1 < 2, 3, 4, two=2)'),
    ],
)
def test_unknown_syntax_is_named(text, named):
    with pytest.raises(
        ValueError, match='is not allowed in a formula, which consists of numbers, edge'
    ) as caught:
        Formula(text)
    assert str(caught.value).startswith(repr(named))


@pytest.mark.parametrize('text', ['', '1 +', '1\n2', 'a = 1', '\0', '(' * 500, 7, None, b'1.0'])
def test_invalid_expressions_are_quoted_on_one_line(text):
    with pytest.raises(
        ValueError, match='is not allowed in a formula, which consists of numbers, edge'
    ) as caught:
        Formula(text)
    assert len(str(caught.value).splitlines()) == 1


def test_an_error_of_a_search_names_the_formula():
    search = Search(30, selection=Formula('edge.value * (0.0 / 0.0)'))
    message = re.escape('the selection rule edge.value * (0.0 / 0.0) gives a score that is not a n')
    with pytest.raises(MethodError, match=message):
        analyse(tictactoe.start, SplitMix.from_seed(1), search)


@pytest.mark.parametrize(
    'text',
    [
        *(f'where(1 {sign} 2, 3, 4)' for sign in COMPARISONS),
        *(f'1 {sign} 2' for sign in '+-*/'),
        'where((1 < 2) & (2 < 3), 3, 4)',
        'where((1 < 2) | ((2 < 3) & (3 < 4)), 3, 4)',
        'minimum(1, maximum(edge.value, -2.5))',
    ],
)
def test_accepted_formulas(text):
    assert Formula(text).text == text


def test_the_words_of_the_language_are_listed():
    with pytest.raises(ValueError, match='is not allowed in a formula') as told:
        Formula('sine(1)')
    assert str(told.value) == (
        "'sine(1)' is not allowed in a formula, which consists of numbers, "
        f'{", ".join(grammar.NUMBERS)}, + - * /, comparisons with & and |, '
        'sqrt, minimum, maximum and where'
    )


@given(st.integers(1, 24), st.lists(st.sampled_from(KINDS), min_size=1), st.data())
def test_a_drawn_formula_has_at_most_so_many_numbers(size, kinds, data):
    def choose(options):
        return data.draw(st.sampled_from(kinds if options is KINDS else options))

    formula = drawn_formula(choose, size)
    assert Formula(formula.text) == formula
    nodes = [*ast.walk(ast.parse(formula.text))]
    leaves = [it for it in nodes if isinstance(it, ast.Constant | ast.Attribute)]
    of_one = [it for it in nodes if isinstance(it, ast.UnaryOp) or getattr(it, 'id', '') == 'sqrt']
    assert len(leaves) + len(of_one) <= size


# ---- drawn games ----


X, O = Player  # noqa: E741 - the player's name
GRAPH = Graph(((1, 2, 2), (2,), ()), (O, X, O), (X, O, X))
START = Drawn(GRAPH)


def test_a_position_follows_its_graph():
    said = [
        (state.at, state.player, state.moves, state.over, state.winner)
        for state in (START, START.play(0), START.play(1))
    ]
    assert said == [(0, O, (0, 1, 2), False, None), (1, X, (0,), False, None), (2, O, (), True, X)]


def test_positions_are_equal_by_graph_and_number():
    assert START.play(1) == START.play(2) == START.play(0).play(0)
    assert hash(START.play(1)) == hash(START.play(0).play(0))
    assert START.play(0) != START.play(1)
    assert Drawn(evolve(GRAPH, winners=(None,) * 3)) != START
    assert repr(START.play(1)).endswith('at=2)')
    assert repr(GRAPH) in repr(START)
