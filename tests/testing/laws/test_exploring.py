"""Which laws are checked in which items, how often, and when checking stops."""

import pytest
from attrs import evolve

from fmcts.testing._laws import exploring
from fmcts.testing._laws.cases import FEW
from fmcts.testing._laws.exploring import explore
from steps import ALL, PLAN, Steps, breach_at, drawn_line, law, noting, sorted_line


@pytest.fixture
def looked():
    """The lines at which laws were looked at, in their order."""
    return []


def test_every_law_is_checked_in_every_item(looked):
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
    assert found == exploring.Explored((('one', len(by_both)), ('two', len(in_all))))
    assert told == [*range(1, len(in_all) + 1)]


def test_quick_laws_are_optional(looked):
    laws = [noting(looked, 'one')]
    explore(lambda: Steps, laws, evolve(PLAN, more=5), int)
    explore(lambda: Steps, laws, PLAN, int, quick=laws)
    assert looked == [('one', ()), ('one', ())]


def test_equal_items_can_be_merged(looked):
    def fresh():
        return Steps(plies=2, identity_of=sorted_line)

    laws = [noting(looked, 'one')]
    assert explore(lambda: fresh, laws, evolve(PLAN, positions=99), int).cases == (('one', 7),)
    merged = evolve(PLAN, positions=99, merged=True)
    assert explore(lambda: fresh, laws, merged, int).cases == (('one', 6),)
    quick = evolve(PLAN, more=99)
    found = explore(lambda: fresh, laws, quick, int, quick=laws)
    assert found.cases == (('one', 1 + 6),)


def test_a_law_is_checked_until_it_is_broken(looked):
    """The others are looked at further; that of the first law is told first."""
    laws = [noting(looked, 'one'), noting(looked, 'two', lambda line: line == (1,))]
    laws.append(noting(looked, 'three', lambda line: line == (0,)))
    plan = evolve(PLAN, positions=9, more=5)
    told = []
    found = explore(lambda: Steps, laws, plan, told.append, quick=laws[1:2])
    assert found.breaches == (
        breach_at(1, found='broken at (1,)', name='two'),
        breach_at(0, found='broken at (0,)', name='three'),
    )
    assert found.cases == (('one', 9), ('two', 3), ('three', 2))
    assert told == [*range(1, 9 + 5 + 1)]


def test_checking_stops_once_all_laws_are_broken(looked):
    laws = [noting(looked, 'one', lambda line: line == (1,))]
    told = []
    plan = evolve(PLAN, positions=9, games=9, more=9, lines=((1, 1),))
    assert explore(lambda: Steps, laws, plan, told.append, quick=laws).cases == (('one', 3),)
    assert told == [1, 2]


@pytest.mark.parametrize('quick', [False, True])
def test_checking_stops_once_a_basic_law_is_broken(quick, looked):
    laws = [noting(looked, 'one'), noting(looked, 'two', lambda line: line == (1,))]
    laws[1] = evolve(laws[1], basic=True)
    laws.append(noting(looked, 'three', lambda line: line == (0,)))
    plan = evolve(PLAN, positions=1 if quick else 9, games=9, more=9, lines=((1, 1),))
    found = explore(lambda: Steps, laws, plan, int, quick=laws)
    assert found.breaches == (
        breach_at(1, found='broken at (1,)', name='two'),
        breach_at(0, found='broken at (0,)', name='three'),
    )
    assert looked[-1] == ('two', (1,))


def test_a_breach_in_a_given_line_is_shortened(looked):
    laws = [noting(looked, 'two'), noting(looked, 'one', lambda line: sum(line) >= 2)]
    plan = evolve(PLAN, lines=((0, 1), (0, 1, 0, 1, 0), (0, 0, 7)))
    found = explore(lambda: lambda: Steps(plies=9), laws, plan, int)
    assert found.breaches == (breach_at(1, 1, found='broken at (1, 1)', name='one'),)


def test_of_several_late_breaches_the_first_is_shortened(looked):
    laws = [noting(looked, name, lambda line: sum(line) >= 2) for name in ('one', 'two')]
    found = explore(lambda: lambda: Steps(plies=9), laws, evolve(PLAN, lines=((0, 1, 0, 1),)), int)
    assert [breach.line for breach in found.breaches] == [(1, 1), (0, 1, 0, 1)]


@pytest.mark.parametrize(
    ('width', 'given', 'words'),
    [
        (2, {'positions': 3}, '3 positions (the nearest, up to 1 ply from the start)'),
        (2, {'positions': 99}, '15 positions (all)'),
        (FEW + 1, {'positions': 10**9}, f'{1 + FEW} positions (the nearest, up to 1 ply from'),
    ],
)
def test_the_extent_of_the_check_is_reported(width, given, words):
    plan = evolve(PLAN, games=2, whole=1, **given)
    start = Steps(width=width, plies=1 if width > FEW else 3)
    extent = explore(lambda: lambda: start, [law(lambda _: None)], plan, int).extent
    assert extent.startswith(words)
    assert extent.endswith(f'and {1 + start.plies + 1} in 2 longer games')


def test_a_breach_in_a_random_game_is_shortened(looked):
    laws = [noting(looked, 'one'), noting(looked, 'two', lambda line: sum(line) >= 2)]
    plan = evolve(PLAN, games=9, max_plies=20)
    found = explore(lambda: lambda: Steps(plies=30), laws, plan, int)
    assert found.breaches == (breach_at(1, 1, found='broken at (1, 1)', name='two'),)
