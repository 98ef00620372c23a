"""Wrong generators, each with one realistic mistake, and the law that it breaks."""

from typing import NamedTuple

from fmcts.rng import SplitMix, StdGen
from fmcts.rng._splitmix import MASK64
from zoo_generators_as_values import (
    ByIdentity,
    ForgetsWhenPickled,
    HashByIdentity,
    HiddenSlot,
    Mutable,
    NoChild,
    NoHash,
    NotFrozen,
)
from zoo_generators_drawing import (
    ChildrenInTurn,
    ChildZeroIsParent,
    Constant,
    EightBitChildren,
    EqualHalves,
    Fractions,
    HighExclusive,
    LeftIsParent,
    LowBits,
    Modulo,
    NegativeRanges,
    Neighbours,
    NumberAlone,
    OneTooMany,
    Python,
    RightIsAhead,
    ShortPeriod,
    WrongWayRound,
)
from zoo_generators_right import Narrow, Right, Triple


class Case(NamedTuple):
    """A generator, the law that it breaks, and how it is written down, if it is."""

    generator: object
    law: str
    text: object = None


RANGE = 'a draw lies in its range'
HALVES = 'halves of a split differ'
CHILDREN = 'children differ'
VALUE = 'generators are equal by value'

WRONG = {
    type(case.generator).__name__ if case.text is None else 'Shortened': case
    for case in (
        Case(NoChild(), 'a generator has its three methods'),
        Case(NegativeRanges(), RANGE),
        Case(OneTooMany(), RANGE),
        Case(Fractions(), RANGE),
        Case(NumberAlone(), RANGE),
        Case(Mutable(), 'a draw leaves the generator as it was'),
        Case(NotFrozen(), 'a generator is frozen'),
        Case(HiddenSlot(), 'a generator is frozen'),
        Case(ChildrenInTurn(), 'a child depends on its index alone'),
        Case(Python(), 'a draw can be made again'),
        Case(ByIdentity(), 'a child depends on its index alone'),
        Case(ShortPeriod(), 'a draw moves on'),
        Case(HighExclusive(), 'every number of a range is drawn'),
        Case(Constant(), 'every number of a range is drawn'),
        Case(WrongWayRound(), 'bounds in the wrong order'),
        Case(EqualHalves(), HALVES),
        Case(LeftIsParent(), HALVES),
        Case(RightIsAhead(), CHILDREN),
        Case(EightBitChildren(), CHILDREN),
        Case(ChildZeroIsParent(), CHILDREN),
        Case(HashByIdentity(), VALUE),
        Case(NoHash(), VALUE),
        Case(ForgetsWhenPickled(1 << 40), 'a generator is read back from its pickle'),
        Case(
            Right(1 << 40),
            'a generator is read back from its text',
            (lambda rng: f'{rng.state & 0xFFFFFFFF:x}', lambda text: Right(int(text, 16))),
        ),
        Case(Modulo(), 'numbers are even'),
        Case(LowBits(), 'pairs are even'),
        Case(Neighbours(), 'children are even'),
    )
}

RIGHT = {
    'SplitMix': SplitMix.from_seed(42),
    'SplitMix, least': SplitMix(0, 1),
    'SplitMix, most': SplitMix(MASK64, MASK64),
    'StdGen': StdGen.from_seed(42),
    'StdGen, least': StdGen(1, 1),
    'a class': Right(),
    'a tuple': Triple(1),
    'narrow': Narrow(),
}
