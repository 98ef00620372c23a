"""The compiled search as Python calls it: arrays, and machine code that comes back now and then."""

from __future__ import annotations

import functools
from typing import Any, Final, cast

import numpy as np

from fmcts._compiled.calls import bad_worth, broken_rules, call, make
from fmcts._compiled.statuses import BAD_WORTH, DONE, PATH_IS_FULL
from fmcts._compiled.structure import Structure
from fmcts._numba.cache.current import current, current_rules
from fmcts._numba.positions import fields_of
from fmcts.game import GameState
from fmcts.rules import IntegerRules, OnPositions, rules_of
from fmcts.search._watch import ChunkSize, Watch
from fmcts.search.methods import UCB1
from fmcts.solve._compiled.expansion import MOVES_ARE_FULL
from fmcts.solve._compiled.fields import ALPHA, BETA, FIRST, FRAME, LEFT, ROW
from fmcts.solve._compiled.loop import ENTER, PAUSED, TABLE_IS_FULL, make_loop
from fmcts.solve._compiled.table import BUCKET, entry_width, make_moving
from fmcts.solve._description import AlphaBeta
from fmcts.solve._interpreted import ending
from fmcts.solve._scores import Score

BUCKETS: Final = 1 << 8  # of a table at first; it grows as it is filled
GROWTH: Final = 4
UNLIMITED: Final = 1 << 62
DEEPEST: Final = 1 << 31  # no game is as long


@functools.lru_cache(maxsize=64)
def _functions(
    rules: IntegerRules, position: Any, structure: Structure, name: str
) -> tuple[Any, Any]:
    """Return the compiled search, and the function that moves a table into a larger one."""
    return (
        make_loop(rules, position, structure, f'alpha-beta of {name}'),
        make_moving(position, f'the table of {name}'),
    )


class Compiled:
    """A search under way: table, history of moves, and the line that is searched, in arrays.

    The table begins small and grows fourfold as it fills, up to `search.table` positions (rounded
    down to a power of two, four at least).
    """

    def __init__(self, state: GameState[Any], search: AlphaBeta, watch: Watch) -> None:
        self.search = search
        self.nodes = 0
        self._state = state
        self._watch = watch
        rules = current_rules(cast('IntegerRules', rules_of(state)))
        position = type(rules.pack(state))
        self._pack = rules.pack
        self._width = len(position._fields)
        given = current(search.evaluate)
        function = given.function if isinstance(given, OnPositions) else None
        structure = Structure(UCB1(), 'in-order', evaluate=function)
        name = type(state).__name__
        self._run, self._move = make(state, _functions, rules, position, structure, name)
        self._entry = BUCKET * entry_width(position)
        self._most = 1 << max(0, (search.table // BUCKET).bit_length() - 1) if search.table else 0
        self._table = np.zeros(min(BUCKETS, self._most) * self._entry, np.int64)
        self._used = 0
        self._frames = np.zeros(64 * (self._width + FRAME), np.int64)
        self._rows = np.zeros(1024 * (self._width + ROW), np.int64)
        self._history = np.zeros(2 * rules.keys, np.int64)

    def ask(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Score:
        """Return a score or a bound, as `fmcts.solve._questions.Asked.ask` does.

        :raises EndlessGameError: a line has more than `max_plies` plies.
        :raises MethodError: the evaluation gives no number from 0 to 1.
        :raises RulesError: the rules on integers cannot be compiled or break their promises.
        """
        if state.over:
            return ending(state, self.search)
        width, search = self._width, self.search
        self._frames[:width] = fields_of(self._pack(state))
        for place, number in (
            (ALPHA, alpha),
            (BETA, beta),
            (LEFT, -1 if left is None else min(left, DEEPEST)),
            (FIRST, 0),
        ):
            self._frames[width + place] = number
        where: Any = ENTER, 0, 0, self.nodes, self._used
        chunk = ChunkSize()
        while True:
            buckets = len(self._table) // self._entry
            limit = buckets * BUCKET * 3 // 4 if buckets < self._most else UNLIMITED
            status, where = call(
                self._state, self._run, self._table, buckets - 1, limit, self._frames, self._rows,
                self._history, where, chunk.begin(UNLIMITED), search.step,
                min(search.max_plies, UNLIMITED),
            )  # fmt: skip
            *_, score, self.nodes, self._used = where
            if status == DONE:
                return cast('int', score)
            if status == PAUSED:
                chunk.end()
                self._watch(self.nodes)
            elif status == TABLE_IS_FULL:
                where = (*where[:-1], self._grow(min(GROWTH * buckets, self._most)))
            elif status == PATH_IS_FULL:
                self._frames = np.append(self._frames, np.zeros_like(self._frames))
            elif status == MOVES_ARE_FULL:
                self._rows = np.append(self._rows, np.zeros_like(self._rows))
            elif status == BAD_WORTH:
                raise bad_worth(('evaluator', search.evaluate))
            else:
                raise broken_rules(self._state, status, search.max_plies)

    def _grow(self, buckets: int) -> int:
        """Make the table that large; return how many entries are in it."""
        larger = np.zeros(buckets * self._entry, np.int64)
        used: int = call(self._state, self._move, self._table, larger, buckets - 1)
        self._table = larger
        return used
