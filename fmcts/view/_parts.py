"""What a page consists of: boards, tables, named facts and lines, as values.

`text` and `terminal` each have a function `draw` that takes any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Final, Protocol, TypeAlias

from attrs import field, frozen

from fmcts.game import GameState, Player, has_rewards
from fmcts.search._analysis import Analysis
from fmcts.search._tree import principal_variation
from fmcts.solve import MoveValue

__all__ = [
    'Board',
    'Facts',
    'Line',
    'Listing',
    'Notation',
    'Part',
    'Row',
    'Table',
    'join_moves',
    'line_of',
    'picture',
    'solved',
    'statistics',
]

STONES: Final = frozenset('XO')


class Notation(Protocol):
    """How a game writes its positions and moves; the games' modules are of this kind."""

    def format(self, state: Any) -> str:
        """The position as lines of text."""

    def format_move(self, move: int) -> str:
        """The move as text."""


@frozen
class Board:
    """A position as its game writes it.

    `last` is the place in `text` of the last stone played, `free` gives for the places where the
    side to move may play what to print there. Plain text shows neither.
    """

    text: str
    last: int | None = None
    free: Mapping[int, str] = field(factory=dict, hash=False)


@frozen
class Row:
    """One move in a table of statistics, all in words; `best` marks the move chosen."""

    move: str
    visits: str
    share: str
    value: str
    best: bool = False
    proof: str = ''


@frozen
class Table:
    """The statistics of a search: one row a move, and how to read them."""

    rows: tuple[Row, ...]
    caption: str = ''

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The headings, and then each row under them; of proofs only where there are some."""
        proofs = any(row.proof for row in self.rows)
        headings = ('move', 'visits', 'share', 'value', 'proof')
        every = (headings, *(attrgetter(*headings)(row) for row in self.rows))
        return tuple(row if proofs else row[:-1] for row in every)


@frozen
class Listing:
    """Rows of words under headings; the first column says what a row is about.

    The other columns end together, as figures do; those of `prose` begin together.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ''
    prose: bool = False


@frozen
class Facts:
    """Names and what they stand for, one a line; the first is the answer that was asked for."""

    pairs: tuple[tuple[str, str], ...]


@frozen
class Line:
    """A sentence by itself; a `strong` one tells how things stand."""

    text: str
    strong: bool = False


Part: TypeAlias = Board | Table | Listing | Facts | Line


def _new_stone(before: str, after: str) -> int | None:
    """The place of the stone that was put on an empty cell between two texts of a board."""
    places = enumerate(zip(before, after, strict=False))
    return next((at for at, (old, new) in places if old == '.' and new in STONES), None)


def picture(
    game: Notation, state: GameState[int], before: GameState[int] | None = None, *, free: bool
) -> Board:
    """The board of `state`, which a move played in `before` led to.

    With `free`, the places that the side to move may play on are marked: with the move itself
    where it is a single letter or digit that the board does not bear already, else with an
    asterisk.
    """
    text = game.format(state)
    marks = {}
    for move in state.moves if free else ():
        place = _new_stone(text, game.format(state.play(move)))
        if place is not None:
            name = game.format_move(move)
            marks[place] = name if len(name) == 1 and name not in text else '*'
    last = None if before is None else _new_stone(game.format(before), text)
    return Board(text, last, marks)


def statistics(analysis: Analysis[int], format_move: Callable[[int], str]) -> Table:
    """The statistics of a search as a table: visits, share and value of every move in question."""
    total = sum(stats.visits for stats in analysis.stats)
    rows = tuple(
        Row(
            format_move(stats.move),
            str(stats.visits),
            f'{stats.visits / total:.1%}',
            '-' if stats.value is None else f'{stats.value:.3f}',
            best=stats.move == analysis.move,
            proof='' if stats.proof is None else str(stats.proof),
        )
        for stats in analysis.stats
    )
    state = analysis.tree.state
    if has_rewards(state):
        return Table(rows, f'* the move chosen; value: what {state.player} gets, from 0 to 1')
    player = analysis.tree.mover.other
    return Table(rows, f'* the move chosen; value: from 0, {player} loses, to 1, {player} wins')


def solved(
    values: Iterable[MoveValue[int]],
    chosen: int,
    player: Player,
    format_move: Callable[[int], str],
) -> Listing:
    """What each move is worth to `player`, and after how many plies the game is won or lost."""
    rows = tuple(
        (
            f'{"*" if row.move == chosen else " "} {format_move(row.move)}',
            f'{row.value:.3f}',
            '-' if row.plies is None else str(row.plies),
        )
        for row in values
    )
    caption = f'* the move chosen; value: from 0, {player} loses, to 1, {player} wins'
    return Listing(('  move', 'value', 'plies'), rows, caption)


def join_moves(game: Notation, moves: Iterable[int]) -> str:
    """The moves as `--moves` takes them."""
    return ','.join(map(game.format_move, moves))


def line_of(analysis: Analysis[int], format_move: Callable[[int], str]) -> str:
    """The move chosen, and after it the most visited line."""
    child = analysis.tree.child(analysis.move)
    after = principal_variation(child) if child else ()
    return ' '.join(map(format_move, (analysis.move, *after)))
