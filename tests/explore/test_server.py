"""The server of a page: who closes a tab, or asks for too much, holds up nobody."""

import json
import socket
import threading
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from fmcts import Search, SplitMix
from fmcts.explore import Answers, Place
from fmcts.games import tictactoe
from fmcts.history import history
from pages_shown import running

ENDLESS = 'fork?k=1&spec=mcts:1000000000'


def start(_text):
    return Place(tictactoe.start, ())


def serving(watch):
    """A server whose searches are watched."""
    searches, rng = (('mcts:20', Search(20)),), SplitMix.from_seed(1)
    return running(Answers(tictactoe, start(''), searches, rng, 'persistent', start, watch))


def asked(address, path):
    with urlopen(address + path, timeout=60) as answer:  # noqa: S310 - of this test
        return json.load(answer)


def test_a_fork_holds_up_nobody_and_ends_with_its_tab():
    begun, before = threading.Event(), {*threading.enumerate()}

    def watch(done):
        if done > 100:  # the page's own search has 20
            begun.set()

    with serving(watch) as server:
        address = urlsplit(server.address)
        tab = socket.create_connection((address.hostname, address.port), timeout=60)
        tab.sendall(
            f'GET {address.path}{ENDLESS} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n'.encode()
        )
        assert begun.wait(60)
        (searching,) = {*threading.enumerate()} - before - {server.thread}
        found = asked(server.address, 'fork?k=1&spec=mcts:30')
        made = history(tictactoe.start, SplitMix.from_seed(1), Search(20), 'persistent')
        assert found['digest'] == made.fork(1, Search(29)).digest
        assert searching.is_alive()
        tab.close()
        searching.join(60)
        assert not searching.is_alive()


def test_a_fork_for_which_there_is_no_memory_is_refused():
    def watch(done):
        if done > 100:
            raise MemoryError

    with serving(watch) as server, pytest.raises(HTTPError) as found:
        asked(server.address, ENDLESS)
    with found.value as error:
        assert json.load(error) == {'error': 'out of memory: use fewer iterations'}
