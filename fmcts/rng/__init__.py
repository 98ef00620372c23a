"""Generators as values: every draw returns the generator to use next.

>>> rng = SplitMix.from_seed(42)
>>> number, rng = rng.uniform(0, 6)
>>> left, right = rng.split()
>>> parse(format(left)).unwrap() == left
True

`Rng` is the protocol, `SplitMix` and `StdGen` are the two generators of the library, and `format`
and `parse` write them as text and read them back. What is imported here `as` itself is for other
rooms of the library.
"""

from fmcts.rng._protocol import Draws, R as R, Rng, thaw
from fmcts.rng._splitmix import SplitMix, made_of as made_of
from fmcts.rng._stdgen import MODULUS1 as MODULUS1, MODULUS2 as MODULUS2, StdGen
from fmcts.rng._text import format, parse  # noqa: A004 - the pair every module with a text form has

__all__ = ['Draws', 'Rng', 'SplitMix', 'StdGen', 'format', 'parse', 'thaw']
