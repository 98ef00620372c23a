"""Packed trees of other versions, and damaged ones: read, or refused by name."""

import contextlib
import sys
from pickle import UnpicklingError

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._linked.tree.store import pack, unpack
from fmcts.games import tictactoe


def found(iterations=300, state=tictactoe.start, **options):
    rng = SplitMix.from_seed(8)
    return analyse(state, rng, Search(iterations, **options), engine='compiled')[0]


def test_another_version_is_refused():
    packed = pack(found().tree.store)
    for version in (4, (4, sys.byteorder), (5, 'middle'), 'x'):
        with pytest.raises(UnpicklingError, match='pickled by another version of fmcts, or where'):
            unpack((version, *packed[1:]))


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
        changed = unpack((*facts, damaged))
        # A bit that says how it was compressed, and not what.
        assert changed.cells == unpack(packed).cells
