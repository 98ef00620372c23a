"""`fmcts play`: a whole game between two bots, a person and a bot, or two people."""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

import attrs
import click
from attrs import frozen
from returns.io import IOResult
from returns.result import Failure, Result, Success

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
from fmcts.errors import GameError
from fmcts.game import GameState, has_rewards, is_plain, players_of
from fmcts.games.boards import ended
from fmcts.record import play_game
from fmcts.rng import format as format_rng
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search
from fmcts.view._parts import Facts, Line, Part, join_moves

HINTS: Final = Search(iterations=1000)


@frozen
class Request:
    """The arguments of `fmcts play`, parsed: `players`, X first, start at `position`.

    `hints` is the bot that gives hints, `counts` the iterations of a game to repeat.
    """

    position: Position
    players: tuple[AnyBot | Human, AnyBot | Human]
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
)


@click.command(
    'play',
    short_help='Play a whole game: bots, people, or both.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.option('--first', metavar='SPEC', required=True, help='Who plays X.')
@click.option('--second', metavar='SPEC', required=True, help='Who plays O.')
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
def command(game: str, first: str, second: str, *, as_json: bool, **given: Any) -> int:
    """Play GAME to its end: X is played by --first and O by --second.

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
        for one in IOResult.from_result(to_player(first, engine).alt('--first: {}'.format))
        for two in IOResult.from_result(to_player(second, engine).alt('--second: {}'.format))
        for board in IOResult.from_result(board_beside((one, two), given['board']))
        for seconds in IOResult.from_result(to_seconds(given['seconds']))
        for counts in IOResult.from_result(to_counts(given['iterations'], seconds))
        for players in IOResult.from_result(both_limited((one, two), seconds, counts))
        for position in read_position(game, given['moves'], board)
        for rng in IOResult.from_result(to_generator(given['seed'], given['rng']))
    )
    return carry_out(request, act)


def board_beside(
    players: tuple[AnyBot | Human, AnyBot | Human], board: str | None
) -> Result[str | None, str]:
    """Return the value of --board, which cannot be standard input if a person plays."""
    if board == STANDARD_INPUT and any(isinstance(player, Human) for player in players):
        return Failure('--board - and human both read standard input: give the board in a file')
    return Success(board)


def both_limited(
    players: tuple[AnyBot | Human, AnyBot | Human], seconds: float | None, counts: Counts | None
) -> Result[tuple[AnyBot | Human, AnyBot | Human], str]:
    """Return both players, their tree searches limited by time or by counts."""
    given = '--time' if counts is None else '--iterations'
    limits = seconds is not None or counts is not None
    if limits and not any(isinstance(player, MctsBot) for player in players):
        return Failure(f'{given} needs a tree search, such as mcts')
    first, second = players
    return limited(first, seconds, counts).bind(
        lambda one: limited(second, seconds, counts).map(lambda two: (one, two))
    )


def act(request: Request) -> int:
    """Play, and print the outcome."""
    first, second = request.players
    check_for_two(request.position.state)
    if isinstance(first, Human) or isinstance(second, Human):
        return between_people(request)
    return between_bots(request, first, second)


def between_bots(request: Request, first: AnyBot, second: AnyBot) -> int:
    """Play without a conversation, and print the outcome."""
    counts: list[int] = []

    def tell(bot: AnyBot, analysis: Analysis[int] | None) -> None:
        counts.extend(counts_of(bot, analysis))

    with Progress() as progress:
        record, rng = play_game(
            request.position.state,
            watched(first, progress, tell),
            watched(second, progress, tell),
            request.rng,
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


def check_for_two(state: GameState[Any]) -> None:
    """Refuse a game for one player or more than two.

    :raises GameError: the game is for one player or more than two.
    """
    count = len(players_of(state))
    if count != 2:
        raise GameError(
            f'fmcts play is for two players, and {type(state).__name__} has {count}: use fmcts '
            'tournament with a bot for each seat, or fmcts.record.play_seats'
        )


def with_dice(session: Session) -> Session:
    """Return the session with a generator for outcomes, as in a game between bots.

    :raises GameError: the game has rewards or other players.
    """
    state = session.state
    if has_rewards(state):
        raise GameError(
            f'a person plays games of X against O: {type(state).__name__} has rewards or other '
            'players (fmcts.record.play_seats plays it between bots)'
        )
    if is_plain(state):
        return session
    rng, dice = session.rng.split()
    return attrs.evolve(session, rng=rng, dice=dice)


def in_json(session: Session) -> dict[str, object]:
    """Return a finished game as values for JSON."""
    game, state = session.game, session.state
    limited_searches = {'iterations': list(session.counts)} if session.counts else {}
    winner = getattr(state, 'winner', None)
    return {
        'winner': None if winner is None else str(winner),
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
