"""`game_tests`: one test per law, and their results; without pytest."""

import pytest
from returns.result import Failure, Success

from fmcts.games import tictactoe
from fmcts.testing._laws import games
from fmcts.testing._laws.games import GAME_LAWS, game_tests
from fmcts.testing._laws.law import Breach, Passed

START = tictactoe.start
NAMES = [law.name for law in GAME_LAWS]
LAW = 'play is pure'


def laws_of(test):
    """The laws for which it is a test."""
    (mark,) = test.pytestmark
    assert (mark.name, mark.args[0]) == ('parametrize', 'law')
    return [*mark.args[1]]


@pytest.fixture
def checked(monkeypatch):
    """What is checked, and that a result is given back."""
    asked = []

    def give(result):
        def check_game(start, **told):
            asked.append((start, told))
            return result

        monkeypatch.setattr(games, 'check_game', check_game)
        return asked

    return give


def test_there_is_a_test_for_each_law():
    assert laws_of(game_tests(START)) == NAMES
    own = game_tests(START, invariants={'it': bool})
    assert {*laws_of(own)} == {*NAMES, 'invariant it'}
    some = [name for name in NAMES if name != LAW]
    assert laws_of(game_tests(START, without=iter([LAW]))) == some


def test_each_test_checks_its_law_alone(checked):
    asked = checked(Success(Passed(())))
    test = game_tests(
        START, positions=3, known=iter([((0,), None)]), memos=iter('a'), without=['states differ']
    )
    for _ in range(2):
        assert test(LAW) is None
    others = [name for name in NAMES if name != LAW]
    told = {'positions': 3, 'known': (((0,), None),), 'memos': ('a',), 'without': others}
    assert asked == [(START, told)] * 2
    asked.clear()
    game_tests(START)(LAW)
    assert asked == [(START, {'without': others, 'known': (), 'memos': ()})]


def test_a_breach_fails_with_one_line(checked):
    breach = Breach(LAW, 'It is pure.', 'it is not')
    checked(Failure(breach))
    with pytest.raises(pytest.fail.Exception) as told:
        game_tests(START)(LAW)
    assert str(told.value) == str(breach)
    assert told.value.pytrace is False


def test_an_unchecked_law_is_skipped_with_the_reason(checked):
    checked(Success(Passed((), (('games end', 'too long'), (LAW, 'too hard'), ('other', 'no')))))
    with pytest.raises(pytest.skip.Exception, match=r'^too hard$'):
        game_tests(START)(LAW)
    try:
        game_tests(START)('moves are unique')
    except pytest.skip.Exception:  # else this test would be skipped as well
        pytest.fail('it was skipped for another law')
