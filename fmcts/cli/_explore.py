"""`fmcts explore`: a page that shows every version of a search, served or in a file."""

from __future__ import annotations

import math
import webbrowser
from pathlib import Path
from typing import Any, Final

import click
from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots._treesearch import MctsBot
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, DONE, carry_out
from fmcts.cli._inputs import (
    Generator,
    Position,
    play_line,
    read_position,
    to_engine,
    to_generator,
    to_new_file,
    to_running,
)
from fmcts.cli._matches import installed, to_whole
from fmcts.cli._memory import within_memory
from fmcts.cli._named import named_player
from fmcts.cli._progress import Progress
from fmcts.cli._screen import complain
from fmcts.explore._answers import Answers, AskError, Place
from fmcts.explore._formulas import ReplayError, rules_of
from fmcts.explore._server import Served, served
from fmcts.search._description import Search

DEFAULT: Final = 'mcts:5000'
KINDS: Final = ('.html', '.htm')
LAST_PORT: Final = 65_535


@frozen
class Request:
    """The request: `searches` by name (the second is for comparison) and the page's destination."""

    position: Position
    searches: tuple[tuple[str, Search], ...]
    rng: Generator
    engine: str
    export: Path | None
    port: int
    browser: bool


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

    A method that a page cannot compute, such as AMAF, is refused. A file contains the moves of
    playouts too; for a long search, only those of the first and last iterations.
    """
    request = read_position(game, given['moves'], given['board']).bind_result(
        lambda place: Result.do(
            Request(position, (first, *second), rng, engine, export, port, not given['no_browser'])
            for position in to_running(place)
            for engine in to_engine(given['engine'])
            for first in to_search('--bot', given['bot'])
            for second in to_second(given['against'])
            for rng in to_generator(given['seed'], given['rng'])
            for export in to_export(given['export'])
            for port in to_port(given['port'])
        )
    )
    return carry_out(request, act)


def to_search(option: str, spec: str) -> Result[tuple[str, Search], str]:
    """The search that an option named, with that name."""

    def known(bot: Any) -> Result[tuple[str, Search], str]:
        if not isinstance(bot, MctsBot):
            return Failure(f'{option} {shown(spec)}: expected a tree search, such as mcts:1000')
        try:
            rules_of(bot.search)
        except ReplayError as error:
            return Failure(f'{option} {shown(spec)}: {error}')
        return Success((spec.strip(), bot.search))

    return named_player(spec).bind(known)


def to_second(spec: str | None) -> Result[tuple[tuple[str, Search], ...], str]:
    """The search of --against, if there is one."""
    if spec is None:
        return Success(())
    return to_search('--against', spec).map(lambda found: (found,))


def to_export(text: str | None) -> Result[Path | None, str]:
    """The new file of --export; without it a library that serves the page is needed."""
    if text is None:
        return installed('bottle', 'explore').map(lambda _: None)
    if not text.lower().endswith(KINDS):
        return Failure(f'--export must name a .html file, not {shown(text)}')
    return to_new_file('--export', text)


def to_port(text: str) -> Result[int, str]:
    """The port of --port; 0 is any that is free."""
    return to_whole('--port', text).bind(
        lambda port: (
            Success(port)
            if port <= LAST_PORT
            else Failure(f'--port must be at most {LAST_PORT}, not {port}')
        )
    )


def act(request: Request) -> int:
    """Search, and write or serve the page."""
    try:
        with Progress() as progress:
            total = sum(search.iterations for _, search in request.searches)
            answers = answers_to(request, within_memory(progress.watching('searching', total)))
            page = answers.page(served=False)
        progress.next = math.inf  # what is searched while the page is served shows no bar
    except ReplayError as error:
        complain(str(error))
        return BAD_INPUT
    if request.export is not None:
        size = page.save(request.export)
        click.echo(f'{request.export}: {size:,} bytes')
        return DONE
    serve(served(answers, request.port), browser=request.browser)
    return DONE


def answers_to(request: Request, watch: Any) -> Answers:
    """Return what the page may ask."""
    position, game = request.position, request.position.game
    base = Position(game, game.start) if position.moves else position

    def read(text: str) -> Place:
        found = play_line(base, text, 'moves')
        if isinstance(found, Failure):
            raise AskError(found.failure())
        return place_of(found.unwrap())

    return Answers(
        game,
        place_of(position),
        request.searches,
        request.rng,
        request.engine,
        read,
        watch,
    )


def place_of(position: Position) -> Place:
    """Return a position with the words of its moves."""
    return Place(position.state, tuple(map(position.game.format_move, position.moves)))


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
