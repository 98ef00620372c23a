"""Choosers: the loop over a node's moves and the formula of their scores, as one Python function.

A method's score is traced (see `fmcts._expressions`), and the source of a whole chooser is written
from it. For UCB1 it reads, but for the same once more as IEEE 754 divides:

    def function(node, places, log_visits, reference=None, tree=None):
        try:
            best, chosen = -inf, -1
            place = -1
            for child in places:
                place += 1
                visits = child.visits
                value = child.value
                if not visits:
                    if best < inf:
                        best, chosen = inf, place
                    continue
                score = (value + (ak0 * (sqrt((log_visits / visits)))))
                if not score <= best:
                    if score != score:
                        raise not_a_number()
                    best, chosen = score, place
            if chosen < 0:
                raise all_excluded()
            return chosen
        except (ZeroDivisionError, ValueError):
            ...
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Final

from attrs import evolve, frozen

from fmcts._expressions import TRUTHS, Formula, Style, symbols, text_of, trace, written
from fmcts.game import key_of
from fmcts.search.methods.method import Method, Parent
from fmcts.search.resolution import Resolution

EDGE: Final = ('visits', 'reward', 'value')
PARENT: Final = ('parent_visits', 'log_visits', 'parent_value', 'total', 'least', 'most')


@frozen
class Scoring:
    """The formulas of the choice at a node, over symbols of the parent and of each move.

    A move has the symbols `EDGE`, `own0`... for its child's columns, `row0`... for its own,
    `known0`... for those of the reference, and `resolution`. `summed` is what each move adds to
    the symbol `total`; `excluded` is true for a child to skip; `None`: no such formula. `range_at`
    is where the root's columns have the symbols `least` and `most`, if they are used.
    """

    score: Formula
    summed: Formula | None
    excluded: Formula | None
    own: tuple[str, ...]
    rows: tuple[str, ...]
    known: tuple[str, ...]
    scores_unvisited: bool
    range_at: int

    @property
    def formulas(self) -> tuple[Formula | None, ...]:
        """All three, in the order of their prefixes `a`, `b`, `c` in the source."""
        return self.score, self.summed, self.excluded

    @property
    def shape(self) -> Scoring:
        """The formulas without their numbers, on which the source does not depend."""
        score, summed, excluded = (it and it.shape for it in self.formulas)
        changes: Any = {'score': score, 'summed': summed, 'excluded': excluded}
        return evolve(self, **changes)

    def text(self, formula: Formula | None, style: Style) -> Any:
        """Return the text of one of the formulas, or `None`."""
        within = {*EDGE, *self.own, *self.rows, *self.known, 'resolution'}
        prefix = 'abc'[self.formulas.index(formula)]
        return formula and text_of(formula, within, style=style, prefix=prefix)


def scoring_of(method: Method, resolution: Resolution | None) -> Scoring | None:
    """Return the formulas of a method; `None` if one of its functions cannot be traced."""
    if method.together:
        return None
    names = method.names
    own = tuple(f'own{place}' for place in range(len(names.own)))
    rows = tuple(f'row{place}' for place in range(len(names.moves)))
    known = tuple(f'known{place}' for place in range(len(names.table)))
    # Visits are integers in a tree: the source converts them where Python would not round.
    fields: tuple[Any, ...] = symbols((*EDGE, *own, *rows, *known), whole=EDGE[:1])
    if method.counts:
        if trace(method.by_visits, fields[0]) is None:
            return None
        fields = (*fields, method.by_visits(fields[0]))
    parent: tuple[Any, ...] = symbols(PARENT, whole=PARENT[:1])
    edge = method.edge(*fields)
    traced = [trace(method.score, edge, Parent(*parent))]
    traced += [trace(method.summed, edge)] if method.sums else []
    traced += [trace(resolution.leaves_out, *symbols(('resolution',)))] if resolution else []
    score, *others = traced
    if score is None or None in others:
        return None
    summed = others.pop(0) if method.sums else None
    excluded = others.pop(0) if resolution else None
    at = names.own.index('least') if 'least' in names.own else -1
    return Scoring(score, summed, excluded, own, rows, known, method.scores_unvisited, at)


UNTRIED: Final = ('absent', 'scored', 'skipped')
"""Code of a chooser at a move without a child: it does not occur, is scored, or is left out."""


def chooser(scoring: Scoring, untried: str, *, several: bool) -> Callable[..., Callable[..., int]]:
    """Return a function that makes the chooser of these formulas.

    Its two arguments make the exceptions for a score that is not a number, and for a node whose
    every move is excluded. `untried` is one of `UNTRIED`; `several`: each player has a reward of
    his own, so that the rest of 1 is not the opponent's.
    """
    numbers = [number for it in scoring.formulas if it is not None for number in _numbers(it)]
    return functools.partial(_maker(scoring.shape, untried, several), *numbers)


def _numbers(formula: Formula) -> list[float]:
    """Return a formula's numbers; those that counts are compared with as integers, for speed."""
    numbers: list[float] = [*formula.numbers]
    for operator, *places in formula.steps:
        if operator in TRUTHS and len(places) == 2:
            (kind, *count), (other, at, *_) = (formula.steps[place] for place in places)
            if kind == 'symbol' and count[1] and other == 'number' and numbers[at].is_integer():
                numbers[at] = int(numbers[at])
    return numbers


@functools.lru_cache(maxsize=256)
def _maker(shape: Scoring, untried: str, several: bool) -> Any:  # noqa: FBT001 - private
    numbers = [it.variables(prefix) for it, prefix in zip(shape.formulas, 'abc', strict=True) if it]
    return written(
        [*chain(*numbers), 'not_a_number', 'all_excluded'],
        'node, places, log_visits, reference=None, tree=None',
        functools.partial(_body, shape, untried, several),
        inf=math.inf,
        key_of=key_of,
    )


def _block(head: str, lines: Iterable[str]) -> list[str]:
    """Return `head` and the indented `lines` of its block."""
    return [head, *(f'    {line}' for line in lines)]


def _body(shape: Scoring, untried: str, several: bool, style: Style) -> list[str]:  # noqa: FBT001 - private
    """Return the lines of a chooser."""
    score, summed, excluded = (shape.text(it, style) for it in shape.formulas)
    used = {step[1] for it in shape.formulas[:2] if it for step in it.steps if step[0] == 'symbol'}
    if not shape.scores_unvisited:
        used.add('visits')
    body = _parent(shape, used, several=several)
    if summed is not None:
        body += [*summed.before, 'total = 0.0']
        adding = [*summed.within, f'total += float({summed.results[0]})']
        body += _loop(shape, used, adding, untried)
    judging = []
    if not shape.scores_unvisited:
        # A move without visits comes before all others, and the first of those before the rest.
        first = _block('if best < inf:', ['best, chosen = inf, place'])
        judging += _block('if not visits:', [*first, 'continue'])
    judging += [*score.within, f'score = {score.results[0]}']
    # The comparison is false for NaN too, so that a move that is not the best costs one only.
    not_a_number = _block('if score != score:', ['raise not_a_number()'])
    judging += _block('if not score <= best:', [*not_a_number, 'best, chosen = score, place'])
    body += [*score.before, 'best, chosen = -inf, -1']
    body += _loop(shape, used, judging, untried, excluded)
    return [*body, *_block('if chosen < 0:', ['raise all_excluded()']), 'return chosen']


def _parent(shape: Scoring, used: set[str], *, several: bool) -> list[str]:
    """Return the source that reads the node before the loops over its moves."""
    lines = []
    if 'total' in used and shape.summed is None:
        lines.append('total = 0.0')
    if 'parent_visits' in used:
        lines.append('parent_visits = node.visits')
    if 'least' in used:
        lines.append('least, most = tree.columns.own.least, tree.columns.own.most')
    # A node's reward is for who moved there. With other players than two it says nothing of who
    # moves on, whose rewards the children have.
    if 'parent_value' in used and several:
        adding = ['reward += child.reward', 'backed_up += child.visits - child.losses']
        lines += [
            'reward, backed_up = 0.0, 0',
            *_block('for child in filter(None, places):', adding),
            'parent_value = reward / backed_up if backed_up else 0.0',
        ]
    elif 'parent_value' in used:
        lines += [
            'same, backed_up = node.mover is node.state.player, node.visits - node.losses',
            'reward = node.reward if same else backed_up - node.reward',
            'parent_value = reward / backed_up if backed_up else 0.0',
        ]
    if shape.known:
        lines += [
            'state, moves = node.state, node.moves',
            'player = state.player',
            'entries = reference.columns.table.entries if reference is not None else {}',
        ]
    if shape.rows:
        lines.append(''.join(f'all_{row}, ' for row in shape.rows) + '= node.columns.moves')
    return lines


def _loop(
    shape: Scoring, used: set[str], body: list[str], untried: str, excluded: Any = None
) -> list[str]:
    """Return a loop over the moves of a node, with `body` done for each that is not excluded."""
    # A count and an index are faster than `enumerate` and `zip`, which make tuples.
    above = [f'{row} = all_{row}[place]' for row in shape.rows if row in used]
    if shape.known:
        names = ''.join(f'{name}, ' for name in shape.known)
        zeros = (0.0,) * len(shape.known)
        above.append(f'{names}= entries.get((player, key_of(state, moves[place])), {zeros})')
    reads: dict[str, str] = {name: f'child.{name}' for name in EDGE if name in used}
    if shape.range_at >= 0 and 'value' in reads:  # a visit that waits counts as the least
        reads['value'] = '(child.reward + child.losses * least) / (child.visits or 1)'
    own = {name: f'child.columns.own[{at}]' for at, name in enumerate(shape.own)}
    reads |= {name: text for name, text in own.items() if name in used}
    reading = [f'{name} = {text}' for name, text in reads.items()]
    if excluded is not None:
        resolved = _block(f'if {excluded.results[0]}:', ['continue'])
        reading = ['resolution = child.columns.own[-1]', *excluded.within, *resolved, *reading]
    if untried == 'scored':
        none = [f'{name} = 0.0' for name in reads]
        reading = _block('if child is None:', none or ['pass']) + _block(
            'else:', reading or ['pass']
        )
    elif untried == 'skipped':
        reading = [*_block('if child is None:', ['continue']), *reading]
    lines = _block('for child in places:', ['place += 1', *reading, *above, *body])
    return ['place = -1', *lines]
