"""The records of a match do not depend on who plays the games, or on killed workers."""

import copyreg
import importlib
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain
from pathlib import Path

import psutil
import pytest

from fmcts import random_bot
from fmcts.games import tictactoe
from fmcts.matches import _running as running, play_match, tournament
from fmcts.matches._game import play_watched
from fmcts.matches._running import UnsentError
from played import MATCH, RNG, AtOnce, fmcts, in_file, of_the_command, small


@pytest.fixture(scope='module')
def distributed():
    """Dask, imported where it is used: it takes a second."""
    return importlib.import_module('distributed')


@pytest.fixture(scope='module')
def scheduler(distributed):
    """The address of a Dask cluster of two worker processes."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=':0', processes=True
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope='module')
def alone(tmp_path_factory):
    """The file of the match, played in this process."""
    path = tmp_path_factory.mktemp('executors') / 'alone.jsonl'
    fmcts(*MATCH, '--out', str(path))
    return path.read_bytes()


def test_threads_play_the_same_games(alone):
    with ThreadPoolExecutor(3) as threads:
        result = play_match(of_the_command(), executor=threads)
    assert in_file(of_the_command(), result.games) == alone


def test_processes_play_the_same_games(alone, tmp_path):
    path = tmp_path / 'two.jsonl'
    fmcts(*MATCH, '--jobs', '2', '--out', str(path))
    assert path.read_bytes() == alone


def test_a_tournament_starts_its_workers_once(monkeypatch):
    pools = []

    class Counted(running.Workers):
        def __init__(self, *given):
            pools.append(self)
            super().__init__(*given)

    monkeypatch.setattr(running, 'Workers', Counted)
    bots = dict.fromkeys(('one', 'two', 'three'), random_bot)
    options = {'games': 4, 'rng': RNG}
    alone = tournament(bots, tictactoe.start, **options)
    assert pools == []
    assert tournament(bots, tictactoe.start, jobs=2, **options) == alone
    assert len(alone.results) == 3
    assert len(pools) == 1
    with pytest.raises(RuntimeError, match='after shutdown'):  # they end with the tournament
        pools[0].submit(print)


def test_dask_workers_play_the_same_games(alone, scheduler, tmp_path):
    path = tmp_path / 'dask.jsonl'
    fmcts(*MATCH, '--dask', scheduler, '--out', str(path))
    assert path.read_bytes() == alone


# ---- batches ----


@pytest.mark.parametrize(
    ('seconds', 'sizes'),
    [
        (1 / 32, [1] * 32 + [3] * 20),  # a call for every game would cost more than many games
        (1 / 64, [1] * 32 + [6] * 10),
        (1.0, [1] * 50),
        (0.0, [1] * 32 + [8, 64, 256, 256]),
    ],
)
def test_batches_keep_the_order_and_follow_the_time_per_game(monkeypatch, seconds, sizes):
    now = [0.0]

    def play(*given):
        now[0] += seconds
        return play_watched(*given)

    monkeypatch.setattr(running, 'play_watched', play)
    monkeypatch.setattr(running, 'perf_counter', lambda: now[0])
    described, executor = small(first=random_bot, games=sum(sizes)), AtOnce()
    found = play_match(described, executor=executor)
    assert found == play_match(described)
    numbers = [list(args[1]) for args in executor.given]
    assert list(chain(*numbers)) == list(range(sum(sizes)))
    assert list(map(len, numbers)) == sizes


def test_few_games_are_handed_out_ahead():
    """Otherwise a match of a million games would be a million pickles at once."""
    executor = AtOnce()
    games = running.games_of(small(first=random_bot, games=100_000), range(100_000), executor)
    next(games)
    assert executor.untaken == running.AHEAD - 1
    games.close()
    assert executor.cancelled == executor.untaken


# ---- errors ----


class TwofoldError(Exception):
    """It cannot be made again from its pickle."""

    def __init__(self, one, two):
        super().__init__(f'{one} {two}')


@pytest.mark.parametrize(
    ('error', 'kind', 'told'),
    [(KeyError('one'), KeyError, "'one'"), (TwofoldError(1, 2), RuntimeError, 'TwofoldError: 1 2')],
    ids=['whole', 'again'],
)
def test_errors_can_be_pickled(error, kind, told, monkeypatch):
    """Otherwise a pool of processes would be broken, and nobody would know by what."""
    # Where Dask is loaded, its tblib can make any error again.
    monkeypatch.delitem(copyreg.dispatch_table, type(error), raising=False)

    def failing(_state, _rng):
        raise error

    with pytest.raises(kind) as raised:
        running.play_batch(small(first=random_bot, second=failing, games=4), range(4))
    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - made in this line
    assert str(again) == told
    assert again.__notes__ == ['game 0: ply 2: second (O) against first']


def test_a_match_that_cannot_be_sent_is_reported_before_any_game():
    described = small(first=lambda state, rng: (state.moves[0], rng))
    with pytest.raises(UnsentError, match=r'cannot be sent to other processes: .*not lambdas'):
        play_match(described, jobs=2)
    with pytest.raises(UnsentError, match='cannot be sent to other processes'):
        running.play_batch(b'no pickle', range(1))


# ---- workers that end ----


def deadly(folder, state, rng):
    """A random bot; the first process that comes to the folder in mid-game is killed."""
    mark = Path(folder) / 'killed'
    if state != tictactoe.start and not mark.exists():
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
    return random_bot(state, rng)


def games_of_a_deadly_bot(folder):
    """The match, and the records of one of a bot that plays alike."""
    described = small(first=partial(deadly, str(folder)), games=16, opening_plies=0)
    plain = small(first=random_bot, games=16, opening_plies=0)
    return described, plain, in_file(plain, play_match(plain).games)


def test_a_killed_worker_is_named_and_the_rest_is_played_later(tmp_path):
    described, plain, whole = games_of_a_deadly_bot(tmp_path)
    kept = []
    with pytest.raises(BrokenProcessPool, match=r'a worker process ended in game \d+: ply \d+: fi'):
        play_match(described, jobs=2, watch=kept.append)
    found = play_match(described, before=kept, jobs=2).games
    assert in_file(plain, found) == whole


def test_a_killed_dask_worker_is_replaced(distributed, scheduler, tmp_path):
    described, plain, whole = games_of_a_deadly_bot(tmp_path)
    with distributed.Client(scheduler) as client:
        executor = client.get_executor(pure=False)
        found = play_match(described, executor=executor).games
    assert in_file(plain, found) == whole
    assert not psutil.pid_exists(int((tmp_path / 'killed').read_text()))


def test_a_bot_that_ends_dask_workers_is_one_line(distributed, tmp_path, monkeypatch):
    (tmp_path / 'ending.py').write_text('import os\n\ndef bot(state, rng):\n    os._exit(1)\n')
    monkeypatch.syspath_prepend(tmp_path)
    once = {'distributed.scheduler.allowed-failures': 0}
    options = {'n_workers': 1, 'threads_per_worker': 1, 'dashboard_address': ':0'}
    with (
        importlib.import_module('dask').config.set(once),
        distributed.LocalCluster(**options) as it,
    ):
        words = 'match', 'tictactoe', 'ending:bot', 'random', '--games', '4'
        said = fmcts(*words, '--dask', it.scheduler_address, code=2).stderr
    assert said.endswith(': the workers that played a game ended: does a bot end them?\n')
    assert said.count('\n') == 1


AS_A_COMMAND = """
import sys
sys.argv[0] = '/usr/bin/fmcts'
from fmcts.cli import main
sys.exit(main())
"""


# A bot that plays a few games and then thinks for an hour, in processes that were begun.
WAITING = """
import time
from multiprocessing import parent_process
from fmcts import random_bot
asked = []

def bot(state, rng):
    asked.append(state)
    if len(asked) > 20 and parent_process() is not None:
        time.sleep(3600)
    return random_bot(state, rng)
"""


def begun(path, **how):
    """A long match, of which a few games are in its file, and its workers."""
    words = ('match', 'tictactoe', 'mcts:50', 'waiting:bot', '--games', '40000')
    words = (*words, '--engine', 'inplace')
    (path.parent / 'waiting.py').write_text(WAITING)
    process = subprocess.Popen(
        [sys.executable, '-c', AS_A_COMMAND, *words, '--jobs', '2', '--out', str(path)],
        cwd=path.parent,
        **how,
    )
    while not path.exists() or path.stat().st_size < 1000:
        assert process.poll() is None
        time.sleep(0.02)
    workers = psutil.Process(process.pid).children(recursive=True)
    assert len(workers) >= 2
    return process, workers


@pytest.mark.skipif(not hasattr(os, 'killpg'), reason='needs os.killpg')
def test_an_interrupt_at_the_terminal_is_one_line(tmp_path):
    """All processes hear of it there; the one that was started says so, and none is left."""
    path = tmp_path / 'interrupted.jsonl'
    process, workers = begun(path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=600)
    assert (process.returncode, told) == (130, 'fmcts: interrupted\n')
    _, alive = psutil.wait_procs(workers, timeout=600)
    for one in alive:
        one.kill()
    assert not alive
    assert path.read_bytes().endswith(b'}\n')


def test_workers_that_end_with_cancelled_calls_leave_no_error(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, 'excepthook', failed.append)
    with running.Workers(1) as workers:
        calls = [workers.submit(time.sleep, it) for it in (0, *[3600] * running.AHEAD)]
        calls.pop(0).result()
        for call in calls:
            call.cancel()
        pool = {thread for thread in threading.enumerate() if 'ExecutorManager' in repr(thread)}
    del workers
    for thread in pool:
        thread.join(600)
    assert failed == []


def test_workers_end_when_their_parent_is_killed(tmp_path):
    """They would wait for ever, holding the other end of their pipe themselves."""
    process, workers = begun(tmp_path / 'killed.jsonl', stderr=subprocess.DEVNULL)
    process.kill()  # Python's own word on what was left is of no interest
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=600)
    for one in alive:
        one.kill()
    assert not alive
