"""Pages for the tests: searched, served, and their scripts run in node."""

import atexit
import json
import shutil
import subprocess
import threading
from contextlib import contextmanager
from functools import cache
from importlib.resources import files

import pytest

from fmcts import SplitMix
from fmcts.explore import AskError, Place, served
from fmcts.games import tictactoe
from fmcts.history import history

needs_node = pytest.mark.skipif(shutil.which('node') is None, reason='node is not installed')
RNG = SplitMix.from_seed(42)
SCRIPTS = ('replay.js', 'graph.js', 'digest.js', 'words.js', 'machine.js', 'linked.js', 'work.js')
SOURCE = '\n'.join(files('fmcts.explore').joinpath(name).read_text() for name in SCRIPTS)


# Runs each line's script by itself, after the page's, and prints what it printed or its error.
LOOP = """
const { runInNewContext } = require('vm');
require('readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { source, told } = JSON.parse(line);
  const lines = [];
  const names = {
    told, Buffer, TextEncoder, URL, WebAssembly, atob, setTimeout,
    console: { log: (it) => lines.push(it) },
  };
  let error = null;
  try {
    await runInNewContext(`(async () => {${source}})()`, names, { timeout: 120000 });
  } catch (it) {
    error = String(it.stack ?? it);
  }
  process.stdout.write(`${JSON.stringify({ error, found: lines.join('') })}\\n`);
});
"""


@cache
def process():
    """A node process that runs all scripts of this process: starting one takes longer."""
    begun = subprocess.Popen(
        [shutil.which('node'), '-e', LOOP],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding='utf-8',
    )
    atexit.register(begun.communicate)  # which closes its input and waits for its end
    return begun


def node(source, told):
    """What a script prints, as JSON; it knows what it is told as `told`."""
    asked = process()
    asked.stdin.write(f'{json.dumps({"source": SOURCE + source, "told": told})}\n')
    asked.stdin.flush()
    answer = json.loads(asked.stdout.readline())
    assert answer['error'] is None, answer['error']
    return json.loads(answer['found'])


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
