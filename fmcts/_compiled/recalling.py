"""Compiled playout policies that use tables: verbs as in `policies`.

The module `memory` describes the array of memory and the line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fmcts._compiled.memory import stored
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.statuses import BAD_KEY, BAD_MENU, BAD_WEIGHT, CHOICES
from fmcts._numba.intrinsics import Verb, get, inlined, int64
from fmcts._numba.positions import menus_of
from fmcts._numba.register import register
from fmcts._numba.whole import plain
from fmcts.rules import IntegerRules
from fmcts.search.policies import Recalling


def weighing(
    rules: IntegerRules,
    policy: Recalling,
    formula: Verb,
    places: Mapping[str, int],
    first: int,
    otherwise: Verb,
) -> Verb:
    """Return the verb of a policy with the `weigh` of `formula`, and numbers from `first` on.

    `places` has the start of each table by name. `otherwise` chooses if all moves weigh minus
    infinity.
    """
    side, key, keys = rules.side, rules.key, rules.keys
    register(side, key, formula)
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick
    row, parameters, end = policy.row, parameters_of(policy), first + len(policy.numbers)
    numbers_of = inlined(lambda _memory, _before, _spot: ())
    for table in policy.memories:
        numbers_of = _and(numbers_of, table, places[table.name], keys)

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        total = count(options)
        if total < 1 or total > CHOICES:
            return int64(0), rng, int64(BAD_MENU)
        own = parameters(*numbers[first:end])
        before = int64(get(line, int64(get(line, 0))))
        begin = (int64(side(position)) & 1) * keys
        chosen, best, broken = int64(0), -math.inf, False
        for index in range(total):
            move = int64(pick(options, index))
            named = int64(key(position, move))
            if named < 0 or named >= keys:
                return int64(0), rng, int64(BAD_KEY)
            statistics = row(float(named), *numbers_of(memory, before, begin + named))
            weight = float(plain(formula(own, statistics)))
            if weight > best:
                chosen, best = move, weight
            broken |= weight != weight  # noqa: PLR0124 - NaN; a branch would be slower
        if broken:
            return int64(0), rng, int64(BAD_WEIGHT)
        if best == -math.inf:
            return otherwise(position, options, rng, numbers, memory, line)
        return chosen, rng, int64(0)

    return choose


def _and(before_it: Verb, table: Any, first: int, keys: int) -> Verb:
    """Return a function for the numbers of the earlier tables followed by those of `table`."""
    index_of, read, _ = stored(table, first, keys)

    @inlined
    def numbers_of(memory: Any, before: Any, spot: Any) -> Any:
        return before_it(memory, before, spot) + read(memory, index_of(before, spot))

    return numbers_of
