"""`fmcts prepare`: link machine code in advance."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from fmcts._arguments import shown
from fmcts._running.automatic import prepare
from fmcts.bots._spec import SPEC_SHOWN
from fmcts.cli import _options as options
from fmcts.cli._ending import accepted
from fmcts.cli._inputs import read_position, to_bot, to_generator, tree_search
from fmcts.cli._screen import answer
from fmcts.view._parts import Facts

EXAMPLES = options.examples(
    'fmcts prepare connect4 mcts',
    'fmcts prepare hex:9 mcts:1000,selection=rave,solver=on',
    'fmcts prepare mygame:start mcts --rng stdgen:1',
)


@click.command('prepare', short_help='Link machine code in advance.', epilog=EXAMPLES)
@options.game
@click.argument('spec', metavar='SPEC')
@options.generator
@options.json
def command(game: str, spec: str, *, as_json: bool, **given: Any) -> int:
    """Link the machine code of tree search SPEC for GAME, and say whether its rules are on disk.

    Compiled rules that are on disk serve every later process, which links them in a moment. This
    library's games come with theirs.
    """
    position = accepted(read_position(game, None, None))
    refusal = (
        f'bot {shown(spec, SPEC_SHOWN)} has nothing to link: expected a tree search, such as mcts'
    )
    bot = accepted(to_bot(spec, 'auto').bind(partial(tree_search, refusal=refusal)))
    rng = accepted(to_generator(given['seed'], given['rng']))
    kept = prepare(position.state, bot.search, rng=rng)
    where = 'on disk' if kept else 'not on disk: each process compiles them again'
    facts = ('game', position.game.name), ('bot', spec.strip())
    return answer(
        lambda: {**dict(facts), 'kept': kept},
        lambda: [Facts((*facts, ('compiled rules', where)))],
        as_json=as_json,
    )
