"""The global generators of a process, which pure functions must not use."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Iterator


def _named_states() -> Iterator[tuple[str, object]]:
    yield "the global generator of Python's module random", random.getstate()
    numpy_random = sys.modules.get('numpy.random')
    if numpy_random is not None:
        state = numpy_random.get_state(legacy=False)  # holds arrays, which are compared as bytes
        yield "NumPy's global generator", pickle.dumps(state)


def state_of_generators() -> dict[str, object]:
    """Return the states of the global generators: `random`'s, and NumPy's if it is loaded."""
    return dict(_named_states())


def moved_on(before: dict[str, object]) -> str | None:
    """Return which of them has been drawn from or seeded since, in words, or `None`."""
    now = state_of_generators()
    changed = [name for name, state in before.items() if now[name] != state]
    return f'{" and ".join(changed)} was drawn from or seeded' if changed else None
