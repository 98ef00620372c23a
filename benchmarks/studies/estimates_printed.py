"""Where the Haskell article's program, as printed, plays another move than the repaired one.

The printed `jouerJeu` draws a move more after a move that ends the game (`fmcts.bots.printed`).
Here both programs are asked about every position of tic-tac-toe, from the same generator; and
without chance: which move they would play after endless playouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from fmcts import SplitMix, probabilities
from fmcts.bots.montecarlo import article_mc_pure
from fmcts.bots.printed import ROWS_THEN_COLUMNS_THEN_DIAGONALS
from fmcts.errors import PrintedProgramError
from fmcts.games import tictactoe
from fmcts.games.tictactoe import FREE, TicTacToe

__all__ = ['COLUMNS', 'PLAYOUTS', 'compared', 'endless', 'figures', 'positions']

PLAYOUTS: Final = 1_000  # a move
COLUMNS: Final = ('free cells', 'positions', 'a move ends it', 'crash', 'differ', 'differ endless')


def positions() -> list[TicTacToe]:
    """Return every position in which the game goes on, from the first ply to the last."""
    layer, found = [tictactoe.start], [tictactoe.start]
    while layer:
        after = (state.play(move) for state in layer for move in state.moves)
        layer = list(dict.fromkeys(state for state in after if not state.over))
        found += layer
    return found


def endless(state: TicTacToe, *, printed: bool) -> int | None:
    """Return the move that endless playouts choose, the last of equals; None if it crashes."""
    worth = {move: _worth(state, move, printed) for move in state.moves}
    if None in worth.values():
        return None
    return max(worth, key=lambda move: (worth[move], move))


def _worth(state: TicTacToe, move: int, printed: bool) -> Fraction | None:  # noqa: FBT001
    """Return how often the mover wins, or None where the printed program crashes."""
    after = state.play(move)
    if not (printed and after.over):
        return Fraction(probabilities(after)[state.player])
    free = FREE[after.x | after.o]
    named = [_named(after, cell) for cell in free]
    return Fraction(named.count(state.player), len(free)) if free else None


def _named(after: TicTacToe, cell: int) -> Any:
    """Return who the article's `calculerFin` says has won when the loser adds a stone."""
    stones = {player: after.x if player.name == 'X' else after.o for player in type(after.player)}
    stones[after.player] |= 1 << cell
    for line in ROWS_THEN_COLUMNS_THEN_DIAGONALS:
        for player, mine in stones.items():
            if mine & line == line:
                return player
    return None


def compared(
    states: Sequence[TicTacToe], playouts: int = PLAYOUTS
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yield a row for each number of free cells: in how many positions the programs differ.

    `differ` is by so many playouts of both, `differ endless` by endless ones; positions where the
    printed program crashes are in neither.
    """
    by_cells: dict[int, list[TicTacToe]] = {}
    for state in states:
        by_cells.setdefault(len(state.moves), []).append(state)
    for cells, some in by_cells.items():
        ending = [any(state.play(move).over for move in state.moves) for state in some]
        crashes = differing = differing_endless = 0
        for number, (state, ends) in enumerate(zip(some, ending, strict=True)):
            rng = SplitMix.from_seed(1).child(cells).child(number)
            try:
                printed, _ = article_mc_pure(playouts, as_printed=True)(state, rng)
            except PrintedProgramError:
                crashes += 1
                continue
            differing += printed != article_mc_pure(playouts)(state, rng)[0]
            if ends:
                differing_endless += endless(state, printed=True) != endless(state, printed=False)
        yield cells, len(some), sum(ending), crashes, differing, differing_endless


def figures(rows: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return what the page says of them."""
    printed = [{name: int(value) for name, value in row.items()} for row in rows]
    running = [row for row in printed if not row['crash']]
    return {
        'printed': printed,
        'printed_playouts': PLAYOUTS,
        'running': {name: sum(row[name] for row in running) for name in COLUMNS[1:]},
        'never_ending': [row['free cells'] for row in printed if not row['a move ends it']],
        'crashing': [row['free cells'] for row in printed if row['crash']],
    }
