"""Find the user's own code: not Python's, not an installed package's, not this library's."""

from __future__ import annotations

import functools
import sys
import sysconfig
from pathlib import Path
from typing import Final

PATHS: Final = sysconfig.get_paths()
STDLIB: Final = Path(PATHS['stdlib'])
NOT_OWN: Final = (
    Path(__file__).parents[1],
    *{Path(PATHS[kind]) for kind in ('stdlib', 'platstdlib', 'purelib', 'platlib')},
)
SITE: Final = frozenset(('site-packages', 'dist-packages'))
"""The names of folders of installed packages: the environment's, a user's, the system's."""


def is_user_code(filename: str) -> bool:
    """Return whether the file, as named by a traceback or a module, is the user's own.

    >>> home = '/home/ann'
    >>> is_user_code(f'{home}/game.py'), is_user_code(f'{home}/lib/site-packages/a.py')
    (True, False)
    """
    if filename.startswith('<'):
        return False
    path = Path(filename)
    return not (
        any(path.is_relative_to(folder) for folder in NOT_OWN)
        or SITE.intersection(path.parts)
        or any(path.is_relative_to(entry) for entry in sys.path if _holds_packages(entry))
    )


@functools.cache
def _holds_packages(entry: str) -> bool:
    """Return whether packages were installed into that folder, as by `pip install --target`."""
    return bool(entry) and Path(entry) != Path.cwd() and any(Path(entry).glob('*.dist-info'))
