"""The laws of copies, pickles and subclasses."""

from itertools import count

import pytest

from fmcts import SplitMix
from fmcts.testing._laws.cases import Case, Description
from fmcts.testing._laws.law import Unchecked
from fmcts.testing._laws.states import importable, subclassed
from looking import LAWS, Says, X, case_of, found
from walks import COPY, PICKLE, SUBCLASS, Walk


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
def test_copies_must_equal_the_state(law, state, words):
    told = Description(state, SplitMix.from_seed(1))
    assert LAWS[law].found(Case(told, state)) == words


class OneClass(Walk):
    """With one move alone; of five moves the first, second, third and last are tried."""

    moves, wrong = (1, 2, 3, 4, 5), 4

    def play(self, move):
        return OneClass((*self.steps, move)) if move == self.wrong else super().play(move)


class OfTwo(OneClass):
    moves = (3, 4)


class Second(OneClass):
    wrong = 2


def test_subclasses_must_keep_their_class():
    words = 'in a subclass of {}, playing {} gives a OneClass'
    assert found(SUBCLASS, OfTwo()) == words.format('OfTwo', 4)
    assert found(SUBCLASS, Second()) == words.format('Second', 2)
    assert found(SUBCLASS, OneClass()) is None
    assert found(SUBCLASS, Walk(), 1) is None


class OfThree(OfTwo):
    """A class has a subclass."""


class Third(Second):
    """Another one."""


def test_without_a_subclass_nothing_is_checked():
    assert LAWS[SUBCLASS].found(case_of(Third())) == Unchecked('Third has no subclass')


def test_the_derived_subclass_adds_nothing():
    state = Walk((1, 2))
    twin = subclassed(state)
    assert twin == state
    assert twin is not state
    assert (type(twin).__name__, type(twin).__bases__) == ('SubclassOfWalk', (Walk,))
    assert type(twin).__slots__ == ()
    assert type(twin).__module__ == 'fmcts.testing._laws.states'
    assert type(state) is Walk


class Outer:
    class Inner:
        pass


def test_classes_that_pickle_finds_by_name():
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
