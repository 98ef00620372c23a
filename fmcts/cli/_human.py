"""The conversation with a person: a loop around `session`, which makes all decisions.

Lines are read with a line editor (arrow keys) where the terminal has one.
"""

from __future__ import annotations

import enum
import io
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TextIO

import click

from fmcts._promises import checked_seat
from fmcts.bots import AnyBot, Human, MctsBot
from fmcts.cli._progress import Progress, decide
from fmcts.cli._screen import show
from fmcts.cli._session import LONGEST, Command, Session, board_of, legal_moves, respond
from fmcts.cli._timed import counts_of
from fmcts.game import chances_of, has_rewards, players_of
from fmcts.view import Sentence


class Ending(enum.Enum):
    """Why a conversation ended."""

    FINISHED = enum.auto()
    LEFT = enum.auto()
    INPUT_ENDED = enum.auto()


def converse(
    session: Session,
    players: tuple[AnyBot | Human, ...],
    hints: MctsBot,
    screen: TextIO,
    keep: Callable[[Session], object],
) -> Ending:
    """Play until the game ends, the person quits or the input ends.

    `players` are in the order of the game's own. Each new session is passed to `keep`, so that it
    is not lost if an error is raised.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Undecodable input is then a wrong entry like any other.
        sys.stdin.reconfigure(errors='replace')
    show(Sentence('Type a move, or help.'), stream=screen)
    seen, seats = None, players_of(session.state)
    while not session.state.over:
        if chances_of(session.state):
            session = session.after_chance()
            name = session.game.format_move(session.moves[-1])
            show(Sentence(f'chance: {name}', strong=True), stream=screen)
            keep(session)
            continue
        player = players[checked_seat(session.state, seats)]
        if not isinstance(player, Human):
            session = _bot_moves(session, player, screen)
            keep(session)
            continue
        if session is not seen:
            show(Sentence(''), board_of(session), legal_moves(session), stream=screen)
            seen = session
        entry = ask(screen, f'{session.state.player}> ')
        if entry is None:
            show(Sentence(''), stream=screen)
            return Ending.INPUT_ENDED
        reply = respond(session, entry)
        show(*reply.parts, stream=screen)
        if reply.wish is Command.QUIT:
            return Ending.LEFT
        if reply.wish is Command.HINT:
            _hint(session, hints, screen)
        session = reply.session
        keep(session)
    return Ending.FINISHED


def _bot_moves(session: Session, bot: AnyBot, screen: TextIO) -> Session:
    with Progress() as progress:
        move, analysis, rng = decide(bot, session.state, session.rng, progress)
    name = session.game.format_move(move)
    show(Sentence(f'{session.state.player} plays {name}', strong=True), stream=screen)
    return session.after(move, rng, counts_of(bot, analysis))


def _hint(session: Session, bot: MctsBot, screen: TextIO) -> None:
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
    show(Sentence(f'hint: {name} (value {value:.3f}: {about})'), stream=screen)


def ask(screen: TextIO, prompt: str) -> str | None:
    """Return the next line typed, or `None` at the end of the input.

    :raises UsageError: the input cannot be read.
    """
    if sys.stdin is None:
        return None
    typed = sys.stdin.isatty()
    try:
        if typed and screen is sys.stdout and screen.isatty() and find_spec('readline'):
            import readline  # noqa: F401, PLC0415 - `input` uses it when it is loaded

            return f'{input(prompt)}\n'
        screen.write(prompt)
        screen.flush()
        line = sys.stdin.readline()
    except EOFError:
        return None
    except OSError as error:
        why = f'standard input cannot be read: {error.strerror or error}'
        raise click.UsageError(why) from error
    if line and not typed and len(line) <= LONGEST:
        show(Sentence(line.strip()), stream=screen)  # a terminal echoes what is typed
    return line or None
