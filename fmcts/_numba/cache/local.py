"""Names of functions by their content, valid in this process only. Nothing here needs numba."""

from __future__ import annotations

import types
from typing import Any

from fmcts._content.naming import Naming, UnknownValueError
from fmcts._content.reached import is_of_library
from fmcts._content.remembered import remembered_while
from fmcts._content.stamps import Stamp
from fmcts.rules import OnPositions


def local_name(value: object) -> str:
    """Return a name shared by functions with the same code over the same values.

    `OnPositions` has the name of its function; any other value has the name of its class.
    """
    if isinstance(value, OnPositions):
        value = value.function
    return _named(value)[0] if isinstance(value, types.FunctionType) else type(value).__qualname__


@remembered_while(lambda function: Stamp(function, compiled=True))
def _named(function: types.FunctionType) -> tuple[str, list[object]]:
    naming = LocalNaming()
    naming.visit(function)
    return naming.sum.hexdigest(), naming.kept


class LocalNaming(Naming):
    """Names values without a reliable name by identity; `kept` must live as long as the name."""

    def __init__(self, kept: list[object] | None = None) -> None:
        super().__init__()
        self.kept: list[object] = [] if kept is None else kept

    def apart(self) -> Naming:
        """Return a new, empty walk of the same kind."""
        return type(self)(self.kept)

    def visit(self, value: Any) -> None:
        """Write a value, by its identity if necessary."""
        try:
            super().visit(value)
        except UnknownValueError:  # a user's object, which numba refuses or knows by identity
            self.kept.append(value)
            self.put(f'object {id(value)}')

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function; for one of this library, only its code and closure."""
        if not is_of_library(function):
            super().visit_function(function)
            return
        if self.again(function):
            return
        self.kept.append(function)
        self.put(f'own {id(function.__code__)}')
        for cell in function.__closure__ or ():
            try:
                self.visit(cell.cell_contents)
            except ValueError:
                self.put('no value yet')

    def visit_type(self, value: Any) -> None:
        """Write a class, which numba knows by its identity."""
        self.kept.append(value)
        self.put(f'class {id(value)}')

    def visit_named_tuple(self, kind: Any) -> None:
        """Write the class of a named tuple."""
        self.visit_type(kind)
