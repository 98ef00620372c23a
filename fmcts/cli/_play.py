"""`fmcts play`: a whole game between two bots, a person and a bot, or two people."""

from __future__ import annotations

import sys
from functools import reduce
from typing import Final

import click

from fmcts._arguments import amount
from fmcts.bots import AnyBot, Human, Made, mcts
from fmcts.cli import _types as types
from fmcts.cli._human import Session, converse
from fmcts.cli._progress import Progress, counts_of, decide, seated
from fmcts.cli._screen import answer, page as show_page, show
from fmcts.cli._types import DONE, NEGATIVE, Generator, Spec, StartPosition
from fmcts.game import players_of
from fmcts.record import play_seats
from fmcts.search import Search
from fmcts.view import Sentence

HINTS: Final = Search(iterations=1000)


@types.command(
    'play',
    'Play a whole game: bots, people, or both.',
    'fmcts play connect4 --first human --second mcts:2000',
    'fmcts play othello --first mcts:300 --second mc:300 --seed 7 --json',
    'fmcts play tictactoe --moves 4,0 --first human --second human',
    'fmcts play connect4 --first mcts --second mcts --time 0.2 --json',
    'fmcts play breakthrough:6,6 --first human --second mymodule:bot',
    'fmcts play mnk3:5,4,4 human mcts:2000 mcts:2000',
    'fmcts play 2048 mcts:200',
    lists='bots',
)
@types.position
@click.argument('specs', metavar='[SPEC]...', nargs=-1, type=types.PLAYER)
@types.option('--first', types.PLAYER, 'Who plays X.')
@types.option('--second', types.PLAYER, 'Who plays O.')
@types.time
@types.option(
    '--iterations',
    types.COUNTS,
    'The iterations of each tree search, as a game with --time printed them.',
)
@types.generator
@types.engine
@types.json
def play_command(
    position: StartPosition,
    specs: tuple[Spec, ...],
    first: Spec | None,
    second: Spec | None,
    time: float | None,
    iterations: tuple[int, ...] | None,
    rng: Generator,
    engine: str,
    *,
    as_json: bool,
) -> int:
    """Play GAME to its end: X is played by --first and O by --second.

    Or name every player in order, as many as the game has: fmcts play mnk3 human mcts mcts.

    A person (human) types moves, or help. With --json the conversation goes to standard error. The
    moves printed are those of the whole game, including those of --moves. With --time the
    iterations of each search are printed too; give them as --iterations, with the other options
    unchanged, to play the same game again.

    Exit code: 0 when the game was finished or left with `quit`, 1 when the input ended before the
    game did, or when the game was left and JSON was requested.
    """
    named = seats_of(position, specs, first, second)
    if time is not None and iterations is not None:
        types.exclude('--time', '--iterations')
    players, made = seated(named, engine, time, iterations)
    session, screen = Session(position, rng), sys.stderr if as_json else sys.stdout
    person = any(isinstance(player, Human) for player in players)
    if person:
        if hasattr(position.state, 'chances'):  # as in a game between bots
            rng, dice = rng.split()
            session = Session(position, rng, dice=dice)
        try:
            for after in converse(session, players, made, mcts(HINTS, engine=engine), screen):
                session = after
        except BaseException:  # Ctrl-C, or any error of a bot
            show(Sentence(''), *session.so_far(), stream=screen)
            raise
        if not session.position.state.over:
            show(*session.so_far(), stream=screen)
            return NEGATIVE if as_json else DONE
    else:
        session = between_bots(session, players, made)
    if iterations is not None and len(session.counts) < len(iterations):
        only = amount(len(session.counts), 'search', 'searches')
        raise click.UsageError(f'--iterations: the game has only {only}, not {len(iterations)}')
    if person:
        show(Sentence(''), stream=screen)
        if as_json:  # the conversation is on standard error
            show_page(*session.page(), stream=screen)
    return answer(session.in_json, session.page, as_json=as_json)


def seats_of(
    position: StartPosition,
    specs: tuple[Spec, ...],
    first: Spec | None,
    second: Spec | None,
) -> tuple[Spec, ...]:
    """Return the players named by --first and --second, or by the words after the game.

    :raises UsageError: there is not one for each seat of the game.
    """
    if specs and (first or second):
        why = 'players are named by --first and --second or after the game, not both'
        raise click.UsageError(why)
    if bool(first) != bool(second):
        missing = '--second' if first else '--first'
        why = f'missing {missing}: expected a bot such as mcts:1000, or human'
        raise click.UsageError(why)
    named = (first, second) if first and second else specs
    seats, name = players_of(position.state), position.game.name
    if len(named) != len(seats):
        example = ' '.join(('human', *['mcts'] * (len(seats) - 1)))
        raise click.UsageError(
            f'{name} has {amount(len(seats), "player")}, and {len(named)} are given: name them '
            f'after the game, such as fmcts play {name} {example}',
        )
    return named


def between_bots(session: Session, bots: tuple[AnyBot, ...], made: Made) -> Session:
    """Play the game to its end without a conversation."""

    def watched(bot: AnyBot) -> AnyBot:
        return lambda state, rng: decide(bot, state, rng, progress)[:2]

    position = session.position
    with Progress() as progress:
        record, rng = play_seats(position.state, [*map(watched, bots)], session.rng)
    position = reduce(StartPosition.after, record.moves, position)
    return Session(position, rng, counts_of(made))
