"""The function that Hypothesis calls when it is loaded, to register this library's types.

`st.builds`, `st.from_type` and `@given(...)` with annotations then find strategies for them. It is
the entry point that Hypothesis documents ("Registering strategies via setuptools entry points").
This module does not load Hypothesis, and strategies are made when first used.
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
"""For each type the function of `fmcts.testing._strategies` that draws its values."""


def register() -> None:
    """Register a strategy for each of the types, made when first used."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is loaded when it calls this

    for where, name in STRATEGIES.items():
        module, _, kind = where.rpartition('.')
        st.register_type_strategy(getattr(importlib.import_module(module), kind), _drawn_by(name))


def _drawn_by(name: str) -> Callable[[Any], Any]:
    return lambda _kind: getattr(importlib.import_module('fmcts.testing._strategies'), name)()
