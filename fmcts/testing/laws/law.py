"""What a law is, and what comes of checking some: all were kept, or the first breach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen

__all__ = ['Breach', 'Law', 'Passed']

Case_contra = TypeVar('Case_contra', contravariant=True)
"""What a law looks at: a position and the line to it, a bot and a position, a generator."""


@frozen
class Law(Generic[Case_contra]):
    """A promise that can be checked, one case at a time.

    :param name: what the law is called, in a few words; no two laws share one.
    :param sentence: what is promised, as a whole sentence.
    :param found: says in words what breaks the law in a case, or `None` where it is kept.
    """

    name: str
    sentence: str
    found: Callable[[Case_contra], str | None]


@frozen
class Breach:
    """A law that was broken, and where.

    :param law: the name of the law.
    :param expected: its sentence.
    :param found: what was found instead.
    :param line: the moves from the start to where it was found, the fewest there are.

    >>> str(Breach('moves are unique', 'No two moves are equal.', 'the move 3 twice', (0, 4)))
    'moves are unique, after 0, 4: the move 3 twice. Expected: No two moves are equal.'
    """

    law: str
    expected: str
    found: str
    line: tuple[Any, ...] = ()

    def __str__(self) -> str:
        """One line."""
        where = f'after {", ".join(map(str, self.line))}' if self.line else 'at the start'
        return f'{self.law}, {where}: {self.found}. Expected: {self.expected}'


@frozen
class Passed:
    """The laws that were kept.

    :param cases: the name of each law, with the number of cases in which it was looked at.
    :param left_out: the name of each law that was not looked at, or not in all, and why.

    >>> Passed((('moves are unique', 200), ('games end', 10))).total
    210
    """

    cases: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def total(self) -> int:
        """The number of cases of all laws together."""
        return sum(count for _, count in self.cases)
