"""`fmcts check`: test a user's own game or bot against the laws."""

from __future__ import annotations

from typing import Any

import click

from fmcts.cli import _options as options

EXAMPLES = options.examples(
    'fmcts check fmcts.games:connect4',
    'fmcts check mygame:start --positions 1000 --games 200',
    'fmcts check mygame:bot --game mygame:start --json',
)


@click.command(
    'check', short_help='Check the laws of a game or a bot of your own.', epilog=EXAMPLES
)
@click.argument('named', metavar='MODULE:NAME')
@click.option('--game', metavar='GAME', help='For a bot: the game it plays, also as MODULE:NAME.')
@click.option('--positions', metavar='N', help='How many positions to check.')
@click.option('--games', metavar='N', help='For a game: how many random games to check.')
@click.option('--without', metavar='LAW', multiple=True, help='For a game: skip this law.')
@options.generator
@options.json
def command(named: str, *, as_json: bool, **given: Any) -> int:
    """Check the laws of a game or a bot of your own.

    MODULE:NAME is the initial state of a game, a game's module, or a bot. Modules are looked up in
    the current directory first. If MODULE has the functions parse and format, the text of positions
    is checked too.

    If laws are broken, the most important one is reported with the shortest line of moves that
    breaks it, and the others by name.

    Exit code: 0 when all laws hold, 1 when one is broken.
    """
    from fmcts.cli import _checking as checking  # noqa: PLC0415 - other commands shall not wait for the laws

    return checking.run(named, given, as_json=as_json)
