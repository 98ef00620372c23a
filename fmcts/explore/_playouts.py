"""The moves of playouts, for a page without a server, which has no rules of the game.

Playouts draw from the generator of the search, so they are replayed in order. For a long search the
first and the last playouts are stored.

| key | value |
|---|---|
| `parts` | for each part, the number of its first iteration, and the playouts as text |
| `steps` | the cells that moves change; `None` if these depend on more than the earlier moves |

A playout is a word with a letter for each move: the character `FIRST` plus the number of its label.
A step has the number of the label, the side that moves, how often the label occurred earlier in the
line, and the changed cells. With `steps` the board after every move can be computed: in Connect
Four the third disc in a column always lands in the same cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias

from attrs import define, field

from fmcts._engines import chance
from fmcts._engines.outcomes import playout_by_policy
from fmcts.explore._boards import Boards
from fmcts.game import Player, chances_of, is_plain
from fmcts.history._versions import History
from fmcts.rng import thaw
from fmcts.search._tree import Node
from fmcts.search.schedules import line_of

FIRST: Final = 40  # letters before it separate
LAST: Final = chr(0xD7FF)  # the following letters are halves of others
ROOM: Final = 1_200_000  # bits of moves
MANY: Final = 1_000  # nodes that show how many labels there are
CHECKED: Final = 100  # playouts whose every board is compared with what its steps say

Played: TypeAlias = list[tuple[Any, Any]]
"""The moves of a playout, each with the position after it."""


def playouts_of(
    history: History[Any],
    nodes: Sequence[Node],
    boards: Boards,
    letters: Sequence[str | None],
    label_of: Callable[[Any], int],
) -> dict[str, Any] | None:
    """Return the playouts of a search with these nodes; `None` if it played none.

    :param letters: the cells of the first nodes, as `Boards.letters_of` returns them.
    :param label_of: returns the number of a move's label, a new number for a new label.
    """
    search, last = history.search, history.last
    at_once = search.evaluate is not None and not search.evaluate_after
    if (
        search.network is not None
        or at_once
        or (search.expands == 'jump' and search.resolution is not None)
    ):
        return None
    writer = _Writer(history, nodes, boards, letters, label_of)
    labels = {label_of(move) for node in nodes[:MANY] for move in node.moves}
    bits = max(3, len(labels).bit_length())
    room = ROOM // bits
    found = [writer.part(0, last, room)]
    if writer.next < last:  # half of the room for the last ones
        found = [writer.part(0, last, room // 2)]
        mean = max(1, room // 2 // max(1, writer.next))
        begin = max(writer.next, last - room // 2 // mean)
        found.append(writer.part(begin, last, room))
    if any(max(text, default=LAST) > LAST for _, text in found):
        return None
    return {'parts': found, 'steps': writer.table}


@define
class _Writer:
    """Playouts as text, and the cells that their moves change, as far as known."""

    history: History[Any]
    nodes: Sequence[Node]
    boards: Boards
    letters: Sequence[str | None]
    label_of: Callable[[Any], int]
    next: int = 0
    _steps: dict[tuple[int, int, int], list[int]] | None = field(init=False)
    _checked: int = 0

    def __attrs_post_init__(self) -> None:
        followed = self.boards.cells is not None and is_plain(self.history.root.state)
        self._steps = {} if followed else None

    @property
    def table(self) -> list[list[Any]] | None:
        """The steps, as lists."""
        if self._steps is None:
            return None
        return [[*key, changes] for key, changes in self._steps.items()]

    def part(self, begin: int, end: int, room: int) -> list[Any]:
        """Return the playouts after the first `begin` iterations, with up to `room` moves.

        Then `next` is the number of iterations up to the last of these playouts.
        """
        words: list[str] = []
        for leaf, state, played in _played(self.history, self.nodes, begin, end):
            words.append(''.join([chr(FIRST + self.label_of(move)) for move, _ in played]))
            if self._steps is not None and played:
                self._learn(leaf, state, played)
            room -= len(played)
            if room < 0:
                break
        self.next = begin + len(words)
        return [begin + 1, ' '.join(words)]

    def _learn(self, leaf: int, state: Any, played: Played) -> None:
        """Add the cells that the moves of a playout change to the steps, or give up."""
        known = leaf < len(self.letters)
        cells = self.letters[leaf] if known else self.boards.letters(state)
        before = self._line(leaf)
        mover = int(state.player is Player.O)
        steps: Any = self._steps
        self._checked += 1
        checks = self._checked < CHECKED
        board = [*(cells or '')]
        for move, after in played:
            label = self.label_of(move)
            count = before.get(label, 0)
            before[label] = count + 1
            key = label, mover, count
            changes = steps.get(key)
            if changes is None or checks:
                now = self.boards.difference(state, after)
                if now is None or (changes is not None and now != changes):
                    self._steps = None
                    return
                steps[key] = changes = now
            for change in changes:
                board[change // 3] = '.XO'[change % 3]
            mover = 1 - mover
            state = after
        if ''.join(board) != self.boards.letters(state):
            self._steps = None

    def _line(self, leaf: int) -> dict[int, int]:
        """Return how often each label is on the way to a node."""
        log, found = self.history.log, dict[int, int]()
        parents, indexes = log.parents, log.indexes
        while leaf:
            above = parents[leaf]
            label = self.label_of(self.nodes[above].moves[indexes[leaf]])
            found[label] = found.get(label, 0) + 1
            leaf = above
        return found


def _played(
    history: History[Any], nodes: Sequence[Node], begin: int, end: int
) -> Iterator[tuple[int, Any, Played]]:
    """Yield the leaf of each iteration after `begin` of them, its position, and the playout."""
    log, rng = history.log, history.rng_at(begin)
    play = _player_of(history)
    made = [*accumulate(log.made, initial=1)]
    children = Counter(log.parents[1 : made[begin]])
    for at in range(begin, end):
        leaf = log.leaves[at]
        for choices in _draws(history, nodes, children, leaf, at):
            _, rng = rng.uniform(0, choices - 1)
        children.update(log.parents[made[at] : made[at + 1]])
        state = nodes[leaf].state
        played: Played = []
        if nodes[leaf].moves:
            draws = thaw(rng)
            play(nodes[leaf], draws.draw, played)
            rng = draws.freeze()
        yield leaf, state, played


def _player_of(history: History[Any]) -> Callable[[Node, Any, Played], object]:
    """Return `play(node, draw, played)`: it adds the moves of a playout of the node to `played`."""
    search, start = history.search, history.root.state
    if not is_plain(start):

        def with_chance(node: Node, draw: Any, played: Played) -> None:
            each = lambda move, now: played.append((move, now))  # noqa: E731 - one expression
            chance.playout_of(search, start, each)((), node, draw)

        return with_chance
    by_policy = playout_by_policy(search)

    def play(node: Node, draw: Any, played: Played) -> None:
        def after(state: Any, move: Any) -> Any:
            now = state.play(move)
            played.append((move, now))
            return now

        by_policy(node.state, draw, after=after)

    return play


def _draws(
    history: History[Any], nodes: Sequence[Node], children: Counter[int], leaf: int, at: int
) -> Iterator[int]:
    """Yield the ranges of the numbers that an iteration drew in the tree."""
    expands, log = history.search.expands, history.log
    drawing = expands in ('random', 'full', 'jump')
    if not (drawing or log.players):
        return
    line = [leaf]
    while line[-1]:
        line.append(log.parents[line[-1]])
    forced = line_of(history._record.forced_at(at))  # noqa: SLF001 - of this library
    for node in line[:0:-1][len(forced) :]:
        missing = log.moves[node] - children[node]
        weights = [weight for _, weight in chances_of(nodes[node].state)]
        if weights:
            yield sum(weights)
            continue
        if not (missing and drawing):
            continue
        if expands != 'jump':
            yield missing
        elif children[node]:
            yield log.moves[node] + 1
