"""What Hypothesis calls when it is loaded, so that types of this library have strategies.

`st.builds`, `st.from_type` and `@given(...)` with annotations find them then. It is the entry point
that Hypothesis documents for that ("Registering strategies via setuptools entry points"); nothing
here loads Hypothesis itself, and its strategies are made when they are asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

__all__ = ['STRATEGIES', 'register']

STRATEGIES: Final = {
    'fmcts.rng._splitmix.SplitMix': 'splitmixes',
    'fmcts.rng._stdgen.StdGen': 'stdgens',
    'fmcts.search._description.Search': 'searches',
    'fmcts.testing._drawn.Drawn': 'games',
    'fmcts.testing._grammar.Formula': 'formulas',
}
"""For each type by which function of `fmcts.testing._strategies` its values are drawn."""


def register() -> None:
    """Register a strategy for each of the types, which is made when it is first asked for."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is loaded when it calls this

    for where, name in STRATEGIES.items():
        module, _, kind = where.rpartition('.')
        st.register_type_strategy(getattr(importlib.import_module(module), kind), _drawn_by(name))


def _drawn_by(name: str) -> Callable[[Any], Any]:
    return lambda _kind: getattr(importlib.import_module('fmcts.testing._strategies'), name)()
