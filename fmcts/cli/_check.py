"""`fmcts check`: test a user's own game, bot or simulator against the laws."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Result

from fmcts._arguments import amount, shown, value_of
from fmcts.cli import _types as types
from fmcts.cli._named import COMMAND, load_named
from fmcts.cli._progress import Progress
from fmcts.cli._screen import answer
from fmcts.cli._types import COUNT, DONE, NEGATIVE, NUMBER, Generator
from fmcts.game import is_plain
from fmcts.games import CHANCE_GAMES, FAMILIES, GAMES, Unwritten, find_game
from fmcts.testing import (
    BOT_LAWS,
    CHANCE_LAWS,
    GAME_LAWS,
    SAME_LAWS,
    SIMULATOR_LAWS,
    Breach,
    Law,
    Passed,
    check_bot,
    check_game,
    check_simulator,
    same_game,
)
from fmcts.view import Facts, Listing, Part, Sentence

STATE: Final = ('player', 'moves', 'over', 'winner', 'play')


@frozen
class Named:
    """A value of the user's, and the text that names it."""

    text: str
    value: Any

    def as_game(self) -> dict[str, Any] | None:
        """Return the arguments of `check_game`: a start, and its text format if it has one.

        `None` if the value is not a game. The laws report one or two missing members themselves.
        """
        start = getattr(self.value, 'start', self.value)
        missing = [name for name in STATE if not hasattr(start, name)]
        if isinstance(start, type) or len(missing) > 2:
            return None
        if not isinstance(self.value, Unwritten):
            for holder in (self.value, sys.modules.get(self.text.partition(':')[0])):
                parse, write = getattr(holder, 'parse', None), getattr(holder, 'format', None)
                if callable(parse) and callable(write):
                    return {'start': start, 'text': (parse, write)}
        return {'start': start}


def to_value(text: str) -> Named:
    """Return what `text` names: a game of the library, a family, MODULE:NAME or cmd:COMMAND.

    :raises ValueError: it names nothing.
    """
    known = text in GAMES or text.partition(':')[0] in (*FAMILIES, *CHANCE_GAMES)
    return Named(text, value_of(find_game(text)) if known else load_named(text))


VALUE: Final = types.Parsed('MODULE:NAME', to_value)
OF_BOT: Final = types.Parsed('GAME', to_value)


@frozen
class Subject:
    """A thing to check: its name, its kind, its laws, and the function that checks them."""

    name: str
    kind: str
    laws: tuple[Law[Any], ...]
    check: Callable[..., Result[Passed, Breach]]


@types.command(
    'check',
    'Check the laws of a game, a bot or a simulator of your own.',
    'fmcts check fmcts.games:connect4',
    'fmcts check mygame:start --positions 1000 --games 200',
    'fmcts check mygame:bot --game mygame:start --json',
    'fmcts check mygame:start --same connect4',
)
@click.argument('named', metavar='MODULE:NAME', type=VALUE)
@types.option('--game', OF_BOT, 'For a bot: the game it plays, also as MODULE:NAME.')
@types.option('--same', OF_BOT, 'For a game: another implementation, to be played in step.')
@types.option('--positions', COUNT, 'How many positions to check.')
@types.option('--games', NUMBER, 'For a game: how many random games to check.')
@types.option('--coverage', None, 'For a game: say which lines of its module never ran.')
@click.option('--without', metavar='LAW', multiple=True, help='Skip this law.')
@types.generator
@types.json
def check_command(
    named: Named,
    game: Named | None,
    same: Named | None,
    positions: int | None,
    games: int | None,
    without: tuple[str, ...],
    rng: Generator,
    *,
    coverage: bool,
    as_json: bool,
) -> int:
    """Check the laws of a game, a bot or a simulator of your own.

    MODULE:NAME is the initial state of a game, a game's module, a bot, or a simulator: a dictionary
    with reset, step and actions. Modules are looked up in the current directory first. A game may
    also be cmd:COMMAND, a program that speaks the protocol for games in any language. If MODULE has
    the functions parse and format, the text of positions is checked too.

    If laws are broken, the most important one is reported with a line of moves that breaks it, as
    short as can be found, and the others by name.

    Exit code: 0 when all laws hold, 1 when one is broken.
    """
    if coverage and (same or named.as_game() is None or named.text.startswith(COMMAND)):
        raise click.UsageError('--coverage is for the check of one game in Python')
    if same is not None and game is not None:
        types.exclude('--same', '--game')
    subject = to_pair(named, same) if same else to_subject(named, game, games)
    names = [law.name for law in subject.laws]
    for name in without:
        if name not in names:
            why = f'--without {shown(name)}: expected one of {", ".join(names)}'
            raise click.UsageError(why)
    of_games = {'games': None if subject.kind == 'bot' else games, 'coverage': coverage or None}
    options = {'positions': positions, **of_games}
    with Progress() as progress, TemporaryDirectory() as folder:
        os.environ.setdefault('HYPOTHESIS_STORAGE_DIRECTORY', folder)  # else it writes here
        result = subject.check(
            **{name: value for name, value in options.items() if value is not None},
            without=without,
            rng=rng,
            watch=progress.watching(f'laws of {subject.name}', None),
        )
    kept = is_successful(result)
    found = result.unwrap() if kept else result.failure()
    return answer(
        lambda: in_json(subject, found),
        lambda: report(subject, found),
        as_json=as_json,
        code=DONE if kept else NEGATIVE,
    )


def to_pair(named: Named, other: Named) -> Subject:
    """Return two implementations of a game to compare.

    :raises UsageError: one of them is not a game.
    """
    starts = []
    for it in (named, other):
        game = it.as_game()
        if game is None:
            raise click.UsageError(f'--same: {it.text} is not a game')
        starts.append(game['start'])
    name = f'{named.text} beside {other.text}'
    return Subject(name, 'game with two implementations', SAME_LAWS, partial(same_game, *starts))


def to_subject(named: Named, game: Named | None, games: int | None) -> Subject:
    """Return the game, bot or simulator to check.

    :raises UsageError: it is none of them, or an option does not fit.
    """
    text, value, as_game = named.text, named.value, named.as_game()
    simulates = isinstance(value, Mapping) and value.keys() >= {'reset', 'step', 'actions'}
    if game is not None and (as_game is not None or simulates):
        kind = 'simulator' if as_game is None else 'game'
        raise click.UsageError(f'--game: {text} is a {kind}; --game is for bots only')
    if as_game is not None:
        laws = GAME_LAWS if is_plain(as_game['start']) else CHANCE_LAWS
        return Subject(text, 'game', laws, partial(check_game, **as_game))
    if simulates:
        return Subject(text, 'simulator', SIMULATOR_LAWS, partial(check_simulator, **value))
    if isinstance(value, type) or not callable(value):
        raise click.UsageError(
            f'{text} is {shown(value)}: expected the initial state of a game (with '
            f'{", ".join(STATE)}), its module, a bot (state, rng) -> (move, rng), or a simulator '
            '(a dictionary with reset, step and actions)'
        )
    if games:
        raise click.UsageError(f'--games: {text} is a bot; --games is for games only')
    if game is None:
        why = f'{text} is a bot: name the game it plays, as in --game mygame:start'
        raise click.UsageError(why)
    played = game.as_game()
    if played is None:
        why = f'{game.text} is {shown(game.value)}: expected the initial state of a game'
        raise click.UsageError(f'--game: {why}')
    if played['start'].over:
        why = 'the game is over at its start: expected a state with moves'
        raise click.UsageError(f'--game: {why}')
    return Subject(text, 'bot', BOT_LAWS, partial(check_bot, value, played['start']))


def report(subject: Subject, found: Passed | Breach) -> Iterable[Part]:
    """Yield the report of a check, as parts of a page."""
    if isinstance(found, Breach):
        line = ' '.join(str(_move(move)) for move in found.line) or '(at the start)'
        others = ', '.join(it.law for it in found.others)
        facts = [('broken', found.law), ('line', line), ('found', found.found)]
        facts.append(('expected', found.expected))
        yield Facts((*facts, *((('also broken', others),) if others else ())))
        return
    sentences = {law.name: law.sentence for law in subject.laws}
    rows = [(law, f'{count:,}', sentences.get(law, '')) for law, count in found.cases if count]
    yield Listing(('law', 'cases', 'what must hold'), tuple(rows), prose=True)
    if found.left_out:
        yield Listing(('not checked', 'why'), found.left_out, prose=True)
    if found.never_run:
        yield Sentence(f'never run: {found.never_run}')
    cases = amount(found.total, 'case') + (f': {found.extent}' if found.extent else '')
    yield Sentence(
        f'{subject.name} keeps {amount(len(rows), "law")} of a {subject.kind} in {cases}',
        strong=True,
    )


def in_json(subject: Subject, found: Passed | Breach) -> dict[str, object]:
    """Return the report of a check as values for JSON."""
    head = {'checked': subject.name, 'kind': subject.kind, 'holds': isinstance(found, Passed)}
    if isinstance(found, Passed):
        left_out = [*map(list, found.left_out)]
        more = {'never_run': found.never_run} if found.never_run else {}
        return {**head, 'cases': dict(found.cases), 'left_out': left_out, **more, 'breach': None}
    breach = {
        'law': found.law,
        'expected': found.expected,
        'found': found.found,
        'line': [_move(move) for move in found.line],
        'others': [it.law for it in found.others],
    }
    return {**head, 'cases': None, 'left_out': None, 'breach': breach}


def _move(move: object) -> int | str:
    """Return a move as a value for JSON: an integer as it is, anything else as text."""
    return move if isinstance(move, int) and not isinstance(move, bool) else shown(move)
