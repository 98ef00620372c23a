"""Chance and other players than two in machine code (see `fmcts._engines.chance`).

Where chance moves, the block of a node has the outcomes in place of moves. The rules say so by the
sum of their weights, which is 0 elsewhere; in a game without chance it is the constant 0, and what
depends on it is left out of the machine code.

In a game with rewards or other players the structure has `seats`, the number of players. A worth is
then a tuple with a number for each of them, and a child keeps that of the player who chose it.
"""

from __future__ import annotations

from typing import Any

from fmcts._agreement.walks import CHANCES as LARGEST
from fmcts._compiled.structure import Structure
from fmcts._numba.cache.jit import chance_rules
from fmcts._numba.generators import draw
from fmcts._numba.intrinsics import Verb, inlined, int64
from fmcts._numba.positions import menus_of
from fmcts.rules import PLAYERS, IntegerRules, weight_one


def weighing_outcomes(rules: IntegerRules) -> Verb:
    """`weights(position)`: the sum of the weights of all outcomes; 0 where a player moves."""
    if rules.chances is None:
        return inlined(lambda _position: 0)
    chance_rules(rules)
    chances = rules.chances
    return inlined(lambda position: int64(chances(position)))


def drawing_outcome(rules: IntegerRules) -> Verb:
    """`draw_outcome(position, options, weights, rng)`: the index of an outcome, the next generator.

    The index is -1 if `weights` is not the sum of the weights.
    """
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick
    if rules.chances is None:
        return inlined(lambda _position, _options, _weights, rng: (-1, rng))
    chance_rules(rules)
    weigh = rules.weight

    @inlined
    def evenly(position: Any, options: Any, weights: Any, rng: Any) -> Any:
        if weights < 1 or weights > LARGEST or weights != count(options):
            return int64(-1), rng
        index, rng = draw(rng, weights)
        return int64(index), rng

    @inlined
    def by_weight(position: Any, options: Any, weights: Any, rng: Any) -> Any:
        if weights < 1 or weights > LARGEST:
            return int64(-1), rng
        left, rng = draw(rng, weights)
        left, index = int64(left), int64(0)
        for place in range(count(options)):
            weight = int64(weigh(position, pick(options, place)))
            if weight < 1:
                return int64(-1), rng
            index = int64(place)
            left -= weight
            if left < 0:
                break
        return (index if left < 0 else int64(-1)), rng

    return evenly if weigh is weight_one else by_weight


def seating(structure: Structure) -> Verb:
    """`seat(side)`: the player that a rule named, as a number that is certainly one of theirs."""
    seats = structure.seats
    if not seats:
        return inlined(lambda side: int64(side) & 1)
    return inlined(lambda side: int64(side) % seats)


def seat_bits(structure: Structure) -> int:
    """Return how many bits of a level of the path are the player's number."""
    return 1 if structure.seats <= 2 else (PLAYERS - 1).bit_length()


def tuple_of(count: int, written: str, **names: Any) -> Verb:
    """Return the verb `of(given)`: a tuple of `count` doubles, `written` with `each` for its place.

    One source a number of players, as a tuple's length must be known to numba.
    """
    numbers = ''.join(f'float({written.format(each=each)}), ' for each in range(count))
    exec(f'def of(given):\n    return ({numbers})', names)  # noqa: S102 - see above
    return inlined(names['of'])
