"""`fmcts verify`: recorded matches, played again and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import click
from attrs import frozen
from returns.io import IOResult
from returns.iterables import Fold
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

    @classmethod
    def of(cls, path: Path, engine: str) -> Result[Self, str]:
        """The match that a file holds, whose bots play by that engine."""
        return Result.do(
            cls(path, recorded, game, match)
            for recorded in read(path)
            for game, match in match_of(recorded.head, engine).alt(lambda why: f'{path}: {why}')
        )


EXAMPLES = options.examples(
    'fmcts verify games.jsonl',
    'fmcts verify games.jsonl --engine persistent',
    'fmcts verify tournament > /dev/null && echo all hold',
)


@click.command('verify', short_help='Play recorded matches again and compare.', epilog=EXAMPLES)
@click.argument('file', metavar='FILE...', nargs=-1, required=True)
@options.engine
def command(file: tuple[str, ...], *, engine: str) -> int:
    """Play every game in each FILE again, and compare each move and generator.

    A FILE is what `fmcts match --out FILE` wrote, or the folder that `fmcts tournament --out` or
    `fmcts curve --out` filled. Any engine plays the same.

    Exit code: 0 when all holds, 1 when something differs.
    """
    requests = IOResult.from_result(
        to_engine(engine).bind(
            lambda name: Fold.collect(
                [Request.of(path, name) for one in file for path in files_of(Path(one))],
                Success(()),
            )
        )
    )
    return carry_out(requests, act)


def files_of(path: Path) -> list[Path]:
    """The files with games in a folder, in the order of their numbers; of a file, that one."""
    found = sorted(path.glob('*.jsonl'), key=lambda it: (len(it.name), it.name))
    return found or [path]


def act(requests: tuple[Request, ...]) -> int:
    """Compare, and say what was found in each file."""
    several = len(requests) > 1
    return max([compared(it, f'{it.path}: ' if several else '') for it in requests])


def compared(request: Request, heading: str) -> int:
    """Compare one file, and say what was found after the heading."""
    count = len(request.recorded.lines)
    with Progress() as progress:
        watch = progress.watching('games compared', count)
        found = verify(request.recorded, request.match, request.game, watch)
    if isinstance(found, Failure):
        complain(f'{request.path}: {found.failure()}')
        return BROKEN_OFF
    Screen.of_output().show(Line(f'{heading}{found.unwrap()} games hold, move by move'))
    return DONE
