"""`fmcts play`: a whole game between two bots, a person and a bot, or two people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Final, TypeAlias

import attrs
import click
from attrs import frozen
from returns.io import IOResult
from returns.iterables import Fold
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts.bots._presets import AnyBot, Human
from fmcts.bots._treesearch import MctsBot, mcts
from fmcts.cli import _human as human, _options as options
from fmcts.cli._ending import BROKEN_OFF, DONE, carry_out
from fmcts.cli._inputs import (
    STANDARD_INPUT,
    Generator,
    Position,
    read_position,
    to_engine,
    to_generator,
    to_player,
)
from fmcts.cli._progress import Progress, watched
from fmcts.cli._screen import Screen, complain, move_in_json, print_json
from fmcts.cli._session import Session, board_of
from fmcts.cli._timed import Counts, counts_of, limited, to_counts, to_seconds
from fmcts.game import has_rewards, players_of, rewards_of
from fmcts.games.boards import ended
from fmcts.record import play_seats
from fmcts.rng import format as format_rng
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search
from fmcts.view._parts import Facts, Line, Part, join_moves

HINTS: Final = Search(iterations=1000)

Seats: TypeAlias = tuple[AnyBot | Human, ...]
"""Who plays, in the order of the game's `players`."""


@frozen
class Request:
    """The arguments of `fmcts play`, parsed: `players`, in the game's order, start at `position`.

    `hints` is the bot that gives hints, `counts` the iterations of a game to repeat.
    """

    position: Position
    players: Seats
    hints: MctsBot
    rng: Generator
    as_json: bool
    counts: Counts | None


EXAMPLES = options.examples(
    'fmcts play connect4 --first human --second mcts:2000',
    'fmcts play othello --first mcts:300 --second mc:300 --seed 7 --json',
    'fmcts play tictactoe --moves 4,0 --first human --second human',
    'fmcts play connect4 --first mcts --second mcts --time 0.2 --json',
    'fmcts play breakthrough:6,6 --first human --second mymodule:bot',
    'fmcts play mnk3:5,4,4 human mcts:2000 mcts:2000',
    'fmcts play 2048 mcts:200',
)


@click.command(
    'play',
    short_help='Play a whole game: bots, people, or both.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('specs', metavar='[SPEC]...', nargs=-1)
@click.option('--first', metavar='SPEC', help='Who plays X.')
@click.option('--second', metavar='SPEC', help='Who plays O.')
@options.position
@options.time
@click.option(
    '--iterations',
    metavar='A,B,...',
    help='The iterations of each tree search, as a game with --time printed them.',
)
@options.generator
@options.engine
@options.json
def command(
    game: str,
    specs: tuple[str, ...],
    first: str | None,
    second: str | None,
    *,
    as_json: bool,
    **given: Any,
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
    request = IOResult.do(
        Request(position, players, mcts(HINTS, engine=engine), rng, as_json, counts)
        for engine in IOResult.from_result(to_engine(given['engine']))
        for seats in IOResult.from_result(to_seats(specs, first, second, engine))
        for board in IOResult.from_result(board_beside(seats, given['board']))
        for seconds in IOResult.from_result(to_seconds(given['seconds']))
        for counts in IOResult.from_result(to_counts(given['iterations'], seconds))
        for limited_seats in IOResult.from_result(all_limited(seats, seconds, counts))
        for position in read_position(game, given['moves'], board)
        for players in IOResult.from_result(one_for_each(limited_seats, position))
        for rng in IOResult.from_result(to_generator(given['seed'], given['rng']))
    )
    return carry_out(request, act)


def to_seats(
    specs: tuple[str, ...], first: str | None, second: str | None, engine: str
) -> Result[Seats, str]:
    """Return who plays: those of --first and --second, or of all the words after the game."""
    if specs and (first is not None or second is not None):
        return Failure('players are named by --first and --second or after the game, not both')
    named = {'--first': first, '--second': second}
    if not specs and (first is not None or second is not None):
        for option, spec in named.items():
            if spec is None:
                return Failure(f'missing {option}: expected {options.EXPECTED[option[2:]]}')
    given = [*named.items()] if first is not None else [(spec, spec) for spec in specs]
    return Fold.collect(
        [to_player(str(spec), engine).alt(f'{name}: {{}}'.format) for name, spec in given],
        Success(()),
    )


def one_for_each(players: Seats, position: Position) -> Result[Seats, str]:
    """Return the players if there is one for each seat of the game."""
    seats, name = players_of(position.state), position.game.name
    if len(players) == len(seats):
        return Success(players)
    example = ' '.join(('human', *['mcts'] * (len(seats) - 1)))
    return Failure(
        f'{name} has {amount(len(seats), "player")}, and {len(players)} are given: name them after '
        f'the game, such as fmcts play {name} {example}'
    )


def board_beside(players: Seats, board: str | None) -> Result[str | None, str]:
    """Return the value of --board, which cannot be standard input if a person plays."""
    if board == STANDARD_INPUT and any(isinstance(player, Human) for player in players):
        return Failure('--board - and human both read standard input: give the board in a file')
    return Success(board)


def all_limited(players: Seats, seconds: float | None, counts: Counts | None) -> Result[Seats, str]:
    """Return all players, their tree searches limited by time or by counts."""
    given = '--time' if counts is None else '--iterations'
    limits = seconds is not None or counts is not None
    if limits and not any(isinstance(player, MctsBot) for player in players):
        return Failure(f'{given} needs a tree search, such as mcts')
    return Fold.collect([limited(player, seconds, counts) for player in players], Success(()))


def act(request: Request) -> int:
    """Play, and print the outcome."""
    bots = [player for player in request.players if not isinstance(player, Human)]
    if len(bots) < len(request.players):
        return between_people(request)
    return between_bots(request, bots)


def between_bots(request: Request, bots: Sequence[AnyBot]) -> int:
    """Play without a conversation, and print the outcome."""
    counts: list[int] = []

    def tell(bot: AnyBot, analysis: Analysis[int] | None) -> None:
        counts.extend(counts_of(bot, analysis))

    with Progress() as progress:
        record, rng = play_seats(
            request.position.state, [watched(bot, progress, tell) for bot in bots], request.rng
        )
    opening = session_at(request.position, rng)
    session = reduce(lambda before, move: before.after(move, rng), record.moves, opening)
    session = attrs.evolve(session, counts=tuple(counts))
    if request.counts is not None:
        request.counts.check_used()
    if request.as_json:
        print_json(in_json(session))
    else:
        Screen.of_output().page(*page(session))
    return DONE


def between_people(request: Request) -> int:
    """Play with a person at the terminal, and print the outcome."""
    opening = with_dice(session_at(request.position, request.rng))
    screen = Screen.of_errors() if request.as_json else Screen.of_output()
    sessions = [opening]
    try:
        ending = human.converse(opening, request.players, request.hints, screen, sessions.append)
    except BaseException:  # Ctrl-C, or any error of a bot
        screen.show(Line(''), *so_far(sessions[-1]))
        raise
    session = sessions[-1]
    if ending is human.Ending.FINISHED:
        if request.counts is not None:
            request.counts.check_used()
        screen.show(Line(''))
        screen.page(*page(session))
        if request.as_json:
            print_json(in_json(session))
        return DONE
    screen.show(*so_far(session))
    if ending is human.Ending.INPUT_ENDED:
        complain('the input ended before the game did')
        return BROKEN_OFF
    return BROKEN_OFF if request.as_json else DONE


def session_at(position: Position, rng: Generator) -> Session:
    """Return the session that starts at a position."""
    return Session(position.game, position.state, rng, position.moves, seen_before=position.before)


def with_dice(session: Session) -> Session:
    """Return the session with a generator for outcomes, as in a game between bots."""
    if not hasattr(session.state, 'chances'):
        return session
    rng, dice = session.rng.split()
    return attrs.evolve(session, rng=rng, dice=dice)


def in_json(session: Session) -> dict[str, object]:
    """Return a finished game as values for JSON."""
    game, state = session.game, session.state
    limited_searches = {'iterations': list(session.counts)} if session.counts else {}
    winner = getattr(state, 'winner', None)
    seats = zip(players_of(state), rewards_of(state), strict=True) if has_rewards(state) else ()
    rewards = {str(player): reward for player, reward in seats}
    return {
        'winner': None if winner is None else str(winner),
        **({'rewards': rewards} if rewards else {}),
        'board': game.format(state),
        'moves': [move_in_json(game, move) for move in session.moves],
        'rng': format_rng(session.rng),
        **limited_searches,
    }


def page(session: Session) -> tuple[Part, ...]:
    """Return a finished game for reading."""
    result = ('result', ended(session.state))
    return board_of(session), Facts((result, *standing(session)))


def so_far(session: Session) -> tuple[Part, ...]:
    """Return how to continue a game that was left."""
    return Line('The game so far, to continue with --moves and --rng:'), Facts(standing(session))


def standing(session: Session) -> tuple[tuple[str, str], ...]:
    """Return all moves, the next generator, and the iterations of searches limited by time."""
    moves = join_moves(session.game, session.moves)
    facts = ('moves', moves or 'none'), ('rng', format_rng(session.rng))
    counts = ','.join(map(str, session.counts))
    return (*facts, ('iterations', counts)) if counts else facts
