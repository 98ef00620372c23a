"""Check one law of generators at one generator, and generators with given draws."""

from fmcts.testing import GENERATOR_LAWS
from fmcts.testing._laws.generators import GeneratorCase
from fmcts.testing._laws.law import Unchecked, found_by
from zoo_generators import Right

LAWS = {law.name: law for law in GENERATOR_LAWS}
(
    METHODS,
    RANGE,
    LEAVES,
    FROZEN,
    INDEX,
    AGAIN,
    MOVES_ON,
    WHOLE,
    BACKWARDS,
    HALVES,
    CHILDREN,
    VALUE,
    PICKLED,
    TEXT,
    *EVEN,
) = LAWS


def found(law, generator, text=None):
    told = found_by(LAWS[law], GeneratorCase(generator, (), text))
    return None if isinstance(told, Unchecked) else told


class Draws(Right):
    """In some ranges it draws otherwise."""

    def uniform(self, low, high):
        number, after = super().uniform(min(low, high), max(low, high))
        return self.otherwise(low, high, number), after

    def otherwise(self, low, high, number):
        raise NotImplementedError


def drawing(function):
    """A generator that draws what the function makes of the bounds and the number."""
    return type('Drawing', (Draws,), {'otherwise': staticmethod(function)})()


def only(low, high, instead):
    """A generator that draws another number of one range alone, and never refuses."""
    return drawing(lambda *given: instead if given[:2] == (low, high) else given[2])


WORD = 18446744073709551616
