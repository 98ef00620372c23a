"""Work in other processes, which import modules again and may find other code or values there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from fmcts._content.described import content_of

Texts: TypeAlias = tuple[tuple[str, str | None], ...]
"""What each value is called, and its text; `None` for a value that has none."""

SAME: Final = 64  # texts of which a process remembers that they are its own

_same: Final[set[Texts]] = set()


class OtherCodeError(TypeError):
    """Raised in a process where a value differs from the program's."""


def texts_of(values: Mapping[str, object]) -> Texts:
    """Return the texts of values by what they are called, for comparison in another process."""
    texts = ((called, content_of(value)) for called, value in values.items())
    return tuple((called, text if isinstance(text, str) else None) for called, text in texts)


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
    if len(_same) == SAME:
        _same.clear()
    _same.add(texts)
