"""The first difference of two searches: iteration, node, and term of a score."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

from attrs import frozen

from fmcts._arguments import shown
from fmcts._declared import shown_by
from fmcts.game import check_comparable
from fmcts.history._log import Log
from fmcts.history._reasons import Choice, Why
from fmcts.history._versions import History


@frozen(repr=False)
class Parting:
    """The first iteration where two searches differ.

    `what` is what differs: `path` (the moves), `outcome`, or `end` (one search has ended).
    `line` are the moves to the node at which the paths separate. `choices` are the two choices
    there, if they are known, and `term` names the first term of their scores that differs;
    `None` if no term differs, or it is not known.
    """

    iteration: int
    what: str
    line: tuple[Any, ...] | None = None
    choices: tuple[Choice, Choice] | None = None
    term: str | None = None

    def __str__(self) -> str:
        return self.in_words(str)

    def in_words(self, write: Callable[[Any], str]) -> str:
        """Return the difference in words; `write` returns a move as text."""
        text = f'iteration {self.iteration}: '
        if self.what != 'path':
            return text + {
                'end': 'one search has ended',
                'outcome': 'the same path, another outcome',
            }.get(self.what, self.what)
        if self.choices is None:
            return f'{text}another path'
        one, two = self.choices
        at = f'after {" ".join(map(write, one.line))}' if one.line else 'at the root'
        why = f', by {self.term}' if self.term else ''
        if one.terms != two.terms:
            why = ', whose scores have other terms'
        who = f'{one.player} chooses'
        if one.by == 'chance':
            who, why = 'chance draws', ''
        return f'{text}{at}, {who} {write(one.move)} in one and {write(two.move)} in the other{why}'

    _repr_html_ = shown_by('_histories.parting_html')

    def __repr__(self) -> str:
        return f'<Parting {self}>'


def parting(one: History[Any] | Log, two: History[Any] | Log) -> Parting | None:
    """Return the first difference of two searches; `None` if they are the same.

    They are histories, or logs from files (`fmcts.history.load_log`), perhaps written by another
    version of the library. For two histories, the choices that differ are included. A fork is
    compared with its own history from the iteration of the fork.

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
        check_comparable(
            one.root.state, two.root.state, 'parting needs two searches of one position'
        )
        if one.root.state != two.root.state:
            raise ValueError('the two searches start in different positions')
        one, two = _from_the_fork(one, two), _from_the_fork(two, one)
    a, b = (it.log if isinstance(it, History) else it for it in (one, two))
    if _base(a) != _base(b):
        raise ValueError('the two searches start with different trees')
    found = _first_difference(a, b)
    if found is None or found.what != 'path':
        return found
    if not (isinstance(one, History) and isinstance(two, History)):
        return found
    return _apart(found.iteration, one.why(found.iteration), two.why(found.iteration))


def _first_difference(a: Log, b: Log) -> Parting | None:
    """Return the first iteration in which two logs differ."""
    nodes = a.before
    for iteration, (here, there) in enumerate(zip_longest(_steps(a), _steps(b)), a.first + 1):
        if here is None or there is None:
            return Parting(iteration, 'end')
        leaf, made, outcome = here
        new = slice(nodes, nodes + made)
        nodes += made
        if (leaf, made) != there[:2] or any(
            one_column[new] != other[new]
            for one_column, other in ((a.parents, b.parents), (a.indexes, b.indexes))
        ):
            return Parting(iteration, 'path')
        if outcome != there[2]:
            return Parting(iteration, 'outcome')
    return None


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
    return log.players, log.several, *map(tuple, (*parts, log.root_moves))


def _steps(log: Log) -> Any:
    return zip(log.leaves, log.made, log.outcomes, strict=True)


def _apart(iteration: int, one: Why, two: Why) -> Parting:
    """Return where two paths part, and the first term that differs there."""
    for here, there in zip(one.choices, two.choices, strict=False):
        if here.move != there.move:
            return Parting(iteration, 'path', here.line, (here, there), _term(here, there))
    return Parting(iteration, 'path')


def _term(one: Choice, two: Choice) -> str | None:
    """Return the first term that differs in one of the scores."""
    if one.terms != two.terms:
        names = [*one.terms, *two.terms]
        return next((name for name in names if (name in one.terms) != (name in two.terms)), None)
    for place, name in enumerate(one.terms):
        for here, there in zip(one.scores, two.scores, strict=True):
            if here.terms[place : place + 1] != there.terms[place : place + 1]:
                return name
    return None
