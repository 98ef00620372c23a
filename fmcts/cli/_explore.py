"""`fmcts explore`: a page that shows every version of a search, served or in a file."""

from __future__ import annotations

import math
import webbrowser
from functools import partial
from pathlib import Path
from typing import Final

import click

from fmcts.cli import _types as types
from fmcts.cli._progress import Progress
from fmcts.cli._types import (
    DONE,
    Generator,
    Spec,
    StartPosition,
    play_line,
    require,
    to_running,
    words_of,
)
from fmcts.explore import Answers, AskError, Place, ReplayError, served

PORT: Final = click.IntRange(0, 65_535)
PAGE: Final = types.to_file('.html', '.htm')
REPLAYED: Final = types.Parsed('SPEC', types.to_search)


@types.command(
    'explore',
    'Show every version of a search in a browser.',
    'fmcts explore connect4 --moves 3,3,2 --bot mcts:20000 --seed 42',
    'fmcts explore tictactoe --bot mcts:2000 --against mcts:2000,c=0.5',
    'fmcts explore othello --bot mcts:3000 --export othello.html',
    lists='games',
)
@types.position
@types.option('--bot', REPLAYED, 'A tree search.', default='mcts:5000')
@types.option('--against', REPLAYED, 'A second search, to be compared with the first.')
@types.generator
@types.engine
@types.option('--export', PAGE, 'Write the page to a new .html file, which works alone.')
@types.option('--port', PORT, 'Where to serve the page.  [default: any free port]')
@types.option('--no-browser', None, 'Print the address and open no browser.')
def explore_command(
    position: StartPosition,
    bot: Spec,
    against: Spec | None,
    rng: Generator,
    engine: str,
    export: Path | None,
    port: int | None,
    *,
    no_browser: bool,
) -> int:
    """Show every version of a search of GAME: go back to any iteration, and see its reasons.

    The page computes all versions itself, by the formulas of the method, and shows that the digest
    is the one found here. It is served to this machine only, until Ctrl-C; it also shows playouts,
    forks the search, asks what if, and plays. --export writes it to a file instead, which does so
    too if it can search by itself; else it says why not.

    Scores by statistics that need the moves of playouts, such as AMAF, are not shown.
    """
    to_running(position)
    if export is None:
        require('bottle', 'explore')
    searches = tuple((spec.text, spec.search) for spec in (bot, against) if spec is not None)
    try:
        with Progress() as progress:
            total = sum(search.iterations for _, search in searches)
            watch = progress.watching('searching', total)
            start, moves = place_of(position), partial(read_place, position)
            answers = Answers(position.game, start, searches, rng, engine, moves, watch)
            writing = progress.watching('writing the log in %', 100)
            page = answers.page(served=False, watch=lambda share: writing(round(100 * share)))
        progress.next = math.inf  # what is searched while the page is served shows no bar
    except ReplayError as error:
        raise click.UsageError(str(error)) from None
    if export is not None:
        click.echo(f'{export}: {page.save(export):,} bytes')
        return DONE
    try:
        server = served(answers, port or 0)
    except OSError as error:
        why = f'--port {port} cannot be used ({error.strerror})'
        raise click.UsageError(f'{why}: give another, or leave it out for any free one') from None
    with server:
        click.echo(f'{server.address}  (Ctrl-C ends)')
        if not no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
    return DONE


def place_of(position: StartPosition) -> Place:
    """Return a position with its moves in the game's notation."""
    return Place(position.state, tuple(map(position.game.format_move, position.moves)))


def read_place(position: StartPosition, text: str) -> Place:
    """Return the place after moves from the start of the game, or from the board of `position`.

    :raises AskError: one is not legal.
    """
    base = StartPosition(position.game, position.game.start) if position.moves else position
    try:
        return place_of(play_line(base, words_of(text)))
    except ValueError as error:
        raise AskError(f'moves: {error}') from None
