"""The source files of the user's modules that games and bots are made of."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from itertools import accumulate
from pathlib import Path

from fmcts._content.own_code import is_own
from fmcts.cli._named import modules_named


def sources_of(specs: Iterable[str]) -> dict[str, bytes]:
    """Return the user's modules that specs need, by their paths from the folder of imports.

    These are the modules that the specs name, what they import anywhere in their text, and loaded
    modules from the same folders, which may have been imported by a computed name.
    """
    named = {name for spec in specs for name in modules_named(spec)}
    found: dict[str, Path] = {}
    waiting = [*named]
    while waiting:
        name = waiting.pop()
        spec = None if name in found else _spec_of(name)
        if spec is not None and _is_source(spec.origin):
            found[name] = Path(str(spec.origin))
            waiting += _imported(found[name], name)
    roots = {_root(found[name]) for name in found if '.' not in name}
    for name, module in [*sys.modules.items()]:
        file = getattr(module, '__file__', None)
        if name != '__main__' and _is_source(file):
            path = Path(str(file))
            if any(path.is_relative_to(root) for root in roots):
                found.setdefault(name, path)
    return {_place(name, path): path.read_bytes() for name, path in sorted(found.items())}


def _is_source(file: str | None) -> bool:
    return file is not None and file.endswith('.py') and is_own(file)


def _spec_of(name: str) -> ModuleSpec | None:
    """Return where a module is found; nothing is imported."""
    top, *rest = accumulate(name.split('.'), '{}.{}'.format)
    spec = PathFinder.find_spec(top)
    for whole in rest:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(whole, spec.submodule_search_locations)
    return spec


def _imported(file: Path, name: str) -> Iterator[str]:
    """Yield the modules that a module may import, with the packages that hold them."""
    package = name if file.name == '__init__.py' else name.rpartition('.')[0]
    for whole in {*_named_in(file, package), name}:
        yield from accumulate(whole.split('.'), '{}.{}'.format)


def _named_in(file: Path, package: str) -> Iterator[str]:
    """Yield the names after `import` and `from`, anywhere in a file; some are no modules."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (it.name for it in node.names)
        if isinstance(node, ast.ImportFrom):
            relative = '.' * node.level + (node.module or '')
            try:
                whole = importlib.util.resolve_name(relative, package)
            except ImportError:  # beyond the top package, in code that never runs
                continue
            yield whole
            yield from (f'{whole}.{it.name}' for it in node.names)


def _root(file: Path) -> Path:
    """Return the folder from which a module without a dot in its name is imported."""
    return file.parent.parent if file.name == '__init__.py' else file.parent


def _place(name: str, path: Path) -> str:
    """Return the path of a module from the folder from which it is imported."""
    whole = name.replace('.', '/')
    return f'{whole}/__init__.py' if path.name == '__init__.py' else f'{whole}.py'
