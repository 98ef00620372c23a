"""`fmcts check`: test a user's own game or bot against the laws."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

import click
from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import amount, shown
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, NEGATIVE, accepted
from fmcts.cli._inputs import Generator, to_count, to_generator
from fmcts.cli._named import load_named
from fmcts.cli._progress import Progress
from fmcts.cli._screen import answer
from fmcts.games import CHANCE_GAMES, FAMILIES, GAMES, Unwritten, find_game
from fmcts.search._watch import Watch
from fmcts.testing._laws.bots import BOT_LAWS, check_bot
from fmcts.testing._laws.cases import MEMBERS, is_general
from fmcts.testing._laws.games import CHANCE_LAWS, GAME_LAWS, check_game
from fmcts.testing._laws.law import Breach, Law, Passed
from fmcts.view._parts import Facts, Listing, Part, Sentence

STATE: Final = (*MEMBERS, 'play')


@frozen
class Subject:
    """A game or bot to check: its name, its kind, its laws, and the function that checks them."""

    name: str
    kind: str
    laws: tuple[Law[Any], ...]
    check: Callable[[Generator, Watch], Result[Passed, Breach]]


EXAMPLES = options.examples(
    'fmcts check fmcts.games:connect4',
    'fmcts check mygame:start --positions 1000 --games 200',
    'fmcts check mygame:bot --game mygame:start --json',
)


@click.command(
    'check', short_help='Check the laws of a game or a bot of your own.', epilog=EXAMPLES
)
@click.argument('named', metavar='MODULE:NAME')
@click.option('--game', metavar='GAME', help='For a bot: the game it plays, also as MODULE:NAME.')
@click.option('--positions', metavar='N', help='How many positions to check.')
@click.option('--games', metavar='N', help='For a game: how many random games to check.')
@click.option('--without', metavar='LAW', multiple=True, help='Skip this law.')
@options.generator
@options.json
def command(named: str, *, as_json: bool, **given: Any) -> int:
    """Check the laws of a game or a bot of your own.

    MODULE:NAME is the initial state of a game, a game's module, or a bot. Modules are looked up in
    the current directory first. If MODULE has the functions parse and format, the text of positions
    is checked too.

    If laws are broken, the most important one is reported with a line of moves that breaks it, as
    short as can be found, and the others by name.

    Exit code: 0 when all laws hold, 1 when one is broken.
    """
    numbers = {
        name: accepted(to_count(f'--{name}', given[name], least, digits=9))
        for name, least in (('positions', 1), ('games', 0))
        if given[name] is not None
    }
    subject = accepted(to_value(named).bind(lambda value: to_subject(named, value, given, numbers)))
    rng = accepted(to_generator(given['seed'], given['rng']))
    with Progress() as progress:
        result = subject.check(rng, progress.watching(f'laws of {subject.name}', None))
    kept = is_successful(result)
    found = result.unwrap() if kept else result.failure()
    return answer(
        lambda: in_json(subject, found),
        lambda: report(subject, found),
        as_json=as_json,
        code=DONE if kept else NEGATIVE,
    )


def to_value(text: str) -> Result[object, str]:
    """Return what `text` names: a game of the library, a family with sizes, or MODULE:NAME."""
    if text in GAMES or text.partition(':')[0] in (*FAMILIES, *CHANCE_GAMES):
        return find_game(text).map(lambda game: game)
    return load_named(text)


def to_subject(
    text: str, value: Any, given: dict[str, Any], numbers: dict[str, int]
) -> Result[Subject, str]:
    """Return the game or bot that `text` names, with the numbers of cases to check."""
    game = to_game(text, value)
    if is_successful(game):
        return _of_game(text, game.unwrap(), given, numbers)
    if isinstance(value, type) or not callable(value):
        return Failure(
            f'{text} is {shown(value)}: expected the initial state of a game (with '
            f'{", ".join(STATE)}), its module, or a bot (state, rng) -> (move, rng)'
        )
    return _of_bot(text, value, given, numbers)


def _of_game(
    text: str, game: dict[str, Any], given: dict[str, Any], numbers: dict[str, int]
) -> Result[Subject, str]:
    if given['game'] is not None:
        return Failure(f'--game: {text} is a game; --game is for bots only')
    laws: tuple[Law[Any], ...] = CHANCE_LAWS if is_general(game['start']) else GAME_LAWS

    def check(rng: Generator, watch: Watch) -> Result[Passed, Breach]:
        how: dict[str, Any] = {**game, **numbers, 'without': given['without']}
        return check_game(**how, rng=rng, watch=watch)

    return _without(given['without'], Subject(text, 'game', laws, check))


def _without(names: Iterable[str], subject: Subject) -> Result[Subject, str]:
    """Return the subject if all `names` are those of its laws."""
    accepted_names = [law.name for law in subject.laws]
    for name in names:
        if name not in accepted_names:
            expected = ', '.join(accepted_names)
            return Failure(f'--without {shown(name)}: expected one of {expected}')
    return Success(subject)


def _of_bot(
    text: str, bot: Any, given: dict[str, Any], numbers: dict[str, int]
) -> Result[Subject, str]:
    if given['games']:
        return Failure(f'--games: {text} is a bot; --games is for games only')
    without = given['without']
    named = given['game']
    if named is None:
        return Failure(f'{text} is a bot: name the game it plays, as in --game mygame:start')
    return (
        to_value(named)
        .bind(lambda value: to_game(named, value))
        .bind(_running)
        .alt(lambda why: f'--game: {why}')
        .map(
            lambda start: Subject(
                text,
                'bot',
                BOT_LAWS,
                lambda rng, _watch: check_bot(bot, start, rng=rng, without=without, **numbers),
            )
        )
        .bind(lambda subject: _without(without, subject))
    )


def to_game(text: str, value: Any) -> Result[dict[str, Any], str]:
    """Return the arguments of `check_game`: a start, and its text format if it has one."""
    start = getattr(value, 'start', value)
    missing = [name for name in STATE if not hasattr(start, name)]
    # The laws report one or two missing members themselves.
    if isinstance(start, type) or len(missing) > 2:
        return Failure(f'{text} is {shown(value)}: expected the initial state of a game')
    if isinstance(value, Unwritten):
        return Success({'start': start})
    holders = (value, sys.modules.get(text.partition(':')[0]))
    for holder in holders:
        parse, write = getattr(holder, 'parse', None), getattr(holder, 'format', None)
        if callable(parse) and callable(write):
            return Success({'start': start, 'text': (parse, write)})
    return Success({'start': start})


def _running(game: dict[str, Any]) -> Result[Any, str]:
    start = game['start']
    return (
        Failure('the game is over at its start: expected a state with moves')
        if start.over
        else Success(start)
    )


def report(subject: Subject, found: Passed | Breach) -> Iterable[Part]:
    """Yield the report of a check, as parts of a page."""
    if isinstance(found, Breach):
        line = ' '.join(str(_move(move)) for move in found.line) or '(at the start)'
        yield Facts(
            (
                ('broken', found.law),
                ('line', line),
                ('found', found.found),
                ('expected', found.expected),
                *(
                    (('also broken', ', '.join(it.law for it in found.others)),)
                    * bool(found.others)
                ),
            )
        )
        return
    counts = dict(found.cases)
    rows = [
        (law.name, f'{counts[law.name]:,}', law.sentence)
        for law in subject.laws
        if counts.get(law.name)
    ]
    yield Listing(('law', 'cases', 'what must hold'), tuple(rows), prose=True)
    if found.left_out:
        yield Listing(('not checked', 'why'), found.left_out, prose=True)
    cases = amount(found.total, 'case') + (f': {found.extent}' if found.extent else '')
    yield Sentence(
        f'{subject.name} keeps {amount(len(rows), "law")} of a {subject.kind} in {cases}',
        strong=True,
    )


def in_json(subject: Subject, found: Passed | Breach) -> dict[str, object]:
    """Return the report of a check as values for JSON."""
    passed = found if isinstance(found, Passed) else None
    breach = found if isinstance(found, Breach) else None
    return {
        'checked': subject.name,
        'kind': subject.kind,
        'holds': breach is None,
        'cases': None if passed is None else dict(passed.cases),
        'left_out': None if passed is None else [*map(list, passed.left_out)],
        'breach': None
        if breach is None
        else {
            'law': breach.law,
            'expected': breach.expected,
            'found': breach.found,
            'line': [_move(move) for move in breach.line],
            'others': [it.law for it in breach.others],
        },
    }


def _move(move: object) -> int | str:
    """Return a move as a value for JSON: an integer as it is, anything else as text."""
    return move if isinstance(move, int) and not isinstance(move, bool) else shown(move)
