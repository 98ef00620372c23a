"""A game against a person: the game so far as a value, what an entry does to it, and the loop.

To take a move back, a session keeps the previous one, with its state and generator. Lines are read
with a line editor (arrow keys) where the terminal has one.
"""

from __future__ import annotations

import enum
import io
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Final, TextIO, cast

import click
from attrs import evolve, field, frozen

from fmcts._arguments import did_you_mean
from fmcts._promises import checked_seat
from fmcts.bots import AnyBot, Human, MctsBot
from fmcts.cli._progress import Progress, counts_of, decide
from fmcts.cli._screen import show
from fmcts.cli._types import Generator, read_legal
from fmcts.game import GameState, chances_of, has_rewards, players_of
from fmcts.games import GameModule
from fmcts.simulation import throw
from fmcts.view import Board, Part, Sentence, join_moves, picture

COMMANDS: Final = {
    'hint': 'what a bot would play',
    'undo': 'take back to your previous turn',
    'moves': 'the moves of the game so far',
    'board': 'the board again',
    'help': 'this list (also ?)',
    'quit': 'leave the game (also exit or q)',
}
"""The words that a person may type instead of a move, with what they do."""

ALIASES: Final = {'?': 'help', 'exit': 'quit', 'q': 'quit'}
"""Other words for commands, unless a legal move is written so."""


@frozen
class Session:
    """A game so far: its `state`, the generator to use next and all moves in order.

    `counts` are the iterations of the searches that had a limit of time, in order.

    In a game with chance `dice` is the generator that outcomes are drawn from.

    `before` is the session before the last move. The first session has none, but may know the state
    `seen_before` it, to mark the last stone.
    """

    game: GameModule
    state: GameState[int]
    rng: Generator
    moves: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    before: Session | None = field(default=None, eq=False, repr=False)
    seen_before: GameState[int] | None = field(default=None, eq=False, repr=False)
    dice: Generator | None = None

    def after(self, move: int, rng: Generator, counts: tuple[int, ...] = ()) -> Session:
        """Return the session after a legal move, with the generator that its player returned."""
        moves = (*self.moves, move)
        counts = *self.counts, *counts
        after = self.state.play(move)
        return Session(self.game, after, rng, moves, counts, self, dice=self.dice)

    def after_chance(self) -> Session:
        """Return the session after an outcome was drawn, where chance moves."""
        outcome, dice = throw(self.state, cast('Generator', self.dice))
        return evolve(self.after(outcome, self.rng), dice=dice)

    def taken_back(self) -> Session | None:
        """Return the session at the previous turn of the side to move, if it had one."""
        session = self.before
        while session is not None:
            if session.state.player == self.state.player and session.state.moves:
                return session
            session = session.before
        return None


def respond(session: Session, entry: str) -> tuple[Session, tuple[Part, ...], str]:
    """Return the session after an entry, what to print, and the command that was typed, if any.

    A move of the person consumes no randomness. `hint` and `quit` are left to the caller.
    """
    word = entry.strip().lower()
    command = word if word in COMMANDS else ''
    if not word:
        return session, (Sentence('type a move, or help'),), ''
    if not command:
        close = did_you_mean(word, tuple(COMMANDS)) or ', or help'
        try:
            move = read_legal(session.game, session.state, word, close)
        except ValueError as error:
            if word not in ALIASES:
                return session, (Sentence(str(error)),), ''
            command = ALIASES[word]
        else:
            return session.after(move, session.rng), (), ''
    parts: tuple[Part, ...] = ()
    match command:
        case 'undo':
            older = session.taken_back()
            text = 'taken back' if older else 'you have no earlier turn to take back to'
            return older or session, (Sentence(text),), command
        case 'moves':
            played = join_moves(session.game, session.moves) or 'none'
            parts = Sentence(f'moves so far: {played}'), legal_moves(session)
        case 'board':
            parts = board_of(session), legal_moves(session)
        case 'help':
            lines = (Sentence(f'{name:<5}  {about}') for name, about in COMMANDS.items())
            parts = legal_moves(session), *lines
    return session, parts, command


def board_of(session: Session) -> Board:
    """Return the board, with the last stone and the free fields marked."""
    before = session.before.state if session.before else session.seen_before
    return picture(session.game, session.state, before, free=True)


def legal_moves(session: Session) -> Sentence:
    """Return the line that lists the legal moves."""
    names = ', '.join(map(session.game.format_move, session.state.moves))
    return Sentence(f'legal moves: {names}')


# ---- the conversation ----


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
        if session is not seen:  # after a wrong entry the board is still on the screen
            show(Sentence(''), board_of(session), legal_moves(session), stream=screen)
            seen = session
        entry = ask(screen, f'{session.state.player}> ')
        if entry is None:
            show(Sentence(''), stream=screen)
            return Ending.INPUT_ENDED
        after, parts, command = respond(session, entry)
        show(*parts, stream=screen)
        if command == 'quit':
            return Ending.LEFT
        if command == 'hint':
            _hint(session, hints, screen)
        session = after
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
        # `input` edits lines only where it writes the prompt to the terminal itself.
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
    if line and not typed:
        show(Sentence(line.strip()), stream=screen)  # a terminal echoes what is typed
    return line or None
