"""`fmcts play`: a whole game between two bots, a person and a bot, or two people."""

from __future__ import annotations

import sys
from typing import Final, TextIO, TypeAlias, cast

import attrs
import click

from fmcts._arguments import amount
from fmcts._promises import rewards_of
from fmcts.bots import AnyBot, Human, MctsBot, mcts
from fmcts.cli import _types as types
from fmcts.cli._human import Ending, Session, board_of, converse
from fmcts.cli._progress import Counts, Progress, counts_of, decide, limited
from fmcts.cli._screen import answer, moves_in_json, page as show_page, show
from fmcts.cli._types import DONE, NEGATIVE, EndedError, Generator, Spec, StartPosition
from fmcts.game import GameState, has_rewards, players_of
from fmcts.games.boards import ended
from fmcts.record import play_seats
from fmcts.rng import format as format_rng
from fmcts.search import Search
from fmcts.view import Facts, Part, Sentence, join_moves

HINTS: Final = Search(iterations=1000)

Seats: TypeAlias = tuple[AnyBot | Human, ...]
"""Who plays, in the order of the game's `players`."""


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
    types.Parsed('A,B,...', Counts.of),
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
    iterations: Counts | None,
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
    players: Seats = tuple(spec.on(engine) for spec in named)
    if time is not None and iterations is not None:
        types.exclude('--time', '--iterations')
    if (time or iterations) and not any(isinstance(player, MctsBot) for player in players):
        given = '--time' if iterations is None else '--iterations'
        raise click.UsageError(f'{given} needs a tree search, such as mcts')
    for spec in dict.fromkeys(named) if time else ():
        types.tell_of_number('--time', spec.text, spec.player)
    players = tuple(limited(player, time, iterations) for player in players)
    session = Session(
        position.game, position.state, rng, position.moves, seen_before=position.before
    )
    person = any(isinstance(player, Human) for player in players)
    if person:
        screen = sys.stderr if as_json else sys.stdout
        session, ending = between_people(session, players, mcts(HINTS, engine=engine), screen)
        if ending is not Ending.FINISHED:
            show(*so_far(session), stream=screen)
            if ending is Ending.INPUT_ENDED:
                raise EndedError(NEGATIVE, 'the input ended before the game did')
            return NEGATIVE if as_json else DONE
    else:
        session = between_bots(session, cast('tuple[AnyBot, ...]', players))
    if iterations is not None:
        iterations.check_used()
    if person:
        show(Sentence(''), stream=screen)
        if as_json:  # the conversation is on standard error
            show_page(*page(session), stream=screen)
    return answer(lambda: in_json(session), lambda: page(session), as_json=as_json)


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


def between_bots(session: Session, bots: tuple[AnyBot, ...]) -> Session:
    """Play the game to its end without a conversation."""
    counts: list[int] = []

    def watched(bot: AnyBot) -> AnyBot:
        def play(state: GameState[int], rng: Generator) -> tuple[int, Generator]:
            move, analysis, rng = decide(bot, state, rng, progress)
            counts.extend(counts_of(bot, analysis))
            return move, rng

        return cast('AnyBot', play)

    with Progress() as progress:
        record, rng = play_seats(session.state, [watched(bot) for bot in bots], session.rng)
    for move in record.moves:
        session = session.after(move, rng)
    return attrs.evolve(session, rng=rng, counts=tuple(counts))


def between_people(
    session: Session, players: Seats, hints: MctsBot, screen: TextIO
) -> tuple[Session, Ending]:
    """Play with a person at the terminal; return the last session, and why it is the last."""
    if hasattr(session.state, 'chances'):  # a generator for outcomes, as in a game between bots
        rng, dice = session.rng.split()
        session = attrs.evolve(session, rng=rng, dice=dice)
    sessions = [session]
    try:
        ending = converse(session, players, hints, screen, sessions.append)
    except BaseException:  # Ctrl-C, or any error of a bot
        show(Sentence(''), *so_far(sessions[-1]), stream=screen)
        raise
    return sessions[-1], ending


def in_json(session: Session) -> dict[str, object]:
    """Return a finished game as values for JSON."""
    game, state = session.game, session.state
    winner = getattr(state, 'winner', None)
    seats = zip(players_of(state), rewards_of(state), strict=True) if has_rewards(state) else ()
    rewards = {str(player): reward for player, reward in seats}
    return {
        'winner': None if winner is None else str(winner),
        **({'rewards': rewards} if rewards else {}),
        'board': game.format(state),
        'moves': moves_in_json(game, session.moves),
        'rng': format_rng(session.rng),
        **({'iterations': list(session.counts)} if session.counts else {}),
    }


def page(session: Session) -> tuple[Part, ...]:
    """Return a finished game for reading."""
    result = ('result', ended(session.state))
    return board_of(session), Facts((result, *standing(session)))


def so_far(session: Session) -> tuple[Part, ...]:
    """Return how to continue a game that was left."""
    continued = Sentence('The game so far, to continue with --moves and --rng:')
    return continued, Facts(standing(session))


def standing(session: Session) -> tuple[tuple[str, str], ...]:
    """Return all moves, the next generator, and the iterations of searches limited by time."""
    moves = join_moves(session.game, session.moves)
    facts = ('moves', moves or 'none'), ('rng', format_rng(session.rng))
    counts = ','.join(map(str, session.counts))
    return (*facts, ('iterations', counts)) if counts else facts
