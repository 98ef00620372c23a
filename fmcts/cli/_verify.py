"""`fmcts verify`: repeat recorded matches and searches, and compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
from attrs import frozen

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
from fmcts.matches import bytes_of, match_of, read, verify
from fmcts.search import Watch
from fmcts.view import Sentence

ZIP: Final = b'PK\x03\x04'
"""The first bytes of a ZIP archive."""


@frozen
class Repeat:
    """What to repeat for a file: what to show meanwhile, and the function that compares in words.

    That raises ValueError if something differs. `search` is the search of a receipt.
    """

    label: str
    total: int
    compare: Callable[[Watch], str]
    search: NamedSearch | None = None


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


def repeat(name: str, it: Repeat, *, several: bool, made_with: str = '') -> int:
    """Repeat the games or the search of a file, print what was found, and return the exit code."""
    try:
        with Progress() as progress:
            result = it.compare(progress.watching(it.label, it.total))
    except ValueError as error:
        complain(f'{name}: {error}{made_with}')
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
                games = read_games(one, engine)
            except ValueError as error:
                raise ValueError(str(error).replace(str(one), name)) from None
            more = several or len(files) > 1
            codes.append(repeat(name, games, several=more, made_with=made_with))
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


def read_file(path: Path, engine: str) -> Repeat:
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
        search = search_of(receipt, recorded_game(receipt.game), bots_on(engine))
    return Repeat('searching', receipt.iterations, search.repeat, search)


def read_games(path: Path, engine: str) -> Repeat:
    """Return the match recorded in a file, with its bots on `engine`.

    :raises ValueError: it is not a match file, or names what is not there.
    """
    recorded = read(path)
    with within(str(path)):
        game = recorded_game(recorded.head.game)
        match = match_of(recorded.head, game, bots_on(engine))
    compare = partial(verify, recorded, match, game)
    return Repeat('games compared', len(recorded.lines), compare)


def recorded_game(name: str) -> GameModule:
    """Return the game that a file names; a command of a file is not run unless `--run` is given.

    :raises ValueError: it names none, or a command.
    """
    if name.startswith(COMMAND) and not click.get_current_context().params['run']:
        raise ValueError(f'its game is a command, {shown(name)}, which only --run would run')
    return named_game(name)


def bots_on(engine: str) -> Callable[[str], AnyBot]:
    """Return a function to the bots that specs name, which search on `engine`."""
    return lambda spec: to_bot(spec).bot(engine)


def compare_searches(files: Sequence[tuple[str, Repeat]], engine: str) -> int:
    """Print where the searches of two receipts diverge."""
    searches = [(name, it.search) for name, it in files if it.search is not None]
    if len(files) != 2 or len(searches) != 2:
        raise click.UsageError('--parting needs two files, and both must be receipts')
    histories = []
    for name, search in searches:
        with usage(f'{name}: '):
            histories.append(search.history(engine))
    with usage():
        found = parting_of(*histories)
    same = 'the two searches are the same'
    show(Sentence(same if found is None else found.in_words(searches[0][1].game.format_move)))
    return DONE if found is None else NEGATIVE
