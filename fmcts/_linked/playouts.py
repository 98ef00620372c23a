"""Flat playouts: the verb `simulate` in machine code, repeated from one position."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import numpy as np

from fmcts._compiled.calls import broken_rules, make
from fmcts._compiled.structure import Structure
from fmcts._content.remembered import keep
from fmcts._linked import link, numbas, searches
from fmcts._linked.engine import FAULT, UNLIMITED, State, generator_of, words_of
from fmcts._numba.cache.current import current_rules
from fmcts.game import GameState, Player
from fmcts.rng import StdGen
from fmcts.rules import IntegerRules, rules_of
from fmcts.search._description import Search

PLAYERS: Final = 256  # games whose machine code is kept in a process

Run: TypeAlias = Callable[[Any, int], tuple[Counter[Player | None], Any]]
"""A function that makes some playouts with a generator; it returns the winners and the next one."""

_players: Final[dict[tuple[object, ...], Any]] = {}


class Playouts(ctypes.Structure):
    """The argument of `playouts` in `search.c`."""

    _fields_ = (('search', State), ('ends', ctypes.c_int64 * 3))


def _player(rules: IntegerRules, position: Any, *, stdgen: bool) -> Any:
    """Return the machine code, made once for each game; of many games, the oldest is dropped."""
    key = rules, type(position), stdgen
    if key not in _players:
        search = Search(1)
        structure = Structure(search.method, 'in-order')
        parts = searches.parts_of(search, rules, position, structure, stdgen=stdgen)
        code = link.Code('search', [*numbas.code_of_rules(rules, position), *parts], ['playouts'])
        keep(_players, key, code, PLAYERS)
        return code
    return _players[key]


def playouts(state: GameState[Any], rng: Any, max_plies: int, instead: Run) -> Run:
    """Return a function that makes uniform playouts from a state, with generators like `rng`.

    `instead` is such a function in Python. It runs where a rule raises an error, as the state then
    raises it too.

    :raises EndlessGameError: (the function) a game is not over after `max_plies` plies.
    :raises RulesError: the rules on integers cannot be compiled or break their promises.
    """
    rules = current_rules(cast('IntegerRules', rules_of(state)))  # `unsupported_game` checked this
    position = rules.pack(state)
    code = make(state, lambda: _player(rules, position, stdgen=isinstance(rng, StdGen)))
    root = np.array(numbas.integers_of(position), np.int64)

    def run(rng: Any, times: int) -> tuple[Counter[Player | None], Any]:
        first, second = words_of(rng)
        search = State(
            root=root.ctypes.data, max_plies=min(max_plies, UNLIMITED), iterations=times,
            first=first, second=second,
        )  # fmt: skip
        games = Playouts(search)
        code.functions['playouts'](ctypes.byref(games))
        search = games.search
        if search.status == FAULT:
            return instead(rng, times)
        if search.status:
            raise broken_rules(state, search.status, max_plies)
        ends = zip((Player.X, Player.O, None), games.ends, strict=True)
        # Outcomes that did not happen are left out, as in the interpreted engines.
        winners = Counter({end: count for end, count in ends if count})
        return winners, generator_of(rng, search.first, search.second)

    return run
