"""Select, expand, simulate, backup: each verb of the search as a small function for numba.

A factory makes the verb for a game's rules or for an option, so that what differs between searches
is fixed when the code is compiled. `words` and `path` are pointers; `layout` says what lies where.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fmcts.rules import IntegerRules
from fmcts.search.compiled.generators import draw
from fmcts.search.compiled.lanes import WIDTH, best, doubles_at, instead_of_nan
from fmcts.search.compiled.layout import HALVES, MOVE, VISITS, cell
from fmcts.search.compiled.machine import get, inlined, int32, int64, put
from fmcts.search.compiled.positions import settled
from fmcts.search.compiled.teach import teach
from fmcts.search.description import Expansion
from fmcts.search.scoring import ucb1_value

__all__ = [
    'BAD_MENU',
    'BAD_WINNER',
    'CHOICES',
    'NO_END',
    'WIDE_MOVE',
    'backup',
    'expansion',
    'selection',
    'simulation',
]

Verb: TypeAlias = Callable[..., Any]

# What wrong rules may do: statuses that compiled code comes back with.
WIDE_MOVE: Final = 4
BAD_MENU: Final = 5
BAD_WINNER: Final = 6
NO_END: Final = 7

CHOICES: Final = 1 << 24  # the most moves that a position may have


@inlined
def ucb1_scores(halves: Any, visits: Any, log_total: Any, c: Any) -> Any:
    """The value of each child as all engines compute it; all have been visited."""
    return ucb1_value(0.5 * halves / visits, visits, log_total, c)


@inlined
def ucb1_scores_or_first(halves: Any, visits: Any, log_total: Any, c: Any) -> Any:
    """The same, where a child not visited yet, whose value is 0/0, comes before all others."""
    return instead_of_nan(ucb1_scores(halves, visits, log_total, c), math.inf)


def selection(*, unvisited: bool) -> Verb:
    """`select(words, block, total, log_total, c)`: the index of the child to descend to.

    `unvisited`: whether there may be children without visits.
    """
    teach(ucb1_value)
    scores = ucb1_scores_or_first if unvisited else ucb1_scores

    @inlined
    def select(words: Any, block: Any, total: Any, log_total: Any, c: Any) -> Any:
        # What is read past the end of a row is masked by `best`.
        visits = cell(block, total, VISITS, 0)
        halves = cell(block, total, HALVES, 0)
        first = scores(doubles_at(words, halves), doubles_at(words, visits), log_total, c)
        highest, chosen = best(first, total)
        low = WIDTH
        while low < total:
            more = scores(
                doubles_at(words, halves + low), doubles_at(words, visits + low), log_total, c
            )
            score, index = best(more, total - low)
            if score > highest:
                highest, chosen = score, low + index
            low += WIDTH
        return chosen

    return select


def expansion(rules: IntegerRules, kind: Expansion) -> Verb:  # noqa: C901 - three small verbs
    """`expand(words, block, total, tried, options, rng)`: make children as `Search.expansion` says.

    It gives the index of the child to simulate and the next generator. The index is below 0 when a
    move of another child does not fit in 32 bits; the move of that child is not looked at.
    """
    pick = rules.pick

    @inlined
    def make(words: Any, block: Any, total: Any, options: Any, index: Any) -> Any:
        """The child of one more move, not visited yet; whether the move fits."""
        move = int64(pick(options, index))
        put(words, cell(block, total, VISITS, index), 0)
        put(words, cell(block, total, MOVE, index), move)
        return move == int32(move)

    @inlined
    def nth_untried(words: Any, block: Any, nth: Any) -> Any:
        index = 0
        while True:
            if get(words, cell(block, 0, VISITS, index)) < 0:
                if nth == 0:
                    return index
                nth -= 1
            index += 1

    @inlined
    def in_order(words: Any, block: Any, total: Any, tried: Any, options: Any, rng: Any) -> Any:
        make(words, block, total, options, tried)
        following = tried + 1  # `tried` is where the first gap is
        while following < total and get(words, cell(block, total, VISITS, following)) >= 0:
            following += 1
        put(words, block + 1, following)
        return tried, rng

    @inlined
    def random(words: Any, block: Any, total: Any, tried: Any, options: Any, rng: Any) -> Any:
        nth, rng = draw(rng, total - tried)
        index = nth_untried(words, block, nth)
        make(words, block, total, options, index)
        put(words, block + 1, tried + 1)
        return index, rng

    @inlined
    def full(words: Any, block: Any, total: Any, tried: Any, options: Any, rng: Any) -> Any:
        nth, rng = draw(rng, total - tried)
        index = nth_untried(words, block, nth)
        for other in range(total):
            if get(words, cell(block, total, VISITS, other)) < 0 and not make(
                words, block, total, options, other
            ):
                return int64(-1), rng
        put(words, block + 1, total)
        return index, rng

    verbs: dict[Expansion, Verb] = {'in-order': in_order, 'random': random, 'full': full}
    return verbs[kind]


def simulation(rules: IntegerRules) -> Verb:
    """`simulate(position, options, rng, max_plies)`: a uniform playout's winner, and the generator.

    `options` is the menu of `position`. Where rules break their promises, what they did stands for
    the winner: one of the statuses above, negative.
    """
    menu, count, pick, play, winner = rules.menu, rules.count, rules.pick, rules.play, rules.winner

    @inlined
    def simulate(position: Any, options: Any, rng: Any, max_plies: Any) -> Any:
        left = max_plies
        while options != 0:
            if left == 0:
                return int64(-NO_END), rng
            left -= 1
            choices = int64(count(options))
            if choices < 1 or choices > CHOICES:
                return int64(-BAD_MENU), rng
            index, rng = draw(rng, choices)
            move = int64(pick(options, index))
            if move != int32(move):
                return int64(-WIDE_MOVE), rng
            position = settled(play(position, move))
            options = int64(menu(position))
        won = int64(winner(position))
        return (won if 0 <= won <= 2 else int64(-BAD_WINNER)), rng

    return simulate


@inlined
def backup(words: Any, path: Any, depth: Any, won: Any) -> None:
    """One visit and its reward more for every child on the path (pairs; see `loop`)."""
    for level in range(depth):
        place = int64(get(path, 2 * level))
        shape = int64(get(path, 2 * level + 1))
        total, mover = shape >> 1, shape & 1
        put(words, place, get(words, place) + 1)
        place += (HALVES - VISITS) * total
        gained = 1 if won == 2 else 2 if won == mover else 0
        put(words, place, get(words, place) + gained)
