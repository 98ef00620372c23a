"""`fmcts explore`."""

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
import zlib

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe

from .conftest import run_here

WORDS = 'explore', 'tictactoe', '--moves', '4,0', '--bot', 'mcts:60', '--seed', '3'


def data_of(html):
    """The data in a page."""
    (packed,) = re.findall(r"explore\('([A-Za-z0-9+/=]+)', (?:true|false)\)", html)
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_export_to_a_file(tmp_path):
    file = tmp_path / 'page.html'
    done = run_here(*WORDS, '--against', 'mcts:60,c=0.5', '--export', str(file))
    assert (done.code, done.out) == (0, f'{file}: {file.stat().st_size:,} bytes\n')
    data = data_of(file.read_text())
    state = tictactoe.start.play(4).play(0)
    searches = (Search(60), Search(60, c=0.5))
    found = [analyse(state, SplitMix.from_seed(3), search)[0] for search in searches]
    assert [it['digest'] for it in data['searches']] == [it.digest for it in found]
    assert [it['move'] for it in data['searches']] == [str(it.move) for it in found]
    assert [it['name'] for it in data['searches']] == ['mcts:60', 'mcts:60,c=0.5']
    assert (data['game'], data['before']) == ('tictactoe', ['4', '0'])


def test_a_port_that_is_taken_is_named(refused):
    with socket.create_server(('127.0.0.1', 0)) as other:
        port = str(other.getsockname()[1])
        told = refused(*WORDS, '--no-browser', '--port', port)
    assert told.startswith(f'--port {port} cannot be used (')
    assert told.endswith('): give another, or leave it out for any free one')


def test_a_page_is_served_until_ctrl_c(tmp_path):
    words = [sys.executable, '-m', 'fmcts', *WORDS, '--no-browser']
    running = subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with running:
        address = running.stdout.readline().split()[0]
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - of this machine
            page = answer.read().decode()
            assert answer.headers['Cache-Control'] == 'no-store'
        with urllib.request.urlopen(f'{address}playout?k=3', timeout=60) as answer:  # noqa: S310 - the same
            steps = json.load(answer)['steps']
        os.kill(running.pid, signal.SIGINT)
        assert running.wait(60) == 0
        assert running.stderr.read() == ''
    assert data_of(page)['before'] == ['4', '0']
    assert steps
    assert address.startswith('http://127.0.0.1:')


def test_without_the_server_the_extra_is_named(refused, monkeypatch):
    known = 'fmcts.cli._types.importlib.util.find_spec'
    monkeypatch.setattr(known, lambda _: None)
    assert refused(*WORDS) == 'this needs bottle: install fmcts[explore]'
