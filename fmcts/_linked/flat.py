"""Flat playouts: the verb `simulate` in machine code, repeated from one position."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fmcts._linked.engine import UNLIMITED, State, prepared
from fmcts._linked.layout import c_structure
from fmcts._linked.statuses import Status, broken_rules
from fmcts._linked.tables import words_of
from fmcts.game import GameState, Player, endless
from fmcts.rules import fields_of, rules_of
from fmcts.search import Search

RunPlayouts: TypeAlias = Callable[[Any, int], tuple[Counter[Player | None], Any]]
"""A function that makes some playouts with a generator; it returns the winners and the next one."""


UNIFORM: Final = Search()
Playouts: Final = c_structure('playouts.h', 'Playouts', Search=State)


def playouts(state: GameState[Any], rng: Any, max_plies: int, instead: RunPlayouts) -> RunPlayouts:
    """Return a function that makes uniform playouts from a state, with generators like `rng`.

    `instead` is such a function in Python. It runs where a rule raises an error, as the state then
    raises it too.

    :raises EndlessGameError: (the function) a game is not over after `max_plies` plies.
    :raises RulesError: the rules on integers cannot be compiled or break their promises.
    """
    _, code = prepared(state, rng, UNIFORM, ('playouts',))
    rules: Any = rules_of(state)
    root = words_of(fields_of(rules.pack(state)))

    def run(rng: Any, times: int) -> tuple[Counter[Player | None], Any]:
        search = State(root=root.ctypes.data, max_plies=min(max_plies, UNLIMITED), iterations=times)
        search.seed(rng)
        games = Playouts(search)
        code.functions['playouts'](ctypes.byref(games))
        search = games.search
        if search.status == Status.FAULT:
            return instead(rng, times)
        if search.status:
            if search.status == Status.NO_END:
                raise endless(state, max_plies)
            raise broken_rules(search.status, state)
        ends = zip((Player.X, Player.O, None), games.ends, strict=True)
        # Outcomes that did not happen are left out, as in the interpreted engines.
        winners = Counter({end: count for end, count in ends if count})
        return winners, search.generator(rng)

    return run
