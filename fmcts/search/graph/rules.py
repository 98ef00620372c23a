"""The names of the rules by which a graph is backed up, and what they do not go with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from fmcts.search.methods import Method

__all__ = ['Transpositions', 'unable']

Transpositions: TypeAlias = Literal['sound', 'naive']
"""See `fmcts.search.graph`."""


def unable(method: Method, settles: str | None) -> str | None:
    """Why a search by this method cannot be one of a graph, in one line; `None`: it can.

    `settles` is the option that settles nodes, if one does.
    """
    name = type(method).__name__
    if settles is not None:
        return (
            f'transpositions and {settles} exclude each other: what is settled is kept for who '
            'moved to a node, and a state of a graph has no one parent'
        )
    if method.columns:
        return (
            f'transpositions and the selection {name} exclude each other: it keeps '
            f'{", ".join(method.columns)} for each child, and a state of a graph has no one parent'
        )
    if method.traces:
        return (
            f'transpositions and the selection {name} exclude each other: it keeps what was played '
            'after a move, and in a graph that depends on the way'
        )
    if method.counted != 1:
        return (
            f'transpositions and the selection {name} exclude each other: a graph has logarithms '
            'of 1 + visits'
        )
    return None
