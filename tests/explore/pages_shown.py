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

from fmcts import Search, SplitMix
from fmcts.explore import Answers, AskError, Place, served
from fmcts.history import history
from fmcts.view import notation_of

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


def answering(start, iterations, moves='', **options):
    """The answers of a server whose bot searches, from a start and what follows it."""

    def read(text):
        state, words = start, tuple(text.split(',')) if text else ()
        for word in words:
            legal = {str(move): move for move in state.moves}
            if word not in legal:
                raise AskError(f'{word} is illegal')
            state = state.play(legal[word])
        return Place(state, words)

    searches = ((f'mcts:{iterations}', Search(iterations)),)
    return Answers(notation_of(start), read(moves), searches, RNG, 'persistent', read, **options)


def state_of(shown):
    """What is chosen in a page."""
    return json.loads(
        shown.evaluate(
            'JSON.stringify({k: explorer.k, node: explorer.node, selected: explorer.selected, '
            'line: explorer.words(explorer.node), two: explorer.two?.name ?? null})'
        )
    )


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
