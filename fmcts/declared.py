"""What a game's class declares for itself, as opposed to what it inherits.

Rules on integers and playouts say again what the members of a state say. A subclass that overrides
one of these members would inherit a statement that is no longer true, so both serve only the class
that declares them.
"""

from __future__ import annotations

from typing import Any

__all__ = ['declared', 'inherited_from']


def declared(state: object, name: str) -> Any:
    """The attribute of that name if the state's own class declares it; `None` if it does not.

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
    """The class that the state's own class inherits the attribute from; `None`: it does not."""
    kinds = type(state).__mro__
    first = next((kind for kind in kinds if name in vars(kind)), None)
    return None if first is kinds[0] else first
