"""Which laws are looked at in which items, how often, and what ends it."""

import sys
from pathlib import Path

import pytest
from attrs import evolve

from fmcts.testing.laws import exploring
from fmcts.testing.laws.exploring import (
    explore,
)

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
from steps import ALL, PLAN, Steps, breach_at, drawn_line, noting, sorted_line

sys.path.pop(0)


@pytest.fixture
def looked():
    """The lines at which laws were looked at, in their order."""
    return []


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
