"""`MODULE:NAME`: a user's own games and bots, found in their modules.

The current directory is where modules are looked for first, as `python -m` does.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts.arguments import cut, shown

__all__ = ['load_named']

DOTTED: Final = r'[^\W\d]\w*(?:\.[^\W\d]\w*)*'
NAMED: Final = re.compile(rf'({DOTTED}):({DOTTED})')
LONGEST: Final = 200  # characters of an error's own message


def load_named(text: str) -> Result[object, str]:
    """The value that MODULE:NAME names, or one line that says what was wrong.

    The module is imported: an effect, as far as it has any.
    """
    named = NAMED.fullmatch(text.strip())
    if named is None:
        return Failure(f'{shown(text)}: expected MODULE:NAME, such as mygame:start')
    return _imported(named[1]).bind(lambda module: _attribute(module, named[2]))


def _imported(name: str) -> Result[Any, str]:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()
    try:
        return Success(importlib.import_module(name))
    except ModuleNotFoundError as error:
        if error.name is not None and f'{name}.'.startswith(f'{error.name}.'):
            return Failure(f'there is no module {error.name}, neither in {here} nor installed')
        return Failure(f'the module {name} cannot be imported: {_told(error)}')
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a module does
        return Failure(f'the module {name} cannot be imported: {_told(error)}')


def _attribute(module: Any, name: str) -> Result[object, str]:
    value = module
    for part in name.split('.'):
        try:
            value = getattr(value, part)
        except AttributeError:
            return Failure(f'the module {module.__name__} has no {name}')
    return Success(value)


def _told(error: BaseException) -> str:
    text = cut(str(error), LONGEST)
    return f'{type(error).__name__}: {text}' if text else type(error).__name__
