"""The parts of a page as values: boards, tables, named facts and lines; and `as_text` of each.

`_terminal` draws the same values with colours, `_notebook` as HTML.

>>> print(as_text(Facts((('move', '7'), ('iterations', '30000')))), end='')
move        7
iterations  30000
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from attrs import field, frozen

from fmcts.game import GameState, Player, gains, has_rewards
from fmcts.search import Analysis, principal_variation

if TYPE_CHECKING:
    from fmcts.matches import TournamentResult
    from fmcts.solve import MoveValue

STONES: Final = frozenset('XO')


class Notation(Protocol):
    """A game's name, and the text format of its positions and moves, as its module has them."""

    @property
    def name(self) -> str:
        """The game's name."""

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
class Listing:
    """A table: rows of words under headings; the first column names the subject of a row.

    The other columns are right-aligned, like figures, but in `prose` left-aligned. `best` is the
    place of the row to stress, -1 for none; `shares` has a number from 0 to 1 for each row, which
    notebooks show as a bar.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ''
    prose: bool = False
    best: int = -1
    shares: tuple[float, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> Listing:
        """Return a listing of rows by the format of each column, by its heading."""
        words = (tuple(form.format(**row) for form in columns.values()) for row in rows)
        return cls(tuple(columns), tuple(words))


@frozen
class Facts:
    """Names and values, one per line; the first is the answer."""

    pairs: tuple[tuple[str, str], ...]


@frozen
class Sentence:
    """A sentence by itself; a `strong` one is about the state of the game."""

    text: str
    strong: bool = False


Part: TypeAlias = Board | Listing | Facts | Sentence


def as_text(part: Part) -> str:
    """Return a part as lines of plain text, each ending in a newline; the same on every machine."""
    match part:
        case Board(text=text):
            return text
        case Facts(pairs=pairs):
            width = max(len(name) for name, _ in pairs)
            return ''.join(f'{name:<{width}}  {value}\n' for name, value in pairs)
        case Sentence(text=text):
            return f'{text}\n'
        case Listing():
            rows = (part.headings, *part.rows)
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            further = '<' if part.prose else '>'
            sides = [f'{further if at else "<"}{width}' for at, width in enumerate(widths)]
            lines = ['  '.join(map(format, row, sides)) for row in rows]
            # The columns of statistics keep their widths, the columns of other listings do not.
            stripped = lines if part.best >= 0 else map(str.rstrip, lines)
            return ''.join(f'{line}\n' for line in (*stripped, part.caption) if line)


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
            # A name that is elsewhere on the board, such as a label, would be ambiguous.
            marks[place] = name if len(name) == 1 and name not in text else '*'
    last = None if before is None else _new_stone(game.format(before), text)
    return Board(text, last, marks)


def statistics(analysis: Analysis[int], format_move: Callable[[int], str]) -> Listing:
    """Return the statistics of a search: visits, share and value of every move, and its proof."""
    moves = [format_move(stats.move) for stats in analysis.stats]
    width = max(map(len, ('move', *moves)))
    total = sum(stats.visits for stats in analysis.stats)
    shares = [stats.visits / total for stats in analysis.stats]
    proofs = any(stats.proof is not None for stats in analysis.stats)
    rows = tuple(
        (
            f'{"*" if stats.move == analysis.move else " "} {move:>{width}}',
            str(stats.visits),
            f'{share:.1%}',
            '-' if stats.value is None else f'{stats.value:.3f}',
            *(['' if stats.proof is None else str(stats.proof)] if proofs else []),
        )
        for move, share, stats in zip(moves, shares, analysis.stats, strict=True)
    )
    headings = (f'  {"move":>{width}}', 'visits', 'share', 'value', *(['proof'] if proofs else []))
    state = analysis.tree.state
    if has_rewards(state):
        scale = '' if gains(state) else ', from 0 to 1'
        caption = f'* the move chosen; value: what {state.player} gets{scale}'
    else:
        caption = _caption(analysis.tree.mover.other)
    best = next(at for at, stats in enumerate(analysis.stats) if stats.move == analysis.move)
    return Listing(headings, rows, caption, best=best, shares=tuple(shares))


def _caption(player: Player) -> str:
    return f'* the move chosen; value: from 0, {player} loses, to 1, {player} wins'


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
    return Listing(('  move', 'value', 'plies'), rows, _caption(player))


def standings(result: TournamentResult) -> Listing:
    """Return a row per bot of a tournament, the highest rating first."""
    columns = {'bot': '{bot}', 'points': '{points:g}', 'games': '{games}'}
    columns |= {'Elo': '{elo:+.0f}', '95 %': '{low:+.0f} to {high:+.0f}'}
    return Listing.of(result.table().to_dicts(), columns)


def join_moves(game: Notation, moves: Iterable[int]) -> str:
    """Return the moves in the form of `--moves`."""
    return ','.join(map(game.format_move, moves))


def line_of(analysis: Analysis[int], format_move: Callable[[int], str]) -> str:
    """Return the move chosen, and the most visited line after it."""
    child = analysis.tree.child(analysis.move)
    after = principal_variation(child) if child else ()
    return ' '.join(map(format_move, (analysis.move, *after)))
