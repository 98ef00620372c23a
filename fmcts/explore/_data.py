"""The data of a page, an object for JSON from which it computes every version of a search.

| key | value |
|---|---|
| `game`, `before` | the name of the game; the moves before the position, in its notation |
| `known` | whether game and moves lead a command to the position |
| `players` | the names of the two sides |
| `board` | see `fmcts.explore._boards` |
| `waiting` | the lines to the positions that a search asks for, if it is not over |
| `machine`, or `lacks` | what a page needs to search by itself, or why it cannot: `_machines` |
| `proven` | the values of the moves by perfect play, or `null`; a page with a machine finds them |
| `searches` | one or two of the objects below, for the same position |

A search that the page makes again by its machine has `name`, `spec`, `rng`, `iterations`, `digest`,
`agree` as below, and `asks`: whether the page itself asks how sure the choice is. Another search
has `name`, `rng`, `engine`, `move`, and

- `spec`: the search as the command line reads it, or `null`;
- `noun`: what the game calls a move, such as `column`, or nothing;
- `agree`: how many searches with other seeds choose the same move, and of how many; `null` if that
  was not asked;
- `decisive`, `sampled`: the playouts of a sample that decided the choice, each with the number of
  the iteration, the index of the move that would have been chosen, and the worth to X with which it
  would; and how many were sampled;

- `log`: of `fmcts.history.Log.to_json` the columns `leaves`, `outcomes`, `made`, `parents`,
  `indexes`, and `root_moves`;
- `graph`: of a search with `transpositions` its `rule`, `states` and `paths`, as a log has them
  (`fmcts.history._log`), otherwise `null`;
- `digest`: that of the last version; if `whole` is false, of its visits and rewards alone, as the
  page cannot compute all statistics of the search;
- `segments`: the rules from iteration `first` on; see `fmcts.explore._formulas`;
- `labels`: the names of moves; `kinds`: the different kinds of nodes, each with the side to move
  (0 X, 1 O, or the index among `players`), the labels of the moves, the columns of moves, the
  result if the game is over, and the weights of the outcomes where chance moves;
- `nodes`: the kind of each node in order of creation, the root first; `mover`: the side that moved
  to the root;
- `seats`: the number of players in a game with chance, rewards or other players, otherwise 0;
- `leads`: where the move to be played changed, each with the iteration and the move's index;
- `wanted`: with a schedule, how many of each iteration's first moves it wanted;
- `remarks`: what the evaluators of a search that asks added, by iteration;
- `batches`: in a search by batches, the number of iterations before the batch of each iteration;
- `own`: the names of the columns of a node; `resolution`: the last of them, if it says how nodes
  are resolved;
- `judged`: for each derived statistic with a heuristic, its value of each node for X, or for a
  single player;
- `changes` or `pictures`: boards, by node number;
- `apart`, of the second search: where it differs from the first, see `difference`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from attrs import evolve, frozen

from fmcts._arguments import amount
from fmcts._engines import judge_of
from fmcts.asking import Request
from fmcts.bots import MctsBot, parse_bot
from fmcts.errors import GameError, MethodError, ReplayError
from fmcts.explore._boards import DRAWN, Boards, boards_of
from fmcts.explore._formulas import asks_again, is_whole, own_columns, plays_of, rules_of
from fmcts.game import chances_of, players_of
from fmcts.games import find_game
from fmcts.games.boards import standing
from fmcts.history import (
    Decisive,
    History,
    Log,
    WhatIf,
    Why,
    apart,
    options_written,
    parting,
    sampled,
    values_within,
    worth_in_words,
)
from fmcts.rng import format as format_rng
from fmcts.search import Node, Search, ignore
from fmcts.search.derived import Derived
from fmcts.search.schedules import line_of
from fmcts.view import notation_of

FORMAT: Final = 'fmcts-explore-2'
NAMED: Final = 'network', 'solver', 'bounds', 'closing', 'transpositions'
OF_LOG: Final = 'leaves', 'outcomes', 'made', 'parents', 'indexes', 'root_moves', 'returns'


@frozen
class RecordedSearch:
    """A search from its first iteration on, of which a page is made.

    `segments` are the histories that it consists of, each with the iteration after which it begins,
    and `log` is that of all together. `leads` are iterations with the move that was to be played
    from then on. `wanted` is how many first moves of each iteration a schedule wanted. `batches`
    are the numbers of iterations before the batch of each, if there are batches. `remarks` are
    those of evaluators, by iteration.
    `agree`: how many searches with other seeds choose the same move, and of how many. `decisive`
    are the playouts among `sampled` ones that decided the choice.
    """

    name: str
    segments: tuple[tuple[int, History[Any]], ...]
    log: Log
    leads: tuple[tuple[int, Any], ...]
    wanted: tuple[int, ...] = ()
    batches: tuple[int, ...] = ()
    remarks: Mapping[int, str] = {}
    agree: tuple[int, int] | None = None
    decisive: tuple[Decisive, ...] = ()
    sampled: int = 0

    @property
    def last(self) -> History[Any]:
        """The last history."""
        return self.segments[-1][1]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the last version, as the log numbers them."""
        nodes = [self.last.tree]
        for parent, index in zip(self.log.parents[1:], self.log.indexes[1:], strict=True):
            # A node's number is above that of its parent, so this one is there already.
            nodes.append(nodes[parent].places[index])
        return tuple(nodes)

    def why(self, iteration: int) -> Why:
        """Return the reasons for an iteration's path."""
        # Of the segments that have begun the last one made this iteration.
        history = [part for first, part in self.segments if first < iteration][-1]
        return history.why(iteration)


SAMPLES: Final = 200
FEWEST: Final = 20
WORK: Final = 4_000_000
"""How many playouts are asked what they decided, at most and at least, and the most iterations that
this may cost.
"""


def run_of(history: History[Any], name: str = '', seeds: int | None = None) -> RecordedSearch:
    """Return the run of a history; `seeds` as for `explore`.

    :raises ReplayError: it continues another one.
    """
    if history.first:
        raise ReplayError(
            f'a page starts at iteration 1, but this history at iteration {history.first + 1}: '
            f'explore(h, fork) shows a fork beside the history h that it was made from'
        )
    if history.search.collisions:
        raise ReplayError('a page does not repeat batches with collisions: leave the option out')
    return RecordedSearch(
        name or named(history.search),
        ((0, history),),
        history.log,
        _leads(history),
        _wanted(history),
        _batches(history),
        _remarks(history),
        *_how_sure(history, seeds),
    )


def _how_sure(
    history: History[Any], seeds: int | None
) -> tuple[tuple[int, int] | None, tuple[Decisive, ...], int]:
    """Return how many searches with other generators choose the same move, and of how many.

    And the playouts of a sample that decided the choice, and how many were sampled. Nothing is
    asked of a search with a network, which draws nothing; and by default only where machine code
    searches, of playouts in trees alone.
    """
    search = history.search
    if search.network is not None or seeds == 0:
        return None, (), 0
    agree = history.agreement()
    # Each asks for a search of its own, so a long one has time for few.
    samples = min(SAMPLES, WORK // history.last)
    known: tuple[Decisive, ...] = ()
    # Without machine code for what might have been, a graph would take minutes.
    slow = agree is None or search.transpositions is not None
    if slow or samples < FEWEST or search.schedule is not None:
        samples = 0
    else:
        known = history.decisive(samples)
    if seeds is not None:
        agree = agreement_of(history, seeds)
    return agree, known, len(sampled(history.last, samples)) if samples else 0


def agreement_of(history: History[Any], seeds: int) -> tuple[int, int]:
    """Return how many of `seeds` other searches choose the same move, and `seeds`."""
    return dict(history.stability(seeds).counts).get(history.move, 0), seeds


def _leads(history: History[Any]) -> tuple[tuple[int, Any], ...]:
    return tuple((lead.iteration, lead.move) for lead in history.leaders())


def _batches(history: History[Any]) -> tuple[int, ...]:
    if history.search.batch == 1:
        return ()
    found = history._record.iterations(history.first, history.last)  # noqa: SLF001 - of this library
    return tuple(each.first for each in found)


def _remarks(history: History[Any]) -> dict[int, str]:
    if not any(answer.remarks for answer in history.answers):
        return {}
    found = history._record.iterations(history.first, history.last)  # noqa: SLF001 - of this library
    made = ((each.credited.tree.visits, each.credited.answer) for each in found)
    return {number: str(it.remarks) for number, it in made if it and it.remarks}


def _wanted(history: History[Any]) -> tuple[int, ...]:
    if history.search.schedule is None:
        return ()
    steps = history._record.steps(history.first, history.last)  # noqa: SLF001 - of this library
    return tuple(len(line_of(forced)) for count, forced in steps for _ in range(count))


def against_of(run: RecordedSearch, other: History[Any] | WhatIf[Any], name: str) -> RecordedSearch:
    """Return the run of another history, a fork of this one, or of what it might have been.

    :raises ReplayError: it left another history.
    """
    mine = run.last
    if isinstance(other, WhatIf):
        if other.real != mine:
            raise ReplayError('this what_if is of another history')
        worth = worth_in_words(other.outcome, run.nodes[0].state)
        return what_if_of(run, other, name or f'iteration {other.iteration:,} worth {worth}')
    if not other.first:
        return run_of(other, name)
    # A fork begins with a version of the history that it was made from: that is compared here.
    if other.first > mine.last or next(mine.versions(other.first)) != other.root:
        raise ReplayError(f'this history begins after iteration {other.first} of another one')
    return fork_of(run, other.first, other, name or f'{named(other.search)} from {other.first:,}')


def fork_of(run: RecordedSearch, iteration: int, other: History[Any], name: str) -> RecordedSearch:
    """Return the run of `other`, a fork of this run after the given iteration."""
    return _joined(run, iteration, run.log.outcomes[:iteration], other, name)


def what_if_of(run: RecordedSearch, found: WhatIf[Any], name: str) -> RecordedSearch:
    """Return the run in which one playout ended differently."""
    outcomes = (*run.log.outcomes[: found.iteration - 1], found.outcome)
    return _joined(run, found.iteration, outcomes, found.history, name)


def _joined(
    run: RecordedSearch, iteration: int, outcomes: Iterable[Any], other: History[Any], name: str
) -> RecordedSearch:
    """Return a run up to an iteration, followed by another history."""
    log, mine = other.log, run.log
    size = mine.nodes_at(iteration)
    parents, indexes = [*mine.parents[:size]], [*mine.indexes[:size]]
    theirs, states = log.graph, [*mine.graph.states[:size]] if mine.graph else []
    known = {it: number for number, it in enumerate(zip(parents, indexes, strict=True)) if number}
    # The numbers here of the other's nodes: it numbers its initial nodes level by level.
    numbers = [0]
    for number in range(1, len(log.parents)):
        above = numbers[log.parents[number]]
        place = states[above] if theirs else above, log.indexes[number]
        # These nodes are the first search's too, and have a number already.
        if number < log.before:
            numbers.append(known[place])
        else:
            numbers.append(len(parents))
            parents.append(place[0])
            indexes.append(place[1])
            if theirs:
                first = theirs.states[number]
                states.append(states[numbers[first]] if first < number else numbers[number])
    new = slice(log.before, None)
    joined = evolve(
        log,
        leaves=[*mine.leaves[:iteration], *(numbers[leaf] for leaf in log.leaves)],
        outcomes=[*outcomes, *log.outcomes],
        made=[*mine.made[:iteration], *log.made],
        parents=parents,
        indexes=indexes,
        moves=[*mine.moves[:size], *log.moves[new]],
        movers=[*mine.movers[:size], *log.movers[new]],
        visits=mine.visits,
        rewards=mine.rewards,
        returns=[*mine.returns[:size], *log.returns[new]],
        graph=mine.graph
        and theirs
        and evolve(
            mine.graph,
            states=states,
            sides=[*mine.graph.sides[:size], *theirs.sides[new]],
            paths=[*mine.graph.paths[:iteration], *theirs.paths],
        ),
    )
    both = (*(lead for lead in run.leads if lead[0] < iteration), *_leads(other))
    batches: tuple[int, ...] = ()
    if run.batches or other.search.batch > 1:
        # Without batches each iteration has all those before it behind it.
        alone = range(iteration, iteration + len(log.leaves))
        before = run.batches or range(iteration)
        batches = (*before[:iteration], *(_batches(other) or alone))
    return RecordedSearch(
        name,
        (*(part for part in run.segments if part[0] < iteration), (iteration, other)),
        joined,
        tuple(next(same) for _, same in groupby(both, key=lambda lead: lead[1])),
        run.wanted and (*run.wanted[:iteration], *(0 for _ in log.leaves)),
        batches,
        {
            **{number: said for number, said in run.remarks.items() if number <= iteration},
            **_remarks(other),
        },
    )


def named(search: Search) -> str:
    """Return the default name of a search."""
    selection = (
        search.selection if isinstance(search.selection, str) else type(search.method).__name__
    )
    words = [selection, *(f'{name}={value:g}' for name, value in search.method.parameters.items())]
    words += [name for name in NAMED if getattr(search, name)]
    schedule = '' if search.schedule is None else type(search.schedule).__name__
    words += filter(None, (plays_of(search.playout), schedule))
    return f'{" ".join(words)}, {amount(search.iterations, "iteration")}'


def spec_of(search: Search) -> str | None:
    """Return a search as the command line reads it; `None` if it has no such words."""
    options = {**options_written(search), 'iterations': None}
    given = [
        f'{name}={"on" if it is True else it}' for name, it in options.items() if it is not None
    ]
    spec = f'mcts:{",".join([str(search.iterations), *given])}'
    bot = parse_bot(spec).value_or(None)
    return spec if isinstance(bot, MctsBot) and bot.search == search else None


def data_of(
    run: RecordedSearch,
    *others: RecordedSearch,
    game: Any = None,
    before: Sequence[str] = (),
    waiting: Sequence[Request[Any]] = (),
    watch: Callable[[float], object] = ignore,
) -> dict[str, Any]:
    """Return the data of a page about one search, or about two of the same position.

    :param game: the notation of positions, as for `board_svg`.
    :param before: the moves before the position, in the game's notation.
    :param waiting: the open requests of a search that asks.
    :param watch: called with how much is done, from 0 to 1.
    :raises ReplayError: the searches start in different positions.
    """
    state = run.nodes[0].state
    if any(other.nodes[0].state != state for other in others):
        raise ReplayError('the two searches begin in different positions')
    notation = game or notation_of(state)
    boards = boards_of(state, notation)

    def part(at: int) -> Callable[[float], object]:
        return lambda share: watch((at + share) / (1 + len(others)))

    return {
        **shared_data(state, notation, boards, before, waiting),
        'proven': _proven(run.nodes[0]),
        'searches': [
            search_data(run, notation, boards, part(0)),
            *(
                beside(run, other, notation, boards, part(at))
                for at, other in enumerate(others, start=1)
            ),
        ],
    }


SOLVED: Final = 10_000
"""How many positions Python looks at for the values of the moves, 0.3 s of work."""

WIDE: Final = 256
"""With more moves at the root the work is in the children of each position: minutes of it."""


def _proven(root: Node) -> list[float] | None:
    """Return the values of the moves by perfect play, as `proofOf` in `replay.js` reads them."""
    if root.columns.proposed is not None or len(root.moves) > WIDE:  # nobody knows all moves
        return None
    with suppress(GameError, MethodError):  # chance, rewards, no end; or too many positions
        found = values_within(root.state, SOLVED, engine='inplace', root_moves=root.moves)
        # A draw is 1/2, a win its plies and a loss minus its plies: numbers that no other value
        # has.
        return [0.5 if it.plies is None else it.plies * (2 * it.value - 1) for it in found]
    return None


def shared_data(
    state: Any,
    notation: Any,
    boards: Boards,
    before: Sequence[str],
    waiting: Sequence[Request[Any]] = (),
) -> dict[str, Any]:
    """Return the data of a page but for its searches."""
    return {
        'format': FORMAT,
        'game': notation.name,
        'before': [*before],
        'known': bool(before)
        or state == getattr(find_game(notation.name).value_or(None), 'start', ''),
        'players': [*map(str, players_of(state))],
        'waiting': [' '.join(map(notation.format_move, it.path)) for it in waiting],
        'board': boards.parts(state),
    }


def beside(
    run: RecordedSearch,
    other: RecordedSearch,
    notation: Any,
    boards: Boards,
    watch: Callable[[float], object] = ignore,
) -> dict[str, Any]:
    """Return the data of a second search, with where it differs from the first."""
    return {
        **search_data(other, notation, boards, watch),
        'apart': difference(run, other, notation),
    }


def difference(run: RecordedSearch, other: RecordedSearch, notation: Any) -> dict[str, Any]:
    """Return the first iteration `k` in which two searches differ, `null` if none does, in words.

    The page calls them A and B.
    """
    write = notation.format_move
    if bool(run.log.graph) != bool(other.log.graph):
        raise ReplayError('one search grows a graph and the other a tree: explore them one by one')
    found = parting(run.log, other.log)
    if found is None:
        return {'k': None, 'words': 'Both searches did the same in every iteration.'}
    if found.what == 'path':
        found = apart(run.why(found.iteration), other.why(found.iteration))
    words = f'First difference at {found.in_words(write, ("A", "B"))}.'
    choices = found.choices or ()
    moves = {choice.move for choice in choices}
    for name, choice in zip('AB', choices, strict=False):
        rows = [row for row in choice.scores if row.move in moves and row.score is not None]
        if choice.by == 'score':
            scores = ' and '.join(f'{write(row.move)} scores {row.score:.4f}' for row in rows)
            words += f' In {name}, {scores}.'
    return {'k': found.iteration, 'words': words}


def search_data(
    run: RecordedSearch,
    notation: Any,
    boards: Boards,
    watch: Callable[[float], object] = ignore,
) -> dict[str, Any]:
    """Return the data of one search; `watch` as for `data_of`."""
    history, nodes, log = run.last, run.nodes, run.log

    def one_by_one(nodes: Sequence[Node], begun: float) -> Iterator[Node]:
        for number, node in enumerate(nodes):
            watch(begun + number / len(nodes) / 2)  # kinds and boards take about as long
            yield node

    labels, kinds = _Numbers(), _Numbers()
    seats = {player: seat for seat, player in enumerate(players_of(nodes[0].state))}
    # Numbers of moves that a search changes as it goes are recomputed by the page.
    fixed = history.search.method.table is None and not asks_again(history.search)
    numbers = [
        kinds.of(_kind(node, labels, notation, seats, fixed=fixed)) for node in one_by_one(nodes, 0)
    ]
    listed = nodes[0].columns.proposed is None  # a digest has the moves that are proposed
    whole = listed and all(is_whole(part.search) for _, part in run.segments)
    columns, columns_in_log = own_columns(history.search), log.to_json()
    resolution = history.search.resolution if columns else None
    positions: dict[str, Any] = (
        {'pictures': boards.pictures(nodes)}
        if boards.cells is None
        else {'changes': boards.changes(one_by_one(nodes[:DRAWN], 0.5), log.parents)}
    )
    return {
        'name': run.name,
        'spec': spec_of(history.search) if len(run.segments) == 1 else None,
        'rng': format_rng(run.segments[0][1].rng),
        'engine': history.engine,
        'digest': history.digest if whole else log.digest(),
        'whole': whole,
        'move': notation.format_move(history.move),
        'noun': getattr(notation, 'noun', ''),
        'agree': run.agree,
        'decisive': [
            (it.iteration, nodes[0].moves.index(it.move), it.outcome) for it in run.decisive
        ],
        'sampled': run.sampled,
        'segments': [{'first': first, **rules_of(part.search)} for first, part in run.segments],
        'labels': [*labels.known],
        'kinds': [*kinds.known],
        'nodes': numbers,
        'mover': seats[nodes[0].mover],
        'seats': log.players,
        'log': {name: columns_in_log[name] for name in OF_LOG},
        'graph': log.graph
        and {name: getattr(log.graph, name) for name in ('rule', 'states', 'paths')},
        'leads': [(iteration, nodes[0].moves.index(move)) for iteration, move in run.leads],
        'wanted': run.wanted,
        'remarks': run.remarks,
        'batches': run.batches,
        'own': columns,
        'resolution': resolution and resolution.column,
        'judged': [_judged(each, run) for each in history.search.derived if columns],
        **positions,
    }


def _judged(derived: Derived, run: RecordedSearch) -> list[float] | None:
    """Return the heuristic values of a derived statistic for all nodes that are not over.

    They are for X, or for a single player, to whom nothing follows at the horizon.
    """
    if derived.heuristic is None:
        return None
    nodes, most = run.nodes, run.last.search.horizon
    left = [math.inf if most is None else most]
    for parent in run.log.parents[1:]:
        left.append(left[parent] - (not chances_of(nodes[parent].state)))
    judge = judge_of('the heuristic', derived.heuristic, nodes[0].state)

    def judged(node: Node, moves: float) -> float:
        if not node.moves or (moves <= 0 and not chances_of(node.state)):
            return 0.0
        found = judge(node.state)
        return float(found[0] if isinstance(found, tuple) else found)

    return [judged(*each) for each in zip(nodes, left, strict=True)]


def _kind(
    node: Node, labels: _Numbers, notation: Any, seats: Mapping[Any, int], *, fixed: bool
) -> tuple[Any, ...]:
    """Return the kind of a node, with the result if the game is over."""
    state = node.state
    words = labels.of_moves(tuple(node.moves), notation.format_move)
    rows = tuple(tuple(row) for row in node.columns.moves if fixed)
    chances = chances_of(state)
    weights: tuple[int, ...] = (1,) * len(node.moves)
    if not callable(chances):
        weights = tuple(weight for move in node.moves for it, weight in chances if it == move)
    return seats[state.player], words, rows, standing(state) if state.over else '', weights


class _Numbers:
    """Numbers for values: 0, 1, 2... in order of first appearance."""

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a value."""
        return self.known.setdefault(value, len(self.known))

    def of_moves(self, moves: tuple[Any, ...], write: Callable[[Any], str]) -> tuple[int, ...]:
        """Return the numbers of the names of moves."""
        return tuple([self.of(write(move)) for move in moves])
