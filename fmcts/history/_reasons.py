"""Why an iteration took its path: what was compared, drawn, played and backed up.

The iteration is repeated by the verbs of the engine `persistent`, from the tree before it. The
scores of every move are computed from that tree by the functions that selection uses, and the terms
of a score by its traced formula: the terms are its summands. For UCB1 they are the mean, `value`,
and the bonus, `c * sqrt(log_visits / visits)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import attrs
from attrs import evolve, field, frozen

from fmcts._arithmetic import logarithm_of
from fmcts._declared import shown_by
from fmcts._engines import (
    Found,
    compared,
    due_at,
    graph,
    plan_of,
    reference_among,
    with_move,
)
from fmcts._expressions import TERMS, Formula, function_of, printed, symbols, trace
from fmcts.game import GameState, chances_of, players_of
from fmcts.history._changes import descent, new_nodes
from fmcts.history._log import Outcome
from fmcts.history._recording import Iteration, noting, session_of
from fmcts.rng import Rng
from fmcts.search import Node, Search
from fmcts.search.methods import Method, Rule
from fmcts.search.methods.method import Parent
from fmcts.search.networks import Answer
from fmcts.search.schedules import Forced, line_of

By: TypeAlias = Literal['score', 'untried', 'only move', 'schedule', 'chance', 'proposed']


class Draw(NamedTuple):
    """A draw: a whole number of at least 0 and less than `choices`."""

    choices: int
    number: int


@frozen
class Tape:
    """A generator that records what it draws."""

    rng: Rng
    drawn: list[Draw] = field(factory=list)

    def uniform(self, low: int, high: int) -> tuple[int, Tape]:
        """Return what the generator draws."""
        number, rng = self.rng.uniform(low, high)
        self.drawn.append(Draw(high - low + 1, number - low))
        return number, Tape(rng, self.drawn)

    def split(self) -> tuple[Tape, Tape]:
        """Return two generators, which record on the same tape."""
        left, right = self.rng.split()
        return Tape(left, self.drawn), Tape(right, self.drawn)

    def child(self, index: int) -> Tape:
        """Return the child generator with that index."""
        return Tape(self.rng.child(index), self.drawn)


@frozen
class Made:
    """An iteration that was repeated.

    `tree` and `rng` are the tree and the generator after it; `visited` are the nodes of its path,
    from the root down, before (`None` if it made them) and after. It drew `draws`; `playout` are
    the moves of its playout, and `outcome` is as in `Log.outcomes`. `ended`: it reached a finished
    state in the tree, and had no playout.
    """

    tree: Node
    rng: Any
    visited: tuple[tuple[Node | None, Node], ...]
    draws: tuple[Draw, ...]
    playout: tuple[Any, ...]
    outcome: Outcome
    ended: bool
    answer: Answer | None = None


def repeat_iteration(
    root: Node, rng: Rng, search: Search, forced: Forced, outcome: Outcome | None = None
) -> Made:
    """Return the next iteration from the tree `root`.

    With an `outcome`, its playout has this one instead of the real one.
    """
    tape = Tape(rng)
    played: list[Any] = []
    worth: list[Any] = []

    session = session_of('persistent', root, tape, search)
    playout = plan_of(search, root.state, noted=played.append).playout
    plan = noting(evolve(session.plan, playout=playout), worth.append)
    if outcome is not None:
        real = plan.playout

        def assumed(*given: Any) -> Found:
            _, trace, states = real(*given)
            if trace is not None:
                trace.following = outcome
            return outcome, trace, states

        plan = evolve(plan, playout=assumed)
    session = evolve(session, plan=plan)
    tree, after = session.advance(1, forced).finish()
    visited = tuple(descent(session.tree, tree))
    # A playout's states below the first new node are new as well, and not where it ended.
    leaf = next((now for was, now in visited if was is None), visited[-1][1])
    ended = not leaf.moves
    return Made(tree, after.rng, visited, tuple(tape.drawn), tuple(played), worth[0], ended)


def made_in_batch(found: Iteration) -> Made:
    """Return an iteration of a search with a network, without what chance drew."""
    credited = found.credited
    visited, ended = tuple(found.visited), credited.answer is None
    rng, outcome = credited.descent.rng, credited.for_x
    return Made(credited.tree, rng, visited, (), (), outcome, ended, credited.answer)


# ---- comparisons ----


@frozen
class Score:
    """A move at the time of a choice.

    `value` is the mean of its visits for the side that chooses, `None` without a visit. `score` is
    what selection compares: infinite for a move that must be tried first, `None` for a move that
    was left out. `terms` are the summands of the score, as `Choice.terms` names them; empty if the
    score has no terms.
    """

    move: Any
    visits: int
    value: float | None
    score: float | None
    terms: tuple[float, ...] = ()


@frozen
class Choice:
    """The choice of a move at one node of the path.

    `line` are the moves to the node, `visits` its visits. `by` is the reason: `score`,
    or that the first untried move (or a random one) was due, that there was only one move, that the
    schedule required it, that chance drew it, or that it was proposed. `terms` names the terms of
    the scores; `score` is the only term of a score that is not a sum.
    """

    line: tuple[Any, ...]
    player: Any
    visits: int
    by: By
    move: Any
    scores: tuple[Score, ...]
    terms: tuple[str, ...]

    @property
    def chosen(self) -> Score:
        """The move that was chosen."""
        return next(row for row in self.scores if row.move == self.move)

    @property
    def runner_up(self) -> Score | None:
        """The move with the next highest score, the first of equals; `None` if no other has one."""
        others = [it for it in self.scores if it.move != self.move and it.score is not None]
        return max(others, key=lambda row: row.score or 0.0, default=None)

    @property
    def margin(self) -> float | None:
        """The chosen move's lead; `None` if scores did not decide or are infinite."""
        other = self.runner_up
        if self.by != 'score' or other is None:
            return None
        one, two = self.chosen.score, other.score
        if one is None or two is None or math.isinf(one) or math.isinf(two):
            return None
        return one - two

    def __str__(self) -> str:
        return self.in_words(str)

    def in_words(self, write: Callable[[Any], str]) -> str:
        """Return the choice and its reason in words; `write` returns a move as text."""
        at = f'after {" ".join(map(write, self.line))}' if self.line else 'at the root'
        if self.by == 'chance':
            return f'{at}, chance draws {write(self.move)}'
        head = f'{at}, {self.player} chooses {write(self.move)}'
        if self.by != 'score':
            return f'{head}: {REASONS[self.by]}'
        margin, other = self.margin, self.runner_up
        if other is None:
            return f'{head}: it is the only one that is not left out'
        if margin is None:
            why = 'its score is infinite' if self.chosen.visits else 'it has no visit yet'
            return f'{head}: {why}'
        if not margin:
            return f'{head}: it comes before {write(other.move)}, which scores the same'
        text = f'{head}: it leads {write(other.move)} by {margin:.3g}'
        pairs: Any = zip(self.terms, self.chosen.terms, other.terms, strict=False)
        if not self.terms and self.chosen.visits and other.visits:  # the score has no terms
            pairs = [('value', self.chosen.value, other.value)]
        terms = [f'{name} {one:.3f} against {two:.3f}' for name, one, two in pairs]
        return f'{text} ({"; ".join(terms)})' if terms else text


REASONS: Final = {
    'untried': 'its first visit',
    'only move': 'the only move',
    'schedule': 'the schedule wants it',
    'proposed': 'it is proposed at this visit',
}


class Backup(NamedTuple):
    """A node of the path after the iteration: the moves to it, its visits, and its mean.

    The mean is for the player who moved there, as in `Node.value`.
    """

    line: tuple[Any, ...]
    visits: int
    value: float


@frozen(repr=False)
class Why:
    """The reasons for the path of an iteration.

    `path` are its moves in the tree, and `choices` how each was chosen. `made` is how many nodes it
    made. `draws` are all that it drew, in the tree and in the playout. `playout` are the moves
    below the tree, and `outcome` is what it was worth: the reward of X, or in a game with rewards
    that of each player. `backup` are the nodes of the path
    afterwards, the root first. `state` is the position of the root, `answer` a network's about the
    last one.
    """

    iteration: int
    path: tuple[Any, ...]
    choices: tuple[Choice, ...]
    made: int
    draws: tuple[Draw, ...]
    playout: tuple[Any, ...]
    outcome: Outcome
    backup: tuple[Backup, ...]
    state: GameState[Any]
    answer: Answer | None = None

    _repr_html_ = shown_by('_histories.why_html')

    def __str__(self) -> str:
        path, playout = (' '.join(map(str, moves)) for moves in (self.path, self.playout))
        head = f'iteration {self.iteration}: {path}'
        worth = worth_in_words(self.outcome, self.state)
        tail = [f'  playout: {playout or "none"}, worth {worth}']
        if self.answer and self.answer.remarks:
            tail.append(f'  evaluation: {self.answer.remarks}')
        return '\n'.join((head, *(f'  {choice}' for choice in self.choices), *tail))

    def __repr__(self) -> str:
        return f'<Why iteration {self.iteration}: {" ".join(map(str, self.path))}>'


def worth_in_words(outcome: Outcome, state: GameState[Any]) -> str:
    """Return what an outcome of the game of `state` is worth, and to whom.

    >>> from fmcts.games import tictactoe
    >>> worth_in_words(0.5, tictactoe.start)
    '0.5 to X'
    """
    if not isinstance(outcome, tuple):
        return f'{outcome:g} to X'
    pairs = zip(outcome, players_of(state), strict=True)
    return ', '.join(f'{reward:g} to {player}' for reward, player in pairs)


def reasons(iteration: int, made: Made, search: Search, forced: Forced) -> Why:
    """Return the reasons for the path of an iteration."""
    visited = made.visited
    before: Any = visited[0][0]
    path = tuple(after.move for _, after in visited[1:])
    wanted = () if forced is None else line_of(forced)
    terms = terms_of(search.method)
    names = terms.names if terms else ()
    if len(names) == 1:  # a whole formula, which may be long
        names = ('score',)
    above: list[Node] = []
    choices = []
    for depth, move in enumerate(path):
        was = visited[depth][0]
        if was is None:
            break
        above.append(was if move in was.moves else with_move(was, move))
        if chances_of(was.state):
            by: By = 'chance'
        elif depth < len(wanted):
            by = 'schedule'
        elif search.proposing is not None and due_at(search.proposing, was):
            by = 'proposed'
        elif was.child(move) is None and search.expands != 'selected':
            by = 'untried'
        else:
            by = 'only move' if len(was.moves) == 1 else 'score'
        choices.append(
            Choice(
                path[:depth],
                was.state.player,
                above[-1].visits,
                by,
                move,
                tuple(_scores(above, by, search, terms)),
                names,
            )
        )
    return Why(
        iteration,
        path,
        tuple(choices),
        sum(1 for _ in new_nodes(before, made.tree)),
        made.draws,
        made.playout,
        made.outcome,
        tuple(
            Backup(path[:depth], after.visits, after.value)
            for depth, (_, after) in enumerate(visited)
        ),
        before.state,
        made.answer,
    )


def _scores(above: list[Node], by: By, search: Search, terms: Terms | None) -> Iterator[Score]:
    """Yield the moves of the last node as selection sees them."""
    node, method, resolution = above[-1], search.method, search.resolution
    reference = reference_among(method, reversed(above))
    here: Any = node
    if isinstance(node, graph.GraphNode):
        here = graph.state_node(node.graph, node.number)
    log_visits = logarithm_of(method.log_offset + here.visits)
    edges, parent, scores = compared(method, here, log_visits, reference, above[0])
    # Before each move has a child most methods compare nothing.
    judged = by == 'score' or (by == 'only move' and len(node.children) == len(node.moves))
    for index, (move, edge) in enumerate(zip(node.moves, edges, strict=True)):
        child = node.child(move)
        visits = int(edge.visits)
        value = edge.value if visits else None
        if child is None:
            left_out = search.expands == 'jump'
        else:
            left_out = resolution is not None and resolution.leaves_out(resolution.of(child))
        if left_out or not judged:
            yield Score(move, visits, value, None)
        else:
            summands: tuple[float, ...] = ()
            if terms and not method.together and (visits or method.scores_unvisited):
                summands = terms.values(edge, parent)
            yield Score(move, visits, value, scores[index], summands)


# ---- the terms of a score, as text and as numbers ----

OF_PARENT: Final = (
    'parent_visits',
    'log_visits',
    'parent_value',
    'total',
    'tree_least',
    'tree_most',
)
SUMS: Final = {'+': 0, '-': 0}


@frozen
class Terms:
    """The summands of a score: the terms as text, and a function to their values.

    The function takes an edge and a parent, as a score does. The results of `formula` are the
    terms; its `symbols` are the fields of an edge, the fields of a parent (`OF_PARENT`), and the
    method's parameters, whose values are `numbers`.
    """

    names: tuple[str, ...]
    values: Callable[[Any, Parent], tuple[float, ...]]
    formula: Formula
    symbols: tuple[str, ...]
    numbers: tuple[float, ...]


def terms_of(method: Method) -> Terms | None:
    """Return the terms of a method's score; `None` if it branches and cannot be traced.

    >>> from fmcts.search.methods import UCB1
    >>> terms_of(UCB1()).names
    ('value', 'c * sqrt(log_visits / visits)')
    """
    fields = method.edge._fields
    own = {} if isinstance(method, Rule) else method.parameters
    names = (*fields, *OF_PARENT, *own)
    if len(set(names)) < len(names):  # a parameter has the name of a column
        own, names = {}, (*fields, *OF_PARENT)
    leaves = symbols(names)
    edge = method.edge(*leaves[: len(fields)])
    of_parent: Any = leaves[len(fields) : len(fields) + len(OF_PARENT)]
    parent = Parent(*of_parent)
    given = dict(zip(own, leaves[len(fields) + len(OF_PARENT) :], strict=True))
    formula = trace(_score(method, given), edge, parent)
    if formula is None:
        return None
    places = _summands(formula, formula.results[0])
    if any(sign < 0 for _, sign in places):  # a difference is shown whole
        places = [(formula.results[0], 1)]
    split = attrs.evolve(formula, results=tuple(place for place, _ in places))
    compute, numbers = function_of(split, names), tuple(own.values())

    def values(edge: Any, parent: Parent) -> tuple[float, ...]:
        return compute(*edge, *parent, *numbers)

    each = (attrs.evolve(formula, results=(place,)) for place, _ in places)
    words = tuple(printed(one, {}, TERMS) for one in each)
    return Terms(words, values, split, names, numbers)


def _score(method: Method, given: dict[str, Any]) -> Callable[[Any, Any], Any]:
    """Return the score, with symbols in place of the method's parameters."""
    if not given:
        return method.score
    others = {it.name: getattr(method, it.name) for it in attrs.fields(type(method))}
    # The method's own function, which reads its parameters as symbols: terms keep their names.
    stand_in: Any = SimpleNamespace(**{**others, **given})
    return lambda edge, parent: type(method).score(stand_in, edge, parent)


def _summands(formula: Formula, place: int, sign: int = 1) -> list[tuple[int, int]]:
    """Return the places of what is added up there, each with its sign."""
    operator, *rest = formula.steps[place]
    if operator not in SUMS:
        return [(place, sign)]
    after = -sign if operator == '-' else sign
    return [*_summands(formula, rest[0], sign), *_summands(formula, rest[1], after)]
