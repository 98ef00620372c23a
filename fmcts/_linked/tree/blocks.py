"""The blocks of nodes from another engine, or of nodes without visits."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from fmcts._linked.structure import Structure
from fmcts._linked.tree.store import as_integers, halves_of
from fmcts.errors import RulesError
from fmcts.game import options_of
from fmcts.rules import IntegerRules, side_of
from fmcts.search._tree import Node


def moves_on_integers(node: Node, rules: IntegerRules) -> list[int]:
    """Return the moves that a node chooses among, in the form of the rules on integers.

    They are all legal moves, except at the root of a search that chooses among some of them.

    :raises RulesError: the rules return another number of moves than the state, or a move that does
        not fit in 32 bits.
    """
    moves = [*map(checked_move, rules.listed(rules.menu(rules.pack(node.state))))]
    legal = node.moves if len(node.moves) == len(moves) else options_of(node.state)
    if len(legal) != len(moves):
        raise RulesError(
            f'the rules on integers disagree with {type(node.state).__name__}, which has '
            f'{len(legal)} moves here: see fmcts.testing.check_rules'
        )
    return [moves[index] for index in indices(node.moves, legal)]


def checked_move(move: Any) -> int:
    """Return a move of the rules on integers as an integer.

    :raises RulesError: the move does not fit in 32 bits.
    """
    number = int(move)
    if not -(1 << 31) <= number < 1 << 31:
        raise RulesError(
            f'the rules on integers gave a move that does not fit in 32 bits: {number}'
        )
    return number


def placed(node: Node) -> Iterator[tuple[int, Node]]:
    """Yield the children of a node with the indices of their moves."""
    moves = [child.move for child in node.children]
    yield from zip(indices(moves, node.moves), node.children, strict=True)


def indices(some: Sequence[Any], moves: tuple[Any, ...]) -> Iterator[int]:
    """Yield the indices of some of the moves, given in order."""
    if len(some) == len(moves):
        yield from range(len(moves))
        return
    index = -1
    for move in some:
        index = moves.index(move, index + 1)
        yield index


def block_of(node: Node, rules: IntegerRules, structure: Structure) -> array[int]:
    """Return the block of a node's children."""
    total, children = len(node.moves), node.children
    moves = moves_on_integers(node, rules)
    visits, halves, below = [-1] * total, [0] * total, [0] * total
    reals = _reals(node, rules, moves, structure) if structure.rows else []
    for index, child in placed(node) if children else ():
        visits[index], halves[index] = child.visits, halves_of(child, structure)
        for row, number in enumerate(child.columns.own):
            reals[row][index] = number
        if structure.real:
            reals[structure.reward_row][index] = child.reward
        if not child.moves:
            below[index] = -1 if structure.real else -1 - side_of(child.state.winner)
    tried = len(children)
    if structure.expansion == 'in-order':
        tried = visits.index(-1) if -1 in visits else total
    block = array('i', [total, tried, *visits, *halves, *below, *moves])
    if reals:
        block.extend(as_integers(chain(*reals)))
    if structure.refers:
        table = _table(node, structure)
        block.extend((int(2 * one) for one in table) if structure.in_halves else as_integers(table))
    return block


def _reals(
    node: Node, rules: IntegerRules, moves: list[int], structure: Structure
) -> list[list[float]]:
    """Return the rows of doubles of the block, with the columns of moves."""
    reals = [[0.0] * len(moves) for _ in range(structure.rows)]
    for row, numbers in enumerate(node.columns.moves, structure.own):
        reals[row] = [*numbers]
    if structure.traces:
        here = rules.pack(node.state)
        reals[structure.key_row] = [float(rules.key(here, move)) for move in moves]
    return reals


def _table(node: Node, structure: Structure) -> list[float]:
    """Return the numbers of a node's table.

    :raises RulesError: a key is outside the range of the rules on integers.
    """
    keys, table = structure.keys, node.columns.table
    numbers = [0.0] * (structure.table_columns * structure.entries)
    for (player, key), kept in table.entries.items() if table is not None else ():
        if not 0 <= key < keys:
            raise RulesError(
                f'the rules on integers of {type(node.state).__name__} have keys from 0 to '
                f'{keys - 1}, and a move in the tree to continue has the key {key}'
            )
        for row, number in enumerate(kept):
            numbers[row * structure.entries + side_of(player) * keys + key] = number
    return numbers
