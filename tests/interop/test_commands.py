"""Games of programs: the protocol, its reference programs, and errors when a program fails."""

import json
import pickle
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from attrs import field, frozen
from returns.result import Success

from fmcts import GameError, IllegalMoveError, Player, Search, SplitMix, analyse, random_bot
from fmcts.cli import main
from fmcts.game import chances_of, is_plain, key_of, players_of
from fmcts.games.chance.pig import start as start_of_pig
from fmcts.interop import commands
from fmcts.matches import match
from fmcts.testing import check_game, same_game

SERVERS = Path(__file__).parents[2] / 'docs' / 'servers'
HEAPS = Path(__file__).parent / 'heaps.py'


def needs(program):
    why = f'needs {program}, which is not installed, and the folder docs'
    return pytest.mark.skipif(not (shutil.which(program) and SERVERS.is_dir()), reason=why)


def heaps(folder, fault='none', **more):
    return commands.start(f'{sys.executable} {HEAPS} {fault} {folder}', **more)


@pytest.fixture(scope='session')
def clobber_in_c(tmp_path_factory):
    made = tmp_path_factory.mktemp('servers') / 'clobber'
    subprocess.run(
        ['cc', '-std=c11', '-Wall', '-Werror', '-o', made, SERVERS / 'clobber.c'], check=True
    )
    return lambda width, height: commands.start(f'{made} {width} {height}')


def clobber_in_js(width, height, file=SERVERS / 'clobber.js'):
    return commands.start(f'node {file} {width} {height}')


def after(state, *line):
    for move in line:
        state = state.play(move)
    return state


# ---- states ----


def test_a_state_is_a_value(tmp_path):
    start = heaps(tmp_path)
    assert (start.player, start.moves, start.over, start.winner) == (Player.X, (1, 2), False, None)
    assert str(start) == start.data == '{"left":5,"taken":0}'
    assert after(start, 1, 2) == after(start, 2, 1)
    assert hash(after(start, 1, 2)) == hash(after(start, 2, 1))
    assert after(start, 1) != after(start, 2)
    end = after(start, 2, 2, 1)
    assert (end.moves, end.over, end.winner) == ((), True, Player.X)
    copy = pickle.loads(pickle.dumps(start))  # noqa: S301 - ours
    assert copy == start
    assert copy.play(1) == start.play(1)
    assert is_plain(start)
    with pytest.raises(IllegalMoveError, match=r'^illegal move 3: the legal moves are 1, 2$'):
        start.play(3)


def test_searches_matches_and_laws_take_it(tmp_path):
    start = heaps(tmp_path)
    assert check_game(start, games=20).unwrap().extent.startswith('20 positions (all)')
    analysis, _ = analyse(start, SplitMix.from_seed(1), Search(50, solver=True))
    assert str(analysis.proof) == 'win in 3'
    bots = random_bot, random_bot
    one, two = (
        match(*bots, start, games=4, rng=SplitMix.from_seed(1), jobs=jobs) for jobs in (1, 2)
    )
    assert one.games == two.games


def in_a_worker(state):
    return state.play(1)


def test_each_process_starts_its_own_and_ends_it(tmp_path):
    start = heaps(tmp_path)
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(in_a_worker, start).result() == start.play(1)
    program = (
        'import os, sys\nfrom fmcts.interop import commands\n'
        f'start = commands.start({start.program.command!r})\n'
        'if os.fork() == 0:\n    start.play(2)\n    sys.exit()\n'  # which must not end its parent's
        'os.wait()\nstart.play(1)\n'
    )
    subprocess.run([sys.executable, '-c', program], check=True)
    ids = [path.name.partition('_')[2] for path in tmp_path.glob('started_*')]
    deadline = time.monotonic() + 20  # of the second only, if anything is wrong
    while len(left := [it for it in ids if Path('/proc', it).exists()]) > 1:
        assert time.monotonic() < deadline, left
        time.sleep(0.01)
    assert len(ids) == 4


def test_a_walk_over_the_moves_asks_in_few_lines(tmp_path):
    """A second move of a state brings the rest of them, so three plies of heaps take few lines."""
    start = heaps(tmp_path)
    one, two = (start.play(move) for move in start.moves)
    for _ in range(100):
        assert [start.play(move) for move in start.moves] == [one, two]
    assert (tmp_path / 'lines').read_text() == '3'


@needs('node')
def test_a_second_move_brings_all_others(monkeypatch):
    monkeypatch.setattr(commands, '_servers', {})
    start = clobber_in_js(5, 4)
    (server,) = commands._servers.values()
    states = [start.play(move) for move in start.moves]
    assert (len(start.moves), server.lines) == (31, 3)
    server.batches = False
    server.answers.clear()
    assert [start.play(move) for move in start.moves] == states
    assert server.lines == 3 + 31


def test_answers_are_forgotten_when_there_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr(commands, 'KEPT', 3)
    start = heaps(tmp_path)
    lines = [(one, two, three) for one in (1, 2) for two in (1, 2) for three in (1,)]
    before = [after(start, *line) for line in lines]
    asked = int((tmp_path / 'lines').read_text())
    assert [after(start, *line) for line in lines] == before
    assert int((tmp_path / 'lines').read_text()) > asked


# ---- programs that fail ----

AT = r'asked \["play",{"left":[34],"taken":[12]},[12]\], '


@pytest.mark.parametrize(
    ('fault', 'why'),
    [
        ('exits', f'{AT}ended with the status 1: no such heap: an error of mine$'),
        ('killed', f'{AT}was ended by the signal SIGKILL$'),
        ('hangs', f'{AT}did not answer within 2 seconds$'),
        ('closes', f'{AT}closed its standard output$'),
        ('words', f'{AT}answered two left: expected one line with an array of 1 answer$'),
        ('short', rf'{AT}answered \[\]: expected one line with an array of 1 answer$'),
        ('array', rf'{AT}answered \[2\]: expected an object$'),
        ('error', f'{AT}answered .*"error":"two are not enough".*: an error$'),
        ('no_player', f'{AT}answered .*: player is missing$'),
        ('stranger', f'{AT}answered .*: player must be one of X, O$'),
        ('moves', f'{AT}answered .*: moves must be an array$'),
        ('objects', f'{AT}answered .*: a move must be a number, a text, or an array of these$'),
        ('keys', f'{AT}answered .*: expected a key for each move$'),
        ('chances', f'{AT}answered .*: chances must be in the answer to start too$'),
        (
            'two_stories',
            f'{AT}answered .*: but this state had another player before, <Player.*>$',
        ),
    ],
)
def test_a_program_that_fails_is_named_in_one_line(tmp_path, fault, why):
    start = impatient = heaps(tmp_path, fault)
    if fault == 'hangs':
        impatient = heaps(tmp_path, fault, seconds=2)
    lines = [after(impatient, 2), after(impatient, 1)]
    with pytest.raises(GameError, match=f"^the command '.*heaps.py {fault} .*', {why}") as error:
        _ = [state.play(move) for state, move in zip(lines, (1, 2), strict=True)]
    assert '\n' not in str(error.value)
    before = (tmp_path / 'lines').read_text(), len([*tmp_path.glob('started_*')])
    with pytest.raises(GameError, match=f"^the command '.*heaps.py {fault} .*', {why}"):
        _ = [state.play(move) for state, move in zip(lines, (1, 2), strict=True)]
    assert before == ((tmp_path / 'lines').read_text(), len([*tmp_path.glob('started_*')]))
    assert start.play(1).moves == (1, 2)  # a new process, if it is not remembered
    if fault == 'hangs':
        with pytest.raises(GameError, match=r'did not answer within 0\.2 seconds$'):
            after(heaps(tmp_path, fault, seconds=0.2), 1, 2)
    after(start, 1, 1)  # in one line with the move that fails, which does not hide it


def test_other_versions_and_commands_are_refused(tmp_path):
    with pytest.raises(GameError, match=r'answered .*: expected the version 1 of the protocol$'):
        heaps(tmp_path, 'version')
    with pytest.raises(GameError, match=r'^the command "sh .*" cannot be started: No closing quot'):
        commands.start("sh '")
    with pytest.raises(GameError, match=r'^a command is needed, such as "node game.js", not'):
        commands.start('')
    with pytest.raises(
        GameError,
        match=r'^the command "sh -c .echo hello.", .* answered hello: ',
    ):
        commands.start("sh -c 'echo hello'")


def test_a_program_that_changes_its_mind_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(commands, 'AGAIN', 4)
    start = heaps(tmp_path, 'drifts')
    why = r'asked \["start",1\], answered .*"asked at 4".*: but before .*"asked at 1"'
    with pytest.raises(GameError, match=why):
        _ = [after(start, move, 1) for move in start.moves]


@pytest.mark.parametrize('fault', ['exits', 'words', 'two_stories'])
def test_laws_find_the_shortest_line_to_a_failure(tmp_path, fault):
    breach = check_game(heaps(tmp_path, fault)).failure()
    assert len(breach.line) <= 2
    assert "raised GameError: the command '" in breach.found


# ---- the reference programs ----


@needs('cc')
@needs('node')
@pytest.mark.parametrize(('width', 'height', 'positions'), [(3, 3, 6000), (5, 4, 300)])
def test_two_languages_agree(clobber_in_c, width, height, positions):
    """The number of lines is OpenSpiel's (`clobber(rows=3,columns=4)`)."""
    games = clobber_in_js(width, height), clobber_in_c(width, height)
    found = same_game(*games, compare={'text': str}, positions=positions, games=20)
    assert isinstance(found, Success), found
    if width == 3:
        assert found.unwrap().extent.startswith('761 positions (all)')


@needs('perl')
def test_dice_of_a_program_are_those_of_the_library():
    perl = commands.start(f'perl {SERVERS}/pig.pl 8')
    pig = start_of_pig(8)
    assert players_of(perl) == tuple(Player)
    assert chances_of(perl.play('roll')) == chances_of(pig.play('roll'))
    found = same_game(perl, pig, compare={'text': str}, positions=400, games=3)
    assert isinstance(found, Success), found
    search = Search(300)
    one, two = (analyse(it, SplitMix.from_seed(1), search)[0] for it in (perl, pig))
    assert one.digest == two.digest


def test_rewards_players_and_keys(tmp_path):
    """Three players in turn; the last gets half, and the key of a move is its number."""
    program = tmp_path / 'three.py'
    program.write_text(
        'import json, sys\n'
        'def position(turn):\n'
        '    left = 2 * (turn < 4)\n'
        '    return {"version": 1, "players": ["A", "B", "C"], "state": turn,\n'
        '        "player": "ABC"[turn % 3], "over": not left, "keys": [7, 8][:left],\n'
        '        "moves": ["on", ["go", 1]][:left], "rewards": [] if left else [0, 0.5, 0.25]}\n'
        'for line in sys.stdin:\n'
        '    said = [position(0 if it[0] == "start" else it[1] + 1) for it in json.loads(line)]\n'
        '    print(json.dumps(said), flush=True)\n'
    )
    start = commands.start(f'{sys.executable} {program}')
    assert (players_of(start), start.moves) == (('A', 'B', 'C'), ('on', ('go', 1)))
    assert [key_of(start, move) for move in start.moves] == [7, 8]
    assert not hasattr(start, 'chances')
    assert after(start, 'on', ('go', 1), 'on', 'on').rewards == (0, 0.5, 0.25)
    assert isinstance(check_game(start, games=5), Success)


@frozen
class Ways:
    """Three moves to add up to nine; what a move gains is no part of a state."""

    sum: int = 0
    gained: tuple = field(default=(0, 0), eq=False)

    players = ('A', 'B')
    player = property(lambda self: 'AB'[self.sum % 2])
    moves = property(lambda self: tuple(range(1, 4)) if self.sum < 9 else ())
    over = property(lambda self: self.sum >= 9)

    def play(self, move):
        return Ways(self.sum + move, (move * self.sum % 5, -move) if move < 3 else (0, 0))


def test_rewards_on_the_way(tmp_path):
    program = tmp_path / 'ways.py'
    program.write_text(
        'import json, sys\n'
        'def position(sum, gained):\n'
        '    moves = [1, 2, 3] * (sum < 9)\n'
        '    return {"version": 1, "players": ["A", "B"], "state": sum, "player": "AB"[sum % 2],\n'
        '        "moves": moves, "over": not moves, "gained": gained}\n'
        'def after(sum, move):\n'
        '    return position(sum + move, [move * sum % 5, -move] if move < 3 else [])\n'
        'for line in sys.stdin:\n'
        '    asked = json.loads(line)\n'
        '    said = [position(0, []) if it[0] == "start" else after(*it[1:]) for it in asked]\n'
        '    print(json.dumps(said), flush=True)\n'
    )
    start = commands.start(f'{sys.executable} {program}')
    assert (start.gained, after(start, 1, 2).gained, after(start, 2, 1).gained) == (
        (0, 0),
        (2, -2),
        (2, -1),
    )
    assert after(start, 1, 2) == after(start, 2, 1)
    for options in ({}, {'transpositions': 'sound'}):
        search = Search(200, c=5.0, **options)
        one, two = (analyse(it, SplitMix.from_seed(1), search)[0] for it in (start, Ways()))
        assert one.digest == two.digest


# ---- the command line ----


def test_commands_take_a_game_of_a_program(tmp_path, capsys):
    game = f'cmd:{sys.executable} {HEAPS} none {tmp_path}'
    assert main(['move', game, '--moves', '2,1', '--bot', 'mcts:20', '--json']) == 0
    assert json.loads(capsys.readouterr().out)['move'] == 1
    assert main(['check', game, '--games', '5']) == 0
    assert 'keeps' in capsys.readouterr().out
    assert main(['check', game, '--same', game.replace('none', 'two')]) == 0
    assert 'keeps 5 laws of a game with two implementations' in capsys.readouterr().out
    assert main(['check', game, '--same', game.replace('none', 'exits')]) == 1
    assert re.search(r'line +2 1\n|line +1 2\n', capsys.readouterr().out)
    assert main(['check', game, '--same', game, '--game', 'nim:3']) == 2
    assert '--same and --game exclude each other' in capsys.readouterr().err
    pair = ['check', 'pig:5', '--same', 'pig:5', '--positions', '9', '--games', '1']
    assert main([*pair, '--without', 'same rewards']) == 0
    assert main(['check', game, '--coverage']) == 2
    assert '--coverage is for the check of one game in Python' in capsys.readouterr().err
    assert main(['show', f'cmd:{sys.executable} {tmp_path}/none']) == 2
    assert "can't open file" in capsys.readouterr().err


def test_a_recorded_command_is_run_on_demand_only(tmp_path, capsys):
    file = tmp_path / 'games.jsonl'
    game = f'cmd:{sys.executable} {HEAPS} none {tmp_path}'
    assert main(['match', game, 'mcts:5', 'random', '--games', '2', '--out', str(file)]) == 0
    assert main(['verify', str(file)]) == 2
    assert 'which only --run would run' in capsys.readouterr().err
    assert main(['verify', '--run', str(file)]) == 0
