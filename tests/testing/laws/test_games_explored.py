"""How much `check_game` checks, here and in another process, and its report."""

import pytest
from attrs import evolve, frozen
from returns.result import Failure, Success

from fmcts import SplitMix
from fmcts.testing._laws import games
from fmcts.testing._laws.exploring import Explored, Plan
from fmcts.testing._laws.games import (
    GAME_LAWS,
    check_description,
    check_game,
    description_of,
    first_of,
    second_passed,
)
from fmcts.testing._laws.games_elsewhere import NotLooked, Seconded
from fmcts.testing._laws.law import Breach, Passed
from games_told import BREACH, RNG, SECOND, START, Plain, X, left_out


@pytest.fixture
def explored(monkeypatch):
    """What is explored, and what is said of it: that all was kept, unless it is told otherwise."""
    asked = []

    def explore(fresh_of, laws, plan, watch, *, quick):
        asked.append((fresh_of, [*laws], plan, watch, [*quick]))
        return Explored((('a law', 7),), (BREACH,) if plan.games == 5 else ())

    monkeypatch.setattr(games, 'explore', explore)
    monkeypatch.setattr(games, 'unable', lambda _told: None)
    return asked


def plan(positions=150, number=40, more=1500, **other):
    return Plan(positions, number, 10_000, RNG, 3, more, **other)


def test_the_default_extent_of_the_check(explored):
    assert check_game(START, without=[SECOND]) == Success(
        Passed((('a law', 7),), tuple(left_out(START, SECOND).items()))
    )
    known = [((0, 1), None), ((2,), X)]
    check_game(START, positions=4, games=6, known=known, without=[SECOND], watch=print)
    check_description(description_of(START), without=[SECOND])
    assert [asked[2] for asked in explored] == [
        plan(),
        plan(4, 6, 40, lines=((0, 1), (2,))),
        plan(),
    ]
    assert [asked[3] for asked in explored][1] is print
    told = description_of(START, rng=SplitMix.from_seed(3), max_plies=8)
    check_description(told, without=[SECOND])
    assert explored[-1][2] == evolve(plan(), rng=SplitMix.from_seed(3), max_plies=8)


def test_the_laws_of_moves_are_the_quick_ones(explored, monkeypatch):
    seen = []
    monkeypatch.setattr(games, 'second_passed', lambda *it: (seen.append(it), (it[2], ()))[1])
    assert check_game(START) == Success(seen[0][2])
    told, asked, passed = seen[0]
    (_, laws, given, _, quick) = explored[0]
    out = left_out(START)
    assert laws == [law for law in GAME_LAWS if law.name not in {*out, SECOND}]
    assert quick == [law for law in laws if law in games.QUICK]
    assert len(quick) > 3
    assert (asked, passed) == (given, Passed((('a law', 7),), tuple(out.items())))
    assert told == description_of(START)


@pytest.mark.usefixtures('explored')
def test_a_breach_is_reported():
    assert check_game(START, games=5) == Failure(BREACH)


def test_cases_of_one_walk_share_the_states_met(explored):
    check_game(START, without=[SECOND])
    (fresh_of, *_), fresh = explored[0], first_of(description_of(START))
    assert fresh().met is fresh().met
    assert fresh_of()().met is not fresh_of()().met
    assert fresh().state == START


# Another process.

PASSED = Passed((('a law', 7),), (('another', 'why'),))


@pytest.fixture
def compared(monkeypatch):
    """The cases that another process is asked about, and what it answers."""
    asked = []

    def give(answer):
        def compares(cases):
            asked.append([case.line for case in cases])
            for case in cases:
                assert case.before is None or case.before in cases[: cases.index(case)]
            return answer

        monkeypatch.setattr(games, 'compared', compares)
        return asked

    return give


def second(start, positions, number, max_plies=99):
    given = Plan(positions, number, max_plies, RNG, 3)
    return second_passed(description_of(start, max_plies=max_plies), given, PASSED)


def test_short_lines_and_two_random_games_are_sent(compared):
    """Each line with all before it, the shortest first."""
    asked = compared(Seconded(9, None))
    assert second(START, 3, 5) == (evolve(PASSED, cases=(('a law', 7), (SECOND, 9))), ())
    (lines,) = asked
    assert lines == sorted(lines, key=len)
    rng_lines = []
    for number in range(2):
        state, rng, line = START, RNG.child(number), ()
        while state.moves:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            line = (*line, state.moves[index])
            state = state.play(line[-1])
        rng_lines += [line[:plies] for plies in range(len(line) + 1)]
    assert sorted(lines) == sorted([(), (), (0,), (), (1,), *rng_lines])
    asked.clear()
    second(START, 3, 1)
    second(START, 3, 0)
    assert [lines.count(()) for lines in asked] == [4, 3]


@frozen
class Long(Plain):
    """A game of so many plies."""

    left: int = 99


def test_at_most_sixty_lines_of_sixty_plies_are_sent(compared):
    asked = compared(Seconded(9, None))
    second(Long(), 999, 0)
    second(Long(), 1, 1)
    second(START, 999, 0)
    assert [max(map(len, lines)) for lines in asked] == [59, 59, 2]
    assert [lines.count(()) for lines in asked] == [60, 2, 60]


def test_answers_of_the_process_are_reported(compared):
    compared(NotLooked('no process'))
    left_out = (('another', 'why'), (SECOND, 'no process'))
    assert second(START, 1, 0) == (evolve(PASSED, left_out=left_out), ())
    compared(Seconded(3, BREACH))
    assert second(START, 1, 0) == (PASSED, (BREACH,))


@pytest.mark.usefixtures('explored')
def test_no_other_process_is_asked_if_a_basic_law_is_broken(compared, monkeypatch):
    """What is broken there is told by its place among the laws."""
    other = Breach(SECOND, 'It is the same.', 'no')
    asked = compared(Seconded(3, other))
    assert check_game(START, games=5) == Failure(evolve(BREACH, others=(other,)))
    assert check_game(START, games=4) == Failure(other)
    asked.clear()
    basic = Breach(GAME_LAWS[0].name, 'It is kept.', 'no')
    monkeypatch.setattr(games, 'explore', lambda *_, **__: Explored((), (basic,)))
    assert check_game(START) == Failure(basic)
    assert asked == []
