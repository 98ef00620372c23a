"""The verb `simulate`: what an iteration is worth, by a playout or an evaluation.

A worth is a winner (0, 1, or 2 for nobody) where rewards are those of winners, else the number for
X as a double. A worth below 0 is a status turned round: what went wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.bits import nth_bit, popcount
from fmcts.rules import IntegerRules
from fmcts.search.compiled.numba_support.generators import draw
from fmcts.search.compiled.numba_support.intrinsics import inlined, int32, int64, put
from fmcts.search.compiled.numba_support.menus import menus_of
from fmcts.search.compiled.numba_support.positions import normalised
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.compiled.statuses import (
    BAD_KEY,
    BAD_MENU,
    BAD_POLICY,
    BAD_WINNER,
    BAD_WORTH,
    CHOICES,
    NO_END,
    WIDE_MOVE,
)
from fmcts.search.compiled.structure import Structure

__all__ = ['checked', 'ending', 'gained', 'narrowing', 'simulation']

Verb: TypeAlias = Callable[..., Any]


def ending(rules: IntegerRules, structure: Structure) -> Verb:
    """`worth(position)` of a finished game."""
    winner, reward = rules.winner, structure.reward

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


def checked(function: Verb) -> Verb:
    """`worth(position)` by a user's function, when it is from 0 to 1."""
    register(function)

    @inlined
    def worth(position: Any) -> Any:
        value = float(function(position))
        return value if 0.0 <= value <= 1.0 else -float(BAD_WORTH)

    return worth


def simulation(rules: IntegerRules, structure: Structure) -> Verb:  # noqa: C901 - small verbs
    """`simulate(position, options, rng, max_plies, stamps, stamp)`: a worth, and the generator.

    `options` is the menu of `position`. Moves that are played in a playout are stamped, where they
    are remembered: `stamps` has a number for each player and key.
    """
    end = ending(rules, structure)
    menus = menus_of(rules)
    see, over, count, pick = menus.see, menus.over, menus.count, menus.pick
    if structure.evaluate is not None:
        evaluate = checked(structure.evaluate)

        @inlined
        def evaluated(
            position: Any, options: Any, rng: Any, max_plies: Any, stamps: Any, stamp: Any
        ) -> Any:
            return (end(position) if over(options) else evaluate(position)), rng

        return evaluated

    play, side, key, keys = rules.play, rules.side, rules.key, rules.keys
    narrow, failure = narrowing(rules, structure.playout), float if structure.real else int64
    traces = structure.traces

    @inlined
    def simulate(
        position: Any, options: Any, rng: Any, max_plies: Any, stamps: Any, stamp: Any
    ) -> Any:
        left = max_plies
        while not over(options):
            if left == 0:
                return failure(-NO_END), rng
            left -= 1
            among, legal = narrow(position, options)
            if not legal:
                return failure(-BAD_POLICY), rng
            choices = count(among)
            if choices < 1 or choices > CHOICES:
                return failure(-BAD_MENU), rng
            index, rng = draw(rng, choices)
            move = pick(among, index)
            if move != int32(move):
                return failure(-WIDE_MOVE), rng
            if traces:
                named = int64(key(position, move))
                if named < 0 or named >= keys:
                    return failure(-BAD_KEY), rng
                put(stamps, (int64(side(position)) & 1) * keys + named, stamp)
            position = normalised(play(position, move))
            options = see(position)
        return end(position), rng

    return simulate


def narrowing(rules: IntegerRules, policy: Verb | None) -> Verb:
    """`narrow(position, options)`: the menu that a playout draws from, and whether it may."""
    if policy is None:
        return inlined(lambda _position, options: (options, True))
    register(policy)
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


def gained(structure: Structure) -> Verb:
    """`gained(worth, mover)`: what it is worth to that side; twice that, where it is a winner."""
    if structure.real:
        return inlined(lambda worth, mover: worth if mover == 0 else 1.0 - worth)
    return inlined(lambda worth, mover: 1 if worth == 2 else 2 if worth == mover else 0)
