"""`fmcts verify`: repeat recorded matches and searches, and compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import click
from attrs import evolve, frozen

from fmcts._arguments import shown, value_of, within
from fmcts.bots import AnyBot
from fmcts.cli import _types as types
from fmcts.cli._bundle import is_bundle, unpacked
from fmcts.cli._named import COMMAND, named_game
from fmcts.cli._progress import Progress
from fmcts.cli._screen import complain, show
from fmcts.cli._types import DONE, NEGATIVE, to_bot, usage
from fmcts.games import GameModule
from fmcts.history import parting as parting_of
from fmcts.history.receipts import NamedSearch, is_receipt, parse, search_of
from fmcts.matches import Match, Recorded, bytes_of, changes, match_of, read, verify
from fmcts.view import Sentence

ZIP: Final = b'PK\x03\x04'
"""The first bytes of a ZIP archive."""


@frozen
class Games:
    """A file of games, and the match to play again.

    `made_with` has the versions in a file's bundle that differ from those here, for an error.
    """

    recorded: Recorded
    game: GameModule
    match: Match
    made_with: str = ''

    def repeated(self, progress: Progress) -> str:
        """Play the games again, and return in words that they are the recorded ones.

        :raises ValueError: they are not.
        """
        watch = progress.watching('games compared', len(self.recorded.lines))
        try:
            count = verify(self.recorded, self.match, self.game, watch)
        except ValueError as error:
            raise ValueError(f'{error}{self.made_with}') from None
        time = '; the time of a move cannot be verified' if self.match.seconds is not None else ''
        end = changes(self.recorded.head, self.match, self.game)
        return f'{count} games hold, move by move{time}{end}'


File: TypeAlias = tuple[str, Games | NamedSearch]
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

    A FILE is written by `fmcts match --out FILE`, a folder by --out of `fmcts tournament`,
    `curve` and `sweep`, a FILE.zip by --bundle of these commands: its games are played with the
    modules in it, which runs their code. A receipt, written by `fmcts move --receipt FILE`, is
    checked by running its search again and comparing the digest. The result does not depend on the
    engine.

    A game or bot that a file names as MODULE:NAME is imported from this machine. A command that a
    file names as its game (cmd:...) may be any, so it is run only with --run.

    With --parting the searches of two receipts are compared: the first iteration that differs, the
    moves that they chose there, and the term of the score that made the difference.

    Exit code: 0 when everything agrees, 1 when something differs.
    """
    del run  # `recorded_game` asks for it
    with usage():  # all are read before one is repeated, which may take hours
        found = [(str(it), read_file(it, engine)) for path in file for it in files_of(path)]
    if parting:
        return compare_searches(found, engine)
    several = len(found) + sum(map(is_bundle, file)) > 1
    codes = [repeat(name, it, several=several) for name, it in found]
    for path in filter(is_bundle, file):
        codes += verify_bundle(path, engine, several=several)
    return max(codes)


def repeat(name: str, it: Games | NamedSearch, *, several: bool) -> int:
    """Repeat the games or the search of a file, print what was found, and return the exit code."""
    try:
        with Progress() as progress:
            if isinstance(it, Games):
                result = it.repeated(progress)
            else:
                result = it.repeat(progress.watching('searching', it.receipt.iterations))
    except ValueError as error:
        complain(f'{name}: {error}')
        return NEGATIVE
    show(Sentence(f'{name}: ' * several + result))
    return DONE


def verify_bundle(path: Path, engine: str, *, several: bool) -> list[int]:
    """Repeat the games of each file of a bundle by the modules in it; return the exit codes."""
    codes = []
    with usage(), unpacked(path) as (files, made_with):
        for one in files:
            name = f'{path}: {one.name}'
            try:
                games = evolve(read_games(one, engine), made_with=made_with)
            except ValueError as error:
                raise ValueError(str(error).replace(str(one), name)) from None
            codes.append(repeat(name, games, several=several or len(files) > 1))
    return codes


def files_of(path: Path) -> list[Path]:
    """Return the files with games in a folder, in numerical order; of a file, the file itself.

    A bundle has none: its code is run when its turn comes.

    :raises ValueError: a folder has no such file.
    """
    if is_bundle(path):
        return []
    found = sorted(path.glob('*.jsonl'), key=lambda it: (len(it.name), it.name))
    if path.is_dir() and not found:
        raise ValueError(f'{path}: the folder has no .jsonl file, as --out FOLDER writes them')
    return found or [path]


def read_file(path: Path, engine: str) -> Games | NamedSearch:
    """Return what to repeat and compare for a file, on `engine`.

    :raises ValueError: it is neither a match file nor a receipt, or names what is not there.
    """
    content = bytes_of(path) or b''
    if content.startswith(ZIP):
        raise ValueError(
            f'{path}: is a ZIP archive: a bundle, whose code is run, is named FILE.zip'
        )
    if not is_receipt(content):
        if content and b'\n' not in content:
            raise ValueError(f'{path}: is not a match file or a receipt: it has no complete line')
        return read_games(path, engine)
    with within(str(path)):
        receipt = value_of(parse(content))
        return search_of(receipt, recorded_game(receipt.game), bots_on(engine))


def recorded_game(name: str) -> GameModule:
    """Return the game that a file names; a command of a file is not run unless `--run` is given.

    :raises ValueError: it names none, or a command.
    """
    if name.startswith(COMMAND) and not click.get_current_context().params['run']:
        raise ValueError(f'its game is a command, {shown(name)}, which only --run would run')
    return named_game(name)


def read_games(path: Path, engine: str) -> Games:
    """Return the match recorded in a file, with its bots on `engine`.

    :raises ValueError: it is not a match file, or names what is not there.
    """
    recorded = read(path)
    with within(str(path)):
        game = recorded_game(recorded.head.game)
        return Games(recorded, game, match_of(recorded.head, game, bots_on(engine)))


def bots_on(engine: str) -> Callable[[str], AnyBot]:
    """Return a function to the bots that specs name, which search on `engine`."""
    return lambda spec: to_bot(spec).bot(engine)


def compare_searches(files: Sequence[File], engine: str) -> int:
    """Print where the searches of two receipts diverge."""
    searches = [(name, it) for name, it in files if isinstance(it, NamedSearch)]
    if len(files) != 2 or len(searches) != 2:
        raise click.UsageError('--parting needs two files, and both must be receipts')
    histories = []
    for name, it in searches:
        with usage(f'{name}: '):
            histories.append(it.history(engine))
    with usage():
        found = parting_of(*histories)
    same = 'the two searches are the same'
    show(Sentence(same if found is None else found.in_words(searches[0][1].game.format_move)))
    return DONE if found is None else NEGATIVE
