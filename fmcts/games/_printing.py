"""The text of states and of moves that have no game's text, and pictures in notebooks."""

from __future__ import annotations

import re
import sys
from typing import Any, Final, Self

import attrs
from returns.result import Failure, Result, Success

from fmcts._arguments import cut, shown
from fmcts._declared import shown_by
from fmcts.game import chances_of, options_of
from fmcts.games import boards
from fmcts.games._cells import read_cells

LISTED: Final = 300  # characters of legal moves that an error lists


class Pictured:
    """A base of state classes that a notebook shows as a picture."""

    __slots__ = ()

    _repr_svg_ = shown_by('_board.board_svg')


class Printed(Pictured):
    """A base of state classes: `str` is the board, `repr` one line that `of` reads back.

    As in python-chess, `print(state)` prints the board, and a notebook shows it as a picture.
    """

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the state written in one line: rows separated by `/`, and the side if needed.

        It is what `repr` prints; a game's `parse` reads boards of several lines too.

        :raises ValueError: there is no such state.

        >>> from fmcts.games.tictactoe import TicTacToe
        >>> TicTacToe.of('O../.X./...')
        TicTacToe.of('O../.X./...')
        """
        game = _game_of(cls)
        rows, _, side = text.strip().partition(' ')
        found = game.parse(rows.replace('/', '\n') + f'\n{side}\n')
        if isinstance(found, Failure):
            raise ValueError(found.failure())  # noqa: TRY004 - the text is wrong
        state: Any = found.unwrap()
        names = [it.name for it in attrs.fields(type(state))]
        return cls(**{name: getattr(state, name) for name in names})

    def __str__(self) -> str:
        """Return the board as the game writes it."""
        return str(_game_of(type(self)).format(self).rstrip('\n'))

    def __repr__(self) -> str:
        """Return the class and the board in one line, or the fields of an impossible board."""
        kind: Any = type(self)
        try:
            text = self._in_a_line()
            # Printed as text only if it reads back: a board says nothing of other fields.
            if text and kind.of(text) == self:
                return f'{kind.__name__}.of({text!r})'
        except (ValueError, TypeError, IndexError, KeyError):
            pass
        fields = ', '.join(f'{it.name}={getattr(self, it.name)!r}' for it in attrs.fields(kind))
        return f'{kind.__name__}({fields})'

    def _in_a_line(self) -> str:
        """Return the rows of the board, and the side to move if the board does not determine it."""
        cells = read_cells(str(self))
        if cells is None:
            return ''
        rows = '/'.join(cells.rows)
        has_player = any(it.name == 'player' for it in attrs.fields(type(self)))  # type: ignore[arg-type]
        state: Any = self
        return f'{rows} {state.player}' if has_player else rows


def _game_of(kind: Any) -> Any:
    """Return the game that made the class, or the module of a game that defines it."""
    made = getattr(kind, 'game', None)
    if hasattr(made, 'format'):
        return made
    modules = (sys.modules[base.__module__] for base in kind.__mro__)
    return next(it for it in modules if hasattr(it, 'format') and hasattr(it, 'parse'))


def written(move: object) -> str:
    """Return a move of any type as one word of text without commas, since `--moves` uses these.

    >>> written(7), written('e4'), written((-1, 8)), written('take all, then pass')
    ('7', 'e4', '-1:8', 'take_all_then_pass')
    """
    if isinstance(move, tuple):
        return ':'.join(map(written, move))
    return '_'.join(re.split(r'[\s,]+', str(move).strip()))


@attrs.frozen
class Unwritten:
    """A game's `start`, with the members of a game's module.

    A state is written as its `str`, and cannot be read. A move is written as its `str` in one word
    (`written`), and read by comparing it with the legal ones.
    """

    name: str
    start: Any

    def parse(self, _text: str) -> Result[Any, str]:
        """Return a failure: states cannot be read."""
        return Failure(
            f'{self.name} is a state without a text format, so boards cannot be read: give the '
            'moves'
        )

    def format(self, state: Any) -> str:
        """Return the state's `str`, and a line with the side to move or the result."""
        said = boards.standing(state)
        text = str(state).removesuffix(said).rstrip('\n')  # states made from rules write it too
        return f'{text}\n{said}\n'

    def read_move(self, state: Any, text: str) -> Result[Any, str]:
        """Return the legal move of `state` that is written as `text`."""
        word = text.strip().lower()
        found = [move for move in options_of(state) if written(move).lower() == word]
        if len(found) == 1:
            return Success(found[0])
        if found:
            return Failure(f'{shown(text)} is ambiguous: {len(found)} legal moves are written so')
        if state.over:
            return Failure(f'{shown(text)} is illegal: the game is over')
        legal = cut(', '.join(map(written, options_of(state))), LISTED)
        what = 'the outcomes' if chances_of(state) else 'the legal moves'
        return Failure(f'unknown move {shown(text)}: {what} are {legal}')

    def parse_move(self, text: str) -> Result[Any, str]:
        """Return the legal move of the start that is written as `text`."""
        return self.read_move(self.start, text)

    def format_move(self, move: Any) -> str:
        """Return the move as one word."""
        return written(move)
