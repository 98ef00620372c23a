"""The conversation with a person: a loop around `session`, which makes all decisions.

Lines are read with a line editor (arrow keys) where the terminal has one.
"""

from __future__ import annotations

import enum
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import FrameType
from typing import Any, Final, TextIO

import click

from fmcts._promises import checked_seat
from fmcts.bots._presets import AnyBot, Human
from fmcts.bots._treesearch import MctsBot
from fmcts.cli._progress import Progress, decide, may_handle
from fmcts.cli._screen import Screen
from fmcts.cli._session import LONGEST, Command, Session, board_of, legal_moves, respond
from fmcts.cli._timed import counts_of
from fmcts.game import chances_of, has_rewards, players_of
from fmcts.view._parts import Sentence

PIECES: Final = 1000  # of LONGEST characters; a longer line is treated as endless


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
    screen.show(Sentence('Type a move, or help.'))
    seen, seats = None, players_of(session.state)
    while not session.state.over:
        if chances_of(session.state):
            session = session.after_chance()
            name = session.game.format_move(session.moves[-1])
            screen.show(Sentence(f'chance: {name}', strong=True))
            keep(session)
            continue
        player = players[checked_seat(session.state, seats)]
        if not isinstance(player, Human):
            session = _bot_moves(session, player, screen)
            keep(session)
            continue
        if session is not seen:
            screen.show(Sentence(''), board_of(session), legal_moves(session))
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
    screen.show(Sentence(f'{session.state.player} plays {name}', strong=True))
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
    screen.show(Sentence(f'hint: {name} (value {value:.3f}: {about})'))


# ---- one line of input ----


def ask(screen: Screen, prompt: str) -> str | None:
    """Return the next line typed, or `None` at the end of the input.

    :raises click.ClickException: the input cannot be read, or a line is too long.
    """
    with _continued(screen, prompt):
        line = _edited(prompt) if _has_editor(screen) else _plain(screen, prompt)
    if line is None:
        screen.show(Sentence(''))
    return line


def _has_editor(screen: Screen) -> bool:
    """Return whether `input` edits lines here, which it does on standard output only."""
    return (
        find_spec('readline') is not None
        and screen.stream is sys.stdout
        and screen.terminal
        and sys.stdin is not None
        and sys.stdin.isatty()
    )


def _edited(prompt: str) -> str | None:
    import readline  # noqa: F401, PLC0415 - `input` uses it when it is loaded

    try:
        return f'{input(prompt)}\n'
    except EOFError:
        return None
    except OSError as error:
        raise _unreadable(error) from error


def _plain(screen: Screen, prompt: str) -> str | None:
    screen.prompt(prompt)
    line = _read_line(sys.stdin) if sys.stdin else ''
    if line and not sys.stdin.isatty() and len(line) <= LONGEST:
        screen.show(Sentence(line.strip()))  # a terminal echoes what is typed, a pipe does not
    return line or None


def _read_line(stream: TextIO) -> str:
    """Return the next line, cut if it is too long for an entry; '' at the end of the input."""
    try:
        line = piece = stream.readline(LONGEST + 1)
        for _ in range(PIECES):
            if len(piece) <= LONGEST or piece.endswith('\n'):
                return line
            piece = stream.readline(LONGEST + 1)
    except OSError as error:
        raise _unreadable(error) from error
    raise click.ClickException(
        f'standard input: a line has more than {PIECES * LONGEST:,} characters: expected moves, '
        'one on a line'
    )


def _unreadable(error: OSError) -> click.ClickException:
    return click.ClickException(f'standard input cannot be read: {error.strerror or error}')


@contextmanager
def _continued(screen: Screen, prompt: str) -> Iterator[None]:
    """Show the prompt again when the process resumes after Ctrl-Z.

    A line editor puts the terminal into its own mode, which is restored too.
    """
    if not (
        screen.terminal
        and hasattr(signal, 'SIGTSTP')
        and may_handle(signal.SIGTSTP, signal.SIG_DFL)
    ):
        yield
        return
    import termios  # noqa: PLC0415 - where there is such a signal

    edited = _has_editor(screen)
    stream = (sys.stdin if edited else screen.stream).fileno()
    usual = termios.tcgetattr(stream)

    def stop(number: int, _frame: FrameType | None) -> None:
        editing = termios.tcgetattr(stream)
        termios.tcsetattr(stream, termios.TCSADRAIN, usual)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # execution resumes here
        signal.signal(number, stop)
        termios.tcsetattr(stream, termios.TCSADRAIN, editing)
        editor: Any = sys.modules.get('readline') if edited else None
        screen.prompt(f'{prompt}{editor.get_line_buffer() if editor else ""}')

    signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
