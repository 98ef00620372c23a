"""Searches whose nodes get their moves one by one, in the engines in Python.

What is proposed depends on the node's own generator and on its visits alone, so it is the same in
each engine, after a move was played and in every version of a search. See `fmcts.search.proposals`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

from fmcts._arguments import shown
from fmcts._engines.chance import options_at
from fmcts._engines.expansion import opened, step_to
from fmcts._promises import checked_chances
from fmcts.errors import IllegalMoveError, MethodError
from fmcts.game import chances_of, equal, illegal, is_legal
from fmcts.search import Node, Search, freeze_in_place
from fmcts.search.proposals import Proposals, Width
from fmcts.simulation import throw

Due: TypeAlias = Callable[..., tuple[Any, int, int] | None]
"""`due(path, node, room)`: `None`, or what is due at this visit, in place of a choice: the node,
perhaps with one more move, and the step. Without room for its node no move is written in place."""


def propose(given: Proposals, state: Any, rng: Any) -> tuple[Any, Any]:
    """Return what is proposed in an unfinished state, checked, and the generator to use next.

    :raises IllegalMoveError: the state lists its moves, and this is another.
    :raises MethodError: the function does not return a move and a generator.
    """
    chance = chances_of(state)
    function: Any = chance if callable(chance) else given.propose
    found = throw(state, rng) if chance else function(state, rng)
    right = isinstance(found, tuple) and len(found) == 2 and hasattr(found[1], 'uniform')
    if not (right and equal(found[0], found[0])):
        raise MethodError(
            f'the proposals {_name_of(function)} must return a move that equals itself and a '
            f'generator, not {shown(found)}'
        )
    move, rng = found
    if state.moves and not is_legal(move, state.moves):
        raise illegal(state, move)
    return move, rng


@contextmanager
def blamed(given: Proposals | None) -> Iterator[None]:
    """Say of an illegal move where it came from, if a search plays what a function proposes."""
    try:
        yield
    except IllegalMoveError as error:
        if given is None or given.propose is None:
            raise
        named = _name_of(given.propose)
        raise IllegalMoveError(f'the proposals {named} gave {error}') from error


def _name_of(function: Any) -> str:
    return str(getattr(function, '__name__', type(function).__name__))


def width_at(given: Proposals, state: Any) -> Width | None:
    """Return how many moves the node of a state gets; `None` if it has all from the start.

    :raises MethodError: it cannot have them, as chance draws outcomes that are not listed.
    """
    chance = chances_of(state)
    if callable(chance) and given.outcomes is None:
        raise MethodError(
            f'outcomes of {type(state).__name__} are not listed: say how many a node may have by '
            'Proposals(outcomes=Width())'
        )
    if chance:
        return given.outcomes
    return None if given.propose is None else given.moves


def first_moves(given: Proposals, state: Any, rng: Any) -> tuple[Any, ...]:
    """Return the moves of a new node, with this generator of its own.

    :raises GameError: the state has no moves and is not over, and nothing proposes any.
    """
    if state.over or width_at(given, state) is None:
        return options_at(state)
    if not callable(chances_of(state)):
        checked_chances(state)
    return (propose(given, state, rng.child(0))[0],)


def widening(given: Proposals, *, in_place: bool) -> Due:
    """Return the function that gives a node the move that is due at a visit."""

    def due(_path: Any, node: Any, room: float = 1) -> tuple[Any, int, int] | None:
        index, moves = due_at(given, node), node.moves
        if not index:
            return None
        # Even children of the generator are for proposals, odd ones for the nodes below: neither
        # depends on how often or when the other is used.
        move, _ = propose(given, node.state, node.columns.proposed.child(2 * index))
        # Proposed before: the descent goes on through the move that is there.
        for place, known in enumerate(moves):
            if known == move:
                return node, *step_to(place, node.places)
        if not in_place:
            node = with_move(node, move)
        elif room:
            node.moves, node.places = (*moves, move), [*opened(node), None]
        return node, len(moves), 1

    return due


def due_at(given: Proposals, node: Any) -> int:
    """Return the index of the proposal that is due at the next visit of a node; 0 if none is."""
    width = width_at(given, node.state)
    return width.due(node.visits) if width else 0


def with_move(node: Node, move: Any) -> Node:
    """Return a frozen node with one move more."""
    draft = node.mutable_copy((*opened(node), None))
    draft.moves = (*node.moves, move)
    return freeze_in_place(draft)


def below(node: Any, move: Any) -> Any:
    """Return the generator of the node that a move leads to."""
    return node.columns.proposed.child(2 * node.moves.index(move) + 1)


def rooted(root: Node, rng: Any, search: Search) -> tuple[Node, Any]:
    """Return a new root with a generator of its own and its first move, and the generator left.

    The root of a search without proposals, or of a tree to continue, is returned as it is.
    """
    given: Any = search.proposing
    if given is None or root.columns.proposed is not None:
        return root, rng
    own, rng = rng.split()
    draft = root.mutable_copy(())
    with blamed(given):
        draft.moves = first_moves(given, root.state, own)
    draft.columns = root.columns._replace(proposed=own)
    return freeze_in_place(draft), rng


def proposer_of(search: Search) -> Callable[[Any, Any], tuple[Any, Any]] | None:
    """Return what a playout plays where a state lists no moves, if the search has it."""
    given: Any = search.proposing
    return None if given is None or given.propose is None else partial(propose, given)
