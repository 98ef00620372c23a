"""`fmcts verify`: repeat recorded matches and searches, and compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import click
from attrs import evolve, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots import AnalysingBot, AnyBot
from fmcts.cli import _types as types
from fmcts.cli._bundle import is_bundle, unpacked
from fmcts.cli._named import COMMAND, named_game
from fmcts.cli._progress import Progress, decide
from fmcts.cli._screen import complain, show
from fmcts.cli._types import (
    DONE,
    NEGATIVE,
    Generator,
    StartPosition,
    accepted,
    play_line,
    to_bot,
    to_root_moves,
    to_running,
)
from fmcts.games import GameModule
from fmcts.history import parting as parting_of
from fmcts.history.receipts import Receipt, history_of, is_receipt, parse, receipt
from fmcts.matches import Match, Recorded, bytes_of, changes, match_of, read, verify
from fmcts.rng import parse as parse_rng
from fmcts.search import Analysis
from fmcts.view import Sentence


@frozen
class Games:
    """A file of games, and the match to play again.

    `made_with` has the versions in a file's bundle that differ from those here, for an error.
    """

    recorded: Recorded
    game: GameModule
    match: Match
    made_with: str = ''

    def repeated(self, progress: Progress) -> Result[str, str]:
        """Play the games again, and return whether they are the recorded ones."""
        head, match = self.recorded.head, self.match
        watch = progress.watching('games compared', len(self.recorded.lines))
        time = '; the time of a move cannot be verified' if match.seconds is not None else ''
        end = f'{time}{changes(head, match, self.game)}'
        found = verify(self.recorded, match, self.game, watch)
        return found.map(lambda count: f'{count} games hold, move by move{end}').alt(
            lambda why: f'{why}{self.made_with}'
        )


@frozen
class Search:
    """A receipt, and the search to run again."""

    receipt: Receipt
    position: StartPosition
    bot: AnalysingBot
    rng: Generator
    root_moves: tuple[int, ...] | None

    def repeated(self, progress: Progress) -> Result[str, str]:
        """Run the search again, and return whether the receipt holds."""
        moves = self.root_moves
        found = decide(self.bot, self.position.state, self.rng, progress, moves)
        analysis, after = cast('Analysis[int]', found[1]), found[2]
        recorded, game = self.receipt, self.position.game
        again = receipt(game, recorded.bot, self.rng, analysis, after, root_moves=moves)
        wrong, why = recorded.difference(again), recorded.explanation(again)
        if wrong is not None:
            return Failure(f'{wrong}{why}')
        return Success(f'the receipt holds, digest {recorded.digest}{why}')


ZIP: Final = b'PK\x03\x04'
"""The first bytes of a ZIP archive."""

File: TypeAlias = tuple[str, Games | Search]
"""A file by the name that messages call it, and what to repeat for it."""


@types.command(
    'verify',
    'Play recorded matches, or search receipts, again and compare.',
    'fmcts verify games.jsonl',
    'fmcts verify games.jsonl --engine persistent',
    'fmcts verify tournament > /dev/null && echo all hold',
    'fmcts verify receipt.json',
    'fmcts verify paper.zip',
    'fmcts verify one.json two.json --parting',
)
@click.argument('file', metavar='FILE...', nargs=-1, required=True, type=click.Path(path_type=Path))
@types.option('--parting', None, 'Compare the searches of two receipts.')
@types.option('--run', None, 'Run the command of a game that is named by one (cmd:...).')
@types.engine
def verify_command(file: tuple[Path, ...], engine: str, *, parting: bool, run: bool) -> int:
    """Play every game in each FILE again, and compare each move and generator.

    A FILE is written by `fmcts match --out FILE`, a folder by `fmcts tournament --out` or `fmcts
    curve --out`, a FILE.zip by the option --bundle of these commands: its games are played with
    the modules in it, which runs their code. A receipt, written by `fmcts move --receipt FILE`, is
    checked by running its search again and comparing the digest. The result does not depend on the
    engine.

    A game or bot that a file names as MODULE:NAME is imported from this machine. A command that a
    file names as its game (cmd:...) may be any, so it is run only with --run.

    With --parting the searches of two receipts are compared: the first iteration that differs, the
    moves that they chose there, and the term of the score that made the difference.

    Exit code: 0 when everything agrees, 1 when something differs.
    """
    del run  # `recorded_game` asks for it
    found = [accepted(read_file(it, engine)) for path in file for it in files_of(path)]
    if parting:
        return compare_searches(found, engine)
    several = len(found) + sum(map(is_bundle, file)) > 1
    codes = [repeat(name, it, several=several) for name, it in found]
    for path in filter(is_bundle, file):
        codes += verify_bundle(path, engine, several=several)
    return max(codes)


def repeat(name: str, it: Games | Search, *, several: bool) -> int:
    """Repeat the games or the search of a file, print what was found, and return the exit code."""
    with Progress() as progress:
        result = it.repeated(progress)
    if is_successful(result):
        show(Sentence(f'{name}: ' * several + result.unwrap()))
        return DONE
    complain(f'{name}: {result.failure()}')
    return NEGATIVE


def verify_bundle(path: Path, engine: str, *, several: bool) -> list[int]:
    """Repeat the games of each file of a bundle by the modules in it; return the exit codes."""

    def verified(one: Path, made_with: str, *, several: bool) -> int:
        name = f'{path}: {one.name}'
        games = read_games(one, engine).alt(lambda why: why.replace(str(one), name))
        return repeat(name, evolve(accepted(games), made_with=made_with), several=several)

    try:
        with unpacked(path) as (files, made_with):
            several = several or len(files) > 1
            return [verified(one, made_with, several=several) for one in files]
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def files_of(path: Path) -> list[Path]:
    """Return the files with games in a folder, in numerical order; of a file, the file itself.

    A bundle has none: its code is run when its turn comes.
    """
    if is_bundle(path):
        return []
    found = sorted(path.glob('*.jsonl'), key=lambda it: (len(it.name), it.name))
    return found or [path]


def read_file(path: Path, engine: str) -> Result[File, str]:
    """Return what to repeat and compare for a file, on `engine`."""
    content = bytes_of(path).value_or(None) or b''
    found: Result[Any, str]
    if is_receipt(content):
        found = read_receipt(content, engine).alt(lambda why: f'{path}: {why}')
    elif content.startswith(ZIP):
        found = Failure(f'{path}: is a ZIP archive: a bundle, whose code is run, is named FILE.zip')
    else:
        found = read_games(path, engine)
    return found.map(lambda it: (str(path), it))


def recorded_game(name: str) -> Result[GameModule, str]:
    """Return the game that a file names; a command of a file is not run unless `--run` is given."""
    if name.startswith(COMMAND) and not click.get_current_context().params['run']:
        return Failure(f'its game is a command, {shown(name)}, which only --run would run')
    return named_game(name)


def read_games(path: Path, engine: str) -> Result[Games, str]:
    """Return the match recorded in a file, with its bots on `engine`."""

    def bot_of(spec: str) -> Result[AnyBot, str]:
        return to_bot(spec).map(lambda found: found.bot(engine))

    def games_of(recorded: Recorded, head: Mapping[str, Any]) -> Result[Games, str]:
        known = recorded_game(head['game']).bind(
            lambda game: match_of(head, game, bot_of).map(lambda it: Games(recorded, game, it))
        )
        return known.alt(lambda why: f'{path}: {why}')

    return read(path).bind(lambda recorded: games_of(recorded, recorded.head))


def read_receipt(content: bytes, engine: str) -> Result[Search, str]:
    """Return the search that a receipt names, on `engine`."""
    return Result.do(
        Search(receipt, position, bot, rng, root_moves)
        for receipt in parse(content)
        for game in recorded_game(receipt.game)
        for position in position_of(game, receipt).bind(to_running)
        for spec in to_bot(receipt.bot)
        for bot in receipt.with_answers(spec.bot(engine)).bind(to_analysing)
        for rng in parse_rng(receipt.rng)
        for root_moves in to_root_moves(
            position, bot, None if receipt.root_moves is None else ','.join(receipt.root_moves)
        )
    )


def position_of(game: GameModule, receipt: Receipt) -> Result[StartPosition, str]:
    """Return the position that a receipt names."""
    if receipt.board is not None:
        return game.parse(receipt.board).map(lambda state: StartPosition(game, state))
    played = play_line(StartPosition(game, game.start), receipt.moves or ())
    return played.alt(lambda why: f'moves: {why}')


def to_analysing(bot: AnyBot) -> Result[AnalysingBot, str]:
    """Return the bot if it has an analysis."""
    if isinstance(bot, AnalysingBot):
        return Success(bot)
    return Failure('its bot has no analysis: expected a bot that searches, such as mcts')


def compare_searches(files: Sequence[File], engine: str) -> int:
    """Print where the searches of two receipts diverge."""
    searches = [(name, it) for name, it in files if isinstance(it, Search)]
    if len(files) != 2 or len(searches) != 2:
        raise click.UsageError('--parting needs two files, and both must be receipts')
    histories = []
    name = ''
    try:
        for file, it in searches:
            name = f'{file}: '
            histories.append(history_of(it.receipt, it.position.game, engine))
        name = ''
        found = parting_of(*histories)
    except ValueError as error:
        raise click.UsageError(f'{name}{error}') from None
    write = searches[0][1].position.game.format_move
    same = 'the two searches are the same'
    show(Sentence(same if found is None else found.in_words(write)))
    return DONE if found is None else NEGATIVE
