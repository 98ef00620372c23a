"""The law that play is pure, at one position."""

import functools
from itertools import count

import pytest

from looking import found
from walks import PURE, NoHash, Walk


class Moved(Walk):
    """The steps are written into the state that is played in, from ply `late` on."""

    late = 2

    def play(self, move):
        after = super().play(move)
        if len(self.steps) >= self.late:
            self.steps = after.steps
        return after


class Reaches(Walk):
    """A move changes the state so many plies before the one that it is played in."""

    made: dict = {}  # noqa: RUF012 - the mistake
    back = 3
    mark = False

    def play(self, move):
        self.made[len(self.steps)] = self
        before = self.made.get(len(self.steps) - self.back)
        if before is not None and len(self.steps) >= self.back:
            before.mark = 'seen'
        return super().play(move)


class Reaches15(Reaches):
    made: dict = {}  # noqa: RUF012 - the mistake
    back = 15


class Reaches16(Reaches):
    """Farther than is looked at."""

    made: dict = {}  # noqa: RUF012 - the mistake
    back = 16


class Reaches17(Reaches):
    made: dict = {}  # noqa: RUF012 - the mistake
    back = 17


class OtherHash(Walk):
    """Its hash goes by the games that were played."""

    played = 0

    def __hash__(self):
        return OtherHash.played

    def play(self, move):
        OtherHash.played += 1
        return super().play(move)


class OtherMoves(Walk):
    """Its moves go by those that were played."""

    played = 0
    moves = property(lambda _self: (1, 2, 2 + OtherMoves.played))

    def play(self, move):
        OtherMoves.played = 7
        return super().play(move)


class Remembers(Walk):
    """What is asked for the first time is remembered in a place that was there before."""

    def __init__(self, steps=()):
        super().__init__(steps)
        self.known = self.hashed = None

    @property
    def moves(self):
        self.known = (1, 2)
        return self.known

    def __hash__(self):
        self.hashed = hash(self.steps)
        return self.hashed

    @functools.cached_property
    def over(self):
        return False


class Memo(Walk):
    """What was played is kept in the state, as its author tells."""

    def __init__(self, steps=()):
        super().__init__(steps)
        self.after = {}

    def play(self, move):
        self.after[move] = super().play(move)
        return self.after[move]


class Raises(Walk):
    moves = (3, 4)

    def play(self, move):
        raise ArithmeticError(move)


HERE = 'changes the state that it is played in'


@pytest.mark.parametrize(
    ('state', 'line', 'told', 'words'),
    [
        (Moved((7, 7)), (), {}, f'playing 1 {HERE}: Moved.steps was (7, 7) and is (7, 7, 1)'),
        (Moved(), (), {}, None),
        (Moved(), (2, 2), {}, f'playing 1 {HERE}: Moved.steps was (2, 2) and is (2, 2, 1)'),
        (
            Moved(),
            (2, 2, 1),
            {},
            f'playing 1 {HERE}: Moved.steps was (2, 2, 1) and is (2, 2, 1, 1)',
        ),
        (OtherHash(), (), {}, f'playing 1 {HERE}: it has another hash'),
        (OtherMoves(), (1,), {}, None),  # it stays as it is from the first ply on
        (Memo(), (), {}, f'playing 1 {HERE}: Memo.after was a dict of 0 and is a dict of 1'),
        (Memo(), (1, 2), {'memos': ['after']}, None),
        (Remembers(), (1, 2), {}, None),
        (Raises(), (), {}, None),
        (NoHash(), (1,), {}, None),
        (Walk(), (1, 2, 1), {}, None),
    ],
    ids=count(),
)
def test_play_must_not_modify_its_state(state, line, told, words):
    assert found(PURE, state, *line, **told) == words


def test_members_must_not_change(monkeypatch):
    monkeypatch.setattr(OtherMoves, 'played', 1)
    assert found(PURE, OtherMoves()) == (f'playing 1 {HERE}: moves (1, 2, 3) and moves (1, 2, 9)')


@pytest.mark.parametrize(
    ('state', 'plies', 'changed'),
    [
        (Reaches(), 2, None),
        (Reaches(), 3, 0),
        (Reaches(), 5, 2),
        (Reaches15(), 16, 1),
        (Reaches15(), 30, 15),
        (Reaches16(), 16, None),
        (Reaches17(), 30, None),
    ],
    ids=count(),
)
def test_play_must_not_modify_earlier_states(state, plies, changed):
    words = changed is not None and (
        f'what is played here changes the state after {changed} plies: {type(state).__name__} was '
    )
    told = found(PURE, state, *[1] * plies)
    assert told.startswith(words) if words else told is None
