"""Tables of environments: for each state and action the outcomes, with their probabilities.

Nothing here needs Gymnasium, whose environments for small examples have such tables.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Hashable, Sequence
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from attrs import field, frozen

from fmcts._arguments import shown
from fmcts._declared import itself
from fmcts.game import illegal, is_legal, options_of
from fmcts.interop.replayed import whole_weights

__all__ = ['AGENT', 'Table', 'TableState', 'marked', 'table_of']

AGENT: Final = 'agent'
COLOURED: Final = re.compile(r'\x1b\[([\d;]*)m(.)\x1b\[0m|(.)')
MARKS: Final = {'4': '[{}]', '34': '({})', '35': '<{}>'}
"""A coloured letter as written: on a ground of some colour, in blue, in magenta."""

Row: TypeAlias = tuple[tuple[Hashable, int, int, float, bool], ...]
"""The outcomes of an action: each its name, weight, next state, reward, and whether it ends."""


@frozen(cache_hash=True)
class Table:
    """The table of an environment: for each state and action the outcomes, with whole weights.

    `texts`: the environment's text of each state, if it has such texts.
    """

    name: str
    actions: tuple[int, ...]
    rows: tuple[tuple[Row, ...], ...] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    __deepcopy__ = itself

    def ends(self, at: int, action: int) -> bool:
        """Return whether an action that led to a state has ended the environment."""
        column = self.actions.index(action)
        found = {
            (start == at, over)
            for start, row in enumerate(self.rows)
            for _, _, to, _, over in row[column]
            if to == at
        }
        # Steps from a state to itself may be what a table lists after the end: they count last.
        others = {over for stayed, over in found if not stayed}
        return (others or {over for _, over in found}) == {True}


@frozen
class TableState:
    """A state of an environment that has a table.

    :param at: the state's number in the table.
    :param left: the steps left before the environment's time limit; `None` if it has none.
    :param action: what the agent chose, where chance moves.
    :param gained: the reward of the step that led here.
    """

    table: Table = field(repr=False)
    at: int
    left: int | None = None
    action: int | None = None
    gained: float = 0.0
    over: bool = False
    chances: tuple[tuple[Any, int], ...] = field(default=(), eq=False, repr=False)
    """The outcomes of the action: the next state; with its reward and end, if not the only."""

    @property
    def players(self) -> tuple[str, ...]:
        """The agent."""
        return (AGENT,)

    @property
    def player(self) -> str:
        """The agent."""
        return AGENT

    @property
    def winner(self) -> None:
        """Nobody wins: what counts is `gained`."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The actions."""
        return () if self.over or self.action is not None else self.table.actions

    def _row(self, action: int) -> Row:
        return self.table.rows[self.at][self.table.actions.index(action)]

    def play(self, move: Any, /) -> TableState:
        """Return the state after an action, or after an outcome where chance moves.

        :raises IllegalMoveError: it is not legal.
        """
        options = options_of(self)
        if not is_legal(move, options):
            raise illegal(self, move)
        place = options.index(move)
        row = self._row(options[place] if self.action is None else self.action)
        # A sure outcome is no throw: the state after it follows at once.
        if self.action is None and len(row) > 1:
            chances = tuple(outcome[:2] for outcome in row)
            return TableState(self.table, self.at, self.left, options[place], chances=chances)
        outcome = row[0 if self.action is None else place]
        _, _, at, gained, over = outcome
        # Time passes when the outcome is known, so once for an action and its outcome.
        left = None if self.left is None else self.left - 1
        return TableState(self.table, at, left, None, gained, over or left == 0)

    def __str__(self) -> str:
        """Return the environment's text of the state, and the action whose outcome is open."""
        text = self.table.texts[self.at] if self.table.texts else f'state {self.at}'
        return text if self.action is None else f'{text}\naction {self.action}'


KNOWN: Final[WeakKeyDictionary[Any, Table]] = WeakKeyDictionary()
"""The tables of environments: a bot asks for a state at each step."""


def table_of(name: str, actions: tuple[int, ...], env: Any) -> Table:
    """Return the table of an environment, which is read once.

    :raises ValueError: the probabilities of an action are not fractions that add up to 1.
    """
    if env in KNOWN:
        return KNOWN[env]
    texts: tuple[str, ...] = ()
    if 'ansi' in env.metadata.get('render_modes', ()):
        # A copy, so that the user's environment stays where it is while all states are painted.
        painter = copy.copy(env)
        painter.render_mode, painter.lastaction = 'ansi', None
        texts = tuple(_text_at(painter, at) for at in range(len(env.P)))
    rows = tuple(
        tuple(_row_of(name, env.P[at][action]) for action in range(len(actions)))
        for at in range(len(env.P))
    )
    return KNOWN.setdefault(env, Table(name, actions, rows, texts))


def _text_at(painter: Any, at: int) -> str:
    painter.s = at
    return marked(painter.render())


def _row_of(name: str, listed: Sequence[Any]) -> Row:
    """Return the outcomes that a table lists for an action, equal ones added up."""
    total: dict[tuple[int, float, bool], float] = {}
    for chance, at, gained, over in listed:
        outcome = int(at), float(gained), bool(over)
        # Listed twice where two slips lead to the same place.
        total[outcome] = total.get(outcome, 0.0) + float(chance)
    total = {outcome: chance for outcome, chance in total.items() if chance}
    weights = whole_weights(tuple(total.values()))
    if weights is None:
        raise ValueError(
            f'{name} has probabilities that are not fractions of a small denominator that '
            f'add up to 1: {shown(list(total.values()))}'
        )
    # Named by the state alone where that says all, as moves are shown to people.
    states = [at for at, *_ in total]
    return tuple(
        (outcome[0] if states.count(outcome[0]) == 1 else outcome, weight, *outcome)
        for outcome, weight in zip(total, weights, strict=True)
    )


def marked(text: str) -> str:
    """Return a text whose coloured letters are between marks, and the others between spaces."""
    if '\x1b' not in text:
        return text.strip('\n')
    return '\n'.join(
        ''.join(
            f' {plain} ' if plain else _mark_of(colours).format(letter)
            for colours, letter, plain in COLOURED.findall(line)
        ).rstrip()
        for line in text.strip('\n').splitlines()
    )


def _mark_of(colours: str) -> str:
    return next((MARKS[key] for key in (colours[:2], colours[:1]) if key in MARKS), '[{}]')
