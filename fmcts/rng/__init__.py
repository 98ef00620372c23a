"""Generators as values: every draw returns the generator to use next.

>>> rng = SplitMix.from_seed(42)
>>> number, rng = rng.uniform(0, 6)
>>> left, right = rng.split()
>>> parse(format(left)).unwrap() == left
True

`Rng` is the protocol, `SplitMix` and `StdGen` are the two generators of the library, and `format`
and `parse` write them as text and read them back.
"""

from fmcts.rng._protocol import Draws, Rng, thaw
from fmcts.rng._splitmix import SplitMix
from fmcts.rng._stdgen import StdGen
from fmcts.rng._text import format, parse  # noqa: A004 - the pair every module with a text form has

__all__ = ['Draws', 'Rng', 'SplitMix', 'StdGen', 'format', 'parse', 'thaw']
