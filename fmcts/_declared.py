"""Attributes that a game's class declares itself, as opposed to inheriting them.

Rules on integers and playouts restate what the members of a state say. A subclass that overrides
a member would inherit rules that are no longer true, so they apply only to the class that declares
them.
"""

from __future__ import annotations

from typing import Any

__all__ = ['declared', 'inherited_from']


def declared(state: object, name: str) -> Any:
    """Return the attribute `name` if the state's own class declares it, else `None`.

    >>> class Base:
    ...     compiled = 'rules'
    >>> class Silent(Base): ...
    >>> class Declaring(Base):
    ...     compiled = Base.compiled
    >>> [declared(kind(), 'compiled') for kind in (Base, Silent, Declaring)]
    ['rules', None, 'rules']
    """
    kind = type(state)
    return getattr(kind, name) if name in vars(kind) else None


def inherited_from(state: object, name: str) -> type | None:
    """Return the base class that the attribute `name` is inherited from; `None` if it is not."""
    kinds = type(state).__mro__
    first = next((kind for kind in kinds if name in vars(kind)), None)
    return None if first is kinds[0] else first
