"""The sizes of a family's boards, judged."""

from __future__ import annotations

from fmcts.arguments import shown

__all__ = ['between']


def between(what: str, given: object, least: int, most: int) -> None:
    """Nothing, when `given` is a whole number from `least` to `most`.

    :raises ValueError: it is something else.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f'{what}: expected {least} to {most}, not {shown(given)}')
