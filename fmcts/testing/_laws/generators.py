"""Check a generator: a frozen value whose draws return the next generator."""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any, Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown, whole_number
from fmcts.rng import SplitMix, StdGen, _text as texts
from fmcts.testing._laws.evenness import SERVED, uneven_children, uneven_numbers, uneven_pairs
from fmcts.testing._laws.law import Breach, Law, OtherwiseError, Passed, Raised, asked, first_breach
from fmcts.testing._laws.pictures import changes, fields_of, picture
from fmcts.testing._laws.reporting import reporting

STREAM: Final = 24
"""The number of draws of two streams that are compared."""

Text = tuple[Callable[[Any], str], Callable[[str], Any]]
"""The functions that write a generator as text and read it back."""


@frozen(eq=False)
class GeneratorCase:
    """A generator, the operations that lead to it, and its text functions, if known."""

    generator: Any
    line: tuple[str, ...] = ()
    text: Text | None = None


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


def equal_both_ways(one: Any, two: Any) -> bool:
    """Return whether two values are equal by both `==` and `!=`, which may be the user's own."""
    return bool(one == two) and not bool(one != two)


def reads_back(generator: Any, again: Any, how: str) -> str | None:
    """Return how a generator read back differs from the one written, in words."""
    if again != generator or hash(again) != hash(generator):
        return f'{how} is read back as {shown(again, 80)}, not as {shown(generator, 80)}'
    if numbers(again) != numbers(generator):
        return f'{how} is read back as one that draws other numbers'
    return None


NONE: Final = frozenset[str]()
METHODS: Final = ('uniform', 'split', 'child')
RANGES: Final = (
    (0, 0), (7, 7), (-4, -4), (0, 1), (0, 6), (-3, 3), (-10, -4), (1, 2**16), (-(2**30), 2**30 - 1),
    (0, 2**31 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1), (-(2**70), 2**70),
)  # fmt: skip
INDICES: Final = (*range(12), 1000, 2**20, 2**31 - 1)


def _generator(case: GeneratorCase) -> str | None:
    lacking = [name for name in METHODS if not callable(getattr(case.generator, name, None))]
    return f'{shown(case.generator)} has no {", ".join(lacking)}' if lacking else None


def _in_range(case: GeneratorCase) -> str | None:
    for low, high in RANGES:
        if high - low >= SERVED and refuses(case.generator, low, high):
            continue
        generator = case.generator
        for _ in range(8):
            number, generator = drawn(generator, low, high)
            if not low <= number <= high:
                return f'uniform({low}, {high}) gave {number}'
    return None


def _whole_range(case: GeneratorCase) -> str | None:
    for low, high in ((0, 1), (0, 2), (-1, 1), (-5, -3)):
        left, generator = {*range(low, high + 1)}, case.generator
        for _ in range(400):  # with three numbers one is missed once in 10**70 times
            number, generator = drawn(generator, low, high)
            left.discard(number)
        if left:
            return f'in 400 draws uniform({low}, {high}) never gave {min(left)}'
    return None


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


def _unchanged(case: GeneratorCase) -> str | None:
    before = picture(case.generator, 'the generator', NONE)
    for name, ask in (
        ('uniform(0, 6)', lambda: case.generator.uniform(0, 6)),
        ('split()', case.generator.split),
        ('child(3)', lambda: case.generator.child(3)),
    ):
        ask()
        changed = next(changes(before, NONE), None)
        if changed is not None:
            return f'{name}: {changed}'
    return None


def _frozen(case: GeneratorCase) -> str | None:
    for name, value in fields_of(case.generator).items():
        if not isinstance(asked(setattr, case.generator, name, value), Raised):
            return f'its field {name} can be set'
    return None


def _the_same_again(case: GeneratorCase) -> str | None:
    first, second = _answers(case.generator), _answers(case.generator)
    for name, answer in first.items():
        if answer != second[name]:
            return f'{name} gave {shown(answer, 80)}, and asked again {shown(second[name], 80)}'
    return None


def _moves_on(case: GeneratorCase) -> str | None:
    generator, seen = case.generator, [case.generator]
    for _ in range(STREAM):
        _, generator = drawn(generator, 0, 6)
        if generator in seen:
            return f'after {len(seen)} draws of uniform(0, 6) it is again {shown(generator, 80)}'
        seen.append(generator)
    return None


def _halves(case: GeneratorCase) -> str | None:
    halves = case.generator.split()
    if not isinstance(halves, tuple) or len(halves) != 2:
        return f'split() gave {shown(halves)}, which is not a pair'
    left, right = halves
    family = {'the generator': case.generator, 'its left half': left, 'its right half': right}
    return alike(family)


def _children(case: GeneratorCase) -> str | None:
    left, right = case.generator.split()
    family = {f'child({index})': case.generator.child(index) for index in INDICES}
    others = {'the generator': case.generator, 'its left half': left, 'its right half': right}
    return alike({**others, **family})


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


def _by_value(case: GeneratorCase) -> str | None:
    one, two = (case.generator.child(5).uniform(0, 6)[1] for _ in range(2))
    if not equal_both_ways(one, two):
        return f'two that were made alike are not equal: {shown(one)}, {shown(two)}'
    if hash(one) != hash(two):
        return f'two equal ones have the hashes {hash(one)} and {hash(two)}'
    if any(bool(one == other) for other in (None, 0, '', ())):
        return f'{shown(one)} equals a value that is not a generator'
    return None


def _pickled(case: GeneratorCase) -> str | None:
    again = asked(lambda: pickle.loads(pickle.dumps(case.generator)))  # noqa: S301 - our own bytes
    if isinstance(again, Raised):
        return None  # `left_out` reports it
    return reads_back(case.generator, again, 'its pickle')


def _text(case: GeneratorCase) -> str | None:
    if case.text is None:
        return None
    write, read = case.text
    text: Any = write(case.generator)
    if not isinstance(text, str) or len(text.splitlines()) != 1:
        return f'is written as {shown(text)}, which is not a line of text'
    again = read(text)
    unwrap = getattr(again, 'unwrap', None)
    return reads_back(case.generator, again if unwrap is None else unwrap(), f'the text {text!r}')


PICKLED: Final = Law(
    'a generator is read back from its pickle',
    'What is pickled comes back equal, with the same hash, and draws the same numbers.',
    _pickled,
)
TEXT: Final = Law(
    'a generator is read back from its text',
    'The text of a generator, if it has one, is one line that is read as an equal generator.',
    _text,
)
LAWS: Final[tuple[Law[GeneratorCase], ...]] = (
    Law(
        'a generator has its three methods',
        'A generator has uniform(low, high), split() and child(index).',
        _generator,
    ),
    Law(
        'a draw lies in its range',
        'uniform(low, high) gives a pair: an int from low to high, both included, and the next '
        'generator of the same class; or, of more than 2**31 numbers, refuses in one line.',
        _in_range,
    ),
    Law(
        'a draw leaves the generator as it was',
        'uniform, split and child change nothing in the generator that they are asked of.',
        _unchanged,
    ),
    Law('a generator is frozen', 'The fields of a generator cannot be set.', _frozen),
    Law(
        'a child depends on its index alone',
        'child(i) of a generator is the same in whatever order children are asked for, and '
        'whatever was drawn before.',
        _any_order,
    ),
    Law(
        'a draw can be made again',
        'The same generator gives the same number and the same next generator, halves, children.',
        _the_same_again,
    ),
    Law(
        'a draw moves on',
        'Where two numbers or more may be drawn, the next generator is one that was not there yet.',
        _moves_on,
    ),
    Law(
        'every number of a range is drawn',
        'Both bounds of a range are drawn, and what lies between.',
        _whole_range,
    ),
    Law(
        'bounds in the wrong order',
        'With the higher bound first a draw is the same, or is refused in one line.',
        _backwards,
    ),
    Law(
        'halves of a split differ',
        'split gives two generators that differ, in their streams too, from each other and the '
        'generator.',
        _halves,
    ),
    Law(
        'children differ',
        'child(i) differs, in its stream too, from the generator, its halves and other children.',
        _children,
    ),
    Law(
        'generators are equal by value',
        'Two generators that were made alike are equal and have equal hashes.',
        _by_value,
    ),
    PICKLED,
    TEXT,
)
"""The laws that are checked for every generator reached."""

EVEN: Final[tuple[Law[GeneratorCase], ...]] = (
    Law(
        'numbers are even',
        'All numbers of a range come about as often: of 2000 draws none is off by 200.',
        lambda case: uneven_numbers(case.generator),
    ),
    Law(
        'pairs are even',
        'So do all pairs of numbers that are drawn one after the other.',
        lambda case: uneven_pairs(case.generator),
    ),
    Law(
        'children are even',
        'So do all numbers that children, one after another, draw first.',
        lambda case: uneven_children(case.generator),
    ),
)
"""The laws that are checked once."""

GENERATOR_LAWS: Final = (*LAWS, *EVEN)
"""All laws in the order in which they are checked."""


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
        breach = first_breach(LAWS, case, case.line)
        if breach is not None:
            return Failure(breach)
    breach = first_breach(EVEN, first)
    return Success(_passed(cases)) if breach is None else Failure(breach)


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
        why = f'of more than {SERVED} numbers some are refused: uniform(0, 2**64 - 1) {wide.text}'
        left_out += [(law, why) for law in ('a draw lies in its range', 'numbers are even')]
    return Passed(tuple(looked_at.items()), tuple(left_out))
