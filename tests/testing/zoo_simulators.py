"""Simulators, each with one realistic mistake, and the law that it breaks; and some without."""

import copy
import os
import random
import sys
from typing import NamedTuple

import numpy as np

THREE = 'a step gives three things'
PROCESS = 'no generator of the whole process'
SAME = 'the same seed, the same run'
ALONE = 'runs leave each other alone'
COPY = 'a copy continues as the original does'
WRONG = {}


class Case(NamedTuple):
    """What begins a simulator, the law that it breaks, and the length of the shortest line."""

    reset: object
    law: str
    line: int


def wrong(law, line):
    """Return a decorator that enters a wrong simulator into the zoo."""

    def enter(reset):
        WRONG[reset.__name__] = Case(reset, law, line)
        return reset

    return enter


class Walk:
    """Take steps to the left and right, and be blown by a wind; the end is three places away."""

    def __init__(self, seed):
        self.dice = random.Random(seed)  # noqa: S311 - no secret
        self.at = 0

    def wind(self):
        return self.dice.choice((-1, 0, 0, 1))

    def step(self, action):
        self.at += action + self.wind()
        return self, self.at, abs(self.at) >= 3


class Ends(Walk):
    """The same without a further step."""

    def step(self, action):
        if abs(self.at) >= 3:
            raise ValueError('it is over')
        return super().step(action)


class Pure:
    """A frozen walk: each step gives a new one."""

    def __init__(self, seed, steps=0):
        self.seed, self.steps = seed, steps

    def step(self, action):
        number = (self.seed * 31 + self.steps * 17 + action) % 7
        return Pure(self.seed, self.steps + 1), {'number': number, 'nan': float('nan')}, False


class Fills(Ends):
    """It shows one array, which it fills at each step; as many do to save time."""

    def __init__(self, seed):
        super().__init__(seed)
        self.shown = np.zeros(2)

    def step(self, action):
        _, at, over = super().step(action)
        self.shown[:] = at, action
        return self, self.shown, np.bool_(over)


class Seedless(Ends):
    """It ignores the seed, which is no breach."""

    def __init__(self, _seed):
        super().__init__(0)


@wrong(THREE, 2)
class Pair(Ends):
    def step(self, action):
        return super().step(action)[1:]


@wrong(THREE, 2)
class Reward(Ends):
    """The end is a number."""

    def step(self, action):
        _, at, over = super().step(action)
        return self, at, at if over else None


@wrong(PROCESS, 2)
class Everybodys(Ends):
    def wind(self):
        return random.choice((-1, 0, 0, 1))  # noqa: S311 - the mistake


@wrong(PROCESS, 1)
class SeedsEverybody(Ends):
    def __init__(self, seed):
        super().__init__(seed)
        np.random.seed(seed)  # noqa: NPY002 - the mistake

    def wind(self):
        return int(np.random.randint(-1, 2))  # noqa: NPY002 - the same


NOISE = random.Random(3)  # noqa: S311 - the mistake of `Array`


class Array(Ends):
    """It shows an array, with noise that no seed decides."""

    def step(self, action):
        after, at, over = super().step(action)
        return after, np.array([at, 8.5 + NOISE.random()]), over


@wrong(SAME, 2)
class Unseeded(Ends):
    """It shows how strong the wind is, which no seed decides."""

    def step(self, action):
        after, at, over = super().step(action)
        return after, (at, os.urandom(8)), over


@wrong(ALONE, 3)
class Shares(Ends):
    """The wind is drawn once for all: it is kept by the class, by seed and step."""

    trace = []  # noqa: RUF012 - the mistake

    def __init__(self, seed):
        super().__init__(seed)
        self.trace.clear()

    def wind(self):
        self.trace.append(super().wind())
        return sum(self.trace[-2:])


ONE = Ends(0)


@wrong(ALONE, 2)
def one_for_all(seed):
    """There is one, which is begun anew."""
    ONE.__init__(seed)
    return ONE


@wrong(COPY, 1)
class CopiesAnew(Ends):
    """A copy begins with the dice of the seed 0."""

    def __deepcopy__(self, memo):
        other = CopiesAnew(0)
        other.at = self.at
        return other


@wrong(COPY, 1)
class CopiesShare(Ends):
    """A copy has the dice of the original."""

    def __copy__(self):
        other = CopiesShare(0)
        other.at, other.dice = self.at, self.dice
        return other

    def __deepcopy__(self, memo):
        return copy.copy(self)


@wrong('the end stays the end', 3)
class BeginsAgain(Ends):
    """After the end it begins again, by itself."""

    def step(self, action):
        if abs(self.at) >= 3:
            self.at = 0
        return super().step(action)


@wrong('the same in another process', 2)
class OfASet(Ends):
    """It shows what is in sight in the order of a set."""

    def step(self, action):
        after, at, over = super().step(action)
        return after, (at, *{f'the tree {number}' for number in range(12)}), over


def step(simulator, action):
    return simulator.step(action)


RIGHT = {kind.__name__: kind for kind in (Ends, Pure, Fills)}

# Another process finds them under this name too, however they were imported.
sys.modules.setdefault('zoo_simulators', sys.modules[__name__])
