"""Refuse by name what machine code may compute otherwise than Python, in users' functions.

Of `math` and NumPy, the functions listed here give the same numbers compiled as in Python. Others
do not: `math.gamma` is another algorithm, NumPy adds up arrays in pairs and has an `exp` of its
own, and the order of the terms of a product of matrices is up to a library.
"""

from __future__ import annotations

import builtins
import math
import operator
import types
from typing import Any, Final

import numpy as np
from numba.core.errors import TypingError

OTHERWISE: Final = 'machine code may compute it otherwise than Python'

LISTED: Final = {
    'math': (
        'acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 '
        'fabs floor frexp gcd isfinite isinf isnan ldexp log log10 log1p log2 pow radians sin sinh '
        'sqrt tan tanh trunc'
    ),
    'numpy': (
        'abs absolute add all amax amin any arange argmax argmin around array asarray bitwise_and '
        'bitwise_not bitwise_or bitwise_xor ceil concatenate copy copysign count_nonzero divide '
        'empty empty_like equal fabs flatnonzero floor full full_like greater greater_equal invert '
        'isfinite isinf isnan left_shift less less_equal logical_and logical_not logical_or '
        'logical_xor max min multiply negative nonzero not_equal ones ones_like positive ravel '
        'reshape right_shift rint round signbit sqrt square subtract transpose true_divide trunc '
        'where zeros zeros_like'
    ),
}
REFUSED: Final = (pow, divmod, sum, complex, operator.matmul, operator.imatmul)
UNLISTED: Final = ('cmath', 'random', 'time', 'secrets', 'statistics')
METHODS: Final = ('cumprod', 'cumsum', 'dot', 'mean', 'prod', 'round', 'std', 'sum', 'trace', 'var')
"""Methods of arrays."""

ROUNDING: Final = (round, np.round, np.around)


def refuse_value(value: object, name: str, loc: Any) -> None:
    """Refuse a constant, global or function that is not as in Python; `name`: as it is written.

    :raises TypingError: the value is refused.
    """
    if type(value) is tuple:
        for each in value:
            refuse_value(each, name, loc)
    elif isinstance(value, complex) or _is_narrow(value):
        kind = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
        raise _refused(f'{name} ({kind})', loc)
    elif callable(value) and not _is_listed(value):
        raise _refused(_dotted(value), loc)


def refuse_method(name: str, loc: Any) -> None:
    """Refuse to call a method of this name.

    :raises TypingError: it is a method of arrays that adds or multiplies.
    """
    if name in METHODS:
        raise _refused(f'.{name}() of an array', loc)


def refuse_operator(function: Any, loc: Any) -> None:
    """Refuse `@`.

    :raises TypingError: it is that operator.
    """
    if function in (operator.matmul, operator.imatmul):
        raise _refused('@', loc)


def refuse_rounding(function: Any, count: int, loc: Any) -> None:
    """Refuse to round to digits: Python rounds the decimal number.

    :raises TypingError: `function` rounds, and has more than one argument.
    """
    if count > 1 and any(function is each for each in ROUNDING):
        raise _refused(f'{_dotted(function)} to digits', loc)


def _refused(what: str, loc: Any) -> TypingError:
    return TypingError(f'{what}: {OTHERWISE}', loc=loc)


def _is_narrow(value: object) -> bool:
    """Return whether these are NumPy's floats of other than 64 bits, whose sums NumPy rounds so."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in 'fc' and value.dtype != np.float64
    kind = value if isinstance(value, type) else type(value)
    return issubclass(kind, np.inexact) and kind is not np.float64


def _is_listed(function: Any) -> bool:
    if any(function is each for each in REFUSED):
        return False
    if isinstance(function, type):
        return True
    package = _module_of(function).partition('.')[0]
    if package not in (*LISTED, *UNLISTED):
        return True
    home = {'math': math, 'numpy': np}.get(package)
    names = LISTED.get(package, '').split()
    return any(getattr(home, name, None) is function for name in names)


def _module_of(function: Any) -> str:
    """Return the name of the module of a function; of a method, that of its object's class."""
    owner = getattr(function, '__self__', None)
    if isinstance(owner, types.ModuleType):
        return owner.__name__
    if owner is not None:
        return type(owner).__module__
    if isinstance(function, np.ufunc):
        return np.__name__
    return str(getattr(function, '__module__', None))


def _dotted(function: Any) -> str:
    """Return the name of a function, with its module unless it is a builtin function."""
    module, name = _module_of(function), getattr(function, '__name__', repr(function))
    return name if module == builtins.__name__ else f'{module.lstrip("_")}.{name}'
