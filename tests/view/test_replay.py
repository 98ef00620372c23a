"""A search replayed by JavaScript from its log: the choices, the bytes of the tree, the digest."""

import hashlib
import json
import shutil
import subprocess

import pytest
from attrs import frozen

from fmcts import Search, SplitMix, analyse
from fmcts._running.entry_points import trees
from fmcts.games import connect4, othello, tictactoe
from fmcts.search._digest import serialise
from fmcts.search._scoring import logarithms
from fmcts.search.methods import Method
from fmcts.view.replay import LogError, log_of, method_in_javascript, script

needs_node = pytest.mark.skipif(shutil.which('node') is None, reason='node is not installed')
RNG = SplitMix.from_seed(5)


def node(source, told):
    """What a script prints, as JSON; it knows what it is told as `told`."""
    read = "const told = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
    found = subprocess.run(
        [shutil.which('node'), '-e', script() + read + source],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert not found.returncode, found.stderr
    return json.loads(found.stdout)


REPLAY = """
const paths = [];
const method = eval(told.method);
const root = replay(told.log, method, (path) => paths.push(path.slice(1).map((it) => it.index)));
const bytes = serialise(root, method);
console.log(JSON.stringify([paths, Buffer.from(bytes).toString('hex'), blake2b(bytes)]));
"""


def replayed(state, search):
    log = log_of(state, RNG, search)
    return node(REPLAY, {'log': log, 'method': method_in_javascript(search.method)})


def choices(state, search):
    """The indices of the moves of each iteration, by the visits that it adds."""
    before = None
    for _, (after, _) in zip(range(search.iterations), trees(state, RNG, search), strict=False):
        path, here, old = [], after, before
        while True:
            visits = {child.move: child.visits for child in old.children} if old else {}
            more = [child for child in here.children if child.visits > visits.get(child.move, 0)]
            if not more:
                break
            (child,) = more
            path.append(here.moves.index(child.move))
            old = next((it for it in old.children if it.move == child.move), None) if old else None
            here = child
        yield path
        before = after


@needs_node
def test_plain_search_is_replayed_to_the_byte():
    search = Search(3000)
    paths, tree, digest = replayed(connect4.start, search)
    assert paths == [*choices(connect4.start, search)]
    analysis, _ = analyse(connect4.start, RNG, search, engine='persistent')
    assert tree == serialise(analysis.tree).hex()
    assert digest == analysis.digest


@needs_node
@pytest.mark.parametrize(
    'name',
    [
        'uct',
        'ucb1-tuned',
        'ucb-v',
        'ucb1-fpu',
        'puct',
        'puct-reduced',
        'progressive-bias',
        'widening',
    ],
)
@pytest.mark.parametrize('start', [tictactoe.start, othello.start])
def test_a_method_of_formulas_is_replayed_to_the_byte(start, name):
    search = Search(300, selection=name)
    paths, tree, digest = replayed(start, search)
    assert paths == [*choices(start, search)]
    analysis, _ = analyse(start, RNG, search, engine='persistent')
    assert (tree, digest) == (serialise(analysis.tree).hex(), analysis.digest)


@needs_node
def test_the_hash_is_that_of_hashlib():
    texts = [bytes(range(256)) * 3, *(b'x' * length for length in (0, 1, 127, 128, 129, 256, 1000))]
    found = node(
        "console.log(JSON.stringify(told.map((it) => blake2b(Buffer.from(it, 'hex')))));",
        [text.hex() for text in texts],
    )
    assert found == [hashlib.blake2b(text, digest_size=32).hexdigest() for text in texts]


@needs_node
def test_logarithms_are_those_of_the_table():
    found = node('console.log(JSON.stringify(logarithms(5000)));', None)
    assert found[1:] == [*logarithms(5000)[1:5001]]


@frozen
class Branching(Method):
    def score(self, edge, _parent):
        return edge.value if edge.visits > 3.0 else 1.0


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        ({'selection': 'rave'}, 'a table of moves'),
        ({'selection': 'implicit-minimax'}, 'derived statistics'),
        ({'selection': 'baeldung'}, 'update_above_end'),
        ({'solver': True}, 'a solver'),
        ({'expansion': 'full'}, 'the expansion full'),
        ({'playout': 'last-good-reply'}, 'playouts that remember'),
    ],
)
def test_what_the_script_does_not_know_is_refused(options, message):
    with pytest.raises(LogError, match=f'a search with {message}.* cannot be replayed'):
        log_of(tictactoe.start, RNG, Search(10, **options))


def test_a_score_that_branches_is_refused():
    with pytest.raises(LogError, match='score branches on its numbers'):
        method_in_javascript(Branching())
