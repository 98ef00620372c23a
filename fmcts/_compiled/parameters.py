"""The replacement of `self` in the formulas of a method, a table or a policy."""

from __future__ import annotations

import functools
from collections import namedtuple
from typing import Any

from fmcts._numba.intrinsics import inlined, int64
from fmcts._numba.whole import whole
from fmcts.search._functions import Parametric


def parameters_of(given: Parametric) -> Any:
    """Return `parameters(*numbers)`, which makes the replacement of `self`, a named tuple.

    Its arguments are doubles; those that are integers in `given` are converted back.
    """
    return _numbers(type(given).__name__, tuple(given.parameters), given.integers)


@functools.lru_cache(maxsize=1 << 10)
def _numbers(name: str, parameters: tuple[str, ...], integers: tuple[str, ...]) -> Any:
    """Return one class for all values of a kind, so that they share compiled code."""
    named: Any = namedtuple  # noqa: PYI024 - the names are known only now
    made = named(name, parameters)
    if not integers:
        return made
    arguments = ', '.join(f'number{place}' for place in range(len(parameters)))
    fields = ', '.join(
        f'whole(int64(number{place}))' if each in integers else f'number{place}'
        for place, each in enumerate(parameters)
    )
    names: dict[str, Any] = {'make': made, 'whole': whole, 'int64': int64}
    exec(f'def parameters({arguments}):\n    return make({fields})', names)  # noqa: S102 - one for each width
    return inlined(names['parameters'])
