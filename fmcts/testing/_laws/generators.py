"""Check a generator: a frozen value whose draws return the next generator."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any, ClassVar, Final

from attrs import frozen
from returns.result import Result

from fmcts._arguments import shown, whole_number
from fmcts.rng import SplitMix, StdGen, format as written, parse
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import (
    Answer,
    Breach,
    Law,
    OtherwiseError,
    Passed,
    Raised,
    Unchecked,
    asked,
    law,
)
from fmcts.testing._laws.statistics import SERVED, uneven_children, uneven_numbers, uneven_pairs
from fmcts.testing._laws.watching import METHODS, attributes, changed, snapshot

STREAM: Final = 24
"""The number of draws of two streams that are compared."""

Text = tuple[Callable[[Any], str], Callable[[str], Any]]
"""The functions that write a generator as text and read it back."""


STEPS: Final[dict[str, Callable[[Any], Any]]] = {
    'uniform(0, 6)': lambda generator: generator.uniform(0, 6)[1],
    'split left': lambda generator: generator.split()[0],
    'split right': lambda generator: generator.split()[1],
    'child(0)': lambda generator: generator.child(0),
    'child(7)': lambda generator: generator.child(7),
}
"""The operations by which generators are reached."""


@frozen(eq=False)
class GeneratorCase:
    """A generator, the operations that lead to it, and its text functions, if known."""

    generator: Any
    line: tuple[str, ...] = ()
    text: Text | None = None
    options: ClassVar[tuple[str, ...]] = tuple(STEPS)
    checked: ClassVar[bool] = True

    @property
    def identity(self) -> Any:
        """The generator."""
        return self.generator

    def step(self, move: str) -> GeneratorCase:
        """Return the generator after an operation."""
        return GeneratorCase(STEPS[move](self.generator), (*self.line, move), self.text)


def drawn(generator: Any, low: int, high: int) -> tuple[int, Any]:
    """Return a draw of a range, checked.

    :raises OtherwiseError: it is not a pair of a whole number and a generator.
    """
    pair = generator.uniform(low, high)
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise OtherwiseError(f'uniform({low}, {high}) gave {shown(pair)}, which is not a pair')
    number, after = pair
    if not isinstance(number, int) or isinstance(number, bool):
        raise OtherwiseError(f'uniform({low}, {high}) gave {shown(number)}, which is not an int')
    if type(after) is not type(generator):
        kind = type(generator).__name__
        raise OtherwiseError(f'uniform({low}, {high}) gave {shown(after)} as the next {kind}')
    return number, after


def refuses(generator: Any, low: int, high: int) -> str | None:
    """Return the one-line message with which a range is refused; `None` if it is accepted.

    :raises OtherwiseError: it is refused in another way.
    """
    try:
        generator.uniform(low, high)
    except (ValueError, TypeError) as error:
        text = str(error)
        if len(text.splitlines()) == 1:
            return text
        raise OtherwiseError(
            f'uniform({low}, {high}) raised {type(error).__name__} without one line that says why'
        ) from error
    return None


def numbers(generator: Any) -> tuple[int, ...]:
    """Return the first numbers of its stream.

    In this range every word of a generator gives a number. In other ranges words may be skipped, so
    that a later position in the stream could give the same numbers.
    """

    def stream() -> Iterator[int]:
        following = generator
        while True:
            number, following = drawn(following, 0, 2**20 - 1)
            yield number

    return tuple(islice(stream(), STREAM))


def alike(family: dict[str, Any]) -> str | None:
    """Return which two of these generators are equal, or have equal streams, in words."""
    for (name, one), (other, two) in combinations(family.items(), 2):
        if one == two:
            return f'{name} and {other} are equal: {shown(one, 80)}'
        if numbers(one) == numbers(two):
            return f'{name} and {other} differ, and draw the same numbers'
    return None


def reads_back(generator: Any, again: Any, how: str) -> str | None:
    """Return how a generator read back differs from the one written, in words."""
    if again != generator or hash(again) != hash(generator):
        return f'{how} is read back as {shown(again, 80)}, not as {shown(generator, 80)}'
    if numbers(again) != numbers(generator):
        return f'{how} is read back as one that draws other numbers'
    return None


RANGES: Final = (
    (0, 0), (7, 7), (-4, -4), (0, 1), (0, 6), (-3, 3), (-10, -4), (1, 2**16), (-(2**30), 2**30 - 1),
    (0, 2**31 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1), (-(2**70), 2**70),
)  # fmt: skip
INDICES: Final = (*range(12), 1000, 2**20, 2**31 - 1)


@law(
    'a generator has its three methods',
    'A generator has uniform(low, high), split() and child(index).',
)
def _generator(case: GeneratorCase) -> str | None:
    lacking = [name for name in METHODS if not callable(getattr(case.generator, name, None))]
    return f'{shown(case.generator)} has no {", ".join(lacking)}' if lacking else None


@law(
    'a draw lies in its range',
    'uniform(low, high) gives a pair: an int from low to high, both included, and the next '
    'generator of the same class; or, of more than 2**31 numbers, refuses in one line.',
)
def _in_range(case: GeneratorCase) -> Answer:
    refused = None
    for low, high in RANGES:
        if high - low >= SERVED and (why := refuses(case.generator, low, high)):
            refused = refused or (_too_wide(why) if high - low < 1 << 64 else None)
            continue
        generator = case.generator
        for _ in range(8):
            number, generator = drawn(generator, low, high)
            if not low <= number <= high:
                return f'uniform({low}, {high}) gave {number}'
    return refused


def _too_wide(why: str) -> Unchecked:
    return Unchecked(f'of more than {SERVED} numbers some are refused: {why}', partly=True)


@law('every number of a range is drawn', 'Both bounds of a range are drawn, and what lies between.')
def _whole_range(case: GeneratorCase) -> str | None:
    for low, high in ((0, 1), (0, 2), (-1, 1), (-5, -3)):
        left, generator = {*range(low, high + 1)}, case.generator
        for _ in range(400):  # with three numbers one is missed once in 10**70 times
            number, generator = drawn(generator, low, high)
            left.discard(number)
        if left:
            return f'in 400 draws uniform({low}, {high}) never gave {min(left)}'
    return None


@law(
    'bounds in the wrong order',
    'With the higher bound first a draw is the same, or is refused in one line.',
)
def _backwards(case: GeneratorCase) -> str | None:
    for low, high in ((0, 6), (-3, 3)):
        if refuses(case.generator, high, low):
            continue
        there, here = case.generator.uniform(high, low), case.generator.uniform(low, high)
        if there != here:
            return f'uniform({high}, {low}) gave {shown(there[0])}, and the other way {here[0]}'
    return None


def _answers(generator: Any) -> dict[str, Any]:
    return {
        'uniform(0, 6)': generator.uniform(0, 6),
        'uniform(-3, 3)': generator.uniform(-3, 3),
        'uniform(0, 1048575) in turn': numbers(generator),
        'split()': generator.split(),
        'child(3)': generator.child(3),
    }


@law(
    'a draw leaves the generator as it was',
    'uniform, split and child change nothing in the generator that they are asked of.',
)
def _unchanged(case: GeneratorCase) -> str | None:
    before = snapshot(case.generator, 'the generator')
    for name in ('uniform(0, 6)', 'split left', 'child(7)'):
        STEPS[name](case.generator)
        found = changed(before, snapshot(case.generator, 'the generator'))
        if found is not None:
            return f'{name}: {found}'
    return None


@law('a generator is frozen', 'The fields of a generator cannot be set.')
def _frozen(case: GeneratorCase) -> str | None:
    for name, value in attributes(case.generator).items():
        if not isinstance(asked(setattr, case.generator, name, value), Raised):
            return f'its field {name} can be set'
    return None


@law(
    'a draw can be made again',
    'The same generator gives the same number and the same next generator, halves, children.',
)
def _the_same_again(case: GeneratorCase) -> str | None:
    first, second = _answers(case.generator), _answers(case.generator)
    for name, answer in first.items():
        if answer != second[name]:
            return f'{name} gave {shown(answer, 80)}, and asked again {shown(second[name], 80)}'
    return None


@law(
    'a draw moves on',
    'Where two numbers or more may be drawn, the next generator is one that was not there yet.',
)
def _moves_on(case: GeneratorCase) -> str | None:
    generator, seen = case.generator, [case.generator]
    for _ in range(STREAM):
        _, generator = drawn(generator, 0, 6)
        if generator in seen:
            return f'after {len(seen)} draws of uniform(0, 6) it is again {shown(generator, 80)}'
        seen.append(generator)
    return None


@law(
    'halves of a split differ',
    'split gives two generators that differ, in their streams too, from each other and the '
    'generator.',
)
def _halves(case: GeneratorCase) -> str | None:
    halves = case.generator.split()
    if not isinstance(halves, tuple) or len(halves) != 2:
        return f'split() gave {shown(halves)}, which is not a pair'
    left, right = halves
    family = {'the generator': case.generator, 'its left half': left, 'its right half': right}
    return alike(family)


@law(
    'children differ',
    'child(i) differs, in its stream too, from the generator, its halves and other children.',
)
def _children(case: GeneratorCase) -> str | None:
    left, right = case.generator.split()
    family = {f'child({index})': case.generator.child(index) for index in INDICES}
    others = {'the generator': case.generator, 'its left half': left, 'its right half': right}
    return alike({**others, **family})


@law(
    'a child depends on its index alone',
    'child(i) of a generator is the same in whatever order children are asked for, and whatever '
    'was drawn before.',
)
def _any_order(case: GeneratorCase) -> str | None:
    forth = {index: case.generator.child(index) for index in INDICES}
    case.generator.uniform(0, 6)
    case.generator.split()
    back = {index: case.generator.child(index) for index in reversed(INDICES)}
    for index in INDICES:
        if forth[index] != back[index]:
            return (
                f'child({index}) was {shown(forth[index])}, and after other children and draws '
                f'{shown(back[index])}'
            )
    return None


@law(
    'generators are equal by value',
    'Two generators that were made alike are equal and have equal hashes.',
)
def _by_value(case: GeneratorCase) -> str | None:
    one, two = (case.generator.child(5).uniform(0, 6)[1] for _ in range(2))
    if not one == two or one != two:  # noqa: SIM201 - both are the user's own
        return f'two that were made alike are not equal: {shown(one)}, {shown(two)}'
    if hash(one) != hash(two):
        return f'two equal ones have the hashes {hash(one)} and {hash(two)}'
    if any(bool(one == other) for other in (None, 0, '', ())):
        return f'{shown(one)} equals a value that is not a generator'
    return None


@law(
    'a generator is read back from its pickle',
    'What is pickled comes back equal, with the same hash, and draws the same numbers.',
)
def _pickled(case: GeneratorCase) -> Answer:
    again = asked(lambda: pickle.loads(pickle.dumps(case.generator)))  # noqa: S301 - our own bytes
    if isinstance(again, Raised):
        return Unchecked(f'it cannot be pickled: it {again.text}')
    return reads_back(case.generator, again, 'its pickle')


@law(
    'a generator is read back from its text',
    'The text of a generator, if it has one, is one line that is read as an equal generator.',
)
def _text(case: GeneratorCase) -> Answer:
    if case.text is None:
        return Unchecked(f'no text of a {type(case.generator).__name__} was given')
    write, read = case.text
    text: Any = write(case.generator)
    if not isinstance(text, str) or len(text.splitlines()) != 1:
        return f'is written as {shown(text)}, which is not a line of text'
    again = read(text)
    unwrap = getattr(again, 'unwrap', None)
    return reads_back(case.generator, again if unwrap is None else unwrap(), f'the text {text!r}')


@law(
    'numbers are even',
    'All numbers of a range come about as often: of 2000 draws none is off by 200.',
    scope='start',
)
def _even_numbers(case: GeneratorCase) -> Answer:
    refused = refuses(case.generator, 0, 2**64 - 1)
    return uneven_numbers(case.generator) or (_too_wide(refused) if refused else None)


GENERATOR_LAWS: Final[tuple[Law[GeneratorCase], ...]] = (
    _generator,
    _in_range,
    _unchanged,
    _frozen,
    _any_order,
    _the_same_again,
    _moves_on,
    _whole_range,
    _backwards,
    _halves,
    _children,
    _by_value,
    _pickled,
    _text,
    _even_numbers,
    Law(
        'pairs are even',
        'So do all pairs of numbers that are drawn one after the other.',
        lambda case: uneven_pairs(case.generator),
        scope='start',
    ),
    Law(
        'children are even',
        'So do all numbers that children, one after another, draw first.',
        lambda case: uneven_children(case.generator),
        scope='start',
    ),
)
"""All laws in the order in which they are checked."""


def check_rng(
    generator: Any, *, reached: int = 31, text: Text | None = None
) -> Result[Passed, Breach]:
    """Return whether a generator satisfies the laws of generators, or the first breach.

    The laws are checked for this generator and those reached from it by the fewest operations,
    `reached` in all (31 covers two operations); the line of a breach is these operations. Evenness
    is checked for this generator only; a correct one fails with a probability of less than 10**-14
    (see `_laws.statistics`). `text` is a pair of functions, one that writes a generator and one
    that reads it back (a generator, or `Success` of it); the library's own generators need none.
    Any error that a generator raises is a breach.

    :raises ValueError: `reached` is not a whole number of at least 1.

    >>> from fmcts.rng import SplitMix
    >>> check_rng(SplitMix.from_seed(1), reached=1).unwrap().total
    17
    >>> str(check_rng(7).failure())[:58]
    'a generator has its three methods, at the start: 7 has no '
    """
    number = whole_number('reached', reached)
    if text is None and type(generator) in (SplitMix, StdGen):
        text = written, parse
    first = GeneratorCase(generator, text=text)
    with exploring(lambda: first, GENERATOR_LAWS, to_the_first=True) as run:
        run.look_near(number)
    return run.result()
