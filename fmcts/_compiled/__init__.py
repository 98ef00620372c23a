"""The compiled engine: the in-place design over a game's own rules on integers, by numba.

It corresponds to the C and C++ versions in the Haskell articles. Games declare their rules
(`fmcts.rules`), and one generic engine is specialised for them.

In reading order: `structure` (what of a search is compiled in), the four verbs `selection` (with
`visit_tables`, which speed it up), `expansion`, `simulation` (with `policies`: how playouts choose
moves, and `memory`: what they remember) and `backup`, `loop` (the search), `engine` (its interface
to Python), `checking` (comparing compiled rules with Python's), `calls`, `faults` and `user_functions`
(errors that compiled code reports, and the function at fault if code cannot be compiled).

`tree` has the layout of a tree for numba; `fmcts._linked` has all else of trees, rounds (several
searches that share a tree) and flat playouts. Compiling rules and verbs, and naming and caching
machine code, is in `fmcts._numba`.

This module does not load numba, so asking whether the engine supports a search is cheap.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any, Final, cast

import attrs
from returns.result import Result

from fmcts._agreement.findings import Findings
from fmcts._compiled.names import name_of, stamp_of
from fmcts._compiled.structure import unable, unable_with_chance
from fmcts._content.remembered import keep, remembered, remembered_while
from fmcts._declared import inherited_from
from fmcts._engines.chance import check_supported
from fmcts._engines.driver import Session
from fmcts._engines.plan import fitted
from fmcts._linked.tree.nodes import LazyNode
from fmcts._numba.cache import on_disk
from fmcts._numba.cache.local import local_name
from fmcts._numba.interrupts import interrupts_wait
from fmcts.errors import EngineError, FinishedGameError, RulesError
from fmcts.game import GameState, has_rewards
from fmcts.rng import Rng, SplitMix, StdGen
from fmcts.rules import IntegerRules, rules_of
from fmcts.search import _digest as digests
from fmcts.search._description import Search
from fmcts.search._tree import Node, plant, walk
from fmcts.search.memory import size_of

LARGEST_TABLE: Final = 2**26  # numbers in a table of the playouts: half a gigabyte
VISITS_LIMIT: Final = 2**30 - 1  # of a node: its half points must fit in 32 bits
WORTHWHILE: Final = 20_000  # iterations for which loading the engine pays
COMPILING: Final = 2_000  # iterations of one kind for which compiling pays, if it is loaded
SHORT: Final = 1000  # iterations without a check for interrupts
KINDS: Final = 1024  # kinds of searches whose iterations are counted

_asked = 0  # iterations requested from `auto` in this process
_asked_of: Final[dict[object, int]] = {}  # iterations of each kind, the latest last


@functools.cache
def installed() -> bool:
    """Return whether the libraries of the extra `fast` are installed; they are not loaded."""
    return all(importlib.util.find_spec(name) for name in ('numba', 'numpy', 'platformdirs'))


def unsupported_game(state: GameState[Any], rng: Rng) -> str | None:
    """Return why playouts of this game and generator cannot be compiled; `None` if they can."""
    if not installed():
        if sys.implementation.name != 'cpython':
            return f'{sys.implementation.name}, for which there is no numba'
        return 'Python without numba: install fmcts[fast]'
    if rules_of(state) is None:
        return _undeclared(state)
    if type(rng) not in (SplitMix, StdGen):
        return f'the generator {type(rng).__name__}, only SplitMix and StdGen'
    return None


def _undeclared(state: GameState[Any]) -> str:
    name, base = type(state).__name__, inherits(state)
    if base is None:
        how = 'see "Compiling your own game" in the documentation'
        return f'{name}, which declares no rules on integers ({how})'
    return (
        f'{name}, which only inherits the rules on integers of {base.__name__}: declare its own '
        f'(compiled = {base.__name__}.compiled if nothing differs)'
    )


def inherits(state: GameState[Any]) -> type | None:
    """Return the class whose rules on integers the state's class only inherits, or `None`."""
    base = inherited_from(state, 'compiled')
    return base if isinstance(getattr(base, 'compiled', None), IntegerRules) else None


def unsupported(root: Node, rng: Rng, search: Search) -> str | None:
    """Return why this search cannot be compiled; `None` if it can."""
    check_supported(search, root.state)
    missing = (
        unable(search)
        or unsupported_game(root.state, rng)
        or unable_with_chance(search, root.state)
        or _too_large(root, search)
    )
    if missing:
        return missing
    if root.visits + search.iterations > VISITS_LIMIT:
        return f'more than {VISITS_LIMIT:,} iterations'
    halves = (
        search.network is None
        and search.evaluate is None
        and search.reward is None
        and not has_rewards(root.state)
    )
    if isinstance(root, LazyNode) and not (halves and root.store.structure.real):
        return None  # it was grown here before, with such rewards
    if not (root.visits or root.children):
        return None
    if not all(
        0 <= node.reward <= node.visits <= root.visits
        and (not halves or (2 * node.reward).is_integer())
        for node in walk(root)
    ):
        return 'trees with rewards other than sums of halves, one per visit'
    return None


def _too_large(root: Node, search: Search) -> str | None:
    """Return which table of the playouts is too large for an array; `None` if all fit."""
    for table in search.policy.memories:
        keys = cast('IntegerRules', rules_of(root.state)).keys
        if size_of(table, keys) > LARGEST_TABLE:
            return f'the table {table.name} of {keys:,} keys of moves, which is too large'
    return None


@functools.cache
def broken() -> str | None:
    """Load numba; return why it does not work although it is installed, or `None` if it works."""
    try:
        with interrupts_wait():  # a half-imported module cannot be imported again
            importlib.import_module(f'{__name__}.engine')
    except (ImportError, OSError) as error:  # a shared library that cannot be loaded raises either
        why = str(error).partition('\n')[0] or type(error).__name__
        return f'numba does not load ({why})'
    except MemoryError:
        return 'there is too little memory to load numba'
    numba = sys.modules['numba']
    return 'NUMBA_DISABLE_JIT is set' if numba.config.DISABLE_JIT else None


def is_loaded() -> bool:
    """Return whether numba and the engine are loaded."""
    return f'{__name__}.engine' in sys.modules


def _loaded(name: str, package: str = __name__) -> Any:
    """Return the module with that name, which loads numba.

    :raises EngineError: numba does not work here.
    """
    why = broken()
    if why:
        raise EngineError(f'the engine compiled cannot run here: {why}')
    return _imported(f'{package}.{name}')


@functools.cache
def _imported(name: str) -> Any:
    with interrupts_wait():  # only at the first import: it takes as long as some iterations
        return importlib.import_module(name)


def worth_loading(iterations: int, kind: object) -> bool:
    """Return whether the iterations so far make loading the engine, and compiling, pay.

    Loading takes about as long as `inplace` takes for `WORTHWHILE` iterations of a small game. If
    the engine is loaded, `COMPILING` iterations of one `kind` pay: compiling takes several times as
    long, but once on a machine (`docs/compiled_games.md` has the figures). As in any just-in-time
    compiler, past slow work counts: a thousand small searches are worth it too.
    """
    global _asked  # noqa: PLW0603 - it changes nothing but the time taken, as all engines agree
    _asked += iterations
    asked_of_kind = _asked_of.get(kind, 0) + iterations
    keep(_asked_of, kind, asked_of_kind, KINDS)
    if asked_of_kind < COMPILING:
        return False
    loads = _asked >= WORTHWHILE or is_loaded()
    return loads and broken() is None


def kind_of(state: GameState[Any], rng: Rng, search: Search) -> object:
    """Return a key shared by searches with the same machine code; a few others may share it.

    Functions are identified by content, so that equal ones share a key.
    """
    return type(state), type(rng), _kind_of(search)


@remembered_while(stamp_of)
def _kind_of(search: Search) -> object:
    method = search.method
    given = (getattr(method, field.name) for field in attrs.fields(type(method)))
    functions = *given, getattr(search.policy, 'function', None), search.evaluate, search.reward
    options = type(method), search.expands, type(search.policy)
    return options, tuple(map(local_name, functions))


_found: Final = Findings(lambda state: _loaded('checking').brief_complaint(state), of_states=False)


def _compare(state: GameState[Any]) -> None:
    """Compare the compiled rules of the state's class with those in Python, once in a process.

    :raises RulesError: they do not agree, or cannot be compiled.
    """
    why = _found.of(state)
    if why is not None:
        raise RulesError(why)


def begin(root: Node, rng: Rng, search: Search) -> Session:
    """Return a search from that root, before its first iteration; see the module `engine`."""
    engine = _loaded('engine' if search.network is None else 'networks')
    _compare(root.state)
    return cast('Session', engine.begin(root, rng, search))


def leaves_trail(search: Search) -> bool:
    """Return whether machine code can write the trail of such a search.

    It cannot for full expansion, which creates nodes that no iteration has visited.
    """
    return search.expands != 'full'


def trail_of(root: Node, rng: Rng, search: Search, steps: Iterable[tuple[int, int | None]]) -> Any:
    """Return the trail of a search; see the module `trail`.

    A step is a number of iterations, and the index of the root's move that they take, or `None`.
    """
    module = _loaded('trail')
    return module.trail_of(begin(root, rng, search), steps)


def begin_rounds(root: Node, generators: Sequence[Rng], search: Search) -> Any:
    """Return searches that share the tree of a new root, one per generator; see `_linked.rounds`."""
    rounds = _loaded('rounds', 'fmcts._linked')
    _compare(root.state)
    return rounds.start(_loaded('engine').begin, root, generators, search)


def prepared(state: GameState[Any], rng: Rng, search: Search) -> Any:
    """Return what decides searches like this short one, without a tree for the caller.

    See `engine.Prepared`.

    :raises RulesError: as `begin`.
    """
    engine = _loaded('engine')
    _compare(state)
    return engine.prepared(state, rng, search)


@remembered
def is_short(search: Search) -> bool:
    """Return whether the search is short, and its choice depends on visits and rewards only."""
    return (
        search.iterations <= SHORT
        and search.final in ('robust', 'first-robust', 'max')
        and all(
            it is None for it in (search.resolution, search.schedule, search.stop, search.network)
        )
    )


@digests.digest.register
def _digest(tree: LazyNode) -> str:
    """Return the digest, from the numbers, or without numba from nodes created for it."""
    if installed() and broken() is None:
        return cast('str', _loaded('tree.digest', 'fmcts._linked').digest(tree))
    return digests.name_of(digests.serialise(tree))


@digests.serialised.register
def _serialised(tree: LazyNode) -> bytes:
    """Return the canonical serialisation, computed as in `_digest`."""
    if installed() and broken() is None:
        return cast('bytes', _loaded('tree.digest', 'fmcts._linked').serialised(tree))
    return digests.serialise(tree)


def prepare(state: GameState[Any]) -> None:
    """Load numba, and compare the compiled rules of the state's class with those in Python.

    :raises EngineError: numba does not work here, or the rules cannot be used.
    """
    _loaded('checking')
    _compare(state)


def prepare_search(
    state: GameState[Any], rng: Rng, search: Search, *, compiling: bool, digest: bool
) -> bool:
    """Load or compile the machine code of such a search of a new tree, and perhaps of its digest.

    Return whether the code of the search is on disk now, so that later processes can load it.

    :raises NotOnDiskError: the code is not on disk, and `compiling` is false.
    :raises EngineError: numba does not work here, or the rules cannot be used.
    """
    engine = _loaded('engine')
    with on_disk.gathering() as files, nullcontext() if compiling else on_disk.from_disk_only():
        _compare(state)
        tree, _ = engine.begin(fitted(plant(state), search), rng, search).finish()
    done = on_disk.record(name_of(state, rng, search), files)
    if digest:
        digests.digest(tree)
    return done


def playouts(state: GameState[Any], rng: Rng, max_plies: int, instead: Any) -> Any:
    """Return a function that makes uniform playouts; see `fmcts._linked.playouts`."""
    module = _loaded('playouts', 'fmcts._linked')
    _compare(state)
    return module.playouts(state, rng, max_plies, instead)


def check(start: GameState[Any], plies: object, rng: Rng | None) -> Result[int, str]:
    """Return what `fmcts.testing.check_rules` returns."""
    if isinstance(plies, bool) or not isinstance(plies, int) or plies < 1:
        raise ValueError(f'plies must be a whole number of at least 1, not {plies!r}')
    missing = unsupported_game(start, SplitMix(0, 1))
    if missing:
        raise EngineError(f'the engine compiled does not support {missing}')
    if start.over:
        raise FinishedGameError('the game is over at the start: expected one with moves to check')
    source = SplitMix.from_seed(0) if rng is None else rng
    return cast('Result[int, str]', _loaded('checking').check_rules(start, plies, source))
