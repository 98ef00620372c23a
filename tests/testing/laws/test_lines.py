"""Lines of moves: short, random and given ones, and how they are followed."""

from itertools import count

import pytest
from attrs import evolve

from fmcts.testing._laws.exploring import (
    breadth_first,
    followed,
    given_lines,
    random_lines,
    reached,
)
from steps import ALL, PLAN, Counted, Steps, drawn_line, lines, sorted_line


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
def test_reached_follows_a_playable_line(line, legal, reaches):
    item = reached(Steps(barred=9), line, legal=legal)
    assert item == (Steps(line, barred=9) if reaches else None)


def test_legality_is_checked_only_on_request():
    assert reached(Steps(), (7,)).line == (7,)


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
def test_shortest_lines_come_first(most, bounds, expected):
    assert lines(breadth_first(lambda: Steps(plies=2), most, **bounds)) == expected


def test_each_item_is_reached_from_a_fresh_start():
    """What is done with one does not change another, even where all steps are taken in place."""

    class InPlace:
        def __init__(self):
            self.line = ()

        options = property(lambda self: (0, 1) if len(self.line) < 2 else ())

        def step(self, move):
            self.line = (*self.line, move)
            return self

    assert lines(breadth_first(InPlace, 99)) == ALL


def no_identity(_line):
    raise ValueError


@pytest.mark.parametrize(
    ('identity', 'expected'),
    [(sorted_line, [*ALL[:5], (1, 1)]), (len, [(), (0,), (0, 0)]), (list, ALL), (no_identity, ALL)],
)
def test_equal_items_are_merged_on_request(identity, expected):
    def fresh():
        return Steps(plies=2, identity_of=identity)

    assert lines(breadth_first(fresh, 99, merged=True)) == expected
    assert lines(breadth_first(fresh, 99)) == ALL
    assert lines(breadth_first(fresh, len(expected), merged=True)) == expected


def test_unplayable_lines_are_skipped_and_not_counted():
    def fresh():
        return Steps(plies=2, barred=0)

    assert lines(breadth_first(fresh, 99)) == [(), (1,), (1, 1)]
    assert lines(breadth_first(fresh, 3)) == [(), (1,), (1, 1)]


def test_many_moves_are_sampled():
    items = breadth_first(lambda: Steps(width=63, plies=1), 99)
    assert lines(items) == [(), *((2 * place,) for place in range(32))]


@pytest.mark.parametrize(
    ('most', 'barred', 'expected'),
    [(9, None, 4), (3, None, 4), (2, None, 3), (0, None, 1), (9, 2, 3), (9, 0, 1)],
    ids=count(),
)
def test_a_line_is_followed_to_its_end_or_the_limit(most, barred, expected):
    moves = iter((0, 1, 2, 3))
    items = followed(Steps(width=4, barred=barred), lambda _: next(moves), most)
    assert lines(items) == [(0, 1, 2)[:plies] for plies in range(expected)]


def test_each_move_is_chosen_at_its_own_item():
    items = followed(Counted(), lambda item: item.options[0], 9)
    assert lines(items) == [(), (0,), (0, 1), (0, 1, 2)]


def test_long_lines_are_sampled_in_stages():
    items = followed(Steps(width=1, plies=999), lambda _: 0, 126)
    assert [len(line) for line in lines(items)] == [*range(0, 127, 2)]


def test_random_games_are_numbered_and_the_first_are_checked_whole():
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


def test_given_lines_are_followed_as_far_as_playable():
    plan = evolve(PLAN, lines=((1, 0), (1, 9, 1), (0, 0, 0, 0)))
    found = [lines(items) for items in given_lines(lambda: Steps(barred=9), plan)]
    assert found == [[(), (1,), (1, 0)], [(), (1,)], [(), (0,), (0, 0), (0, 0, 0)]]
