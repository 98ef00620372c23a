"""A game against a person as a value, and the effect of each entry on it.

Everything here is pure. To take a move back, a session keeps the previous one, with its state and
generator.
"""

from __future__ import annotations

import enum
from typing import Final, cast

from attrs import evolve, field, frozen
from returns.maybe import Maybe, Nothing, Some
from returns.result import Failure, Result, Success

from fmcts._arguments import did_you_mean
from fmcts._promises import checked_chances
from fmcts.cli._types import Generator, read_legal
from fmcts.game import GameState, drawn_outcome
from fmcts.games import GameModule
from fmcts.view import Board, Part, Sentence, join_moves, picture


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
        chances = checked_chances(self.state)
        drawn, dice = cast('Generator', self.dice).uniform(0, sum(it for _, it in chances) - 1)
        return evolve(self.after(drawn_outcome(chances, drawn), self.rng), dice=dice)

    def taken_back(self) -> Maybe[Session]:
        """Return the session at the previous turn of the side to move, if it had one."""
        session = self.before
        while session is not None:
            if session.state.player == self.state.player and session.state.moves:
                return Some(session)
            session = session.before
        return Nothing


class Command(enum.Enum):
    """A word that a person may type instead of a move, with what it does."""

    HINT = 'what a bot would play'
    UNDO = 'take back to your previous turn'
    MOVES = 'the moves of the game so far'
    BOARD = 'the board again'
    HELP = 'this list (also ?)'
    QUIT = 'leave the game (also exit or q)'

    @property
    def word(self) -> str:
        """The word to type."""
        return self.name.lower()


LONGEST: Final = 1000  # characters; a longer line is not an entry
COMMANDS: Final = {command.word: command for command in Command}
ALIASES: Final = {'?': Command.HELP, 'exit': Command.QUIT, 'q': Command.QUIT}
"""Other words for commands, unless a legal move is written so."""


@frozen
class Reply:
    """The effect of an entry: the next session, what to print, and what is left to the caller.

    `HINT` and `QUIT` are left to the caller, because they take time or end the game.
    """

    session: Session
    parts: tuple[Part, ...] = ()
    wish: Command | None = None


def understand(session: Session, entry: str) -> Result[Command | int, str]:
    """Return the command or legal move that was typed, or what is wrong with it."""
    word = entry.strip().lower()
    if word in COMMANDS:
        return Success(COMMANDS[word])
    if len(word) > LONGEST:
        return Failure(f'the entry has more than {LONGEST} characters: type a move, or help')
    if not word:
        return Failure('type a move, or help')
    close = did_you_mean(word, tuple(COMMANDS)) or ', or help'
    found: Result[Command | int, str] = read_legal(session.game, session.state, word, close)
    return found.lash(lambda why: Success(ALIASES[word]) if word in ALIASES else Failure(why))


def respond(session: Session, entry: str) -> Reply:
    """Return the effect of an entry by the person to move. A move consumes no randomness."""
    understood = understand(session, entry)
    if isinstance(understood, Failure):
        return Reply(session, (Sentence(understood.failure()),))
    meant = understood.unwrap()
    if isinstance(meant, Command):
        return _obey(session, meant)
    return Reply(session.after(meant, session.rng))


def _obey(session: Session, command: Command) -> Reply:
    match command:
        case Command.UNDO:
            return (
                session.taken_back()
                .map(lambda older: Reply(older, (Sentence('taken back'),)))
                .value_or(Reply(session, (Sentence('you have no earlier turn to take back to'),)))
            )
        case Command.MOVES:
            played = join_moves(session.game, session.moves) or 'none'
            return Reply(session, (Sentence(f'moves so far: {played}'), legal_moves(session)))
        case Command.BOARD:
            return Reply(session, (board_of(session), legal_moves(session)))
        case Command.HELP:
            lines = [f'{command.word:<5}  {command.value}' for command in Command]
            return Reply(session, (legal_moves(session), *map(Sentence, lines)))
        case _:
            return Reply(session, wish=command)


def board_of(session: Session) -> Board:
    """Return the board, with the last stone and the free fields marked."""
    before = session.before.state if session.before else session.seen_before
    return picture(session.game, session.state, before, free=True)


def legal_moves(session: Session) -> Sentence:
    """Return the line that lists the legal moves."""
    names = ', '.join(map(session.game.format_move, session.state.moves))
    return Sentence(f'legal moves: {names}')
