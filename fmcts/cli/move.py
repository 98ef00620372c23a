"""`fmcts move`: one move, and the statistics that it rests on."""

from __future__ import annotations

from typing import Any

import click
from attrs import frozen
from returns.io import IOResult

from fmcts.bots.spec import DEFAULT_BOT, AnyBot
from fmcts.cli import options
from fmcts.cli.ending import DONE, carry_out
from fmcts.cli.inputs import (
    Generator,
    Position,
    read_position,
    to_bot,
    to_engine,
    to_generator,
    to_root_moves,
    to_running,
)
from fmcts.cli.progress import Progress, decide
from fmcts.cli.screen import Screen, move_in_json, print_json
from fmcts.rng import format as format_rng
from fmcts.search.analysis import Analysis
from fmcts.view.parts import Facts, Part, line_of, picture, statistics

__all__ = ['command']


@frozen
class Request:
    """What is asked for; `spec` is the name that `bot` was given by."""

    position: Position
    spec: str
    bot: AnyBot
    rng: Generator
    root_moves: tuple[int, ...] | None


@frozen
class Answer:
    """The move, the analysis behind it if there is one, and the generator handed back."""

    move: int
    analysis: Analysis[int] | None
    rng: Generator

    @property
    def iterations(self) -> int:
        """How many playouts were made."""
        return self.analysis.iterations if self.analysis else 0


EXAMPLES = options.examples(
    'fmcts move connect4 --moves 3,3,2',
    'fmcts move tictactoe --bot mcts:5000,c=0.7 --seed 42 --json',
    'fmcts move othello --board position.txt --bot mc:3000,count=wins',
    'fmcts move tictactoe --moves 4,0,2,5,3,6 \\',
    '  --bot article-mc-pure:30000 --rng stdgen:529669860:1',
    'fmcts move connect4 --bot mc:2000 --root-moves 2,3,4',
)


@click.command(
    'move',
    short_help='Choose a move, with the statistics behind it.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@options.position
@click.option(
    '--bot', 'spec', metavar='SPEC', default=DEFAULT_BOT, show_default=True, help='Who chooses.'
)
@click.option(
    '--root-moves', metavar='A,B,...', help='The moves to choose among.  [default: all legal ones]'
)
@options.generator
@options.engine
@options.json
def command(game: str, spec: str, *, as_json: bool, **given: Any) -> int:
    """Choose a move in GAME, and show the statistics that the choice rests on.

    The same position, bot and generator give the same move, statistics and digest (the name of the
    whole search tree) everywhere.
    """
    request = IOResult.do(
        Request(position, spec.strip(), bot, rng, root_moves)
        for position in read_position(game, given['moves'], given['board']).bind_result(to_running)
        for engine in IOResult.from_result(to_engine(given['engine']))
        for bot in IOResult.from_result(to_bot(spec, engine))
        for rng in IOResult.from_result(to_generator(given['seed'], given['rng']))
        for root_moves in IOResult.from_result(to_root_moves(position, bot, given['root_moves']))
    )
    return carry_out(request, in_one_line if as_json else on_a_page)


def answer(request: Request) -> Answer:
    """Carry the search out."""
    with Progress() as progress:
        state, root_moves = request.position.state, request.root_moves
        return Answer(*decide(request.bot, state, request.rng, progress, root_moves=root_moves))


def in_one_line(request: Request) -> int:
    """Print the answer as JSON."""
    found, game = answer(request), request.position.game
    print_json(
        {
            'game': game.name,
            'moves': [move_in_json(game, move) for move in request.position.moves],
            'bot': request.spec,
            'move': move_in_json(game, found.move),
            'rng': format_rng(found.rng),
            'iterations': found.iterations,
            'stats': [
                {'move': move_in_json(game, row.move), 'visits': row.visits, 'value': row.value}
                for row in (found.analysis.stats if found.analysis else ())
            ],
            'digest': found.analysis.digest if found.analysis else None,
        }
    )
    return DONE


def on_a_page(request: Request) -> int:
    """Show the answer to a reader."""
    Screen.of_output().page(*page(request, answer(request)))
    return DONE


def page(request: Request, found: Answer) -> tuple[Part, ...]:
    """The board, the statistics, the answer and how to get it again."""
    game, state = request.position.game, request.position.state
    board = picture(game, state, request.position.before, free=True)
    head = ('move', game.format_move(found.move))
    tail = (('iterations', str(found.iterations)), ('rng', format_rng(found.rng)))
    if found.analysis is None:
        return board, Facts((head, ('bot', request.spec), *tail))
    facts = (
        head,
        ('line', line_of(found.analysis, game.format_move)),
        ('bot', request.spec),
        tail[0],
        ('digest', found.analysis.digest),
        tail[1],
    )
    return board, statistics(found.analysis, game.format_move), Facts(facts)
