"""`fmcts show`: print a position. `fmcts bots`: list the bots, their options and their sources."""

from __future__ import annotations

from fmcts.bots import RECIPES, choices
from fmcts.cli import _types as types
from fmcts.cli._screen import answer, moves_in_json
from fmcts.cli._types import StartPosition
from fmcts.game import given_winner
from fmcts.view import Listing, picture


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


@types.command(
    'bots',
    'List the bots, their options and sources.',
    'fmcts bots',
    'fmcts bots --json',
    'fmcts bots | grep baeldung',
)
@types.json
def bots_command(*, as_json: bool) -> int:
    """List every bot that SPEC may name, with its number, its options and its source.

    A SPEC is NAME:NUMBER,OPTION=VALUE,... where all but the name may be left out.
    """
    values = [
        {
            'name': name,
            'about': recipe.about,
            'number': recipe.number or None,
            'default': recipe.default,
            'options': dict(choices(name)),
            'source': recipe.source or None,
            'differs': recipe.differs or None,
        }
        for name, recipe in RECIPES.items()
    ]
    return answer(lambda: {'bots': values}, listings, as_json=as_json)


def listings() -> tuple[Listing, ...]:
    """Return the bots, the options of each, and how those from a text differ from it."""
    bots = tuple(
        (
            name,
            recipe.number or '-',
            '-' if recipe.default is None else str(recipe.default),
            recipe.about,
            recipe.source or '-',
        )
        for name, recipe in RECIPES.items()
    )
    options = tuple((name, option, words) for name in RECIPES for option, words in choices(name))
    differences = tuple((name, it.differs) for name, it in RECIPES.items() if it.differs)
    return (
        Listing(('bot', 'number', 'by default', 'description', 'source'), bots, prose=True),
        Listing(('bot', 'option', 'accepted'), options, prose=True),
        Listing(('bot', 'how it differs from its text'), differences, prose=True),
    )
