"""Text for games in which X and O place stones in turn, and no stone ever moves.

A board that is read must be reachable: as many stones of X as of O, or one more; and if somebody
has won, some last stone must have done it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from returns.result import Failure, Result, Success

from fmcts.bits import popcount
from fmcts.game import Player
from fmcts.games import boards
from fmcts.rules import DRAW, IntegerRules

Built: TypeAlias = Callable[[Sequence[int], Sequence[int]], Any]
"""A function that returns the position after the stones of X and of O, placed in turn.

It returns `None` if a stone before the last ends the game.
"""


class Standing(NamedTuple):
    """Whose turn it is and the result, as the members of a state give them."""

    player: Player
    over: bool
    winner: Player | None


def standing_by(rules: IntegerRules, position: Any) -> Standing:
    """Return the standing of a position."""
    players = (Player.X, Player.O, None)
    over = not rules.listed(rules.menu(position))
    side, winner = rules.side(position), rules.winner(position) if over else DRAW
    return Standing(Player.O if side else Player.X, over, players[winner])


def notation(
    layout: boards.Layout,
    rules: IntegerRules,
    letters: Callable[[Any], str],
    built: Built,
    last: Callable[[str], Iterable[int]] | None = None,
    check: Callable[[boards.Grid], Result[boards.Grid, str]] = Success,
) -> dict[str, Any]:
    """Return `format` and `parse` for `fmcts.games.from_rules.make_game`.

    :param letters: the cells of a position as `X`, `O` and `.` in reading order.
    :param last: the cells of a board, written in that way, that may hold the last stone; by
        default, all.
    :param check: a further check of a board that is read.
    """

    def format(state: Any) -> str:  # noqa: A001 - the library's name for the inverse of parse
        return f'{boards.write_rows(letters(state.position), layout)}{boards.standing(state)}\n'

    def parse(text: str) -> Result[Any, str]:
        grid = boards.read_grid(text, layout).bind(check).bind(boards.check_turns)
        return grid.bind(
            lambda found: _position(found, built, last).bind(
                lambda position: _check_standing(found, rules, position)
            )
        )

    return {'format': format, 'parse': parse}


def check_resting(grid: boards.Grid, columns: int) -> Result[boards.Grid, str]:
    """Return the grid if no cell below a disc is empty."""
    for cell, (above, below) in enumerate(zip(grid.cells, grid.cells[columns:], strict=False)):
        if above != '.' and below == '.':
            return Failure(
                f'{grid.places[cell]}: found {above} above an empty cell, '
                'expected discs to rest on others'
            )
    return Success(grid)


def _position(
    grid: boards.Grid, built: Built, last: Callable[[str], Iterable[int]] | None
) -> Result[Any, str]:
    x, o = ([at for at, found in enumerate(grid.cells) if found == side] for side in 'XO')
    mover, stones = ('O', o) if len(x) == len(o) else ('X', x)
    if not stones:
        return Success(built(x, o))
    able = stones if last is None else set(last(grid.cells)) & {*stones}
    for one in sorted(able):
        ordered = [*(cell for cell in stones if cell != one), one]
        position = built(x, ordered) if mover == 'O' else built(ordered, o)
        if position is not None:
            return Success(position)
    return Failure(
        f'the game was over before the last move, whichever of {mover} that was: expected a '
        'board on which play ended there'
    )


def _check_standing(grid: boards.Grid, rules: IntegerRules, position: Any) -> Result[Any, str]:
    standing = standing_by(rules, position)
    accepted = (boards.standing(standing), str(standing.player))
    return boards.check_ending(grid, accepted).map(lambda _: position)


def by_turns(start: Any, rules: IntegerRules) -> Built:
    """Return `built` for rules whose moves are cells."""

    def built(x: Sequence[int], o: Sequence[int]) -> Any:
        position = start
        for number in range(len(x) + len(o)):
            if not rules.count(rules.menu(position)):
                return None
            position = rules.play(position, (o if number % 2 else x)[number // 2])
        return position

    return built


def on_bits(
    kind: Any, bits: Sequence[int], has_row: Callable[[int], bool]
) -> tuple[Callable[[Any], str], Built]:
    """Return `letters` and `built` for positions of two sets of bits, `mine` and `theirs`.

    :param kind: the class of the positions.
    :param bits: the bit of each cell, in reading order.
    :param has_row: whether a set has enough in a row to win.
    """

    def letters(position: Any) -> str:
        o_to_move = popcount(position.mine | position.theirs) & 1
        x, o = reversed(position) if o_to_move else position
        return ''.join('X' if x & bit else 'O' if o & bit else '.' for bit in bits)

    def built(x: Sequence[int], o: Sequence[int]) -> Any:
        words = [sum(bits[cell] for cell in side) for side in (x, o)]
        last = len(x) > len(o)
        before = (x if last else o)[:-1]
        if has_row(words[last]) or has_row(sum(bits[cell] for cell in before)):
            return None
        return kind(*reversed(words)) if last else kind(*words)

    return letters, built
