"""The data of a page, an object for JSON from which it computes every version of a search.

| key | value |
|---|---|
| `game`, `before` | the name of the game; the moves before the position, in its notation |
| `players` | the names of the two sides |
| `board` | see `fmcts.explore._boards` |
| `searches` | one or two of the objects below, for the same position |

A search: `name`, `rng`, `engine`, `digest`, `move`, and

- `segments`: the selection rule from iteration `first` on; see `fmcts.explore._formulas`;
- `labels`: the names of moves; `kinds`: the different kinds of nodes, each with the side to move
  (0 X, 1 O, or the index among `players`), the labels of the moves, the columns of moves, the
  result if the game is over, and the weights of the outcomes where chance moves;
- `nodes`: the kind of each node in order of creation, the root first; `mover`: the side that moved
  to the root;
- `seats`: the number of players in a game with chance, rewards or other players, otherwise 0;
- `outcomes`: the reward of each iteration for X; in a game with rewards those of all players;
- `rolls`: the indices of the outcomes that chance drew in the tree, iteration after iteration;
- `chances`: the random decisions where a player moves: with the expansions `random` and `full`, the
  index of the move taken by each iteration that makes nodes there; with `jump`, the depth at which
  each iteration makes a node, or -1 for none;
- `forced`: the choices of a schedule, each as an iteration count from which it holds and the
  indices of the first moves of a path;
- `batches`: the number of iterations before each batch, in a search by batches;
- `own`: the names of the columns of a node; `resolution`: the last of them, if it says how nodes
  are resolved, and `leaves_out`, which of these selection skips;
- `judged`: for each derived statistic with a heuristic, its value of each node for X;
- `changes` or `pictures`: boards, by node number;
- `playouts`: see `fmcts.explore._playouts`; for the first search, if the page has no server.

The position of a node in the tree is not stored: `replay.js` computes it from the formulas.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import amount
from fmcts._engines.outcomes import valued
from fmcts.explore._boards import DRAWN, Boards, boards_of
from fmcts.explore._formulas import (
    ReplayError,
    check_replayable,
    leaves_out_in_javascript,
    rules_of,
)
from fmcts.explore._playouts import playouts_of
from fmcts.game import chances_of, players_of
from fmcts.games.boards import standing
from fmcts.history._log import Outcome
from fmcts.history._reasons import worth_in_words
from fmcts.history._versions import History, WhatIf
from fmcts.rng import format as format_rng
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.derived import Derived
from fmcts.search.schedules import line_of
from fmcts.view._board import notation_of

FORMAT: Final = 'fmcts-explore-1'


@frozen
class Run:
    """The record of a search, from which its data are made.

    `nodes` are the nodes of its last version in order of creation; `parents` and `indexes` give
    each node's parent and the index of its move there. `made` is the number of nodes that each
    iteration made, `outcomes` its reward for X, and `leaves` the node at which it ended. `segments`
    are the histories that the search consists of, each with the iteration after which it begins.
    `forced` are the choices of schedules, each with the first iteration for which it holds.
    `batches` are the numbers of iterations before each batch, if there are batches.
    """

    name: str
    segments: tuple[tuple[int, History[Any]], ...]
    nodes: tuple[Node, ...]
    parents: tuple[int, ...]
    indexes: tuple[int, ...]
    made: tuple[int, ...]
    leaves: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    forced: tuple[tuple[int, tuple[int, ...]], ...]
    batches: tuple[int, ...] = ()

    @property
    def last(self) -> History[Any]:
        """The last history."""
        return self.segments[-1][1]


def run_of(history: History[Any], name: str = '') -> Run:
    """Return the record of a history.

    :raises ReplayError: a page cannot replay it.
    """
    check_replayable(history.search)
    if history.first:
        raise ReplayError(
            f'a page starts at iteration 1, but this history at iteration {history.first + 1}: '
            f'explore(h, fork) shows a fork beside the history h that it was made from'
        )
    if len(history.root.moves) < len(history.root.state.moves):
        raise ReplayError('a page cannot replay a search with root_moves')
    log = history.log
    parents, indexes = tuple(log.parents), tuple(log.indexes)
    return Run(
        name or named(history.search),
        ((0, history),),
        _nodes(history.tree, parents, indexes),
        parents,
        indexes,
        tuple(log.made),
        tuple(log.leaves),
        tuple(log.outcomes),
        _forced(history),
        _batches(history),
    )


def _batches(history: History[Any]) -> tuple[int, ...]:
    """Return the numbers of iterations before each batch, if the search is by batches."""
    if history.search.batch == 1:
        return ()
    found = history._record.iterations(history.first, history.last)  # noqa: SLF001 - of this library
    return tuple(dict.fromkeys(each.first for each in found))


def _forced(history: History[Any]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the choices of the schedule of a search, if it has one."""
    if history.search.schedule is None:
        return ()
    return tuple((first, line_of(forced)) for first, forced in history._record.forced)  # noqa: SLF001 - of this library


def against_of(run: Run, other: History[Any] | WhatIf[Any], name: str) -> Run:
    """Return what another history did, a fork of the run, or what was found to follow from it.

    :raises ReplayError: a page cannot compute it again, or it left another history.
    """
    mine = run.last
    if isinstance(other, WhatIf):
        if other.real != mine:
            raise ReplayError('this what_if is of another history')
        worth = worth_in_words(other.outcome, run.nodes[0].state)
        return what_if_of(run, other, name or f'iteration {other.iteration:,} worth {worth}')
    if not other.first:
        return run_of(other, name)
    record = mine._record  # noqa: SLF001 - of this library
    if other.first > mine.last or record.version(other.first).tree != other.root:
        raise ReplayError(f'this history begins after iteration {other.first} of another one')
    return fork_of(run, other.first, other, name or f'{named(other.search)} from {other.first:,}')


def fork_of(run: Run, iteration: int, other: History[Any], name: str) -> Run:
    """Return the run of `other`, a fork of this run after the given iteration.

    :raises ReplayError: a page cannot replay it.
    """
    return _joined(run, iteration, run.outcomes[:iteration], other, name)


def what_if_of(run: Run, found: WhatIf[Any], name: str) -> Run:
    """Return the run in which one playout ended differently."""
    outcomes = (*run.outcomes[: found.iteration - 1], found.outcome)
    return _joined(run, found.iteration, outcomes, found.history, name)


def _joined(
    run: Run, iteration: int, outcomes: tuple[Outcome, ...], other: History[Any], name: str
) -> Run:
    """Return a run up to an iteration, followed by another history."""
    check_replayable(other.search)
    log = other.log
    size = 1 + sum(run.made[:iteration])
    parents, indexes = [*run.parents[:size]], [*run.indexes[:size]]
    known = {it: number for number, it in enumerate(zip(parents, indexes, strict=True)) if number}
    # The numbers here of the other's nodes: it numbers its initial nodes level by level.
    numbers = [0]
    for number in range(1, len(log.parents)):
        place = numbers[log.parents[number]], log.indexes[number]
        if number < log.before:
            numbers.append(known[place])
        else:
            numbers.append(len(parents))
            parents.append(place[0])
            indexes.append(place[1])
    earlier = tuple(part for part in run.segments if part[0] < iteration)
    forced = tuple(part for part in run.forced if part[0] < iteration)
    batches: tuple[int, ...] = ()
    if run.batches or other.search.batch > 1:
        alone = tuple(range(iteration, iteration + len(log.leaves)))
        before = run.batches or tuple(range(iteration))
        batches = (*(it for it in before if it < iteration), *(_batches(other) or alone))
    return Run(
        name,
        (*earlier, (iteration, other)),
        _nodes(other.tree, parents, indexes),
        tuple(parents),
        tuple(indexes),
        (*run.made[:iteration], *log.made),
        (*run.leaves[:iteration], *(numbers[leaf] for leaf in log.leaves)),
        (*outcomes, *log.outcomes),
        (*forced, (iteration, ())) if forced else (),
        batches,
    )


def _nodes(tree: Node, parents: Sequence[int], indexes: Sequence[int]) -> tuple[Node, ...]:
    """Return the nodes of a tree in order of their numbers."""
    nodes = [tree]
    below: list[dict[Any, Node]] = [{child.move: child for child in tree.children}]
    for parent, index in zip(parents[1:], indexes[1:], strict=True):
        node = below[parent][nodes[parent].moves[index]]
        nodes.append(node)
        below.append({child.move: child for child in node.children})
    return tuple(nodes)


def named(search: Search) -> str:
    """Return the default name of a search."""
    selection = (
        search.selection if isinstance(search.selection, str) else type(search.method).__name__
    )
    words = [selection, *(f'{name}={value:g}' for name, value in search.method.parameters.items())]
    words += [name for name in ('network', 'solver', 'bounds', 'closing') if getattr(search, name)]
    return f'{" ".join(words)}, {amount(search.iterations, "iteration")}'


def data_of(
    run: Run, *others: Run, game: Any = None, before: Sequence[str] = (), playouts: bool = False
) -> dict[str, Any]:
    """Return the data of a page about one search, or about two of the same position.

    :param game: the notation of positions, as for `board_svg`.
    :param before: the moves before the position, in the game's notation.
    :param playouts: include the moves of playouts.
    :raises ReplayError: the searches start in different positions.
    """
    state = run.nodes[0].state
    if any(other.nodes[0].state != state for other in others):
        raise ReplayError('the two searches begin in different positions')
    notation = game or notation_of(state)
    boards = boards_of(state, notation)
    return {
        'format': FORMAT,
        'game': notation.name,
        'before': [*before],
        'players': [*map(str, players_of(state))],
        'board': boards.parts(state),
        'searches': [
            search_data(run, notation, boards, playouts=playouts),
            *(search_data(each, notation, boards) for each in others),
        ],
    }


def search_data(
    run: Run, notation: Any, boards: Boards, *, playouts: bool = False
) -> dict[str, Any]:
    """Return the data of one search."""
    history, nodes = run.last, run.nodes
    labels, kinds = _Numbers(), _Numbers()
    search, log = history.search, history.log
    seats = {player: seat for seat, player in enumerate(players_of(nodes[0].state))}
    numbers = [kinds.of(_kind(node, labels, notation, seats)) for node in nodes]
    letters = boards.letters_of(nodes)
    played = None
    if playouts:
        label_of = functools.cache(lambda move: labels.of(notation.format_move(move)))
        played = playouts_of(history, nodes, boards, letters, label_of)
    return {
        'name': run.name,
        'rng': format_rng(run.segments[0][1].rng),
        'engine': history.engine,
        'digest': history.digest,
        'move': notation.format_move(history.move),
        'segments': [{'first': first, **rules_of(part.search)} for first, part in run.segments],
        'labels': [*labels.known],
        'kinds': [*kinds.known],
        'nodes': numbers,
        'mover': seats[nodes[0].mover],
        'seats': log.players,
        'outcomes': [*map(_short, run.outcomes)],
        'rolls': [*_rolls(run)],
        'chances': [*_chances(run)],
        'forced': run.forced,
        'batches': run.batches,
        'own': search.columns.own,
        'resolution': search.resolution and search.resolution.column,
        'leaves_out': leaves_out_in_javascript(search.resolution),
        'judged': [_judged(each, nodes) for each in search.derived],
        'playouts': played,
        **_positions(run, boards, letters),
    }


def _short(outcome: Outcome) -> Any:
    """Return an outcome for JSON, with whole numbers as such."""
    if isinstance(outcome, tuple):
        return [*map(_short, outcome)]
    return int(outcome) if outcome.is_integer() else outcome


def _chances(run: Run) -> Iterator[int]:
    """Yield the random decisions in the tree, `chances` in the module's docstring."""
    depths = [0]
    for parent in run.parents[1:]:
        depths.append(depths[parent] + 1)
    ends = (*(first for first, _ in run.segments[1:]), len(run.made))
    for (first, part), end in zip(run.segments, ends, strict=True):
        expands = part.search.expands
        for at in range(first, end):
            if expands == 'jump':
                yield depths[run.leaves[at]] - 1 if run.made[at] else -1
            elif expands in ('random', 'full') and run.made[at]:
                leaf = run.leaves[at]
                if not chances_of(run.nodes[run.parents[leaf]].state):
                    yield run.indexes[leaf]


def _rolls(run: Run) -> Iterator[int]:
    """Yield the outcomes that chance drew in the tree; see the module."""
    parents, indexes = run.parents, run.indexes
    rolled = [bool(chances_of(node.state)) for node in run.nodes]
    if not any(rolled):
        return
    for leaf in run.leaves:
        line, node = [], leaf
        while node:
            if rolled[parents[node]]:
                line.append(indexes[node])
            node = parents[node]
        yield from reversed(line)


def _judged(derived: Derived, nodes: Sequence[Node]) -> list[float] | None:
    """Return the heuristic values of a derived statistic for all nodes that are not over."""
    if derived.heuristic is None:
        return None
    judge = valued('the heuristic', derived.heuristic)
    return [judge(node.state) if node.moves else 0.0 for node in nodes]


def _positions(run: Run, boards: Boards, letters: Sequence[str | None]) -> dict[str, Any]:
    """Return the boards of the nodes of a search."""
    if boards.cells is None:
        return {'pictures': boards.pictures(run.nodes[:DRAWN])}
    return {'changes': boards.changes(letters, run.parents)}


def _kind(node: Node, labels: _Numbers, notation: Any, seats: Mapping[Any, int]) -> tuple[Any, ...]:
    """Return the kind of a node, with the result if the game is over."""
    state = node.state
    words = tuple(labels.of(notation.format_move(move)) for move in node.moves)
    rows = tuple(tuple(row) for row in node.columns.moves)
    weights = tuple(weight for _, weight in chances_of(state))
    return seats[state.player], words, rows, standing(state) if state.over else '', weights


class _Numbers:
    """Numbers for values: 0, 1, 2... in order of first appearance."""

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a value."""
        return self.known.setdefault(value, len(self.known))
