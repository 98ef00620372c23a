"""`fmcts show`: a position as text that `--board` reads back."""

from __future__ import annotations

import click

from fmcts.cli import options
from fmcts.cli.ending import DONE, carry_out
from fmcts.cli.inputs import Position, read_position
from fmcts.cli.screen import Screen, move_in_json, print_json
from fmcts.view.parts import picture

__all__ = ['command']

EXAMPLES = options.examples(
    'fmcts show connect4',
    'fmcts show hex:7 --moves d4,c5',
    'fmcts show othello --moves d3,c3 > position.txt',
    'fmcts show othello --board position.txt | cmp - position.txt',
    "echo 'XO.......' | fmcts show tictactoe --board - --json",
)


@click.command(
    'show',
    short_help='Print a board, so that it can be read again.',
    epilog=f'{options.games_in_words()}\n\n{EXAMPLES}',
)
@options.game
@options.position
@options.json
def command(game: str, *, moves: str | None, board: str | None, as_json: bool) -> int:
    """Print the board of GAME: at the start, after --moves, or as read from --board.

    What is printed can be read by --board again, letter for letter.
    """
    return carry_out(read_position(game, moves, board), in_one_line if as_json else on_a_page)


def in_one_line(position: Position) -> int:
    """Print the position as JSON."""
    game, state = position.game, position.state
    winner = state.winner if state.over else None
    print_json(
        {
            'game': game.name,
            'moves': [move_in_json(game, move) for move in position.moves],
            'board': game.format(state),
            'player': str(state.player),
            'legal': [move_in_json(game, move) for move in state.moves],
            'over': state.over,
            'winner': str(winner) if winner else None,
        }
    )
    return DONE


def on_a_page(position: Position) -> int:
    """Show the board, and nothing that is not on it."""
    Screen.of_output().show(picture(position.game, position.state, position.before, free=False))
    return DONE
