"""`fmcts show`: a position as text that `--board` reads back."""

from __future__ import annotations

import click

from fmcts.cli import _options as options
from fmcts.cli._ending import accepted
from fmcts.cli._inputs import Position, read_position
from fmcts.cli._screen import answer, moves_in_json
from fmcts.game import given_winner
from fmcts.view._parts import Part, picture

EXAMPLES = options.examples(
    'fmcts show connect4',
    'fmcts show hex:7 --moves d4,c5',
    'fmcts show othello --moves d3,c3 > position.txt',
    'fmcts show othello --board position.txt | cmp - position.txt',
    "echo 'XO.......' | fmcts show tictactoe --board - --json",
)


@click.command(
    'show',
    short_help='Print a board in a form that can be read again.',
    epilog=f'{options.games_in_words()}\n\n{EXAMPLES}',
)
@options.game
@options.position
@options.json
def command(game: str, *, moves: str | None, board: str | None, as_json: bool) -> int:
    """Print the board of GAME: at the start, after --moves, or as read from --board.

    --board reads the output back, letter for letter.
    """
    position = accepted(read_position(game, moves, board))
    return answer(lambda: in_json(position), lambda: page(position), as_json=as_json)


def in_json(position: Position) -> dict[str, object]:
    """Return the position as values for JSON."""
    game, state = position.game, position.state
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


def page(position: Position) -> tuple[Part]:
    """Return the board alone."""
    return (picture(position.game, position.state, position.before, free=False),)
