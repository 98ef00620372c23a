"""Games in any language: a program that answers questions on its standard input, as a state.

docs/protocol.md states the protocol: lines of JSON, version 1. A state is data of the program's
own, and each answer is a function of its question, so the program need not remember anything, and
states are values: equal if their data are, pickled as data, played by any process.

The program is the effect, and stays at the edge. Each interpreter process starts one when it first
asks, and ends it at its own end. Answers are kept, up to a number, so that few questions are asked
twice. A program that ends, hangs, answers nonsense, or answers otherwise when it is asked again is
a `GameError` of one line, which names the command, the question and what the program said.

>>> start('no_such_program --fast')
Traceback (most recent call last):
    ...
fmcts.errors.GameError: the command 'no_such_program --fast' cannot be started: No such file or \
directory
"""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import IO, Any, Final, NoReturn

from attrs import field, frozen

from fmcts._arguments import amount, cut, shown
from fmcts.errors import GameError
from fmcts.game import Player, illegal, is_legal, options_of, players_of

__all__ = ['CommandState', 'start']

VERSION: Final = 1
SECONDS: Final = 10.0
"""The default limit on the time of an answer."""

AFTER_A_HANG: Final = 1.0
"""The limit once the program has failed to answer in time: laws look for the shortest line then."""

KEPT: Final = 1 << 16
"""The number of answers that a process keeps; then it forgets them all."""

AGAIN: Final = 16
"""In one line of 16 an earlier question is asked again."""

QUOTED: Final = 160  # characters of what was asked or said, in an error

MEMBERS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    'player': ((str, int), 'a text or a whole number'),
    'moves': ((list,), 'an array'),
    'over': ((bool,), 'true or false'),
    'winner': ((str, int, type(None)), 'a player or null'),
    'players': ((list,), 'an array'),
    'chances': ((list,), 'an array'),
    'rewards': ((list,), 'an array'),
    'gained': ((list,), 'an array'),
    'keys': ((list,), 'an array'),
    'text': ((str,), 'a text'),
}
"""The members of a position besides its data, each with its type."""

OPTIONAL: Final = ('players', 'chances', 'rewards', 'gained')
PLAYERS: Final[Mapping[object, Player]] = {str(player): player for player in Player}


@frozen
class Program:
    """A command that speaks the protocol, and which optional members its states have."""

    command: str
    members: tuple[str, ...] = ()
    players: tuple[Any, ...] = ()
    seconds: float = field(default=SECONDS, eq=False, repr=False)


@frozen
class CommandState:
    """A state of a program's game: its data as JSON text, and what the program says about it.

    It has the members of `fmcts.game.GameState`, and of `ChanceState` those that the start has.
    States are equal if the commands and the data are.
    """

    program: Program
    data: str
    player: Any = field(eq=False, repr=False)
    moves: tuple[Any, ...] = field(eq=False, repr=False)
    over: bool = field(eq=False, repr=False)
    winner: Any = field(eq=False, repr=False)
    more: Mapping[str, Any] = field(eq=False, repr=False)
    """The chances, rewards, keys and text, as far as there are any."""
    reached: tuple[float, ...] = field(eq=False, repr=False)
    """What the players gained by the move that led here; `()` for nothing."""

    def __getattr__(self, name: str) -> Any:
        """Return a member that only some games have."""
        if name in OPTIONAL and name in self.program.members:
            if name == 'gained':
                return self.reached or (0.0,) * len(players_of(self))
            return self.program.players if name == 'players' else self.more.get(name, ())
        raise AttributeError(f'{type(self).__name__!r} object has no attribute {name!r}')

    def play(self, move: Any, /) -> CommandState:
        """Return the state after a move, or after an outcome where chance moves.

        :raises IllegalMoveError: it is not legal.
        :raises GameError: the program fails.
        """
        options = options_of(self)
        if not is_legal(move, options):
            raise illegal(self, move)
        server = _server_of(self.program)
        with server.lock:
            return server.after(self, options, options.index(move))

    def key(self, move: Any) -> Any:
        """Return the key of a move: a name that means the same move in every position."""
        keys = self.more.get('keys')
        return keys[self.moves.index(move)] if keys and move in self.moves else move

    def __str__(self) -> str:
        """Return the text of the state, or its data if the program gives no text."""
        return str(self.more.get('text', self.data))


def start(command: str, *, seconds: float = SECONDS) -> CommandState:
    """Return the start of the game that a program plays.

    :param command: the program and its arguments, split as a shell does; no shell is started.
    :param seconds: the limit on the time of an answer.
    :raises GameError: the program cannot be started, or fails.
    """
    if not command.strip():
        raise GameError(f'a command is needed, such as "node game.js", not {command!r}')
    program = Program(command, seconds=seconds)
    server, question = _server_of(program), f'["start",{VERSION}]'
    with server.lock:
        if seconds != server.seconds:  # what came too late may come now
            server.seconds, server.hung, server.answers = seconds, False, {}
        (answer,) = server.ask([question])
        if isinstance(answer, dict) and 'error' not in answer:
            if answer.get('version') != VERSION:
                server.fail(question, answer, f'expected the version {VERSION} of the protocol')
            names = answer.get('players')
            players = _frozen(names) if isinstance(names, list) else ()
            program = Program(
                command,
                tuple(name for name in OPTIONAL if name in answer),
                tuple(_player(name) for name in players),
                seconds,
            )
        return server.state(program, question, answer)


class Server:
    """A program, started when it is asked, and its answers. One thread at a time holds the lock."""

    def __init__(self, program: Program) -> None:
        self.command = program.command
        self.seconds = program.seconds
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.complaints: IO[bytes]
        self.end: Callable[[], object] = lambda: None
        self.answers: dict[tuple[str, int], CommandState | GameError] = {}
        self.states: dict[str, CommandState] = {}
        self.asked: set[str] = set()
        self.batches = True
        self.hung = False
        self.lines = 0
        self.earlier: tuple[str, object] | None = None

    def after(self, state: CommandState, options: tuple[Any, ...], place: int) -> CommandState:
        """Return the state after the option at `place`.

        :raises GameError: the program fails, or has failed when this was asked.
        """
        if (state.data, place) not in self.answers:
            if len(self.answers) >= KEPT:
                self.answers, self.states, self.asked = {}, {}, set()
            self.learn(state, options, place)
        known = self.answers[state.data, place]
        if isinstance(known, GameError):
            raise GameError(*known.args)
        return known

    def learn(self, state: CommandState, options: tuple[Any, ...], place: int) -> None:
        """Ask for the option at `place`, and keep the answer, or how the program failed.

        A second question about a state means that somebody walks over its moves (a tree, a law), so
        all the others are asked for in the same line.
        """
        wanted = [place]
        if self.batches and state.data in self.asked:
            others = (at for at in range(len(options)) if at != place)
            wanted += [at for at in others if (state.data, at) not in self.answers]
        self.asked.add(state.data)
        questions = [f'["play",{state.data},{_written(options[at])}]' for at in wanted]
        try:
            answers = self.ask(questions)
        except GameError as error:
            if len(wanted) > 1:
                self.batches = False  # another move may be to blame: each is asked for alone
                self.learn(state, options, place)
            else:
                self.answers[state.data, place] = error
            return
        for at, question, answer in zip(wanted, questions, answers, strict=True):
            try:
                self.answers[state.data, at] = self.state(state.program, question, answer)
            except GameError as error:
                self.answers[state.data, at] = error

    def state(self, program: Program, question: str, answer: Any) -> CommandState:
        """Return the state that an answer describes.

        :raises GameError: it is an error or no position, or describes a known state otherwise.
        """
        for problem in _problems(program, answer):
            self.fail(question, answer, problem)
        given = {name: _frozen(answer[name]) for name in MEMBERS if name in answer}
        found = CommandState(
            program,
            _written(answer['state']),
            _player(given.pop('player')),
            given.pop('moves'),
            given.pop('over', False),
            _player(given.pop('winner', None)),
            reached=given.pop('gained', ()),
            more=given,
        )
        known = self.states.setdefault(found.data, found)
        for name in ('player', 'moves', 'over', 'winner', 'more'):
            before, now = getattr(known, name), getattr(found, name)
            if before != now:
                was = f'had another {name}' if name != 'more' else 'was described otherwise'
                self.fail(question, answer, f'but this state {was} before, {shown(before)}')
        return known if known.reached == found.reached else found

    def ask(self, questions: list[str]) -> list[Any]:
        """Return the answers to questions in one line; one line in `AGAIN` repeats an earlier one.

        :raises GameError: the program fails.
        """
        self.lines += 1
        again = self.earlier if self.lines % AGAIN == 0 else None
        asked = questions if again is None else [*questions, again[0]]
        try:
            said = self.exchange(f'[{",".join(asked)}]\n'.encode(), questions[0])
        except BaseException:  # after an interrupt, what it says would answer another question
            self.stop()
            raise
        try:
            answers = json.loads(said)
        except (ValueError, RecursionError):
            answers = None
        if not isinstance(answers, list) or len(answers) != len(asked):
            lines = f'expected one line with an array of {amount(len(asked), "answer")}'
            self.fail(questions[0], said.decode(errors='replace'), lines)
        if again is not None and (now := answers.pop()) != again[1]:
            self.fail(again[0], now, f'but before {_quote(again[1])}')
        if self.lines % AGAIN == 1:
            self.earlier = questions[0], answers[0]
        return answers

    def exchange(self, line: bytes, question: str) -> bytes:
        """Write a line to the program, and return the line that it answers."""
        process = self.process or self.started()
        assert process.stdin is not None  # noqa: S101 - for mypy: both are pipes
        assert process.stdout is not None  # noqa: S101 - the same
        to, out = process.stdin.fileno(), process.stdout.fileno()
        limit = min(self.seconds, AFTER_A_HANG) if self.hung else self.seconds
        deadline = time.monotonic() + limit
        said = bytearray()
        if select.select([out], [], [], 0)[0] and (early := os.read(out, QUOTED)):
            self.fail(question, early.decode(errors='replace'), 'before it was asked')
        while not said.endswith(b'\n'):
            left = max(deadline - time.monotonic(), 0)
            readable, writable, _ = select.select([out], [to] if line else [], [], left)
            if not readable and not writable:
                self.hung = True
                self.fail(question, None, f'did not answer within {limit:g} seconds')
            if writable:
                try:
                    line = line[os.write(to, line) :]
                except BrokenPipeError:
                    line = b''  # it ended, as reading shows
            if readable:
                said += (more := os.read(out, 1 << 16))
                if not more:
                    self.fail(question, None, _ended(process))
        return bytes(said)

    def started(self) -> subprocess.Popen[bytes]:
        """Start the program, in a group of its own, so that all of it can be ended."""
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the program
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's command
                shlex.split(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.complaints,
                process_group=0,
            )
        except (OSError, ValueError) as error:
            self.complaints.close()
            why = getattr(error, 'strerror', None) or str(error)
            raise GameError(f'the command {self} cannot be started: {why}') from None
        assert process.stdin is not None  # noqa: S101 - for mypy: it is a pipe
        os.set_blocking(process.stdin.fileno(), False)
        self.end = weakref.finalize(self, _end, process, self.complaints, os.getpid())
        self.process = process
        return process

    def fail(self, question: str, answer: object, why: str) -> NoReturn:
        """End the program, and raise the error that names the command and what it said.

        :raises GameError: always.
        """
        said = f'answered {_quote(answer)}: ' if answer is not None else ''
        complaint = ''
        if self.process is not None:
            self.complaints.seek(0)
            lines = self.complaints.read().decode(errors='replace').strip().splitlines()
            # The last line that names an error: after it there may be a stack, or advice.
            telling = [line for line in lines if re.search('rror|xception|panic', line)]
            complaint = ': ' + cut((telling or lines)[-1], QUOTED) if lines else ''
            self.stop()
        raise GameError(
            f'the command {self}, asked {cut(question, QUOTED)}, {said}{why}{complaint}'
        )

    def stop(self) -> None:
        """End the program; the next question starts it again."""
        self.end()
        self.process = None

    def __str__(self) -> str:
        """Return the command, quoted."""
        return shown(self.command, QUOTED)


_servers: Final[dict[tuple[int, str], Server]] = {}
"""The programs by the process that asks, since a fork must not talk to its parent's."""


def _server_of(program: Program) -> Server:
    """Return the server of a program in this process."""
    # A forked process needs a program of its own: two would read each other's answers.
    at = os.getpid(), program.command
    return _servers.get(at) or _servers.setdefault(at, Server(program))


def _end(process: subprocess.Popen[bytes], complaints: IO[bytes], owner: int) -> None:
    """End a program and all that it started."""
    # A worker that was forked ends too, and must leave the parent's program alone.
    if os.getpid() != owner:
        return
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, complaints):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr] # all are there
    process.wait()


def _ended(process: subprocess.Popen[bytes]) -> str:
    """Return how a program ended that closed its standard output."""
    try:
        status = process.wait(1)
    except subprocess.TimeoutExpired:
        return 'closed its standard output'
    if status < 0:
        return f'was ended by the signal {signal.Signals(-status).name}'
    return f'ended with the status {status}'


def _problems(program: Program, answer: Any) -> Iterator[str]:
    """Yield why an answer is not a position of the program's game; what follows may not apply."""
    if not isinstance(answer, dict):
        yield 'expected an object'
    if 'error' in answer:
        yield 'an error'
    yield from (f'{name} is missing' for name in ('state', 'player', 'moves') if name not in answer)
    for name in (name for name in MEMBERS if name in answer):
        kinds, expected = MEMBERS[name]
        if not isinstance(answer[name], kinds):
            yield f'{name} must be {expected}'
        if name in OPTIONAL and name not in program.members:
            yield f'{name} must be in the answer to start too'
    players = program.players or tuple(Player)
    if _player(answer['player']) not in players:
        yield f'player must be one of {", ".join(map(str, players))}'
    if len(answer.get('keys', answer['moves'])) != len(answer['moves']):
        yield 'expected a key for each move'
    chances = answer.get('chances', [])
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in chances):
        yield 'chances must be pairs of an outcome and its weight'
    if any(map(_has_object, [*answer['moves'], *(outcome for outcome, _ in chances)])):
        yield 'a move must be a number, a text, or an array of these'


def _has_object(move: Any) -> bool:
    return isinstance(move, dict) or (isinstance(move, list) and any(map(_has_object, move)))


def _player(name: Any) -> Any:
    return PLAYERS.get(name, name)


def _frozen(value: Any) -> Any:
    """Return a value of JSON with tuples as its arrays."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _written(value: Any) -> str:
    """Return a value as JSON, in one way: without spaces, the members of objects sorted."""
    return json.dumps(value, separators=(',', ':'), sort_keys=True, ensure_ascii=False)


def _quote(answer: object) -> str:
    """Return an answer for an error: a text as it is, a value as JSON."""
    return cut(answer if isinstance(answer, str) else _written(answer), QUOTED)
