"""Helpers for the tests of matches: a command that plays a match, and a way to run commands."""

import contextlib
import io
from concurrent.futures import Future
from types import SimpleNamespace

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.cli import main
from fmcts.games import tictactoe
from fmcts.matches import Match
from fmcts.matches._files import head_of, line_of, written

RNG = SplitMix.from_seed(3)
MATCH = ('match', 'tictactoe', 'mcts:30', 'random', '--games', '40', '--opening-plies', '1')


def small(**more):
    """A match of a few games of tic-tac-toe."""
    given = {'first': mcts(Search(20)), 'second': random_bot, 'games': 12, 'opening_plies': 1}
    return Match(start=tictactoe.start, **({'rng': RNG} | given | more))


def of_the_command(**more):
    """The match that `MATCH` describes."""
    given = {'games': 40, 'rng': SplitMix.from_seed(0), 'names': ('mcts:30', 'random')}
    return small(first=mcts(Search(30)), **(given | more))


def in_file(described, games):
    """What a file of these games holds."""
    head = head_of(described, tictactoe)
    lines = (line_of(head, game, tictactoe) for game in games)
    return b''.join((written(head.to_json()), *lines))


def fmcts(*words, code=0):
    """What the command prints, run in this process; `code` is how it ends, or may end."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        found = main(words)
    codes = code if isinstance(code, tuple) else (code,)
    assert found in codes, err.getvalue()
    return SimpleNamespace(stdout=out.getvalue(), stderr=err.getvalue())


class AtOnce:
    """An executor that plays games when they are submitted, and counts what was not taken."""

    def __init__(self):
        self.given = []
        self.untaken = 0
        self.most = 0
        self.cancelled = 0

    def submit(self, function, *args):
        future = Future()
        future.set_result(function(*args))
        executor = self

        class Counted(Future):
            def result(self, timeout=None):
                executor.untaken -= 1
                return future.result(timeout)

            def cancel(self):
                executor.cancelled += 1
                return True

        self.given.append(args)
        self.untaken += 1
        self.most = max(self.most, self.untaken)
        return Counted()
