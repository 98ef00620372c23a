"""The helper process: its requests, its output, and its end with the parent."""

import os
import pickle
import signal
import subprocess
import sys
from itertools import product

import pytest
from attrs import frozen

from fmcts import Search, SplitMix
from fmcts._compiled.names import name_of
from fmcts._numba.cache import on_disk
from fmcts._running import helper
from fmcts.games import GAMES, tictactoe
from fmcts.games.families import hex as hexes
from fmcts.rng import StdGen
from processes import run_python
from tiers import usually

RNG = SplitMix.from_seed(1)


def by_value(edge, _parent):
    return edge.value


@pytest.fixture(autouse=True)
def _none_left():
    yield
    helper.stop()


def ended(served):
    """How the helper has ended, which is waited for."""
    (at_work,) = helper._at_work
    at_work.process.wait()
    found, outcome = helper.poll()
    assert found is served
    return outcome


@pytest.mark.parametrize('state', [*(game.start for game in GAMES.values()), hexes.game(3).start])
@pytest.mark.parametrize('rng', [RNG, StdGen(1, 1)])
def test_a_request_contains_the_search(state, rng):
    search = Search(5, selection=by_value)
    request = helper.request_of(state, rng, search)
    assert pickle.loads(request) == (state, rng, search)  # noqa: S301 - our own


@frozen
class Large:
    """A state with more in it than a pipe holds."""

    words: bytes = bytes(helper.MOST)


def test_requests_unknown_to_other_processes_are_refused(monkeypatch):
    def within(edge, _parent):
        return edge.value

    def refused(state=tictactoe.start, **more):
        with pytest.raises(helper.NotImportableError) as error:
            helper.request_of(state, RNG, Search(**more))
        return str(error.value)

    assert 'within' in refused(selection=within)
    assert 'lambda' in refused(selection=lambda edge, _parent: edge.value)
    assert refused(Large()) == 'the game state is too large to send'
    monkeypatch.setattr(by_value, '__module__', '__main__')
    assert refused(selection=by_value) == 'by_value is defined in __main__'


@pytest.mark.parametrize(
    ('changed', 'why'),
    [({'FMCTS_HELPER': '0'}, 'FMCTS_HELPER is 0'), ({'FMCTS_CACHE_DIR': '/nowhere/~'}, None)],
)
def test_obstacles_to_starting_a_helper(monkeypatch, changed, why):
    monkeypatch.setattr(helper, 'processors', lambda: 2)
    monkeypatch.delenv('FMCTS_HELPER', raising=False)
    for name, value in changed.items():
        monkeypatch.setenv(name, value)
    assert helper.obstacle() == why


def test_a_single_processor_has_no_helper(monkeypatch):
    monkeypatch.delenv('FMCTS_HELPER')
    monkeypatch.setattr(helper, 'processors', lambda: 1)
    assert helper.obstacle() == 'there is only one processor'
    monkeypatch.setattr(helper, 'processors', lambda: 2)
    monkeypatch.setattr(on_disk, 'place', lambda: None)
    assert helper.obstacle() == 'machine code cannot be cached on disk'
    monkeypatch.setattr(sys, 'frozen', True, raising=False)
    assert helper.obstacle() == 'there is no Python program to start'
    assert helper.processors() >= 1


@pytest.mark.needs_numba
def test_the_helper_compiles_what_this_process_loads(monkeypatch, tmp_path):
    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path / 'new'))
    state, search = tictactoe.start, Search(5)
    name = name_of(state, RNG, search)
    assert not on_disk.is_complete(name)
    assert helper.start(helper.request_of(state, RNG, search), 'me')
    assert helper.serves('me')
    assert not helper.serves('you')
    assert not helper.start(b'', 'you')  # one at a time
    assert ended('me') is helper.Outcome.DONE
    assert not helper.serves('me')
    assert on_disk.is_complete(name)
    assert on_disk.is_complete(name_of(state.play(4), RNG, Search(7, c=0.1)))
    for other in (Search(5, selection='puct'), Search(5, expansion='full')):
        assert not on_disk.is_complete(name_of(state, RNG, other))
    script = (
        'from fmcts import *; from fmcts.games import tictactoe as game\n'
        'from fmcts import _compiled as compiled\n'
        'from fmcts._numba.cache import on_disk\n'
        'given = game.start, SplitMix.from_seed(1)\n'
        'print(compiled.prepare_search(*given, Search(9), compiling=False, digest=False))\n'
        'other = Search(selection="puct")\n'
        'try: compiled.prepare_search(*given, other, compiling=False, digest=False)\n'
        'except on_disk.NotOnDiskError: print("missing")\n'
    )
    done = run_python('-c', script)
    assert (done.stdout.split(), done.stderr) == (['True', 'missing'], '')


def test_deleted_code_is_noticed(monkeypatch, tmp_path):
    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path))
    code = tmp_path / ('0' * 64)
    code.write_text('code')
    assert on_disk.record('a' * 64, [code])
    assert on_disk.is_complete('a' * 64)
    code.unlink()
    assert not on_disk.is_complete('a' * 64)
    assert not on_disk.record('b' * 64, [code])
    assert not on_disk.record('b' * 64, [None])


def test_a_failing_helper_reports_it(monkeypatch, tmp_path):
    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path))
    assert helper.start(pickle.dumps('nonsense'), 'me')
    assert ended('me') is helper.Outcome.FAILED
    assert helper.poll() is None


@pytest.mark.skipif(sys.platform == 'win32', reason='fcntl')
def test_one_helper_per_cache_folder(monkeypatch, tmp_path):
    import fcntl  # noqa: PLC0415 - not on Windows

    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path))
    with (tmp_path / helper.LOCK).open('ab') as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert helper.start(helper.request_of(tictactoe.start, RNG, Search(5)), 'me')
        assert ended('me') is helper.Outcome.BUSY


def test_where_nothing_can_be_kept_nobody_else_compiles(monkeypatch, tmp_path):
    (tmp_path / 'file').write_text('')
    monkeypatch.setattr(on_disk, 'place', lambda: tmp_path / 'file' / 'folder')
    with helper.alone() as ours:
        assert ours
    monkeypatch.setattr(on_disk, 'place', lambda: tmp_path)
    with helper.alone() as ours, helper.alone() as again:
        assert (ours, again) == (True, False)
    monkeypatch.setattr(on_disk, 'place', lambda: None)
    with helper.alone() as ours, helper.alone() as again:
        assert (ours, again) == (True, True)


PARENT = """
import sys
from fmcts import Search, SplitMix
from fmcts.games import tictactoe
from fmcts._running import helper
request = helper.request_of(tictactoe.start, SplitMix.from_seed(1), Search(5))
assert helper.start(request if {whole} else b'', 'me')
print(helper._at_work[0].process.pid, flush=True)
sys.stdin.readline()
{end}
"""


ENDS = '', 'import os; os._exit(0)', 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)'


@pytest.mark.skipif(not hasattr(os, 'pidfd_open'), reason='only Linux tells when others end')
@pytest.mark.parametrize(
    ('whole', 'end'), usually([(True, ENDS[2]), (False, ENDS[0])], product([True, False], ENDS))
)
def test_the_helper_ends_with_its_parent(monkeypatch, tmp_path, end, whole):
    """While it compiles, and while it waits for the rest of a request."""
    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path))
    parent = subprocess.Popen(
        [sys.executable, '-c', PARENT.format(end=end, whole=whole)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    handle = os.pidfd_open(int(parent.stdout.readline()))
    _, errors = parent.communicate(b'go on\n')
    assert errors == b''
    import select  # noqa: PLC0415

    assert select.select([handle], [], [], 60)[0]  # it is readable when the process has ended
    os.close(handle)


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork')
def test_a_forked_child_has_no_helper_and_keeps_none_alive():
    assert helper.start(b'', 'me')
    (at_work,) = helper._at_work
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, bytes([len(helper._at_work)]))
        os.read(os.pipe()[0], 1)  # for ever
    try:
        assert os.read(reading, 1) == b'\0'
        at_work.process.stdin.close()  # as when the parent ends, while the child does not
        assert at_work.process.wait() == helper.Outcome.FAILED.value
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
