"""Alpha-beta in linked machine code: its arrays, and calls that come back now and then."""

from __future__ import annotations

import ctypes
from typing import Any, Final, cast

import numpy as np

from fmcts._linked import (
    FAULTS,
    Code,
    Parts,
    Status,
    broken_rules,
    c_structure,
    code_with,
    constant,
    words_of,
)
from fmcts.game import GameState, endless
from fmcts.rules import IntegerRules, OnPositions, fields_of, rules_of
from fmcts.search import ChunkSize, Watch
from fmcts.solve._description import AlphaBeta
from fmcts.solve._interpreted import LOOKED_AT, Interpreted, check_line, ending
from fmcts.solve._scores import Score

UNLIMITED: Final = 1 << 62
DEEPEST: Final = 1 << 31  # no game is as long
PAUSED, TABLE_IS_FULL, ROWS_ARE_FULL = range(Status.FAULT + 1, Status.FAULT + 4)
FRAME, ROW, ENTRY = 12, 4, 3  # integers of each, besides those of a position
WINDOW: Final = 3  # the first integers of a frame
BUCKET: Final = 4
BUCKETS: Final = 1 << 8  # of a table at first; it grows as it is filled
GROWTH: Final = 4

Solve: Final = c_structure('solve.c', 'Solve')


def _code(state: Any, function: Any) -> Code:
    """Return the machine code for a game and a function that evaluates positions, or `None`.

    :raises RulesError: the rules or the function cannot be compiled.
    """
    parts = Parts(state)
    parts.add_of_position('evaluate', function)
    parts.put(constant, 'EVALUATES', function is not None)
    return code_with(parts, 'solve', ('solve', 'move_table'))


class Linked:
    """A search under way: table, history of moves, and the line that is searched, in arrays.

    The table begins small and grows fourfold as it fills, up to `search.table` positions (rounded
    down to a power of two, four at least).
    """

    def __init__(self, state: GameState[Any], search: AlphaBeta, watch: Watch) -> None:
        self.search = search
        self._game = state
        self._watch = watch
        rules = cast('IntegerRules', rules_of(state))
        self._pack = rules.pack
        self._width = width = len(rules.pack(state))
        given = search.evaluate
        function = given.function if isinstance(given, OnPositions) else None
        self._code = _code(state, function)
        self._most = 1 << max(0, (search.table // BUCKET).bit_length() - 1) if search.table else 0
        self._state = Solve(step=search.step, max_plies=min(search.max_plies, UNLIMITED))
        self._python: Interpreted | None = None  # where a linked function has raised an error
        self._state.levels, self._state.room = 64, 1024
        self._state.point(
            frames=np.zeros((self._state.levels, FRAME + width), np.int64),
            rows=np.zeros((self._state.room, ROW + width), np.int64),
            history=np.zeros(2 * rules.keys, np.int64),
        )
        self._make_table(min(BUCKETS, self._most))

    @property
    def nodes(self) -> int:
        """Return the number of nodes visited."""
        return self._python.nodes if self._python else cast('int', self._state.nodes)

    def ask(  # noqa: C901 - one case a status
        self, state: GameState[Any], alpha: Score, beta: Score, left: int | None
    ) -> Score:
        """Return a score or a bound, as `fmcts.solve._asked.Asked.ask` does.

        :raises EndlessGameError: a line has more than `max_plies` plies, or goes round.
        :raises MethodError: the evaluation gives no number from 0 to 1.
        :raises RulesError: the rules on integers break their promises.
        """
        if state.over:
            return ending(state, self.search)
        if self._python:
            return self._python.ask(state, alpha, beta, left)
        plies = -1 if left is None else min(left, DEEPEST)
        fields = words_of(fields_of(self._pack(state)))
        self._state.kept['frames'][0] = alpha, beta, plies, *(0,) * (FRAME - 3), *fields
        search, now, chunk = self.search, self._state, ChunkSize()
        now.then = now.ply = 0
        while True:
            now.budget = chunk.begin(UNLIMITED)
            self._code.functions['solve'](ctypes.byref(now))
            if now.status == Status.DONE:
                return cast('int', now.score)
            if now.status == PAUSED:
                chunk.end()
                self._watch(now.nodes)
            elif now.status == TABLE_IS_FULL:
                self._make_table(min(GROWTH * now.buckets, self._most))
            elif now.status == Status.PATH_IS_FULL:
                self._look_at_line()
                self._double('frames', 'levels')
            elif now.status == ROWS_ARE_FULL:
                self._double('rows', 'room')
            elif now.status in FAULTS:  # Python raises the user's error; else it is right
                self._python = Interpreted(search, self._watch)
                return self._python.ask(state, alpha, beta, left)
            elif now.status == Status.NO_END:
                raise endless(self._game, search.max_plies)
            else:
                raise broken_rules(now.status, self._game)

    def _look_at_line(self) -> None:
        frames = self._state.kept['frames']
        if len(frames) >= LOOKED_AT:
            nodes = {row.tobytes() for row in np.delete(frames, slice(WINDOW, FRAME), axis=1)}
            check_line(self._game, len(frames), nodes)

    def _double(self, name: str, length: str) -> None:
        """Double the array to which a pointer of the state points, and its length."""
        array = self._state.kept[name]
        self._state.point(**{name: np.concatenate([array, np.zeros_like(array)])})
        setattr(self._state, length, 2 * len(array))

    def _make_table(self, buckets: int) -> None:
        """Make the table that large, and move the entries of the smaller one there."""
        now, smaller = self._state, self._state.kept.get('table')
        now.old, now.old_buckets = now.table, now.buckets
        now.point(table=np.zeros(buckets * BUCKET * (ENTRY + self._width), np.int64))
        now.buckets = buckets
        # At three quarters, before many entries displace each other. The largest table is never
        # left.
        now.limit = buckets * BUCKET * 3 // 4 if buckets < self._most else UNLIMITED
        if smaller is not None:
            self._code.functions['move_table'](ctypes.byref(now))
