"""Which items are explored, in what order and how often; and how a line is made short."""

from itertools import count

import pytest
from attrs import evolve, frozen

from fmcts import SplitMix
from fmcts.testing.laws import exploring
from fmcts.testing.laws.exploring import (
    Plan,
    _without,
    breadth_first,
    explore,
    followed,
    given_lines,
    random_lines,
    reached,
    shortest,
)
from fmcts.testing.laws.law import Breach, Law

RNG = SplitMix.from_seed(5)
PLAN = Plan(positions=1, games=0, max_plies=10, rng=RNG, whole=0)


@frozen
class Steps:
    """The steps taken, of which each may be any number below `width`, up to so many plies."""

    line: tuple = ()
    width: int = 2
    plies: int = 3
    identity_of: object = tuple
    barred: object = None

    @property
    def options(self):
        return range(self.width) if len(self.line) < self.plies else ()

    @property
    def identity(self):
        return self.identity_of(self.line)

    def step(self, move):
        if move == self.barred:
            raise ValueError(move)
        return evolve(self, line=(*self.line, move))


@frozen
class Counted(Steps):
    """Each move is one more than the one before, so that without one the next is illegal."""

    @property
    def options(self):
        return (len(self.line),) if len(self.line) < self.plies else ()


def lines(items):
    return [item.line for item in items]


def law(found, name='a law'):
    return Law(name, 'It is kept.', found)


def breach_at(*line, found='long', name='a law'):
    return Breach(name, 'It is kept.', found, line)


# Lines.


@pytest.mark.parametrize(
    ('line', 'legal', 'reaches'),
    [
        ((), True, True),
        ((1, 0), True, True),
        ((1, 7), True, False),
        ((1, 7), False, True),
        ((1, 0, 0, 0), True, False),
        ((1, 9, 0), False, False),
    ],
    ids=count(),
)
def test_a_line_is_followed_where_it_can_be_played(line, legal, reaches):
    item = reached(Steps(barred=9), line, legal=legal)
    assert item == (Steps(line, barred=9) if reaches else None)


def test_whether_moves_are_legal_is_asked_only_where_it_matters():
    assert reached(Steps(), (7,)).line == (7,)


ALL = [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ('most', 'bounds', 'expected'),
    [
        (99, {}, ALL),
        (7, {}, ALL),
        (4, {}, ALL[:4]),
        (1, {}, ALL[:1]),
        (0, {}, []),
        (99, {'deepest': 2}, ALL),
        (99, {'deepest': 1}, ALL[:3]),
        (99, {'deepest': 0}, ALL[:1]),
    ],
    ids=count(),
)
def test_lines_come_the_shortest_first(most, bounds, expected):
    assert lines(breadth_first(lambda: Steps(plies=2), most, **bounds)) == expected


def test_each_item_is_reached_from_a_fresh_start():
    """What is done with one does not change another, even where all steps are taken in place."""

    class InPlace:
        def __init__(self):
            self.line = ()

        @property
        def options(self):
            return (0, 1) if len(self.line) < 2 else ()

        def step(self, move):
            self.line = (*self.line, move)
            return self

    assert lines(breadth_first(InPlace, 99)) == ALL


def sorted_line(line):
    return tuple(sorted(line))


def no_identity(_line):
    raise ValueError


@pytest.mark.parametrize(
    ('identity', 'expected'),
    [
        (sorted_line, [*ALL[:5], (1, 1)]),
        (len, [(), (0,), (0, 0)]),
        (list, ALL),
        (no_identity, ALL),
    ],
)
def test_equal_items_are_merged_where_that_is_wanted_and_can_be(identity, expected):
    def fresh():
        return Steps(plies=2, identity_of=identity)

    assert lines(breadth_first(fresh, 99, merged=True)) == expected
    assert lines(breadth_first(fresh, 99)) == ALL
    assert lines(breadth_first(fresh, len(expected), merged=True)) == expected


def test_what_cannot_be_played_is_passed_over_and_not_counted():
    def fresh():
        return Steps(plies=2, barred=0)

    assert lines(breadth_first(fresh, 99)) == [(), (1,), (1, 1)]
    assert lines(breadth_first(fresh, 3)) == [(), (1,), (1, 1)]


def test_of_many_moves_some_are_followed():
    items = breadth_first(lambda: Steps(width=63, plies=1), 99)
    assert lines(items) == [(), *((2 * place,) for place in range(32))]


@pytest.mark.parametrize(
    ('most', 'barred', 'expected'),
    [(9, None, 4), (3, None, 4), (2, None, 3), (0, None, 1), (9, 2, 3), (9, 0, 1)],
    ids=count(),
)
def test_a_line_is_followed_to_its_end_or_so_far(most, barred, expected):
    moves = iter((0, 1, 2, 3))
    items = followed(Steps(width=4, barred=barred), lambda _: next(moves), most)
    assert lines(items) == [(0, 1, 2)[:plies] for plies in range(expected)]


def test_each_move_is_chosen_in_the_item_where_it_is_made():
    items = followed(Counted(), lambda item: item.options[0], 9)
    assert lines(items) == [(), (0,), (0, 1), (0, 1, 2)]


def test_of_a_long_line_the_stages_are_looked_at():
    items = followed(Steps(width=1, plies=999), lambda _: 0, 126)
    assert [len(line) for line in lines(items)] == [*range(0, 127, 2)]


def drawn_line(number, width, plies):
    """What the generator of that number draws, one number after another."""
    rng, line = RNG.child(number), ()
    for _ in range(plies):
        move, rng = rng.uniform(0, width - 1)
        line = (*line, move)
    return line


def test_random_games_are_drawn_by_their_numbers_the_first_looked_at_whole():
    plan = evolve(PLAN, games=4, whole=2)
    found = [lines(items) for items in random_lines(lambda: Steps(width=5), plan)]
    drawn = [drawn_line(number, 5, 3) for number in range(4)]
    assert len({*drawn}) == 4
    assert found == [
        *([line[:plies] for plies in range(4)] for line in drawn[:2]),
        *([line] for line in drawn[2:]),
    ]
    short = evolve(PLAN, games=1, whole=1, max_plies=2)
    assert [lines(items) for items in random_lines(lambda: Steps(width=5), short)] == [
        [drawn[0][:plies] for plies in range(3)]
    ]


def test_given_lines_are_followed_as_far_as_they_can_be_played():
    plan = evolve(PLAN, lines=((1, 0), (1, 9, 1), (0, 0, 0, 0)))
    found = [lines(items) for items in given_lines(lambda: Steps(barred=9), plan)]
    assert found == [
        [(), (1,), (1, 0)],
        [(), (1,)],
        [(), (0,), (0, 0), (0, 0, 0)],
    ]


# Exploring.


@pytest.fixture
def looked():
    """The lines at which laws were looked at, in their order."""
    return []


def noting(looked, name, breaks=lambda _line: False):
    """A law that notes the lines at which it is looked at, and is broken where it is said."""

    def found(item):
        looked.append((name, item.line))
        return f'broken at {item.line}' if breaks(item.line) else None

    return law(found, name)


def test_every_law_is_looked_at_in_every_item(looked):
    told = []
    laws = [noting(looked, 'one'), noting(looked, 'two')]
    plan = evolve(PLAN, positions=3, games=2, whole=1, more=5, lines=((1, 1, 1),))
    found = explore(lambda: lambda: Steps(), laws, plan, told.append, quick=laws[1:])  # noqa: PLW0108 - a function that makes one
    first, second = (drawn_line(number, 2, 3) for number in range(2))
    in_all = [
        *ALL[:3],
        *ALL[:5],
        *((1,) * plies for plies in range(4)),
        *(first[:plies] for plies in range(4)),
        second,
    ]
    by_both = [line for place, line in enumerate(in_all) if not 3 <= place < 8]
    assert [line for name, line in looked if name == 'one'] == by_both
    assert [line for name, line in looked if name == 'two'] == in_all
    assert looked[:3] == [('one', ()), ('two', ()), ('one', (0,))]
    assert found == exploring.Explored((('one', len(by_both)), ('two', len(in_all))), None)
    assert told == [*range(1, len(in_all) + 1)]


def test_nothing_quick_is_looked_at_unless_it_is_asked_for(looked):
    laws = [noting(looked, 'one')]
    explore(lambda: Steps, laws, evolve(PLAN, more=5), int)
    explore(lambda: Steps, laws, PLAN, int, quick=laws)
    assert looked == [('one', ()), ('one', ())]


def test_items_that_are_equal_are_looked_at_once_where_that_is_wanted(looked):
    def fresh():
        return Steps(plies=2, identity_of=sorted_line)

    laws = [noting(looked, 'one')]
    assert explore(lambda: fresh, laws, evolve(PLAN, positions=99), int).cases == (('one', 7),)
    merged = evolve(PLAN, positions=99, merged=True)
    assert explore(lambda: fresh, laws, merged, int).cases == (('one', 6),)
    quick = evolve(PLAN, more=99)
    found = explore(lambda: fresh, laws, quick, int, quick=laws)
    assert found.cases == (('one', 1 + 6),)


def test_the_first_breach_ends_it(looked):
    laws = [noting(looked, 'one'), noting(looked, 'two', lambda line: line == (1,))]
    laws.append(noting(looked, 'three', lambda line: line == (1,)))
    plan = evolve(PLAN, positions=9, games=9, more=9, lines=((1, 1),))
    told = []
    found = explore(lambda: Steps, laws, plan, told.append, quick=laws)
    assert found.breach == breach_at(1, found='broken at (1,)', name='two')
    assert found.cases == (('one', 3), ('two', 3), ('three', 2))
    assert looked[-1] == ('two', (1,))
    assert told == [1, 2]


def test_a_breach_of_a_quick_law_ends_it(looked):
    laws = [noting(looked, 'one'), noting(looked, 'two', lambda line: line == (1,))]
    plan = evolve(PLAN, games=9, more=9, lines=((1, 1),))
    found = explore(lambda: Steps, laws, plan, int, quick=laws[1:])
    assert found.breach == breach_at(1, found='broken at (1,)', name='two')
    assert [name for name, _ in looked].count('one') == 1


def test_a_breach_in_a_line_that_is_given_is_made_short(looked):
    laws = [noting(looked, 'two'), noting(looked, 'one', lambda line: sum(line) >= 2)]
    plan = evolve(PLAN, lines=((0, 1), (0, 1, 0, 1, 0), (0, 0, 7)))
    found = explore(lambda: lambda: Steps(plies=9), laws, plan, int)
    assert found.breach == breach_at(1, 1, found='broken at (1, 1)', name='one')
    assert ('two', (0, 0, 7)) not in looked


def test_a_breach_in_a_random_game_is_made_short(looked):
    laws = [noting(looked, 'one'), noting(looked, 'two', lambda line: sum(line) >= 2)]
    plan = evolve(PLAN, games=9, max_plies=20)
    found = explore(lambda: lambda: Steps(plies=30), laws, plan, int)
    assert found.breach == breach_at(1, 1, found='broken at (1, 1)', name='two')


# Short lines.


def test_a_breach_at_the_start_stays_as_it_is():
    assert shortest(lambda: Steps, law(lambda _: 'other'), breach_at()) == breach_at()


def test_the_start_is_looked_at_too():
    found = shortest(lambda: Steps, law(lambda _: 'always'), breach_at(1))
    assert found == breach_at(found='always')


def test_of_all_shorter_lines_the_first_is_told():
    """Where equal items are one, and where what is wrong depends on the way there."""
    two_ones = law(lambda item: 'two' if sum(item.line) == 2 else None)
    line = (0, 1, 0, 1, 0, 0)
    assert shortest(lambda: lambda: Steps(plies=9), two_ones, breach_at(*line)) == breach_at(
        1, 1, found='two'
    )
    one_nought = law(lambda item: 'then' if item.line[-2:] == (1, 0) else None)
    assert shortest(
        lambda: lambda: Steps(plies=9, identity_of=len), one_nought, breach_at(*line)
    ) == breach_at(1, 0, found='then')


def test_lines_as_long_as_the_one_that_is_known_are_not_looked_at():
    other = law(lambda item: 'other' if len(item.line) == 2 else None)
    assert shortest(lambda: lambda: Steps(plies=9), other, breach_at(1, 1)) == breach_at(1, 1)


def test_all_shorter_lines_are_looked_at_once_merged_and_once_not(looked):
    shortest(
        lambda: lambda: Steps(plies=9, identity_of=sorted_line),
        noting(looked, 'a law'),
        breach_at(0, 1, 0),
    )
    breadth = [*ALL[:5], (1, 1), *ALL]
    assert [line for _, line in looked] == [*breadth, (0, 1), (0, 0), (1, 0)]


@pytest.mark.parametrize(('positions', 'others', 'expected'), [(9, 0, 3), (0, 9, 3), (0, 0, 4)])
def test_as_many_are_looked_at_as_are_allowed(positions, others, expected, monkeypatch):
    monkeypatch.setattr(exploring, 'SHRINKING', positions)
    monkeypatch.setattr(exploring, 'LINES', others)
    monkeypatch.setattr(exploring, 'DROPPING', 0)
    long_enough = law(lambda item: 'long' if len(item.line) >= 3 else None)
    found = shortest(lambda: lambda: Steps(width=1, plies=9), long_enough, breach_at(0, 0, 0, 0))
    assert len(found.line) == expected


@pytest.fixture
def dropping(monkeypatch):
    """Moves are left out of the line, and nothing else is tried."""

    def only(budget=99_999):
        for name, number in (('SHRINKING', 0), ('LINES', 0), ('DROPPING', budget)):
            monkeypatch.setattr(exploring, name, number)

    only()
    return only


def test_some_moves_in_a_row_are_left_out_the_last_first():
    assert [*_without((0, 1, 2, 3), 2)] == [(0, 1), (0, 3), (2, 3)]
    assert [*_without((0, 1, 2), 1)] == [(0, 1), (0, 2), (1, 2)]
    assert [*_without((0, 1), 2)] == [()]


@pytest.mark.usefixtures('dropping')
@pytest.mark.parametrize(
    'line',
    [(0, 1, 0, 0, 1, 0, 0), (1, 0, 0, 0, 0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 1)],
    ids=count(),
)
def test_moves_that_are_not_needed_are_left_out(line):
    two_ones = law(lambda item: f'broken at {item.line}' if sum(item.line) >= 2 else None)
    expected = breach_at(1, 1, found='broken at (1, 1)' if len(line) > 2 else 'long')
    assert shortest(lambda: lambda: Steps(plies=9), two_ones, breach_at(*line)) == expected


@pytest.mark.usefixtures('dropping')
def test_the_first_that_is_found_is_gone_on_from():
    two = law(lambda item: 'two' if len(item.line) == 2 else None)
    start = Steps(width=4, plies=9)
    assert shortest(lambda: lambda: start, two, breach_at(0, 1, 2, 3)).line == (0, 1)


@pytest.mark.usefixtures('dropping')
def test_no_line_is_told_that_is_not_legal():
    at_three = law(lambda item: 'three' if 3 in item.line else None)
    line = tuple(range(6))
    assert shortest(lambda: lambda: Counted(plies=9), at_three, breach_at(*line)).line == (
        0,
        1,
        2,
        3,
    )


@pytest.mark.parametrize(
    ('budget', 'tried'), [(0, 0), (1, 1), (5, 2), (6, 2), (7, 3), (9, 3), (10, 4), (99, 7)]
)
def test_so_many_moves_are_played_to_leave_some_out(budget, tried, dropping, looked):
    """Of four moves two are left out in three ways, of 3 each, then one in four, of 4 each."""
    dropping(budget)
    shortest(
        lambda: lambda: Steps(width=4, plies=9), noting(looked, 'a law'), breach_at(0, 1, 2, 3)
    )
    assert [line for _, line in looked] == [
        *[(0, 1), (0, 3), (2, 3)],
        *[(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)],
    ][:tried]
