"""`fmcts show`: a position as text that `--board` reads back."""

from __future__ import annotations

from fmcts.cli import _types as types
from fmcts.cli._screen import answer, moves_in_json
from fmcts.cli._types import StartPosition
from fmcts.game import given_winner
from fmcts.view import picture


@types.command(
    'show',
    'Print a board in a form that can be read again.',
    'fmcts show connect4',
    'fmcts show hex:7 --moves d4,c5',
    'fmcts show othello --moves d3,c3 > position.txt',
    'fmcts show othello --board position.txt | cmp - position.txt',
    "echo 'XO.......' | fmcts show tictactoe --board - --json",
    lists='games',
)
@types.position
@types.json
def show_command(position: StartPosition, *, as_json: bool) -> int:
    """Print the board of GAME: at the start, after --moves, or as read from --board.

    --board reads the output back, letter for letter.
    """
    game, state = position.game, position.state

    def values() -> dict[str, object]:
        winner = given_winner(state) if state.over else None
        return {
            'game': game.name,
            'moves': moves_in_json(game, position.moves),
            'board': game.format(state),
            'player': str(state.player),
            'legal': moves_in_json(game, state.moves),
            'over': state.over,
            'winner': str(winner) if winner else None,
        }

    return answer(
        values, lambda: [picture(game, state, position.before, free=False)], as_json=as_json
    )
