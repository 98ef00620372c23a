"""What `check_game` is told, which laws it looks at and how much, and what it tells of it."""

from itertools import count

import pytest
from attrs import evolve, frozen
from returns.result import Failure, Success

from fmcts import Player, SplitMix
from fmcts.games import connect4, tictactoe
from fmcts.testing.laws import games
from fmcts.testing.laws.exploring import Explored, Plan
from fmcts.testing.laws.games import (
    GAME_LAWS,
    check_game,
    check_told,
    chosen,
    first_of,
    law_names,
    second_passed,
    told_of,
)
from fmcts.testing.laws.games_elsewhere import NotLooked, Seconded
from fmcts.testing.laws.law import Breach, Passed

X, O = Player  # noqa: E741 - the player's name
RNG = SplitMix.from_seed(1)
START = tictactoe.start
NAMES = [law.name for law in GAME_LAWS]
SECOND = games.SECOND.name
BREACH = Breach('a law', 'It is kept.', 'no')


# What is told.


def test_nothing_is_told_but_the_start():
    told = told_of(START)
    assert (told.start, told.rng, told.max_plies) == (START, RNG, 10_000)
    assert (told.text, told.symmetry, told.known, told.memos) == (None, None, (), frozenset())


def test_all_that_is_told_is_kept():
    told = told_of(
        START,
        rng=SplitMix.from_seed(7),
        max_plies=9,
        text=(str, repr),
        symmetry=(len, abs),
        known=iter([([0, 1], X), ((2,), None)]),
        memos=iter(['one', 'two']),
    )
    assert (told.rng, told.max_plies, told.text) == (SplitMix.from_seed(7), 9, (str, repr))
    assert (told.symmetry, told.known) == ((len, abs), (((0, 1), X), ((2,), None)))
    assert told.memos == {'one', 'two'}


@pytest.mark.parametrize(
    ('given', 'words'),
    [
        ({'start': type(START)}, 'start must be a state, not the class TicTacToe: make one of it'),
        ({'text': (str,)}, "text must be two functions, not (<class 'str'>,)"),
        ({'text': (str, 7)}, "text must be two functions, not (<class 'str'>, 7)"),
        ({'symmetry': (1, 2, 3)}, 'symmetry must be two functions, not (1, 2, 3)'),
        ({'max_plies': 0}, 'max_plies must be a whole number of at least 1, not 0'),
    ],
    ids=count(),
)
def test_wrong_arguments_are_refused(given, words):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is compared
        told_of(**{'start': START, **given})
    assert str(raised.value) == words


@pytest.mark.parametrize(
    ('given', 'words'),
    [
        ({'positions': 0}, 'positions must be a whole number of at least 1, not 0'),
        ({'games': -1}, 'games must be a whole number of at least 0, not -1'),
        (
            {'without': ['none such']},
            f"there is no law 'none such': the laws are {', '.join(NAMES)}",
        ),
    ],
    ids=count(),
)
def test_wrong_numbers_and_names_are_refused(given, words):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is compared
        check_told(told_of(START), **given)
    assert str(raised.value) == words


# Which laws.


@frozen
class Plain:
    """Nothing but the five members."""

    left: int = 3
    player: Player = X

    @property
    def moves(self):
        return (1,) * bool(self.left)

    @property
    def over(self):
        return not self.left

    @property
    def winner(self):
        return None

    def play(self, move):
        return evolve(self, left=self.left - move, player=self.player.other)


NONE_GIVEN = dict.fromkeys(
    (games.TEXT.name, games.SYMMETRY.name, games.KNOWN.name), 'none was given'
)
UNDECLARED = {
    games.KEYS.name: 'Plain declares no key',
    games.PLAYOUT.name: 'Plain declares no playout',
    games.RULES.name: 'Plain declares no rules on integers',
}


def left_out(start, *without, **told):
    """The laws that are left out, and why; all others are looked at, and all in one order."""
    choice = chosen(told_of(start, **told), without)
    names = [law.name for law in choice.laws]
    out = dict(choice.left_out)
    assert names == [name for name in NAMES if name not in out]
    assert [*out] == [name for name in NAMES if name in out]
    return out


@pytest.fixture
def able(monkeypatch):
    """Another process can be asked."""
    monkeypatch.setattr(games, 'unable', lambda _told: None)


@pytest.mark.usefixtures('able')
def test_laws_that_say_nothing_of_a_game_are_left_out():
    assert left_out(connect4.start) == NONE_GIVEN
    assert left_out(Plain()) == {**UNDECLARED, **NONE_GIVEN}
    given = {'text': (str, str), 'symmetry': (str, str), 'known': [((1,), None)]}
    for name, law in (('text', games.TEXT), ('symmetry', games.SYMMETRY), ('known', games.KNOWN)):
        others = {other: why for other, why in NONE_GIVEN.items() if other != law.name}
        assert left_out(connect4.start, **{name: given[name]}) == others


@pytest.mark.usefixtures('able')
def test_what_is_not_wanted_is_left_out():
    why = 'it was not asked for'
    unwanted = [games.PURE.name, games.TEXT.name]
    assert left_out(connect4.start, *unwanted) == {**NONE_GIVEN, **dict.fromkeys(unwanted, why)}


@pytest.mark.usefixtures('able')
def test_states_that_pickles_do_not_find_are_not_pickled():
    class Local(Plain):
        pass

    out = left_out(Local())
    assert out[games.PICKLING.name] == (
        f'{Local.__qualname__} is no name in a module, which pickles need'
    )
    assert set(out) == {games.PICKLING.name, *UNDECLARED, *NONE_GIVEN}


@pytest.mark.usefixtures('able')
def test_no_subclass_is_looked_at_where_none_can_be_made():
    class Final(Plain):
        def __init_subclass__(cls):
            raise TypeError('it is final')

    assert left_out(Final())[games.SUBCLASS.name] == (
        'no subclass of Final can be made: that raised TypeError: it is final'
    )
    assert left_out(Plain(), memos=['seen'])[games.SUBCLASS.name] == (
        'what states remember would be taken over'
    )


def test_why_no_other_process_is_asked_is_told(monkeypatch):
    monkeypatch.setattr(games, 'unable', lambda told: f'not for {told.kind.__name__}')
    assert left_out(Plain())[SECOND] == 'not for Plain'


@pytest.mark.usefixtures('able')
def test_the_names_are_those_of_the_laws_that_are_looked_at():
    out = left_out(connect4.start, games.PURE.name, text=(str, str))
    given = {'text': (str, str), 'positions': 3, 'games': 2, 'watch': print}
    names = law_names(connect4.start, without=[games.PURE.name], **given)
    assert names == tuple(name for name in NAMES if name not in out)


# How much.


@pytest.fixture
def explored(monkeypatch):
    """What is explored, and what is said of it: that all was kept, unless it is told otherwise."""
    asked = []

    def explore(fresh_of, laws, plan, watch, *, quick):
        asked.append((fresh_of, [*laws], plan, watch, [*quick]))
        return Explored((('a law', 7),), BREACH if plan.games == 5 else None)

    monkeypatch.setattr(games, 'explore', explore)
    return asked


def plan(positions=150, number=40, more=1500, **other):
    return Plan(positions, number, 10_000, RNG, 3, more, **other)


@pytest.mark.usefixtures('able')
def test_so_much_is_looked_at_unless_other_numbers_are_given(explored):
    assert check_game(START, without=[SECOND]) == Success(
        Passed((('a law', 7),), tuple(left_out(START, SECOND).items()))
    )
    known = [((0, 1), None), ((2,), X)]
    check_game(START, positions=4, games=6, known=known, without=[SECOND], watch=print)
    check_told(told_of(START), without=[SECOND])
    assert [asked[2] for asked in explored] == [
        plan(),
        plan(4, 6, 40, lines=((0, 1), (2,))),
        plan(),
    ]
    assert [asked[3] for asked in explored][1] is print
    told = told_of(START, rng=SplitMix.from_seed(3), max_plies=8)
    check_told(told, without=[SECOND])
    assert explored[-1][2] == evolve(plan(), rng=SplitMix.from_seed(3), max_plies=8)


@pytest.mark.usefixtures('able')
def test_the_laws_of_moves_are_the_quick_ones(explored, monkeypatch):
    monkeypatch.setattr(games, 'second_passed', lambda *given: given)
    told, asked, passed = check_game(START)
    (_, laws, given, _, quick) = explored[0]
    out = left_out(START)
    assert laws == [law for law in GAME_LAWS if law.name not in {*out, SECOND}]
    assert quick == [law for law in laws if law in games.LAWS_OF_MOVES]
    assert len(quick) > 3
    assert (asked, passed) == (given, Passed((('a law', 7),), tuple(out.items())))
    assert told == told_of(START)


@pytest.mark.usefixtures('able', 'explored')
def test_a_breach_is_told():
    assert check_game(START, games=5) == Failure(BREACH)


def test_cases_that_are_looked_at_together_know_of_each_other(explored):
    check_game(START, without=[SECOND])
    (fresh_of, *_), fresh = explored[0], first_of(told_of(START))
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
    return second_passed(told_of(start, max_plies=max_plies), given, PASSED)


def test_it_is_asked_about_short_lines_and_two_random_games(compared):
    """Each line with all before it, the shortest first."""
    asked = compared(Seconded(9, None))
    assert second(START, 3, 5) == Success(evolve(PASSED, cases=(('a law', 7), (SECOND, 9))))
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


def test_it_is_asked_about_sixty_lines_and_sixty_plies_at_most(compared):
    asked = compared(Seconded(9, None))
    second(Long(), 999, 0)
    second(Long(), 1, 1)
    second(START, 999, 0)
    assert [max(map(len, lines)) for lines in asked] == [59, 59, 2]
    assert [lines.count(()) for lines in asked] == [60, 2, 60]


def test_what_it_answers_is_told(compared):
    compared(NotLooked('no process'))
    assert second(START, 1, 0) == Success(
        evolve(PASSED, left_out=(('another', 'why'), (SECOND, 'no process')))
    )
    compared(Seconded(3, BREACH))
    assert second(START, 1, 0) == Failure(BREACH)
