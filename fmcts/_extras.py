"""Libraries that come with an extra, loaded when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from fmcts.errors import MissingLibraryError


def loaded(module: str, purpose: str, install: str, called: str | None = None) -> Any:
    """Return a module of another library.

    :param purpose: what needs it, as the beginning of a sentence, such as `intervals need`.
    :param install: what pip installs it by.
    :param called: the library's name, if it differs from its module's.
    :raises ImportError: it is installed and cannot be loaded, for want of memory say.
    :raises MissingLibraryError: it is not installed.

    >>> loaded('math', 'roots need', 'fmcts[matches]').sqrt(4)
    2.0
    >>> loaded('no_such_library.roots', 'roots need', 'fmcts[matches]')
    Traceback (most recent call last):
    fmcts.errors.MissingLibraryError: roots need no_such_library: pip install 'fmcts[matches]'
    """
    library = module.partition('.')[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or '').partition('.')[0] != library:
            raise  # a library that this one needs
        name = called or library
        raise MissingLibraryError(f"{purpose} {name}: pip install '{install}'") from error
