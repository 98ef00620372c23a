"""A conformance kit for implementations of Monte-Carlo tree search, in any language.

A search is given a tree with the result of each playout, and writes a trace: for each iteration the
path, the result, and the visits and values along it. `difference` names the first iteration and
term in which the trace differs from a declared `Dialect`; `check` does so for drawn trees, the
smallest first. `python -m fmcts.conformance` prints traces of our own engines as JSON, and checks
those in files. See docs/conformance.md.
"""

from __future__ import annotations

from fmcts.conformance._traces import (
    Dialect,
    Difference,
    Step,
    Unlike,
    check,
    difference,
    expected,
    from_json,
    from_snapshots,
    to_json,
)
from fmcts.conformance._trees import Tree, drawn, tree_of, trees

__all__ = [
    'Dialect',
    'Difference',
    'Step',
    'Tree',
    'Unlike',
    'check',
    'difference',
    'drawn',
    'expected',
    'from_json',
    'from_snapshots',
    'to_json',
    'tree_of',
    'trees',
]
