"""Match files: written, interrupted, resumed, and checked for alterations."""

import json
import os

import pytest

from fmcts.cli._progress import Progress
from fmcts.matches import play_match
from fmcts.matches._files import Head, check_of
from played import MATCH, fmcts, in_file, of_the_command


@pytest.fixture(scope='module')
def whole(tmp_path_factory):
    """The file of a match that nothing interrupted, and what its command told."""
    path = tmp_path_factory.mktemp('matches') / 'whole.jsonl'
    told = json.loads(fmcts(*MATCH, '--out', str(path), '--json').stdout)
    return path, told


def test_the_command_plays_the_same_games_as_the_function(whole):
    path, told = whole
    result = play_match(of_the_command())
    assert (told['wins'], told['draws'], told['losses']) == (
        result.wins,
        result.draws,
        result.losses,
    )
    assert path.read_bytes() == in_file(of_the_command(), result.games)
    head, *lines = map(json.loads, path.read_text().splitlines())
    assert (head['first'], head['games'], len(lines)) == ('mcts:30', 40, 40)
    assert [line['moves'] for line in lines] == [list(map(str, g.moves)) for g in result.games]


# ---- broken off and resumed ----


# Processes that begin the same command, each after the one before was killed: by itself, at a call
# or a return some way behind the moment at which the file had so many bytes. No clock is asked.
KILLED = """
import contextlib, io, os, random, signal, sys
from fmcts.cli import main

chance, path, command = random.Random(6), sys.argv[1], sys.argv[2:]
with contextlib.redirect_stdout(io.StringIO()):
    main(['match', 'tictactoe', 'mcts:9', 'random', '--games', '2'])  # everything is loaded

def size():
    return os.path.getsize(path) if os.path.exists(path) else 0

WRITES = 'write', 'flush', 'fsync'

def killing(until, later):
    left = None

    def watch(_frame, event, function):
        nonlocal left
        if left is None:
            if event == 'c_return' and function.__name__ in WRITES and size() >= until:
                left = later
        elif left:
            left -= 1
        else:
            os.kill(os.getpid(), signal.SIGKILL)

    return watch

for _ in range(20):
    moment = size() + chance.randrange(2500), chance.randrange(20_000)
    process = os.fork()
    if not process:
        sys.setprofile(killing(*moment))
        os._exit(main([*command, '--out', path]))
    _, status = os.waitpid(process, 0)
    print(size(), os.WIFSIGNALED(status), flush=True)
sys.exit(main([*command, '--out', path]))
"""


@pytest.mark.exhaustive  # test_executors kills some
@pytest.mark.skipif(not hasattr(os, 'fork'), reason='needs os.fork')
def test_a_run_killed_twenty_times_is_resumed(run_python, tmp_path):
    """By SIGKILL, at random moments: the same file, nothing lost, nothing twice."""
    words = ('match', 'tictactoe', 'mcts:9', 'mcts:12', '--games', '200', '--engine', 'inplace')
    path, plain = tmp_path / 'killed.jsonl', tmp_path / 'plain.jsonl'
    done = run_python('-c', KILLED, str(path), *words)
    assert done.returncode == 0, done.stderr
    lives = [line.split() for line in done.stdout.splitlines()[:20]]
    assert [killed for _, killed in lives] == 20 * ['True']
    sizes = [int(size) for size, _ in lives]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 10  # in mid-run
    assert sizes[-1] < path.stat().st_size
    fmcts(*words, '--out', str(plain))
    assert path.read_bytes() == plain.read_bytes()


def test_a_match_ended_by_sprt_ends_there_again(tmp_path):
    """A file with all that it needed is not added to."""
    path = tmp_path / 'sprt.jsonl'
    words = (*MATCH, '--games', '400', '--sprt', '0,200', '--out', str(path))
    first = fmcts(*words, '--json').stdout
    content = path.read_bytes()
    assert 4 < content.count(b'\n') < 100
    assert json.loads(first)['accepted'] == 'elo1'
    path.write_bytes(content[: len(content) // 2])
    fmcts(*words)
    assert path.read_bytes() == content
    fmcts(*words)
    assert path.read_bytes() == content
    assert 'games hold' in fmcts('verify', str(path)).stdout


def test_kept_trees_are_verified_and_resumed(tmp_path, monkeypatch):
    """Each way plays other games; what verify shows of its progress counts them."""
    words = ('match', 'tictactoe', 'mcts:30', 'mcts:20', '--games', '6')
    kept, plain = tmp_path / 'kept', tmp_path / 'plain'
    fmcts(*words, '--out', str(plain))
    fmcts(*words, '--keep-trees', '--out', str(kept))
    content = kept.read_bytes()
    head, *lines = map(json.loads, content.splitlines())
    moves = [line['moves'] for line in lines]
    assert moves != [json.loads(line)['moves'] for line in plain.read_text().splitlines()[1:]]

    for engine in ('inplace', 'persistent'):
        assert 'hold' in fmcts('verify', str(kept), '--engine', engine).stdout
    shown = []
    with monkeypatch.context() as patch:
        patch.setattr(
            Progress, 'watching', lambda _self, *named: lambda done: shown.append((*named, done))
        )
        fmcts('verify', str(kept))
    assert shown == [('games compared', 6, number) for number in range(1, 7)]

    kept.write_bytes(content[: content.index(b'\n', len(content) // 2) + 5])
    fmcts(*words, '--keep-trees', '--out', str(kept))
    assert kept.read_bytes() == content
    other = {**head, 'keep_trees': False}
    lines = [{**line, 'check': check_of(Head(**other), line)} for line in lines]
    kept.write_text(''.join(f'{json.dumps(it)}\n' for it in [other, *lines]))
    assert 'played again' in fmcts('verify', str(kept), code=1).stderr


# ---- files that are left alone ----


OTHERS = (
    (lambda it: it, ['mcts:9'], "holds another match, with first 'mcts:30', not 'mcts:9'"),
    (lambda it: it.replace(b'"fmcts": "', b'"fmcts": "9', 1), [], 'another match, with fmcts'),
    (lambda it: it.replace(b'"moves": [', b'"moves": [9, ', 1), [], 'game 0'),
    (lambda _: b'{"format": 2, "a": 1}\r{"b": 2}\r', [], 'is not a match file'),  # of an old Mac
    (lambda it: it[: it.index(b'\n')], ['mcts:9'], 'is not a match file'),  # of another match
)


@pytest.mark.parametrize(('content', 'first', 'complaint'), OTHERS, ids=map(str, range(5)))
def test_foreign_files_are_not_overwritten(whole, tmp_path, content, first, complaint):
    """One of another match, of another version or format, altered, or something else."""
    path = tmp_path / 'mine.jsonl'
    there = content(whole[0].read_bytes())
    path.write_bytes(there)
    words = [*MATCH[:2], *(first or MATCH[2:3]), *MATCH[3:], '--out', str(path)]
    told = fmcts(*words, code=2).stderr
    assert complaint in told
    assert told.count('\n') == 1
    assert path.read_bytes() == there


def test_paths_that_cannot_be_files_are_refused(tmp_path):
    words = [*MATCH, '--out', str(tmp_path / 'no' / 'folder')]
    assert f'there is no folder {tmp_path / "no"}' in fmcts(*words, code=2).stderr
    assert '/dev/full: is not a regular file' in fmcts(*MATCH, '--out', '/dev/full', code=2).stderr


LITTLE_ROOM = """
import resource, sys
from fmcts.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
sys.exit(main(sys.argv[1:]))
"""


def test_a_full_disk_is_one_line(run_python, whole, tmp_path):
    """What was written stays, and the run goes on when there is room again."""
    path = tmp_path / 'full.jsonl'
    done = run_python('-c', LITTLE_ROOM, *MATCH, '--out', str(path))
    assert (done.returncode, done.stderr) == (1, 'fmcts: cannot write: File too large\n')
    kept, content = path.read_bytes(), whole[0].read_bytes()
    assert kept == content[: len(kept)]
    assert len(kept) > 2000
    fmcts(*MATCH, '--out', str(path))
    assert path.read_bytes() == content
