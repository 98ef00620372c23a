"""The first difference of two searches: iteration, node, and term of a score or statistic."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, zip_longest
from typing import Any

from attrs import frozen

from fmcts._arguments import shown
from fmcts._declared import shown_by
from fmcts.history._changes import descent
from fmcts.history._log import Log
from fmcts.history._reasons import Choice, Why
from fmcts.history._versions import History
from fmcts.search import Columns, Node


@frozen(repr=False)
class Parting:
    """The first iteration where two searches differ.

    `what` is what differs: `path` (the moves), `outcome`, `end` (one search has ended),
    `statistics` (columns or tables of the tree, after the same path and outcome), or `choice` (the
    final one, from equal trees).

    `line` are the moves to the node at which the paths separate, or whose statistics differ.
    `choices` are the two choices at the node where paths separate, if they are known, and `moves`
    the two final choices. `term` names the first term of the scores that differs, or the statistic;
    `None` if no term differs, or it is not known.
    """

    iteration: int
    what: str
    line: tuple[Any, ...] | None = None
    choices: tuple[Choice, Choice] | None = None
    term: str | None = None
    moves: tuple[Any, Any] | None = None

    def __str__(self) -> str:
        return self.in_words(str)

    def in_words(
        self, write: Callable[[Any], str], names: tuple[str, str] = ('one', 'the other')
    ) -> str:
        """Return the difference in words; `write` returns a move as text.

        `names` are what the two searches are called.
        """
        text = f'iteration {self.iteration}: '
        at = f'after {" ".join(map(write, self.line))}' if self.line else 'at the root'
        if self.what == 'statistics':
            which = f' ({self.term} {at})' if self.term else ''
            return f'{text}the same path and outcome, other statistics{which}'
        if self.moves is not None:
            here, there = map(write, self.moves)
            choose = f'{names[0]} chooses {here} and {names[1]} {there}'
            return f'{text}the same tree, from which {choose}'
        if self.what != 'path':
            return text + {
                'end': 'one search has ended',
                'outcome': 'the same path, another outcome',
            }.get(self.what, self.what)
        if self.choices is None:
            return f'{text}another path'
        one, two = self.choices
        why = f', by {self.term}' if self.term else ''
        if one.terms != two.terms:
            why = ', whose scores have other terms'
        who = f'{one.player} chooses'
        if one.by == 'chance':
            who, why = 'chance draws', ''
        both = [f'{write(it.move)} in {name}' for it, name in zip((one, two), names, strict=True)]
        return f'{text}{at}, {who} {" and ".join(both)}{why}'

    _repr_html_ = shown_by('_histories.parting_html')

    def __repr__(self) -> str:
        return f'<Parting {self}>'


def parting(one: History[Any] | Log, two: History[Any] | Log) -> Parting | None:
    """Return the first difference of two searches; `None` if they are the same.

    They are histories, or logs from files (`fmcts.history.load_log`), perhaps written by another
    version of the library. A fork is compared with its own history from the iteration of the fork.

    Two histories are compared by all statistics of their trees and by the final choice, and the
    choices that differ are included. If they keep other statistics from the start (other columns,
    say, or priors), the first path or outcome that differs comes before these. A log has only paths
    and outcomes: for a log `None` means that these are the same.

    >>> from fmcts import Search, SplitMix
    >>> from fmcts.games import connect4
    >>> from fmcts.history import history
    >>> rng = SplitMix.from_seed(1)
    >>> a, b = (history(connect4.start, rng, Search(300, c=c)) for c in (1.0, 1.1))
    >>> found = parting(a, b)
    >>> found.iteration, found.line, found.term
    (24, (), 'c * sqrt(log_visits / visits)')

    :raises TypeError: one of them is something else.
    :raises ValueError: they search different positions, or start with different trees.
    """
    for it in (one, two):
        if not isinstance(it, History | Log):
            raise TypeError(f'parting compares two histories or logs, not {shown(it)}')
    if isinstance(one, History) and isinstance(two, History):
        if one.root.state != two.root.state:
            raise ValueError('the two searches start in different positions')
        one, two = _from_the_fork(one, two), _from_the_fork(two, one)
    a, b = (it.log if isinstance(it, History) else it for it in (one, two))
    if _base(a) != _base(b):
        raise ValueError('the two searches start with different trees')
    found = _first_difference(a, b)
    if not (isinstance(one, History) and isinstance(two, History)):
        return found or (None if a.columns == b.columns else Parting(a.first + 1, 'statistics'))
    if a.columns or b.columns:
        found = _other_statistics(one, two, found)
    if found is None and one.move != two.move:
        return Parting(one.last, 'choice', moves=(one.move, two.move))
    proposed = one.tree.columns.proposed is not None  # other moves, at the same places
    if found is None or found.what == 'end' or not (proposed or found.what == 'path'):
        return found
    # A log has places of moves; the moves themselves, and their scores, are in the reasons.
    here, there = one.why(found.iteration), two.why(found.iteration)
    return found if found.what != 'path' and here.path == there.path else apart(here, there)


def _first_difference(a: Log, b: Log) -> Parting | None:
    """Return the first iteration in which two logs differ."""
    nodes = a.before
    for iteration, (here, there) in enumerate(zip_longest(_steps(a), _steps(b)), a.first + 1):
        if here is None or there is None:
            return Parting(iteration, 'end')
        path, made, outcome = here
        new = slice(nodes, nodes + made)
        nodes += made
        if (path, made) != there[:2] or any(
            [*one_column[new]] != [*other[new]]
            for one_column, other in ((a.parents, b.parents), (a.indexes, b.indexes))
        ):
            return Parting(iteration, 'path')
        if outcome != there[2]:
            return Parting(iteration, 'outcome')
    return None


def _other_statistics(
    one: History[Any], two: History[Any], found: Parting | None
) -> Parting | None:
    """Return the first difference in statistics; `found`, if that difference comes first."""
    names, others = (_named(it.tree.columns) for it in (one, two))
    only = next((name for name in (names | others) if (name in names) != (name in others)), None)
    statistic = only or _statistic(one.root, two.root)
    if statistic:
        return found or Parting(one.first + 1, 'statistics', (), term=statistic)
    pairs = zip(*(pairwise(it.versions(it.first)) for it in (one, two)), strict=False)
    for (before, here), (earlier, there) in pairs:
        if found is not None and here.iterations >= found.iteration:
            break
        line: tuple[Any, ...] = ()
        for (_, node), (_, other) in zip(
            descent(before, here), descent(earlier, there), strict=True
        ):
            line = line if node is here else (*line, node.move)
            statistic = _statistic(node, other)
            if statistic:
                return Parting(here.iterations, 'statistics', line, term=statistic)
    return found


def _statistic(one: Node, two: Node) -> str | None:
    """Return the name of the first statistic of a node that differs, if one does."""
    if one.moves != two.moves:
        return 'moves'
    if one.columns._replace(proposed=None) == two.columns._replace(proposed=None):
        return None
    here, there = _named(one.columns), _named(two.columns)
    return next(name for name in (here | there) if here.get(name) != there.get(name))


def _named(columns: Columns) -> dict[str, Any]:
    """Return the statistics of a node by name."""
    names = columns.names
    table = columns.table.entries if columns.table else {}
    return {
        **dict(zip(names.own, columns.own, strict=False)),
        **dict(zip(names.moves, columns.moves, strict=False)),
        **dict.fromkeys(names.table, table),
        **{it.name: it.entries for it in columns.memory},
    }


def _from_the_fork(one: History[Any], two: History[Any]) -> History[Any]:
    """Return the rest of a history from where the other one left it, if it did."""
    if one.first < two.first < one.last and one.search.schedule is None:
        rest = one.fork(two.first)
        if rest.root == two.root:
            return rest
    return one


def _base(log: Log) -> tuple[Any, ...]:
    """Return the tree that a search began with."""
    parts = log.parents[: log.before], log.indexes[: log.before], log.visits, log.rewards
    rule = log.graph and log.graph.rule
    return log.players, log.several, rule, *map(tuple, (*parts, log.root_moves))


def _steps(log: Log) -> Any:
    paths = log.graph.paths if log.graph else log.leaves
    return zip(paths, log.made, log.outcomes, strict=True)


def apart(one: Why, two: Why) -> Parting:
    """Return where the paths of two iterations part, and the first term that differs there."""
    for here, there in zip(one.choices, two.choices, strict=False):
        if here.move != there.move:
            term = _term(here, there)
            return Parting(one.iteration, 'path', here.line, (here, there), term)
    return Parting(one.iteration, 'path')


def _term(one: Choice, two: Choice) -> str | None:
    """Return the first term that differs in one of the scores."""
    if one.terms != two.terms:
        names = [*one.terms, *two.terms]
        return next((name for name in names if (name in one.terms) != (name in two.terms)), None)
    for place, name in enumerate(one.terms):
        for here, there in zip(one.scores, two.scores, strict=False):
            if here.terms[place : place + 1] != there.terms[place : place + 1]:
                return name
    return None
