"""`fmcts verify`: repeat recorded matches and searches, and compare."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Self

import click
from attrs import evolve, frozen
from returns.io import IOResult
from returns.iterables import Fold
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.bots._bot import AnalysingBot
from fmcts.bots._presets import AnyBot
from fmcts.cli import _options as options
from fmcts.cli._bundle import is_bundle, unpacked
from fmcts.cli._ending import BAD_INPUT, BROKEN_OFF, DONE, carry_out
from fmcts.cli._inputs import (
    Generator,
    Position,
    play_line,
    to_bot,
    to_engine,
    to_root_moves,
    to_running,
)
from fmcts.cli._named import named_game
from fmcts.cli._progress import Progress, decide
from fmcts.cli._recorded import match_of
from fmcts.cli._screen import Screen, complain
from fmcts.games import GameModule
from fmcts.history import parting
from fmcts.history.receipts import Receipt, history_of, is_receipt, parse, receipt
from fmcts.matches import Match
from fmcts.matches._files import Recorded, bytes_of, read
from fmcts.matches._verification import verify
from fmcts.rng import parse as parse_rng
from fmcts.view._parts import Line


@frozen
class Request:
    """A file of games, and the match to play again."""

    path: Path
    recorded: Recorded
    game: GameModule
    match: Match

    @classmethod
    def of(cls, path: Path, engine: str) -> Result[Self, str]:
        """Return the match recorded in a file, with its bots on `engine`."""
        return Result.do(
            cls(path, recorded, game, match)
            for recorded in read(path)
            for game, match in match_of(recorded.head, engine).alt(lambda why: f'{path}: {why}')
        )


@frozen
class Search:
    """A receipt, and the search to run again."""

    path: Path
    receipt: Receipt
    position: Position
    bot: AnalysingBot
    rng: Generator
    root_moves: tuple[int, ...] | None

    @classmethod
    def of(cls, path: Path, content: bytes, engine: str) -> Result[Self, str]:
        """Return the search that a receipt names, on `engine`."""
        return Result.do(
            cls(path, receipt, position, bot, rng, root_moves)
            for receipt in parse(content)
            for game in named_game(receipt.game)
            for position in position_of(game, receipt)
            for _ in to_running(position)
            for bot in to_bot(receipt.bot, engine).bind(receipt.with_answers).bind(to_analysing)
            for rng in parse_rng(receipt.rng)
            for root_moves in to_root_moves(
                position, bot, None if receipt.root_moves is None else ','.join(receipt.root_moves)
            )
        ).alt(lambda why: f'{path}: {why}')


def position_of(game: GameModule, receipt: Receipt) -> Result[Position, str]:
    """Return the position that a receipt names."""
    if receipt.board is not None:
        return game.parse(receipt.board).map(lambda state: Position(game, state))
    return play_line(Position(game, game.start), ','.join(receipt.moves or ()), 'moves')


def to_analysing(bot: AnyBot) -> Result[AnalysingBot, str]:
    """Return the bot if it has an analysis."""
    if isinstance(bot, AnalysingBot):
        return Success(bot)
    return Failure('its bot has no analysis: expected a bot that searches, such as mcts')


def request_of(path: Path, engine: str) -> Result[Request | Search, str]:
    """Return what to repeat and compare for a file."""
    content = bytes_of(path).value_or(None)
    if content is not None and is_receipt(content):
        return Search.of(path, content, engine)
    return Request.of(path, engine)


EXAMPLES = options.examples(
    'fmcts verify games.jsonl',
    'fmcts verify games.jsonl --engine persistent',
    'fmcts verify tournament > /dev/null && echo all hold',
    'fmcts verify receipt.json',
    'fmcts verify paper.zip',
    'fmcts verify one.json two.json --parting',
)


@click.command(
    'verify',
    short_help='Play recorded matches, or search receipts, again and compare.',
    epilog=EXAMPLES,
)
@click.argument('file', metavar='FILE...', nargs=-1, required=True)
@click.option('--parting', 'parts', is_flag=True, help='Compare the searches of two receipts.')
@options.engine
def command(file: tuple[str, ...], *, parts: bool, engine: str) -> int:
    """Play every game in each FILE again, and compare each move and generator.

    A FILE is written by `fmcts match --out FILE`, a folder by `fmcts tournament --out` or `fmcts
    curve --out`, a FILE.zip by the option --bundle of these commands: its games are played with
    the modules in it. A receipt, written by `fmcts move --receipt FILE`, is checked by running its
    search again and comparing the digest. The result does not depend on the engine.

    With --parting the searches of two receipts are compared: the first iteration that differs, the
    moves that they chose there, and the term of the score that made the difference.

    Exit code: 0 when everything agrees, 1 when something differs.
    """
    with ExitStack() as stack:
        requests = IOResult.from_result(
            to_engine(engine).bind(
                lambda name: Fold.collect(
                    [
                        it
                        for one in file
                        for it in requests_of(Path(one), name, stack, alone=len(file) == 1)
                    ],
                    Success(()),
                )
            )
        )
        if parts:
            return carry_out(requests, lambda found: compare_searches(found, engine))
        return carry_out(requests, act)


def requests_of(
    path: Path, engine: str, stack: ExitStack, *, alone: bool
) -> list[Result[Request | Search, str]]:
    """Return what to repeat and compare for a file, a folder or a bundle."""
    if not is_bundle(path):
        return [request_of(one, engine) for one in files_of(path)]
    found = unpacked(path, stack, alone=alone)
    if not is_successful(found):
        return [Failure(found.failure())]
    return [_of_bundle(path, one, engine) for one in found.unwrap()]


def _of_bundle(path: Path, one: Path, engine: str) -> Result[Request | Search, str]:
    """Return what to repeat for a file of a bundle, which errors call by its name there."""
    name = f'{path}: {one.name}'
    return (
        request_of(one, engine)
        .map(partial(_called, name))
        .alt(lambda why: why.replace(str(one), name))
    )


def _called(name: str, request: Request | Search) -> Request | Search:
    """Return the request with another name for its file."""
    return evolve(request, path=Path(name))


def files_of(path: Path) -> list[Path]:
    """Return the files with games in a folder, in numerical order; of a file, the file itself."""
    found = sorted(path.glob('*.jsonl'), key=lambda it: (len(it.name), it.name))
    return found or [path]


def act(requests: tuple[Request | Search, ...]) -> int:
    """Compare each file, and print what was found."""
    several = len(requests) > 1
    return max([judged(it, f'{it.path}: ' if several else '') for it in requests])


def compare_searches(requests: tuple[Request | Search, ...], engine: str) -> int:
    """Say where the searches of two receipts part."""
    searches = [it for it in requests if isinstance(it, Search)]
    if len(requests) != 2 or len(searches) != 2:
        complain('--parting needs two files, and both must be receipts')
        return BAD_INPUT
    histories = []
    for it in searches:
        try:
            histories.append(history_of(it.receipt, it.position.game, engine))
        except ValueError as error:
            complain(f'{it.path}: {error}')
            return BAD_INPUT
    try:
        found = parting(*histories)
    except ValueError as error:
        complain(str(error))
        return BAD_INPUT
    write = searches[0].position.game.format_move
    same = 'the two searches are the same'
    Screen.of_output().show(Line(same if found is None else found.told(write)))
    return DONE if found is None else BROKEN_OFF


def judged(request: Request | Search, heading: str) -> int:
    """Compare one file, and print what was found after the heading."""
    if isinstance(request, Search):
        return searched_again(request, heading)
    return compared(request, heading)


def searched_again(request: Search, heading: str) -> int:
    """Run the search that a receipt names, and print whether the receipt holds."""
    there, position = request.receipt, request.position
    with Progress() as progress:
        _, analysis, after = decide(
            request.bot, position.state, request.rng, progress, root_moves=request.root_moves
        )
    if analysis is None:
        raise TypeError(f'{type(request.bot).__name__} gave no analysis')
    here = receipt(
        position.game, there.bot, request.rng, analysis, after, root_moves=request.root_moves
    )
    wrong = there.difference(here)
    if wrong is not None:
        complain(f'{request.path}: {wrong}{there.explanation(here)}')
        return BROKEN_OFF
    Screen.of_output().show(Line(f'{heading}the receipt holds, digest {there.digest}'))
    return DONE


def compared(request: Request, heading: str) -> int:
    """Compare one file of games, and print what was found after the heading."""
    count = len(request.recorded.lines)
    with Progress() as progress:
        watch = progress.watching('games compared', count)
        found = verify(request.recorded, request.match, request.game, watch)
    if isinstance(found, Failure):
        complain(f'{request.path}: {found.failure()}')
        return BROKEN_OFF
    Screen.of_output().show(Line(f'{heading}{found.unwrap()} games hold, move by move'))
    return DONE
