"""Strategies reach the cases that they are made for, within their bounds, and shrink."""

import ast
import importlib.metadata
import random
import re
from collections import Counter
from types import SimpleNamespace
from typing import get_args

import pytest
from attrs import frozen
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st
from hypothesis.stateful import run_state_machine_as_test
from returns.pipeline import is_successful

from fmcts import FinishedGameError, SplitMix, StdGen
from fmcts._declared import register
from fmcts._expressions import Expression, trace
from fmcts.game import MAX_PLIES, illegal, options_of
from fmcts.games import connect4, find_game, tictactoe
from fmcts.rng._stdgen import MODULUS1, MODULUS2
from fmcts.search._description import Expansion, FinalChoice
from fmcts.testing import (
    Drawn,
    Formula,
    Graph,
    _strategies as strategies,
    check_game,
    formulas,
    game_machine,
    games,
    lines,
    positions,
    words,
)
from fmcts.testing._grammar import COMPARISONS, FIELDS, KINDS, LEAVES, drawn_formula
from tiers import usually
from toy_games import Corridor, play_line


def drawn(strategy, number=120):
    """So many values, the same ones every time."""
    values = []

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=number,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def draw(value):
        values.append(value)

    draw()
    return values


WORD = 2**64 - 1
# Whatever the profile, since what is found is to be the smallest.
CERTAIN = settings(derandomize=True, database=None, max_examples=3000, phases=tuple(Phase))

EDGES = [0, 1, 2, 3, 2**31, 2**32 - 1, 2**62, 2**63 - 1, 2**63, WORD - 1, WORD]


@pytest.mark.parametrize('edge', usually(EDGES[::2], [*EDGES, WORD ^ 2**40, WORD ^ (2**40 - 1)]))
def test_words_reach_the_edges(edge):
    assert find(words(), lambda word: word == edge, settings=CERTAIN) == edge


def test_words_shrink_to_small_ones():
    assert find(words(), lambda word: word > 1000, settings=CERTAIN) == 1001


def share(values, condition):
    return sum(map(condition, values)) / len(values)


def test_every_bit_of_a_word_is_often_set_and_often_clear():
    values = drawn(words(), 1000)
    assert all(0 <= word <= WORD for word in values)
    for bit in range(64):
        assert 0.15 < share(values, lambda word, bit=bit: word >> bit & 1) < 0.85


def test_lines_have_all_lengths_and_shrink():
    values = drawn(lines(tictactoe.start), 300)
    assert {len(line) for line in values} == set(range(10))
    assert find(lines(connect4.start), lambda line: 5 in line, settings=CERTAIN) == (5,)


def test_drawn_games_have_the_unusual_features():
    values = [Positions.of(game) for game in drawn(games(), 150)]
    for has in ('twice', 'wins of X', 'wins of O', 'draws', 'met again', 'short and long'):
        assert share(values, lambda found, has=has: has in found.kinds) > 0.1
    assert max(found.count for found in values) <= 16


class Positions:
    """What comes up in a game, by looking at all its positions."""

    @classmethod
    def of(cls, game):
        found = cls()
        found.count, found.kinds = len(game.graph.after), set()
        met, left, ends = {}, [(game, 0)], set()
        while left:
            state, plies = left.pop()
            if state in met:
                found.kinds.add('met again')
                continue
            met[state] = plies
            if state.over:
                ends.add(plies)
                winner = state.winner
                found.kinds.add(f'wins of {winner}' if winner else 'draws')
            for move in state.moves:
                after = state.play(move)
                if after.player is state.player:
                    found.kinds.add('twice')
                left.append((after, plies + 1))
        if len(ends) > 1:
            found.kinds.add('short and long')
        return found


def test_the_entry_point_is_register():
    (entry,) = importlib.metadata.entry_points(group='hypothesis', name='fmcts')
    assert entry.load() is register


START = tictactoe.start


# Words and generators.


def test_generators_are_of_both_kinds_in_any_state():
    values = drawn(strategies.generators(), 1000)
    kinds = Counter(map(type, values))
    assert min(kinds[SplitMix], kinds[StdGen]) > 30
    seeded = {SplitMix.from_seed(end).gamma for end in strategies.ENDS}
    gammas = {rng.gamma for rng in values if type(rng) is SplitMix}
    assert gammas & seeded
    assert {1, 2**64 - 1} <= gammas
    assert all(gamma % 2 for gamma in gammas)
    assert {type(rng) for rng in drawn(strategies.splitmixes(), 20)} == {SplitMix}


def test_states_of_a_stdgen_are_any_and_often_extreme():
    values = drawn(strategies.stdgens(), 150)
    for name, modulus in (('s1', MODULUS1), ('s2', MODULUS2)):
        states = Counter(getattr(rng, name) for rng in values)
        assert all(states[end] >= 3 for end in (1, 2, modulus - 2, modulus - 1))
        assert len(states) > 30


# Positions and lines.


def stones(state):
    return (state.x | state.o).bit_count()


def test_positions_are_of_all_stages_and_often_terminal():
    values = drawn(strategies.positions(START))
    assert {stones(state) for state in values} == {*range(10)}
    assert 0.2 < sum(state.over for state in values) / len(values) < 0.6
    assert len({*values}) > 30


def test_running_positions_are_not_over():
    values = drawn(strategies.positions(START, running=True))
    assert not any(state.over for state in values)
    assert {stones(state) for state in values} == {*range(9)}
    near_the_end = tictactoe.parse('XXOOOXX..').unwrap()
    assert not any(
        state.over for state in drawn(strategies.positions(near_the_end, running=True), 40)
    )
    before_the_end = tictactoe.parse('XXOOOXXO.').unwrap()
    assert {*drawn(strategies.positions(before_the_end, running=True), 10)} == {before_the_end}
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='its game is over'):
        drawn(strategies.positions(over, running=True), 1)


def test_positions_are_limited_to_max_plies():
    for running in (False, True):
        values = drawn(strategies.positions(START, max_plies=3, running=running), 80)
        assert {stones(state) for state in values} == {0, 1, 2, 3}


def test_long_games_are_played_for_five_hundred_plies_and_lines_for_two_hundred(monkeypatch):
    assert min(state.left for state in drawn(strategies.positions(Corridor(600)), 20)) == 100
    monkeypatch.setattr(strategies, 'GOING_ON', st.just(1))
    assert {len(line) for line in drawn(strategies.lines(Corridor(300)), 3)} == {200}


def test_lines_are_limited_to_max_plies():
    values = drawn(strategies.lines(START, max_plies=2), 80)
    assert {len(line) for line in values} == {0, 1, 2}


# Games.


def test_the_positions_of_a_game_are_limited():
    values = drawn(strategies.games(max_positions=3), 60)
    assert {len(game.graph.after) for game in values} == {2, 3}
    assert {game.at for game in values} == {0}
    assert type(values[0]) is Drawn
    assert type(values[0].graph) is Graph


# Searches.


def of(name, values):
    return {getattr(search, name) for search in values}


def test_searches_have_every_value_of_every_option():
    values = drawn(strategies.searches(), 200)
    iterations = of('iterations', values)
    assert 1 <= min(iterations) < 4
    assert 110 < max(iterations) <= 120
    constants = of('c', values)
    assert None in constants
    assert 0.0 <= min(constants - {None}) < 0.1
    assert 3.5 < max(constants - {None}) <= 4.0
    assert of('expansion', values) == {None, *get_args(Expansion)} - {'selected'}
    assert of('final', values) == {*get_args(FinalChoice)} - {'robust-of-all'}
    nodes = of('max_nodes', values)
    assert None in nodes
    assert 60 <= min(nodes - {None}) < 80
    assert 480 < max(nodes - {None}) <= 500
    plies = of('max_plies', values)
    assert MAX_PLIES in plies
    assert 130 <= min(plies) < 2_000
    assert 2**40 < max(plies) < 2**64
    assert of('selection', values) == {'ucb1'}
    for name in ('solver', 'closing', 'rollout_expand'):
        assert of(name, values) == {False}
    assert of('transpositions', values) == {None}


FORMULA = Formula('edge.value + 0.5')


@pytest.mark.parametrize(
    ('given', 'expected'),
    [
        ({'max_iterations': 2}, {'iterations': {1, 2}}),
        ({'selection': 'puct'}, {'selection': {'puct'}, 'expansion': {None, *get_args(Expansion)}}),
        ({'selection': FORMULA}, {'selection': {FORMULA}, 'c': {None}}),
        ({'solver': True}, {'solver': {True}}),
        ({'closing': True}, {'closing': {True}}),
        ({'rollout_expand': True}, {'rollout_expand': {True}}),
        (
            {'transpositions': 'sound'},
            {
                'transpositions': {'sound'},
                'expansion': {None, 'in-order', 'random', 'full', 'jump'},
            },
        ),
    ],
)
def test_given_options_are_fixed(given, expected):
    values = drawn(strategies.searches(**given), 60)
    assert {name: of(name, values) for name in expected} == expected


# Formulas.


SIGNS = [f' {sign} ' for sign in ('+', '-', '*', '/', '&', '|', *COMPARISONS)]


WORDS_OF_FORMULAS = [*LEAVES, *SIGNS, *(f'{name}(' for name in KINDS[6:])]


@pytest.mark.parametrize('word', usually(WORDS_OF_FORMULAS[::4], WORDS_OF_FORMULAS))
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


# ---- games with dice ----


@pytest.mark.parametrize('name', ['pig:20', 'bearoff'])
def test_positions_and_lines_go_through_the_whole_game(name):
    """All that was drawn before were one or two positions, and never an end."""
    begin = find_game(name).unwrap().start
    found = drawn(positions(begin), 120)
    assert len(set(found)) > 40
    assert 10 < sum(state.over for state in found) < 60
    assert sum(not state.over and state != begin for state in found) > 40
    assert not any(state.over for state in drawn(positions(begin, running=True), 30))
    played = drawn(lines(begin), 60)
    assert max(map(len, played)) > 8
    assert all(play_line(begin, line) for line in played)


@frozen
class Throws:
    """Throw a die three times, or less often."""

    done: tuple = ()
    asked: bool = False
    players = ('thrower',)
    player = 'thrower'
    over = property(lambda self: len(self.done) == 3 or 'stop' in self.done)
    moves = property(lambda self: () if self.over or self.asked else ('throw', 'stop'))
    chances = property(lambda self: tuple((face, 1) for face in range(1, 7) if self.asked))
    rewards = property(lambda self: (0.5,) if self.over else ())

    def play(self, move):
        if move not in options_of(self):
            raise illegal(self, move)
        if move == 'throw':
            return Throws(self.done, asked=True)
        return Throws((*self.done, move))


def test_failures_shrink_to_the_simplest_throws():
    begin = Throws()
    assert is_successful(check_game(begin, positions=20, games=1))
    one = find(positions(begin), lambda state: 6 in state.done, settings=CERTAIN)
    assert one.done == (6,)
    three = find(positions(begin), lambda state: {4, 5, 6} & set(state.done[2:]), settings=CERTAIN)
    assert three.done == (1, 1, 4)
    assert find(lines(begin), lambda line: 5 in line, settings=CERTAIN) == ('throw', 5)


def test_a_machine_reports_an_end_that_pays_another_time_differently():
    numbers = iter(range(1000))

    class Drifting(Throws):
        rewards = property(lambda self: (next(numbers) / 1000,) if self.over else ())

        def play(self, move):
            return Drifting((*self.done, move)) if self.asked else Drifting(self.done, asked=True)

    quick = settings(CERTAIN, max_examples=20, stateful_step_count=12, phases=[Phase.generate])
    with pytest.raises(AssertionError, match='the moves played anew give: rewards '):
        run_state_machine_as_test(game_machine(Drifting()), settings=quick)
