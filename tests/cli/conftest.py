"""Ways to run the command line: in this process, as a process, through a shell, in a terminal."""

import codecs
import contextlib
import io
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import time
from functools import reduce
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from fmcts.cli import main
from fmcts.games import GAMES

ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in {'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES', 'TTY_COMPATIBLE'}
} | {'TERM': 'xterm-256color', 'PYTHONWARNINGS': 'error'}
COMMAND = [sys.executable, '-m', 'fmcts']
HANGS = 600  # seconds: what takes longer hangs, however busy the machine is


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def run_here(*words, stdin=b''):
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), encoding='utf-8')
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    finally:
        sys.stdin = before
    return Outcome(code, out.getvalue(), err.getvalue())


def run_process(*words, stdin='', **environment):
    done = subprocess.run(
        [*COMMAND, *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
        env=ENVIRONMENT | environment,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def run_shell(*words, streams='', before='', stdin='', **environment):
    done = subprocess.run(
        ['/bin/sh', '-c', f'{before} exec "$0" -m fmcts "$@" {streams}', sys.executable, *words],
        input=stdin,
        capture_output=True,
        text=True,
        errors='backslashreplace',
        check=False,
        timeout=HANGS,
        env=ENVIRONMENT | environment,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


class Terminal:
    """A process whose standard streams are a pseudo-terminal of our own."""

    def __init__(self, *words, command=COMMAND, stdout=None, columns=100, **environment):
        self.near, far = pty.openpty()
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, *words],
            stdin=far,
            stdout=far if stdout is None else stdout,
            stderr=far,
            env=ENVIRONMENT | {'COLUMNS': str(columns), 'LINES': '40'} | environment,
            start_new_session=True,
        )
        os.close(far)
        self.raw = ''
        self.decoder = codecs.getincrementaldecoder('utf-8')()
        self.read_up_to = 0

    def _read(self, seconds):
        if not select.select([self.near], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.near, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.raw += self.decoder.decode(piece)  # a piece may end within a letter
        return bool(piece)

    def expect(self, text, timeout=HANGS):
        """Wait for `text` after what was expected before; gives all that came until then."""
        deadline = time.monotonic() + timeout
        while (at := self.shown.find(text, self.read_up_to)) < 0:
            left = deadline - time.monotonic()
            if left <= 0 or not self._read(left):
                pytest.fail(f'{text!r} did not come after:\n{self.shown[self.read_up_to :]}')
        seen = self.shown[self.read_up_to : at]
        self.read_up_to = at + len(text)
        return seen

    @property
    def shown(self):
        """All output so far without colours and other control sequences."""
        return re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', self.raw).replace('\r\n', '\n')

    def type(self, text):
        os.write(self.near, text.encode())

    def interrupt(self, number=signal.SIGINT):
        self.process.send_signal(number)

    def comes(self, text, seconds):
        """Whether `text` comes after what was expected before, within some seconds."""
        deadline = time.monotonic() + seconds
        while text not in self.shown[self.read_up_to :]:
            if not self._read(max(0.0, deadline - time.monotonic())):
                return False
        return True

    def interrupt_at_the_prompt(self):
        """Interrupt, and give the exit code.

        A signal that comes between the prompt and the reading of a line is noticed with the next.
        That one waits long, as it would end a process that is slow to leave.
        """
        for _ in range(20):
            self._wait_until_it_waits()
            self.interrupt()
            while self._read(10):
                pass
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.process.wait(3)  # at once, if there was an end to read
        return self.wait()

    def _wait_until_it_waits(self):
        """Return when the process has been asleep for a while, as it is when it reads a line."""
        state, asleep = pathlib.Path(f'/proc/{self.process.pid}/stat'), 0
        for _ in range(500 if state.exists() else 0):  # where there is such a file
            asleep = asleep + 1 if state.read_text().rpartition(')')[2].split()[0] == 'S' else 0
            if asleep == 10:
                return
            time.sleep(0.02)

    def wait(self):
        """Read to the end; gives the exit code, or the negative number of a signal."""
        while self._read(HANGS):
            pass
        return self.process.wait(HANGS)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(HANGS)
        os.close(self.near)


@pytest.fixture(scope='session')
def here():
    """Run the command line in this process: `here(*words, stdin=b'')`."""
    return run_here


@pytest.fixture(scope='session')
def refused():
    """Run a command that is refused as bad input: gives its one line.

    It is without `fmcts: `, and without what click says before the words of this library.
    """

    def complaint(*words, run=run_here):
        done = run(*words)
        assert (done.code, done.out, done.err.count('\n')) == (2, '', 1)
        said = re.match(r"fmcts: (?:Invalid value for '[^']*': )?", done.err)
        return done.err[said.end() : -1]

    return complaint


@pytest.fixture(scope='session')
def process():
    """Run the command line as a process of its own, its streams being pipes."""
    return run_process


@pytest.fixture(scope='session')
def shell():
    """Run the command line as a shell would, with `streams` redirected: `shell(*words, ...)`."""
    return run_shell


@pytest.fixture
def terminal():
    """Start the command line in a pseudo-terminal."""
    with contextlib.ExitStack() as stack:

        def start(*words, **streams):
            opened = Terminal(*words, **streams)
            stack.callback(opened.close)
            return opened

        yield start


@pytest.fixture(scope='session', params=sorted(GAMES))
def game(request):
    """Each of the games."""
    return GAMES[request.param]


@pytest.fixture(scope='session')
def games_played():
    """A strategy for the moves of random games, given the game's module."""

    def moves_of(game):
        def play(state_and_moves, number):
            state, moves = state_and_moves
            if state.over:
                return state, moves
            move = state.moves[number % len(state.moves)]
            return state.play(move), (*moves, move)

        return st.lists(st.integers(0, 99), max_size=70).map(
            lambda numbers: reduce(play, numbers, (game.start, ()))
        )

    return moves_of


OWN_GAME = """
from typing import NamedTuple

from attrs import frozen

from fmcts import Player, Search
from fmcts.bots._presets import RECIPES
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules
from fmcts.solve import AlphaBeta


class Heap(NamedTuple):
    left: int
    turn: int


game = make_game('subtraction', Heap(13, 0), IntegerRules(
    menu=lambda heap: min(heap.left, 3), count=lambda menu: menu, pick=lambda _, index: index + 1,
    play=lambda heap, taken: Heap(heap.left - taken, 1 - heap.turn),
    side=lambda heap: heap.turn, winner=lambda heap: 1 - heap.turn,
))


@frozen
class Pairs:
    left: tuple = ((1, 2), (3, 4), 'all')
    player: Player = Player.X
    moves = property(lambda self: self.left)
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        return Pairs(tuple(m for m in self.left if m not in (move, 'all')), self.player.other)


class Failing(Pairs):
    moves = property(lambda self: 1 // 0)


class Lazy(Pairs):
    moves = property(lambda self: iter(self.left))


class Method(Pairs):
    def over(self):
        return not self.left


class Silent(Pairs):
    def play(self, move):
        pass


start, lazy, method, silent = Pairs(), Lazy(), Method(), Silent()
failing = Failing()
failing_bot = lambda state, rng: ({}[1], rng)
offline_bot = lambda state, rng: open('weights')
lost_bot = lambda state, rng: (state.moves[0], None)
recipe = RECIPES['mc']
search = Search(60)
rave = Search(60, selection='rave')
first = Search(60, selection=lambda edge, parent: edge.value + 0.5)
perfect = AlphaBeta()
spec = 'mcts:50,c=0.3'
number = 7


class inner:
    bot = staticmethod(lambda state, rng: (state.moves[-1], rng))


no_rng = lambda state: state.moves[0]
"""
HEAPS = '''
from attrs import evolve, frozen
from fmcts import Player, random_bot
from fmcts.game import illegal

@frozen
class Heap:
    """Take one or two; the last one wins."""

    left: int = 4
    player: Player = Player.X

    @property
    def moves(self):
        return (1, 2)[: self.left]

    @property
    def over(self):
        return self.left == 0

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, left=self.left - move, player=self.player.other)


class Wrong(Heap):
    over = property(lambda self: self.left <= 1)


start, wrong, number, over = Heap(), Wrong(), 7, Heap(0)

def bot(state, rng):
    return random_bot(state, rng)

def stuck(state, rng):
    return state.moves[0] if state.left > 1 else 2, rng

def count(steps, action):
    steps.append(action)
    return steps, len(steps), len(steps) == 3

counter = {'reset': lambda seed: [seed], 'step': count, 'actions': 'ab'}
'''
OWN_MODULES = {
    'owngame': OWN_GAME,
    'ownbroken': 'one = 1\nlater = [][one]\n',
    'ownsyntax': 'one = 1\nlater = (\n',
    'ownexit': 'import sys\nsys.exit(3)\n',
    'ownmissing': 'import no_such_thing\n',
    'nim': 'game = 1\n',
    'heaps': HEAPS,
    'broken_heaps': 'from heaps import *\n1 / 0\n',
}


@pytest.fixture(scope='module')
def own_modules(tmp_path_factory):
    """A folder with a user's modules, in which the commands are run."""
    folder = tmp_path_factory.mktemp('own')
    for name, text in OWN_MODULES.items():
        (folder / f'{name}.py').write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, 'path', list(sys.path))
        patch.setattr(sys, 'dont_write_bytecode', True)
        yield folder
    for name in OWN_MODULES.keys() & sys.modules.keys():
        del sys.modules[name]
