"""One bot at one position: how often it is called, and what is recorded."""

import dataclasses
import random
from itertools import count
from types import SimpleNamespace

import pytest
from attrs import field, frozen

from fmcts import EngineError, SplitMix
from fmcts._running.registry import ENGINES
from fmcts.games import tictactoe
from fmcts.testing._laws.bots import NOT_ASKED, BotCase, First, pair_of
from fmcts.testing._laws.law import Raised

RNG = SplitMix.from_seed(1)
STATE = tictactoe.start
OTHER, THIRD = STATE.play(8), STATE.play(7)


@pytest.mark.parametrize(
    ('answer', 'is_pair'),
    [((1, 2), True), ((1,), False), ((1, 2, 3), False), ([1, 2], False), (7, False)],
)
def test_a_pair_is_a_tuple_of_two(answer, is_pair):
    assert pair_of(answer) == (answer if is_pair else None)


@pytest.fixture
def asked():
    """The positions and generators that the bot was asked with."""
    return []


@pytest.fixture
def bot(asked):
    """It plays the first move, and says how often it was asked before."""

    def numbered(state, rng):
        asked.append((state, rng))
        return state.moves[0], len(asked)

    return numbered


# At once.


def test_a_bot_is_called_twice_at_first(bot, asked):
    case = BotCase(bot, STATE, RNG)
    assert asked == []
    assert case.first == First((0, 1), (0, 2), None, None)
    assert (case.answer, case.pair) == ((0, 1), (0, 1))
    assert asked == [(STATE, RNG)] * 2
    assert (case.elsewhere, NOT_ASKED) == (NOT_ASKED, Raised('it was not asked'))


def test_cases_compare_by_identity(bot):
    assert BotCase(bot, STATE, RNG) != BotCase(bot, STATE, RNG)


def test_a_known_answer_is_not_asked_again(bot, asked):
    known = First((3, 7), (3, 7), 'the state', 'a generator')
    assert BotCase(bot, STATE, RNG, known=known).first is known
    assert asked == []


def test_an_error_of_a_bot_is_its_answer():
    case = BotCase(lambda *_: 1 // 0, STATE, RNG)
    assert (
        case.answer
        == case.first.again
        == Raised('raised ZeroDivisionError: integer division or modulo by zero')
    )
    assert case.pair is None


@frozen
class Board:
    """A position that holds a list."""

    cells: list = field(factory=lambda: [1])


@pytest.mark.parametrize('which', ['state', 'generator'])
def test_changes_by_the_first_call_are_reported(which):
    state, rng = Board(), Board()

    def writes(one, two):
        (one if which == 'state' else two).cells.append(2)

    changed = BotCase(writes, state, rng).first.changed
    assert changed.startswith(f'the {which}')
    assert BotCase(lambda *_: None, state, rng).first.changed is None


def test_changes_by_the_second_call_are_not_attributed_to_the_first():
    calls = []

    def writes(state, _rng):
        calls.append(0)
        if len(calls) == 2:
            state.cells.append(2)
            random.seed(7)

    kept = random.getstate()
    assert BotCase(writes, Board(), RNG).first[2:] == (None, None)
    random.setstate(kept)


def test_draws_from_global_generators_are_reported():
    kept = random.getstate()
    drawn = BotCase(lambda *_: random.seed(7), STATE, RNG).first.drawn
    random.setstate(kept)
    assert drawn == "the global generator of Python's module random was drawn from or seeded"


# Later.


def test_the_later_call_comes_after_other_positions(bot, asked):
    case = BotCase(bot, STATE, RNG, before=(OTHER, THIRD))
    assert case.later == case.later == (0, 3)
    assert asked == [(OTHER, RNG), (THIRD, RNG), (STATE, RNG)]


def test_two_plies_later_the_bot_is_called_twice(bot, asked):
    """After other positions, and after this one."""
    case = BotCase(bot, STATE, RNG, before=(OTHER,))
    cold, warm, line = case.played_on
    assert line == (0, 1)
    further = STATE.play(0).play(1)
    assert asked == [(state, RNG) for state in (STATE, STATE, OTHER, further, STATE, further)]
    assert (cold, warm) == ((2, 4), (2, 6))
    assert case.played_on is case.played_on


@pytest.mark.parametrize(
    ('board', 'place'), [('XX.OO....', 0), ('.OO.X...X', -1)], ids=['by its move', 'by the reply']
)
def test_finished_games_are_not_played_on(board, place, asked):
    def bot(state, rng):
        asked.append(state)
        return state.moves[place], rng

    state = tictactoe.parse(board).unwrap()
    assert BotCase(bot, state, RNG).played_on is None
    assert asked == [state, state]


def test_invalid_answers_are_not_played_on():
    assert BotCase(lambda *_: 7, STATE, RNG).played_on is None


# Generators.


def test_the_bot_receives_a_recording_generator():
    def draws(state, rng):
        index, after = rng.uniform(0, 3)
        return state.moves[index], after

    case = BotCase(draws, STATE, RNG)
    given, (move, after) = case.recording
    index, expected = RNG.uniform(0, 3)
    assert (move, after.inner) == (index, expected)
    assert given.inner == RNG
    assert given.record.is_used(RNG)
    assert case.recording is case.recording


def test_the_bot_is_asked_with_four_other_generators():
    def some(_state, rng):
        return None if rng == RNG.child(1) else (rng.uniform(0, 8)[0], rng)

    case = BotCase(some, STATE, RNG)
    others = [RNG.child(index) for index in (0, 2, 3)]
    assert [*case.with_others()] == [(other, *some(STATE, other)) for other in others]


# Its own analysis.


def analysing(answer):
    def bot(_state, _rng):
        return 0, RNG

    bot.analyse = answer
    return bot


MOVED = SimpleNamespace(move=5)


@pytest.mark.parametrize(
    ('analyse', 'expected'),
    [
        (lambda *_: (MOVED, 7), (5, 7)),
        (lambda *_: 1 // 0, Raised('its analyse(state, rng) raised ZeroDivisionError: ')),
        (
            lambda *_: MOVED,
            Raised('its analyse(state, rng) does not return a pair (analysis, generator)'),
        ),
        (
            lambda *_: (5, 7),
            Raised('its analyse(state, rng) does not return a pair (analysis, generator)'),
        ),
        (None, Raised('the bot has no analyse')),
    ],
    ids=count(),
)
def test_the_bot_s_own_analysis_is_asked(analyse, expected):
    found = BotCase(analysing(analyse), STATE, RNG).analysis
    if isinstance(expected, Raised):
        assert isinstance(found, Raised)
        assert found.text.startswith(expected.text)
    else:
        assert found == expected


def test_the_analysis_is_of_this_position_and_generator():
    bot = analysing(lambda state, rng: (SimpleNamespace(move=state), rng))
    assert BotCase(bot, STATE, RNG).analysis == (STATE, RNG)


# Engines.


@frozen
class Attrs:
    engine: object = 'inplace'
    refused: object = ()

    def __call__(self, state, rng):
        if self.engine in self.refused:
            raise self.refused[self.engine]
        return self.engine, (state, rng)


@dataclasses.dataclass(frozen=True)
class Data:
    engine: object = 'inplace'

    def __call__(self, state, rng):
        return self.engine, (state, rng)


@pytest.mark.parametrize('kind', [Attrs, Data])
@pytest.mark.parametrize('engine', ['auto', *ENGINES])
def test_a_bot_with_an_engine_is_asked_on_every_other_engine(kind, engine):
    expected = [(name, (name, (STATE, RNG))) for name in ENGINES if name != engine]
    assert [*BotCase(kind(engine), STATE, RNG).by_engine] == expected


@pytest.mark.parametrize('bot', [Attrs('steam'), Attrs(None), lambda *_: (0, RNG)], ids=count())
def test_a_bot_without_an_engine_is_asked_on_no_other(bot):
    assert BotCase(bot, STATE, RNG).by_engine == ()


def test_an_engine_that_refuses_or_raises_is_reported():
    refusal = EngineError('it lacks this')
    refused = {'persistent': refusal, 'monadic': ValueError('no'), 'compiled': SystemExit('no')}
    assert dict(BotCase(Attrs('inplace', refused), STATE, RNG).by_engine) == {
        'persistent': refusal,
        'monadic': Raised('raised ValueError: no'),
        'compiled': Raised('raised SystemExit: no'),
    }


@pytest.mark.parametrize('error', [TypeError, ValueError])
def test_an_engine_that_cannot_be_changed_is_reported(error):
    @frozen
    class Fixed(Attrs):
        def __attrs_post_init__(self):
            if self.engine != 'inplace':
                raise error('it is inplace')

    for name, told in BotCase(Fixed(), STATE, RNG).by_engine:
        assert isinstance(told, EngineError)
        assert str(told) == (
            f'its engine cannot be changed to {name}: it raised {error.__name__}: it is inplace'
        )


def test_a_bot_of_a_plain_class_cannot_be_changed():
    class Plain:
        engine = 'inplace'

    found = BotCase(Plain(), STATE, RNG).by_engine
    assert {type(told) for _, told in found} == {EngineError}
