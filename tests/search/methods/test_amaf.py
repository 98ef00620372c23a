"""The methods with statistics of all moves as first against the papers' formulas, and tables."""

import math
import struct

import pytest
from attrs import frozen
from hypothesis import strategies as st

import naive
from fmcts import Player, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.game import key_of
from fmcts.games import tictactoe
from fmcts.search import _digest as digests
from fmcts.search._tree import walk
from fmcts.search.methods import AMAF
from transcription import ROOT_OF_2

RNG = SplitMix.from_seed(1)


def amaf(node, index, *, alpha=0.5, c=ROOT_OF_2):
    visits, reward = node.amaf[index]
    return alpha * (reward / visits) + (1.0 - alpha) * naive.ucb1(node, index, c=c)


test_amaf = naive.law(amaf)


@pytest.mark.parametrize('alpha', [-0.1, 1.1, math.nan, 'x'])
def test_alpha_must_be_from_0_to_1(alpha):
    with pytest.raises(ValueError, match='alpha must be a number from 0 to 1, not '):
        AMAF(alpha)


def rave(node, index, *, c=0.2, k=1000.0):
    visits = node.children[index].visits if index in node.children else 0
    return naive.mixed(node, index, c, math.sqrt(k / (3 * visits + k)) if visits or k else 0.0)


test_rave = naive.law(rave, k=st.just(0.0) | st.floats(1e-3, 1e4))


@pytest.mark.needs_numba
def test_lanes_past_the_last_move_change_nothing():
    """Of nine moves eight are updated at once, then one; in the other lanes key 0 would be read."""
    search = Search(300, selection='rave')
    one, two = (
        analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)[0].digest
        for engine in ('persistent', 'compiled')
    )
    assert one == two


def rave_silver(node, index, *, c=0.2, bias=0.02):
    n = node.children[index].visits if index in node.children else 0
    m, _ = node.amaf[index]
    return naive.mixed(node, index, c, m / (n + m + 4 * bias * bias * n * m) if m else 1.0)


test_rave_silver = naive.law(rave_silver)


@frozen
class Takes:
    """Players take one to three counters in turn: a key is played again and again."""

    counters: int
    player: Player = Player.X

    @property
    def moves(self):
        return tuple(range(1, min(3, self.counters) + 1))

    @property
    def over(self):
        return self.counters == 0

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, taken):
        return type(self)(self.counters - taken, self.player.other)


def grave(node, index, *, ref=50, b=1e-5, c=0.0):
    reference = node
    while reference and not reference.visits > ref:
        reference = reference.parent
    move = node.state.player, key_of(node.state, node.state.moves[index])
    m, reward = reference.table.get(move, (0.0, 0.0)) if reference else (0.0, 0.0)
    n = node.children[index].visits if index in node.children else 0
    if not n:
        return reward / m if m else math.inf
    beta = m / (n + m + b * n * m)
    return (1.0 - beta) * naive.ucb1(node, index, c=c) + beta * (reward / m if m else 0.0)


test_grave = naive.law(grave, ref=st.integers(0, 30) | st.floats(0, 30))


# ---- trees with tables ----


def test_the_digest_includes_the_tables():
    found, _ = analyse(tictactoe.start, RNG, Search(20, selection='grave'), engine='inplace')
    text = digests.serialise(found.tree)
    header = b'fmcts-tree-tables-1 0 0\namaf_visits\namaf_reward\n'
    assert text.startswith(header)
    numbers = sum(7 + 4 * len(node.columns.table.entries) for node in walk(found.tree))
    assert len(text) == len(header) + 8 * numbers
    begin = len(header) + 6 * 8
    (count,) = struct.unpack('<q', text[begin : begin + 8])
    rows = struct.unpack(f'<{4 * count}d', text[begin + 8 : begin + 8 + 32 * count])
    by_key = [rows[place : place + 4] for place in range(0, len(rows), 4)]
    assert by_key == sorted(found.tree.columns.table.rows)
    assert {row[2] for row in by_key} == {row[2] for row in found.tree.columns.table.rows}


def test_keys_other_than_integers_are_refused():
    class Named(Takes):
        """Its moves have keys that are words."""

        def key(self, move):
            return str(move)

    message = "the selection rule GRAVE needs keys that are integers of at most 53 bits, not '"
    with pytest.raises(MethodError, match=message):
        analyse(Named(7), RNG, Search(30, selection='grave'))
