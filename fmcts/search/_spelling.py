"""Misspelt names: in a user's class, where a search would ignore them, and in a formula."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any, Final, NoReturn

import attrs

from fmcts._content.described import OWN, names_in
from fmcts.errors import MethodError
from fmcts.search._checks import did_you_mean

CLOSE: Final = 0.8
"""The least similarity (`difflib`) of a misspelt name."""


def check_defined(part: Any, base: type, called: str, *names: str) -> None:
    """Check that the class of `part` defines these functions, which `base` only describes.

    :raises MethodError: it does not define one; the error calls the part `called`.
    """
    for name in names:
        function: Any = getattr(base, name)
        if getattr(type(part), name) is function:
            code = function.__code__
            arguments = ', '.join(code.co_varnames[: code.co_argcount])
            raise MethodError(f'{called} has no {name}({arguments})')


def check_spelling(part: object, called: str, names: Sequence[str]) -> None:
    """Check that the class of `part` has no name that looks like a misspelling of one in `names`.

    `names` are those that a search reads; an error calls the part `called`. Fields, names that
    begin with an underscore and names that a function of the class uses are the class's own.

    :raises MethodError: it has one; the message says which name is close to it.
    """
    kind: Any = type(part)
    classes = classes_of_user(kind)
    if not classes:
        return
    known = {name for scope in kind.__mro__ if scope not in classes for name in vars(scope)}
    known |= {field.name for field in attrs.fields(kind)} if attrs.has(kind) else set()
    for scope in classes:
        missing = [name for name in names if name not in vars(scope)]
        for name in sorted(vars(scope).keys() - known - {*names}):
            close = () if name.startswith('_') else _close(name, missing)
            if close and name not in _names_used(classes):
                is_called = callable(vars(scope)[name])
                does, own = ('calls', 'Functions') if is_called else ('reads', 'Names')
                raise MethodError(
                    f'{called} has {name}, which no search {does}: did you mean {close[0]}? '
                    f'({own} of your own begin with an underscore.)'
                )


def classes_of_user(kind: type) -> list[type]:
    """Return the class and those it inherits from, without those of this library."""
    return [
        each
        for each in kind.__mro__
        if each is not object and str(each.__module__).partition('.')[0] != OWN
    ]


def _close(name: str, names: Sequence[str]) -> list[str]:
    """Return the name closest to this one, if any is close: similar, or its plural or singular."""
    alike = [each for each in names if _singular(each) == _singular(name)]
    return alike[:1] or difflib.get_close_matches(name, names, n=1, cutoff=CLOSE)


def _singular(name: str) -> str:
    """Return a noun without the ending of its plural.

    >>> _singular('memories'), _singular('columns'), _singular('table')
    ('memory', 'column', 'table')
    """
    return f'{name[:-3]}y' if name.endswith('ies') else name.removesuffix('s')


def _names_used(classes: Iterable[type]) -> set[str]:
    """Return the names in the code of the functions and properties of these classes."""
    values = (value for each in classes for value in vars(each).values())
    functions = (function for value in values for function in _functions(value))
    return {name for function in functions for name in names_in(function.__code__)}


def _functions(value: Any) -> Iterator[FunctionType]:
    wrapped = (getattr(value, name, None) for name in ('__func__', 'fget', 'func'))
    yield from (each for each in (value, *wrapped) if isinstance(each, FunctionType))


def no_field(fields: Sequence[str], called: str, name: str) -> NoReturn:
    """Raise `AttributeError` for a `name` that is not one of the fields of an argument.

    :raises AttributeError: always; the message calls the argument `called` and names its fields.
    """
    raise AttributeError(
        f'{called} has no {name}: it has {", ".join(fields)}{did_you_mean(name, tuple(fields))}'
    )


def with_clear_error(kind: Any, called: str) -> Any:
    """Return the class of named tuples; an attribute that it does not have raises `no_field`."""
    kind.__getattr__ = lambda row, name: no_field(row._fields, called, name)
    return kind
