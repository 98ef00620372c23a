"""`fmcts verify`: recorded matches, played again and compared."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import frozen
from returns.io import IOResult
from returns.result import Failure, Result, Success

from fmcts.cli import options
from fmcts.cli.ending import BROKEN_OFF, DONE, carry_out
from fmcts.cli.inputs import to_engine
from fmcts.cli.progress import Progress
from fmcts.cli.recorded import match_of
from fmcts.cli.screen import Screen, complain
from fmcts.games import GameModule
from fmcts.matches import Match
from fmcts.matches.files import Recorded, read
from fmcts.matches.verification import verify
from fmcts.view.parts import Line

__all__ = ['command']


@frozen
class Request:
    """What is asked for."""

    path: Path
    recorded: Recorded
    game: GameModule
    match: Match


EXAMPLES = options.examples(
    'fmcts verify games.jsonl',
    'fmcts verify games.jsonl --engine persistent',
    'fmcts verify games.jsonl > /dev/null && echo all hold',
)


@click.command('verify', short_help='Play recorded matches again and compare.', epilog=EXAMPLES)
@click.argument('file', metavar='FILE')
@options.engine
def command(file: str, *, engine: str) -> int:
    """Play every game in FILE again, and compare each move and generator.

    FILE is what `fmcts match --out FILE` wrote. Any engine plays the same.

    Exit code: 0 when all holds, 1 when something differs.
    """
    path = Path(file)
    request = IOResult.from_result(
        Result.do(
            Request(path, recorded, game, match)
            for name in to_engine(engine)
            for recorded in there(path)
            for game, match in match_of(recorded.head, name).alt(lambda why: f'{path}: {why}')
        )
    )
    return carry_out(request, act)


def there(path: Path) -> Result[Recorded, str]:
    """What the file holds."""
    return read(path).bind(
        lambda found: Failure(f'{path}: there is no record') if found is None else Success(found)
    )


def act(request: Request) -> int:
    """Compare, and say what was found."""
    count = len(request.recorded.lines)
    with Progress() as progress:
        watch = progress.watching('games compared', count)
        found = verify(request.recorded, request.match, request.game, watch)
    if isinstance(found, Failure):
        complain(f'{request.path}: {found.failure()}')
        return BROKEN_OFF
    Screen.of_output().show(Line(f'{found.unwrap()} games hold, move by move'))
    return DONE
