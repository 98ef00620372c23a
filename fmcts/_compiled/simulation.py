"""The verb `simulate`: the worth of an iteration, by a playout or an evaluation.

If only winners count, a worth is the winner (0, 1, or 2 for nobody); otherwise it is the reward of
X as a double. A worth below 0 is a negated status: what went wrong.
"""

from __future__ import annotations

from typing import Any

from fmcts._compiled.chance import drawing_outcome, tuple_of, weighing_outcomes
from fmcts._compiled.marking import marking
from fmcts._compiled.policies import choosing
from fmcts._compiled.statuses import (
    BAD_CHANCES,
    BAD_KEY,
    BAD_REWARD,
    BAD_WINNER,
    BAD_WORTH,
    LINE_IS_FULL,
    NO_END,
    WIDE_MOVE,
)
from fmcts._compiled.structure import Structure
from fmcts._numba.cache.jit import chance_rules
from fmcts._numba.intrinsics import Verb, get, inlined, int32, int64, nothing, put
from fmcts._numba.positions import menus_of, normalised
from fmcts._numba.register import entering, register
from fmcts._numba.whole import plain
from fmcts.rules import IntegerRules


def ending(rules: IntegerRules, structure: Structure) -> Verb:
    """Return `worth(position)`, the worth of a finished game."""
    winner, reward = rules.winner, structure.reward

    if structure.seats:
        return _ending_for_each(rules, structure.seats)
    if not structure.real:

        @inlined
        def by_winner(position: Any) -> Any:
            won = int64(winner(position))
            return won if 0 <= won <= 2 else int64(-BAD_WINNER)

        return by_winner
    if reward is None:

        @inlined
        def by_winner_as_real(position: Any) -> Any:
            won = int64(winner(position))
            if not 0 <= won <= 2:
                return -float(BAD_WINNER)
            return 0.5 if won == 2 else 1.0 - won

        return by_winner_as_real
    return checked(reward)


def _ending_for_each(rules: IntegerRules, seats: int) -> Verb:
    """Return `worth(position)` of a finished game: a number per player, or all below 0."""
    fault = tuple_of(seats, 'given')
    if rules.rewards is not None:
        *_, rewards = chance_rules(rules)
        given = tuple_of(seats, 'plain(rewards(given, {each}))', rewards=rewards, plain=plain)

        @inlined
        def by_rewards(position: Any) -> Any:
            found = given(position)
            for number in found:
                if not 0.0 <= number <= 1.0:
                    return fault(-float(BAD_REWARD))
            return found

        return by_rewards
    winner, share = rules.winner, 0.0 if seats == 1 else 1.0 / seats
    of_winner = tuple_of(seats, '1.0 if given == {each} else 0.0')

    @inlined
    def by_winner(position: Any) -> Any:
        won = int64(winner(position))
        if won == seats:
            return fault(share)
        return of_winner(won) if 0 <= won < seats else fault(-float(BAD_WINNER))

    return by_winner


def faulting(structure: Structure) -> Verb:
    """Return `fault_of(worth)`: the status of what went wrong; 0 or less if nothing did."""
    if structure.seats:
        return inlined(lambda worth: -worth[0])
    return inlined(lambda worth: -worth)


def marking_end(structure: Structure) -> Verb:
    """Return `end_mark(worth)`: the value of `below` where a game with this worth has ended."""
    if structure.real:
        return inlined(lambda _worth: -1)
    return inlined(lambda worth: -1 - int64(worth))


def checked(function: Verb) -> Verb:
    """Return `worth(position)`: a user's function, whose result must be from 0 to 1."""
    judge = entering(function)

    @inlined
    def worth(position: Any) -> Any:
        value = float(plain(judge(position)))
        return value if 0.0 <= value <= 1.0 else -float(BAD_WORTH)

    return worth


def simulation(rules: IntegerRules, structure: Structure) -> Verb:  # noqa: C901 - small verbs
    """Return the verb `simulate`.

    `simulate(position, options, rng, max_plies, stamps, stamp, numbers, memory, line, room)`
    returns the worth and the next generator. `options` is the menu of `position`. If the method
    remembers moves, those played are marked in `stamps` (see `marking`). The first of the `numbers`
    is the number of plies before an evaluation; the others are the policy's. If playouts remember,
    their tables are in `memory`, and moves are added to the `line`, which has room for `room`
    numbers (see the module `memory`).
    """
    end = ending(rules, structure)
    menus = menus_of(rules)
    see, over = menus.see, menus.over
    evaluates, cut = structure.evaluate is not None, structure.cut
    evaluate = checked(structure.evaluate) if structure.evaluate is not None else nothing
    if evaluates and not cut and rules.chances is None:

        @inlined
        def evaluated(position: Any, options: Any, rng: Any, *_others: Any) -> Any:
            return (end(position) if over(options) else evaluate(position)), rng

        return evaluated

    play, side, key, keys = rules.play, rules.side, rules.key, rules.keys
    choose = choosing(rules, structure.policy, structure.weighs)
    failure = float if structure.real else int64
    if structure.seats:
        failure = tuple_of(structure.seats, 'given')
    weights_at, draw_outcome = weighing_outcomes(rules), drawing_outcome(rules)
    pick, cut = menus.pick, cut or (evaluates and rules.chances is not None)
    traces, remembers, mark = structure.traces, structure.remembers, marking(rules.keys).mark
    keyed = traces or remembers
    if keyed:
        register(side, key)

    @inlined
    def simulate(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0917 - it is a piece of the loop
        position: Any,
        options: Any,
        rng: Any,
        max_plies: Any,
        stamps: Any,
        stamp: Any,
        numbers: Any,
        memory: Any,
        line: Any,
        room: Any,
    ) -> Any:
        left = max_plies
        while not over(options):
            if left == 0:
                return failure(-NO_END), rng
            weights = weights_at(position)
            if cut and max_plies - left >= numbers[0] and weights == 0:
                return evaluate(position), rng
            left -= 1
            if weights != 0:
                index, rng = draw_outcome(position, options, weights, rng)
                if index < 0:
                    return failure(-BAD_CHANCES), rng
                move = pick(options, index)
            else:
                move, rng, status = choose(position, options, rng, numbers, memory, line)
                if status != 0:
                    return failure(-status), rng
            if move != int32(move):
                return failure(-WIDE_MOVE), rng
            if keyed:
                named = int64(key(position, move))
                if named < 0 or named >= keys:
                    return failure(-BAD_KEY), rng
                mover = int64(side(position)) & 1
                if traces:
                    mark(stamps, mover, named, stamp)
                named += mover * keys
                if remembers:
                    length = int64(get(line, 0)) + 1
                    if length >= room:
                        return failure(-LINE_IS_FULL), rng
                    put(line, length, named)
                    put(line, 0, length)
            position = normalised(play(position, move))
            options = see(position)
        return end(position), rng

    return simulate


def gained(structure: Structure) -> Verb:
    """Return `gained(worth, mover)`: the reward of a side; twice that, if the worth is a winner."""
    if structure.seats:
        return inlined(lambda worth, mover: worth[mover])
    if structure.real:
        return inlined(lambda worth, mover: worth if mover == 0 else 1.0 - worth)
    return inlined(lambda worth, mover: 1 if worth == 2 else 2 if worth == mover else 0)
