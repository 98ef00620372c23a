"""Whether compiled rules say the same as the rules that Python runs, and these as the states.

Python goes first: it walks through random games and writes down what the rules say of every ply
(`fmcts.search.agreement`). Machine code is then asked the same questions, one by one and about
Python's positions, so that a wrong answer leads to no other question.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, cast

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple
from returns.result import Failure, Result, Success

from fmcts.bits import WORD
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of
from fmcts.search.agreement import Disagreement, Ply, brief_walk, place_of, walk
from fmcts.search.compiled.bounds import with_checks
from fmcts.search.compiled.entries import Entry, entry, game_parts, taught
from fmcts.search.compiled.machine import int64
from fmcts.search.compiled.positions import settled, signed
from fmcts.search.compiled.refusals import RULES, call_raising, first_line, make
from fmcts.search.errors import RulesError

__all__ = ['brief_complaint', 'check_rules']

CHUNK: Final = 500  # plies at a time

# A question is the fields of a position, its menu, an index and the move of that index; with the
# menu 0, who won. This is what is answered, before the fields of the position after the move.
SAID: Final = ('the menu', 'the side to move', 'the number of moves', 'the move', 'the winner')


@functools.cache
def _asking(rules: IntegerRules, position: Any, about: str) -> Entry:
    return _asker(rules, taught(rules), position, about)


@functools.cache
def _asking_with_checks(rules: IntegerRules, position: Any, about: str) -> Entry:
    checked = with_checks(rules)
    functions = tuple(getattr(checked, name) for name in RULES)
    return _asker(rules, functions, position, about, 'checked')


def _asker(
    rules: IntegerRules, functions: tuple[Any, ...], position: Any, about: str, *more: object
) -> Entry:
    menu, count, pick, play, side, winner = functions
    width = len(position._fields)

    def ask(given: Any, said: Any, at: Any) -> None:  # compiled
        """Answer one row of questions after another.

        `at` is told which row it is, and which of the rules: should one raise an error, it is that.
        """
        for number in range(len(given)):
            row = given[number]
            answer = said[number]
            at[0] = number
            here = position(*to_fixed_tuple(row[:width], width))
            at[1] = 0
            answer[0] = int64(menu(here))
            at[1] = 4
            answer[1] = int64(side(here))
            if row[width] == 0:
                at[1] = 5
                answer[4] = int64(winner(here))
            else:
                at[1] = 1
                answer[2] = int64(count(row[width]))
                at[1] = 2
                answer[3] = int64(pick(row[width], row[width + 1]))
                at[1] = 3
                place = 5
                for field in settled(play(here, row[width + 2])):
                    answer[place] = field
                    place += 1

    # Copies with checks are made of the rules, so that the rules name them soundly.
    return entry(ask, about, game_parts(rules, position), *more)


def check_rules(start: GameState[Any], plies: int, rng: Rng) -> Result[int, str]:
    """The check; see `fmcts.rules.check_rules`, which has seen that there are rules."""
    rules = cast('IntegerRules', rules_of(start))
    seen = islice(walk(start, rules, rng), plies)
    try:
        while chunk := list(islice(seen, CHUNK)):
            kind = type(rules.pack(start))
            about = f'check of {type(start).__name__}'
            ask = make(start, _asking_with_checks, rules, kind, about)
            for complaint in _complaints(start, ask, kind, chunk):
                return Failure(complaint)
    except (Disagreement, RulesError) as error:
        return Failure(str(error))
    return Success(plies)


def brief_complaint(state: GameState[Any]) -> str | None:
    """Why compiled rules, as searches use them, are of no use: seen at a few plies, if at all."""
    rules = cast('IntegerRules', rules_of(state))
    kind: Any = type(rules.pack(state))
    name = type(state).__name__
    try:
        ask = make(state, _asking, rules, kind, f'comparison of {name}')
        complaint = next(_complaints(state, ask, kind, brief_walk(state, rules)), None)
    except RulesError as error:
        return str(error)
    if complaint is not None:
        return (
            f'the rules on integers of {name} say something else when compiled: {complaint} '
            '(fmcts.rules.check_rules tells more)'
        )
    return None


def _complaints(
    start: GameState[Any], ask: Entry, kind: Any, plies: Iterable[Ply]
) -> Iterator[str]:
    """Every difference between what Python and machine code say, the first one first."""
    questions, expected = [], []
    for ply in plies:
        for question, answer in _questions(ply):
            questions.append([int(signed(number)) for number in question])
            expected.append((ply, question, answer))
    said = np.zeros((len(questions), len(SAID) + len(kind._fields)), np.int64)
    at = np.zeros(2, np.int64)
    raised = None
    try:
        call_raising(start, ask, np.array(questions, np.int64), said, at)
    except (MemoryError, RulesError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever a rule raises
        raised = first_line(error)
    last = len(questions) if raised is None else int(at[0])
    for (ply, question, answer), found in zip(expected[:last], said.tolist(), strict=False):
        index, move = question[-2:]
        led_to = [f'the field {name} after move number {index} ({move})' for name in kind._fields]
        for what, compiled, interpreted in zip((*SAID, *led_to), found, answer, strict=True):
            if (compiled - interpreted) & WORD:
                yield (
                    f'{place_of(ply.path)}, {what}: {compiled} compiled, {interpreted} interpreted'
                )
    if raised is not None:
        yield f'{place_of(expected[last][0].path)}, {RULES[at[1]]} raised {raised}, compiled'


def _questions(ply: Ply) -> Iterator[tuple[list[int], list[int]]]:
    """What machine code is asked about a position, and what Python says to it."""
    before = [ply.menu, ply.side, ply.count]
    for tried in ply.tried:
        yield (
            [*ply.fields, ply.menu, tried.index, tried.move],
            [*before, tried.move, 0, *tried.fields],
        )
    if not ply.menu:
        yield [*ply.fields, 0, 0, 0], [*before, 0, ply.winner, *(0 for _ in ply.fields)]
