"""A game given only by its start: a replacement for the text that it lacks."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import cut, shown
from fmcts.game import chances_of, options_of
from fmcts.games import boards
from fmcts.games._written import written

LISTED = 300  # characters of legal moves that an error lists


@frozen
class Unwritten:
    """A game's `start`, with the members of a game's module.

    A state is written as its `str`, and cannot be read. A move is written as its `str` in one word
    (`fmcts.games._written.written`), and read by comparing it with the legal ones.
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
        return f'{state}\n{boards.standing(state)}\n'

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
