"""Compiled implementations of `fmcts.search.policies`, on positions.

A verb `choose(position, options, rng, numbers, memory, line)` returns a move, the generator to use
next, and 0, or a status if rules or functions break their promises. `options` is the menu of the
position, in which the game is not over; `numbers` are the policy's, after the first; `memory` and
`line` are described in the module `memory`, and used if playouts remember.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from fmcts._compiled.memory import weighing
from fmcts._compiled.statuses import BAD_MENU, BAD_POLICY, CHOICES
from fmcts._compiled.structure import OF_KINDS
from fmcts._numba.generators import draw, draw_often_two
from fmcts._numba.intrinsics import Verb, inlined, int64
from fmcts._numba.positions import menus_of, normalised
from fmcts._numba.register import entering, register
from fmcts._numba.whole import word
from fmcts.bits import nth_bit, popcount
from fmcts.rules import IntegerRules, OnPositions
from fmcts.search.memory import size_of
from fmcts.search.policies import Mixture, Narrowing, Policy, Preferring, Recalling
from fmcts.search.policies.mixture import SCALE

Places: TypeAlias = Mapping[str, int]
"""The start of each table in the array of memory, by name."""


def choosing(rules: IntegerRules, policy: Policy, formulas: Sequence[Verb]) -> Verb:
    """Return the verb of the policy of a search, whose `functions` are these `formulas`."""
    places, end = {}, 0
    for table in policy.memories:
        places[table.name] = end
        end += size_of(table, rules.keys)
    return _choosing(rules, policy, iter(formulas), places, 1)


def _choosing(
    rules: IntegerRules, policy: Policy, formulas: Iterator[Verb], places: Places, first: int
) -> Verb:
    """Return the verb of a part, whose own numbers start at index `first`."""
    if isinstance(policy, Mixture):
        return _mixture(rules, policy, formulas, places, first)
    if isinstance(policy, Recalling):
        return weighing(rules, policy, next(formulas), places, first, _drawing(rules))
    if isinstance(policy, Preferring):
        verb = _drawing(rules)
        for name, belongs in reversed(policy.kinds):
            if belongs is not None or getattr(rules, name, None) is not None:
                verb = _preferring(rules, name, belongs, verb)
        return verb
    if isinstance(policy, Narrowing):
        return _narrowed(rules, policy)
    return _drawing(rules)


def _drawing_from(rules: IntegerRules) -> Verb:
    """Return `draw_from(among, rng)`: like `choose`, with all moves of a menu equally likely."""
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick
    # Games of dice often have two moves, such as to roll or to stop.
    drawn = draw if rules.chances is None else draw_often_two

    @inlined
    def draw_from(among: Any, rng: Any) -> Any:
        choices = count(among)
        if choices < 1 or choices > CHOICES:
            return int64(0), rng, int64(BAD_MENU)
        index, rng = drawn(rng, choices)
        return pick(among, index), rng, int64(0)

    return draw_from


def _drawing(rules: IntegerRules) -> Verb:
    """Return a verb that draws each move of the menu with the same probability."""
    draw_from = _drawing_from(rules)

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        return draw_from(options, rng)

    return choose


def _mixture(
    rules: IntegerRules, mixture: Mixture, formulas: Iterator[Verb], places: Places, first: int
) -> Verb:
    numbers = [first + len(mixture.limits)]
    for policy in mixture.policies:
        numbers.append(numbers[-1] + len(policy.numbers))
    verbs = [
        _choosing(rules, policy, formulas, places, number)
        for policy, number in zip(mixture.policies, numbers, strict=False)
    ]
    last = verbs.pop()
    chosen = inlined(lambda _drawn, *given: last(*given))
    for place, verb in reversed([*enumerate(verbs)]):
        chosen = _either(first + place, verb, chosen)
    by_number = chosen

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        drawn, rng = draw(rng, SCALE)
        return by_number(drawn, position, options, rng, numbers, memory, line)

    return choose


def _either(place: int, verb: Verb, otherwise: Verb) -> Verb:
    @inlined
    def choose(
        drawn: Any, position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any
    ) -> Any:
        if drawn < numbers[place]:
            return verb(position, options, rng, numbers, memory, line)
        return otherwise(drawn, position, options, rng, numbers, memory, line)

    return choose


def _preferring(rules: IntegerRules, name: str, function: Any, otherwise: Verb) -> Verb:
    """Return a verb that draws among the moves of that kind if there are any."""
    faster = getattr(rules, name, None)
    if faster is not None:
        return _by_menu(rules, faster, otherwise)
    belongs = KINDS[function](rules)
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        total = count(options)
        if total < 1 or total > CHOICES:
            return int64(0), rng, int64(BAD_MENU)
        kept = int64(0)
        for index in range(total):
            if belongs(position, pick(options, index)):
                kept += 1
        if kept == 0:
            return otherwise(position, options, rng, numbers, memory, line)
        nth, rng = draw(rng, kept)
        nth = int64(nth)
        for index in range(total):
            move = pick(options, index)
            if belongs(position, move):
                if nth == 0:
                    return move, rng, int64(0)
                nth -= 1
        return int64(0), rng, int64(BAD_MENU)  # not reached: rules are pure

    return choose


def _by_menu(rules: IntegerRules, narrow: Verb, otherwise: Verb) -> Verb:
    """Return a verb for a kind of moves that the game itself defines, by `narrow`."""
    register(narrow)
    _, normalise, over, _, _ = menus_of(rules)
    draw_from = _drawing_from(rules)

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        among = normalise(narrow(position, options))
        if over(among):
            return otherwise(position, options, rng, numbers, memory, line)
        return draw_from(among, rng)

    return choose


def _wins(rules: IntegerRules) -> Verb:
    """Return `belongs(position, move)`: whether the move wins at once."""
    play, side, winner = rules.play, rules.side, rules.winner
    menus = menus_of(rules)
    see, over = menus.see, menus.over

    @inlined
    def wins(position: Any, move: Any) -> Any:
        there = normalised(play(position, move))
        return over(see(there)) and int64(winner(there)) == int64(side(position))

    return wins


def _is_safe(rules: IntegerRules) -> Verb:
    """Return `belongs(position, move)`: whether the opponent neither wins by it nor right after."""
    play, side, winner = rules.play, rules.side, rules.winner
    wins, menus = _wins(rules), menus_of(rules)
    see, over, count, pick = menus.see, menus.over, menus.count, menus.pick

    @inlined
    def is_safe(position: Any, move: Any) -> Any:
        there = normalised(play(position, move))
        replies = see(there)
        mine = int64(side(position))
        if over(replies):
            return int64(winner(there)) != 1 - mine
        if int64(side(there)) == mine:
            return True
        for index in range(count(replies)):  # noqa: SIM110 - numba knows no generators
            if wins(there, pick(replies, index)):
                return False
        return True

    return is_safe


KINDS: Final = dict(zip(OF_KINDS, (_wins, _is_safe), strict=True))
"""Machine code for each function of a kind of moves, made from the rules."""


def _narrowed(rules: IntegerRules, policy: Narrowing) -> Verb:
    assert isinstance(policy.function, OnPositions)  # noqa: S101 - `unable` has seen to it
    narrow, draw_from = narrowing(rules, policy.function.function), _drawing_from(rules)

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        among, legal = narrow(position, options)
        if not legal:
            return int64(0), rng, int64(BAD_POLICY)
        return draw_from(among, rng)

    return choose


def narrowing(rules: IntegerRules, policy: Verb) -> Verb:
    """Return `narrow(position, options)`: the menu from a user's function, and if it is valid."""
    given = entering(policy)
    policy = inlined(lambda position, options: word(given(position, options)))
    _, normalise, over, count, pick = menus_of(rules)
    if rules.count is popcount and rules.pick is nth_bit:

        @inlined
        def narrow_set(position: Any, options: Any) -> Any:
            among = normalise(policy(position, options))
            return among, not over(among) and among & ~options == 0

        return narrow_set

    @inlined
    def narrow(position: Any, options: Any) -> Any:
        among = normalise(policy(position, options))
        if over(among):
            return among, False
        for index in range(count(among)):
            move = pick(among, index)
            found = False
            for other in range(count(options)):
                found = found or move == pick(options, other)
            if not found:
                return among, False
        return among, True

    return narrow
