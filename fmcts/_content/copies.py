"""Copies of functions, and of the functions and modules that they name."""

from __future__ import annotations

import builtins
import types
from typing import Any

from fmcts._content.reached import KNOWN, names_in, reached


class Copies:
    """Copies of functions and of what they name, each made once.

    A subclass defines in `of` which values are replaced or kept instead of copied, and in `finish`
    what to do with each new copy. Only the members of modules that functions name are copied.
    """

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}
        self.kept: list[Any] = []  # keeps the values alive, so that addresses stay unique

    def of(self, value: Any) -> Any:
        """Return the copy of a function, module or tuple; the value itself if it is another."""
        if id(value) in self.made:
            return self.made[id(value)]
        self.kept.append(value)
        if isinstance(value, types.ModuleType) and value.__name__ not in KNOWN:
            return self._module(value)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        return tuple(map(self.of, value)) if type(value) is tuple else value

    def finish(self, copy: types.FunctionType) -> None:
        """Process a complete copy."""

    def _module(self, module: types.ModuleType) -> types.ModuleType:
        """Return a stand-in for a module, to which named members are added later."""
        copy = self.made[id(module)] = types.ModuleType(module.__name__)
        self.made[id(copy)] = copy
        vars(copy).update(vars(module))
        return copy

    def function(self, function: types.FunctionType) -> types.FunctionType:
        """Return the copy of a function that has none yet."""
        there, named = function.__globals__, {*names_in(function.__code__), '__name__'}
        names = {name: there[name] for name in named if name in there}
        names['__builtins__'] = there.get('__builtins__', builtins)
        cells = {name: types.CellType() for name in function.__code__.co_freevars}
        copy = self.made[id(function)] = types.FunctionType(
            function.__code__, names, function.__name__, None, (*cells.values(),)
        )
        copy.__module__ = function.__module__
        copy.__qualname__ = function.__qualname__
        closure = dict(zip(cells, function.__closure__ or (), strict=True))
        for name in function.__code__.co_names:
            if isinstance(names.get(name), types.ModuleType):
                names[name] = self.of(names[name])  # a member of a module seen before
        for dotted, value in reached(function):
            name, *members = dotted.split('.')
            if name in cells:
                copied = cells[name].cell_contents = self.of(closure[name].cell_contents)
            elif name in names:
                copied = names[name] = self.of(function.__globals__[name])
            else:  # a default
                continue
            for member in members[:-1]:
                inner = self.of(getattr(copied, member))
                setattr(copied, member, inner)
                copied = inner
            if members:
                setattr(copied, members[-1], self.of(value))
        copy.__defaults__ = self.of(function.__defaults__)
        if function.__kwdefaults__:
            copy.__kwdefaults__ = {
                name: self.of(value) for name, value in function.__kwdefaults__.items()
            }
        self._rebind_modules()
        self.finish(copy)
        return copy

    def _rebind_modules(self) -> None:
        """Make modules name the stand-ins of others, however each module was reached first."""
        made = self.made.values()
        for stand_in in [each for each in made if isinstance(each, types.ModuleType)]:
            for name, value in [*vars(stand_in).items()]:
                if isinstance(value, types.ModuleType) and id(value) in self.made:
                    setattr(stand_in, name, self.made[id(value)])
