"""The compiled engine: a loop in C, linked with a game's rules and a search's formulas.

In reading order: `search.c`, the loop; `structure`, what of a search is linked in; `functions` and
`text`, functions of numbers as LLVM code; `numbas`, functions of Python by numba; `searches`, all
parts of a search and their key; `keys` and `codes`, which code is made once; `link`; and the
sessions `engine`, `batches` and `games`. `pages` links the same pieces for pages. `tree` has the
memory of a tree or graph: into arrays, out of them as nodes, and the digest.

This module loads neither LLVM nor numba, so asking whether a search is supported is cheap. What is
imported here `as` itself is for other rooms of the library.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from fmcts._declared import inherited_from
from fmcts._engines import Session, check_policy, check_supported
from fmcts._linked.functions import formula_of_method as formula_of_method
from fmcts._linked.keys import is_own
from fmcts._linked.layout import c_structure as c_structure
from fmcts._linked.statuses import (
    FAULTS as FAULTS,
    Fault as Fault,
    Status as Status,
    broken_rules as broken_rules,
)
from fmcts._linked.structure import of_states as of_states, unable, unable_with_chance
from fmcts._linked.text import constant as constant
from fmcts._linked.tree.graph import Entries
from fmcts._linked.tree.nodes import LazyNode as LazyNode
from fmcts.errors import EngineError
from fmcts.game import GameState, has_rewards
from fmcts.rng import Rng, SplitMix, StdGen
from fmcts.rules import IntegerRules, rules_of
from fmcts.search import Node, Search, digests, plant, walk
from fmcts.search.memory import size_of

if TYPE_CHECKING:
    from fmcts._linked.codes import code_with as code_with
    from fmcts._linked.flat import playouts as playouts
    from fmcts._linked.link import Code as Code
    from fmcts._linked.searches import Parts as Parts
    from fmcts._linked.tables import words_of as words_of
    from fmcts._linked.trail import altered as altered, trail_of as trail_of

_HOME: Final = {
    'Code': 'link', 'Parts': 'searches', 'code_with': 'codes', 'words_of': 'tables',
    'altered': 'trail', 'playouts': 'flat', 'trail_of': 'trail',
}  # fmt: skip
"""The modules of the names that load LLVM or NumPy, imported on first use."""

LARGEST_TABLE: Final = 2**26  # numbers in a table of the playouts: half a gigabyte
VISITS_LIMIT: Final = 2**30 - 1  # of a node: its half points must fit in 32 bits


@functools.cache
def installed() -> bool:
    """Return whether the libraries that link are installed; they are not loaded."""
    return all(importlib.util.find_spec(name) for name in ('llvmlite', 'numpy'))


@functools.cache
def compiles() -> bool:
    """Return whether those that compile rules, and functions that branch, are installed too."""
    return installed() and all(map(importlib.util.find_spec, ('numba', 'platformdirs')))


def unsupported_game(state: GameState[Any], rng: Rng, *, here: bool = True) -> str | None:
    """Return why playouts of this game and generator cannot be compiled; `None` if they can.

    `here`: in this process, for which LLVM is needed, and not in a page.
    """
    if here and not installed():
        if sys.implementation.name != 'cpython':
            return f'{sys.implementation.name}, for which there is no numba'
        return 'Python without llvmlite: install fmcts[fast]'
    rules = rules_of(state)
    if rules is None:
        return _undeclared(state)
    if not (is_own(rules.play) or compiles()):
        return 'rules of your own without numba: install fmcts[fast]'
    if type(rng) not in (SplitMix, StdGen):
        return f'the generator {type(rng).__name__}, only SplitMix and StdGen'
    return None


def _undeclared(state: GameState[Any]) -> str:
    name, base = type(state).__name__, inherits(state)
    if base is None:
        return f'{name}, which declares no rules on integers (see docs/compiled_games.md)'
    return (
        f'{name}, which only inherits the rules on integers of {base.__name__}: declare its own '
        f'(compiled = {base.__name__}.compiled if nothing differs)'
    )


def inherits(state: GameState[Any]) -> type | None:
    """Return the class whose rules on integers the state's class only inherits, or `None`."""
    base = inherited_from(state, 'compiled')
    return base if isinstance(getattr(base, 'compiled', None), IntegerRules) else None


def unsupported(root: Node, rng: Rng, search: Search, *, here: bool = True) -> str | None:
    """Return why this search cannot be compiled; `None` if it can. `here`: as above."""
    check_supported(search, root.state)
    missing = (
        (None if here or search.transpositions is None else 'transpositions')
        or unable(search)
        or unsupported_game(root.state, rng, here=here)
        or unable_with_chance(search, root.state)
        or _too_large(root, search)
    )
    if missing:
        return missing
    if root.visits + search.iterations > VISITS_LIMIT:
        return f'more than {VISITS_LIMIT:,} iterations'
    values = search.network, search.evaluate, search.reward, search.transpositions
    halves = all(given is None for given in values) and not has_rewards(root.state)
    # A tree that was grown here with other rewards knows of it, so its nodes need not be made.
    sums = isinstance(root, LazyNode) and not root.store.structure.real
    if halves and not sums and not all((2 * node.reward).is_integer() for node in walk(root)):
        return 'trees with rewards other than sums of halves'
    return None


def _too_large(root: Node, search: Search) -> str | None:
    """Return which table of the playouts is too large for an array; `None` if all fit."""
    for table in search.policy.memories:
        keys = cast('IntegerRules', rules_of(root.state)).keys
        if size_of(table, keys) > LARGEST_TABLE:
            return f'the table {table.name} of {keys:,} keys of moves, which is too large'
    return None


def loaded(name: str) -> Any:
    """Return the module of this package with that name, which loads LLVM.

    :raises EngineError: LLVM or NumPy does not work here.
    """
    try:
        return importlib.import_module(f'{__name__}.{name}')
    except (ImportError, OSError) as error:  # a shared library that cannot be loaded raises either
        why = str(error).partition('\n')[0] or type(error).__name__
        raise EngineError(f'the engine compiled cannot run here: {why}') from error


def __getattr__(name: str) -> Any:
    """Return a name that loads LLVM or NumPy, importing its module first."""
    if name in _HOME:
        return getattr(loaded(_HOME[name]), name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def begin(root: Node, rng: Rng, search: Search) -> Session:
    """Return a search from that root, before its first iteration; see the module `engine`."""
    check_policy(search, root.state)
    module = loaded('engine' if search.network is None else 'batches')
    return cast('Session', module.begin(root, rng, search))


def begin_rounds(root: Node, generators: Sequence[Rng], search: Search) -> Any:
    """Return searches that share the tree of a new root, one per generator; see `rounds`."""
    return loaded('rounds').start(root, generators, search)


@digests.digest.register
def _digest(tree: LazyNode) -> str:
    """Return the digest, from the numbers, or without LLVM from nodes created for it."""
    if installed():
        return cast('str', loaded('tree.digest').digest(tree))
    return digests.name_of(digests.serialise(tree))


def by_machine_code(tree: Node) -> bool:
    """Return whether machine code has grown a tree or a graph: it is made of numbers."""
    graph = getattr(tree, 'graph', None)
    return isinstance(tree, LazyNode) or isinstance(getattr(graph, 'entries', None), Entries)


def leaves_trail(search: Search) -> bool:
    """Return whether machine code can write the trail of such a search.

    It cannot where an iteration creates nodes that none has visited, or merges equal positions.
    """
    merges = search.transpositions is not None
    return search.expands != 'full' and not search.rollout_expand and not merges


def described_for_pages(state: GameState[Any], rng: Rng, search: Search) -> Any:
    """Return what a page needs to make such searches (`wasm`), or why it cannot."""
    lacking = unsupported(plant(state, listed=False), rng, search, here=False)
    return lacking or loaded('pages').described(state, rng, search)


def offered_in_pages() -> Mapping[str, Search]:
    """Return the searches of the library's games whose files are shipped, by their options."""
    return cast('Mapping[str, Search]', loaded('pages').OFFERED)
