"""The name of machine code: a hash of everything that it is made of.

numba's own disk cache looks at one source file and would go on serving the code of rules that have
since changed elsewhere. Here the byte code in memory of every function reached counts, with its
constants and the values that it names; comments and line numbers do not, and no file is read.
"""

from __future__ import annotations

import platform
import sys
import types

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import config

from fmcts.search.compiled.cache.naming import Naming, UnknownValueError
from fmcts.search.compiled.cache.stated import Statements

__all__ = ['UnknownValueError', 'fingerprint']


def _surroundings() -> str:
    """The versions, the processor and numba's settings."""
    config.reload_config()  # as numba does when it compiles
    settings = [
        (name, value)
        for name, value in sorted(vars(config).items())
        if name.isupper() and isinstance(value, str | int | float | None)
        # How many processors a process may use changes nothing in what is compiled for one.
        if not name.endswith('NUM_THREADS')
    ]
    return repr(
        (
            (sys.implementation.cache_tag, sys.version, platform.machine()),
            (numba.__version__, llvmlite.__version__, np.__version__),
            (llvm.get_process_triple(), llvm.get_host_cpu_name()),
            llvm.get_host_cpu_features().flatten(),
            settings,
        )
    )


def fingerprint(function: types.FunctionType, *options: object) -> str:
    """A hash of a function and `options`, of all that they reach, and of what compiles them.

    :raises UnknownValueError: something reached has no sound name.
    """
    statements = Statements.now()
    naming = Naming(statements)
    naming.put(_surroundings())
    naming.unordered(statements.own)
    naming.visit(function)
    naming.visit(options)
    return naming.sum.hexdigest()
