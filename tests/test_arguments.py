"""How messages quote arguments, and invalid counts."""

import math
import random
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from fmcts import (
    Search,
    SplitMix,
    StdGen,
    analyse,
    analyse_for,
    checked_play,
    monte_carlo,
    play_game,
    playout,
    prepare,
    probabilities,
    random_bot,
    rng as rngs,
    trees,
)
from fmcts._arguments import cut, is_number, shown, whole_number
from fmcts._running.registry import check_engine
from fmcts._validators import (
    as_count,
    as_float,
    did_you_mean,
    finite,
    one_of,
    positive_count,
    share,
)
from fmcts.bots._spec import parse_bot
from fmcts.games import find_game, tictactoe
from fmcts.history import history
from fmcts.matches import match
from fmcts.record import play_seats
from fmcts.solve import expectation, solve
from fmcts.state import State
from fmcts.testing import check_bot

LONG = '?' * 5000


class Unwritable:
    def __repr__(self):
        raise RuntimeError

    def __hash__(self):
        return 0


def test_text_is_quoted_on_one_line_and_truncated():
    assert shown('a\nb') == r"'a\nb'"
    assert shown('x' * 40) == repr('x' * 40)
    assert shown('x' * 41) == repr('x' * 40 + '...')
    assert cut('  one\n\n two ', 5) == 'one t...'
    assert cut('one t', 5) == 'one t'


@pytest.mark.parametrize('value', [10**5000, [10**5000], Unwritable()], ids=type)
def test_unprintable_values_are_named_by_type(value):
    assert shown(value) == f'a value of type {type(value).__name__}'


@pytest.mark.parametrize('value', [0, -1, 1.0, True, None, '3', float('nan')])
def test_a_count_must_be_a_whole_number(value):
    with pytest.raises(ValueError, match='visits must be a whole number of at least 1, not ') as e:
        whole_number('visits', value)
    assert str(e.value).endswith(shown(value))


def test_the_least_count_can_be_chosen():
    assert whole_number('times', 0, least=0) == 0
    with pytest.raises(ValueError, match='times must be a whole number of at least 2, not 1'):
        whole_number('times', 1, least=2)


def complaint(act):
    try:
        result = act()
    except (TypeError, ValueError) as error:
        return str(error)
    return str(result.failure())


# Every place that quotes what it was given.
ECHOES = {
    'a whole number': lambda: Search(LONG),
    'a number': lambda: Search(c=LONG),
    'a negative number': lambda: Search(-(10**4999)),
    'a number beyond writing': lambda: Search(-(10**5000)),
    'a word': lambda: Search(expansion=LONG),
    'no word': lambda: Search(final=[LONG]),
    'a search': lambda: analyse(tictactoe.start, SplitMix(1, 1), LONG),
    'an engine': lambda: check_engine(LONG),
    'a tree': lambda: analyse(tictactoe.start, SplitMix(1, 1), Search(), tree=LONG),
    'a move': lambda: checked_play(tictactoe.start, LONG),
    'a bot': lambda: parse_bot(LONG),
    'a value of a bot': lambda: parse_bot(f'mcts:expansion={LONG}'),
    'a number of a bot': lambda: parse_bot(f'mcts:{LONG}'),
    'a real number of a bot': lambda: parse_bot(f'mcts:c={LONG}'),
    'an option of a bot': lambda: parse_bot(f'mcts:{LONG}=3'),
    'an option without value': lambda: parse_bot(f'mcts:5,{LONG}'),
    'a generator': lambda: rngs.parse(LONG),
    'the numbers of a generator': lambda: rngs.parse('splitmix:' + '9' * 5000),
    'a generator to write': lambda: rngs.format(LONG),
    'a seed': lambda: SplitMix.from_seed(LONG),
    'a large seed': lambda: SplitMix.from_seed(10**5000),
    'a state': lambda: SplitMix(10**4000, 1),
    'a gamma': lambda: StdGen(10**5000, 1),
    'a range': lambda: SplitMix(1, 1).uniform(0, 10**5000),
    'a bound': lambda: StdGen(1, 1).uniform(0, LONG),
    'a count': lambda: SplitMix(1, 1).thaw().draw(LONG),
    'a child': lambda: StdGen(1, 1).child(10**5000),
    'a game': lambda: find_game(LONG),
    'an action': lambda: State.from_value(1).bind(lambda _: LONG).run(1),
}


@pytest.mark.parametrize('place', ECHOES)
def test_long_values_are_truncated_in_messages(place):
    said = complaint(ECHOES[place])
    assert 10 < len(said) < 500
    assert '\n' not in said


STATE = tictactoe.start
RNG = SplitMix.from_seed(1)
NO_GENERATORS = {
    '42': 'not 42 (did you mean SplitMix.from_seed(42)?)',
    'True': 'not True',
    'SplitMix': "not <class 'fmcts.rng._splitmix.SplitMix'>",
    'random': 'not <module',
    'Random': 'not <random.Random object',
}
NO_STATES = {
    'TicTacToe': 'a state is needed, not the class TicTacToe (did you mean TicTacToe()?)',
    'tictactoe': 'a state is needed, not the module tictactoe (did you mean tictactoe.start?)',
    'random': 'a state is needed, not the module random',
    '42': 'a state is needed, not 42, which has no player',
    'AsMethods': 'moves of AsMethods is a method: make it a property (@property)',
}


class AsMethods:
    """A state as most libraries write it."""

    player, over, winner = STATE.player, False, None

    def moves(self):
        return (1, 2)

    def play(self, _move):
        return self


VALUES = {
    '42': 42,
    'True': True,
    'SplitMix': SplitMix,
    'random': random,
    'Random': random.Random(1),  # noqa: S311 - it must be refused
    'TicTacToe': type(STATE),
    'tictactoe': tictactoe,
    'AsMethods': AsMethods(),
}
CALLS = {
    'analyse': lambda state, rng: analyse(state, rng, Search(3)),
    'analyse_for': lambda state, rng: analyse_for(state, rng, seconds=1e-3),
    'trees': lambda state, rng: next(trees(state, rng)),
    'history': lambda state, rng: history(state, rng, Search(3)),
    'play_game': lambda state, rng: play_game(state, random_bot, random_bot, rng),
    'play_seats': lambda state, rng: play_seats(state, [random_bot] * 2, rng),
    'match': lambda state, rng: match(random_bot, random_bot, state, rng=rng, games=2),
}
FOR_STATES = CALLS | {
    'random_bot': random_bot,
    'monte_carlo': monte_carlo(2),
    'playout': playout,
    'probabilities': lambda state, _rng: probabilities(state),
    'solve': lambda state, _rng: solve(state),
    'expectation': lambda state, _rng: expectation(state),
    'check_bot': lambda state, _rng: check_bot(random_bot, state),
    'prepare': lambda state, _rng: prepare(state),
}


@pytest.mark.parametrize('call', [name for name in CALLS if not name.startswith('play')])
@pytest.mark.parametrize('name', NO_GENERATORS)
def test_values_that_are_not_generators_are_named(call, name):
    """In `play_game` it is the affair of the bots, which may draw from anything."""
    with pytest.raises(TypeError) as refused:
        CALLS[call](STATE, VALUES[name])
    said = f'rng must be a generator such as SplitMix.from_seed(1), {NO_GENERATORS[name]}'
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize('call', FOR_STATES.values(), ids=FOR_STATES)
@pytest.mark.parametrize('name', NO_STATES)
def test_values_that_are_not_states_are_named(call, name):
    with pytest.raises(TypeError) as refused:
        call(VALUES[name], RNG)
    assert str(refused.value) == NO_STATES[name]


@pytest.mark.parametrize(
    ('bot', 'said'),
    [
        (7, 'not 7'),
        (None, 'not None'),
        ('mcts:3', "not 'mcts:3' (did you mean parse_bot(...) of it?)"),
        (Search(3), f'not {shown(Search(3))} (did you mean mcts(...) of it?)'),
    ],
)
def test_values_that_are_not_bots_are_named(bot, said):
    needed = 'must be a bot, a function (state, rng) -> (move, rng), '
    for name, call in {
        'first': lambda: match(bot, random_bot, STATE, rng=RNG),
        'second': lambda: play_game(STATE, random_bot, bot, RNG),
        'bot 2': lambda: play_seats(STATE, [random_bot, bot], RNG),
    }.items():
        with pytest.raises(TypeError) as refused:
            call()
        assert str(refused.value) == f'{name} {needed}{said}'


# ---- validators ----


NAME = SimpleNamespace(name='c')
LARGEST = int(1e300)  # as large as the float is, to the last digit


@pytest.mark.parametrize(
    ('value', 'number'),
    [
        *((value, value) for value in (0, -3, 7, LARGEST, -LARGEST)),
        *((LARGEST + 1, math.inf), (10**400, math.inf), (-(10**400), -math.inf)),
    ],
)
def test_integers_become_floats(value, number):
    assert as_float(value) == number
    assert isinstance(as_float(value), float)


@pytest.mark.parametrize('value', [True, False, '1', None, 0.5])
def test_other_values_are_left_to_the_validator(value):
    assert as_float(value) is value


@pytest.mark.parametrize(
    ('validate', 'most', 'beyond', 'accepted'),
    [
        (finite, 1e300, math.inf, 'a finite number of at least 0'),
        (share, 1.0, 1.0000000000000002, 'a number from 0 to 1'),
    ],
)
def test_numbers_of_a_range(validate, most, beyond, accepted):
    for value in (0.0, -0.0, 5e-324, 0.5, 1.0, most):
        validate(None, NAME, value)
    for value in (-5e-324, -1.0, beyond, -math.inf, math.nan, 1, '1', None):
        with pytest.raises(ValueError, match=f'^c must be {accepted}, not {value!r}$'):
            validate(None, NAME, value)


@pytest.mark.parametrize('value', [Fraction(1, 2), Decimal('0.5'), np.float32(0.5), np.array(0.5)])
def test_float_decides_what_a_number_is(value):
    assert (as_float(value), type(as_float(value))) == (0.5, float)
    assert is_number(value)


@pytest.mark.parametrize('value', [3, np.int8(3), np.uint64(3), np.array(3)])
def test_index_decides_what_a_whole_number_is(value):
    assert (as_count(value), type(as_count(value))) == (3, int)
    assert (as_float(value), type(as_float(value))) == (3.0, float)
    assert whole_number('it', value) == 3


def test_numbers_near_infinity_are_refused():
    with pytest.raises(ValueError, match=r'^c must be at most 1e\+300, not 1\.0*2e\+300$'):
        finite(None, NAME, math.nextafter(1e300, math.inf))


def test_a_count_is_at_least_1():
    positive_count(None, NAME, 1)
    with pytest.raises(ValueError, match=r'^c must be a whole number of at least 1, not 0$'):
        positive_count(None, NAME, 0)


def test_words_are_accepted_or_listed():
    validate = one_of('robust', 'max')
    validate(None, NAME, 'robust')
    with pytest.raises(ValueError, match=r"^c must be one of robust, max, not 'ucb'$"):
        validate(None, NAME, 'ucb')
    with pytest.raises(ValueError, match=r"not 'robus' \(did you mean robust\?\)$"):
        validate(None, NAME, 'robus')
    with pytest.raises(ValueError, match=r'^c must be one of robust, max, not 3$'):
        validate(None, NAME, 3)
    assert did_you_mean('robus', ('robust', 'max')) == ' (did you mean robust?)'
    assert did_you_mean('robus', ()) == did_you_mean(3, ('robust',)) == ''
