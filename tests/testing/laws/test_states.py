"""What the laws of states find in one position, word for word, and where they find nothing."""

import functools
import sys
from itertools import count
from pathlib import Path

import pytest

from fmcts import SplitMix
from fmcts.testing.laws.cases import Case, Told
from fmcts.testing.laws.states import LAWS_OF_STATES, importable, replayed, subclassed

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
from looking import LAWS, Says, X, case_of, found

sys.path.pop(0)

PURE, SUBCLASS = 'play is pure', 'a subclass stays itself'
PICKLE, COPY = 'states pickle', 'states copy'
EQUAL, HASH, DIFFER, ALIKE = (law.name for law in LAWS_OF_STATES)


class Walk:
    """One step or two in each ply, without an end; equal where the steps are the same."""

    player, over, winner = X, False, None
    moves = (1, 2)

    def __init__(self, steps=()):
        self.steps = steps

    def __eq__(self, other):
        return isinstance(other, Walk) and self.steps == other.steps

    def __hash__(self):
        return hash(self.steps)

    def __repr__(self):
        return f'Walk{self.steps}'

    def play(self, move):
        return type(self)((*self.steps, move))


# Nothing that is played changes a state.


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


class NoHash(Walk):
    __hash__ = None


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
        (Memo(), (), {}, f'playing 1 {HERE}: Memo.after[1] is new'),
        (Memo(), (1, 2), {'memos': ['after']}, None),
        (Remembers(), (1, 2), {}, None),
        (Raises(), (), {}, None),
        (NoHash(), (1,), {}, None),
        (Walk(), (1, 2, 1), {}, None),
    ],
    ids=count(),
)
def test_play_changes_nothing_where_it_is_played(state, line, told, words):
    assert found(PURE, state, *line, **told) == words


def test_what_a_state_says_is_what_it_is(monkeypatch):
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
def test_play_changes_none_of_the_states_before(state, plies, changed):
    words = changed is not None and (
        f'what is played here changes the state after {changed} plies: '
        f'{type(state).__name__}.mark is new'
    )
    assert found(PURE, state, *[1] * plies) == (words or None)


# Equality and hashes.


class Unequal(Walk):
    """Unequal from ply `late` on, and then by `!=` alone, if so told."""

    late, by_not = 0, False

    def __eq__(self, other):
        if self is not other and len(self.steps) >= self.late and not self.by_not:
            return False
        return super().__eq__(other)

    def __ne__(self, other):
        return len(self.steps) >= self.late or not super().__eq__(other)

    __hash__ = Walk.__hash__


class LaterUnequal(Unequal):
    late = 1


class NotEqual(Unequal):
    by_not = True


class LaterNotEqual(Unequal):
    late, by_not = 1, True


class Lists(Walk):
    """Who won goes by how often somebody looked."""

    looks = 0
    winner = property(lambda _self: Lists.look())

    @classmethod
    def look(cls):
        cls.looks += 1
        return cls.looks


class Hashed(Walk):
    """Another hash every time, from ply `late` on."""

    late, hashes, more = 0, 1000, 1

    def __hash__(self):
        Hashed.hashes += self.more * (len(self.steps) >= self.late)
        return Hashed.hashes


class LaterHashed(Hashed):
    late = 1


class HashedLess(Hashed):
    more = -1


class LaterHashedLess(Hashed):
    late, more = 1, -1


class Named(Walk):
    """Two that are not equal, told apart in writing too."""

    number = 0

    def __init__(self, steps=()):
        super().__init__(steps)
        Named.number += 1
        self.own = Named.number

    __eq__ = object.__eq__
    __hash__ = Walk.__hash__

    def __repr__(self):
        return f'number {self.own}'


@pytest.mark.parametrize(
    ('law', 'state', 'line', 'words'),
    [
        (
            EQUAL,
            Unequal(),
            (1,),
            'the same moves lead to two states that are not equal: twice Walk(1,)',
        ),
        (
            EQUAL,
            NotEqual(),
            (1,),
            'the same moves lead to two states that are not equal: twice Walk(1,)',
        ),
        (
            EQUAL,
            LaterUnequal(),
            (),
            '1, played twice, gives states that are not equal: twice Walk(1,)',
        ),
        (
            EQUAL,
            LaterNotEqual(),
            (),
            '1, played twice, gives states that are not equal: twice Walk(1,)',
        ),
        (EQUAL, Walk(), (1, 2), None),
        (HASH, Hashed(), (), 'the same moves lead to two states with different hashes'),
        (HASH, HashedLess(), (), 'the same moves lead to two states with different hashes'),
        (HASH, LaterHashedLess(), (), '1, played twice, gives states with different hashes'),
        (HASH, LaterHashed(), (), '1, played twice, gives states with different hashes'),
        (HASH, NoHash(), (), "hash raised TypeError: unhashable type: 'NoHash'"),
        (HASH, Walk(), (1, 2), None),
    ],
    ids=count(),
)
def test_what_is_made_alike_is_alike(law, state, line, words):
    assert found(law, state, *line) == words


def test_two_states_that_differ_are_told_with_what_they_say():
    assert found(EQUAL, Lists(), 1).startswith('the same moves lead to two states with winner ')
    one, two = found(EQUAL, Named(), 1).partition('not equal: ')[2].split(' and ')
    assert {one[:7], two[:7]} == {'number '}
    assert one != two


class Written(Named):
    """So long that it is cut, and by turns the lower or the higher."""

    def __repr__(self):
        return 'ab'[self.own % 2] * 100


@pytest.mark.parametrize('turn', [0, 1])
def test_what_is_not_equal_is_written_down_in_80_characters(turn):
    Named.number = turn
    told = found(EQUAL, Written(), 1)
    both = {f'{one * 80}... and {two * 80}...' for one, two in ('ab', 'ba')}
    assert told.partition('not equal: ')[2] in both


def test_a_line_is_played_anew_from_a_start_that_nothing_has_touched():
    case = case_of(Walk(), 1, 2, 2)
    again = replayed(case)
    assert again is not case.state
    assert again == Walk((1, 2, 2))


# What is different.


class EqualTo(Walk):
    """It equals this, whatever it is."""

    to = None

    def __eq__(self, other):
        return other == self.to or super().__eq__(other)

    __hash__ = Walk.__hash__


class EqualToText(EqualTo):
    to = 'a state'


class Compares(Walk):
    def __eq__(self, other):
        return self.steps == other.steps

    __hash__ = Walk.__hash__


class Round(Walk):
    """All is as before after so many plies."""

    after = 2

    def __eq__(self, other):
        return isinstance(other, Round) and len(self.steps) % self.after == (
            len(other.steps) % self.after
        )

    __hash__ = Walk.__hash__


class Stands(Round):
    after = 1


class RoundIn16(Round):
    after = 16


class RoundIn17(Round):
    after = 17


@pytest.mark.parametrize(
    ('state', 'plies', 'words'),
    [
        (EqualTo(), 0, 'the state equals None'),
        (EqualToText(), 0, "the state equals 'a state'"),
        (
            Compares(),
            0,
            (
                'comparing the state with None raised AttributeError: '
                "'NoneType' object has no attribute 'steps'"
            ),
        ),
        (Stands(), 1, 'the state equals the one before it'),
        (Round(), 1, None),
        (Round(), 2, 'the state equals the one 2 plies before it'),
        (Round(), 3, 'the state equals the one 2 plies before it'),
        (RoundIn16(), 15, None),
        (RoundIn16(), 16, 'the state equals the one 16 plies before it'),
        (RoundIn17(), 17, None),  # beyond what is looked at
        (Walk(), 20, None),
    ],
    ids=count(),
)
def test_states_differ(state, plies, words):
    assert found(DIFFER, state, *[1] * plies) == words


class Sum(Walk):
    """Equal where the steps add to the same; `over` by one of two ways, if so told."""

    kept = False

    def __eq__(self, other):
        return isinstance(other, Sum) and sum(self.steps) == sum(other.steps)

    def __hash__(self):
        return sum(self.steps)


class SumButEnd(Sum):
    over = property(lambda self: len(self.steps) == 2)


class SumButHash(Sum):
    """In a dictionary it is found all the same, as there is no other."""

    asked, more = 0, 1

    def __hash__(self):
        SumButHash.asked += 1
        return 0 if SumButHash.asked <= 2 else self.more * SumButHash.asked


class SumButLess(SumButHash):
    more = -1


@pytest.mark.parametrize(
    ('state', 'words'),
    [
        (Sum(), None),
        (
            SumButEnd(),
            'the state equals that after [1, 1], and yet they have over False and over True',
        ),
        (SumButHash(), 'the state equals that after [1, 1], and yet they have another hash'),
        (SumButLess(), 'the state equals that after [1, 1], and yet they have another hash'),
    ],
    ids=['alike', 'end', 'more', 'less'],
)
def test_equal_states_are_alike_whatever_led_to_them(state, words):
    SumButHash.asked = 0
    told = Told(state, SplitMix.from_seed(1))
    first = Case(told, told.fresh()).step(1)
    assert LAWS[ALIKE].found(other := first.step(1)) is None
    assert LAWS[ALIKE].found(other) is None
    SumButHash.asked = 1
    assert LAWS[ALIKE].found(Case(told, told.fresh(), met=first.met).step(2)) == words


# Pickles and copies.


class Copied(Walk):
    """Its copies are others, in one way; only those of the states after a move."""

    def made(self):
        return Walk(self.steps)

    def __deepcopy__(self, _memo):
        return self.made() if self.steps else type(self)()

    def __reduce__(self):
        return _same, (self.made(),)


def _same(made):
    return made


class OfAnotherClass(Copied):
    pass


class Bare(Walk):
    """A copy says what it is told to say; it is of any class."""

    def __init__(self, steps=(), **said):
        super().__init__(steps)
        vars(self).update(said)

    def __deepcopy__(self, _memo):
        return vars(self).get('copy', self)

    def __reduce__(self):
        return _copy, (type(self), self.steps, {**vars(self).get('pickle', {})})


def _copy(kind, steps, said):
    return kind(said.pop('steps', steps), **said)


class WithHash(Bare):
    def __hash__(self):
        return vars(self).get('own', 5)


@pytest.mark.parametrize(
    ('law', 'state', 'words'),
    [
        (COPY, OfAnotherClass((1,)), 'the copied state is a Walk, not a OfAnotherClass'),
        (
            COPY,
            Bare(copy=Bare(winner=X)),
            f'the state and the copied one have winner None and winner {X!r}',
        ),
        (
            COPY,
            Bare(copy=Bare((1,))),
            'the copied state is not equal to the one it was made of: Walk() and Walk(1,)',
        ),
        (COPY, WithHash(copy=WithHash(own=6)), 'the copied state has another hash'),
        (COPY, WithHash(copy=WithHash(own=4)), 'the copied state has another hash'),
        (COPY, Walk((1,)), None),
        (
            PICKLE,
            Bare(pickle={'over': True}),
            'the state and the unpickled one have over False and over True',
        ),
        (
            PICKLE,
            Bare(pickle={'steps': (2,)}),
            'the unpickled state is not equal to the one it was made of: Walk() and Walk(2,)',
        ),
        (PICKLE, WithHash(pickle={'own': 6}), 'the unpickled state has another hash'),
        (PICKLE, OfAnotherClass((1,)), 'the unpickled state is a Walk, not a OfAnotherClass'),
        (PICKLE, Walk((1,)), None),
    ],
    ids=count(),
)
def test_copies_are_as_what_they_were_made_of(law, state, words):
    told = Told(state, SplitMix.from_seed(1))
    assert LAWS[law].found(Case(told, state)) == words


# Subclasses.


class OneClass(Walk):
    """With one move alone; of five moves the first, second, third and last are tried."""

    moves, wrong = (1, 2, 3, 4, 5), 4

    def play(self, move):
        return OneClass((*self.steps, move)) if move == self.wrong else super().play(move)


class OfTwo(OneClass):
    moves = (3, 4)


class Second(OneClass):
    wrong = 2


def test_a_subclass_stays_itself():
    words = 'in a subclass of {}, playing {} gives a OneClass'
    assert found(SUBCLASS, OfTwo()) == words.format('OfTwo', 4)
    assert found(SUBCLASS, Second()) == words.format('Second', 2)
    assert found(SUBCLASS, OneClass()) is None
    assert found(SUBCLASS, Walk(), 1) is None


def test_a_subclass_adds_nothing():
    state = Walk((1, 2))
    twin = subclassed(state)
    assert twin == state
    assert twin is not state
    assert (type(twin).__name__, type(twin).__bases__) == ('SubclassOfWalk', (Walk,))
    assert type(twin).__slots__ == ()
    assert type(twin).__module__ == 'fmcts.testing.laws.states'
    assert type(state) is Walk


class Outer:
    class Inner:
        pass


def test_what_pickles_find_by_its_name():
    class Local:
        pass

    class Walk:  # of the same name as another
        pass

    Walk.__qualname__ = 'Walk'
    assert importable(Outer)
    assert importable(Outer.Inner)
    assert importable(Says)
    assert not importable(Local)
    assert not importable(Walk)
    assert not importable(type('Nowhere', (), {'__module__': 'no.such.module'}))
