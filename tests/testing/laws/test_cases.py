"""A position under test: the line to it, and reading its members."""

from itertools import count

import pytest

from fmcts import SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws.cases import (
    Case,
    Description,
    Seen,
    ask,
    differences,
    moves_of,
    play,
    same,
)
from fmcts.testing._laws.law import OtherwiseError

RNG = SplitMix.from_seed(1)
NO = 'raised ValueError: no'


class Raises:
    """It raises an error, whatever it is asked."""

    def __repr__(self):
        return 'a position'

    def no(self, *_):
        raise ValueError('no')

    moves = over = property(no)
    play = __deepcopy__ = __eq__ = __hash__ = no


class Says:
    def __init__(self, **said):
        vars(self).update(said)

    def __repr__(self):
        return 'a position'


def told(start):
    return Description(start, RNG)


def first(start=tictactoe.start):
    return Case(told(start), start)


# Lines.


def test_a_case_knows_the_line_to_it():
    start = first()
    assert (start.line, start.path, start.before) == ((), [start], None)
    one = start.step(4)
    two = one.step(0)
    assert two.line == (4, 0)
    assert two.path == [start, one, two]
    assert two.state == two.identity == tictactoe.start.play(4).play(0)
    assert two.game is start.game
    assert two.met is start.met
    assert two.met is not first().met


def test_moves_that_cannot_be_played_are_reported():
    with pytest.raises(OtherwiseError, match=r'^playing 10 raised IllegalMoveError: illegal move'):
        first().step(10)
    with pytest.raises(OtherwiseError, match=rf"^playing 'a' {NO}$"):
        play(Raises(), 'a')


# A fresh start.


class Kept:
    """A position that says what it is told, and makes copies as it is told."""

    def __init__(self, moves, copied=None):
        self.moves, self.copied = moves, copied

    def __deepcopy__(self, _memo):
        return self.copied(self) if self.copied else Kept(self.moves)


def test_a_start_is_copied():
    start = Kept((1, 2))
    made = told(start).fresh()
    assert made is not start
    assert type(made) is told(start).kind is Kept
    assert made.moves == (1, 2)


@pytest.mark.parametrize(
    'copied',
    [lambda _: Kept((2, 1)), lambda _: Says(moves=(1, 2)), lambda _: Says(), Raises.no],
    ids=['other moves', 'another class', 'no moves', 'no copy'],
)
def test_an_unfaithful_copy_is_not_used(copied):
    start = Kept((1, 2), copied)
    assert told(start).fresh() is start


# What is asked.


@pytest.mark.parametrize(
    ('state', 'moves'),
    [
        (Says(moves=(1, 2), over=False), (1, 2)),
        (Says(moves=[1, 2], over=False), [1, 2]),
        (Says(moves=(1, 2), over=True), ()),
        (Says(moves={1, 2}, over=False), ()),
        (Says(moves=(1, 2)), ()),
        (Says(over=False), ()),
        (Raises(), ()),
    ],
    ids=count(),
)
def test_options_are_the_moves_of_the_state(state, moves):
    assert moves_of(state) == first(state).options == moves


def test_members_are_read_by_name():
    assert ask(Says(over=7), 'over') == 7
    with pytest.raises(OtherwiseError, match=r'^a position has no over$'):
        ask(Says(), 'over')
    with pytest.raises(OtherwiseError, match=rf'^asking for over {NO}$') as raised:
        ask(Raises(), 'over')
    assert isinstance(raised.value.__cause__, ValueError)


# What is the same.


@pytest.mark.parametrize(
    ('one', 'two', 'is_same'),
    [
        (1, 1.0, True),
        (1, 2, False),
        ((1, [2]), [1.0, (2,)], True),
        ((1, 2), (2, 1), False),
        ((1, 2), (1, 2, 3), False),
        ((1, 2, 3), (1, 2), False),
        ((), [], True),
        ((1,), 1, False),
        (1, (1,), False),
        ({1, 2}, {2, 1}, True),
        ((float('nan'),), (float('nan'),), False),
    ],
    ids=count(),
)
def test_same_compares_part_by_part(one, two, is_same):
    assert same(one, two) is is_same


SEEN = Seen('X', (1, 2), over=False, winner=None)


@pytest.mark.parametrize(
    ('two', 'words'),
    [
        (Seen('X', [1, 2], 0, None), None),
        (Seen('O', (1,), over=True, winner='X'), "player 'X' and player 'O'"),
        (Seen('X', (2, 1), over=True, winner='X'), 'moves (1, 2) and moves (2, 1)'),
        (Seen('X', (1, 2), over=True, winner='X'), 'over False and over True'),
        (Seen('X', (1, 2), over=False, winner='X'), "winner None and winner 'X'"),
    ],
    ids=count(),
)
def test_the_first_difference_is_reported(two, words):
    assert differences(SEEN, two) == words


def test_long_moves_are_truncated():
    long = SEEN._replace(moves=tuple(range(100)))
    cut = str(long.moves)[:80] + '...'
    assert differences(SEEN, long) == f'moves (1, 2) and moves {cut}'
    assert differences(long, SEEN) == f'moves {cut} and moves (1, 2)'
