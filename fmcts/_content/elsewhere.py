"""Work in other processes, which must have the same code and values.

A process imports modules again. Where the program has set a number of a module since, or redefined
a function, the other process would compute something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from fmcts._content.described import comparison_of
from fmcts._content.remembered import keep

Texts: TypeAlias = tuple[tuple[str, str | None], ...]
"""What each value is called, and its text; `None` for a value that has none."""

SAME: Final = 64  # texts of which a process remembers that they are its own

_same: Final[dict[Texts, bool]] = {}


class OtherCodeError(TypeError):
    """Raised in a process where a value differs from the program's."""


def texts_of(values: Mapping[str, object]) -> Texts:
    """Return the texts of values by what they are called, for comparison in another process."""
    return tuple((called, comparison_of(value)) for called, value in values.items())


def expect_same(values: Mapping[str, object], texts: Texts) -> None:
    """Check once that the values are the same in this process; later their memories may differ.

    :raises OtherCodeError: they differ from those that gave the texts.
    """
    if texts in _same:
        return
    for (called, here), (_, there) in zip(texts_of(values), texts, strict=True):
        if here != there:
            raise OtherCodeError(
                f'{called} is different in other processes, which import its module again'
            )
    keep(_same, texts, True, SAME)  # noqa: FBT003 - a set that forgets the oldest
