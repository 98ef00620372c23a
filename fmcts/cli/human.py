"""The conversation with a person: a thin loop around `session`, which decides everything."""

from __future__ import annotations

import enum
import io
import sys
from typing import Final, TextIO

import click

from fmcts.bots.spec import AnyBot, Human
from fmcts.bots.treesearch import MctsBot
from fmcts.cli.progress import Progress, decide
from fmcts.cli.screen import Screen
from fmcts.cli.session import LONGEST, Command, Session, board_of, legal_moves, respond
from fmcts.cli.timed import counts_of
from fmcts.game import Player
from fmcts.view.parts import Line

__all__ = ['Ending', 'converse']

PIECES: Final = 1000  # of LONGEST characters; a line that goes on after them has no end


class Ending(enum.Enum):
    """How a conversation came to its end."""

    FINISHED = enum.auto()
    LEFT = enum.auto()
    INPUT_ENDED = enum.auto()


def converse(
    session: Session, players: tuple[AnyBot | Human, AnyBot | Human], hints: MctsBot, screen: Screen
) -> tuple[Session, Ending]:
    """Play on until the game, the person's patience or the input ends. X is the first player."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors='replace')  # what is no text is a wrong entry, like others
    screen.show(Line('Type a move, or help.'))
    seen = None
    while not session.state.over:
        player = players[session.state.player is Player.O]
        if not isinstance(player, Human):
            session = _bot_moves(session, player, screen)
            continue
        if session is not seen:
            screen.show(Line(''), board_of(session), legal_moves(session))
            seen = session
        entry = _ask(screen, f'{session.state.player}> ')
        if entry is None:
            return session, Ending.INPUT_ENDED
        reply = respond(session, entry)
        screen.show(*reply.parts)
        if reply.wish is Command.QUIT:
            return session, Ending.LEFT
        if reply.wish is Command.HINT:
            _hint(session, hints, screen)
        session = reply.session
    return session, Ending.FINISHED


def _ask(screen: Screen, prompt: str) -> str | None:
    """The next line that is typed; `None` at the end of the input."""
    screen.prompt(prompt)
    line = _read_line(sys.stdin) if sys.stdin else ''
    if not line:
        screen.show(Line(''))
        return None
    if not sys.stdin.isatty() and len(line) <= LONGEST:
        screen.show(Line(line.strip()))  # a terminal shows what is typed, a pipe does not
    return line


def _read_line(stream: TextIO) -> str:
    """The next line, cut off where it is too long for an entry; nothing at the end of the input.

    :raises click.ClickException: the input cannot be read, or the line does not end.
    """
    try:
        line = piece = stream.readline(LONGEST + 1)
        for _ in range(PIECES):
            if len(piece) <= LONGEST or piece.endswith('\n'):
                return line
            piece = stream.readline(LONGEST + 1)
    except OSError as error:
        raise click.ClickException(
            f'standard input: cannot be read: {error.strerror or error}'
        ) from error
    raise click.ClickException(
        f'standard input: a line of more than {PIECES * LONGEST:,} characters: '
        'expected moves, one on a line'
    )


def _bot_moves(session: Session, bot: AnyBot, screen: Screen) -> Session:
    with Progress() as progress:
        move, analysis, rng = decide(bot, session.state, session.rng, progress)
    name = session.game.format_move(move)
    screen.show(Line(f'{session.state.player} plays {name}', strong=True))
    return session.after(move, rng, counts_of(bot, analysis))


def _hint(session: Session, bot: MctsBot, screen: Screen) -> None:
    """Say what `bot` would play. A child generator is used, so the game goes on as without."""
    state = session.state
    with Progress() as progress:
        watch = progress.watching('looking for a hint', bot.search.iterations)
        analysis, _ = bot.analyse(state, session.rng.child(0), watch=watch)
    value = next(row.value for row in analysis.stats if row.move == analysis.move)
    screen.show(
        Line(
            f'hint: {session.game.format_move(analysis.move)} '
            f'(value {value:.3f}: from 0, {state.player} loses, to 1, it wins)'
        )
    )
