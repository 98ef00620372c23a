"""The parts of a page as values: boards, tables, named facts and lines.

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

STONES: Final = frozenset('XO')


class Notation(Protocol):
    """The text format of a game's positions and moves; the games' modules have this interface."""

    def format(self, state: Any) -> str:
        """Return the position as lines of text."""

    def format_move(self, move: int) -> str:
        """Return the move as text."""


@frozen
class Board:
    """A position in its game's text format.

    `last` is the index in `text` of the last stone played; `free` maps the indices where the side
    to move may play to the text to print there. Plain text shows neither.
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
    """The statistics of a search: one row per move, and how to read them."""

    rows: tuple[Row, ...]
    caption: str = ''

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The headings, and then each row under them; proofs only if there are any."""
        proofs = any(row.proof for row in self.rows)
        headings = ('move', 'visits', 'share', 'value', 'proof')
        every = (headings, *(attrgetter(*headings)(row) for row in self.rows))
        return tuple(row if proofs else row[:-1] for row in every)


@frozen
class Listing:
    """Rows of words under headings; the first column names the subject of a row.

    The other columns are right-aligned, like figures, but in `prose` left-aligned.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ''
    prose: bool = False


@frozen
class Facts:
    """Names and values, one per line; the first is the answer."""

    pairs: tuple[tuple[str, str], ...]


@frozen
class Sentence:
    """A sentence by itself; a `strong` one is about the state of the game."""

    text: str
    strong: bool = False


Part: TypeAlias = Board | Table | Listing | Facts | Sentence


def _new_stone(before: str, after: str) -> int | None:
    """Return the index of the stone placed on an empty cell between two texts of a board."""
    places = enumerate(zip(before, after, strict=False))
    return next((at for at, (old, new) in places if old == '.' and new in STONES), None)


def picture(
    game: Notation, state: GameState[int], before: GameState[int] | None = None, *, free: bool
) -> Board:
    """Return the board of `state`, which a move played in `before` led to.

    With `free`, the places where the side to move may play are marked: with the move itself if it
    is a single letter or digit that is not on the board already, else with an asterisk.
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
    """Return the statistics of a search as a table: visits, share and value of every move."""
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
    values: Iterable[MoveValue[int]], chosen: int, player: Player, format_move: Callable[[int], str]
) -> Listing:
    """Return the value of each move to `player`, and the plies until the game is won or lost."""
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
    """Return the moves in the form of `--moves`."""
    return ','.join(map(game.format_move, moves))


def line_of(analysis: Analysis[int], format_move: Callable[[int], str]) -> str:
    """Return the move chosen, and the most visited line after it."""
    child = analysis.tree.child(analysis.move)
    after = principal_variation(child) if child else ()
    return ' '.join(map(format_move, (analysis.move, *after)))
