"""Servers of pages for the tests."""

import threading
from contextlib import contextmanager

from fmcts import SplitMix
from fmcts.explore import AskError, Place, served
from fmcts.games import tictactoe
from fmcts.history import history

RNG = SplitMix.from_seed(42)


def searched(state, search, rng=RNG):
    return history(state, rng, search, engine='persistent')


def read(text):
    state, words = tictactoe.start, tuple(text.split(',')) if text else ()
    for word in words:
        if not word.isdecimal() or int(word) not in state.moves:
            raise AskError(f'{word} is illegal')
        state = state.play(int(word))
    return Place(state, words)


@contextmanager
def running(answers):
    """A server that answers meanwhile."""
    with served(answers) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        server.thread = thread
        yield server
        server.shutdown()
        thread.join()
