"""Arguments and options shared by several commands, read as text and checked in `inputs`."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

import click

from fmcts._running.registry import ENGINES
from fmcts.bots._presets import RECIPES
from fmcts.cli._inputs import DEFAULT_SEED
from fmcts.games import FAMILIES, GAMES

F = TypeVar('F', bound=Callable[..., Any])

EXPECTED = {
    'game': f'one of {", ".join(GAMES)}, a family with sizes such as mnk:4,4,3, or MODULE:NAME',
    'first': 'a bot such as mcts:1000, or human',
    'second': 'a bot such as mcts:1000, or human',
    'named': 'a game or a bot, such as mygame:start',
    'spec': 'a bot such as mcts',
    'budgets': 'whole numbers such as 10,100,1000',
    'against': 'a bot such as random',
    'file': 'a file that fmcts match --out wrote, or a folder of them',
}
"""The values expected for a required parameter, for the error when it is missing."""


def games_beginning(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the games that start with `incomplete`, for the shell's completion."""
    names = (*GAMES, *(family.example for family in FAMILIES.values()))
    return [name for name in names if name.startswith(incomplete)]


game = click.argument('game', metavar='GAME', shell_complete=games_beginning)


def position(command: F) -> F:
    """Add --moves and --board."""
    moves = click.option(
        '--moves', metavar='A,B,...', help="The moves played so far, in the game's own notation."
    )
    board = click.option(
        '--board',
        metavar='FILE',
        help='A file with the position as `show` prints it; - is standard input.',
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
    help=(
        'Seconds a tree search may take, instead of a number of iterations; the output includes '
        'the number that finds the same.'
    ),
)

engine = click.option(
    '--engine',
    metavar='NAME',
    default='auto',
    show_default=True,
    help=f'The engine to search with: {", ".join(("auto", *ENGINES))}. All give the same result.',
)

json = click.option('--json', 'as_json', is_flag=True, help='Print one line of JSON.')


def games_in_words() -> str:
    """Return the list of games for the help."""
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
            '  MODULE:NAME of your own (see "Games" in the documentation)',
        )
    )


def names_in_words() -> str:
    """Return the list of games and bots' names for the help; `fmcts bots` describes the bots."""
    names = textwrap.wrap(', '.join(RECIPES), 76, break_on_hyphens=False)
    return '\n'.join(
        (
            f'{games_in_words()}\n',
            '\b',
            'Bots (SPEC): NAME:NUMBER,OPTION=VALUE,... where all but the name may be left out;',
            "'fmcts bots' describes each one. The names are",
            *(f'  {line}' for line in names),
            '  MODULE:NAME of your own; a tree search also with a number and those of its method:',
            '  mymodule:search:500,c=0.4',
        )
    )


def examples(*lines: str) -> str:
    """Return example commands for the end of a help text."""
    return '\n'.join(('\b', 'Examples:', *(f'  {line}' for line in lines)))
