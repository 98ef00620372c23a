"""One generator, and what the laws of generators ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import shown
from fmcts.testing._laws.law import OtherwiseError

__all__ = [
    'STREAM',
    'GeneratorCase',
    'Text',
    'alike',
    'drawn',
    'equal_both_ways',
    'numbers',
    'reads_back',
    'refuses',
]

STREAM: Final = 24
"""So many draws of a stream are compared with another's."""

Text = tuple[Callable[[Any], str], Callable[[str], Any]]
"""How a generator is written down, and how it is read back."""


@frozen(eq=False)
class GeneratorCase:
    """A generator, the operations that lead to it, and how to write it down, if that is known."""

    generator: Any
    line: tuple[str, ...] = ()
    text: Text | None = None


def drawn(generator: Any, low: int, high: int) -> tuple[int, Any]:
    """What is drawn of a range, as it must be.

    :raises OtherwiseError: it is no pair of a whole number and a generator.
    """
    pair = generator.uniform(low, high)
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise OtherwiseError(f'uniform({low}, {high}) gave {shown(pair)}, which is no pair')
    number, after = pair
    if not isinstance(number, int) or isinstance(number, bool):
        raise OtherwiseError(f'uniform({low}, {high}) gave {shown(number)}, which is no int')
    if type(after) is not type(generator):
        kind = type(generator).__name__
        raise OtherwiseError(f'uniform({low}, {high}) gave {shown(after)} as the next {kind}')
    return number, after


def refuses(generator: Any, low: int, high: int) -> str | None:
    """How a range is refused: in words, when it is refused as it should be, in one line.

    :raises OtherwiseError: it is refused otherwise.
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
    """The first numbers of its stream.

    They are of a range that each word of a generator serves: of another, words may be passed over,
    so that a stream begins as one does that is further on.
    """

    def stream() -> Iterator[int]:
        following = generator
        while True:
            number, following = drawn(following, 0, 2**20 - 1)
            yield number

    return tuple(islice(stream(), STREAM))


def alike(family: dict[str, Any]) -> str | None:
    """Two of these generators that are equal, or whose streams are."""
    for (name, one), (other, two) in combinations(family.items(), 2):
        if one == two:
            return f'{name} and {other} are equal: {shown(one, 80)}'
        if numbers(one) == numbers(two):
            return f'{name} and {other} differ, and draw the same numbers'
    return None


def equal_both_ways(one: Any, two: Any) -> bool:
    """Whether they are equal, and not unequal too: both may be the user's own."""
    return bool(one == two) and not bool(one != two)


def reads_back(generator: Any, again: Any, how: str) -> str | None:
    """How a generator that was read back, from what `how` says, differs from the one written."""
    if again != generator or hash(again) != hash(generator):
        return f'{how} is read back as {shown(again, 80)}, not as {shown(generator, 80)}'
    if numbers(again) != numbers(generator):
        return f'{how} is read back as one that draws other numbers'
    return None
