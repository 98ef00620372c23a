"""`fmcts explore`: a page that shows every version of a search, served or in a file."""

from __future__ import annotations

import math
import webbrowser
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots._treesearch import MctsBot
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, DONE, EndedError, accepted
from fmcts.cli._inputs import (
    Position,
    play_line,
    read_position,
    to_engine,
    to_generator,
    to_new_file,
    to_running,
)
from fmcts.cli._matches import installed, to_whole
from fmcts.cli._named import named_player
from fmcts.cli._progress import Progress, within_memory
from fmcts.explore import Answers, AskError, Place, ReplayError, Served, served
from fmcts.search._description import Search

DEFAULT: Final = 'mcts:5000'
KINDS: Final = ('.html', '.htm')
LAST_PORT: Final = 65_535


EXAMPLES = options.examples(
    'fmcts explore connect4 --moves 3,3,2 --bot mcts:20000 --seed 42',
    'fmcts explore tictactoe --bot mcts:2000 --against mcts:2000,c=0.5',
    'fmcts explore othello --bot mcts:3000 --export othello.html',
)


@click.command(
    'explore',
    short_help='Show every version of a search in a browser.',
    epilog=f'{options.games_in_words()}\n\n{EXAMPLES}',
)
@options.game
@options.position
@click.option('--bot', metavar='SPEC', default=DEFAULT, show_default=True, help='A tree search.')
@click.option('--against', metavar='SPEC', help='A second search, to be compared with the first.')
@options.generator
@options.engine
@click.option(
    '--export', metavar='FILE', help='Write the page to a new .html file, which works alone.'
)
@click.option(
    '--port', metavar='N', default='0', help='Where to serve the page.  [default: any free port]'
)
@click.option('--no-browser', is_flag=True, help='Print the address and open no browser.')
def command(game: str, **given: Any) -> int:
    """Show every version of a search of GAME: go back to any iteration, and see its reasons.

    The page computes all versions itself, by the formulas of the method, and shows that the digest
    is the one found here. It is served to this machine only, until Ctrl-C; while served, it also
    shows playouts, forks the search, asks what if, and plays. --export writes it to a file instead.

    Scores by statistics that need the moves of playouts, such as AMAF, are not shown.
    """
    position = accepted(read_position(game, given['moves'], given['board']).bind_result(to_running))
    engine = accepted(to_engine(given['engine']))
    first = accepted(to_search('--bot', given['bot']))
    second = [accepted(to_search('--against', it)) for it in (given['against'],) if it is not None]
    rng = accepted(to_generator(given['seed'], given['rng']))
    export = accepted(to_export(given['export']))
    port = accepted(to_port(given['port']))
    searches = first, *second
    try:
        with Progress() as progress:
            total = sum(search.iterations for _, search in searches)
            watch = within_memory(progress.watching('searching', total))
            start, moves = place_in_words(position), partial(read_place, position)
            answers = Answers(position.game, start, searches, rng, engine, moves, watch)
            page = answers.page(served=False)
        progress.next = math.inf  # what is searched while the page is served shows no bar
    except ReplayError as error:
        raise EndedError(BAD_INPUT, str(error)) from None
    if export is None:
        serve(to_server(answers, port), browser=not given['no_browser'])
    else:
        click.echo(f'{export}: {page.save(export):,} bytes')
    return DONE


def place_in_words(position: Position) -> Place:
    """Return a position with its moves in the game's notation."""
    return Place(position.state, tuple(map(position.game.format_move, position.moves)))


def read_place(position: Position, text: str) -> Place:
    """Return the place after moves from the start of the game, or from the board of `position`.

    :raises AskError: one is not legal.
    """
    base = Position(position.game, position.game.start) if position.moves else position
    found = play_line(base, text, 'moves')
    if isinstance(found, Failure):
        raise AskError(found.failure())
    return place_in_words(found.unwrap())


def to_search(option: str, spec: str) -> Result[tuple[str, Search], str]:
    """Return the search that an option named, with that name."""

    def known(bot: Any) -> Result[tuple[str, Search], str]:
        if not isinstance(bot, MctsBot):
            return Failure(f'{option} {shown(spec)}: expected a tree search, such as mcts:1000')
        if bot.search.transpositions is not None:
            return Failure(f'{option} {shown(spec)}: transpositions make a graph, which has no log')
        return Success((spec.strip(), bot.search))

    return named_player(spec).bind(known)


def to_export(text: str | None) -> Result[Path | None, str]:
    """Return the new file of --export; without it a library that serves the page is needed."""
    if text is None:
        return installed('bottle', 'explore').map(lambda _: None)
    if not text.lower().endswith(KINDS):
        return Failure(f'--export must name a .html file, not {shown(text)}')
    return to_new_file('--export', text)


def to_port(text: str) -> Result[int, str]:
    """Return the port of --port; 0 means any free one."""
    return to_whole('--port', text).bind(
        lambda port: (
            Success(port)
            if port <= LAST_PORT
            else Failure(f'--port must be at most {LAST_PORT}, not {port}')
        )
    )


def to_server(answers: Answers, port: int) -> Served:
    """Return the server of a page, bound to the port.

    :raises EndedError: the port cannot be used.
    """
    try:
        return served(answers, port)
    except OSError as error:
        why = f'--port {port} cannot be used ({error.strerror})'
        raise EndedError(
            BAD_INPUT, f'{why}: give another, or leave it out for any free one'
        ) from None


def serve(server: Served, *, browser: bool) -> None:
    """Answer until Ctrl-C."""
    with server:
        click.echo(f'{server.address}  (Ctrl-C ends)')
        if browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
