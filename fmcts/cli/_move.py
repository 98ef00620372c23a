"""`fmcts move`: choose one move, and show the statistics behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from fmcts._arguments import amount
from fmcts._running import agreement
from fmcts._saving import write_whole
from fmcts.bots import (
    DEFAULT_BOT,
    AlphaBetaBot,
    AnalysingBot,
    AnyBot,
    MctsBot,
    TimedBot,
    playing,
    with_number,
)
from fmcts.cli import _types as types
from fmcts.cli._progress import Progress, Stopping, decide, limited
from fmcts.cli._screen import answer, complain, move_in_json, moves_in_json
from fmcts.cli._types import Generator, Spec, StartPosition, to_running
from fmcts.rng import format as format_rng
from fmcts.search import Analysis
from fmcts.solve import MoveValue
from fmcts.view import Facts, Part, line_of, picture, solved, statistics


@types.command(
    'move',
    'Choose a move, with the statistics behind it.',
    'fmcts move connect4 --moves 3,3,2',
    'fmcts move tictactoe --bot mcts:5000,c=0.7 --seed 42 --json',
    'fmcts move othello --board position.txt --bot mc:3000,count=wins',
    'fmcts move tictactoe --moves 4,0,2,5,3,6 \\',
    '  --bot article-mc-pure:30000 --rng stdgen:529669860:1',
    'fmcts move connect4 --bot mc:2000 --root-moves 2,3,4',
    'fmcts move othello --bot mcts --time 2.5',
    'fmcts move mnk:4,4,3 --bot perfect',
    'fmcts move connect4 --bot mcts:20000 --agree 20',
    'fmcts move connect4 --receipt receipt.json',
    lists='bots',
)
@types.position
@types.option('--bot', types.BOT, 'The bot.', default=DEFAULT_BOT)
@types.option('--root-moves', types.WORDS, 'The moves to choose among.  [default: all legal ones]')
@types.time
@types.generator
@types.engine
@types.option('--receipt', types.to_file(), 'Write a receipt, which fmcts verify checks.')
@types.option(
    '--agree', click.IntRange(1), 'Make N searches with other seeds, to say how many agree.'
)
@types.json
def move_command(
    position: StartPosition,
    bot: Spec,
    root_moves: str | None,
    time: float | None,
    rng: Generator,
    engine: str,
    receipt: Path | None,
    agree: int | None,
    *,
    as_json: bool,
) -> int:
    """Choose a move in GAME, and show the statistics behind the choice.

    The same position, bot and generator give the same move, statistics and digest (the name of the
    whole search tree) everywhere. With --time, or when Ctrl-C ends a tree search, the bot printed
    is one that gives the same answer again; a second Ctrl-C ends the command.
    """
    to_running(position)
    player = bot.bot(engine)
    if time is not None and not isinstance(player, MctsBot):
        raise click.UsageError('--time needs a tree search, such as mcts')
    if time is not None:
        types.tell_of_number('--time', bot.text, player)
    player = limited(player, time)
    made = player.bot if isinstance(player, TimedBot) else player
    if agree is not None and not isinstance(made, MctsBot):  # before a search that may be long
        raise click.UsageError('--agree needs a tree search, such as mcts')
    if receipt is not None and not isinstance(player, AnalysingBot):
        raise click.UsageError('--receipt needs a bot with an analysis, such as mcts')
    among = types.to_root_moves(position, player, root_moves)
    choice = chosen(position, player, bot.text, rng, among)
    if receipt is not None:
        write_receipt(receipt, position, rng, among, choice)
    if agree is not None and choice.analysis and isinstance(made, MctsBot):
        choice = evolve(choice, agreement=agreed(choice.analysis, made, rng, agree))
    return answer(
        lambda: in_json(position, choice), lambda: page(position, choice), as_json=as_json
    )


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
    agreement: str = ''

    @property
    def iterations(self) -> int:
        """The number of playouts made."""
        return self.analysis.iterations if self.analysis else 0


def chosen(
    position: StartPosition,
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
    # Ending it early equals a search with fewer iterations, unless a schedule divides them.
    timed = isinstance(bot, TimedBot)
    repeatable = timed or (isinstance(bot, MctsBot) and bot.search.schedule is None)
    with Progress() as progress, Stopping() as stopping:
        move, analysis, rng = decide(
            bot, state, rng, progress, root_moves, stopping if repeatable else None
        )
    choice = Choice(move, analysis, rng, spec)
    if analysis is not None and (timed or stopping.asked):
        choice = evolve(choice, spec=with_number(spec, analysis.iterations))
    if stopping.asked:
        complain(f'ended after {amount(choice.iterations, "iteration")}')
    return choice


def agreed(found: Analysis[int], bot: MctsBot, rng: Generator, seeds: int) -> str:
    """Return how many searches with other seeds choose the same move, in words."""
    search = evolve(bot.search, iterations=found.iterations)
    with Progress() as progress:
        watch = progress.watching('other seeds', None)
        same = agreement(found, rng, search, seeds, engine=bot.engine, watch=watch)
    return f'{same} of {amount(seeds, "other seed")}'


def write_receipt(
    path: Path,
    position: StartPosition,
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


def in_json(position: StartPosition, found: Choice) -> dict[str, object]:
    """Return the choice as values for JSON."""
    game = position.game
    stats: list[dict[str, Any]] = []
    for row in found.analysis.stats if found.analysis else ():
        values: dict[str, Any] = {
            'move': move_in_json(game, row.move),
            'visits': row.visits,
            'value': row.value,
        }
        if row.proof is not None:
            values['proof'] = {'outcome': row.proof.outcome, 'plies': row.proof.plies}
        stats.append(values)
    for solved_row in found.values:
        named = {'move': move_in_json(game, solved_row.move), 'visits': None}
        stats.append({**named, 'value': solved_row.value, 'plies': solved_row.plies})
    return {
        'game': game.name,
        'moves': moves_in_json(game, position.moves),
        'bot': found.spec,
        'move': move_in_json(game, found.move),
        'rng': format_rng(found.rng),
        'iterations': found.iterations,
        'stats': stats,
        'digest': found.analysis.digest if found.analysis else None,
    }


def page(position: StartPosition, found: Choice) -> tuple[Part, ...]:
    """Return the board, the statistics, the move and how to repeat the choice."""
    game, state, analysis = position.game, position.state, found.analysis
    facts = [('move', game.format_move(found.move))]
    middle: tuple[Part, ...] = ()
    if analysis is not None:
        middle = (statistics(analysis, game.format_move),)
        facts.append(('line', line_of(analysis, game.format_move)))
    elif found.values:
        middle = (solved(found.values, found.move, state.player, game.format_move),)
    if found.agreement:
        facts.append(('agreement', found.agreement))
    facts += [('bot', found.spec), ('iterations', str(found.iterations))]
    if analysis is not None:
        facts.append(('digest', analysis.digest))
    facts.append(('rng', format_rng(found.rng)))
    return picture(game, state, position.before, free=True), *middle, Facts(tuple(facts))
