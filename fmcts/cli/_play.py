"""`fmcts play`: a whole game between two bots, a person and a bot, or two people."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, cast

import attrs
import click
from returns.iterables import Fold
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts._promises import rewards_of
from fmcts.bots._presets import AnyBot, Human
from fmcts.bots._treesearch import MctsBot, mcts
from fmcts.cli import _human as human, _options as options
from fmcts.cli._ending import DONE, NEGATIVE, EndedError, accepted
from fmcts.cli._inputs import (
    STANDARD_INPUT,
    Position,
    read_position,
    to_engine,
    to_generator,
    to_player,
)
from fmcts.cli._progress import Progress, watched
from fmcts.cli._screen import Screen, answer, moves_in_json
from fmcts.cli._session import Session, board_of
from fmcts.cli._timed import Counts, counts_of, limited, to_counts, to_seconds
from fmcts.game import has_rewards, players_of
from fmcts.games.boards import ended
from fmcts.record import play_seats
from fmcts.rng import format as format_rng
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search
from fmcts.view._parts import Facts, Part, Sentence, join_moves

HINTS: Final = Search(iterations=1000)

Seats: TypeAlias = tuple[AnyBot | Human, ...]
"""Who plays, in the order of the game's `players`."""


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
    engine = accepted(to_engine(given['engine']))
    seats = accepted(to_seats(specs, first, second, engine))
    board = accepted(board_beside(seats, given['board']))
    seconds = accepted(to_seconds(given['seconds']))
    counts = accepted(to_counts(given['iterations'], seconds))
    seats = accepted(all_limited(seats, seconds, counts))
    position = accepted(read_position(game, given['moves'], board))
    players = accepted(one_for_each(seats, position))
    rng = accepted(to_generator(given['seed'], given['rng']))
    start = Session(position.game, position.state, rng, position.moves, seen_before=position.before)
    if has_person(players):
        screen = Screen.of_errors() if as_json else Screen.of_output()
        session, ending = between_people(start, players, mcts(HINTS, engine=engine), screen)
        if ending is not human.Ending.FINISHED:
            screen.show(*so_far(session))
            if ending is human.Ending.INPUT_ENDED:
                raise EndedError(NEGATIVE, 'the input ended before the game did')
            return NEGATIVE if as_json else DONE
    else:
        session = between_bots(start, cast('tuple[AnyBot, ...]', players))
    if counts is not None:
        counts.check_used()
    if has_person(players):
        screen.show(Sentence(''))
        if as_json:  # the conversation is on standard error
            screen.page(*page(session))
    return answer(lambda: in_json(session), lambda: page(session), as_json=as_json)


def to_seats(
    specs: tuple[str, ...], first: str | None, second: str | None, engine: str
) -> Result[Seats, str]:
    """Return the players named by --first and --second, or by the words after the game."""
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
    if board == STANDARD_INPUT and has_person(players):
        return Failure('--board - and human both read standard input: give the board in a file')
    return Success(board)


def all_limited(players: Seats, seconds: float | None, counts: Counts | None) -> Result[Seats, str]:
    """Return all players, their tree searches limited by time or by counts."""
    given = '--time' if counts is None else '--iterations'
    limits = seconds is not None or counts is not None
    if limits and not any(isinstance(player, MctsBot) for player in players):
        return Failure(f'{given} needs a tree search, such as mcts')
    return Fold.collect([limited(player, seconds, counts) for player in players], Success(()))


def has_person(players: Seats) -> bool:
    """Return whether a person plays."""
    return any(isinstance(player, Human) for player in players)


def between_bots(session: Session, bots: tuple[AnyBot, ...]) -> Session:
    """Play the game to its end without a conversation."""
    counts: list[int] = []

    def tell(bot: AnyBot, analysis: Analysis[int] | None) -> None:
        counts.extend(counts_of(bot, analysis))

    with Progress() as progress:
        players = [watched(bot, progress, tell) for bot in bots]
        record, rng = play_seats(session.state, players, session.rng)
    for move in record.moves:
        session = session.after(move, rng)
    return attrs.evolve(session, rng=rng, counts=tuple(counts))


def between_people(
    session: Session, players: Seats, hints: MctsBot, screen: Screen
) -> tuple[Session, human.Ending]:
    """Play with a person at the terminal; return the last session, and why it is the last."""
    if hasattr(session.state, 'chances'):  # a generator for outcomes, as in a game between bots
        rng, dice = session.rng.split()
        session = attrs.evolve(session, rng=rng, dice=dice)
    sessions = [session]
    try:
        ending = human.converse(session, players, hints, screen, sessions.append)
    except BaseException:  # Ctrl-C, or any error of a bot
        screen.show(Sentence(''), *so_far(sessions[-1]))
        raise
    return sessions[-1], ending


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
        'moves': moves_in_json(game, session.moves),
        'rng': format_rng(session.rng),
        **limited_searches,
    }


def page(session: Session) -> tuple[Part, ...]:
    """Return a finished game for reading."""
    result = ('result', ended(session.state))
    return board_of(session), Facts((result, *standing(session)))


def so_far(session: Session) -> tuple[Part, ...]:
    """Return how to continue a game that was left."""
    return Sentence('The game so far, to continue with --moves and --rng:'), Facts(
        standing(session)
    )


def standing(session: Session) -> tuple[tuple[str, str], ...]:
    """Return all moves, the next generator, and the iterations of searches limited by time."""
    moves = join_moves(session.game, session.moves)
    facts = ('moves', moves or 'none'), ('rng', format_rng(session.rng))
    counts = ','.join(map(str, session.counts))
    return (*facts, ('iterations', counts)) if counts else facts
