"""`fmcts hunt`: find mistakes of a search, and what would have avoided them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from fmcts._arguments import amount
from fmcts._promises import check_plain
from fmcts.cli import _types as types
from fmcts.cli._progress import Progress
from fmcts.cli._screen import move_in_json, moves_in_json, show
from fmcts.cli._tree import TREE_SEARCH
from fmcts.cli._types import COUNT, DONE, NUMBER, Spec, StartPosition, to_running
from fmcts.history import Mistake, hunt
from fmcts.view import Sentence


@types.command(
    'hunt',
    'Find a mistake of a search, and explain it.',
    'fmcts hunt tictactoe --moves 1,0 --bot mcts:1000,selection=uct,c=0.2 --seeds 300',
    'fmcts hunt tictactoe --bot mcts:100 --plies 4 --seeds 50 --all',
    'fmcts hunt mnk:4,3,3 --bot mcts:50 --plies 6 --json',
    lists='games',
)
@types.position
@types.option('--bot', TREE_SEARCH, 'A tree search.', default='mcts:100')
@types.option('--seeds', COUNT, 'Search with the seeds 0 to N-1.', default=100)
@types.option('--plies', NUMBER, 'Number of random moves before each search.', default=0)
@click.option('--all', 'every', is_flag=True, help='Continue after the first mistake.')
@types.engine
@types.json
def hunt_command(
    position: StartPosition,
    bot: Spec,
    seeds: int,
    plies: int,
    engine: str,
    *,
    every: bool,
    as_json: bool,
) -> int:
    """Search a position of GAME with one seed after another until a search makes a mistake.

    A move is a mistake if perfect play has a better one. The report names the good move that had
    too few visits, the iteration whose playout was decisive, and the c that would have avoided
    the mistake. `fmcts move` with the same position, bot and seed repeats it. GAME must be small
    enough for perfect play.
    """
    check_plain(position.state, 'a hunt')  # before `to_running`, which asks for an outcome
    to_running(position)
    game = position.game
    found, searches = [], seeds
    with Progress() as progress:
        each = progress.counting('searches', seeds)
        for mistake in hunt(
            position.state, bot.search, seeds, plies=plies, engine=engine, each=each
        ):
            found.append(in_json(mistake, partial(move_in_json, game)))
            if not as_json:
                show(*map(Sentence, mistake.in_words(game.format_move)))
            if not every:
                searches = mistake.seed + 1
                break
    if as_json:
        head = {'game': game.name, 'moves': moves_in_json(game, position.moves)}
        print(json.dumps({**head, 'bot': bot.text, 'searches': searches, 'mistakes': found}))
    elif every or not found:
        count = amount(searches, 'search', 'searches')
        show(Sentence(f'{len(found)} of {count} made a mistake'))
    return DONE


def in_json(mistake: Mistake, write: Callable[[Any], Any]) -> dict[str, object]:
    """Return a mistake as values for JSON."""
    starved = mistake.starved
    return {
        'seed': mistake.seed,
        'moves': [*map(write, mistake.line)],
        'move': write(mistake.move),
        'values': [{'move': write(row.move), 'value': row.value} for row in mistake.values],
        'since': mistake.since,
        'starved': starved
        and {
            'line': [*map(write, starved.line)],
            'visits': starved.visits,
            'iteration': starved.iteration,
            'what_if': starved.what_if
            and {'outcome': starved.what_if.outcome, 'move': write(starved.what_if.move)},
        },
        'c': mistake.saved_by,
    }
