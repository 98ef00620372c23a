"""Packed trees of other versions, and damaged ones: read, or refused by name."""

import contextlib
import struct
import zlib
from array import array
from pickle import UnpicklingError

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._linked.tree.packing import pack, unpack
from fmcts._linked.tree.places import column, first
from fmcts.games import connect4, tictactoe
from fmcts.search.methods import UCB1Tuned


def found(iterations=300, state=tictactoe.start, **options):
    rng = SplitMix.from_seed(8)
    return analyse(state, rng, Search(iterations, **options), engine='compiled')[0]


def test_an_unknown_version_is_refused():
    packed = pack(found().tree.store)
    with pytest.raises(UnpicklingError, match='pickled in version 4; this fmcts reads 1 to 3'):
        unpack((4, *packed[1:]), 9)
    with pytest.raises(UnpicklingError, match="pickled in version 'x'; this"):
        unpack(('x',), 9)


def test_version_1_is_read():
    """Of trees without columns: it had no word of them."""
    tree = found().tree
    packed = _, used, nodes, in_order, unvisited, _, _, _, numbers = pack(tree.store)
    old = unpack((1, used, nodes, in_order, unvisited, numbers), 9)
    assert old.cells == unpack(packed, 9).cells
    assert (old.nodes, old.structure.schema.rows) == (tree.store.nodes, 0)


def test_version_2_is_read_except_tables():
    """They were of doubles."""
    for selection in ('ucb1', 'amaf'):
        packed = pack(found(selection=selection).tree.store)
        assert unpack((2, *packed[1:]), 9).cells == unpack(packed, 9).cells
    packed = pack(found(selection='grave').tree.store)
    with pytest.raises(UnpicklingError, match='in version 2, which stored the tables of GRAVE'):
        unpack((2, *packed[1:]), 9)


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
    version, _, nodes, *flags, _ = pack(tree.store)
    assert tree.store.cells[26] > 0
    numbers = array('i', tree.store.cells)
    change(numbers)
    with pytest.raises(UnpicklingError, match=f'the pickled tree is damaged: {why}'):
        unpack((version, len(numbers), nodes, *flags, zlib.compress(numbers.tobytes())), 9)


@pytest.mark.parametrize(
    ('changed', 'why'),
    [
        ({1: 7}, r'it has \d+ numbers, not 7'),
        ({2: 7}, r'it has \d+ nodes, not 7'),
        ({5: 'puct'}, "its method is 'puct'"),
        ({5: UCB1Tuned()}, 'it has no root'),
        ({6: True}, 'it has no root'),
        ({7: 'solved'}, "its column of resolved nodes is 'solved'"),
        ({8: b'x'}, 'Error -'),
        ({8: None}, 'a bytes-like object'),
    ],
)
def test_damaged_headers_are_refused(changed, why):
    packed = [*pack(found().tree.store)]
    for place, value in changed.items():
        packed[place] = value
    with pytest.raises(UnpicklingError, match=f'the pickled tree is damaged: {why}'):
        unpack(packed, 9)
    with pytest.raises(UnpicklingError, match='damaged: it has 7 items before its numbers, not 8'):
        unpack(packed[:-1], 9)


def test_numbers_of_another_root_are_refused():
    for selection in ('ucb1', 'puct'):
        packed = pack(found(selection=selection).tree.store)
        remake, (facts, _) = found(state=connect4.start).tree.__reduce__()
        with pytest.raises(UnpicklingError, match='damaged: its root has other moves'):
            remake(facts, packed)


@pytest.mark.parametrize('key', [-1.0, 9.0, 64.0, 1e300, float('nan'), float('inf')])
def test_keys_out_of_range_are_refused(key):
    """Of nine, as its rules say; compiled code looks up by them without looking."""
    tree = found(selection='amaf').tree
    remake, (facts, packed) = tree.__reduce__()
    numbers = array('i', zlib.decompress(packed[-1]))
    last = column(first(3), 9, 2, 8)
    assert numbers[last : last + 2].tobytes() == struct.pack('=d', 8.0)
    numbers[last : last + 2] = array('i', struct.pack('=d', key))
    block = first(3)
    with pytest.raises(UnpicklingError, match=f'the block at number {block} has keys that are not'):
        remake(facts, (*packed[:-1], zlib.compress(numbers.tobytes())))


@pytest.mark.parametrize('selection', ['ucb1', 'amaf'])
@given(data=st.data())
def test_any_damaged_byte_is_refused(selection, data):
    """Wherever a byte of the compressed numbers is changed, or they are cut short."""
    packed = *facts, numbers = pack(found(60, selection=selection).tree.store)
    place = data.draw(st.integers(0, len(numbers) - 1))
    cut = data.draw(st.booleans())
    flip = data.draw(st.integers(1, 255))
    damaged = (
        numbers[:place]
        if cut
        else bytes([*numbers[:place], numbers[place] ^ flip, *numbers[place + 1 :]])
    )
    with contextlib.suppress(UnpicklingError):
        changed = unpack((*facts, damaged), 9)
        # A bit that says how it was compressed, and not what.
        assert changed.cells == unpack(packed, 9).cells
