"""Mistakes of a search: seeds for which it chooses a worse move, and what would have prevented it.

Moves are judged by perfect play (`fmcts.solve.move_values`). Step D of Mehat's text shows how UCT
with a small constant starves a good move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from typing import Any, Final, NamedTuple, cast

from attrs import evolve, field, frozen

from fmcts._arguments import amount, seeds_of, whole_number
from fmcts._declared import shown_by
from fmcts._promises import check_hash, check_plain
from fmcts._running import analyse, check_unscheduled
from fmcts.errors import MethodError
from fmcts.game import GameState, Player
from fmcts.history._versions import History, WhatIf, history
from fmcts.rng import SplitMix
from fmcts.search import Node, Search
from fmcts.solve import MoveValue, move_values

CONSTANTS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0)
"""The values tried for `c`."""

MOST: Final = 10_000_000  # positions to look at for the values of the moves of one
TRIES: Final = 8  # playouts of a line among which the decisive one is looked for
OUTCOMES: Final = {0.0: ('loses', 'lose'), 0.5: ('draws', 'draw'), 1.0: ('wins', 'win')}


class Starved(NamedTuple):
    """A good move that was visited too little, and the iteration that caused it.

    `line` are the moves that lead to it, including the move itself, and `visits` its visits at the
    end. `iteration` is its last iteration with an unlucky playout: with the outcome in `what_if`
    the search would have chosen a best move. If no single playout was decisive, `what_if` is
    `None` and `iteration` the last that visited the move, or `None` if none did.
    """

    line: tuple[Any, ...]
    visits: int
    iteration: int | None
    what_if: WhatIf[Any] | None


def best_of(values: Sequence[MoveValue[Any]]) -> tuple[Any, ...]:
    """Return the moves of the highest value."""
    most = max(row.value for row in values)
    return tuple(row.move for row in values if row.value == most)


@frozen(eq=False, repr=False)
class Mistake:
    """A search that did not choose a best move.

    `line` are the moves from the start of the hunt to the position. The generator of the search is
    `SplitMix.from_seed(seed)`. `values` are the values of the moves under perfect play, for the
    side to move; `history` is the search.
    """

    seed: int
    line: tuple[Any, ...]
    values: tuple[MoveValue[Any], ...]
    history: History[Any]
    _values_of: Callable[[Any], tuple[MoveValue[Any], ...]] = field(alias='values_of')

    @property
    def move(self) -> Any:
        """The move that was chosen."""
        return self.history.move

    @property
    def right(self) -> tuple[Any, ...]:
        """The best moves."""
        return best_of(self.values)

    @cached_property
    def since(self) -> int:
        """The first iteration after which no best move ever led again."""
        leads = self.history.leaders()
        good = [place for place, lead in enumerate(leads) if lead.move in self.right]
        return leads[good[-1] + 1 if good else 0].iteration

    @cached_property
    def starved(self) -> Starved | None:
        """The good move that was starved; `None` if the tree is too small to contain it.

        It is the first neglected move with a decisive playout, or the first neglected move.
        """
        h = self.history
        found = None
        for side, line in _neglected(self):
            visited = _iterations_of(h, line)
            starved = Starved(line, len(visited), visited[-1] if visited else None, None)
            found = found or starved
            lucky = 1.0 if side is Player.X else 0.0
            unlucky = [k for k in visited if h.log.outcomes[k - h.first - 1] != lucky]
            # The latest first: each question repeats the search from there on.
            for iteration in unlucky[: -TRIES - 1 : -1]:
                try:
                    what_if = h.what_if(iteration, lucky)
                except ValueError:  # it ended at a finished state
                    continue
                if what_if.move in self.right:
                    return starved._replace(iteration=iteration, what_if=what_if)
        return found

    @cached_property
    def constants(self) -> tuple[tuple[float, Any], ...]:
        """Pairs of a greater constant `c` and the move that the search chooses with it.

        Constants are tried in increasing order until one gives a best move. Empty if the search has
        no `c`.
        """
        h, found = self.history, []
        now = h.search.method.parameters.get('c')
        for c in CONSTANTS if now is not None else ():
            if c > now:  # type: ignore[operator]  # a number
                again, _ = analyse(h.root.state, h.rng, evolve(h.search, c=c))
                found.append((c, again.move))
                if again.move in self.right:
                    break
        return tuple(found)

    @property
    def saved_by(self) -> float | None:
        """The smallest constant in `constants` that gives a best move, or `None`."""
        return next((c for c, move in self.constants if move in self.right), None)

    def __str__(self) -> str:
        return '\n'.join(self.in_words(str))

    def in_words(self, write: Callable[[Any], str]) -> Iterator[str]:
        """Yield the lines of a report; `write` returns a move as text."""
        player, last = self.history.root.state.player, self.history.last
        worth = {row.move: OUTCOMES[row.value] for row in self.values}
        at = f'after {" ".join(map(write, self.line))}, ' if self.line else ''
        *most, final = map(write, self.right)
        right = f'{", ".join(most)} and {final}' if most else final
        result = worth[self.right[0]][bool(most)]
        yield (
            f'seed {self.seed}: {at}{player} chooses {write(self.move)}, which '
            f'{worth[self.move][0]}; {right} {result}'
        )
        yield f'from iteration {self.since:,} on, no best move led'
        starved = self.starved
        if starved is not None:
            *before, neglected = map(write, starved.line)
            place = f'after {" ".join(before)}, ' if before else ''
            found = f'{place}{neglected} had only {starved.visits:,} of {amount(last, "visit")}'
            if starved.what_if is None and starved.iteration:
                found += f', the last in iteration {starved.iteration:,}'
            yield found
            if starved.what_if is not None:
                it = starved.what_if
                yield (
                    f'if the playout of iteration {it.iteration:,} had been worth {it.outcome:g} '
                    f'to X, not {it.before:g}, the search would have chosen {write(it.move)}'
                )
        if self.constants:
            saved = self.saved_by
            yield (
                f'with no c up to {self.constants[-1][0]:g} does it choose a best move'
                if saved is None
                else f'with c={saved:g} it chooses {write(self.constants[-1][1])}'
            )

    _repr_html_ = shown_by('_histories.mistake_html')

    def __repr__(self) -> str:
        return f'<Mistake seed={self.seed} line={self.line} move={self.move} right={self.right}>'


def hunt(
    start: GameState[Any],
    search: Search,
    seeds: int | Iterable[int] = 100,
    *,
    plies: int = 0,
    engine: str = 'auto',
    each: Callable[[int], object] = lambda _seed: None,
) -> Iterator[Mistake]:
    """Yield the searches that do not choose a best move, in the order of `seeds`.

    The generator of a search is `SplitMix.from_seed(seed)`. `seeds` are the seeds to try; a number
    means 0, 1, 2... below it. The position is `start`, or with `plies` the position after that
    number of random moves drawn from `SplitMix.from_seed(seed).child(0)`; finished positions are
    skipped. `each` is called with every seed that is done. Positions are solved by alpha-beta, so
    the game must be small enough for `fmcts.solve`.

    >>> from fmcts.games import tictactoe
    >>> search = Search(1000, selection='uct', expansion='in-order', c=0.2)
    >>> print(next(hunt(tictactoe.start.play(1).play(0), search, [233, 234])))
    seed 234: X chooses 5, which loses; 3, 4, 6 and 8 draw
    from iteration 284 on, no best move led
    after 5 6 3, 4 had only 2 of 1,000 visits
    if the playout of iteration 217 had been worth 0 to X, not 1, the search would have chosen 4
    with c=0.3 it chooses 4

    :raises EngineError: the engine does not support the search.
    :raises FinishedGameError: the game is over at the start.
    :raises GameError: the game has chance, rewards or other players, or states without a hash.
    :raises MethodError: the search has transpositions, or a position is too large to be solved.
    :raises TypeError: `seeds` is neither a number nor a row of them.
    :raises ValueError: `plies` is not a whole number of at least 0; there are no seeds; the search
        has a schedule.
    """
    check_plain(start, 'a hunt')
    check_hash(start, 'a hunt')
    whole_number('plies', plies, least=0)
    numbers = seeds_of(seeds, 'a hunt')
    check_unscheduled(search, 'a hunt asks what other outcomes would have changed')
    if search.transpositions is not None:
        raise MethodError('hunt does not support a search with transpositions, which makes a graph')
    return _mistakes(start, search, numbers, plies, engine, each)


def _mistakes(
    start: GameState[Any],
    search: Search,
    seeds: Sequence[int],
    plies: int,
    engine: str,
    each: Callable[[int], object],
) -> Iterator[Mistake]:
    values_of: Any = cache(partial(values_within, most=MOST))  # which other seeds ask again
    for seed in seeds:
        rng = SplitMix.from_seed(seed)
        draws: Any = rng.child(0)
        state, line = start, list[Any]()
        while len(line) < plies and not state.over:
            index, draws = draws.uniform(0, len(state.moves) - 1)
            line.append(state.moves[index])
            state = state.play(line[-1])
        if not (state.over and plies):
            values = () if state.over else values_of(state)
            found, _ = analyse(state, rng, search, engine=engine)
            if found.move not in best_of(values):
                # Searched again, since few searches are mistakes, and a history costs more.
                again = history(state, rng, search, engine)
                yield Mistake(seed, tuple(line), values, again, values_of)
        each(seed)


def values_within(state: GameState[Any], most: int, **options: Any) -> tuple[MoveValue[Any], ...]:
    """Return the values of a position's moves; `options` are those of `move_values`.

    :raises MethodError: they are not found by looking at `most` positions.
    """

    def watch(nodes: int) -> None:
        if nodes > most:  # alpha-beta has no other way to be given up than an error
            raise MethodError(
                f'a hunt judges moves by perfect play, which {most:,} positions of this game do '
                'not decide: start nearer to its end, by moves or plies, or with a smaller board'
            )

    return move_values(state, watch=watch, **options)


# ---- which move was starved ----


def _neglected(mistake: Mistake) -> Iterator[tuple[Player, tuple[Any, ...]]]:
    """Yield the lines to neglected good moves, each with the side for which the move is good.

    These refute the chosen move, or are needed to make the best move good. The group about whose
    move the search is further from its true value comes first; within a group, the longest line.
    """
    tree, move = mistake.history.tree, mistake.move
    player = tree.state.player
    truth = {row.move: row.value for row in mistake.values}
    chosen, right = tree.child(move), _most_visited(tree, mistake.right)
    over = (chosen.value if chosen is not None else 0.5) - truth[move]
    under = truth[mistake.right[0]] - (right.value if right is not None else 0.0)
    refuting = [] if chosen is None else [*_refutations(chosen, (move,), player.other, mistake)]
    supporting = [*_refutations(tree, (), player, mistake)]
    both = [(player.other, line) for line in reversed(refuting)]
    more = [(player, line) for line in reversed(supporting)]
    yield from (*both, *more) if over >= under else (*more, *both)


def _refutations(
    node: Node, line: tuple[Any, ...], side: Player, mistake: Mistake
) -> Iterator[tuple[Any, ...]]:
    """Yield the lines to good moves of a side that are not the most visited, from a node down.

    The side plays its good moves, the other side the most visited ones.
    """
    while node.children and not node.state.over:
        likely = cast('Node', node.most_visited())
        if node.state.player is not side:
            node, line = likely, (*line, likely.move)
            continue
        good = best_of(mistake._values_of(node.state))  # noqa: SLF001 - of this module
        child = _most_visited(node, good)
        if likely.move not in good:
            yield (*line, good[0] if child is None else child.move)
        if child is None:
            return
        node, line = child, (*line, child.move)


def _most_visited(node: Node, moves: Iterable[Any]) -> Node | None:
    """Return the most visited of the children that `moves` lead to, or `None`."""
    children = [child for move in moves if (child := node.child(move)) is not None]
    return max(children, key=lambda child: child.visits, default=None)


def _iterations_of(h: History[Any], line: tuple[Any, ...]) -> list[int]:
    """Return the iterations that visited the node at the end of a line."""
    log, node, indexes = h.log, h.tree, []
    line_of: list[tuple[int, ...]] = [()]
    for move in line:
        child = node.child(move)
        if child is None:
            return []
        indexes.append(node.moves.index(move))
        node = child
    for above, index in zip(log.parents[1:], log.indexes[1:], strict=True):
        # Of a node below the one asked for, only that it is below.
        line_of.append((*line_of[above], index)[: len(indexes)])
    wanted = tuple(indexes)
    return [k for k, leaf in enumerate(log.leaves, h.first + 1) if line_of[leaf] == wanted]
