"""The text of a game made from rules: its positions and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.games import boards

NUMBER: Final = re.compile(r'-?[0-9]{1,20}')
FEW: Final = 12  # names that an error lists


def written(move: object) -> str:
    """Return a move of any type as one word of text without commas, since `--moves` uses these.

    >>> written(7), written('e4'), written((-1, 8)), written('take all, then pass')
    ('7', 'e4', '-1:8', 'take_all_then_pass')
    """
    if isinstance(move, tuple):
        return ':'.join(map(written, move))
    return '_'.join(re.split(r'[\s,]+', str(move).strip()))


@frozen
class Notation:
    """The text of one game, in both directions; positions and numbers are as in its rules.

    `names` are the moves' names by number; `None` if the numbers are the names.
    """

    format: Callable[[Any], str]
    parse: Callable[[str], Result[Any, str]]
    names: tuple[str, ...] | None

    @classmethod
    def of(
        cls,
        start: Any,
        moves: Sequence[object] | None,
        names: Sequence[str] | None,
        format: Callable[[Any], str] | None,  # noqa: A002 - as the field is called
        parse: Callable[[str], Result[Any, str]] | None,
    ) -> Notation:
        """Return a notation from what was given, with defaults for what was not.

        :raises ValueError: a name is not one word, two names are equal, there are not as many names
            as moves, or `parse` is given without `format`.
        """
        called = names if names is not None or moves is None else [*map(written, moves)]
        if format is None and parse is not None:
            raise ValueError('parse is given without format: expected both, or format alone')
        if called is not None:
            _check_names(called, moves)
        kind = type(start)
        return cls(
            _fields_as_text if format is None else format,
            parse or (_unread if format is not None else lambda text: _fields_from(text, kind)),
            None if called is None else tuple(called),
        )

    def parse_move(self, text: str) -> Result[int, str]:
        """Return the number of the move that `text` names."""
        if self.names is None:
            word = text.strip()
            if NUMBER.fullmatch(word):
                return Success(int(word))
            return Failure(f'unknown move {shown(text)}: expected a whole number')
        lowered = [name.lower() for name in self.names]
        if len(lowered) <= FEW:
            expected = ', '.join(self.names)
        else:
            expected = f'a name from {self.names[0]} to {self.names[-1]}'
        return boards.read_name(text, lowered, 'move', expected)

    def format_move(self, number: int) -> str:
        """Return the name of a move.

        :raises ValueError: the game has no move with that number.
        """
        if self.names is not None:
            return boards.named(number, self.names)
        if isinstance(number, int):
            return str(int(number))
        raise ValueError(f'unknown move {shown(number)}: expected a whole number')


def _check_names(names: Sequence[str], moves: Sequence[object] | None) -> None:
    """Check the names of moves.

    :raises ValueError: a name is not one word, two are equal, or there are not as many as moves.
    """
    if moves is not None and len(names) != len(moves):
        raise ValueError(f'there are {len(moves)} moves and {len(names)} names: expected as many')
    seen: dict[str, str] = {}
    for name in names:
        if not name or written(name) != name:
            raise ValueError(f'the name {shown(name)} of a move: expected one word without commas')
        if seen.setdefault(name.lower(), name) is not name:
            raise ValueError(
                f'the names {shown(seen[name.lower()])} and {shown(name)} of two moves: '
                'expected names that differ in more than their capitals'
            )


def _fields_as_text(state: Any) -> str:
    """Return the fields of the position, one per line, and the line of `boards.standing`."""
    fields = state.position._asdict().items()
    return ''.join(f'{name} {number}\n' for name, number in fields) + f'{boards.standing(state)}\n'


def _fields_from(text: str, kind: Any) -> Result[Any, str]:
    """Return the position with the fields in `text`; the line of `boards.standing` is ignored."""
    lines = [(n, line.split()) for n, line in enumerate(text.split('\n'), 1) if line.strip()]
    if lines and boards.is_ending(' '.join(lines[-1][1])):
        lines.pop()
    found: dict[str, int] = {}
    for field, (number, words) in zip(kind._fields, lines, strict=False):
        if len(words) != 2 or words[0] != field or not NUMBER.fullmatch(words[1]):
            said = shown(' '.join(words))
            return Failure(f'line {number}: found {said}, expected {field} and a whole number')
        found[field] = int(words[1])
    if len(found) < len(kind._fields):
        return Failure(f'the board ends early: expected a line for {kind._fields[len(found)]}')
    if len(lines) > len(found):
        number, words = lines[len(found)]
        said = shown(' '.join(words))
        return Failure(f'line {number}: found {said}, expected the end of the board')
    return Success(kind(**found))


def _unread(_text: str) -> Result[Any, str]:
    return Failure('this game has no parse function for boards: give the moves instead')
