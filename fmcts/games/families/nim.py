"""Nim (C. Bouton, "Nim, a game with a complete mathematical theory", 1901).

A move takes any number of counters, at least one, from one pile; taking the last one wins.
`nim:3,4,5` starts with piles of 3, 4 and 5.
"""

from __future__ import annotations

import re
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bits import replaced
from fmcts.games.boards import standing
from fmcts.games.families._shared import LETTERS, Family, between, integers, one_for_each
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import IntegerRules, X

__all__ = ['game']

PILES: Final = 12
COUNTERS: Final = 99


@one_for_each
def game(*piles: int) -> Game:  # noqa: C901 - several functions, each of them short
    """Return Nim with up to 12 piles of up to 99 counters each, at least one counter in all.

    Move number `largest * pile + taken - 1` takes `taken` counters from `pile`, where `largest` is
    the size of the largest pile at the start.

    :raises ValueError: the sizes are not accepted.

    >>> [game(3, 4, 5).format_move(move) for move in game(3, 4, 5).start.moves][:4]
    ['a1', 'a2', 'a3', 'b1']
    """
    between('how many piles', len(piles), 1, PILES)
    for pile in piles:
        between('a pile', pile, 0, COUNTERS)
    between('all counters', sum(piles), 1, PILES * COUNTERS)
    largest, number = max(piles), len(piles)
    letters = LETTERS[:number]
    Position = integers('Position', letters, ['turn'])

    def count(position: Any) -> int:
        counters = 0
        for pile in position[:number]:
            counters += pile
        return counters

    def pick(position: Any, index: int) -> int:
        for place in range(number):
            if index < position[place]:
                # As many numbers for each pile as the largest has counters: a number means the same
                # move in every position.
                return largest * place + index
            index -= position[place]
        return -1

    def play(position: Any, move: int) -> Any:
        place, taken = move // largest, move % largest + 1
        left = replaced(position, place, position[place] - taken)
        return Position(*replaced(left, number, 1 - position.turn))

    def side(position: Any) -> int:
        turn: int = position.turn
        return turn

    def winner(position: Any) -> int:
        return 1 - side(position)

    def format(state: Any) -> str:  # noqa: A001 - the library's name for the inverse of parse
        rows = zip(letters, state.position, strict=False)
        lines = [f'{letter}  {"| " * pile}'.rstrip() + f'  {pile}\n' for letter, pile in rows]
        return ''.join(lines) + f'{standing(state)}\n'

    def parse(text: str) -> Result[Any, str]:
        return _read(text, piles).map(lambda found: Position(*found))

    rules = IntegerRules(
        count=count, pick=pick, play=play, side=side, winner=winner, keys=number * largest
    )
    return make_game(
        f'nim:{",".join(map(str, piles))}',
        Position(*piles, X),
        rules,
        names=[f'{letter}{taken}' for letter in letters for taken in range(1, largest + 1)],
        format=format,
        parse=parse,
        longest_game=sum(piles),
        found_by=(game, *piles),
    )


FAMILY: Final = Family(
    'nim',
    ('PILE',),
    'nim:3,4,5',
    'take the last counter',
    game,
    several=True,
    other='nim:1,0,7,2',
    limits='1 to 12 piles of up to 99',
    rules='take any number from one pile; the last counter wins',
    moves='pile and number: `a2`',
)


def _read(text: str, piles: tuple[int, ...]) -> Result[list[int], str]:
    """Return the counters of each pile and the side to move: in a finished game, the loser."""
    lines = [(n, ' '.join(line.split())) for n, line in enumerate(text.split('\n'), 1)]
    lines = [(n, line) for n, line in lines if line]
    found: list[int] = []
    for letter, most, (number, line) in zip(LETTERS, piles, lines, strict=False):
        row = re.fullmatch(rf'{letter}[| ]* ([0-9]{{1,2}})', line, re.IGNORECASE)
        if row is None or int(row[1]) > most or line.count('|') not in (0, int(row[1])):
            return Failure(
                f'line {number}: found {shown(line)}, expected the pile {letter} and how many '
                f'counters it has, 0 to {most}'
            )
        found.append(int(row[1]))
    said = ('X to move', 'O to move') if any(found) else ('O wins', 'X wins')
    number, line = lines[len(piles)] if len(lines) > len(piles) else (len(lines), '')
    side = [*map(str.lower, said), line.lower()].index(line.lower())
    if side > 1 or len(lines) > len(piles) + 1:
        return Failure(
            f'line {number}: expected {len(piles)} piles, one on a line, and then {said[0]!r} or '
            f'{said[1]!r}'
        )
    return Success([*found, side])
