"""The conversation with a person: a thin loop around `session`, which makes all decisions."""

from __future__ import annotations

import enum
import io
import sys
from collections.abc import Callable

from fmcts.bots._presets import AnyBot, Human
from fmcts.bots._treesearch import MctsBot
from fmcts.cli._asking import ask
from fmcts.cli._progress import Progress, decide
from fmcts.cli._screen import Screen
from fmcts.cli._session import Command, Session, board_of, legal_moves, respond
from fmcts.cli._timed import counts_of
from fmcts.game import chances_of, checked_seat, has_rewards, players_of
from fmcts.view._parts import Line


class Ending(enum.Enum):
    """Why a conversation ended."""

    FINISHED = enum.auto()
    LEFT = enum.auto()
    INPUT_ENDED = enum.auto()


def converse(
    session: Session,
    players: tuple[AnyBot | Human, ...],
    hints: MctsBot,
    screen: Screen,
    keep: Callable[[Session], object],
) -> Ending:
    """Play until the game ends, the person quits or the input ends.

    `players` are in the order of the game's own.

    Each new session is passed to `keep`, so that it is not lost if an error is raised.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(
            errors='replace'
        )  # undecodable input is then a wrong entry like any other
    screen.show(Line('Type a move, or help.'))
    seen, seats = None, players_of(session.state)
    while not session.state.over:
        if chances_of(session.state):
            session = session.after_chance()
            name = session.game.format_move(session.moves[-1])
            screen.show(Line(f'chance: {name}', strong=True))
            keep(session)
            continue
        player = players[checked_seat(session.state, seats)]
        if not isinstance(player, Human):
            session = _bot_moves(session, player, screen)
            keep(session)
            continue
        if session is not seen:
            screen.show(Line(''), board_of(session), legal_moves(session))
            seen = session
        entry = ask(screen, f'{session.state.player}> ')
        if entry is None:
            return Ending.INPUT_ENDED
        reply = respond(session, entry)
        screen.show(*reply.parts)
        if reply.wish is Command.QUIT:
            return Ending.LEFT
        if reply.wish is Command.HINT:
            _hint(session, hints, screen)
        session = reply.session
        keep(session)
    return Ending.FINISHED


def _bot_moves(session: Session, bot: AnyBot, screen: Screen) -> Session:
    with Progress() as progress:
        move, analysis, rng = decide(bot, session.state, session.rng, progress)
    name = session.game.format_move(move)
    screen.show(Line(f'{session.state.player} plays {name}', strong=True))
    return session.after(move, rng, counts_of(bot, analysis))


def _hint(session: Session, bot: MctsBot, screen: Screen) -> None:
    """Show the move `bot` would play. It uses a child generator, so the game's is unchanged."""
    state = session.state
    with Progress() as progress:
        watch = progress.watching('computing a hint', bot.search.iterations)
        analysis, _ = bot.analyse(state, session.rng.child(0), watch=watch)
    value = next(row.value for row in analysis.stats if row.move == analysis.move)
    about = (
        f'what {state.player} gets on average'
        if has_rewards(state)
        else f'from 0, {state.player} loses, to 1, it wins'
    )
    name = session.game.format_move(analysis.move)
    screen.show(Line(f'hint: {name} (value {value:.3f}: {about})'))
