"""A generator, and the answers that the laws of generators need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import shown
from fmcts.testing._laws.law import OtherwiseError

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
