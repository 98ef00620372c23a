"""A plugin of pytest: a test with an argument `scripted_tree` runs once for each of 100 trees.

    def test_my_search(scripted_tree):
        assert difference(scripted_tree, DIALECT, my_trace(scripted_tree)) is None

A difference is shown in one line.
"""

from __future__ import annotations

from typing import Any

from fmcts.conformance._traces import Difference
from fmcts.conformance._trees import trees
from fmcts.rng import SplitMix


def pytest_generate_tests(metafunc: Any) -> None:
    """Give the argument `scripted_tree` its trees, the smallest first."""
    if 'scripted_tree' in metafunc.fixturenames:
        drawn = [*trees(SplitMix.from_seed(1), 100, each=5)]
        names = [f'{tree.size}-{number % 5}' for number, tree in enumerate(drawn)]
        metafunc.parametrize('scripted_tree', drawn, ids=names)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Show a difference that a test found."""
    shows = isinstance(left, Difference) and right is None and op in ('is', '==')
    return [str(left)] if shows else None
