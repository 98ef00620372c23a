"""Arguments and options that several commands share; all are read as text, `inputs` judges them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from fmcts.bots.spec import RECIPES, choices
from fmcts.cli.inputs import DEFAULT_SEED
from fmcts.games import FAMILIES, GAMES
from fmcts.search.engines import ENGINES

__all__ = [
    'EXPECTED',
    'engine',
    'examples',
    'game',
    'games_in_words',
    'generator',
    'json',
    'names_in_words',
    'position',
    'time',
]

USUAL: Final = 1000  # iterations or playouts, of bots that have no number of their own

F = TypeVar('F', bound=Callable[..., Any])

EXPECTED = {
    'game': f'one of {", ".join(GAMES)}, a family with sizes such as mnk:4,4,3, or MODULE:NAME',
    'first': 'a bot such as mcts:1000, or human',
    'second': 'a bot such as mcts:1000, or human',
    'named': 'a game or a bot, as in mygame:start',
    'spec': 'a bot such as mcts',
    'budgets': 'whole numbers such as 10,100,1000',
    'against': 'a bot such as random',
    'file': 'a file that fmcts match --out wrote, or a folder of them',
}
"""What stands for a required parameter, for the error when it is missing."""


def games_beginning(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """The games that a shell may complete a word to; of a family, an example."""
    names = (*GAMES, *(family.example for family in FAMILIES.values()))
    return [name for name in names if name.startswith(incomplete)]


game = click.argument('game', metavar='GAME', shell_complete=games_beginning)


def position(command: F) -> F:
    """Add --moves and --board."""
    moves = click.option(
        '--moves', metavar='A,B,...', help="The moves played so far, in the game's own notation."
    )
    board = click.option(
        '--board', metavar='FILE', help='A file with the position as `show` prints it; - is stdin.'
    )
    return moves(board(command))


def generator(command: F) -> F:
    """Add --seed and --rng."""
    seed = click.option(
        '--seed', metavar='N', help=f'Seed of the SplitMix generator.  [default: {DEFAULT_SEED}]'
    )
    rng = click.option(
        '--rng',
        metavar='TEXT',
        help='A generator: splitmix:SEED, splitmix:STATE:GAMMA, stdgen:SEED or stdgen:S1:S2.',
    )
    return seed(rng(command))


time = click.option(
    '--time',
    'seconds',
    metavar='SECONDS',
    help='How long a tree search lasts, instead of its number of iterations; what was found is '
    'printed with the number that finds the same.',
)

engine = click.option(
    '--engine',
    metavar='NAME',
    default='auto',
    show_default=True,
    help=f'How searches are carried out: {", ".join(("auto", *ENGINES))}. '
    'All give the same result.',
)

json = click.option('--json', 'as_json', is_flag=True, help='Print one line of JSON.')


def games_in_words() -> str:
    """The games that there are, for the help."""
    width = max(len(family.pattern) for family in FAMILIES.values())
    families = [
        f'  {family.pattern:<{width}}  {family.about} ({family.example})'
        for family in FAMILIES.values()
    ]
    return '\n'.join(
        (
            '\b',
            f'Games (GAME): {", ".join(GAMES)}, or with sizes',
            *families,
            '  MODULE:NAME of your own (docs/games.md); bots, too',
        )
    )


def names_in_words() -> str:
    """The games, the bots and their options, for the help."""
    width = max(map(len, RECIPES))
    lines = []
    for name, recipe in RECIPES.items():
        number = f':{recipe.number.upper()}' if recipe.number else ''
        other = recipe.default not in (None, USUAL)
        more = f' ({recipe.default} by default)' if other else ''
        lines.append(f'  {name + number:<{width + 11}}  {recipe.about}{more}')
        lines += [f'  {"":<{width + 11}}    {key}={values}' for key, values in choices(name)]
    return '\n'.join(
        (
            f'{games_in_words()}\n',
            '\b',
            f'Bots (SPEC); a number left out is {USUAL} unless said:',
            *lines,
        )
    )


def examples(*lines: str) -> str:
    """Example commands, for the end of a help text."""
    return '\n'.join(('\b', 'Examples:', *(f'  {line}' for line in lines)))
