"""`fmcts prepare`: compile machine code in advance."""

from __future__ import annotations

from functools import partial
from typing import Any

import click
from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts._running.automatic import prepare
from fmcts.bots._presets import AnyBot
from fmcts.bots._spec import SPEC_SHOWN
from fmcts.bots._treesearch import MctsBot
from fmcts.cli import _options as options
from fmcts.cli._ending import carry_out, printing
from fmcts.cli._inputs import Generator, Position, read_position, to_bot, to_generator, to_running
from fmcts.view._parts import Facts

EXAMPLES = options.examples(
    'fmcts prepare connect4 mcts',
    'fmcts prepare hex:9 mcts:1000,selection=rave,solver=on',
    'fmcts prepare mygame:start mcts --rng stdgen:1',
)


@frozen
class Request:
    """The arguments of `fmcts prepare`, parsed; `spec` is the text that names `bot`."""

    position: Position
    spec: str
    bot: MctsBot
    rng: Generator


@click.command('prepare', short_help='Compile machine code in advance.', epilog=EXAMPLES)
@options.game
@click.argument('spec', metavar='SPEC')
@options.generator
@options.json
def command(game: str, spec: str, *, as_json: bool, **given: Any) -> int:
    """Compile what the tree search SPEC needs for GAME, so that no later search waits for it.

    The code is cached on disk and serves every process. It does not depend on numbers such as
    iterations or c, but on the kind of generator.
    """
    request = read_position(game, None, None).bind_result(
        lambda place: Result.do(
            Request(position, spec.strip(), bot, rng)
            for position in to_running(place)
            for bot in to_bot(spec, 'auto').bind(partial(searching, spec))
            for rng in to_generator(given['seed'], given['rng'])
        )
    )
    return carry_out(request, printing(in_json, page, as_json=as_json))


def searching(spec: str, bot: AnyBot) -> Result[MctsBot, str]:
    """Return the bot if it searches a tree."""
    if isinstance(bot, MctsBot):
        return Success(bot)
    return Failure(
        f'bot {shown(spec, SPEC_SHOWN)} has nothing to compile: expected a tree search, such as '
        'mcts'
    )


def prepared(request: Request) -> bool:
    """Compile the code; return whether it is cached on disk."""
    return prepare(request.position.state, request.bot.search, rng=request.rng)


def in_json(request: Request) -> dict[str, object]:
    """Compile the code, and return values for JSON."""
    return {'game': request.position.game.name, 'bot': request.spec, 'kept': prepared(request)}


def page(request: Request) -> tuple[Facts]:
    """Compile the code, and return where it is, for reading."""
    kept = 'on disk' if prepared(request) else 'not cached on disk: each process compiles it again'
    facts = (('game', request.position.game.name), ('bot', request.spec), ('machine code', kept))
    return (Facts(facts),)
