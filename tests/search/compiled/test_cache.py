"""Machine code on disk: never out of date, never in the way. Each case is processes of its own."""

import functools
import math
import os
import pathlib
import signal
import subprocess
import sys
import types

import numpy as np
import pytest

from fmcts.search.compiled import cache
from fmcts.search.compiled.fingerprint import UnknownValueError, fingerprint

GAME = """
from typing import ClassVar, NamedTuple
from attrs import frozen
import helper
from fmcts import Player
from fmcts.rules import IntegerRules

MOST = 3

class Position(NamedTuple):
    left: int
    turn: int

def menu(position):
    return min(position.left, MOST, helper.most(position.left))

def play(position, taken):
    return Position(position.left - taken, 1 - position.turn)

@frozen
class Heap:
    left: int
    player: Player = Player.X
    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda heap: Position(heap.left, 0 if heap.player is Player.X else 1),
        menu=menu,
        count=lambda menu: menu,
        pick=lambda menu, index: index + 1,
        play=play,
        side=lambda position: position.turn,
        winner=lambda position: 1 - position.turn,
    )
    moves = property(lambda self: tuple(range(1, menu(self) + 1)))
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        return Heap(self.left - move, self.player.other)
"""

SEARCH = """
from fmcts import Search, SplitMix, analyse
from fmcts.search.notices import heard_by
NOTICES = []
with heard_by(NOTICES.append):
    analysis, rng = analyse(Heap(21), SplitMix.from_seed(1), Search(300), engine='compiled')
other, other_rng = analyse(Heap(21), SplitMix.from_seed(1), Search(300), engine='persistent')
assert (analysis.stats, rng) == (other.stats, other_rng)
print(len(analysis.stats), any('compiling Heap, in-order' in notice for notice in NOTICES))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / 'game.py').write_text(GAME)
    (tmp_path / 'helper.py').write_text('def most(left):\n    return left\n')
    return tmp_path


def in_a_process(folder, script='from game import *\n' + SEARCH, **environment):
    """What a new process finds: how many moves there are, and whether it compiled."""
    variables = os.environ | {'FMCTS_CACHE_DIR': str(folder / 'cache'), 'PYTHONPATH': str(folder)}
    finished = subprocess.run(
        [sys.executable, '-B', '-c', script],
        capture_output=True,
        text=True,
        check=False,
        env=variables | environment,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.split()


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_changed_rule_is_obeyed(folder):
    assert in_a_process(folder) == ['3', 'True']
    assert in_a_process(folder) == ['3', 'False']  # from the disk
    change(folder / 'game.py', 'MOST = 3', 'MOST = 2')
    assert in_a_process(folder) == ['2', 'True']
    change(folder / 'helper.py', 'return left', 'return min(left, 1)')
    assert in_a_process(folder) == ['1', 'True']
    change(folder / 'game.py', 'class Heap', '# nothing but a comment\n\nclass Heap')
    assert in_a_process(folder) == ['1', 'False']


def test_rules_written_in_a_session(folder):
    """Of the module `__main__`, and kept on disk all the same."""
    for compiled in ('True', 'False'):
        assert in_a_process(folder, GAME + SEARCH) == ['3', compiled]


@pytest.mark.parametrize(
    'damage',
    [
        lambda _whole: b'',
        lambda _whole: b'nonsense',
        lambda whole: whole[:-1],
        lambda whole: bytes(32) + whole[32:],  # all there, but for the sum in front
    ],
)
def test_damaged_files_are_made_anew(folder, damage):
    assert in_a_process(folder) == ['3', 'True']
    for file in (folder / 'cache').iterdir():
        file.write_bytes(damage(file.read_bytes()))
    assert in_a_process(folder) == ['3', 'True']
    assert in_a_process(folder) == ['3', 'False']


def test_code_that_holds_an_address_is_not_kept(folder):
    """numba reads a large global array where it lies, which is elsewhere in another process."""
    change(folder / 'game.py', 'MOST = 3', 'import numpy\nMOST = numpy.full(600_000, 3)')
    change(folder / 'game.py', 'position.left, MOST,', 'position.left, MOST[position.left],')
    change(folder / 'game.py', 'menu(self) + 1', 'int(menu(self)) + 1')
    for _ in range(2):
        assert in_a_process(folder) == ['3', 'True']


def test_a_folder_that_cannot_be_written_to(folder):
    (folder / 'file').write_text('not a folder')
    assert in_a_process(folder, FMCTS_CACHE_DIR=str(folder / 'file' / 'cache')) == ['3', 'True']


def function(source, **names):
    """The function that `source` defines, where `names` stand for globals."""
    exec(source, names)  # noqa: S102 - our own source
    return names['f']


SAME = fingerprint(function('def f(x): return x + A', A=1))


def test_what_changes_nothing():
    assert fingerprint(function('# a comment\n\ndef f(x): return x + A', A=1, unused=2)) == SAME


OTHERS = [
    ('def f(x): return x - A', {'A': 1}),
    ('def f(x): return x + A + 1', {'A': 1}),
    ('def f(x): return x + A + 2', {'A': 1}),
    ('def f(x, y=1): return x + A', {'A': 1}),
    ('def f(x): return x + A', {'A': 2}),
    ('def f(x): return x + A', {'A': 1.0}),
    ('def f(x): return x + A', {'A': True}),
    ('def f(x): return x + A', {'A': (1,)}),
    ('def f(x): return x + A', {'A': np.int64(1)}),
    ('def f(x): return x + A', {'A': np.int64(2)}),
    ('def f(x): return x + A', {'A': np.array([1])}),
    ('def f(x): return x + A', {'A': np.array([2])}),
    ('def f(x): return x + A', {'A': math}),
    ('def f(x): return x + A', {'A': lambda: 1}),
    ('def f(x): return x + A', {'A': lambda: 2}),
    ('def f(x): return x + A', {'A': frozenset({1})}),
]


@pytest.mark.parametrize(('source', 'names'), OTHERS)
def test_the_name_says_the_same_again(source, names):
    assert fingerprint(function(source, **names)) == fingerprint(function(source, **names))


def test_what_changes_the_name():
    made = [fingerprint(function(source, **names)) for source, names in OTHERS]
    assert len({SAME, *made}) == 1 + len(OTHERS)


def test_closures_and_members_of_modules_count():
    def adding(number):
        return lambda x: x + number

    assert fingerprint(adding(1)) != fingerprint(adding(2))
    module = types.ModuleType('somewhere')
    f = function('def f(x): return module.g(x)', module=module)
    module.g = lambda x: x
    before = fingerprint(f)
    module.g = lambda x: -x
    assert fingerprint(f) != before


def test_what_has_no_sound_name():
    for value in (object(), [1], {1: 2}, functools.partial(int), type('Own', (), {})):
        with pytest.raises(UnknownValueError):
            fingerprint(function('def f(x): return x + A', A=value))

    def unfinished():
        return later

    if False:
        later = 1
    with pytest.raises(UnknownValueError):
        fingerprint(unfinished)


ENDLESS = """
import sys
from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4
def watch(done):
    if done:
        print('begun', flush=True)
try:
    analyse(connect4.start, SplitMix.from_seed(1), Search(10**9), engine='compiled', watch=watch)
except KeyboardInterrupt:
    print('interrupted')
    sys.exit(7)
"""


def test_a_long_search_can_be_interrupted():
    with subprocess.Popen(
        [sys.executable, '-c', ENDLESS], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == 'begun\n'
        process.send_signal(signal.SIGINT)
        output = process.stdout.read()
    assert process.returncode == 7
    assert output.endswith('interrupted\n')


@pytest.mark.parametrize(
    ('platform', 'environment', 'expected'),
    [
        ('linux', {'FMCTS_CACHE_DIR': '/chosen'}, '/chosen'),
        ('linux', {'XDG_CACHE_HOME': '/caches'}, '/caches/fmcts'),
        ('linux', {}, '/home/someone/.cache/fmcts'),
        ('darwin', {}, '/home/someone/Library/Caches/fmcts'),
        ('win32', {'LOCALAPPDATA': '/local'}, '/local/fmcts'),
        ('win32', {}, '/home/someone/AppData/Local/fmcts'),
    ],
)
def test_the_folder_is_where_the_platform_keeps_caches(
    monkeypatch, platform, environment, expected
):
    for name in ('FMCTS_CACHE_DIR', 'XDG_CACHE_HOME', 'LOCALAPPDATA'):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(cache.sys, 'platform', platform)
    monkeypatch.setattr(cache.Path, 'home', lambda: pathlib.Path('/home/someone'))
    assert cache.folder() == pathlib.Path(expected)


def test_without_a_home_nothing_is_kept(monkeypatch):
    def homeless():
        raise RuntimeError

    for name in ('FMCTS_CACHE_DIR', 'XDG_CACHE_HOME'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache.sys, 'platform', 'linux')
    monkeypatch.setattr(cache.Path, 'home', homeless)
    assert cache.folder() is None
