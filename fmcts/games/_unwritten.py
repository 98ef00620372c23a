"""A game of which only the start is given: what stands in for the text that it does not have."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import cut, shown
from fmcts.game import chances_of, options_of
from fmcts.games import boards
from fmcts.games._written import written

__all__ = ['Unwritten']

LISTED = 300  # characters of legal moves that a complaint lists


@frozen
class Unwritten:
    """A game's `start`, with the names that a game's module has.

    A state is written as Python writes it, and never read. A move is written by its `str`, as one
    word (`fmcts.games._written.written`), and read by comparing it with the legal ones.
    """

    name: str
    start: Any

    def parse(self, _text: str) -> Result[Any, str]:
        """A failure: there is no way to read a state."""
        return Failure(f'{self.name} is a state without text, of which no board can be read')

    def format(self, state: Any) -> str:
        """The state as Python writes it, and how the game stands."""
        return f'{state!r}\n{boards.standing(state)}\n'

    def read_move(self, state: Any, text: str) -> Result[Any, str]:
        """The legal move of `state` that is written so."""
        word = text.strip().lower()
        found = [move for move in options_of(state) if written(move).lower() == word]
        if len(found) == 1:
            return Success(found[0])
        if found:
            return Failure(f'{shown(text)} is how {len(found)} legal moves are written')
        if state.over:
            return Failure(f'{shown(text)} is illegal: the game is over')
        legal = cut(', '.join(map(written, options_of(state))), LISTED)
        what = 'the outcomes' if chances_of(state) else 'the legal moves'
        return Failure(f'unknown move {shown(text)}: {what} are {legal}')

    def parse_move(self, text: str) -> Result[Any, str]:
        """The legal move of the start that is written so."""
        return self.read_move(self.start, text)

    def format_move(self, move: Any) -> str:
        """The move as one word."""
        return written(move)
