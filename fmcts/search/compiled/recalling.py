"""How a playout chooses by what is remembered, as machine code: verbs as `policies` describes them.

The array of memory and the line are as the module `memory` says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.rules import IntegerRules
from fmcts.search.compiled.numba_support.intrinsics import get, inlined, int64
from fmcts.search.compiled.numba_support.menus import menus_of
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.compiled.statuses import BAD_KEY, BAD_MENU, CHOICES
from fmcts.search.policies.mast import UNSEEN

__all__ = ['highest_mean', 'last_good_reply']

Verb: TypeAlias = Callable[..., Any]


def highest_mean(rules: IntegerRules, first: int) -> Verb:
    """The verb of `HighestMean`, whose memory begins at `first`."""
    side, key, keys = rules.side, rules.key, rules.keys
    register(side, key)
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        total = count(options)
        if total < 1 or total > CHOICES:
            return int64(0), rng, int64(BAD_MENU)
        begin = first + (int64(side(position)) & 1) * keys
        chosen, best = int64(0), -1.0
        for index in range(total):
            move = int64(pick(options, index))
            named = int64(key(position, move))
            if named < 0 or named >= keys:
                return int64(0), rng, int64(BAD_KEY)
            visits = get(memory, begin + named)
            mean = UNSEEN
            if visits > 0.0:
                mean = get(memory, begin + 2 * keys + named) / visits
            if mean > best:
                chosen, best = move, mean
        return chosen, rng, int64(0)

    return choose


def last_good_reply(rules: IntegerRules, first: int, otherwise: Verb) -> Verb:
    """The verb of `LastGoodReply`; `otherwise` is that where no reply is known that is legal."""
    side, key, keys = rules.side, rules.key, rules.keys
    register(side, key)
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        last = int64(get(line, int64(get(line, 0))))
        by_x = int64(side(position)) & 1 == 0
        if (last < keys) != by_x:
            reply = get(memory, first + last)
            if reply >= 0.0:  # then there is one
                for index in range(count(options)):
                    move = int64(pick(options, index))
                    if float(key(position, move)) == reply:
                        return move, rng, int64(0)
        return otherwise(position, options, rng, numbers, memory, line)

    return choose
