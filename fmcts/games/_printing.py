"""The text of this library's states, and their pictures in notebooks."""

from __future__ import annotations

import sys
from typing import Any, Self

import attrs
from returns.result import Failure

from fmcts._declared import shown_by
from fmcts.games._cells import read_cells


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
