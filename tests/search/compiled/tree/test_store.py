"""Trees as numbers: packed to the same bytes everywhere, and nothing damaged is let in."""

import contextlib
import os
import pickle
import struct
import subprocess
import sys
import zlib
from array import array
from pickle import UnpicklingError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fmcts import Search, SplitMix, analyse, reroot
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.search.compiled.tree import arena, store
from fmcts.search.compiled.tree.store import FIRST, Store, copy_subtree

RNG = SplitMix.from_seed(8)


def found(iterations=300, state=tictactoe.start, **options):
    return analyse(state, RNG, Search(iterations, **options), engine='compiled')[0]


def blocks(tree):
    """All numbers of a tree, as `layout` describes them, from nodes of another engine."""
    numbers = [1, 1, tree.visits, int(2 * tree.reward), 6, 0]
    queue = [(tree, 5)]
    while queue:
        node, link = queue.pop(0)
        if link != 5:
            numbers[link] = len(numbers)
        begin, total = len(numbers), len(node.moves)
        rows = [[-1] * total, [0] * total, [0] * total]
        for child in node.children:
            index = node.moves.index(child.move)
            over = {None: -3, 'X': -1, 'O': -2}
            winner = child.state.winner and child.state.winner.name
            rows[0][index], rows[1][index] = child.visits, int(2 * child.reward)
            rows[2][index] = over[winner] if not child.moves else 0
            if child.children:
                queue.append((child, begin + 2 + 2 * total + index))
        numbers += [total, len(node.children), *rows[0], *rows[1], *rows[2], *[None] * total]
    return numbers


@pytest.mark.parametrize('move', [None, 4])
def test_a_copied_tree_lies_in_memory_by_levels(move):
    tree = found(expansion='random').tree
    other = analyse(tictactoe.start, RNG, Search(300, expansion='random'), engine='inplace')[0].tree
    tree, other = (tree, other) if move is None else (tree.child(move), other.child(move))
    out = array('i', [0] * tree.store.used)
    used, nodes, unvisited = copy_subtree(tree.store.cells, tree.block, out, False, 0)  # noqa: FBT003
    expected = blocks(other)
    assert (used, nodes, unvisited) == (len(expected), other.count(), False)
    pairs = zip(out[FIRST:used], expected[FIRST:], strict=True)
    assert all(number == known for number, known in pairs if known is not None)


@pytest.mark.parametrize('expansion', ['in-order', 'random', 'full'])
@pytest.mark.parametrize('in_order', [False, True])
@pytest.mark.parametrize('game', GAMES)
def test_it_is_copied_by_python_as_by_machine_code(game, expansion, in_order):
    tree = found(400, GAMES[game].start, expansion=expansion).tree
    for node in (tree, *tree.children):
        copies = []
        for copied in (copy_subtree, arena._copier()):
            out = np.zeros(tree.store.used, np.int32)
            facts = copied(tree.store.numbers, node.block, out, in_order, 0)
            copies.append((facts, out.tolist()))
        assert copies[0] == copies[1]


def test_what_lay_in_memory_before_is_not_packed():
    tree = found(expansion='random').tree
    dirty = array('i', tree.store.cells)
    block, changed = FIRST, 0
    while block < len(dirty):
        total = dirty[block]
        for index in range(total):
            if dirty[block + 2 + index] < 0:
                dirty[block + 2 + 3 * total + index] = changed = 12345
        block += 2 + 4 * total
    assert changed
    facts = tree.store.used, tree.store.nodes, tree.store.in_order, tree.store.unvisited
    assert Store(dirty, *facts).pack() == tree.store.pack()


def test_what_is_packed_is_little_endian(monkeypatch):
    packed = found().tree.store.pack()
    assert packed[:3] == (1, packed[1], found().nodes)
    raw = zlib.decompress(packed[-1])
    assert raw[:24] == struct.pack('<6i', 1, 1, 300, int(2 * found().tree.reward), 6, 0)
    assert len(raw) == 4 * packed[1]
    monkeypatch.setattr(store.sys, 'byteorder', 'little' if sys.byteorder == 'big' else 'big')
    foreign = found().tree.store.pack()  # as if numbers lay here the other way round
    assert array('i', zlib.decompress(foreign[-1])).tolist() == swapped(raw)
    assert Store.unpack(foreign).cells == array('i', raw)


def swapped(raw):
    numbers = array('i', raw)
    numbers.byteswap()
    return numbers.tolist()


PICKLES = """
import pickle, sys
from fmcts import Search, SplitMix, analyse, reroot
from fmcts.games import tictactoe
rng = SplitMix.from_seed(8)
analysis, _ = analyse(tictactoe.start, rng, Search(300, expansion='random'), engine='compiled')
sys.stdout.buffer.write(pickle.dumps((analysis, reroot(analysis, 4)), 4))
"""


def test_pickles_are_the_same_in_every_process():
    analysis = found(expansion='random')
    analysis.tree.children  # noqa: B018 - what was looked at does not show
    ours = pickle.dumps((analysis, reroot(analysis, 4)), 4)
    for seed in ('1', '2'):
        theirs = subprocess.run(
            [sys.executable, '-c', PICKLES],
            env={**os.environ, 'PYTHONHASHSEED': seed},
            capture_output=True,
            check=True,
        ).stdout
        assert theirs == ours


@pytest.mark.parametrize('game', GAMES)
def test_a_pickle_is_compact(game):
    """At most 16 bytes a node, so that 300,000 take less than 5 MB; as nodes they took 50 each."""
    analysis = found(20_000, GAMES[game].start)
    size = len(pickle.dumps(analysis))
    assert size < 16 * analysis.nodes
    small = reroot(analysis, analysis.tree.moves[-1])
    assert len(pickle.dumps(small)) < 16 * small.count() + 1000 < size


def test_another_version_is_refused():
    packed = found().tree.store.pack()
    with pytest.raises(UnpicklingError, match='pickled in version 2; this fmcts knows version 1'):
        Store.unpack((2, *packed[1:]))
    with pytest.raises(UnpicklingError, match="pickled in version 'x'; this"):
        Store.unpack(('x',))


def setting(place, value):
    def change(numbers):
        numbers[place] = value

    return change


# Of a tree of tic-tac-toe in order: 9 children of the root, each with a block for 8.
@pytest.mark.parametrize(
    ('change', 'why'),
    [
        (setting(0, 2), 'it has no root'),
        (setting(4, 7), 'it has no root'),
        (lambda numbers: numbers.__delitem__(slice(3, None)), 'it has no root'),
        (lambda numbers: numbers.pop(), 'there is no block at number'),
        (lambda numbers: numbers.append(1), 'there is no block at number'),
        (setting(6, 0), 'there is no block at number 6'),
        (setting(6, -9), 'there is no block at number 6'),
        (setting(6, 10**9), 'there is no block at number 6'),
        (setting(7, 8), 'the block at number 6 contradicts itself'),  # tried
        (setting(8, -2), 'the block at number 6 contradicts itself'),  # visits
        (setting(8, 301), 'the block at number 6 contradicts itself'),
        (setting(26, 6), 'the block at number 6 contradicts itself'),  # below: back to the root
        (setting(26, -4), 'the block at number 6 contradicts itself'),
        (setting(26, 45), 'its blocks are not linked as a tree'),
        (setting(26, 0), 'its blocks are not linked as a tree'),
        (setting(26, 10**9), 'its blocks are not linked as a tree'),
    ],
)
def test_damaged_numbers_are_refused(change, why):
    tree = found().tree
    version, _, nodes, *flags, _ = tree.store.pack()
    assert tree.store.cells[26] > 0
    numbers = array('i', tree.store.cells)
    change(numbers)
    with pytest.raises(UnpicklingError, match=f'the pickled tree is damaged: {why}'):
        Store.unpack((version, len(numbers), nodes, *flags, zlib.compress(numbers.tobytes())))


def test_damaged_facts_are_refused():
    tree = found().tree
    version, used, nodes, in_order, unvisited, numbers = tree.store.pack()
    for packed, why in (
        (
            (version, used + 1, nodes, in_order, unvisited, numbers),
            f'{used} numbers, not {used + 1}',
        ),
        ((version, used, nodes + 1, in_order, unvisited, numbers), f'has {nodes} nodes, not'),
        ((version, used, nodes, in_order, unvisited, numbers[:-9]), 'damaged: Error -5'),
        ((version, used, nodes, in_order, unvisited, None), 'damaged: a bytes-like object'),
    ):
        with pytest.raises(UnpicklingError, match=why):
            Store.unpack(packed)
    other_root = found(state=connect4.start).tree
    remake, (facts, _) = other_root.__reduce__()
    with pytest.raises(UnpicklingError, match='damaged: its root has other moves'):
        remake(facts, tree.store.pack())


@given(data=st.data())
def test_no_damage_to_the_bytes_gets_through(data):
    """Wherever a byte of the compressed numbers is changed, or they are cut short."""
    packed = version, used, nodes, *flags, numbers = found(60).tree.store.pack()
    place = data.draw(st.integers(0, len(numbers) - 1))
    cut = data.draw(st.booleans())
    flip = data.draw(st.integers(1, 255))
    damaged = (
        numbers[:place]
        if cut
        else bytes([*numbers[:place], numbers[place] ^ flip, *numbers[place + 1 :]])
    )
    with contextlib.suppress(UnpicklingError):
        again = Store.unpack((version, used, nodes, *flags, damaged))
        # A bit that says how it was compressed, and not what.
        assert again.cells == Store.unpack(packed).cells
