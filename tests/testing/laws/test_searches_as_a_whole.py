"""`check_search` over all positions, and its report."""

from itertools import count

import pytest
from returns.result import Success

from fmcts import EngineError, Search
from fmcts.games import connect4
from fmcts.testing._laws import searches
from fmcts.testing._laws.positions import positions_of
from fmcts.testing._laws.searches import CONSERVED, OLDER, PREFIX, check_search
from searching import (
    AGREE,
    ALIKE,
    NAMES,
    RNG,
    STATE,
    THERE,
    WORSE,
    breach,
    cases_of,
    check,
    law,
    watched,
)


@pytest.fixture
def looked(monkeypatch):
    """The laws and cases that are looked at; none is broken, and no other process is asked."""
    return watched(monkeypatch)


@pytest.fixture
def answers(monkeypatch):
    """What the other process answers, and what it is asked."""
    asked = []

    def give(*given):
        def answers(function, cases):
            asked.append((function, cases))
            return Success(given)

        monkeypatch.setattr(searches, 'answers_elsewhere', answers)
        monkeypatch.setattr(searches, 'pickled', lambda function: function)
        return asked

    return give


def test_another_process_is_asked_the_same(looked, answers):
    asked = answers('a', 'b', 'c')
    passed = check(positions=3).unwrap()
    assert dict(passed.cases)[THERE] == 3
    assert [case.elsewhere for case in cases_of(looked, THERE)] == ['a', 'b', 'c']
    ((function, given),) = asked
    cases = cases_of(looked)
    assert function.args == cases[0].asking.args == (Search(200), 'inplace')
    assert given == [(case.state, case.rng) for case in cases]


@pytest.mark.usefixtures('looked')
def test_a_breach_in_another_process_is_reported_with_its_line(answers, monkeypatch):
    answers('right', 'wrong', 'wrong')

    def found(case):
        return None if case.elsewhere == 'right' else f'there {len(case.state.moves)}'

    monkeypatch.setattr(searches, 'ELSEWHERE', law(found, 'there'))
    _, one, _ = positions_of(STATE, RNG.child(0), 3)
    assert check(positions=3) == breach(f'there {len(one.state.moves)}', one.line, 'there')


# As a whole.


def mirrored(move):
    return move // 3 * 3 + 2 - move % 3


def test_given_symmetries_are_checked(looked, monkeypatch):
    asked = []

    def favoured(*given):
        asked.append(given)
        return 'favoured' if len(asked) == 2 else None

    monkeypatch.setattr(searches, 'favoured', favoured)
    symmetries = (mirrored, lambda move: 8 - move)
    passed = check(symmetries=iter(symmetries), positions=1, engines=['monadic']).unwrap()
    assert dict(passed.cases)[ALIKE] == 2
    assert passed.left_out[-2:] == (ALWAYS[0], ALWAYS[2])
    two = ['persistent', 'inplace']
    told = check(symmetries=symmetries, positions=1, engines=two).failure()
    assert (told.law, told.expected, told.found) == (ALIKE, searches.SYMMETRIC.sentence, 'favoured')
    assert told.line == ()
    rng = RNG.child(0)
    assert asked == [
        (Search(200), engine, STATE, rng, symmetries) for engine in ('monadic', 'inplace')
    ]
    assert len(looked) == 4


@pytest.mark.usefixtures('looked')
def test_strength_is_judged_in_small_games(monkeypatch):
    asked = []
    monkeypatch.setattr(searches, 'puzzles', lambda *given: given)
    monkeypatch.setattr(
        searches, 'weaker', lambda *given: asked.append(given) or ('worse' if asked[1:] else None)
    )
    passed = check(positions=1, judged=7, engines=['monadic']).unwrap()
    assert dict(passed.cases)[WORSE] == 7
    told = check_search('ucb1', STATE, positions=1, engines=['inplace']).failure()
    assert (told.law, told.expected, told.found) == (WORSE, searches.STRENGTH.sentence, 'worse')
    rng = RNG.child(0)
    assert asked == [
        (Search(200), engine, (STATE, rng.child(0), number), rng.child(1))
        for engine, number in (('monadic', 7), ('inplace', 150))
    ]


@pytest.mark.usefixtures('looked')
def test_large_games_are_not_judged(monkeypatch):
    monkeypatch.setattr(searches, 'is_small', lambda start: start is STATE)
    passed = check_search('ucb1', connect4.start, engines=['inplace'], positions=1).unwrap()
    assert dict(passed.left_out)[WORSE] == 'the game has more than 20,000 positions'
    assert dict(passed.cases)[WORSE] == 0


# What was looked at, and what was left out.

ALWAYS = (
    (THERE, 'nobody is asked'),
    (ALIKE, 'no symmetry was given'),
    (WORSE, 'no position was to be judged'),
)
NO_OTHER = (AGREE, 'there is but one engine to ask')


def counted(search, **given):
    passed = check(search, positions=3, iterations=8, **given).unwrap()
    assert [name for name, _ in passed.cases] == NAMES
    numbers = {name: number for name, number in passed.cases if number != 3}
    assert {numbers.pop(name) for name in (THERE, ALIKE, WORSE)} == {0}
    assert passed.left_out[-3:] == ALWAYS
    return numbers, passed.left_out[:-3]


@pytest.mark.usefixtures('looked')
@pytest.mark.parametrize(
    ('search', 'expected'),
    [
        (Search(), {}),
        (
            Search(schedule='halving'),
            dict.fromkeys(
                (PREFIX.name, OLDER.name),
                'a schedule needs a fixed number of iterations, and cannot be continued',
            ),
        ),
        (Search(transpositions='naive'), {CONSERVED.name: 'the rule naive credits every parent'}),
        (Search(transpositions='sound'), {}),
    ],
    ids=count(),
)
def test_laws_that_cannot_be_checked_are_reported_once(search, expected):
    assert counted(search) == (
        {**dict.fromkeys(expected, 0), AGREE: 0},
        (*expected.items(), NO_OTHER),
    )


@pytest.mark.usefixtures('looked')
def test_engines_are_counted_where_one_answered(monkeypatch):
    """Where the board is empty both refuse; elsewhere one of them does."""

    def found(_search, name, state, _rng):
        if name == 'persistent' or (name == 'monadic' and len(state.moves) == 9):
            return EngineError('no')
        return 'found'

    monkeypatch.setattr('fmcts.testing._laws.searches.found_by_engine', found)
    numbers, left_out = counted('ucb1', engines=['inplace', 'persistent', 'monadic'])
    assert len([one for one in positions_of(STATE, RNG.child(0), 3) if not one.line]) == 1
    assert numbers == {AGREE: 2}
    assert left_out == ((AGREE, 'persistent: no'), (AGREE, 'monadic: no'))
