"""Trees as values: frozen nodes with tuples of children.

An update creates the nodes on the path from the root and shares all others, so an old root stays
valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any, Final, NoReturn, Protocol, TypeVar

from attrs import define
from attrs.exceptions import FrozenInstanceError

from fmcts._arguments import shown, whole_number
from fmcts._arithmetic import notice_double_rounding
from fmcts._declared import shown_by
from fmcts._promises import checked_chances, checked_moves, checked_player
from fmcts.errors import FinishedGameError, GameError, IllegalMoveError
from fmcts.game import GameState, M, Player, chances_of, illegal, is_legal, players_of
from fmcts.search._columns import NO_COLUMNS, Columns
from fmcts.search.resolution.solver import SOLVER, proof_at, proof_number, worth_of

C = TypeVar('C')
BOTH: Final = (Player.X, Player.O)
_new: Final = object.__new__


class _Numbers:
    # What a choice reads of a child comes first in memory: it is faster in a large tree.
    __slots__ = ('losses', 'reward', 'value', 'visits')


@define(eq=False, repr=False, weakref_slot=False)
class MutableNode(_Numbers):
    """A node that can still be written to; `freeze_in_place` turns it into a `Node`, in place.

    `move` led here and `mover` played it (the root of a new tree has move `None`, and as mover the
    opponent of the side to move). `moves` are the legal moves of `state` in canonical order; at a
    root perhaps only some, those to choose among. `visits` counts the playouts through the node and
    `reward` is their sum for `mover`: 1 a win, 1/2 a draw, 0 a loss; `value` is `reward / visits`,
    and 0 before the first visit. A parent compares its children by these, so those of a root are
    for the opponent: `Analysis.value` is for the side to move. `places` has the child of each of
    `moves`, `None` for an untried one; it is empty before the first child. `columns` are the
    method's other statistics; `losses` counts the visits that wait for a network, within a batch.
    """

    move: Any
    mover: Player
    state: Any
    moves: tuple[Any, ...]
    visits: int
    reward: float
    value: float
    places: Any  # of mutable nodes, or of nodes; a tuple once frozen
    columns: Columns = NO_COLUMNS
    losses: int = 0

    @property
    def children(self) -> tuple[Any, ...]:
        """The children, in the order of `moves`."""
        return tuple(filter(None, self.places))

    def mutable_copy(self, places: Any) -> MutableNode:
        """Return a copy to write to, with a child or `None` for each move; or without children."""
        new: Any = _new(MutableNode)  # faster than by `__init__`
        new.move = self.move
        new.mover = self.mover
        new.state = self.state
        new.moves = self.moves
        new.visits = self.visits
        new.reward = self.reward
        new.value = self.value
        new.places = places
        new.columns = self.columns
        new.losses = self.losses
        return new  # type: ignore[no-any-return]


_facts: Any = attrgetter('move', 'mover', 'state', 'moves', 'visits', 'reward', 'columns')


class Node(MutableNode):
    """A frozen node of a search tree; the root represents the whole tree.

    Its fields are those of `MutableNode`. It is not constructed: a mutable node is frozen in place,
    like Haskell's `unsafeFreeze` of an array that nobody writes to any more. This costs nothing,
    and a search creates a node for every step of every path.
    """

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError('a Node comes from plant() and grows by a search; it is not constructed')

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError

    def visited(self) -> list[tuple[Any, int, float]]:
        """Return the moves whose children have visits, in order: move, visits and reward."""
        return [(it.move, it.visits, it.reward) for it in self.children if it.visits]

    def child(self, move: object) -> Node | None:
        """Return the child that `move` leads to, or `None` if there is none yet."""
        return next((child for child in self.children if child.move == move), None)

    def most_visited(self) -> Node | None:
        """Return the child with the most visits, the first of equals; `None` if none has any."""
        best = max(self.children, key=lambda child: child.visits, default=None)
        return best if best and best.visits else None

    @property
    def transpositions(self) -> str | None:
        """The rule of a graph seen as a tree; `None` for a tree."""
        return None

    @property
    def iterations(self) -> int:
        """The number of iterations in the tree: the visits of its root."""
        return self.visits

    def as_root(self) -> Node:
        """Return the node as the root of a separate tree; in a tree it is the node itself."""
        return self

    def walk(self, depth: int | None) -> Iterator[Node]:
        """Yield nodes like the function `walk`."""
        stack: list[tuple[Node, int]] = [(self, 0)]
        while stack:
            node, level = stack.pop()
            yield node
            if level != depth:
                # Reversed, so that the first child is on top: preorder, as rows are stored.
                stack.extend((child, level + 1) for child in reversed(node.places) if child)

    def count(self) -> int:
        """Return the number of nodes of the tree with this root, including itself."""
        return sum(1 for _ in walk(self))

    def count_edges(self) -> int:
        """Return the number of moves tried: in a tree each leads to a separate node."""
        return self.count() - 1

    def facts(self) -> tuple[Any, Player, Any, tuple[Any, ...], int, float, Columns]:
        """Return the fields except `value`, which follows from them, and `places`."""
        return _facts(self)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return (
            f'<Node move={self.move} mover={self.mover} visits={self.visits} '
            f'reward={self.reward} for {self.mover} '
            f'children={len(self.children)}/{len(self.moves)}>'
        )

    _repr_svg_ = shown_by('_drawing.node_svg')

    # A tree may be deeper than the recursion limit, so nothing here recurses into children.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        pairs: list[tuple[Node | None, Node | None]] = [(self, other)]
        while pairs:
            one, two = pairs.pop()
            # Versions of a tree share most nodes, and what is shared needs no comparison.
            if one is two:
                continue
            if one is None or two is None or one.facts() != two.facts():
                return False
            places, others = one.places, two.places
            if len(places) != len(others):
                return False
            pairs.extend(zip(places, others, strict=True))
        return True

    def __hash__(self) -> int:
        # Without the children: equal trees have equal facts, and a tree may have millions of nodes.
        return hash(self.facts())

    def __reduce__(self) -> tuple[Any, tuple[list[tuple[Any, ...]]]]:
        return tree_of_rows, ([(node.facts(), len(node.children)) for node in walk(self)],)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, _memo: object) -> Node:
        return self


class OnDemandDraft(MutableNode):
    """A draft of an `OnDemandNode`, with the `source` of its children."""

    __slots__ = ('source',)

    source: Any


_places: Final[Any] = vars(MutableNode)['places']  # a slot, empty until the places are read


class OnDemandNode(Node, OnDemandDraft):
    """A node that makes its children when they are first read; otherwise a `Node` like others."""

    __slots__ = ()

    @property
    def places(self) -> tuple[Node | None, ...]:
        """The child of each of `moves`, or `None`; empty before the first child."""
        try:
            return _places.__get__(self)  # type: ignore[no-any-return]
        except AttributeError:
            made = self.made_places()
            _places.__set__(self, made)
            return made

    def made_places(self) -> tuple[Node | None, ...]:
        """Return the places, made of the `source`."""
        raise NotImplementedError


def on_demand_node(kind: type[OnDemandNode], facts: tuple[Any, ...], source: Any) -> Any:
    """Return a node of that kind with these facts, whose children are made of the `source`."""
    draft, (move, mover, state, moves, visits, reward, columns) = _new(OnDemandDraft), facts
    draft.move, draft.mover, draft.state, draft.moves = move, mover, state, moves
    draft.visits, draft.reward, draft.columns, draft.losses = visits, reward, columns, 0
    draft.value = reward / visits if visits else 0.0
    draft.source = source
    draft.__class__ = kind  # as `freeze_in_place` does
    return draft


def freeze_in_place(draft: MutableNode) -> Node:
    """Freeze the draft itself and return it. The caller must not write to it afterwards."""
    # The object stays the same one, so that nothing is copied; from now on it refuses to be written
    # to.
    draft.__class__ = Node
    return draft  # type: ignore[return-value]


def tree_of_rows(rows: Sequence[tuple[tuple[Any, ...], int]]) -> Node:
    """Return a tree from rows in preorder: a node's facts and its number of children."""
    built: list[
        Node
    ] = []  # from the last row back: a node's children are on top, the first one last
    for (move, mover, state, moves, visits, reward, columns), width in reversed(rows):
        children = built[len(built) - width :][::-1]
        del built[len(built) - width :]
        value = reward / visits if visits else 0.0
        places = children_by_move(moves, children)
        draft = MutableNode(move, mover, state, moves, visits, reward, value, places, columns)
        built.append(freeze_in_place(draft))
    return built.pop()


def children_by_move(moves: Sequence[Any], children: Sequence[C]) -> tuple[C | None, ...]:
    """Return the child of each of the moves or `None`, given the children in their order."""
    if not children or len(children) == len(moves):
        return tuple(children)
    following = iter(children)
    child: Any = next(following)
    places: list[C | None] = []
    for move in moves:
        if child is not None and child.move == move:
            places.append(child)
            child = next(following, None)
        else:
            places.append(None)
    return tuple(places)


def candidates(state: GameState[M], root_moves: Iterable[M] | None) -> tuple[M, ...]:
    """Return `root_moves` in canonical order; for `None` every legal move.

    Chess programs call this `searchmoves` (in the protocol UCI, command `go`).

    :raises IllegalMoveError: one of them is not legal.
    :raises ValueError: `root_moves` is empty.
    """
    if root_moves is None:
        return state.moves
    wanted = tuple(root_moves)
    for move in wanted:
        if not is_legal(move, state.moves):
            raise illegal(state, move)
    if not wanted:
        raise ValueError('root_moves is empty: name at least one move to choose among')
    return tuple(move for move in state.moves if move in wanted)


def plant(
    state: GameState[Any], root_moves: Iterable[Any] | None = None, *, listed: bool = True
) -> Node:
    """Return the tree of `state` before any search: a root without visits or children.

    If `root_moves` are given, only these will have children. A state whose moves are not `listed`
    may have none, to be proposed by a search.

    :raises FinishedGameError: the game is over, so there is no move to search for.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises GameError: the moves of `state` are not what `GameState` promises.
    :raises ValueError: `root_moves` is empty.
    """
    if not checked_moves(state, listed=listed) and (listed or state.over or chances_of(state)):
        if checked_chances(state):
            raise GameError(
                f"it is chance's turn in this state of {type(state).__name__}: play an outcome "
                'before a search'
            )
        raise FinishedGameError('the game is over: there is no move to search for')
    moves = candidates(state, root_moves)
    notice_double_rounding()
    player: Any = checked_player(state)
    # As if the other had moved here: a root's reward is then its mover's, as everywhere.
    mover = player.other if players_of(state) == BOTH else player
    return freeze_in_place(MutableNode(None, mover, state, moves, 0, 0.0, 0.0, ()))


class HasTree(Protocol):
    """A value with a tree, such as an `Analysis`."""

    @property
    def tree(self) -> Node:
        """The root."""


def root_of(tree: Node | HasTree) -> Node:
    """Return the root itself, or the root of an analysis.

    :raises TypeError: it is neither.
    """
    root = tree if isinstance(tree, Node) else getattr(tree, 'tree', None)
    if not isinstance(root, Node):
        raise TypeError(f'tree must be a Node or an Analysis, not {shown(tree)}')
    return root


def reroot(tree: Node | HasTree, move: object) -> Node:
    """Return the tree after `move` is played: the subtree searched so far, or a new one.

    `tree` is a root or an analysis. In a graph everything below the move is kept, with the
    statistics from all paths.

    :raises IllegalMoveError: `move` is not legal at the root.
    :raises FinishedGameError: the game is over after `move`.
    """
    tree = root_of(tree)
    child = tree.child(move)
    if child is None:
        # A root may have been searched for some of its moves only; any legal one can be played.
        known = tree.moves if chances_of(tree.state) else tree.state.moves
        if known and move not in known:
            raise IllegalMoveError(f'illegal move {shown(move)} at the root of the tree')
        after = tree.state.play(move)
        outcomes = tuple(outcome for outcome, _ in checked_chances(after))
        if not outcomes:
            return plant(after, listed=tree.columns.proposed is None)
        # Not by `plant`, which refuses a root where chance moves: here it may be one, on the way to
        # the next move.
        return freeze_in_place(MutableNode(None, after.player, after, outcomes, 0, 0.0, 0.0, ()))
    if not child.moves:
        raise FinishedGameError(f'the game is over after {move!s}: nothing is left to search')
    return child.as_root()


def paired_children(before: Node | None, after: Node) -> Iterable[tuple[Node | None, Node]]:
    """Return the children of a node, each with what it was in an earlier version of the node."""
    was = chain((before and before.places) or (), repeat(None))  # moves may have been proposed
    return [(old, child) for old, child in zip(was, after.places, strict=False) if child]


def walk(tree: Node | HasTree, depth: int | None = None) -> Iterator[Node]:
    """Yield every node in preorder, children in canonical order; without recursion.

    `tree` is a root, any other node, or an analysis. With a `depth`, only nodes at most that many
    moves below it: 0 is the node alone. A graph (`Search.transpositions`) yields every state once,
    where it is met first: unfolded, a graph may have more nodes than there is time for.

    :raises TypeError: `tree` is neither node nor analysis.
    :raises ValueError: `depth` is not a whole number of at least 0.

    >>> from fmcts import Search, SplitMix, analyse, walk
    >>> from fmcts.games import tictactoe
    >>> state = tictactoe.start.play(4).play(1)
    >>> analysis, _ = analyse(state, SplitMix.from_seed(1), Search(iterations=2000))
    >>> sum(1 for node in walk(analysis) if node.state.over)
    307
    >>> [node.move for node in walk(analysis, depth=1)]
    [None, 0, 2, 3, 5, 6, 7, 8]
    """
    root = root_of(tree)
    return root.walk(None if depth is None else whole_number('depth', depth, least=0))


def _proven(node: Node) -> Node | None:
    """Return the child that the proof of `node` depends on."""
    visited: list[Node] = [child for child in node.children if child.visits]
    if not visited:  # the game is over
        return None
    if worth_of(node):
        # The exact values are in the last column, for whoever chooses among the children.
        return max(visited, key=lambda child: child.columns.own.exact)
    kept = [visited[index] for index in SOLVER.preferred([*map(proof_number, visited)])]
    return max(kept, key=lambda child: child.visits)


def _onward(tree: Node) -> Node | None:
    """Return the next node of a line; `None` at its end, and where chance moves."""
    if chances_of(tree.state):
        return None
    return _proven(tree) if proof_at(tree) else tree.most_visited()


def principal_variation(tree: Node) -> tuple[Any, ...]:
    """Return the moves of the most visited line from the root (the first of equals) to a leaf.

    If something is proven, it is the proven line: the shortest win, the longest loss.
    The line ends where chance moves.
    """
    line = []
    while best := _onward(tree):
        line.append(best.move)
        tree = best
    return tuple(line)
