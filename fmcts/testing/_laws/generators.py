"""Check a generator: a frozen value whose draws return the next generator."""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts._arguments import whole_number
from fmcts.rng import SplitMix, StdGen, _text as texts
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.evenness import SERVED
from fmcts.testing._laws.generator_laws import EVEN, LAWS, PICKLED, TEXT
from fmcts.testing._laws.generatorcase import GeneratorCase, Text
from fmcts.testing._laws.law import Breach, Law, Passed, found_by
from fmcts.testing._laws.reporting import reporting

STEPS: Final[tuple[tuple[str, Callable[[Any], Any]], ...]] = (
    ('uniform(0, 6)', lambda generator: generator.uniform(0, 6)[1]),
    ('split left', lambda generator: generator.split()[0]),
    ('split right', lambda generator: generator.split()[1]),
    ('child(0)', lambda generator: generator.child(0)),
    ('child(7)', lambda generator: generator.child(7)),
)
"""The operations by which generators are reached."""


@reporting('laws of a generator')
def check_rng(
    generator: Any, *, reached: int = 31, text: Text | None = None
) -> Result[Passed, Breach]:
    """Return whether a generator satisfies the laws of generators, or the first breach.

    The laws are checked for this generator and those reached from it by the fewest operations,
    `reached` in all (31 covers two operations); the line of a breach is these operations. Evenness
    is checked for this generator only; a correct one fails with a probability of less than 10**-14
    (see `_laws.evenness`). `text` is a pair of functions, one that writes a generator and one that
    reads it back (a generator, or `Success` of it); the library's own generators need none. Any
    error that a generator raises is a breach.

    :raises ValueError: `reached` is not a whole number of at least 1.

    >>> from fmcts.rng import SplitMix
    >>> check_rng(SplitMix.from_seed(1), reached=1).unwrap().total
    17
    >>> str(check_rng(7).failure())[:58]
    'a generator has its three methods, at the start: 7 has no '
    """
    number = whole_number('reached', reached)
    if text is None and type(generator) in (SplitMix, StdGen):
        text = texts.format, texts.parse
    first = GeneratorCase(generator, (), text)
    cases = []
    for case in _reached(first, number):
        cases.append(case)
        breach = _first_breach(LAWS, case)
        if breach is not None:
            return Failure(breach)
    breach = _first_breach(EVEN, first)
    return Success(_passed(cases)) if breach is None else Failure(breach)


def _first_breach(laws: tuple[Law[GeneratorCase], ...], case: GeneratorCase) -> Breach | None:
    for law in laws:
        found = found_by(law, case)
        if found is not None:
            return Breach(law.name, law.sentence, found, case.line)
    return None


def _reached(first: GeneratorCase, number: int) -> Iterator[GeneratorCase]:
    """Yield the generators by number of operations; each is checked before it is used further."""
    waiting = deque([first])
    for _ in range(number):
        case = waiting.popleft()
        yield case
        waiting.extend(
            GeneratorCase(step(case.generator), (*case.line, name), case.text)
            for name, step in STEPS
        )


def _passed(cases: list[GeneratorCase]) -> Passed:
    """Return each law with the number of cases, and the laws left out."""
    looked_at = Counter({law.name: len(cases) for law in LAWS})
    looked_at.update({law.name: 1 for law in EVEN})
    left_out = []
    generator = cases[0].generator
    pickled = asked(pickle.dumps, generator)
    if isinstance(pickled, Raised):
        looked_at[PICKLED.name] = 0
        left_out.append((PICKLED.name, f'it cannot be pickled: it {pickled.text}'))
    if cases[0].text is None:
        looked_at[TEXT.name] = 0
        left_out.append((TEXT.name, f'no text of a {type(generator).__name__} was given'))
    wide = asked(generator.uniform, 0, 2**64 - 1)
    if isinstance(wide, Raised):
        told = f'of more than {SERVED} numbers some are refused: uniform(0, 2**64 - 1) {wide.text}'
        left_out += [(law, told) for law in ('a draw lies in its range', 'numbers are even')]
    return Passed(tuple(looked_at.items()), tuple(left_out))
