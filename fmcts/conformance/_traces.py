"""Traces of searches, and the dialect that says what a search should have done.

A trace has for each iteration the path from the root, the result at its end, and what the nodes of
the path hold after it. From the paths and results alone everything else is computed again, so the
first iteration that differs is named with the term that differs, whatever came of it later.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from attrs import asdict, field, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts._validators import one_of
from fmcts.conformance._trees import Tree, tree_of, trees
from fmcts.game import Player
from fmcts.rng import Rng, SplitMix

Path: TypeAlias = tuple[str, ...]
Counts: TypeAlias = dict[Path, tuple[int, float]]
"""The visits of each node, and the sum of its results for X."""

Score: TypeAlias = Literal['ucb1', 'puct']
Logarithm: TypeAlias = Literal['N', '1+N']
Expansion: TypeAlias = Literal['first', 'last', 'any', 'selected']
Ties: TypeAlias = Literal['first', 'last', 'any']
Scale: TypeAlias = Literal['fixed', 'siblings']
Finished: TypeAlias = Literal['others', 'exact']

TOLD: Final = ('visits', 'values')

CLOSE: Final = 1e-6
"""Scores and values that differ by less are equal: others add in another order, or in 32 bits."""


@frozen
class Dialect:
    """The choices of a tree search where descriptions of MCTS differ.

    A node's value is the mean of its results, for the player who chooses; N are the visits of the
    parent, n those of the child. `score`: `ucb1` is `value + c * sqrt(ln N / n)`, `puct` is
    `value + (c + ln((N + base + 1) / base)) * prior * sqrt(N) / (1 + n)` with equal priors.

    :param logarithm: `N` or `1+N`, what the logarithm of `ucb1` is of.
    :param base: the base of `puct`; `None` leaves the logarithm out.
    :param expansion: which untried move a node tries before any is selected: the `first`, the
        `last` or `any`. `selected`: none; a move is chosen by its score, tried or not, and the
        first iteration evaluates the root.
    :param first_play: the value of an untried move, if moves are selected.
    :param ties: which of the best is chosen: the `first`, the `last` or `any`.
    :param rewards: the results of a loss and of a win.
    :param scale: `siblings`: values in scores are put on a scale from 0, the least of the node and
        its tried moves, to 1, the greatest; an untried move has 0.
    :param finished: how the move to a finished game is scored: as `others`, or `exact`, by its
        result alone.
    """

    score: Score = field(default='ucb1', validator=one_of(*get_args(Score)))
    c: float = math.sqrt(2)
    logarithm: Logarithm = field(default='N', validator=one_of(*get_args(Logarithm)))
    base: float | None = None
    expansion: Expansion = field(default='first', validator=one_of(*get_args(Expansion)))
    first_play: float = math.inf
    ties: Ties = field(default='first', validator=one_of(*get_args(Ties)))
    rewards: tuple[float, float] = (0.0, 1.0)
    scale: Scale = field(default='fixed', validator=one_of(*get_args(Scale)))
    finished: Finished = field(default='others', validator=one_of(*get_args(Finished)))

    def result(self, tree: Tree) -> float:
        """Return the result of a position for X in the dialect's range."""
        loss, win = self.rewards
        return loss + tree.result * (win - loss)

    def terms(self, tree: Tree, path: Path, counts: Counts) -> dict[str, tuple[float, float]]:
        """Return value and exploration, the terms of the score, of each move of a node."""

        def value_of(visits: int, total: float) -> float:
            return total / visits if tree.player is Player.X else sum(self.rewards) - total / visits

        children = {move: counts.get((*path, move), (0, 0.0)) for move in tree.moves}
        values = {move: value_of(*it) for move, it in children.items() if it[0]}
        untried = self.first_play
        if self.scale == 'siblings':
            around = (value_of(*counts[path]), *values.values())
            # The least width is mctx's own: where all values are equal nothing is divided by 0.
            untried, width = 0.0, max(max(around) - min(around), 1e-8)
            values = {move: (value - min(around)) / width for move, value in values.items()}
        found = {}
        for move, after in tree.moves_to:
            visits = children[move][0]
            exact = visits and after.over and self.finished == 'exact'
            more = 0.0 if exact else self._exploration(counts[path][0], visits, len(children))
            found[move] = (values.get(move, untried), more)
        return found

    def _exploration(self, parent: int, visits: int, moves: int) -> float:
        if self.score == 'puct':
            growth = math.log((parent + self.base + 1) / self.base) if self.base else 0.0
            return (self.c + growth) / moves * math.sqrt(parent) / (1 + visits)
        known = math.log(parent + (self.logarithm == '1+N'))
        return self.c * math.sqrt(known / visits) if visits else 0.0

    def choices(self, tree: Tree, path: Path, counts: Counts) -> tuple[str, list[str]]:
        """Return what is done at a node, `expansion` or `selection`, and the moves it may take."""
        untried = [move for move in tree.moves if (*path, move) not in counts]
        if untried and self.expansion != 'selected':
            return 'expansion', _one_of(untried, self.expansion)
        scores = {move: sum(it) for move, it in self.terms(tree, path, counts).items()}
        best = max(scores.values())
        # Other libraries add in another order: scores that differ by rounding alone are a tie.
        # Infinities are equal, and their difference is no number.
        close = [move for move, it in scores.items() if it == best or best - it < CLOSE]
        return 'selection', _one_of(close, self.ties)

    def ends(self, tree: Tree, path: Path, counts: Counts) -> bool:
        """Return whether an iteration ends at a node: it is finished, or new to the tree."""
        return tree.over or (path not in counts and (bool(path) or self.expansion == 'selected'))


def _one_of(moves: list[str], which: str) -> list[str]:
    return {'first': moves[:1], 'last': moves[-1:]}.get(which, moves)


@frozen
class Step:
    """One iteration: its path, and the result for X in the dialect's range.

    `visits` and `values` are those of the nodes of the path after it, the root first; a value is
    the mean result for X. They may be empty if an implementation does not tell.
    """

    path: Path
    result: float
    visits: tuple[int, ...] = ()
    values: tuple[float, ...] = ()


@frozen
class Difference:
    """The first difference between a trace and its dialect.

    :param iteration: its number, from 1.
    :param path: the node where it is.
    :param term: `expansion`, `selection`, `leaf`, `result`, `visits` or `value`; `steps`, if the
        trace ended too early.
    :param found: what the trace has.
    :param expected: what the dialect has.
    """

    iteration: int
    path: Path
    term: str
    found: str
    expected: str

    def __str__(self) -> str:
        """Return one line."""
        where = ' '.join(self.path) or 'the root'
        return (
            f'iteration {self.iteration}, {self.term} at {where}: {self.found}, '
            f'expected {self.expected}'
        )


def expected(tree: Tree, dialect: Dialect, iterations: int) -> list[Step]:
    """Return the trace of a dialect; where it leaves a choice, the first is made."""
    counts: Counts = {}
    steps = []
    for _ in range(iterations):
        path: Path = ()
        while not dialect.ends(tree.at(path), path, counts):
            path = (*path, dialect.choices(tree.at(path), path, counts)[1][0])
        result = dialect.result(tree.at(path))
        steps.append(Step(path, result, *back_up(counts, path, result)))
    return steps


def back_up(counts: Counts, path: Path, result: float) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Count a result at each node of a path; return their visits and values, the root first."""
    along = [path[:plies] for plies in range(len(path) + 1)]
    for node in along:
        visits, total = counts.get(node, (0, 0.0))
        counts[node] = (visits + 1, total + result)
    known = [counts[node] for node in along]
    return tuple(visits for visits, _ in known), tuple(total / visits for visits, total in known)


def difference(tree: Tree, dialect: Dialect, steps: Iterable[Step]) -> Difference | None:
    """Return the first difference between a trace and a dialect; `None` if there is none.

    >>> end = Tree(Player.O, 1.0)
    >>> tree = Tree(Player.X, 0.5, (('a', Tree(Player.O, 0.0)), ('b', end)))
    >>> steps = [Step((it,), 1.0 if it == 'b' else 0.0) for it in 'abba']
    >>> print(difference(tree, Dialect(c=0.5), steps))
    iteration 4, selection at the root: a with 0.5241 = 0.0000 + 0.5241, expected b with 1.3706 = \
1.0000 + 0.3706
    """
    counts: Counts = {}
    for number, step in enumerate(steps, 1):
        wrong = next(_differences(tree, dialect, counts, step), None)
        if wrong is not None:
            return Difference(number, *wrong)
    return None


def _differences(
    tree: Tree, dialect: Dialect, counts: Counts, step: Step
) -> Iterator[tuple[Path, str, str, str]]:
    """Yield where a step differs, in its order: selection and expansion, the end, the backup."""
    for plies, move in enumerate(step.path):
        path = step.path[:plies]
        node = tree.at(path)
        if dialect.ends(node, path, counts):
            yield path, 'leaf', f'continued with {move}', 'the end of the iteration'
        kind, accepted = dialect.choices(node, path, counts)
        if move not in accepted:
            terms = dialect.terms(node, path, counts) if kind == 'selection' else {}
            chosen, best = (_in_words(it, terms) for it in ([move], accepted))
            yield path, kind, chosen, best
    leaf = tree.at(step.path)
    if not dialect.ends(leaf, step.path, counts):
        yield step.path, 'leaf', 'the end of the iteration', 'one of its moves'
    result = dialect.result(leaf)
    if abs(step.result - result) > CLOSE:
        yield step.path, 'result', f'{step.result:g}', f'{result:g}'
    visits, values = back_up(counts, step.path, result)
    told = (('visits', step.visits, visits), ('value', step.values, values))
    for term, given, meant in told:
        # An implementation that does not tell its numbers gives none, and nothing is compared.
        for plies, (one, two) in enumerate(zip(given, meant, strict=False)):
            if abs(one - two) > CLOSE:
                yield step.path[:plies], term, f'{one:.6g}', f'{two:.6g}'


def _in_words(moves: Sequence[str], terms: dict[str, tuple[float, float]]) -> str:
    """Return moves with their scores, the sums of two terms."""
    return ' or '.join(
        f'{move} with {sum(terms[move]):.4f} = {terms[move][0]:.4f} + {terms[move][1]:.4f}'
        if move in terms
        else move
        for move in moves
    )


def from_snapshots(snapshots: Iterable[Counts]) -> list[Step]:
    """Return the trace of a search from its whole tree after each iteration.

    The path of an iteration are the nodes with one more visit; the result is what the last of them
    gained.
    """
    before: Counts = {}
    steps = []
    for counts in snapshots:
        # All that changed lies on one path, so the longest of these is its end.
        path = max((it for it in counts if counts[it] != before.get(it)), key=len)
        along = [counts[path[:plies]] for plies in range(len(path) + 1)]
        result = counts[path][1] - before.get(path, (0, 0.0))[1]
        visits = tuple(number for number, _ in along)
        steps.append(Step(path, result, visits, tuple(total / n for n, total in along)))
        before = counts
    return steps


@frozen
class Unlike:
    """A tree on which an implementation differs from its dialect, and where."""

    tree: Tree
    difference: Difference

    def __str__(self) -> str:
        """Return the difference and the tree as JSON, in one line."""
        tree = json.dumps(self.tree.to_json(), separators=(',', ':'))
        return f'{self.difference}; {amount(self.tree.size, "position")}: {tree}'


def check(
    run: Callable[[Tree, int], Iterable[Step]],
    dialect: Dialect,
    *,
    count: int = 400,
    iterations: int = 40,
    rng: Rng | None = None,
) -> Result[int, Unlike]:
    """Return whether an implementation searches drawn trees as its dialect says.

    The smallest trees come first. The failure has one of the smallest that differ, and of these the
    one that differs first.

    :param run: searches a tree for a number of iterations, and returns the trace.
    """
    smallest: Unlike | None = None
    for tree in trees(rng or SplitMix.from_seed(1), count):
        if smallest is not None and tree.size > smallest.tree.size:
            break
        steps = [*run(tree, iterations)]
        found = difference(tree, dialect, steps)
        # A search with one move to choose may end sooner, as OpenSpiel's bot in C++ does.
        if found is None and len(steps) < iterations and len(tree.moves) > 1:
            found = Difference(len(steps) + 1, (), 'steps', f'{len(steps)}', f'{iterations}')
        if found and (smallest is None or found.iteration < smallest.difference.iteration):
            smallest = Unlike(tree, found)
    return Success(count) if smallest is None else Failure(smallest)


def to_json(tree: Tree, dialect: Dialect, steps: Sequence[Step]) -> dict[str, Any]:
    """Return a tree, a dialect and a trace as values for JSON."""
    # As text, because JSON has no infinity.
    said = {**asdict(dialect), 'first_play': str(dialect.first_play)}
    return {'dialect': said, 'tree': tree.to_json(), 'steps': [asdict(step) for step in steps]}


def from_json(given: Any) -> tuple[Tree, Dialect, list[Step]]:
    """Return the tree, the dialect and the trace of values for JSON.

    :raises ValueError: something is missing or unknown.
    """
    try:
        said = given['dialect']
        dialect = Dialect(
            **{
                **said,
                'first_play': float(said.get('first_play', math.inf)),
                'rewards': tuple(said.get('rewards', (0.0, 1.0))),
            }
        )
        steps = [
            Step(tuple(it['path']), it['result'], *(tuple(it.get(name, ())) for name in TOLD))
            for it in given['steps']
        ]
        return tree_of(given['tree']), dialect, steps
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f'not a trace: {error}') from None
