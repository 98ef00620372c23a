"""The log of a search: the leaf and the outcome of each iteration, in a few bytes.

The log of a search without columns determines its trees: adding the outcomes of leaves up to the
root gives the visits and rewards of every node at any iteration, without a search, the rules of the
game, or a generator. So a program in another language can show every version and check the digest.
In a game with chance the moves of a node where chance moves are its outcomes, so the log contains
what was drawn in the tree.

Nodes are numbered in order of creation, the root as 0: first the nodes of the initial tree, then
those of each iteration; nodes made together are numbered level by level, in move order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from attrs import define, field, frozen

from fmcts._arguments import as_whole, shown
from fmcts.game import has_rewards, is_plain, players_of
from fmcts.history._changes import descent
from fmcts.search._digest import HEADER, INDEX, NODE, line_of_players, name_of
from fmcts.search._tree import Node, pairs

Integers = Sequence[int]

Outcome: TypeAlias = float | tuple[float, ...]
"""What an iteration was worth: to X, or in a game with rewards to each of the players."""


@frozen(eq=False, repr=False)
class Log:
    """The iterations of a search as columns of numbers.

    For each iteration: `leaves`, the node where it ended; `outcomes`, its reward for X; `made`, the
    number of nodes that it made. If `several` is true, an outcome is a tuple with the reward of
    each player.

    For each node: `parents`, the number of its parent, which is smaller (0 for the root);
    `indexes`, the index of its move at the parent; `moves`, the number of its moves; `movers`, the
    side that moved there, 0 for X and 1 for O, or the player's index. The first `before` nodes are
    the initial tree, whose `visits` and `rewards` are stored as well. `root_moves` are the indices
    of the moves to choose among, if not all legal moves. `columns`: whether the search has
    statistics besides visits and rewards, which the log does not contain. `players`: their number
    in a game with chance, rewards or other players than two, otherwise 0.
    """

    leaves: Integers
    outcomes: Sequence[Any]
    made: Integers
    parents: Integers
    indexes: Integers
    moves: Integers
    movers: Integers
    visits: Integers
    rewards: Sequence[float]
    root_moves: Integers = field(default=())
    columns: bool = False
    players: int = 0
    several: bool = False

    @property
    def before(self) -> int:
        """The number of nodes in the initial tree."""
        return len(self.visits)

    @property
    def first(self) -> int:
        """The number of iterations in the initial tree."""
        return self.visits[0]

    @property
    def last(self) -> int:
        """The iterations of the last version."""
        return self.first + len(self.leaves)

    def nodes_at(self, iteration: int) -> int:
        """Return the number of nodes of the tree after `iteration` iterations.

        :raises ValueError: there is no such version.
        """
        return self.before + sum(self.made[: self._count(iteration)])

    def at(self, iteration: int) -> tuple[array[int], array[float]]:
        """Return the visits of each node after `iteration` iterations, and the sums of rewards.

        Rewards are for the side that moved to the node, as in `Node.reward`.

        :raises ValueError: there is no such version.
        """
        count, size = self._count(iteration), self.nodes_at(iteration)
        visits = array('q', [*self.visits, *[0] * (size - self.before)])
        rewards = array('d', [*self.rewards, *[0.0] * (size - self.before)])
        parents, movers = self.parents, self.movers
        if (
            not self.several
            and all(map(_is_halves, self.outcomes))
            and all(map(_is_halves, self.rewards))
        ):
            # Sums of halves are exact in any order: each node adds to its parent once.
            more, worth = array('q', bytes(8 * size)), array('d', bytes(8 * size))
            for leaf, outcome in zip(self.leaves[:count], self.outcomes[:count], strict=True):
                more[leaf] += 1
                worth[leaf] += outcome
            for node in range(size - 1, -1, -1):
                gained, for_x = more[node], worth[node]
                visits[node] += gained
                rewards[node] += gained - for_x if movers[node] else for_x
                if node:
                    more[parents[node]] += gained
                    worth[parents[node]] += for_x
            return visits, rewards
        for leaf, outcome in zip(self.leaves[:count], self.outcomes[:count], strict=True):
            for node in self._up(leaf):
                visits[node] += 1
                rewards[node] += self.gained(outcome, movers[node])
        return visits, rewards

    def gained(self, outcome: Any, seat: int) -> float:
        """Return the reward of a player, given by number, for an outcome."""
        if self.several:
            return outcome[seat]  # type: ignore[no-any-return]
        return 1.0 - outcome if seat else outcome  # type: ignore[no-any-return]

    def digest(self, iteration: int | None = None) -> str:
        """Return the digest of a version, by default the last one, as in `Analysis.digest`.

        :raises ValueError: there is no such version; or the search keeps columns, which are in the
            digest and not in the log.
        """
        if self.columns:
            raise ValueError(
                'the search keeps columns, which are not in its log: the log has no digest'
            )
        visits, rewards = self.at(self.last if iteration is None else iteration)
        size = len(visits)
        below: list[list[int]] = [[] for _ in range(size)]
        for node in range(1, size):
            below[self.parents[node]].append(node)
        parts, waiting = [line_of_players(self.players), HEADER], [0]
        while waiting:
            node = waiting.pop()
            children = sorted(below[node], key=self.indexes.__getitem__, reverse=True)
            parts.append(
                NODE.pack(
                    self.indexes[node],
                    self.movers[node],
                    self.moves[node],
                    len(children),
                    visits[node],
                    rewards[node],
                )
            )
            waiting += children
        return name_of(b''.join((*parts, *map(INDEX.pack, self.root_moves))))

    def _up(self, node: int) -> Iterator[int]:
        """Yield a node and all above it, the root last."""
        yield node
        while node:
            node = self.parents[node]
            yield node

    def _count(self, iteration: int) -> int:
        return checked_iteration(iteration, self.first, self.last) - self.first

    def _columns(self) -> tuple[Any, ...]:
        return tuple(
            tuple(column)
            for column in (
                *(self.leaves, self.outcomes, self.made, self.parents, self.indexes, self.moves),
                *(self.movers, self.visits, self.rewards, self.root_moves),
            )
        )

    def _key(self) -> tuple[Any, ...]:
        return self.columns, self.players, self.several, self._columns()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Log):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.last, len(self.parents), *self.leaves[-20:]))

    def __repr__(self) -> str:
        return f'<Log of iterations {self.first} to {self.last}, {len(self.parents)} nodes>'


def checked_iteration(iteration: object, first: int, last: int) -> int:
    """Return the number of a version.

    :raises ValueError: there is no such version.
    """
    number = as_whole(iteration)
    if isinstance(number, bool) or not isinstance(number, int) or not first <= number <= last:
        raise ValueError(
            f'iteration must be a whole number from {first} to {last}, not {shown(iteration)}'
        )
    return number


def _is_halves(number: float) -> bool:
    return (2 * number).is_integer()


class _Writer:
    """The columns of nodes while a log is written, and the numbers of each node's children."""

    def __init__(self, root: Node) -> None:
        players = players_of(root.state)
        self.seats = {player: number for number, player in enumerate(players)}
        self.players = 0 if is_plain(root.state) else len(players)
        self.several = has_rewards(root.state)
        self.parents, self.indexes, self.moves = array('I'), array('I'), array('I')
        self.movers = array('B')
        self.visits, self.rewards = array('q'), array('d')  # as the nodes were when numbered
        self.below: list[dict[Any, int]] = []

    def _add(self, node: Node, parent: int, index: int) -> int:
        number = len(self.parents)
        self.parents.append(parent)
        self.indexes.append(index)
        self.moves.append(len(node.moves))
        self.movers.append(self.seats[node.mover])
        self.visits.append(node.visits)
        self.rewards.append(node.reward)
        self.below.append({})
        return number

    def add(self, before: Node | None, after: Node) -> None:
        """Number the nodes that only the later version has."""
        if before is None:
            self._add(after, 0, 0)
        changed: list[tuple[Node | None, Node, int]] = [(before, after, 0)]
        for was, node, number in changed:  # grows as it goes
            numbers = self.below[number]
            for old, child in pairs(was, node):
                move = child.move
                if move not in numbers:
                    numbers[move] = self._add(child, number, node.moves.index(move))
                if old is not child:
                    changed.append((old, child, numbers[move]))

    def log(
        self,
        root: Node,
        last: Node,
        before: int,
        leaves: Integers,
        outcomes: Sequence[Outcome],
        made: Integers,
    ) -> Log:
        """Return the log of a search from the tree `root` to the tree `last`."""
        legal = root.state.moves
        some = [] if len(root.moves) == len(legal) else map(legal.index, root.moves)
        return Log(
            leaves,
            outcomes,
            made,
            self.parents,
            self.indexes,
            self.moves,
            self.movers,
            self.visits[:before],
            self.rewards[:before],
            array('I', some),
            bool(last.columns.names or last.columns.memory),
            self.players,
            self.several,
        )

    def number_of(self, path: Iterable[Node]) -> int:
        """Return the number of the node at the end of a path from the root."""
        number = 0
        for node in path:
            number = self.below[number][node.move]
        return number


@define
class Logging:
    """A log that is written version by version while a search runs.

    `outcomes` takes the outcome of each iteration, before `add` takes its version.
    """

    root: Node
    outcomes: Any = field(init=False)
    _last: Node = field(init=False)
    _before: int = field(init=False)
    _writer: _Writer = field(init=False)
    _leaves: array[int] = field(factory=lambda: array('I'), init=False)
    _made: array[int] = field(factory=lambda: array('I'), init=False)

    def __attrs_post_init__(self) -> None:
        self._last, self._writer = self.root, _Writer(self.root)
        self.outcomes = [] if self._writer.several else array('d')
        self._writer.add(None, self.root)
        self._before = len(self._writer.parents)

    def add(self, tree: Node) -> None:
        """Add the version that follows the last one."""
        writer = self._writer
        size = len(writer.parents)
        writer.add(self._last, tree)
        path = [node for _, node in descent(self._last, tree)]
        self._leaves.append(writer.number_of(path[1:]))
        self._made.append(len(writer.parents) - size)
        self._last = tree

    def log(self) -> Log:
        """Return the log of the versions that were added."""
        outcomes = self.outcomes[: len(self._leaves)]  # not that of an iteration with no room
        columns = self._leaves, outcomes, self._made
        return self._writer.log(self.root, self._last, self._before, *columns)


def log_of_trail(root: Node, last: Node, trail: Any) -> Log:
    """Return the log of a search from the trail that machine code recorded.

    `root` is the tree before the first iteration, `last` the tree after the last, and `trail` a
    `fmcts._linked.trail.Trail`.
    """
    writer = _Writer(root)
    writer.add(None, root)
    before = len(writer.parents)
    for column in ('parents', 'indexes', 'moves', 'movers'):
        _extend(getattr(writer, column), getattr(trail, column))
    leaves, outcomes, made = array('I'), array('d'), array('I')
    for here, numbers in ((leaves, trail.leaves), (outcomes, trail.outcomes), (made, trail.made)):
        _extend(here, numbers)
    return writer.log(root, last, before, leaves, outcomes, made)


def _extend(column: array[Any], numbers: Any) -> None:
    """Append the numbers of an array of NumPy."""
    column.frombytes(numbers.astype(column.typecode).tobytes())
