"""Attributes that a class declares itself, as opposed to inheriting them.

Rules on integers and playouts restate what the members of a state say. A subclass that overrides
a member would inherit rules that are no longer true, so they apply only to the class that declares
them. A class of this library also declares by which strategy Hypothesis draws its values; that
loads neither Hypothesis nor, when Hypothesis is loaded first, any more of the library than this. A
value declares by which function notebooks show it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any, Final, TypeVar

Kind = TypeVar('Kind', bound=type)
Part = TypeVar('Part')

STRATEGIES: Final[dict[type, str]] = {}
"""The function of `fmcts.testing._strategies` that draws values of each class."""


def drawn_by(name: str) -> Callable[[Kind], Kind]:
    """Return a decorator that names the strategy with which Hypothesis draws values of a class."""

    def declare(kind: Kind) -> Kind:
        STRATEGIES[kind] = name
        strategies = sys.modules.get('hypothesis.strategies')
        # While Hypothesis itself is being loaded the module is there, and this function is not yet.
        if hasattr(strategies, 'register_type_strategy'):
            _register(kind)
        return kind

    return declare


def register() -> None:
    """Register the strategies of the classes that are loaded; Hypothesis calls this when it loads.

    It is the entry point that Hypothesis documents for that ("Registering strategies via setuptools
    entry points"). Classes that are loaded later register theirs themselves.
    """
    for kind in STRATEGIES:
        _register(kind)


def _register(kind: type) -> None:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is loaded when this is called

    def made(_kind: Any) -> Any:
        return getattr(import_module('fmcts.testing._strategies'), STRATEGIES[kind])()

    st.register_type_strategy(kind, made)


def itself(value: Part, _memo: object) -> Part:
    """Return a value: the `__deepcopy__` of a class of this library whose values never change.

    The laws of games look no further into them, large as they may be.
    """
    return value


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
    # By `getattr`: what `vars` has may be a descriptor, such as a static method, and not what it
    # gives.
    return getattr(kind, name) if name in vars(kind) else None


def named(scope: Mapping[str, Any], base: type[Part]) -> dict[str, type[Part]]:
    """Return the classes in a module's `scope` that extend `base` and declare a `name`, by it.

    If the module is a package, those in its modules follow: a file in the folder is enough.

    >>> class Base:
    ...     name = ''
    >>> class One(Base):
    ...     name = 'one'
    >>> class Two(One): ...
    >>> named({'Base': Base, 'Two': Two, 'One': One}, Base) == {'one': One}
    True
    """
    within = iter_modules(scope.get('__path__', ()))
    scopes = [scope, *(vars(import_module(f'{scope["__name__"]}.{it.name}')) for it in within)]
    values = chain.from_iterable(each.values() for each in scopes)
    kinds = [it for it in values if isinstance(it, type) and issubclass(it, base)]
    # A class that only inherits its name would else take the place of the one that has it.
    return {vars(kind)['name']: kind for kind in kinds if vars(kind).get('name')}


def shown_by(function: str) -> Callable[[Any], str]:
    """Return a method that shows a value in notebooks, by a function of `fmcts.view`.

    It is loaded when a notebook asks for it, as values do not import the pictures of them.
    `function` has its module, such as `_notebook.match_html`.
    """
    module, _, name = function.rpartition('.')

    def show(value: Any) -> str:
        """Return the value as HTML or SVG."""
        return str(getattr(import_module(f'fmcts.view.{module}'), name)(value))

    return show


def inherited_from(state: object, name: str) -> type | None:
    """Return the base class that the attribute `name` is inherited from; `None` if it is not."""
    kinds = type(state).__mro__
    first = next((kind for kind in kinds if name in vars(kind)), None)
    return None if first is kinds[0] else first
