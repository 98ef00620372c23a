"""`fmcts move`: choose one move, and show the statistics behind it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts._saving import write_whole
from fmcts.bots._bot import AnalysingBot
from fmcts.bots._presets import AnyBot
from fmcts.bots._solving import AlphaBetaBot, playing
from fmcts.bots._spec import DEFAULT_BOT, with_number
from fmcts.bots._treesearch import MctsBot, TimedBot
from fmcts.cli import _options as options
from fmcts.cli._ending import accepted
from fmcts.cli._inputs import (
    Generator,
    Position,
    read_position,
    to_bot,
    to_engine,
    to_generator,
    to_new_file,
    to_root_moves,
    to_running,
)
from fmcts.cli._progress import Progress, Stopping, decide
from fmcts.cli._screen import answer, complain, move_in_json, moves_in_json
from fmcts.cli._timed import limited, to_seconds
from fmcts.rng import format as format_rng
from fmcts.search._analysis import Analysis
from fmcts.search.resolution import Proven
from fmcts.solve import MoveValue
from fmcts.view._parts import Facts, Part, line_of, picture, solved, statistics

EXAMPLES = options.examples(
    'fmcts move connect4 --moves 3,3,2',
    'fmcts move tictactoe --bot mcts:5000,c=0.7 --seed 42 --json',
    'fmcts move othello --board position.txt --bot mc:3000,count=wins',
    'fmcts move tictactoe --moves 4,0,2,5,3,6 \\',
    '  --bot article-mc-pure:30000 --rng stdgen:529669860:1',
    'fmcts move connect4 --bot mc:2000 --root-moves 2,3,4',
    'fmcts move othello --bot mcts --time 2.5',
    'fmcts move mnk:4,4,3 --bot perfect',
    'fmcts move connect4 --receipt receipt.json',
)


@click.command(
    'move',
    short_help='Choose a move, with the statistics behind it.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@options.position
@click.option(
    '--bot', 'spec', metavar='SPEC', default=DEFAULT_BOT, show_default=True, help='The bot.'
)
@click.option(
    '--root-moves', metavar='A,B,...', help='The moves to choose among.  [default: all legal ones]'
)
@options.time
@options.generator
@options.engine
@click.option('--receipt', metavar='FILE', help='Write a receipt, which fmcts verify checks.')
@options.json
def command(game: str, spec: str, *, as_json: bool, **given: Any) -> int:
    """Choose a move in GAME, and show the statistics behind the choice.

    The same position, bot and generator give the same move, statistics and digest (the name of the
    whole search tree) everywhere. With --time, or when Ctrl-C ends a tree search, the bot printed
    is one that gives the same answer again; a second Ctrl-C ends the command.
    """
    position = accepted(read_position(game, given['moves'], given['board']).bind_result(to_running))
    engine = accepted(to_engine(given['engine']))
    seconds = accepted(to_seconds(given['seconds']))
    bot = accepted(to_bot(spec, engine).bind(partial(timed, seconds)))
    rng = accepted(to_generator(given['seed'], given['rng']))
    root_moves = accepted(to_root_moves(position, bot, given['root_moves']))
    receipt = accepted(to_receipt(given['receipt'], bot))
    choice = chosen(position, bot, spec.strip(), rng, root_moves)
    if receipt is not None:
        write_receipt(receipt, position, rng, root_moves, choice)
    return answer(
        lambda: in_json(position, choice), lambda: page(position, choice), as_json=as_json
    )


def timed(seconds: float | None, bot: AnyBot) -> Result[AnyBot, str]:
    """Return the bot, limited in time if `seconds` is given."""
    if seconds is not None and not isinstance(bot, MctsBot):
        return Failure('--time needs a tree search, such as mcts')
    return limited(bot, seconds)


def to_receipt(path: str | None, bot: AnyBot) -> Result[Path | None, str]:
    """Return the file of --receipt if the bot has an analysis."""
    if path is not None and not isinstance(bot, AnalysingBot):
        return Failure('--receipt needs a bot with an analysis, such as mcts')
    return Success(None) if path is None else to_new_file('--receipt', path)


@frozen
class Choice:
    """The move, the analysis or values behind it if there are any, and the next generator.

    `spec` names a bot that makes the same choice again.
    """

    move: int
    analysis: Analysis[int] | None
    rng: Generator
    spec: str
    values: tuple[MoveValue[int], ...] = ()

    @property
    def iterations(self) -> int:
        """The number of playouts made."""
        return self.analysis.iterations if self.analysis else 0


def chosen(
    position: Position,
    bot: AnyBot,
    spec: str,
    rng: Generator,
    root_moves: tuple[int, ...] | None,
) -> Choice:
    """Run the search; Ctrl-C ends it early if its partial result can be repeated."""
    state = position.state
    if isinstance(bot, AlphaBetaBot):
        with Progress() as progress:
            watch = progress.watching(f'{state.player} thinks', None)
            values = bot.values(state, watch=watch, root_moves=root_moves)
        return Choice(playing(values), None, rng, spec, values)
    with Progress() as progress, Stopping() as stopping:
        move, analysis, rng = decide(
            *(bot, state, rng, progress),
            root_moves=root_moves,
            stopping=stopping if can_be_ended(bot) else None,
        )
    choice = Choice(move, analysis, rng, spec)
    if analysis is not None and (isinstance(bot, TimedBot) or stopping.asked):
        choice = evolve(choice, spec=with_number(spec, analysis.iterations))
    if stopping.asked:
        complain(f'ended after {amount(choice.iterations, "iteration")}')
    return choice


def can_be_ended(bot: AnyBot) -> bool:
    """Return whether ending a search early equals a search with fewer iterations."""
    return isinstance(bot, TimedBot) or (isinstance(bot, MctsBot) and bot.search.schedule is None)


def write_receipt(
    path: Path,
    position: Position,
    rng: Generator,
    root_moves: tuple[int, ...] | None,
    choice: Choice,
) -> None:
    """Write the receipt of a search that started with `rng`."""
    if choice.analysis is None:
        return
    from fmcts.history.receipts import receipt  # noqa: PLC0415 - other moves shall not wait

    known = position.moves or position.state == position.game.start
    text = receipt(
        position.game,
        choice.spec,
        rng,
        choice.analysis,
        choice.rng,
        moves=position.moves if known else None,
        root_moves=root_moves,
    ).to_json()
    write_whole(path, f'{text}\n'.encode())


def in_json(position: Position, found: Choice) -> dict[str, object]:
    """Return the choice as values for JSON."""
    game = position.game
    return {
        'game': game.name,
        'moves': moves_in_json(game, position.moves),
        'bot': found.spec,
        'move': move_in_json(game, found.move),
        'rng': format_rng(found.rng),
        'iterations': found.iterations,
        'stats': [
            {'move': move_in_json(game, row.move), 'visits': row.visits, 'value': row.value}
            | proof_in_json(row.proof)
            for row in (found.analysis.stats if found.analysis else ())
        ]
        + [
            {
                'move': move_in_json(game, row.move),
                'visits': None,
                'value': row.value,
                'plies': row.plies,
            }
            for row in found.values
        ],
        'digest': found.analysis.digest if found.analysis else None,
    }


def proof_in_json(proof: Proven | None) -> dict[str, Any]:
    """Return what is proven of a move; empty if nothing is."""
    if proof is None:
        return {}
    return {'proof': {'outcome': proof.outcome, 'plies': proof.plies}}


def page(position: Position, found: Choice) -> tuple[Part, ...]:
    """Return the board, the statistics, the move and how to repeat the choice."""
    game, state = position.game, position.state
    board = picture(game, state, position.before, free=True)
    head = ('move', game.format_move(found.move))
    tail = (('iterations', str(found.iterations)), ('rng', format_rng(found.rng)))
    if found.analysis is None:
        facts = Facts((head, ('bot', found.spec), *tail))
        if not found.values:
            return board, facts
        return board, solved(found.values, found.move, state.player, game.format_move), facts
    pairs = (
        head,
        ('line', line_of(found.analysis, game.format_move)),
        ('bot', found.spec),
        tail[0],
        ('digest', found.analysis.digest),
        tail[1],
    )
    return board, statistics(found.analysis, game.format_move), Facts(pairs)
