"""`Analysis`: the result of a search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import repeat
from typing import Any, Generic

from attrs import field, frozen

from fmcts._declared import shown_by
from fmcts.game import M, has_rewards
from fmcts.search import _digest as digests
from fmcts.search._as_json import analysis_as_json
from fmcts.search._tree import MutableNode, Node, principal_variation
from fmcts.search.resolution.solver import Proven, proof_at, proof_of_move


@frozen
class MoveStats(Generic[M]):
    """One move of the root: its playouts and their mean reward for the side to move.

    `value` is on [0, 1]; `None` for a move that was never tried. `proof` is what a solver has
    proven about the move, for the side to move; `None` if nothing, or without a solver.
    """

    move: M
    visits: int
    value: float | None
    proof: Proven | None = None


def stats_of(root: MutableNode) -> tuple[MoveStats[Any], ...]:
    """Return visits and value of every move of a root, in canonical order."""
    stats: list[MoveStats[Any]] = []
    for move, child in zip(root.moves, root.places or repeat(None), strict=False):
        if child is None:
            stats.append(MoveStats(move, 0, None))
            continue
        value = child.value if child.visits else None
        stats.append(MoveStats(move, child.visits, value, proof_of_move(child)))
    return tuple(stats)


def stats_along(root: MutableNode, line: tuple[int, ...]) -> tuple[MoveStats[Any], ...]:
    """Return the statistics of the node that a line of move indices leads to, or `()`."""
    node: MutableNode | None = root
    for index in line:
        node = node.places[index] if node and node.places else None
    return stats_of(node) if node else ()


@frozen(eq=False)
class Analysis(Generic[M]):
    """The result of a search: the chosen `move`, and the root of the frozen `tree`.

    `value` and `stats` are for the side to move. The fields `reward` and `value` of the root itself
    are for its opponent, who would have moved there: a node's are always for its `mover`.

    `iterations` is the number of iterations in the tree: of this search, and of the
    tree that it continued. So ten searches of 100, each continuing the one before, and one search
    of 1,000 give equal analyses. Analyses are equal if root state, move, iterations and digest are.

    With `transpositions` the tree is a graph seen as a tree (see `docs/transpositions.md`). The
    tree of the compiled engine creates its nodes when they are read and pickles compactly;
    unpickling needs neither numba nor NumPy, though the digest takes longer without them.
    """

    move: M
    iterations: int
    tree: Node = field(repr=False)

    @property
    def value(self) -> float:
        """The mean reward of the search for the side to move at the root, from 0 to 1.

        It is `1 - tree.value`, as `tree.value` is the opponent's (in a tree re-rooted at a
        move after which the same side is to move again, it is `tree.value`: see `Node.mover`).
        It includes the playouts of worse moves, so it is usually below the value of the chosen
        move. In a game with rewards for each player it is the mean of the moves' rewards, weighted
        by visits.

        >>> from fmcts import Search, SplitMix, analyse
        >>> from fmcts.games import tictactoe
        >>> analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), Search(iterations=64))
        >>> analysis.value, analysis.tree.value, analysis.tree.mover
        (0.6484375, 0.3515625, <Player.O: 'O'>)
        """
        root = self.tree
        if has_rewards(root.state):  # what one player gets says nothing of another's
            visits = sum(child.visits for child in root.children)
            total = 0.0
            for child in root.children:
                total += child.reward
            return total / visits if visits else 0.0
        return root.value if root.mover is root.state.player else 1 - root.value

    @property
    def proof(self) -> Proven | None:
        """The solver's proof about the position, for the side to move; `None` if there is none.

        >>> from fmcts import Search, SplitMix, analyse
        >>> from fmcts.games import connect4
        >>> state = connect4.start.play(3).play(0).play(3).play(0).play(3).play(1)
        >>> analysis, _ = analyse(state, SplitMix.from_seed(1), Search(1000, solver=True))
        >>> analysis.move, str(analysis.proof), analysis.iterations
        (3, 'win in 1', 4)
        """
        return proof_at(self.tree)

    @cached_property
    def stats(self) -> tuple[MoveStats[M], ...]:
        """Visits and value of every move that the search could choose, in canonical order."""
        return stats_of(self.tree)

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits that identify the whole tree; see `fmcts.search._digest`."""
        return digests.digest(self.tree)

    @cached_property
    def nodes(self) -> int:
        """The number of nodes of the tree, including the root; in a graph, of states."""
        return self.tree.count()

    @cached_property
    def edges(self) -> int:
        """The number of moves tried: in a graph several may lead to one state."""
        return self.tree.count_edges()

    @property
    def principal_variation(self) -> tuple[M, ...]:
        """The most visited line from the root."""
        return principal_variation(self.tree)

    def to_json(
        self,
        depth: int | None = 1,
        min_visits: int = 1,
        format_move: Callable[[M], str | int] | None = None,
    ) -> str:
        """Return the analysis as one line of JSON, as `fmcts.search.SCHEMA` describes it.

        :param depth: how many moves deep the tree is written; `None`: all of it.
        :param min_visits: nodes with fewer visits are left out; each node counts what it hides.
        :param format_move: writes a move that is neither text nor whole number nor a tuple of them.
        :raises TypeError: a move has no form in JSON.
        :raises ValueError: `depth` or `min_visits` is not a whole number of at least 0.

        >>> import json
        >>> from fmcts import Search, SplitMix, analyse
        >>> from fmcts.games import tictactoe
        >>> analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), Search(iterations=64))
        >>> found = json.loads(analysis.to_json(min_visits=8))
        >>> found['move'], [child['visits'] for child in found['tree']['children']]
        (8, [8, 8, 8, 10])
        """
        return analysis_as_json(self, depth, min_visits, format_move)

    _repr_html_ = shown_by('_notebook.analysis_html')

    def _key(self) -> tuple[Any, ...]:
        return self.tree.state, self.move, self.iterations, self.digest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Analysis):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())
