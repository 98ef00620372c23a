"""Whether compiled rules, interpreted rules and the game's own states say the same.

Random games are walked through by machine code, which writes down what it sees at every ply; then
Python walks through the same plies and compares.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, Final, cast

import numpy as np
from numba.core.errors import NumbaError
from returns.result import Failure, Result, Success

from fmcts.bits import WORD
from fmcts.game import GameState
from fmcts.rng import SplitMix
from fmcts.rules import IntegerRules, rules_of, side_of
from fmcts.search.compiled.entries import compiling, entry, game_parts, taught
from fmcts.search.compiled.generators import SplitMixWords, draw, exact, thaw
from fmcts.search.compiled.machine import int64
from fmcts.search.compiled.positions import fields_of, settled
from fmcts.search.compiled.refusals import not_compiled
from fmcts.search.errors import EngineError

__all__ = ['check_rules']

CHUNK: Final = 1000  # plies at a time

# What is written down of a ply, after the fields of the position.
FACTS: Final = ('menu', 'side', 'count', 'index', 'move', 'winner')


@functools.cache
def _walker(rules: IntegerRules, position: Any, about: str) -> Any:
    menu, count, pick, play, side, winner = taught(rules)

    def walk(root_fields: Any, here_fields: Any, rng_words: Any, rows: Any) -> Any:  # compiled
        """Random plies from `here` on, one a row, and again from the root after each end."""
        root = position(*root_fields)
        here = position(*here_fields)
        rng = SplitMixWords(*rng_words)
        for row in rows:
            place = 0
            for field in here:
                row[place] = field
                place += 1
            options = int64(menu(here))
            row[place] = options
            row[place + 1] = side(here)
            row[place + 2] = row[place + 3] = row[place + 4] = row[place + 5] = 0
            if options == 0:
                row[place + 5] = winner(here)
                here = root
            else:
                choices = int64(count(options))
                index, rng = draw(rng, choices)
                move = int64(pick(options, index))
                row[place + 2] = choices
                row[place + 3] = index
                row[place + 4] = move
                here = settled(play(here, move))
        return rng[0], rng[1]

    return entry(walk, about, game_parts(rules, position))


def check_rules(start: GameState[Any], plies: int, rng: SplitMix) -> Result[int, str]:
    """The check; see `fmcts.search.compiled.check_rules`, which has seen that there are rules."""
    rules = cast('IntegerRules', rules_of(start))
    try:
        for complaint in _complaints(start, rules, plies, rng):
            return Failure(complaint)
    except NumbaError as error:
        return Failure(str(not_compiled(start, error)))
    except EngineError as error:  # a position that is none
        return Failure(str(error))
    return Success(plies)


def _complaints(
    start: GameState[Any], rules: IntegerRules, plies: int, rng: SplitMix
) -> Iterator[str]:
    """Every disagreement, the first one first; after it, the rest may be its consequences."""
    first = rules.pack(start)
    kind: Any = type(first)
    width = len(first)
    with compiling:
        walk = _walker(rules, kind, f'check of {type(start).__name__}')
    words = thaw(rng)
    state, here = start, first
    path: list[Any] = []
    while plies > 0:
        rows = np.zeros((min(CHUNK, plies), width + len(FACTS)), np.int64)
        words = walk(fields_of(first), fields_of(here), exact(words), rows)
        plies -= len(rows)
        for row in rows.tolist():
            facts = dict(zip(FACTS, row[width:], strict=True))
            where = f'after the moves {path}' if path else 'at the start'
            for what, compiled, interpreted, own in _compared(
                state, here, rules, row[:width], facts
            ):
                seen = {int(value) & WORD for value in (compiled, interpreted, own)}
                if len(seen) > 1:
                    yield (
                        f'{where}, {what}: {compiled} compiled, {interpreted} interpreted, '
                        f'{own} by {type(start).__name__}'
                    )
            if not facts['menu']:
                state, here = start, first
                path.clear()
            else:
                move = state.moves[facts['index']]
                here = rules.play(here, rules.pick(int(rules.menu(here)), facts['index']))
                state = state.play(move)
                path.append(move)


def _compared(
    state: GameState[Any], here: Any, rules: IntegerRules, fields: list[int], facts: dict[str, int]
) -> Iterator[tuple[str, int, int, int]]:
    """What is compared: its name, and its value compiled, interpreted and by the state."""
    own = rules.pack(state)
    for name, compiled, interpreted, packed in zip(own._fields, fields, here, own, strict=True):
        yield f'the field {name} of the position', compiled, interpreted, packed
    menu = int(rules.menu(here))
    yield 'the menu', facts['menu'], menu, menu
    yield 'the side to move', facts['side'], rules.side(here), side_of(state.player)
    yield 'whether the game is over', not facts['menu'], not menu, state.over
    count = int(rules.count(menu)) if menu else 0
    yield 'the number of moves', facts['count'], count, len(state.moves)
    if menu and count:
        move = int(rules.pick(menu, facts['index']))
        yield f'move number {facts["index"]} on integers', facts['move'], move, move
    elif not menu:
        yield 'the winner', facts['winner'], int(rules.winner(here)), side_of(state.winner)
