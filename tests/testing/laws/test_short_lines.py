"""How the line to a breach is shortened."""

from itertools import count

import pytest

from fmcts.testing._laws import exploring
from fmcts.testing._laws.exploring import _without, shortest
from steps import ALL, Counted, Steps, breach_at, law, noting, sorted_line


@pytest.fixture
def looked():
    """The lines at which laws were looked at, in their order."""
    return []


def test_a_breach_at_the_start_cannot_be_shortened():
    assert shortest(lambda: Steps, law(lambda _: 'other'), breach_at()) == breach_at()


def test_the_start_is_tried_too():
    found = shortest(lambda: Steps, law(lambda _: 'always'), breach_at(1))
    assert found == breach_at(found='always')


def test_of_all_shorter_lines_the_first_is_reported():
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


def test_lines_of_the_known_length_are_not_tried():
    other = law(lambda item: 'other' if len(item.line) == 2 else None)
    assert shortest(lambda: lambda: Steps(plies=9), other, breach_at(1, 1)) == breach_at(1, 1)


def test_shorter_lines_are_tried_with_and_without_merging(looked):
    shortest(
        lambda: lambda: Steps(plies=9, identity_of=sorted_line),
        noting(looked, 'a law'),
        breach_at(0, 1, 0),
    )
    breadth = [*ALL[:5], (1, 1), *ALL]
    assert [line for _, line in looked] == [*breadth, (0, 1), (0, 0), (1, 0), (1,)]


@pytest.mark.parametrize(('positions', 'others', 'expected'), [(9, 0, 3), (0, 9, 3), (0, 0, 4)])
def test_the_number_of_tries_is_limited(positions, others, expected, monkeypatch):
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


def test_moves_are_dropped_in_runs_from_the_end():
    assert [*_without((0, 1, 2, 3), 2)] == [(0, 1), (0, 3), (2, 3)]
    assert [*_without((0, 1, 2), 1)] == [(0, 1), (0, 2), (1, 2)]
    assert [*_without((0, 1), 2)] == [()]


@pytest.mark.usefixtures('dropping')
@pytest.mark.parametrize(
    'line',
    [(0, 1, 0, 0, 1, 0, 0), (1, 0, 0, 0, 0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 1)],
    ids=count(),
)
def test_unneeded_moves_are_dropped(line):
    two_ones = law(lambda item: f'broken at {item.line}' if sum(item.line) >= 2 else None)
    expected = breach_at(1, 1, found='broken at (1, 1)' if len(line) > 2 else 'long')
    assert shortest(lambda: lambda: Steps(plies=9), two_ones, breach_at(*line)) == expected


@pytest.mark.usefixtures('dropping')
def test_unneeded_moves_of_both_sides_are_dropped():
    """Each side needs two moves, and what it plays besides does not stand in one place."""

    def both(item):
        return 'both' if {1, 2} <= {*item.line[0::2]} and {3, 4} <= {*item.line[1::2]} else None

    found = shortest(
        lambda: lambda: Steps(width=5, plies=9), law(both), breach_at(0, 3, 1, 0, 2, 4)
    )
    assert found == breach_at(1, 3, 2, 4, found='both')


@pytest.mark.usefixtures('dropping')
def test_the_line_found_first_is_shortened_further():
    two = law(lambda item: 'two' if len(item.line) == 2 else None)
    start = Steps(width=4, plies=9)
    assert shortest(lambda: lambda: start, two, breach_at(0, 1, 2, 3)).line == (0, 1)


@pytest.mark.usefixtures('dropping')
def test_only_legal_lines_are_reported():
    at_three = law(lambda item: 'three' if 3 in item.line else None)
    line = tuple(range(6))
    assert shortest(lambda: lambda: Counted(plies=9), at_three, breach_at(*line)).line == (
        0,
        1,
        2,
        3,
    )


@pytest.mark.parametrize(
    ('budget', 'tried'), [(0, 0), (1, 1), (5, 2), (6, 2), (7, 3), (9, 3), (10, 4), (99, 11)]
)
def test_the_moves_played_to_shorten_a_line_are_limited(budget, tried, dropping, looked):
    """Of four moves two in a row are left out, then one, and then two that are apart."""
    dropping(budget)
    shortest(
        lambda: lambda: Steps(width=4, plies=9), noting(looked, 'a law'), breach_at(0, 1, 2, 3)
    )
    assert [line for _, line in looked] == [
        *[(0, 1), (0, 3), (2, 3)],
        *[(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)],
        *[(1, 2), (2, 1), (0, 2), (1, 3)],
    ][:tried]
