"""`fmcts hunt`: find mistakes of a search, and what would have avoided them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import click
from returns.result import safe

from fmcts._arguments import amount
from fmcts._promises import check_plain
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, accepted
from fmcts.cli._inputs import read_position, to_count, to_engine, to_running
from fmcts.cli._progress import Progress
from fmcts.cli._screen import Screen, move_in_json, moves_in_json, print_json
from fmcts.cli._tree import to_search
from fmcts.errors import GameError
from fmcts.history import Mistake, hunt
from fmcts.view._parts import Sentence

DEFAULT: Final = 'mcts:100'
SEEDS: Final = '100'
PLIES: Final = '0'

plain = safe(exceptions=(GameError,))(check_plain)

EXAMPLES = options.examples(
    'fmcts hunt tictactoe --moves 1,0 --bot mcts:1000,selection=uct,c=0.2 --seeds 300',
    'fmcts hunt tictactoe --bot mcts:100 --plies 4 --seeds 50 --all',
    'fmcts hunt mnk:4,3,3 --bot mcts:50 --plies 6 --json',
)


@click.command(
    'hunt',
    short_help='Find a mistake of a search, and explain it.',
    epilog=f'{options.games_in_words()}\n\n{EXAMPLES}',
)
@options.game
@options.position
@click.option('--bot', metavar='SPEC', default=DEFAULT, show_default=True, help='A tree search.')
@click.option(
    '--seeds', metavar='N', default=SEEDS, show_default=True, help='Search with the seeds 0 to N-1.'
)
@click.option(
    '--plies',
    metavar='N',
    default=PLIES,
    show_default=True,
    help='Number of random moves before each search.',
)
@click.option('--all', 'every', is_flag=True, help='Continue after the first mistake.')
@options.engine
@options.json
def command(game: str, bot: str, *, every: bool, as_json: bool, **given: Any) -> int:
    """Search a position of GAME with one seed after another until a search makes a mistake.

    A move is a mistake if perfect play has a better one. The report names the good move that had
    too few visits, the iteration whose playout was decisive, and the c that would have avoided
    the mistake. `fmcts move` with the same position, bot and seed repeats it. GAME must be small
    enough for perfect play.
    """
    position = accepted(read_position(game, given['moves'], given['board']))
    accepted(plain(position.state, 'a hunt').alt(str))
    accepted(to_running(position))
    search = accepted(to_search(bot))
    seeds = accepted(to_count('--seeds', given['seeds']))
    plies = accepted(to_count('--plies', given['plies'], least=0))
    engine = accepted(to_engine(given['engine']))
    screen, module = Screen.of_output(), position.game
    searched: list[int] = []
    found = []
    with Progress() as progress:
        watch = progress.watching('searches', seeds)

        def each(seed: int) -> None:
            searched.append(seed)
            watch(len(searched))

        for mistake in hunt(position.state, search, seeds, plies=plies, engine=engine, each=each):
            found.append(in_json(mistake, partial(move_in_json, module)))
            if not as_json:
                screen.show(*map(Sentence, mistake.in_words(module.format_move)))
            if not every:
                break
    searches = seeds if every or not found else len(searched) + 1
    if as_json:
        moves = moves_in_json(module, position.moves)
        head = {'game': module.name, 'moves': moves, 'bot': bot}
        print_json({**head, 'searches': searches, 'mistakes': found})
    elif every or not found:
        count = amount(searches, 'search', 'searches')
        screen.show(Sentence(f'{len(found)} of {count} made a mistake'))
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
            and {
                'outcome': starved.what_if.outcome,
                'move': write(starved.what_if.move),
            },
        },
        'c': mistake.saved_by,
    }
