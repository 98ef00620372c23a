"""A game so far as a value, what a person's entry does to it, and the conversation with a person.

To take a move back, a session keeps the previous one, with its state and generator. Lines are read
with a line editor (arrow keys) where the terminal has one.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final, TextIO, cast

import click
from attrs import evolve, field, frozen

from fmcts._arguments import did_you_mean
from fmcts._promises import checked_seat, rewards_of
from fmcts.bots import AnyBot, Human, Made, MctsBot
from fmcts.cli._progress import Progress, counts_of, decide
from fmcts.cli._screen import moves_in_json, show
from fmcts.cli._types import NEGATIVE, EndedError, Generator, StartPosition, read_legal
from fmcts.game import chances_of, has_rewards, players_of
from fmcts.games.boards import ended
from fmcts.rng import format as format_rng
from fmcts.simulation import throw
from fmcts.view import Facts, Part, Sentence, join_moves

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
    """A game so far: its position, the generator to use next, and the session before the last move.

    `counts` are the iterations of the searches that had a limit, in order. In a game with chance
    `dice` is the generator that outcomes are drawn from.
    """

    position: StartPosition
    rng: Generator
    counts: tuple[int, ...] = ()
    before: Session | None = field(default=None, eq=False, repr=False)
    dice: Generator | None = None

    def after(self, move: int, rng: Generator) -> Session:
        """Return the session after a legal move, with the generator that its player returned."""
        return evolve(self, position=self.position.after(move), rng=rng, before=self)

    def after_chance(self) -> Session:
        """Return the session after an outcome was drawn, where chance moves."""
        outcome, dice = throw(self.position.state, cast('Generator', self.dice))
        return evolve(self.after(outcome, self.rng), dice=dice)

    def taken_back(self) -> Session | None:
        """Return the session at the previous turn of the side to move, if it had one."""
        session, player = self.before, self.position.state.player
        while session is not None:
            if session.position.state.player == player and session.position.state.moves:
                return session
            session = session.before
        return None

    def in_json(self) -> dict[str, object]:
        """Return a finished game as values for JSON."""
        game, state = self.position.game, self.position.state
        winner = getattr(state, 'winner', None)
        seats = zip(players_of(state), rewards_of(state), strict=True) if has_rewards(state) else ()
        rewards = {str(player): reward for player, reward in seats}
        return {
            'winner': None if winner is None else str(winner),
            **({'rewards': rewards} if rewards else {}),
            'board': game.format(state),
            'moves': moves_in_json(game, self.position.moves),
            'rng': format_rng(self.rng),
            **({'iterations': list(self.counts)} if self.counts else {}),
        }

    def page(self) -> tuple[Part, ...]:
        """Return a finished game for reading."""
        result = ('result', ended(self.position.state))
        return self.position.board(), Facts((result, *self._facts()))

    def so_far(self) -> tuple[Part, ...]:
        """Return how to continue a game that was left."""
        continued = Sentence('The game so far, to continue with --moves and --rng:')
        return continued, Facts(self._facts())

    def _facts(self) -> tuple[tuple[str, str], ...]:
        moves = join_moves(self.position.game, self.position.moves)
        facts = ('moves', moves or 'none'), ('rng', format_rng(self.rng))
        counts = ','.join(map(str, self.counts))
        return (*facts, ('iterations', counts)) if counts else facts


def respond(session: Session, entry: str) -> tuple[Session, tuple[Part, ...], str]:
    """Return the session after an entry, what to print, and the command that was typed, if any.

    A move of the person consumes no randomness. `hint` and `quit` are left to the caller.
    """
    position, command = session.position, entry.strip().lower()
    if not command:
        return session, (Sentence('type a move, or help'),), ''
    if command not in COMMANDS:
        close = did_you_mean(command, tuple(COMMANDS)) or ', or help'
        try:
            move = read_legal(position.game, position.state, command, close)
        except ValueError as error:
            if command not in ALIASES:
                return session, (Sentence(str(error)),), ''
            command = ALIASES[command]
        else:
            return session.after(move, session.rng), (), ''
    parts: tuple[Part, ...] = ()
    match command:
        case 'undo':
            older = session.taken_back()
            text = 'taken back' if older else 'you have no earlier turn to take back to'
            return older or session, (Sentence(text),), command
        case 'moves':
            played = join_moves(position.game, position.moves) or 'none'
            parts = Sentence(f'moves so far: {played}'), legal_moves(position)
        case 'board':
            parts = position.board(), legal_moves(position)
        case 'help':
            lines = (Sentence(f'{name:<5}  {about}') for name, about in COMMANDS.items())
            parts = legal_moves(position), *lines
    return session, parts, command


def legal_moves(position: StartPosition) -> Sentence:
    """Return the line that lists the legal moves."""
    names = ', '.join(map(position.game.format_move, position.state.moves))
    return Sentence(f'legal moves: {names}')


# ---- the conversation ----


def converse(
    session: Session,
    players: tuple[AnyBot | Human, ...],
    made: Made,
    hints: MctsBot,
    screen: TextIO,
) -> Iterator[Session]:
    """Play until the game ends or the person quits; yield each new session.

    `players` are in the order of the game's own. `made` has the searches of those that are limited.

    :raises EndedError: the input ends.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Undecodable input is then a wrong entry like any other.
        sys.stdin.reconfigure(errors='replace')
    show(Sentence('Type a move, or help.'), stream=screen)
    seen, seats = None, players_of(session.position.state)
    while not (state := session.position.state).over:
        write = session.position.game.format_move
        if chances_of(state):
            session = session.after_chance()
            name = write(session.position.moves[-1])
            show(Sentence(f'chance: {name}', strong=True), stream=screen)
        elif not isinstance(player := players[checked_seat(state, seats)], Human):
            del made[len(session.counts) :]  # a move that was taken back is searched again
            with Progress() as progress:
                move, rng, _ = decide(player, state, session.rng, progress)
            show(Sentence(f'{state.player} plays {write(move)}', strong=True), stream=screen)
            session = evolve(session.after(move, rng), counts=counts_of(made))
        else:
            if session is not seen:  # after a wrong entry the board is still on the screen
                position = session.position
                show(Sentence(''), position.board(), legal_moves(position), stream=screen)
            entry = ask(screen, f'{state.player}> ')
            if entry is None:
                raise EndedError(NEGATIVE, 'the input ended before the game did')
            seen, (session, parts, command) = session, respond(session, entry)
            show(*parts, stream=screen)
            if command == 'quit':
                return
            if command == 'hint':
                _hint(session, hints, screen)
        yield session


def _hint(session: Session, bot: MctsBot, screen: TextIO) -> None:
    """Show the move `bot` would play. It uses a child generator, so the game's is unchanged."""
    state = session.position.state
    with Progress() as progress:
        watch = progress.watching('computing a hint', bot.search.iterations)
        analysis, _ = bot.analyse(state, session.rng.child(0), watch=watch)
    value = next(row.value for row in analysis.stats if row.move == analysis.move)
    about = (
        f'what {state.player} gets on average'
        if has_rewards(state)
        else f'from 0, {state.player} loses, to 1, it wins'
    )
    name = session.position.game.format_move(analysis.move)
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
