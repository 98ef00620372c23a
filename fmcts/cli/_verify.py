"""`fmcts verify`: repeat recorded matches and searches, and compare."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeAlias

import click
from attrs import evolve, frozen
from returns.iterables import Fold
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.bots._bot import AnalysingBot
from fmcts.bots._presets import AnyBot
from fmcts.cli import _options as options
from fmcts.cli._bundle import Unpacking, is_bundle, unpacked
from fmcts.cli._ending import BAD_INPUT, DONE, NEGATIVE, EndedError, accepted
from fmcts.cli._inputs import (
    Generator,
    Position,
    play_line,
    to_bot,
    to_engine,
    to_root_moves,
    to_running,
)
from fmcts.cli._matches import match_of
from fmcts.cli._named import named_game
from fmcts.cli._progress import Progress, decide
from fmcts.cli._screen import Screen, complain
from fmcts.games import GameModule
from fmcts.history import parting
from fmcts.history.receipts import Receipt, history_of, is_receipt, parse, receipt
from fmcts.matches import Match
from fmcts.matches._files import Recorded, bytes_of, read
from fmcts.matches._verification import changes, verify
from fmcts.rng import parse as parse_rng
from fmcts.view._parts import Sentence


@frozen
class Games:
    """A file of games, and the match to play again.

    `made_with` has the versions in a file's bundle that differ from those here, for an error.
    """

    recorded: Recorded
    game: GameModule
    match: Match
    made_with: str = ''


@frozen
class Search:
    """A receipt, and the search to run again."""

    receipt: Receipt
    position: Position
    bot: AnalysingBot
    rng: Generator
    root_moves: tuple[int, ...] | None


ZIP: Final = b'PK\x03\x04'
"""The first bytes of a ZIP archive."""

File: TypeAlias = tuple[str, Games | Search]
"""A file by the name that messages call it, and what to repeat for it."""


def read_file(path: Path, engine: str) -> Result[File, str]:
    """Return what to repeat and compare for a file, on `engine`."""
    content = bytes_of(path).value_or(None)
    found: Result[Games | Search, str]
    if content is not None and is_receipt(content):
        found = read_receipt(content, engine).alt(lambda why: f'{path}: {why}')
    elif content is not None and content.startswith(ZIP):
        found = Failure(f'{path}: is a ZIP archive: a bundle, whose code is run, is named FILE.zip')
    else:
        found = read_games(path, engine)
    return found.map(lambda it: (str(path), it))


def read_games(path: Path, engine: str) -> Result[Games, str]:
    """Return the match recorded in a file, with its bots on `engine`."""
    return Result.do(
        Games(recorded, game, match)
        for recorded in read(path)
        for game, match in match_of(recorded.head, engine).alt(lambda why: f'{path}: {why}')
    )


def read_receipt(content: bytes, engine: str) -> Result[Games | Search, str]:
    """Return the search that a receipt names, on `engine`."""
    return Result.do(
        Search(receipt, position, bot, rng, root_moves)
        for receipt in parse(content)
        for game in named_game(receipt.game)
        for position in position_of(game, receipt).bind(to_running)
        for bot in to_bot(receipt.bot, engine).bind(receipt.with_answers).bind(to_analysing)
        for rng in parse_rng(receipt.rng)
        for root_moves in to_root_moves(
            position, bot, None if receipt.root_moves is None else ','.join(receipt.root_moves)
        )
    )


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
    the modules in it, which runs their code. A receipt, written by `fmcts move --receipt FILE`, is
    checked by running its search again and comparing the digest. The result does not depend on the
    engine.

    A game or bot that a file names as MODULE:NAME is imported from this machine.

    With --parting the searches of two receipts are compared: the first iteration that differs, the
    moves that they chose there, and the term of the score that made the difference.

    Exit code: 0 when everything agrees, 1 when something differs.
    """
    with ExitStack() as stack:
        name = accepted(to_engine(engine))
        paths = [*map(Path, file)]
        unpacking = Unpacking(stack, only_bundles=all(map(is_bundle, paths)))
        found = [it for path in paths for it in read_files(path, name, unpacking)]
        files: tuple[File, ...] = accepted(Fold.collect(found, Success(())))
        if parts:
            return compare_searches(files, name)
        return max([repeated(it, several=len(files) > 1) for it in files])


def read_files(path: Path, engine: str, unpacking: Unpacking) -> list[Result[File, str]]:
    """Return what to repeat and compare for a file, a folder or a bundle."""
    if not is_bundle(path):
        return [read_file(one, engine) for one in files_of(path)]
    found = unpacked(path, unpacking)
    if not is_successful(found):
        return [Failure(found.failure())]
    files, made_with = found.unwrap()
    return [_of_bundle(path, one, made_with, engine) for one in files]


def _of_bundle(path: Path, one: Path, made_with: str, engine: str) -> Result[File, str]:
    """Return what to repeat for a file of a bundle, which messages call by its name recorded."""
    name = f'{path}: {one.name}'
    found = read_games(one, engine).alt(lambda why: why.replace(str(one), name))
    return found.map(lambda games: (name, evolve(games, made_with=made_with)))


def files_of(path: Path) -> list[Path]:
    """Return the files with games in a folder, in numerical order; of a file, the file itself."""
    found = sorted(path.glob('*.jsonl'), key=lambda it: (len(it.name), it.name))
    return found or [path]


def repeated(file: File, *, several: bool) -> int:
    """Repeat the games or the search of one of `several` files, and print what was found."""
    name, it = file
    with Progress() as progress:
        found = search_again(it, progress) if isinstance(it, Search) else play_again(it, progress)
    if not is_successful(found):
        complain(f'{name}: {found.failure()}')
        return NEGATIVE
    Screen.of_output().show(Sentence(f'{name}: ' * several + found.unwrap()))
    return DONE


def search_again(it: Search, progress: Progress) -> Result[str, str]:
    """Run the search that a receipt names, and return whether the receipt holds."""
    _, analysis, after = decide(
        it.bot, it.position.state, it.rng, progress, root_moves=it.root_moves
    )
    if analysis is None:
        raise TypeError(f'{type(it.bot).__name__} gave no analysis')
    recorded, game = it.receipt, it.position.game
    found = receipt(game, recorded.bot, it.rng, analysis, after, root_moves=it.root_moves)
    wrong = recorded.difference(found)
    if wrong is not None:
        return Failure(f'{wrong}{recorded.explanation(found)}')
    return Success(f'the receipt holds, digest {recorded.digest}{recorded.explanation(found)}')


def play_again(it: Games, progress: Progress) -> Result[str, str]:
    """Play the games of a file, and return whether they are the recorded ones."""
    watch = progress.watching('games compared', len(it.recorded.lines))
    found = verify(it.recorded, it.match, it.game, watch)
    time = '; the time of a move cannot be verified' if it.match.seconds is not None else ''
    return found.alt(lambda why: f'{why}{it.made_with}').map(
        lambda count: (
            f'{count} games hold, move by move{time}{changes(it.recorded.head, it.match, it.game)}'
        )
    )


def compare_searches(files: tuple[File, ...], engine: str) -> int:
    """Print where the searches of two receipts diverge."""
    searches = [(name, it) for name, it in files if isinstance(it, Search)]
    if len(files) != 2 or len(searches) != 2:
        raise EndedError(BAD_INPUT, '--parting needs two files, and both must be receipts')
    histories = []
    for name, it in searches:
        try:
            histories.append(history_of(it.receipt, it.position.game, engine))
        except ValueError as error:
            raise EndedError(BAD_INPUT, f'{name}: {error}') from None
    try:
        found = parting(*histories)
    except ValueError as error:
        raise EndedError(BAD_INPUT, str(error)) from None
    write = searches[0][1].position.game.format_move
    same = 'the two searches are the same'
    Screen.of_output().show(Sentence(same if found is None else found.in_words(write)))
    return DONE if found is None else NEGATIVE
