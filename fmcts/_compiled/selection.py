"""The verb `select`: the child with the highest score, by the method's score.

If the score has a formula (see `method_formulas`), it is computed for eight children at once from
the rows of a block; otherwise for one child at a time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

from fmcts._compiled.deriving import leaving_out
from fmcts._compiled.statuses import ALL_EXCLUDED, BAD_SCORES, NOT_A_NUMBER
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.columns import first_reals, reader, reward_at
from fmcts._compiled.tree.layout import HALVES, VISITS, cell, column
from fmcts._expressions import Expression, formula_of
from fmcts._numba.intrinsics import Verb, get, get_real, guessed, inlined, int64, nothing, put
from fmcts._numba.marks import looked_up
from fmcts._numba.register import known_to_numba, register
from fmcts._numba.simd import WIDTH, best, best_of_any, doubles_at, of_the_first
from fmcts._numba.traced import Traced, without_function
from fmcts._numba.whole import plain
from fmcts.formulas import where
from fmcts.search.methods import ParentNumbers, Rule
from fmcts.search.methods.method import Own, edge_type


def selection(structure: Structure) -> Verb:
    """Return `select(words, block, total, parent, parameters, table, own)`.

    It returns the index of the child to descend to, or a negated status if there is none. `table`:
    see `visit_tables.filling`; `own`: see `owning`.
    """
    if structure.plain:
        return _without_own(_ucb1(structure))
    if structure.method.together:
        return _summed(structure, _together(structure))
    choose = _by_lanes if takes_lanes(structure.functions.score) else _one_by_one
    return _summed(structure, _without_own(choose(structure)))


def _without_own(choose: Verb) -> Verb:
    return inlined(
        lambda words, block, total, parent, parameters, table, _own: choose(
            words, block, total, parent, parameters, table
        )
    )


def owning(structure: Structure) -> Verb:
    """Return `own(words, block, total, index, same, losses)`: the argument `node` of `scores`.

    The node is number `index` among the children in `block`, and `losses` of its visits are not
    backed up. `nothing` if the method has no `scores`.
    """
    if not structure.method.together:
        return nothing
    edge = statistics_of(structure)
    return inlined(
        lambda words, block, total, index, same, losses: Own(
            edge(words, block, total, index, losses), same
        )
    )


def statistics_of(structure: Structure) -> Verb:
    """Return `edge(words, block, total, index, losses)`: the argument of a method's `update`."""
    edge, reward_of = edge_type(structure.method.own_names), reward_at(structure)
    read = reader(0, structure.updated)

    @inlined
    def statistics(words: Any, block: Any, total: Any, index: Any, losses: Any) -> Any:
        visits = float(get(words, cell(block, total, VISITS, index)))
        rewards, backed_up = reward_of(words, block, total, index), visits - losses
        value = rewards / backed_up if backed_up > 0.0 else 0.0
        return edge(visits, rewards, value, *read(words, block, total, index))

    return statistics


def takes_lanes(function: object) -> bool:
    """Return whether a method's function has a formula, which is computed for eight at once."""
    return isinstance(function, Traced)


def _lanes(structure: Structure, least: float, formula: Callable[..., Any]) -> Verb:
    """Return `scores(words, block, total, low, parent, parameters, table)`, from child `low` on.

    `formula(visits, score)` adjusts the score of children without visits. Children that are left
    out score `least`.
    """
    score, resolution = structure.functions.score, structure.resolution
    unvisited = structure.unvisited or structure.jumps  # a jump scores moves without a child too
    fields = [field for field in structure.method.edge._fields if field != 'value']
    row: dict[str, Any] = {field: Expression(f'row.{place}') for place, field in enumerate(fields)}
    visits, reward = row['visits'], row['reward']
    if not structure.real:
        reward = 0.5 * reward
    seen: Any = where(visits > 0.0, visits, 0.0) if unvisited else visits
    value: Any = where(visits > 0.0, reward / visits, 0.0) if unvisited else reward / visits
    row |= {'visits': seen, 'reward': reward, 'value': value}
    known = {f'edge.{field}': each for field, each in row.items()}
    found: Any = formula(seen, score.expression(known))
    if structure.jumps:  # without a child it is -1
        found = where(visits < 0.0, least, found)
    if resolution is not None:
        resolved: Any = Expression(f'row.{len(fields)}')
        found = where(resolution.leaves_out(resolved), least, found)
    scored = known_to_numba(without_function(formula_of(found), ('self', 'row', 'parent')))
    read = _rows(structure)

    @inlined
    def scores(
        words: Any, block: Any, total: Any, low: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        return scored(parameters, read(words, block, total, low, table), parent)

    return scores


def _ucb1(structure: Structure) -> Verb:
    """Return `select` for UCB1, whose scores need no test: at least 0, and NaN only unvisited."""

    def first(_visits: Any, score: Any) -> Any:
        # A child without visits, whose value is 0/0, comes first.
        is_number = score == score  # noqa: PLR0124 - NaN
        return where(is_number, score, math.inf) if structure.unvisited else score

    scores = _lanes(structure, LEFT_OUT, first)

    @inlined
    def select(words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any) -> Any:
        # `best` masks the lanes read past the end of a row.
        highest, chosen = best(scores(words, block, total, 0, parent, parameters, table), total)
        low = WIDTH
        while low < total:
            more = scores(words, block, total, low, parent, parameters, table)
            top, index = best(more, total - low)
            if top > highest:
                highest, chosen = top, low + index
            low += WIDTH
        return chosen

    return select


LEFT_OUT: Final = -0.5  # below all scores of UCB1, above what `best` writes in unused lanes


def _by_lanes(structure: Structure) -> Verb:
    """Return `select` for a score with a formula."""
    first = structure.unvisited and not structure.method.scores_unvisited
    scores = _lanes(
        structure,
        -math.inf,
        lambda visits, score: where(visits > 0.0, score, math.inf) if first else score,
    )

    @inlined
    def choose(words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any) -> Any:
        highest, chosen, broken = best_of_any(
            scores(words, block, total, 0, parent, parameters, table), total
        )
        low = WIDTH
        while low < total:
            top, index, more = best_of_any(
                scores(words, block, total, low, parent, parameters, table), total - low
            )
            broken |= more
            if top > highest:
                highest, chosen = top, low + index
            low += WIDTH
        if broken != 0:
            return -NOT_A_NUMBER
        return chosen if highest > -math.inf else -ALL_EXCLUDED

    return choose


def _one_by_one(structure: Structure) -> Verb:
    """Return `select` for a score that cannot be traced, which is called for each child."""
    method, score = structure.method, structure.functions.score
    register(score)
    first = structure.unvisited and not method.scores_unvisited
    scored = (
        inlined(lambda _parameters, edge, parent: score(edge, parent))
        if isinstance(method, Rule)
        else score
    )
    resolves, jumps = structure.resolution is not None, structure.jumps
    leaves_out, number_at = leaving_out(structure)
    edge_at = _edges(structure)

    @inlined
    def score_of(
        words: Any, block: Any, total: Any, index: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        if resolves and leaves_out(get_real(words, number_at(block, total, index))):
            return -math.inf
        if jumps and get(words, cell(block, total, VISITS, index)) < 0:
            return -math.inf
        statistics = edge_at(words, block, total, index, table)
        if first and not statistics.visits > 0.0:
            return math.inf
        return float(plain(scored(parameters, statistics, parent)))

    @inlined
    def choose(words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any) -> Any:
        highest, chosen = -math.inf, -ALL_EXCLUDED
        for index in range(total):
            value = score_of(words, block, total, index, parent, parameters, table)
            if value != value:  # noqa: PLR0124 - NaN
                return -NOT_A_NUMBER
            if value > highest:
                highest, chosen = value, index
        return chosen

    return choose


def _together(structure: Structure) -> Verb:
    """Return `select` for a method that scores the moves of a node together."""
    scores = known_to_numba(structure.functions.score)
    resolves, jumps = structure.resolution is not None, structure.jumps
    leaves_out, number_at = leaving_out(structure)
    edge_at = _edges(structure)

    @inlined
    def left_out(words: Any, block: Any, total: Any, index: Any) -> Any:
        if resolves and leaves_out(get_real(words, number_at(block, total, index))):
            return True
        return jumps and get(words, cell(block, total, VISITS, index)) < 0

    @inlined
    def choose(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any, own: Any
    ) -> Any:
        edges = [edge_at(words, block, total, index, table) for index in range(total)]
        values = scores(parameters, edges, parent, own)
        if len(values) != total:
            return -BAD_SCORES
        highest, chosen = -math.inf, -ALL_EXCLUDED
        for index in range(total):
            value = float(plain(values[index]))
            if value != value:  # noqa: PLR0124 - NaN
                return -NOT_A_NUMBER
            if value > highest and not left_out(words, block, total, index):
                highest, chosen = value, index
        return chosen

    return choose


def _summed(structure: Structure, choose: Verb) -> Verb:
    """Return `choose`, with the sum over the moves available to the scores."""
    with_total = summing(structure)

    @inlined
    def select(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any, own: Any
    ) -> Any:
        # A single move is chosen without a score, as in the other engines.
        if total == 1:
            return 0
        statistics = with_total(words, block, total, parent, parameters, table)
        return choose(words, block, total, statistics, parameters, table, own)

    return select


def summing(structure: Structure) -> Verb:
    """Return `with_total(words, block, total, parent, parameters, table)`: `parent` with a sum."""
    method = structure.method
    if not method.sums:
        return inlined(lambda _words, _block, _total, parent, _parameters, _table: parent)
    formula = known_to_numba(structure.functions.summed)
    edge_at = _edges(structure)

    @inlined
    def with_total(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        summed = 0.0
        for index in range(total):  # in this order, as floating-point sums depend on it
            summed += float(plain(formula(parameters, edge_at(words, block, total, index, table))))
        return ParentNumbers(parent.visits, parent.log_visits, parent.value, summed)

    return with_total


def _rows(structure: Structure) -> Verb:
    """Return `rows(words, block, total, low, table)`: the statistics of eight children, as lanes.

    They are in the order of an edge's fields, without the value, then the row of resolved children.
    """
    own, count = structure.schema.own, 'total - low'
    reward = f'integers_at(words, cell(block, total, {HALVES}, low), {count})'
    if structure.real:
        reward = (
            f'real_at(words, column(block, total, {structure.schema.reward_row}, low), {count})'
        )
    columns = (*range(structure.schema.resolution_row), *range(own, own + structure.schema.moves))
    read = [
        'visits',
        reward,
        *(f'real_at(words, column(block, total, {row}, low), {count})' for row in columns),
        *([f'looked_up(table, visits, {count})'] if structure.method.counts else []),
    ]
    if structure.resolution is not None:
        row = structure.schema.resolution_row
        read.append(f'real_at(words, column(block, total, {row}, low), {count})')
    return _written(
        'def rows(words, block, total, low, table):\n'
        f'    visits = integers_at(words, cell(block, total, {VISITS}, low), {count})\n'
        f'    return {", ".join(read)}',
        integers_at=_any_doubles if structure.plain else _first_doubles,
        real_at=first_reals,
    )


_first_doubles: Final = inlined(
    lambda words, index, count: of_the_first(doubles_at(words, index), count)
)
_any_doubles: Final = inlined(lambda words, index, _count: doubles_at(words, index))


def _edges(structure: Structure) -> Verb:
    """Return `edges(words, block, total, index, table)`: a score's argument for a child."""
    own = structure.schema.own
    rows = (*range(structure.schema.resolution_row), *range(own, own + structure.schema.moves))
    reward = f'0.5 * get(words, cell(block, total, {HALVES}, index))'
    if structure.real:
        reward = f'get_real(words, column(block, total, {structure.schema.reward_row}, index))'
    value, visits = 'reward / visits', f'float(get(words, cell(block, total, {VISITS}, index)))'
    if structure.unvisited or structure.jumps:  # a jump scores moves without a child (visits -1)
        value, visits = f'{value} if visits > 0.0 else 0.0', f'max({visits}, 0.0)'
    more = ''.join(f'get_real(words, column(block, total, {row}, index)), ' for row in rows)
    if structure.method.counts:
        more += 'get(table, int64(visits))'
    return _written(
        'def edges(words, block, total, index, table):\n'
        f'    visits, reward = {visits}, {reward}\n'
        f'    return edge(visits, reward, {value}, {more})',
        edge=structure.method.edge,
    )


def _written(source: str, **names: Any) -> Verb:
    """Return the function with this source: numba must know the number of columns."""
    names |= {'cell': cell, 'column': column, 'looked_up': looked_up, 'int64': int64}
    names |= {'get': get, 'get_real': get_real}
    (name,) = re.findall(r'^def (\w+)', source)
    exec(source, names)  # noqa: S102 - written here, from numbers of rows
    return inlined(names[name])


# ---- guess that selection picks the same child as last time ----

# Each step of a descent needs the child that the previous step chose, and a score takes several
# divisions and roots in sequence, so the processor would wait most of the time. Instead it
# continues with a guess, and discards the work if the guess was wrong. This affects only the time
# taken. A search that concentrates on few moves, such as AMAF, usually repeats its choice. UCB1
# alone spreads its visits and would gain nothing, so it does not guess.
GUESSES: Final = 1 << 12  # 16 kB, small enough for the first-level cache
NEAR: Final = 4  # blocks that begin within 16 integers share a guess


def guess_count(structure: Structure) -> int:
    """Return the size of the array of guesses; its initial values do not matter."""
    return 0 if structure.plain else GUESSES


def confirming(structure: Structure) -> Verb:
    """Return `confirm(guesses, block, index)`.

    It returns the index that was chosen, and stores it as the next guess for the block.
    """
    if structure.plain:
        return inlined(lambda _guesses, _block, index: index)

    @inlined
    def confirm(guesses: Any, block: Any, index: Any) -> Any:
        place = block >> NEAR & GUESSES - 1
        chosen = guessed(index, int64(get(guesses, place)))
        put(guesses, place, chosen)
        return chosen

    return confirm
