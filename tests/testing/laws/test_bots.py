"""`check_bot`: positions, laws and reports."""

from itertools import count

import pytest
from attrs import frozen
from returns.result import Failure, Success

from fmcts import EngineError, FinishedGameError, SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws import bots
from fmcts.testing._laws.bots import check_bot
from fmcts.testing._laws.law import Breach, Law
from fmcts.testing._laws.positions import Reached, positions_of
from lines import play_line

RNG = SplitMix.from_seed(1)
STATE = tictactoe.start
NAMES = {law.name: law for law in bots.BOT_LAWS}


def first(state, rng):
    return state.moves[0], rng


def law(found, name='one'):
    return Law(name, f'It is {name}.', found)


def breach(found, line=(), name='one'):
    return Failure(Breach(name, f'It is {name}.', found, line))


@pytest.fixture
def looked(monkeypatch):
    """The laws and cases that are looked at; none is broken, and no other process is asked."""
    noted = []

    def noting(name):
        return law(lambda case: noted.append((name, case)), name)

    monkeypatch.setattr(bots, 'AT_ONCE', (noting('one'), noting('two')))
    monkeypatch.setattr(bots, 'LATER', noting(bots.LATER.name))
    monkeypatch.setattr(bots, 'ELSEWHERE', noting(bots.ELSEWHERE.name))
    monkeypatch.setattr(bots, 'answers_elsewhere', elsewhere(Failure('nobody is asked')))
    return noted


def elsewhere(answers, asked=None):
    def given(function, cases):
        if asked is not None:
            asked.append((function, cases))
        return answers

    return given


def cases_of(looked, name):
    return [case for law_name, case in looked if law_name == name]


def test_the_bot_is_called_at_near_positions_and_in_random_games(looked):
    check_bot(first, STATE, positions=6).unwrap()
    expected = [*positions_of(STATE, RNG.child(0), 6)]
    cases = cases_of(looked, 'one')
    assert [case.state for case in cases] == [one.state for one in expected]
    assert [case.rng for case in cases] == [RNG.child(1 + index) for index in range(6)]
    assert {case.bot for case in cases} == {first}
    assert [name for name, _ in looked[:12]] == ['one'] * 6 + ['two'] * 6
    assert cases_of(looked, 'two') == cases


def test_a_hundred_positions_by_default(looked):
    check_bot(first, STATE).unwrap()
    assert len(cases_of(looked, 'one')) == 100


def test_the_given_generator_is_used(looked):
    rng = SplitMix.from_seed(9)
    check_bot(first, STATE, positions=4, rng=rng).unwrap()
    expected = [*positions_of(STATE, rng.child(0), 4)]
    assert [(case.state, case.rng) for case in cases_of(looked, 'one')] == [
        (one.state, rng.child(1 + index)) for index, one in enumerate(expected)
    ]


def test_a_game_that_cannot_be_played_is_reported():
    class Broken:
        player, winner, over = None, None, False

        def __init__(self, *moves):
            self.moves = moves

        def play(self, _move):
            return Broken()

    told = check_bot(first, Broken(1)).failure()
    assert (told.law, told.expected, told.line) == (bots.GAME.name, bots.GAME.sentence, ())
    assert told.found.startswith('raised GameError: ')


@pytest.mark.parametrize(
    ('given', 'error', 'words'),
    [
        ({'bot': 7}, TypeError, 'bot must be a function (state, rng) -> (move, rng), not 7'),
        ({'positions': 0}, ValueError, 'positions must be a whole number of at least 1, not 0'),
        ({'tries': -1}, ValueError, 'tries must be a whole number of at least 0, not -1'),
    ],
    ids=count(),
)
def test_wrong_arguments_are_refused(given, error, words):
    with pytest.raises(error) as told:
        check_bot(**{'bot': first, 'start': STATE, **given})
    assert str(told.value) == words
    with pytest.raises(FinishedGameError):
        check_bot(first, tictactoe.parse('XXXOO....').unwrap())


def test_the_first_breach_is_reported_with_a_shorter_line(looked, monkeypatch):
    """Of what is found in each position: how many stones there are, from two on."""

    def stones(case):
        number = 9 - len(case.state.moves)
        return f'{number} stones' if number > 1 else None

    monkeypatch.setattr(bots, 'AT_ONCE', (*bots.AT_ONCE[:1], law(stones), bots.AT_ONCE[1]))
    _, far = positions_of(STATE, RNG.child(0), 2)
    assert len(far.line) > 2
    assert check_bot(first, STATE, positions=2) == breach('2 stones', far.line[:2])
    assert [name for name, _ in looked] == ['one', 'one']


@pytest.mark.parametrize(('given', 'tries'), [({}, 2000), ({'tries': 0}, 0), ({'tries': 7}, 7)])
def test_tries_limits_the_positions_for_a_shorter_line(given, tries, monkeypatch):
    """At each the bot is asked with the generator of the breach, then with a child of it."""
    asked = []

    def shorter(start, reached, found, finds, number):
        assert (start, reached, found, number) == (STATE, Reached(STATE), 'at first', tries)
        other = Reached(STATE.play(8), (8,))
        return other, finds(other)

    def found(case):
        asked.append((case.state, case.rng, case.bot))
        return {1: 'at first', 3: 'then'}.get(len(asked))

    monkeypatch.setattr(bots, 'shortened', shorter)
    monkeypatch.setattr(bots, 'AT_ONCE', (law(found),))
    assert check_bot(first, STATE, positions=1, **given) == breach('then', (8,))
    rng = RNG.child(1)
    other = STATE.play(8)
    assert asked == [(STATE, rng, first), (other, rng, first), (other, rng.child(0), first)]


def test_an_error_while_shortening_keeps_the_breach(monkeypatch):
    def fails(*_):
        raise ValueError('no')

    monkeypatch.setattr(bots, 'shortened', fails)
    monkeypatch.setattr(bots, 'AT_ONCE', (law(lambda _: 'found'),))
    assert check_bot(first, STATE, positions=1) == breach('found')


def test_the_later_calls_cover_the_furthest_position_and_its_parent(looked):
    check_bot(first, STATE, positions=8).unwrap()
    reached = sorted(positions_of(STATE, RNG.child(0), 8), key=lambda one: len(one.line))
    assert len({len(one.line) for one in reached}) > 2
    cases = cases_of(looked, bots.LATER.name)
    assert [case.state for case in cases] == [one.state for one in reached]
    at_once = {case.rng: case for case in cases_of(looked, 'one')}
    for one, case in zip(reached, cases, strict=True):
        parent = play_line(STATE, one.line[:-1])
        assert case.before == (reached[-1].state, parent)
        assert case.known is at_once[case.rng].first


@pytest.mark.usefixtures('looked')
def test_a_later_breach_is_reported_with_its_line(monkeypatch):
    def stones(case):
        return 'one stone' if len(case.state.moves) == 8 else None

    monkeypatch.setattr(bots, 'LATER', law(stones, 'late'))
    assert check_bot(first, STATE, positions=4) == breach('one stone', (0,), 'late')


def test_another_process_is_asked_in_reverse_order(looked, monkeypatch):
    asked = []
    monkeypatch.setattr(bots, 'pickled', lambda bot: Success(('pickle of', bot)))
    given = ('c', 'b', 'a')
    monkeypatch.setattr(bots, 'answers_elsewhere', elsewhere(Success(given), asked))
    passed = check_bot(first, STATE, positions=3).unwrap()
    assert dict(passed.cases)[bots.ELSEWHERE.name] == 3
    cases = cases_of(looked, bots.ELSEWHERE.name)
    assert [case.elsewhere for case in cases] == ['a', 'b', 'c']
    assert asked == [
        (Success(('pickle of', first)), [(case.state, case.rng) for case in cases[::-1]])
    ]
    lengths = [9 - len(case.state.moves) for case in cases]
    assert lengths == sorted(lengths)
    at_once = {case.rng: case for case in cases_of(looked, 'one')}
    assert all(case.known is at_once[case.rng].first for case in cases)


def test_a_breach_in_another_process_is_reported_with_its_line(looked, monkeypatch):
    def found(case):
        return None if case.elsewhere == 'right' else f'there {case.elsewhere}'

    monkeypatch.setattr(bots, 'ELSEWHERE', law(found, 'there'))
    answers = Success(('wrong', 'right'))
    monkeypatch.setattr(bots, 'answers_elsewhere', elsewhere(answers))
    told = check_bot(first, STATE, positions=2)
    last = cases_of(looked, bots.LATER.name)[-1].state
    line = max(positions_of(STATE, RNG.child(0), 2), key=lambda one: len(one.line)).line
    assert told == breach('there wrong', line, 'there')
    assert 9 - len(last.moves) == len(line)


# What was looked at, and what was left out.


def counted(bot, positions=3):
    passed = check_bot(bot, STATE, positions=positions).unwrap()
    return {name: number for name, number in passed.cases if number != positions}, passed.left_out


NOBODY = (bots.ELSEWHERE.name, 'nobody is asked')
ENGINES = bots.ENGINES_AGREE.name
ANALYSIS = bots.ANALYSIS.name


@pytest.mark.usefixtures('looked')
def test_all_laws_are_counted():
    passed = check_bot(first, STATE, positions=3).unwrap()
    assert [name for name, _ in passed.cases] == [*NAMES]


@pytest.mark.usefixtures('looked')
def test_a_function_has_no_analysis_and_no_engine():
    assert counted(first) == (
        {ENGINES: 0, ANALYSIS: 0, bots.ELSEWHERE.name: 0},
        (
            (ANALYSIS, 'the bot has no analyse'),
            (ENGINES, 'the bot has no engine to choose'),
            NOBODY,
        ),
    )


@frozen
class Engined:
    """Some engines refuse where there are stones, one always; and so may its analysis."""

    engine: str = 'inplace'

    def __call__(self, state, rng):
        if self.engine == 'monadic' or (self.engine != 'inplace' and len(state.moves) < 9):
            raise EngineError(f'{self.engine} refuses')
        return state.moves[0], rng

    def analyse(self, state, rng):
        if len(state.moves) < 9:
            raise ValueError('no')
        return type('Analysis', (), {'move': 0})(), rng


@pytest.mark.usefixtures('looked')
def test_cases_are_counted_only_where_checked():
    """Of three positions one is empty; each reason is told once."""
    assert len([one for one in positions_of(STATE, RNG.child(0), 3) if not one.line]) == 1
    numbers, left_out = counted(Engined())
    assert numbers == {ENGINES: 1, ANALYSIS: 1, bots.ELSEWHERE.name: 0}
    assert sorted(left_out) == sorted(
        [
            (ANALYSIS, 'its analyse(state, rng) raised ValueError: no'),
            (ENGINES, 'compiled: compiled refuses'),
            (ENGINES, 'monadic: monadic refuses'),
            (ENGINES, 'persistent: persistent refuses'),
            NOBODY,
        ]
    )


@pytest.mark.usefixtures('looked')
def test_a_bot_that_insists_on_splitmix_is_observed_from_outside():
    def particular(state, rng):
        if not isinstance(rng, SplitMix):
            raise TypeError('no SplitMix')
        return state.moves[0], rng

    _, left_out = counted(particular)
    why = (
        'seen from outside, as given a generator that keeps a record it raised TypeError: '
        'no SplitMix'
    )
    assert left_out[:2] == ((bots.HANDED_ON.name, why), (bots.NOT_REUSED.name, why))
