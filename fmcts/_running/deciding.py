"""The move of a search alone, for bots: what many searches share is checked once."""

from __future__ import annotations

import weakref
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from fmcts import _compiled as compiled
from fmcts._compiled.names import stamp_of
from fmcts._content.remembered import forget, keep
from fmcts._content.stamps import Stamp
from fmcts._declared import inherited_from
from fmcts._running.entry_points import analyse, check_call, root_to_search
from fmcts._running.registry import check_engine, find_engine, look_at
from fmcts.errors import RulesError
from fmcts.game import GameState, M, is_plain
from fmcts.rng._protocol import R
from fmcts.rules import rules_of
from fmcts.search._description import Search

MOST: Final = 256  # kinds of searches that are remembered

Key: TypeAlias = tuple[int, type, type, str]


class _Ready(NamedTuple):
    """A search that passed all checks, whose machine code is ready, and what may change.

    `rules` are those that the class of states declares, and `stamp` is that of both.
    """

    search: weakref.ref[Search]
    rules: object
    stamp: Stamp
    prepared: Any

    def serves(self, search: Search, state: GameState[Any]) -> bool:
        """Return whether it is this search, and nothing has changed."""
        return (
            self.search() is search
            and vars(type(state)).get('compiled') is self.rules
            and is_plain(state)
            and self.stamp.holds()
        )


_ready: Final[dict[Key, _Ready]] = {}


def decide(state: GameState[M], rng: R, search: Search, *, engine: str = 'auto') -> tuple[M, R]:
    """Return the move that `analyse` would choose, and the generator to use next.

    It is faster than `analyse` for short searches: no tree is built for the caller, and what has
    been checked once is not checked again.

    :raises Exception: whatever `analyse` raises.
    """
    check_engine(engine)
    key = id(search), type(state), type(rng), engine
    ready = _ready.get(key)
    try:
        if ready is not None and ready.serves(search, state):
            prepared = ready.prepared
        else:
            prepared = _prepared(key, state, rng, search, engine)
        decided = prepared and prepared.decide(state, rng)
    except RulesError:
        if engine != 'auto':
            raise
        decided = None  # `auto` continues with another engine, and says so
    if decided:
        return decided  # type: ignore[no-any-return] # from machine code
    analysis, after = analyse(state, rng, search, engine=engine)
    return analysis.move, after


def _prepared(key: Key, state: GameState[Any], rng: Any, search: Search, engine: str) -> Any:
    """Return what decides searches like this one, if machine code is ready; remember it if it may.

    A search with the user's own functions is prepared anew each time, as they may change.
    """
    check_call(state, rng, search)
    if not (compiled.is_short(search) and is_plain(state)):
        return None
    rules = rules_of(state)
    stamp = Stamp(type(state), rules, compiled=True)  # now, so that a change meanwhile is noticed
    root = root_to_search(state, search, None, None)
    look_at(state, engine)
    prepared = find_engine(engine, root, rng, search).prepared(root, rng, search)
    if prepared and stamp_of(search).fixed and inherited_from(state, 'playout') is None:
        gone = weakref.ref(search, partial(forget, _ready, key))
        keep(_ready, key, _Ready(gone, rules, stamp, prepared), MOST)
    return prepared
