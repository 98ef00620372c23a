"""The verb `derive`: compute a node's statistics from its children's (`fmcts.search.derived`).

Below it is what the statistic of a resolution says: see `fmcts.search.resolution`.
"""

from __future__ import annotations

from typing import Any

from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.simulation import checked, gained
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.columns import reader, reward_at, writer
from fmcts._compiled.tree.layout import BELOW, ROOT, VISITS, cell, column
from fmcts._numba.intrinsics import Verb, get, get_real, inlined, int64, nothing
from fmcts._numba.register import register
from fmcts._numba.whole import plain, shaped_as
from fmcts.search._columns import ColumnNames
from fmcts.search.derived import Place
from fmcts.search.methods.method import edge_type


def evaluation(structure: Structure) -> Verb:
    """Return `evaluate(position, finished)`, which applies the heuristics to the leaf.

    It returns the smallest value, and a tuple with a value for X for each derived statistic (1 for
    one without a heuristic). A smallest value below 0 is a negated status.
    """
    names: dict[str, Any] = {}
    for place, (derived, _) in enumerate(structure.derived):
        heuristic = derived.heuristic
        judge = inlined(lambda _position: 1.0) if heuristic is None else checked(heuristic)
        names[f'judge{place}'] = judge
    each = [f'(1.0 if finished else {judge}(position))' for judge in names]
    values = ''.join(f'worth{place}, ' for place in range(len(each)))
    lines = [f'    worth{place} = {text}\n' for place, text in enumerate(each)]
    source = (
        f'def evaluate(position, finished):\n{"".join(lines)}'
        f'    return min(1.0, 1.0, {values}), ({values})\n'
    )
    exec(source, names)  # noqa: S102 - one for each number of statistics
    return inlined(names['evaluate'])


def deriving(structure: Structure) -> Verb:
    """Return `derive(words, block, total, index, mover, chooser, known, iteration)`.

    It is called for each node of the path, from the leaf to the root. `chooser` is the side to move
    at the node, or -1 at the leaf. `known` has a bit for each statistic: whether the next node
    of the path has a number other than 0; the result has these bits for this node. `iteration` is
    the worth, whether it is exact because the game is over at the leaf, the result of `evaluate`,
    and the parameters of each statistic.
    """
    derive: Verb = inlined(lambda *_arguments: 0)
    for place in range(len(structure.derived)):
        derive = _and_one(derive, _deriving_one(structure, place))
    return derive


def _and_one(before: Verb, one: Verb) -> Verb:
    return inlined(lambda *given: before(*given) | one(*given))


def _deriving_one(structure: Structure, place: int) -> Verb:
    derived: Any
    derived, row = structure.derived[place]
    count, bit = len(derived.names), 1 << place
    knows_leaves, judged = derived.leaf is not None, derived.heuristic is not None
    end, leaf = derived.end, derived.leaf or derived.end
    register(end, leaf)
    parameters_of_it, fold = parameters_of(derived), folding(structure, place)
    write, gain = writer(row, count), gained(structure)
    says, share = _saying(row, count), 1.0 if structure.real else 0.5

    @inlined
    def one(  # noqa: PLR0913, PLR0917 - it is a piece of the loop
        words: Any,
        block: Any,
        total: Any,
        index: Any,
        mover: Any,
        chooser: Any,
        known: Any,
        iteration: Any,
    ) -> Any:
        worth, finished, estimates, numbers = iteration
        if not (knows_leaves or known & bit or (chooser < 0 and finished)):
            return 0
        parameters = parameters_of_it(*numbers[place])
        if chooser >= 0:
            below = int64(get(words, cell(block, total, BELOW, index)))
            write(words, block, total, index, fold(words, below, mover == chooser, parameters))
        else:
            mine = share * gain(worth, mover)
            if finished:
                write(words, block, total, index, end(parameters, mine))
            else:
                if judged:
                    mine = estimates[place] if mover == 0 else 1.0 - estimates[place]
                write(words, block, total, index, leaf(parameters, mine))
        return bit if says(words, block, total, index) else 0

    return one


def _saying(row: int, count: int) -> Verb:
    """Return `says(words, block, total, index)`: whether a child's numbers are not all 0."""

    @inlined
    def says(words: Any, block: Any, total: Any, index: Any) -> bool:
        for number in range(row, row + count):
            if get_real(words, column(block, total, number, index)) != 0.0:
                return True
        return False

    return says


def folding(structure: Structure, place: int) -> Verb:
    """Return `fold(words, block, same, parameters)`: a node's numbers, from its children's."""
    derived, row = structure.derived[place]
    register(derived.fold, derived.node)
    fold, node, first = derived.fold, derived.node, derived.first
    edge = edge_type(ColumnNames((*structure.method.columns, *derived.names)))
    read_columns, read = reader(0, structure.updated), reader(row, len(derived.names))
    as_seen, reward_of = as_reals(len(first)), reward_at(structure)
    knows_leaves, says = derived.leaf is not None, _saying(row, len(derived.names))

    @inlined
    def numbers_of(words: Any, block: Any, same: Any, parameters: Any) -> Any:
        total = int64(get(words, block))
        seen, folded = first, 0
        for index in range(total):
            visits = get(words, cell(block, total, VISITS, index))
            if visits > 0 and (knows_leaves or says(words, block, total, index)):
                folded += 1
                reward = float(reward_of(words, block, total, index))
                columns = read_columns(words, block, total, index)
                own = read(words, block, total, index)
                child = edge(float(visits), reward, reward / visits, *columns, *own)
                seen = as_seen(fold(parameters, seen, child))
        return node(parameters, seen, Place(folded == total, same))

    return numbers_of


def as_reals(count: int) -> Verb:
    """Return `reals(numbers)`, which converts a tuple of `count` numbers to doubles."""
    texts = ''.join(f'float(plain(numbers[{place}])), ' for place in range(count))
    names: dict[str, Any] = {'plain': plain, 'shaped_as': shaped_as, 'like': (0.0,) * count}
    source = f'def reals(numbers):\n    numbers = shaped_as(numbers, like)\n    return ({texts})'
    exec(source, names)  # noqa: S102 - one for each count
    return inlined(names['reals'])


def is_resolved(structure: Structure) -> Verb:
    """Return `ended(words)`: whether the root is resolved."""
    resolves, row = structure.resolution, structure.schema.resolution_row
    if resolves is None:
        return inlined(lambda _words: False)
    register(resolves.ends)
    ends = resolves.ends
    return inlined(lambda words: ends(get_real(words, column(ROOT, 1, row, 0))))


def leaving_out(structure: Structure) -> tuple[Verb, Verb]:
    """Return `leaves_out(number)`, for a child or lanes, and `number_at(block, total, index)`.

    `number_at` is the index of the child's number.
    """
    resolves, row = structure.resolution, structure.schema.resolution_row
    if resolves is None:
        return nothing, nothing
    register(resolves.leaves_out)
    number_at = inlined(lambda block, total, index: column(block, total, row, index))
    return resolves.leaves_out, number_at
