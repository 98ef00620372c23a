"""Compare compiled rules with Python's, and Python's rules with the states.

Python goes first: it plays random games and records the rules' answers about every ply
(`fmcts._agreement.walks`). Machine code then answers the same questions one by one, each about a
position from Python, so that a wrong answer does not affect later questions.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, cast

import numpy as np
from returns.result import Failure, Result, Success

from fmcts._agreement.walks import Disagreement, Ply, after_moves, brief_walk, walk
from fmcts._compiled.calls import call_raising, first_line, make
from fmcts._compiled.faults import CHANCE_RULES, RULES
from fmcts._numba.cache.current import current_rules
from fmcts._numba.cache.jit import Jitted, chance_rules, game_identity, jit, registered
from fmcts._numba.checked_copies import with_checks
from fmcts._numba.intrinsics import (
    address,
    all_at,
    get,
    inlined,
    int64,
    nothing,
    put,
    put_all,
    put_real,
)
from fmcts._numba.positions import (
    maker_of,
    normalised,
    normalised_menu,
    numbers_in,
    numbers_of,
    signed,
)
from fmcts._numba.register import register
from fmcts._numba.whole import plain
from fmcts.bits import WORD
from fmcts.errors import RulesError
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of

CHUNK: Final = 500  # plies at a time

# A question is the fields of a position, the numbers of its menu, an index and the move of that
# index; the index -1 asks for the winner. An answer is the numbers of the menu, these four values,
# and the fields of the position after the move.
SAID: Final = ('the side to move', 'the number of moves', 'the move', 'the winner')
OVER: Final = -1


@functools.lru_cache(maxsize=64)
def _asking(rules: IntegerRules, position: Any, menus: type, about: str) -> Jitted:
    functions = (*registered(rules), *chance_rules(rules))
    return _asker(rules, functions, position, menus, about)


@functools.lru_cache(maxsize=64)
def _asking_with_checks(rules: IntegerRules, position: Any, menus: type, about: str) -> Jitted:
    checked = with_checks(rules)
    functions = tuple(getattr(checked, name) for name in RULES)
    functions += chance_rules(checked)
    return _asker(rules, functions, position, menus, about, 'checked')


def _asker(
    rules: IntegerRules,
    functions: tuple[Any, ...],
    position: Any,
    menus: type,
    about: str,
    *more: object,
) -> Jitted:
    menu, count, pick, play, side, winner = functions[: len(RULES)]
    more_said = _chance_said(rules)
    say_more = _saying_more(rules, *functions[len(RULES) :])
    width = len(position._fields)
    numbers, made = maker_of(menus)
    wide = issubclass(menus, tuple)
    said_at = numbers + len(SAID)
    behind, first = width + numbers, said_at + len(more_said)
    asked, answered = behind + 2, first + width  # numbers per row

    def ask(given: Any, said: Any, at: Any) -> None:  # compiled
        """Answer the rows of questions in order.

        Store the current row and rule in `at`, so that an error can be traced to them.
        """
        rows, answers, now = address(given), address(said), address(at)
        for number in range(len(given)):
            row, answer = asked * number, answered * number
            put(now, 0, number)
            here = position(*all_at(rows, row, width))
            put(now, 1, 0)
            put_all(answers, answer, numbers_in(normalised_menu(menu(here))))
            put(now, 1, 4)
            put(answers, answer + numbers, int64(side(here)))
            options = made(all_at(rows, row + width, numbers))
            index = get(rows, row + behind)
            over = index == OVER
            if wide or not over:
                put(now, 1, 1)
                put(answers, answer + numbers + 1, int64(count(options)))
            say_more(answers, answer + said_at, here, get(rows, row + behind + 1), over, now)
            if over:
                put(now, 1, 5)
                put(answers, answer + numbers + 3, int64(winner(here)))
            else:
                put(now, 1, 2)
                put(answers, answer + numbers + 2, int64(pick(options, index)))
                put(now, 1, 3)
                after = normalised(play(here, get(rows, row + behind + 1)))
                put_all(answers, answer + first, after)

    # The checked copies are made from the rules, so the names of the rules identify them.
    return jit(ask, about, game_identity(rules, position), *more)


def _chance_said(rules: IntegerRules) -> tuple[str, ...]:
    """Return what else is answered in a game with chance or rewards."""
    said = ('the sum of the weights', 'the weight') if rules.chances is not None else ()
    players = range(rules.players) if rules.rewards is not None else ()
    return (*said, *(f'the reward of player {player}' for player in players))


def _saying_more(rules: IntegerRules, *functions: Any) -> Any:
    """Return `say_more(answers, at, position, move, over, now)`, for what `_chance_said` names."""
    if not functions:
        return nothing
    register(*functions)
    has_chance, has_rewards = rules.chances is not None, rules.rewards is not None
    chances, weight = functions[:2] if has_chance else (nothing, nothing)
    rewards, players = functions[-1], rules.players

    @inlined
    def say_more(answers: Any, at: Any, position: Any, move: Any, over: Any, now: Any) -> None:
        if has_chance:
            put(now, 1, 6)
            total = int64(chances(position))
            put(answers, at, total)
            if total != 0:
                put(now, 1, 7)
                put(answers, at + 1, int64(weight(position, move)))
        if has_rewards and over:
            put(now, 1, 8)
            for player in range(players):
                reward = float(plain(rewards(position, player)))
                put_real(answers, at + 2 * has_chance + player, reward)

    return say_more


def check_rules(start: GameState[Any], plies: int, rng: Rng) -> Result[int, str]:
    """Run the check for `fmcts.testing.check_rules`, which has made sure that there are rules."""
    rules = current_rules(cast('IntegerRules', rules_of(start)))
    seen = islice(walk(start, rules, rng), plies)
    try:
        while chunk := list(islice(seen, CHUNK)):
            kind, menus = type(rules.pack(start)), type(chunk[0].menu)
            about = f'check of {type(start).__name__}'
            ask = make(start, _asking_with_checks, rules, kind, menus, about)
            for complaint in _complaints(start, ask, kind, chunk):
                return Failure(complaint)
    except (Disagreement, RulesError) as error:
        return Failure(str(error))
    return Success(plies)


def brief_complaint(state: GameState[Any]) -> str | None:
    """Return why compiled rules cannot be used, as far as a few plies show; `None` if they can."""
    rules = current_rules(cast('IntegerRules', rules_of(state)))
    kind: Any = type(rules.pack(state))
    name = type(state).__name__
    plies = list(brief_walk(state, rules))
    try:
        ask = make(state, _asking, rules, kind, type(plies[0].menu), f'comparison of {name}')
        complaint = next(_complaints(state, ask, kind, plies), None)
    except RulesError as error:
        return str(error)
    if complaint is not None:
        return (
            f'the rules on integers of {name} differ when compiled: {complaint} '
            '(see fmcts.testing.check_rules)'
        )
    return None


def _complaints(
    start: GameState[Any], ask: Jitted, kind: Any, plies: Sequence[Ply]
) -> Iterator[str]:
    """Yield every difference between the answers of Python and of machine code, in order."""
    questions, expected = [], []
    menu = plies[0].menu
    parts = [f'the field {name} of the menu' for name in getattr(menu, '_fields', ())]
    rules = cast('IntegerRules', rules_of(start))
    names = (*(parts or ['the menu']), *SAID, *_chance_said(rules))
    for ply in plies:
        for question, answer in _questions(ply, rules):
            questions.append([int(signed(number)) for number in question])
            expected.append((ply, question, answer))
    said = np.zeros((len(questions), len(names) + len(kind._fields)), np.int64)
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
        for what, compiled, interpreted in zip((*names, *led_to), found, answer, strict=True):
            if (compiled - interpreted) & WORD:
                yield (
                    f'{after_moves(ply.path)}, {what}: '
                    f'{compiled} compiled, {interpreted} interpreted'
                )
    if raised is not None:
        rule = (*RULES, *CHANCE_RULES)[at[1]]
        yield f'{after_moves(expected[last][0].path)}, {rule} raised {raised}, compiled'


def _questions(ply: Ply, rules: IntegerRules) -> Iterator[tuple[list[int], list[int]]]:
    """Yield each question about a position, with Python's answer."""
    menu = numbers_of(ply.menu)
    before = [*menu, ply.side, ply.count]
    count, chance = len(_chance_said(rules)), rules.chances is not None
    for tried in ply.tried:
        yield (
            [*ply.fields, *menu, tried.index, tried.move],
            [
                *(*before, tried.move, 0),
                *_first([ply.chances, tried.weight] * chance, count),
                *tried.fields,
            ],
        )
    if not ply.count:
        rewards = np.array(ply.rewards, np.float64).view(np.int64).tolist()
        more = _first([*[0, 0] * chance, *rewards], count)
        zeros = (0 for _ in ply.fields)
        yield [*ply.fields, *menu, OVER, 0], [*before, 0, ply.winner, *more, *zeros]


def _first(numbers: list[int], count: int) -> list[int]:
    return [*numbers, *[0] * (count - len(numbers))]
