"""Files: a saved search is loaded and continued as if uninterrupted; invalid files are refused."""

import json
import struct
import tracemalloc
import zlib
from itertools import product

import pytest
from attrs import evolve, field, frozen
from hypothesis import given, strategies as st

from fmcts import STOP, FmctsWarning, Player, Search, SplitMix, StdGen, analyse, reroot
from fmcts.games import connect4, tictactoe
from fmcts.history import (
    FileError,
    _container as container,
    history,
    load,
    load_history,
    load_log,
    save,
)
from fmcts.search._tree import plant
from tiers import is_interpreted, usually

from .conftest import SEARCHES, STARTS, halved

RNG = SplitMix.from_seed(21)
START = STARTS['connect4']


@pytest.fixture
def file(tmp_path):
    return tmp_path / 'file'


@pytest.mark.parametrize('name', SEARCHES)
@pytest.mark.parametrize('game', usually(['tictactoe'], ['tictactoe', 'connect4']))
def test_saving_and_loading_does_not_change_a_continued_search(name, game, file):
    search, state = SEARCHES[name], STARTS[game]
    half, rest = search.iterations // 2, search.iterations - search.iterations // 2
    begun, rng = analyse(state, RNG, evolve(search, iterations=half))
    assert save(file, begun, rng) == file.stat().st_size
    tree, rng = load(file, state)
    assert tree == begun.tree
    whole = analyse(state, RNG, search)
    if begun.iterations == half:
        assert analyse(state, rng, evolve(search, iterations=rest), tree=tree) == whole


def test_positions_whose_repr_varies_are_recognised(file, monkeypatch):
    shown = {'X': "S(taken={'pear', 'apple'})", 'O': "S(taken={'apple', 'pear'})"}
    analysis, rng = analyse(START, RNG, Search(20))
    for length in (2_000, 10):  # as it is, and as a hash
        monkeypatch.setattr('fmcts.history._files.LONGEST', length)
        monkeypatch.setattr(type(START), '__repr__', lambda _: shown['X'])
        save(file, analysis, rng)
        monkeypatch.setattr(type(START), '__repr__', lambda _: shown['O'])
        assert load(file, START)[0] == analysis.tree
        monkeypatch.setattr(type(START), '__repr__', lambda _: "S(taken={'pears', 'apple'})")
        with pytest.raises(FileError, match='belongs to another position'):
            load(file, START)


@pytest.mark.parametrize(
    ('name', 'engine'),
    usually(
        lambda case: is_interpreted(case[1]) or case[0] == 'plain',
        product(['plain', 'solver', 'grave', 'mast'], ['persistent', 'compiled']),
    ),
)
def test_every_engine_saves_the_same_bytes(engine, name, file):
    analysis, rng = analyse(START, RNG, SEARCHES[name], engine=engine)
    save(file, analysis, rng)
    expected = file.with_name('expected')
    save(expected, *analyse(START, RNG, SEARCHES[name], engine='inplace'))
    assert file.read_bytes() == expected.read_bytes()


def test_trees_alone_with_root_moves_and_subtrees(file):
    save(file, plant(START))
    assert load(file, START) == (plant(START), None)
    some, rng = analyse(START, StdGen(1, 2), Search(50), root_moves=[1, 4])
    save(file, some, rng)
    assert load(file, START) == (some.tree, rng)
    below = reroot(analyse(START, RNG, Search(200))[0], 3)
    save(file, below)
    tree, _ = load(file, below.state)
    assert tree.children == below.children


@pytest.mark.parametrize('name', [name for name, it in SEARCHES.items() if name != 'rule'])
def test_a_history_is_saved_and_loaded(name, file):
    h = history(STARTS['tictactoe'], RNG, SEARCHES[name], 'persistent')
    save(file, h)
    assert load_log(file) == h.log
    plain = SEARCHES[name].evaluate is None
    again = load_history(file, h.root.state, None if plain else SEARCHES[name])
    assert (again.tree, again.after, again.root) == (h.tree, h.after, h.root)
    assert again.log == h.log


def test_a_fork_is_saved_with_its_root(file):
    h = history(START, RNG, Search(100), root_moves=[0, 3, 5])
    fork = h.fork(60, Search(50, c=0.3), StdGen(5, 6))
    save(file, fork)
    assert load_history(file, START) == fork
    log = load_log(file)
    assert (log, log.digest(70)) == (fork.log, fork.at(70).digest)


def test_schedules_and_early_ends(file):
    for search in (Search(90, schedule='halving'), Search(90, schedule='shot')):
        h = history(START, RNG, search)
        save(file, h)
        assert load_history(file, START) == h
    h = history(START, RNG, Search(10**6), watch=lambda done: STOP if done else None)
    save(file, h)
    assert load_history(file, START).tree == h.tree
    solved = history(START, RNG, Search(200, stop=lambda stats: stats[0].visits > 1))
    assert solved.last == 100
    save(file, solved)
    with pytest.raises(FileError, match='its search has functions'):
        load_history(file, START)
    assert load_history(file, START, solved.search) == solved


@given(st.data())
def test_any_changed_byte_is_refused_in_one_line(data):
    for kind, whole in WHOLE.items():
        place = data.draw(st.integers(0, len(whole) - 1))
        other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))  # noqa: B023
        FILE.write_bytes(bytes([*whole[:place], other, *whole[place + 1 :]]))
        refused(kind)
        FILE.write_bytes(whole[:place])
        refused(kind)


def refused(kind, match=None):
    readers = {'tree': [lambda: load(FILE, START)]}
    for read in readers.get(kind, [lambda: load_log(FILE), lambda: load_history(FILE, START)]):
        with pytest.raises(FileError, match=match) as raised:
            read()
        assert '\n' not in str(raised.value)
        assert str(raised.value).startswith(f'{FILE}: ')


@pytest.fixture(autouse=True, scope='module')
def _files(tmp_path_factory):
    global FILE  # noqa: PLW0603 - Hypothesis and fixtures of functions do not mix
    FILE = tmp_path_factory.mktemp('files') / 'file'
    analysis, rng = analyse(START, RNG, Search(40))
    save(FILE, analysis, rng)
    WHOLE['tree'] = FILE.read_bytes()
    save(FILE, history(START, RNG, Search(40)))
    WHOLE['history'] = FILE.read_bytes()


WHOLE = {}
ROW = struct.Struct('<IBIIQd')


def hostile(of, numbers=None, **changes):
    """A file of that kind with other numbers and facts, and a checksum that is right."""
    whole = container._contents(WHOLE[of], of)
    numbers = whole.numbers if numbers is None else numbers
    head = {**whole.head, 'bytes': len(numbers), **changes}
    body = container.MAGIC + json.dumps(head).encode() + b'\n' + zlib.compress(numbers)
    FILE.write_bytes(body + container._checksum(body))


def nodes(*rows):
    return b'fmcts-tree-1' + b''.join(ROW.pack(*row) for row in rows)


ROOT = (0, 1, 7, 1, 2, 1.0)


@pytest.mark.parametrize(
    ('numbers', 'complaint'),
    [
        (b'', 'other names|not serialised as'),
        (b'fmcts-tree-2' + bytes(29), 'other names|not serialised as'),
        (b'fmcts-tree-1', 'its tree ends too early'),
        (nodes((0, 1, 7, 1, 2, 1.0)), 'its tree ends too early'),
        (nodes((0, 1, 7, 8, 2, 1.0)), 'it belongs to another one'),
        (nodes((0, 0, 7, 0, 2, 1.0)), 'its tree does not have the digest that it records'),
        (nodes((0, 7, 7, 0, 2, 1.0)), 'it belongs to another one'),
        (nodes((0, 1, 6, 0, 2, 1.0)), 'it belongs to another one'),
        (nodes((0, 1, 7, 0, 2, 3.0)), 'it belongs to another one'),
        (nodes((0, 1, 7, 0, 2, float('nan'))), 'it belongs to another one'),
        (nodes((0, 1, 7, 0, 2**63, 3.0)), 'it belongs to another one'),
        (nodes(ROOT, (7, 0, 7, 0, 1, 0.0)), 'move number 7'),
        (nodes(ROOT, (2**32 - 1, 0, 7, 0, 1, 0.0)), 'move number 4294967295'),
        (nodes((0, 1, 7, 2, 2, 1.0), (3, 0, 7, 0, 1, 0.0), (3, 0, 7, 0, 1, 0.0)), 'move number 3'),
        (nodes(ROOT, (0, 0, 7, 2**32 - 1, 1, 0.0)), 'it belongs to another one'),
        (nodes((0, 1, 7, 0, 2, 1.0)) + b'x', 'something follows its tree'),
        (nodes(ROOT, (0, 0, 7, 0, 3, 1.0)), 'has fewer visits or less reward than its moves'),
        (nodes((0, 1, 7, 1, 2, 2.0), (0, 0, 7, 0, 1, 0.5)), 'fewer visits or less reward'),
        (nodes((0, 1, 7, 1, 2, 0.0), (0, 0, 7, 0, 1, 0.5)), 'fewer visits or less reward'),
        (nodes((0, 1, 7, 0, 2, 1.0)), 'its tree does not have the digest that it records'),
        (b'fmcts-tree-columns-1 999\n', 'its tree have other names'),
        (b'fmcts-tree-columns-1 -1\n', 'its tree have other names'),
        (b'fmcts-tree-columns-1 1\nproof\n' + bytes(48), 'it belongs to another one'),
        (
            b'fmcts-tree-columns-1 1\nproof\n' + struct.pack('<5qd', 0, 1, 7, 0, 2, 1.0),
            'its tree ends too early',
        ),
    ],
)
def test_invalid_trees_are_refused(numbers, complaint):
    hostile('tree', numbers)
    refused('tree', complaint)


@pytest.mark.parametrize(
    ('changes', 'complaint'),
    [
        ({'bytes': 10**12}, r'it claims 1000000000000 bytes of numbers in \d+ bytes'),
        ({'bytes': -1}, 'it claims -1 bytes'),
        ({'bytes': 100}, 'its numbers are not the 100 bytes that it claims'),
        ({'bytes': 5000}, 'its numbers are not the 5000 bytes that it claims'),
        ({'bytes': '5'}, 'its second line is not what fmcts writes there'),
        ({'kind': 'trees'}, "it holds a 'trees', expected a 'tree'"),
        ({'state': repr(connect4.start)}, 'it belongs to another position'),
        ({'rng': 5}, 'its generator must be a text, not 5'),
        ({'rng': 'splitmix:x'}, 'its generator: '),
        ({'moves': ['x']}, 'its tree have other names|its tree ends too early'),
        ({'moves': 5}, 'its moves must be a list of names'),
        ({'memories': [['mast', 1, 2]]}, 'its tree does not remember mast|other names'),
        ({'memories': [['mast', 1, 10**9]]}, 'its memories must be names'),
        ({'memories': [['mast', 3, 2]]}, 'its memories must be names'),
        ({'memories': 'mast'}, 'its memories must be a list'),
        ({'root_moves': [9]}, 'its root has other moves'),
        ({'root_moves': [1, 0]}, 'its root has other moves'),
        ({'root_moves': ['a']}, 'its root_moves must be null or indices of moves'),
        ({'digest': 'f' * 64}, 'its tree does not have the digest that it records'),
    ],
)
def test_invalid_headers_are_refused(changes, complaint):
    hostile('tree', **changes)
    refused('tree', complaint)


@pytest.mark.parametrize(
    'layout',
    [5, [], [['visits'], 'triples', ['0.0']], [['visits'], 'moves', ['x']], [[1], 'moves', [0]]],
)
def test_invalid_layouts_are_refused(layout, file, monkeypatch):
    analysis, _ = analyse(START, RNG, Search(9, playout='mast'), engine='inplace')
    save(file, analysis)
    monkeypatch.setitem(WHOLE, 'tree', file.read_bytes())
    hostile('tree', layouts={'mast': layout})
    refused('tree', 'the layout of mast must be its columns, its index and absent numbers')
    hostile('tree', layouts=['mast'])
    refused('tree', 'its layouts must be an object with an item for each table')


@pytest.mark.parametrize(
    ('changes', 'complaint'),
    [
        ({'iterations': 10**15}, 'its log has .* bytes, not|another tree'),
        ({'nodes': -1}, 'its nodes must be a whole number of at least 0, not -1'),
        ({'before': 0}, 'its log has .* bytes, not'),
        ({'halves': False}, 'its log has .* bytes, not'),
        ({'root': 2**40}, 'its log has .* bytes, not'),
    ],
)
def test_invalid_histories_are_refused(changes, complaint):
    hostile('history', **changes)
    with pytest.raises(FileError, match=complaint):
        load_log(FILE)


@pytest.mark.parametrize(
    ('search', 'complaint'),
    [
        ({'iterations': 39}, 'its search, repeated, gives another tree'),
        ({'iterations': 0}, 'its search: iterations must be a whole number of at least 1'),
        ({'colour': 'blue'}, 'its search has options unknown to this version'),
        ([], 'its search has options unknown to this version'),
        (None, 'its search has functions'),
    ],
)
def test_invalid_searches_are_refused(search, complaint):
    hostile('history', search=search)
    with pytest.raises(FileError, match=complaint):
        load_history(FILE, START)


def test_contradictory_log_columns_are_refused():
    whole = container._contents(WHOLE['history'], 'history')
    for place in range(whole.head['root'], len(whole.numbers)):
        numbers = bytearray(whole.numbers)
        numbers[place] ^= 0xFF
        hostile('history', bytes(numbers))
        with pytest.raises(FileError, match=r'its log|another digest'):
            load_log(FILE)


def test_decompression_bombs_use_little_memory():
    """A million nodes below each other, in a file of some kilobytes."""
    row = ROW.pack(0, 0, 7, 1, 1, 0.0)
    for numbers in (nodes(ROOT) + row * 10**6, bytes(10**8)):
        hostile('tree', numbers)
        tracemalloc.start()
        refused('tree', 'it claims')
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 4 * FILE.stat().st_size + 10**6


def test_a_small_file_has_a_small_tree(file):
    """Positions are made by the rules: a few bytes could name thousands of them."""

    def below(mover, depth):
        """The nodes below one that was never visited: six moves of seven, and theirs."""
        rows = below(1 - mover, depth - 1) if depth else b''
        width = 6 if depth else 0
        return b''.join(
            ROW.pack(index, mover, 7, width, 0, 0.0) + rows for index in (0, 1, 2, 4, 5, 6)
        )

    hostile('tree', nodes((0, 1, 7, 6, 0, 0.0)) + below(0, 3))
    assert FILE.stat().st_size < 1250 < 6**4
    refused('tree', r'its tree has more nodes than the \d+ bytes of its numbers')
    plain = analyse(Single(), RNG, Search(1, rollout_expand=True), engine='inplace')[0].tree
    assert plain.count() > 2000
    save(file, plain)
    assert load(file, Single())[0] == plain


@frozen
class Single:
    """A long game with one move, whose tree is as regular as can be."""

    left: int = 2500
    player: Player = Player.X
    winner: Player | None = None

    over = property(lambda self: not self.left)
    moves = property(lambda self: () if self.over else (0,))

    def play(self, _move):
        return Single(self.left - 1, self.player.other)


def test_tables_of_another_width_are_refused(file, monkeypatch):
    analysis, _ = analyse(START, RNG, Search(9, playout='mast'), engine='inplace')
    save(file, analysis)
    monkeypatch.setitem(WHOLE, 'tree', file.read_bytes())
    before = container._contents(file.read_bytes(), 'tree').numbers.partition(b'mast\n')[0]
    for keys, row in ((1, (0, 3, 1.0)), (2, (0, 3, 4, 1.0, 1.0)), (1, (0, 3, 1.0, 1.0, 1.0))):
        numbers = before + b'mast\n' + struct.pack(f'<q{len(row)}d', 1, *row)
        hostile('tree', numbers, memories=[['mast', keys, len(row) - 1 - keys]])
        refused('tree', 'the table mast of its tree has other columns or keys')
    hostile('tree', before + b'mast\n' + struct.pack('<q4d', 1, 0, 2.0**60, 1.0, 1.0))
    refused('tree', 'a table of its tree has an impossible key')


def test_deeply_nested_json_and_foreign_files_are_refused(file):
    for content, complaint in (
        (b'', 'not a file of fmcts'),
        (b'PK\x03\x04', 'not a file of fmcts'),
        (b'fmcts-file-2\n', 'a file of a later version of fmcts'),
        (container.MAGIC, 'its checksum does not match'),
    ):
        file.write_bytes(content)
        with pytest.raises(FileError, match=complaint):
            load(file, START)
    for line in (b'[' * 10**5, b'{}', b'[]', b'x' * 10**5 + b'\n', b'{"kind": 1}\n'):
        body = container.MAGIC + line
        file.write_bytes(body + container._checksum(body))
        with pytest.raises(FileError, match='its second line is not what fmcts writes there'):
            load(file, START)
    with pytest.raises(FileNotFoundError):
        load(file.with_name('nothing'), START)


def test_another_position_of_the_same_shape_is_detected(file):
    """Connect Four after 2 and after 4 are mirror images."""
    save(file, analyse(connect4.start.play(2), RNG, Search(30))[0])
    with pytest.raises(FileError, match='it belongs to another position'):
        load(file, connect4.start.play(4))


def test_unsupported_values_cannot_be_saved(file):
    graph, _ = analyse(START, RNG, Search(30, transpositions='sound'))
    with pytest.raises(ValueError, match='makes a graph'):
        save(file, graph)
    with pytest.raises(TypeError, match='tree must be a Node or an Analysis'):
        save(file, 'tree')
    with pytest.raises(TypeError, match='rng must be a SplitMix or a StdGen'):
        save(file, analyse(START, RNG, Search(3))[0], 'rng')


def test_a_search_with_functions_must_be_given_to_load(file):
    h = history(tictactoe.start, RNG, Search(30, evaluate=halved))
    save(file, h)
    with pytest.raises(FileError, match='pass the search to load_history'):
        load_history(file, tictactoe.start)
    assert load_history(file, tictactoe.start, h.search) == h


# ---- games that are not the one of the file ----


@frozen
class Heap:
    """Whoever takes the last one wins, or loses; how is not printed."""

    left: int = 8
    misere: bool = field(default=False, repr=False)
    player: Player = Player.X

    over = property(lambda self: not self.left)
    moves = property(lambda self: tuple(range(1, min(3, self.left) + 1)))

    @property
    def winner(self):
        if self.left:
            return None
        return self.player if self.misere else self.player.other

    def play(self, move):
        return evolve(self, left=self.left - move, player=self.player.other)


@pytest.fixture
def of_a_heap(tmp_path):
    analysis, rng = analyse(Heap(), SplitMix.from_seed(1), Search(100))
    save(tmp_path / 'tree', analysis, rng)
    return tmp_path / 'tree'


def test_positions_with_equal_text_are_distinguished(of_a_heap):
    assert load(of_a_heap, Heap())[0].state == Heap()
    with pytest.raises(FileError, match='another position with the same text'):
        load(of_a_heap, Heap(misere=True))


def test_games_with_other_winners_are_distinguished(of_a_heap, monkeypatch):
    monkeypatch.setattr(Heap, 'winner', property(lambda self: None if self.left else self.player))
    with pytest.raises(FileError, match='another game: its games of Heap end differently'):
        load(of_a_heap, Heap())


def test_changed_code_of_the_same_game_is_a_warning(of_a_heap, monkeypatch):
    monkeypatch.setattr(Heap, '__str__', lambda self: f'{self.left} left')
    with pytest.warns(FmctsWarning, match='the code of Heap has changed since'):
        tree, rng = load(of_a_heap, Heap())
    assert analyse(Heap(), rng, Search(10), tree=tree)[0].iterations == 110
