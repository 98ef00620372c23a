"""`fmcts reach`: find a line to a position that satisfies a predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click
from attrs import evolve
from returns.pipeline import is_successful

from fmcts._arguments import shown
from fmcts.cli import _types as types
from fmcts.cli._named import in_own_code, load_named
from fmcts.cli._progress import Progress
from fmcts.cli._screen import answer, moves_in_json
from fmcts.cli._types import COUNT, DONE, NEGATIVE, Generator, StartPosition
from fmcts.game import Player
from fmcts.testing import reach
from fmcts.view import Sentence


class Members(dict[str, Any]):
    """Names in a predicate: the members of a state, `state` itself, and `Player`."""

    def __missing__(self, name: str) -> Any:
        if not hasattr(self['state'], name):
            raise KeyError(name)
        return getattr(self['state'], name)


def to_predicate(text: str) -> Callable[[Any], object]:
    """Return the predicate that a text is: an expression of a state's members, or MODULE:NAME."""
    try:
        code = compile(text.strip(), '<predicate>', 'eval')
    except (SyntaxError, ValueError):
        if ':' not in text:
            why = 'expected an expression in Python, or MODULE:NAME'
            raise ValueError(f'{shown(text)}: {why}') from None
        asked = load_named(text)
        if not callable(asked):
            raise ValueError(f'{text} is not a function') from None  # noqa: TRY004 - text
    else:

        def asked(state: Any) -> object:
            return eval(code, {}, Members(state=state, Player=Player))  # noqa: S307 - the user's own words

    def holds(state: Any) -> object:
        try:
            return asked(state)
        except Exception as error:  # noqa: BLE001 - of the user's own words
            raise click.UsageError(in_own_code(error) or f'{shown(text)}: {error}') from None

    return holds


PREDICATE: Final = types.Parsed('PREDICATE', to_predicate)


@types.command(
    'reach',
    'Find a line to a position that satisfies a predicate.',
    "fmcts reach connect4 'over and winner is None'",
    "fmcts reach othello 'over and state.x == 0' --plies 1000000",
    "fmcts reach mygame:start 'len(moves) == 1' --json",
    lists='games',
)
@types.position
@click.argument('predicate', metavar='PREDICATE', type=PREDICATE)
@types.option('--plies', COUNT, 'The most plies that are played.', default=100_000)
@types.generator
@types.json
def reach_command(
    position: StartPosition,
    predicate: Callable[[Any], object],
    plies: int,
    rng: Generator,
    *,
    as_json: bool,
) -> int:
    """Find a line of GAME to a position that satisfies PREDICATE, however rare it is.

    PREDICATE is an expression in Python of the members of a state (over, winner, moves, player, and
    those of its class), or a function of a state as MODULE:NAME. The nearest positions are looked
    at first, then lines to what is new.

    Exit code: 0 when a line is found, 1 when none is.
    """
    with Progress() as progress:
        watch = progress.watching('plies', plies)
        result = reach(position.state, predicate, plies=plies, rng=rng, watch=watch)
    if not is_successful(result):
        missed = result.failure()
        values = {'found': False, 'within': missed.within, 'positions': missed.positions}
        return answer(
            lambda: values, lambda: [Sentence(str(missed))], as_json=as_json, code=NEGATIVE
        )
    found, game = result.unwrap(), position.game
    line = moves_in_json(game, found.line)
    named = evolve(found, line=tuple(map(game.format_move, found.line)))
    return answer(
        lambda: {'found': True, 'line': line, 'shortest': found.shortest, 'plies': found.plies},
        lambda: [Sentence(str(named)), Sentence(game.format(found.state))],
        as_json=as_json,
        code=DONE,
    )
