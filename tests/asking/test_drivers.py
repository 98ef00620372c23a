"""Drivers and the file of answers: nothing that was answered is lost, and nothing asked twice."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Lock

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import STOP, Search
from fmcts.asking import Budget, asking, journal, run, run_async
from fmcts.asking._journal import checked_line
from fmcts.errors import UnansweredError
from fmcts.games import connect4, tictactoe
from fmcts.history import FileError
from told import BEGUN, RNG, evaluate, finished

EXPECTED = finished(BEGUN)


class Flaky:
    """An evaluator that takes a drawn time, fails now and then, and answers nonsense sometimes."""

    def __init__(self, seed, failures=0.2):
        self.draws = Random(seed)  # noqa: S311
        self.failures, self.lock = failures, Lock()
        self.running = self.most = self.calls = 0

    def draw(self):
        with self.lock:
            self.calls += 1
            return self.draws.random() / 500, self.draws.random()

    def __call__(self, state):
        seconds, luck = self.draw()
        time.sleep(seconds)
        if luck < self.failures:
            raise ConnectionError('try again')
        return 'nonsense' if luck < 1.2 * self.failures else evaluate(state)

    async def later(self, state):
        seconds, luck = self.draw()
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(3600 if luck > 1 - self.failures / 4 else seconds)
        finally:
            self.running -= 1
        if luck < self.failures:
            raise ConnectionError('try again')
        return evaluate(state)


@pytest.mark.parametrize('seed', range(3))
def test_threads_that_fail_and_are_slow_give_the_same_search(seed):
    with ThreadPoolExecutor(6) as pool:
        assert run(BEGUN, Flaky(seed), pool, attempts=50) == EXPECTED


def test_processes():
    with ProcessPoolExecutor(2) as pool:
        assert run(BEGUN, evaluate, pool) == EXPECTED


@pytest.mark.parametrize('at_once', [None, 1, 3])
def test_asyncio(at_once):
    slow = Flaky(at_once)
    found = asyncio.run(run_async(BEGUN, slow.later, at_once=at_once, attempts=50, timeout=0.5))
    assert found == EXPECTED
    assert slow.most <= (at_once or 6)


def test_a_call_that_takes_too_long_is_made_again_and_may_still_be_the_first_to_answer():
    started = []

    def slow(state):
        started.append(state)
        if len(started) == 2:
            time.sleep(0.3)  # is given up, and answers before the next attempt
        if len(started) == 3:
            time.sleep(0.6)
        return evaluate(state)

    with ThreadPoolExecutor(6) as pool:
        begun = asking(tictactoe.start, RNG, Search(3, selection='puct'))
        found = run(begun, slow, pool, attempts=50, timeout=0.2)
    assert found == finished(begun)
    assert len(started) > 4


def test_who_never_answers_ends_the_run_with_what_was_found():
    def broken(state):
        if state.moves[0] == 1:
            raise ValueError('no credit')
        return evaluate(state)

    async def also_broken(state):
        return broken(state)

    with ThreadPoolExecutor(6) as pool, pytest.raises(UnansweredError) as error:
        run(BEGUN, broken, pool, attempts=2)
    assert re.fullmatch(
        r"request \d+ failed in 2 attempts: ValueError\('no credit'\)", str(error.value)
    )
    assert isinstance(error.value.__cause__, ValueError)
    search = error.value.search
    assert {it.attempt for it in search.ask()} <= {1, 2, 3}
    assert 3 in {it.attempt for it in search.ask()}
    assert finished(search) == EXPECTED
    with pytest.raises(UnansweredError):
        asyncio.run(run_async(BEGUN, also_broken, attempts=1))


@pytest.mark.parametrize('timeout', [0, -1, float('nan'), float('inf'), 1e300, 'x', True])
def test_a_timeout_is_a_number_of_seconds(timeout):
    message = f'timeout must be a number of seconds above 0, not {timeout!r}'.replace('+', r'\+')
    with pytest.raises(ValueError, match=message), ThreadPoolExecutor() as pool:
        run(BEGUN, evaluate, pool, timeout=timeout)
    with pytest.raises(ValueError, match=message):
        asyncio.run(run_async(BEGUN, Flaky(1).later, timeout=timeout))


def test_a_call_that_waits_too_long_for_a_worker_has_failed():
    calls = []

    def slow(state):
        calls.append(state)
        if len(calls) == 2:
            time.sleep(0.4)  # the others in the queue are cancelled by then
        return evaluate(state)

    with ThreadPoolExecutor(1) as pool:
        assert run(BEGUN, slow, pool, attempts=50, timeout=0.1) == EXPECTED


class Cancelling(ThreadPoolExecutor):
    """An executor that cancels its fifth call by itself."""

    calls = 0

    def submit(self, function, /, *arguments):
        self.calls += 1
        if self.calls != 5:
            return super().submit(function, *arguments)
        cancelled = Future()
        cancelled.cancel()
        cancelled.set_running_or_notify_cancel()
        return cancelled


def test_a_call_that_somebody_else_cancelled_has_failed():
    calls = []

    async def cancels(state):
        calls.append(state)
        if len(calls) == 5:
            raise asyncio.CancelledError
        return evaluate(state)

    assert asyncio.run(run_async(BEGUN, cancels)) == EXPECTED
    assert len(calls) == len(EXPECTED.replies) + 1
    with Cancelling(6) as pool:
        assert run(BEGUN, evaluate, pool) == EXPECTED
        assert pool.calls == len(EXPECTED.replies) + 1


def dies(state):
    if len(state.moves) < 8:
        os._exit(1)
    return evaluate(state)


def test_a_worker_that_dies_ends_the_run_with_what_was_found():
    with ProcessPoolExecutor(2) as pool, pytest.raises(UnansweredError) as error:
        run(BEGUN, dies, pool)
    assert re.match(r'request \d+ was not made: .*process', str(error.value))
    assert isinstance(error.value.__cause__, BrokenExecutor)
    assert error.value.search.replies
    assert finished(error.value.search) == EXPECTED


def test_a_watch_ends_the_run(tmp_path):
    seen, calls = [], []

    def counted(state):
        calls.append(state)
        return evaluate(state)

    def watch(search):
        seen.append(search)
        return STOP if len(seen) == 10 else None

    with ThreadPoolExecutor(6) as pool:
        found = run(BEGUN, counted, pool, watch=watch, journal=tmp_path / 'a')
        assert 10 <= len(found.replies) <= 16
        assert seen[-1] == found
        assert run(BEGUN, counted, pool, journal=tmp_path / 'a') == EXPECTED
    assert len(calls) == len(EXPECTED.replies)  # nothing is asked twice


def test_a_cancelled_run_keeps_every_answer(tmp_path):
    calls = []

    async def counted(state):
        calls.append(state)
        await asyncio.sleep(0.001)
        return evaluate(state)

    async def interrupted(seconds):
        task = asyncio.ensure_future(run_async(BEGUN, counted, journal=tmp_path / 'a'))
        await asyncio.sleep(seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for tenth in range(5):
        asyncio.run(interrupted(0.003 * tenth))
    assert asyncio.run(run_async(BEGUN, counted, journal=tmp_path / 'a')) == EXPECTED
    lost = len(calls) - len(EXPECTED.replies)
    assert lost <= 5 * 6  # those in flight when it was cancelled


# ---- the file ----


def written(path, search=BEGUN):
    with journal(path, search) as (resumed, append):
        found = resumed
        while found.ask():
            request = found.ask()[-1]
            append(request, evaluate(request.state))
            found = found.tell(request, evaluate(request.state))
    return path.read_bytes()


WHOLE = []


@given(data=st.data())
@settings(max_examples=60)
def test_a_file_cut_off_at_any_byte_is_resumed(tmp_path_factory, data):
    path = tmp_path_factory.mktemp('cut') / 'answers'
    if not WHOLE:
        WHOLE.append(written(path))
    (content,) = WHOLE
    size = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:size])
    lines = content[:size].count(b'\n')
    with journal(path, BEGUN) as (search, _):
        assert len(search.replies) == max(0, lines - 1)
    assert written(path) == content


def same(line, other):
    """Whether two lines say the same, as 1E-05 is 1e-05."""
    try:
        return json.loads(line) == json.loads(other)
    except ValueError:
        return False


@given(data=st.data())
@settings(max_examples=60)
def test_a_damaged_line_is_refused_by_its_number(tmp_path_factory, data):
    path = tmp_path_factory.mktemp('damaged') / 'answers'
    if not WHOLE:
        WHOLE.append(written(path))
    lines = WHOLE[0].splitlines(keepends=True)
    number = data.draw(st.integers(2, len(lines)))
    line = lines[number - 1]
    at = data.draw(st.integers(0, len(line) - 2))  # without its end, it is a line cut off
    digits = [it for it in b'0123456789' if it != line[at]]
    other = data.draw(st.sampled_from(digits) | st.integers(0, 255).filter(line[at].__ne__))
    lines[number - 1] = line[:at] + bytes([other]) + line[at + 1 :]
    path.write_bytes(b''.join(lines))
    refused = pytest.raises(FileError, match=f'answers: line {number} is damaged')
    with nullcontext() if same(line, lines[number - 1]) else refused, journal(path, BEGUN) as found:
        assert found[0] == EXPECTED
    assert path.read_bytes() == b''.join(lines)


def test_failures_and_more_iterations_are_resumed(tmp_path):
    path = tmp_path / 'answers'
    with journal(path, BEGUN) as (search, append):
        append(search.ask()[0], TimeoutError('slow'))
    with journal(path, BEGUN) as (search, _):
        assert search.ask()[0].attempt == 2
    path.unlink()
    few = asking(
        tictactoe.start,
        RNG,
        Search(20, selection='puct', solver=True),
        window=6,
        budget=Budget(calls=9),
    )
    written(path, few)
    assert len(path.read_bytes().splitlines()) == 10
    written(path)
    with journal(path, BEGUN) as (search, _):
        assert search == EXPECTED


@pytest.mark.parametrize(('iterations', 'calls'), [(10, None), (60, 20), (60, 0)])
def test_a_smaller_search_than_that_of_the_file_is_refused(tmp_path, iterations, calls):
    before = written(path := tmp_path / 'answers')
    search = Search(iterations, selection='puct', solver=True)
    few = asking(tictactoe.start, RNG, search, window=6, budget=Budget(calls=calls))
    message = r'answers: it has more answers than the search asks for, such as that to request \d+:'
    with pytest.raises(FileError, match=message), journal(path, few):
        pass
    assert path.read_bytes() == before


def test_a_file_takes_a_request(tmp_path):
    message = r'append takes a request, as ask\(\) returns, not 0'
    with (
        journal(tmp_path / 'answers', BEGUN) as (_, append),
        pytest.raises(TypeError, match=message),
    ):
        append(0, 0.5)


def test_the_first_of_two_answers_counts(tmp_path):
    path = tmp_path / 'answers'
    written(path)
    with journal(path, BEGUN) as (_, append):
        append(BEGUN.ask()[0], 0.75)
    with journal(path, BEGUN) as (search, _):
        assert search == EXPECTED


WORKER = """
import os, sys, time
sys.path[:0] = {paths!r}
from fmcts.asking import journal
from told import BEGUN

with journal({path!r}, BEGUN):
    if os.fork():
        os._exit(0)
    print('begun', flush=True)
    time.sleep(60)
"""


def test_one_run_writes_to_a_file(tmp_path):
    path = tmp_path / 'answers'
    with journal(path, BEGUN), ThreadPoolExecutor() as pool:
        before = path.read_bytes()
        with pytest.raises(OSError, match='answers: another run writes to it; nothing was written'):
            run(BEGUN, evaluate, pool, journal=path)
        assert path.read_bytes() == before
    source = WORKER.format(paths=[it for it in sys.path if it], path=os.fspath(path))
    worker = subprocess.Popen(
        [sys.executable, '-c', source], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert worker.stdout.readline() == b'begun\n'
        worker.wait()
        assert written(path)  # though the killed run's worker is still there
    finally:
        worker.stdout.close()
        os.killpg(worker.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        (b'{"iterations": 3}\n', 'not a file of answers: expected one of the format'),
        (b'some text', 'not a file of answers: expected one of the format'),
        (b'', None),
        ('other state', r'its state is another: .*Connect4.*, not .*TicTacToe'),
        ('other search', r'its search is another: window=1, not 6; solver=False, not True$'),
        ('damage', r'line 4 is damaged, or of another search \(Unterminated'),
        ('another path', r'line 4 is damaged, or of another search \(request 1 is of another'),
    ],
)
def test_files_of_another_kind_are_refused_and_kept(tmp_path, content, message):
    path = tmp_path / 'answers'
    whole = written(path).splitlines(keepends=True)
    content = {
        'damage': b''.join(whole[:3]) + whole[3][:9] + b'\n' + whole[4],
        'another path': b''.join(whole[:3]) + checked_line({'id': 1, 'path': [8], 'value': 0.5}),
    }.get(content, content)
    if content == 'other state':
        written(path := tmp_path / 'b', asking(connect4.start, RNG, Search(3, selection='puct')))
    elif content == 'other search':
        written(path := tmp_path / 'b', asking(tictactoe.start, RNG, Search(3, selection='puct')))
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    if message is None:
        with journal(path, BEGUN) as (search, _):
            assert search == BEGUN
        return
    with pytest.raises(FileError, match=message) as error, journal(path, BEGUN):
        pass
    assert '\n' not in str(error.value)
    assert path.read_bytes() == before
    assert os.fspath(path) in str(error.value)


# ---- kills ----

KILLED = """
import sys, time
from random import Random
sys.path[:0] = {paths!r}
from concurrent.futures import ThreadPoolExecutor
from fmcts.asking import run
from told import BEGUN, evaluate

draws = Random({seed})

def slow(state):
    with open({calls!r}, 'a') as file:
        file.write(repr(state) + chr(10))
    time.sleep(draws.random() / 50)
    return evaluate(state)

with ThreadPoolExecutor(6) as pool:
    found = run(BEGUN, slow, pool, journal={path!r})
print(found.digest)
"""


@pytest.mark.parametrize('kills', [2, 30])
def test_a_run_that_is_killed_again_and_again_loses_no_answer(tmp_path, kills):
    path, calls = tmp_path / 'answers', tmp_path / 'calls'
    draws, told = Random(kills), 0  # noqa: S311
    for seed in range(kills):
        source = KILLED.format(
            paths=[it for it in sys.path if it],
            seed=seed,
            path=os.fspath(path),
            calls=os.fspath(calls),
        )
        process = subprocess.Popen([sys.executable, '-c', source])
        lines = told + draws.randrange(3)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if path.exists() and path.read_bytes().count(b'\n') >= lines:
                time.sleep(draws.random() / 100)
                break
        process.kill()
        process.wait()
        with journal(path, BEGUN) as (search, _):
            assert len(search.replies) >= told - 1
            told = len(search.replies) + 1
    with ThreadPoolExecutor(6) as pool:
        found = run(BEGUN, evaluate, pool, journal=path)
    assert found == EXPECTED
    assert found.digest == EXPECTED.digest
    begun = calls.read_text().splitlines()
    assert len(begun) <= len(EXPECTED.replies) + 6 * kills  # only what was in flight is asked again


# ---- the recipe of docs/asking.md with a service that is slow, limited in rate, and fails ----


PAGE = Path(__file__).parents[2] / 'docs' / 'asking.md'


@contextmanager
def service(answered):
    """The address of a service that answers prompts, three at a time at most."""
    draws, free = Random(1), threading.Semaphore(3)  # noqa: S311

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            prompt = json.loads(self.rfile.read(int(self.headers['Content-Length'])))['prompt']
            if not free.acquire(blocking=False):
                self.send_error(429)
                return
            try:
                time.sleep(draws.random() / 50)
                if draws.random() < 0.1:
                    self.send_error(500)
                    return
                text = 'Sorry!' if draws.random() < 0.05 else answered(prompt)
                body = json.dumps({'text': text}).encode()
                self.send_response(200)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            finally:
                free.release()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f'http://127.0.0.1:{server.server_port}'
    finally:
        server.shutdown()
        server.server_close()


def test_the_recipe_of_the_page(tmp_path):
    (code,) = re.findall(r'## A service.*?```python\n(.*?)```', PAGE.read_text(), re.DOTALL)
    states = {}

    def evaluated(state):
        states[repr(state)] = state
        return json.loads(names['complete'](repr(state)))

    with service(lambda prompt: json.dumps(evaluate(states[prompt]).value)) as address:
        names = {'json': json, 'started': BEGUN, 'evaluate': evaluated, 'run': run}
        names['ThreadPoolExecutor'] = ThreadPoolExecutor
        code = code.replace('http://localhost:8000', address)
        code = code.replace('attempts=5', 'attempts=500')
        code = code.replace("'answers'", repr(str(tmp_path / 'answers')))
        exec(code, names)  # noqa: S102
    assert (tmp_path / 'answers').exists()
    assert names['found'] == finished(BEGUN, lambda request: evaluate(request.state).value)
