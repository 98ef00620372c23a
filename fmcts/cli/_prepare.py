"""`fmcts prepare`: link machine code in advance."""

from __future__ import annotations

import click

from fmcts._running import prepare
from fmcts.cli import _types as types
from fmcts.cli._screen import answer
from fmcts.cli._types import Generator, Spec
from fmcts.games import GameModule
from fmcts.view import Facts


@types.command(
    'prepare',
    'Link machine code in advance.',
    'fmcts prepare connect4 mcts',
    'fmcts prepare hex:9 mcts:1000,selection=rave,solver=on',
    'fmcts prepare mygame:start mcts --rng stdgen:1',
)
@click.argument('game', metavar='GAME', type=types.GAME)
@click.argument('spec', metavar='SPEC', type=types.SEARCH)
@types.generator
@types.json
def prepare_command(game: GameModule, spec: Spec, rng: Generator, *, as_json: bool) -> int:
    """Link the machine code of tree search SPEC for GAME, and say whether its rules are on disk.

    Compiled rules that are on disk serve every later process, which links them in a moment. This
    library's games come with theirs, its families in other sizes do not.
    """
    kept = prepare(game.start, spec.search, rng=rng)
    where = 'on disk' if kept else 'not on disk: each process compiles them again'
    facts = ('game', game.name), ('bot', spec.text)
    return answer(
        lambda: {**dict(facts), 'kept': kept},
        lambda: [Facts((*facts, ('compiled rules', where)))],
        as_json=as_json,
    )
