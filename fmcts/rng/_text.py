"""Generators as text: `splitmix:42`, `splitmix:STATE:GAMMA`, `stdgen:42`, `stdgen:S1:S2`."""

from __future__ import annotations

import re
from typing import Final

from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.rng._splitmix import SplitMix
from fmcts.rng._stdgen import StdGen

ACCEPTED: Final = 'splitmix:SEED, splitmix:STATE:GAMMA, stdgen:SEED or stdgen:S1:S2'
LONGEST: Final = 60  # characters of a text that are quoted; valid texts are shorter
_TEXT: Final = re.compile(r'(splitmix|stdgen):(-?[0-9]{1,100})(?::([0-9]{1,100}))?', re.ASCII)


def format(rng: SplitMix | StdGen) -> str:  # noqa: A001 - the pair of `parse`
    """Return the text that `parse` reads back as an equal generator.

    >>> format(StdGen(529669860, 1))
    'stdgen:529669860:1'
    """
    if type(rng) is SplitMix:  # a subclass may draw otherwise
        return f'splitmix:{rng.state}:{rng.gamma}'
    if type(rng) is StdGen:
        return f'stdgen:{rng.s1}:{rng.s2}'
    raise TypeError(f'no text form is known for the generator {shown(rng)}')


def parse(text: str) -> Result[SplitMix | StdGen, str]:
    """Return `Success` of the generator that `text` names, or `Failure` of a one-line message.

    >>> parse('stdgen:0:1').failure()
    "generator 'stdgen:0:1': s1 must lie in 1 .. 2147483562, not 0"
    """
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        return Failure(f'generator {shown(text, LONGEST)}: expected {ACCEPTED}')
    kind, first, second = found.groups()
    generator: type[SplitMix | StdGen] = SplitMix if kind == 'splitmix' else StdGen
    try:
        if second is None:
            return Success(generator.from_seed(int(first)))
        return Success(generator(int(first), int(second)))
    except ValueError as error:
        return Failure(f'generator {shown(text, LONGEST)}: {error}')
