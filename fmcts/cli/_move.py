"""`fmcts move`: choose one move, and show the statistics behind it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, cast

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
    LimitedBot,
    MctsBot,
    playing,
    with_number,
)
from fmcts.cli import _types as types
from fmcts.cli._progress import Progress, decide, seated
from fmcts.cli._screen import answer, complain, move_in_json
from fmcts.cli._types import Generator, Spec, StartPosition, to_running
from fmcts.rng import format as format_rng
from fmcts.search import Analysis
from fmcts.solve import MoveValue, move_values
from fmcts.view import Facts, Part, line_of, solved, statistics


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
    (player,), _ = seated((bot,), engine, time)
    if agree is not None and not isinstance(player, MctsBot):  # before a search that may be long
        raise click.UsageError('--agree needs a tree search, such as mcts')
    if receipt is not None and not isinstance(player, AnalysingBot):
        raise click.UsageError('--receipt needs a bot with an analysis, such as mcts')
    among = types.to_root_moves(position, player, root_moves)
    choice = chosen(position, player, bot.text, rng, among)
    if receipt is not None:
        write_whole(receipt, choice.receipt(rng, among))
    if agree is not None and choice.analysis and isinstance(player, MctsBot):
        search = evolve(player.search, iterations=choice.analysis.iterations)
        with Progress() as progress:
            watch = progress.watching('other seeds', None)
            same = agreement(choice.analysis, rng, search, agree, engine=engine, watch=watch)
        choice = evolve(choice, agreement=f'{same} of {amount(agree, "other seed")}')
    return answer(choice.in_json, choice.page, as_json=as_json)


@frozen
class Choice:
    """The move in a position, the next generator, and the analysis or the values behind it, if any.

    `spec` names a bot that makes the same choice again.
    """

    position: StartPosition
    spec: str
    move: int
    rng: Generator
    analysis: Analysis[int] | None = None
    values: tuple[MoveValue[int], ...] = ()
    agreement: str = ''

    def in_json(self) -> dict[str, object]:
        """Return the choice as values for JSON."""
        name, found = partial(move_in_json, self.position.game), self.analysis
        stats: list[dict[str, object]] = []
        for row in found.stats if found else ():
            stats.append({'move': name(row.move), 'visits': row.visits, 'value': row.value})
            if row.proof is not None:
                stats[-1]['proof'] = {'outcome': row.proof.outcome, 'plies': row.proof.plies}
        for it in self.values:
            figures = {'visits': None, 'value': it.value, 'plies': it.plies}
            stats.append({'move': name(it.move), **figures})
        return {
            'game': self.position.game.name,
            'moves': [*map(name, self.position.moves)],
            'bot': self.spec,
            'move': name(self.move),
            'rng': format_rng(self.rng),
            'iterations': found.iterations if found else 0,
            'stats': stats,
            'digest': found.digest if found else None,
        }

    def page(self) -> tuple[Part, ...]:
        """Return the board, the statistics, the move and how to repeat the choice."""
        write, found = self.position.game.format_move, self.analysis
        parts: list[Part] = [self.position.board()]
        if found:
            parts.append(statistics(found, write))
        elif self.values:
            parts.append(solved(self.values, self.move, self.position.state.player, write))
        facts = {
            'move': write(self.move),
            'line': found and line_of(found, write),
            'agreement': self.agreement,
            'bot': self.spec,
            'iterations': str(found.iterations if found else 0),
            'digest': found and found.digest,
            'rng': format_rng(self.rng),
        }
        return *parts, Facts(tuple((name, value) for name, value in facts.items() if value))

    def receipt(self, rng: Generator, root_moves: tuple[int, ...] | None) -> bytes:
        """Return the receipt of the search, which started with `rng`."""
        from fmcts.history.receipts import receipt  # noqa: PLC0415 - other moves shall not wait

        position, found = self.position, cast('Analysis[int]', self.analysis)
        known = position.moves or position.state == position.game.start
        moves = position.moves if known else None
        options: Any = {'moves': moves, 'root_moves': root_moves}
        made = receipt(position.game, self.spec, rng, found, self.rng, **options)
        return f'{made.to_json()}\n'.encode()


def chosen(
    position: StartPosition,
    bot: AnyBot,
    spec: str,
    rng: Generator,
    root_moves: tuple[int, ...] | None,
) -> Choice:
    """Run the search; Ctrl-C ends it early if its partial result can be repeated."""
    asked = Event()
    with Progress() as progress:
        if isinstance(bot, AlphaBetaBot):
            watch = progress.watching(f'{position.state.player} thinks', None)
            options: Any = {'engine': bot.engine, 'watch': watch, 'root_moves': root_moves}
            values = move_values(position.state, bot.search, **options)
            return Choice(position, spec, playing(values), rng, values=values)
        move, rng, analysis = decide(bot, position.state, rng, progress, root_moves, asked)
    if analysis is not None and (asked.is_set() or isinstance(bot, LimitedBot)):
        spec = with_number(spec, analysis.iterations)
    if asked.is_set() and analysis is not None:
        complain(f'ended after {amount(analysis.iterations, "iteration")}')
    return Choice(position, spec, move, rng, analysis)
