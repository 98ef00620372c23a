"""Machine code on disk is never out of date and never in the way; each case runs processes."""

import os
import pathlib
import shutil

import pytest

import fmcts
from fmcts._numba.cache import files
from processes import run_script

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

HELPER = 'def most(left):\n    return left\n'

SEARCH = """
from fmcts import Search, SplitMix, analyse
from fmcts.notices import listening
NOTICES = []
other, other_rng = analyse(Heap(21), SplitMix.from_seed(1), Search(300), engine='persistent')
with listening(NOTICES.append):
    analysis, rng = analyse(Heap(21), SplitMix.from_seed(1), Search(300), engine='compiled')
    assert analysis.digest == other.digest  # its walk is compiled too
assert (analysis.stats, analysis.tree, rng) == (other.stats, other.tree, other_rng)
for about in ('Heap, in-order', 'logarithms'):
    print(any(f'compiling {about}' in notice for notice in NOTICES))
"""

# The same for what is compiled at once; how code is kept does not depend on what it is for.
TINY = """
from fmcts._numba.cache.jit import jit
from fmcts._numba.register import register
from fmcts.notices import listening
NOTICES = []
register(menu)
def count(left):
    return menu(Position(left, 0))
with listening(NOTICES.append):
    found = jit(count, 'moves of Heap')(21)
print(found, any('compiling moves of Heap' in notice for notice in NOTICES))
"""

FROM_GAME = 'from game import *\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / 'game.py').write_text(GAME)
    (tmp_path / 'helper.py').write_text(HELPER)
    return tmp_path


@pytest.fixture(scope='module')
def example(tmp_path_factory):
    """Such a folder with the machine code for the menu of the game."""
    folder = tmp_path_factory.mktemp('example')
    (folder / 'game.py').write_text(GAME)
    (folder / 'helper.py').write_text(HELPER)
    assert in_a_process(folder) == ['3', 'True']
    return folder


@pytest.fixture
def filled(example, tmp_path):
    """A copy of it, for one test."""
    folder = tmp_path / 'copy'
    shutil.copytree(example, folder)
    return folder


def in_a_process(folder, script=FROM_GAME + TINY, *, fresh=False, **environment):
    """What a new process finds: how many moves there are, and whether it compiled."""
    variables = os.environ | {'FMCTS_CACHE_DIR': str(folder / 'cache'), 'PYTHONPATH': str(folder)}
    code, printed, errors = run_script(script, folder, variables | environment, fresh=fresh)
    assert code == 0, errors
    return printed.split()


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_changed_rules_are_compiled_anew(folder):
    """By a function and by searches; the logarithms know no rules."""

    def found(*, fresh=False):
        return in_a_process(folder, FROM_GAME + TINY + SEARCH, fresh=fresh)

    assert found() == ['3', 'True', 'True', 'True']
    assert found(fresh=True) == ['3', 'False', 'False', 'False']  # from the disk
    change(folder / 'game.py', 'MOST = 3', 'MOST = 2')
    assert found() == ['2', 'True', 'True', 'False']
    change(folder / 'game.py', 'class Heap', '# nothing but a comment\n\nclass Heap')
    assert found(fresh=True) == ['2', 'False', 'False', 'False']


def test_a_changed_helper_of_a_rule_is_compiled_anew(filled):
    change(filled / 'helper.py', 'return left', 'return min(left, 1)')
    assert in_a_process(filled) == ['1', 'True']


def test_rules_of_the_main_module_are_cached(folder):
    """Of the module `__main__`, and kept on disk all the same."""
    assert in_a_process(folder, GAME + TINY) == ['3', 'True']
    assert in_a_process(folder, GAME + TINY, fresh=True) == ['3', 'False']


def test_damaged_files_are_replaced(filled):
    """Those that hold no machine code; test_files has other damages."""
    for file in (filled / 'cache').iterdir():
        files.write(file, b'nonsense')
    assert in_a_process(filled) == ['3', 'True']
    assert in_a_process(filled) == ['3', 'False']


def test_code_that_embeds_an_address_is_not_cached(folder):
    """numba reads a large global array where it lies, which is elsewhere in another process."""
    change(folder / 'game.py', 'MOST = 3', 'import numpy\nMOST = numpy.full(600_000, 3)')
    change(folder / 'game.py', 'position.left, MOST,', 'position.left, MOST[position.left],')
    change(folder / 'game.py', 'menu(self) + 1', 'int(menu(self)) + 1')
    assert in_a_process(folder) == ['3', 'True']
    assert not (folder / 'cache').exists()


SAY_ALL = TINY + "print('|'.join(NOTICES))"


def test_an_unwritable_folder_is_reported_once(folder):
    (folder / 'file').write_text('not a folder')
    place = folder / 'file' / 'cache'
    told = ' '.join(in_a_process(folder, FROM_GAME + SAY_ALL, FMCTS_CACHE_DIR=str(place)))
    assert told.startswith('3 True')
    assert told.count(f'machine code cannot be kept in {place}: File exists') == 1


# Of the library: a file, and two texts there that engines agree by and that mean different things;
# and whether there is other code then for the menu, for the search, and for the logarithms (what
# compiled code knows of generators is in the name of all code).
SOURCES = [
    ('search/methods/ucb1.py', 'value + ', 'value * 2.0 + ', 'False True False'),
    ('search/_arithmetic.py', '0.6931471805599453', '0.6931471805599454', 'False False True'),
    ('rng/_splitmix.py', '0xC4CEB9FE1A85EC53', '0xC4CEB9FE1A85EC55', 'True True True'),
]


def test_code_is_named_by_the_loaded_source(folder):
    """A process that goes on with an older library keeps its code under the older name."""
    library = folder / 'fmcts'
    ignored = shutil.ignore_patterns('__pycache__')
    shutil.copytree(pathlib.Path(fmcts.__file__).parent, library, ignore=ignored)
    script = FROM_GAME + TINY + SEARCH
    changing = f"""
import fmcts._compiled.flat_playouts, fmcts._compiled.engine, pathlib
library = pathlib.Path({str(library)!r})
assert pathlib.Path(fmcts.__file__).parent == library
for source, old, new, _ in {SOURCES!r}:
    text = (library / source).read_text()
    (library / source).write_text(text.replace(old, new))
"""
    for source, old, _, _ in SOURCES:
        assert old in (library / source).read_text()
    assert in_a_process(folder, changing + script) == ['3', 'True', 'True', 'True']
    for source, old, new, _ in SOURCES:
        change(library / source, new, old)
    assert in_a_process(folder, script) == ['3', 'False', 'False', 'False']  # of that process
    for source, old, new, compiled in SOURCES:
        change(library / source, old, new)
        found = in_a_process(folder, script)
        assert found == ['3', *compiled.split()]  # by its source, and rightly
        change(library / source, new, old)


def test_source_changed_before_compilation_gets_its_own_name(folder):
    """An entry point may be put together long before it is compiled, or not be compiled at all."""
    interrupted = (
        FROM_GAME
        + """
import game
from fmcts._numba.cache.jit import jit
from fmcts._numba.register import register
from fmcts.notices import listening
register(menu)
def stop(notice):
    if 'Heap' in notice:
        raise KeyboardInterrupt
def count(left):
    return menu(Position(left, 0))
try:
    with listening(stop):
        jit(count, 'moves of Heap')(21)
except KeyboardInterrupt:
    game.MOST = 2
else:
    raise AssertionError
"""
    )
    assert in_a_process(folder, interrupted + TINY) == ['2', 'True']
    assert in_a_process(folder) == ['3', 'True']


def test_source_changed_during_compilation_is_not_cached(folder):
    meanwhile = (
        FROM_GAME
        + """
import game
from fmcts._numba.cache.jit import jit
from fmcts._numba.register import register
from fmcts.notices import listening
register(menu)
def change(notice):
    if 'moves of Heap' in notice:
        game.MOST = 2
def count(left):
    return menu(Position(left, 0))
with listening(change):
    jit(count, 'moves of Heap')(21)
"""
    )
    in_a_process(folder, meanwhile)
    assert in_a_process(folder) == ['3', 'True']


def test_an_unnameable_value_is_reported_once(folder):
    change(folder / 'game.py', 'MOST = 3', 'class Three(int):\n    pass\n\nMOST = Three(3)')
    told = ' '.join(in_a_process(folder, FROM_GAME + SAY_ALL))
    assert told.count(': MOST of menu is a value of Three') == 1
    assert 'compiling moves of Heap: a few seconds, in every process' in told
    assert not (folder / 'cache').exists()


def test_an_untrusted_folder_is_not_used_and_reported_once(filled):
    (filled / 'cache').chmod(0o777)
    told = ' '.join(in_a_process(filled, FROM_GAME + SAY_ALL))
    assert told.startswith('3 True')  # the code that lies there is not believed
    assert told.count(f'machine code is not cached in {filled / "cache"}: ') == 1
    (filled / 'cache').chmod(0o700)
    assert in_a_process(filled) == ['3', 'False']


def test_the_cache_folder_is_private_to_the_user(folder):
    old = os.umask(0)  # as open as can be
    try:
        in_a_process(folder, fresh=True, FMCTS_CACHE_DIR=str(folder / 'some' / 'cache'))
    finally:
        os.umask(old)
    files = [*(folder / 'some' / 'cache').iterdir()]
    assert files
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    for made in (folder / 'some', folder / 'some' / 'cache'):
        assert made.stat().st_mode & 0o777 == 0o700


def test_a_file_copied_to_another_name_is_ignored(filled):
    """As when files are copied by hand: each holds the name that it was written under."""
    cache = filled / 'cache'
    before = {file.name for file in cache.iterdir()}
    change(filled / 'game.py', 'MOST = 3', 'MOST = 2')
    assert in_a_process(filled) == ['2', 'True']
    for name, other in zip(
        sorted(before), sorted({file.name for file in cache.iterdir()} - before), strict=False
    ):
        (cache / name).replace(cache / other)
    assert in_a_process(filled) == ['2', 'True']
