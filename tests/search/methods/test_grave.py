"""GRAVE: its formula, what it is at the ends of `ref`, and what others got wrong in it."""

import math
import pickle
import struct
import sys
from itertools import chain
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import Player, Search, SplitMix, analyse, reroot
from fmcts.formulas import where
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.search import digest as digests
from fmcts.search import outcomes, plan, updates
from fmcts.search.columns import ColumnNames
from fmcts.search.errors import MethodError
from fmcts.search.methods import GRAVE, METHODS, RaveSilver
from fmcts.search.methods.method import Parent, edge_type, row_of
from fmcts.search.tree import walk
from fmcts.testing import generators, positions

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
import naive

sys.path.pop(0)

EDGE, ROW = edge_type(GRAVE().names), row_of(GRAVE().names)
RNG = SplitMix.from_seed(1)
PYTHON = ['persistent', 'monadic', 'inplace']
running = st.one_of(*(positions(game.start, running=True) for game in GAMES.values()))


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


def holds(method, state, seed=1, iterations=150, **numbers):
    """Whether a search is the transcription's."""
    rng = SplitMix.from_seed(seed)
    expected, rng_after = naive.search(
        state,
        rng,
        iterations,
        lambda node, index: naive.grave(node, index, **numbers),
        selected=True,
    )
    search = Search(iterations, selection=method)
    found, after = analyse(state, rng, search, engine='inplace')
    return after == rng_after and naive.agree(found, expected)


@pytest.mark.parametrize(
    ('method', 'edge', 'score'),
    [
        # AMAF 6/8, mean 1/2; beta 8/12
        (GRAVE(b=0), EDGE(4.0, 2.0, 0.5, 8.0, 6.0), (1 - 8 / 12) * 0.5 + 8 / 12 * 0.75),
        # beta 8/(12 + 32/8)
        (GRAVE(b=0.125), EDGE(4.0, 2.0, 0.5, 8.0, 6.0), 0.5 * 0.5 + 0.5 * 0.75),
        # with a bonus, c * sqrt(9/4)
        (GRAVE(b=0.125, c=2.0), EDGE(4.0, 2.0, 0.5, 8.0, 6.0), 0.5 * 3.5 + 0.5 * 0.75),
        # no AMAF: the mean; no visits: AMAF; neither: it comes first
        (GRAVE(), EDGE(4.0, 1.0, 0.25, 0.0, 0.0), 0.25),
        (GRAVE(), EDGE(0.0, 0.0, 0.0, 8.0, 2.0), 0.25),
        (GRAVE(), EDGE(0.0, 0.0, 0.0, 0.0, 0.0), math.inf),
    ],
)
def test_numbers_that_are_exact(method, edge, score):
    assert method.score(edge, Parent(20.0, 9.0, 0.5)) == score


def test_what_it_declares():
    assert METHODS['grave'] is GRAVE
    assert GRAVE().names == ColumnNames((), (), ('amaf_visits', 'amaf_reward'))
    assert GRAVE().parameters == {'ref': 50.0, 'b': 1e-5, 'c': 0.0}
    assert GRAVE().update_move(ROW(3.0, 1.5), 1.0) == (4.0, 2.5)
    assert [GRAVE().refers(visits) for visits in (49.0, 50.0, 51.0)] == [False, False, True]


@given(running, generators(), st.integers(1, 120), st.floats(0, 3))
@settings(max_examples=15)
def test_with_an_infinite_reference_it_is_ucb1(state, rng, iterations, c):
    infinite = Search(iterations, selection=GRAVE(ref=1e300, c=c))
    found, after = analyse(state, rng, infinite, engine='inplace')
    plain, plain_after = analyse(state, rng, Search(iterations, c=c), engine='inplace')
    assert after == plain_after
    kept = [(node.move, node.visits, node.reward) for node in walk(found.tree)]
    assert kept == [(node.move, node.visits, node.reward) for node in walk(plain.tree)]


@given(running, generators(), st.integers(1, 120), st.floats(0, 1), st.floats(0, 3))
@settings(max_examples=15)
def test_where_every_node_is_its_own_reference_it_is_rave(state, rng, iterations, bias, c):
    """By the schedule of Gelly and Silver: the same tree, and the AMAF of each node's own moves."""
    own = GRAVE(ref=0, b=4.0 * bias * bias, c=c)
    found, after = analyse(state, rng, Search(iterations, selection=own), engine='inplace')
    rave = Search(iterations, selection=RaveSilver(c=c, bias=bias))
    expected, expected_after = analyse(state, rng, rave, engine='inplace')
    assert after == expected_after
    for node, plain in zip(walk(found.tree), walk(expected.tree), strict=True):
        assert (node.move, node.visits, node.reward) == (plain.move, plain.visits, plain.reward)
        known, player = node.columns.table.entries, node.state.player
        mine = [known.get((player, key(node.state, move)), (0.0, 0.0)) for move in node.moves]
        assert list(zip(*mine, strict=True)) == [*plain.columns.moves] or not node.moves


def key(state, move):
    return outcomes.key_of(state, move)


@pytest.mark.parametrize('engine', PYTHON)
@pytest.mark.parametrize('state', [Takes(9), tictactoe.start], ids=['takes', 'tictactoe'])
def test_games_of_every_kind(state, engine):
    """Also where a key is played several times in one game; and going on."""
    search = Search(60, selection=GRAVE(ref=5))
    first, rng = analyse(state, RNG, search, engine=engine)
    then = analyse(state, rng, search, engine=engine, tree=first)
    whole = analyse(state, RNG, Search(120, selection=GRAVE(ref=5)), engine='inplace')
    assert (then[0].digest, then[1]) == (whole[0].digest, whole[1])
    assert holds(GRAVE(ref=5), state, ref=5)


# ---- what others got wrong ----


class AtLeast(GRAVE):
    """As many visits as `ref`, and not more."""

    def refers(self, visits):
        return visits >= self.ref


class OtherSide(GRAVE):
    """AMAF for the other side."""

    def update_move(self, row, reward):
        return row.amaf_visits + 1.0, row.amaf_reward + (1.0 - reward)


class Untried(GRAVE):
    """A move without visits comes first, though the weight of AMAF is 1 there."""

    def score(self, edge, parent):
        return where(edge.visits > 0.0, GRAVE.score(self, edge, parent), math.inf)


class Lost(GRAVE):
    """A move without visits as a lost one."""

    def score(self, edge, parent):
        return where(edge.visits > 0.0, GRAVE.score(self, edge, parent), 0.0)


class TenTimes(GRAVE):
    """The constant of another program, which differs by a factor of ten."""

    def score(self, edge, parent):
        other = GRAVE(ref=self.ref, b=10.0 * self.b, c=self.c)
        return other.score(edge, parent)


@pytest.mark.parametrize('state', [tictactoe.start, connect4.start], ids=['tictactoe', 'connect4'])
@pytest.mark.parametrize('mutant', [AtLeast, OtherSide, Untried, Lost, TenTimes])
def test_the_law_catches_it(mutant, state):
    numbers = {'ref': 9, 'b': 0.01}
    assert all(holds(GRAVE(**numbers), state, seed, **numbers) for seed in range(3))
    assert not any(holds(mutant(**numbers), state, seed, **numbers) for seed in range(3))


def the_furthest(plan, choose, above):
    """The reference is the furthest node above, which is the root."""

    def told(node, children, log_visits):
        line = [each for each in chain((node,), above()) if plan.refers(each.visits)]
        return choose(node, children, log_visits, line[-1] if line else None)

    return told


def the_child(plan, choose, above):
    """The reference is looked for from the child on."""

    def told(node, children, log_visits):
        line = chain(children[:1], (node,), above())
        reference = next((each for each in line if plan.refers(each.visits)), None)
        return choose(node, children, log_visits, reference)

    return told


@pytest.mark.parametrize('wrong', [the_furthest, the_child], ids=lambda wrong: wrong.__name__)
def test_another_reference_is_caught(wrong, monkeypatch):
    assert holds(GRAVE(ref=9), connect4.start, ref=9)
    for engine in ('inplace', 'paths'):
        monkeypatch.setattr(f'fmcts.search.{engine}.along', wrong)
    assert plan.along is not wrong
    assert not holds(GRAVE(ref=9), connect4.start, ref=9)


def test_counting_every_occurrence_is_caught(monkeypatch):
    """A player takes one counter several times in a game: only the first time counts."""

    class Every(list):
        """The moves of a playout, each as often as it was played."""

        add = list.append

    assert all(holds(GRAVE(ref=5), Takes(9), seed, ref=5) for seed in range(3))
    for module in (outcomes, plan):
        monkeypatch.setattr(module, 'set', Every, raising=False)
    assert not any(holds(GRAVE(ref=5), Takes(9), seed, ref=5) for seed in range(3))


def test_moves_of_either_side_are_told_apart(monkeypatch):
    """The side is part of the code: a cell is another move for the opponent."""
    assert holds(GRAVE(ref=5), tictactoe.start, ref=5)

    def wrong(method):
        update = table_update(method)

        def either(node, for_x, played):
            both = played | {(player.other, key) for player, key in played}
            return update(node, for_x, both)

        return either

    table_update = updates._table_update
    monkeypatch.setattr(updates, '_table_update', wrong)
    assert not holds(GRAVE(ref=5), tictactoe.start, ref=5)


# ---- trees with tables ----


def test_the_digest_of_a_tree_with_tables():
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


def test_the_compiled_engine_has_the_same_tables():
    search = Search(400, selection=GRAVE(ref=20))
    one, rng = analyse(tictactoe.start, RNG, search, engine='compiled')
    two, other = analyse(tictactoe.start, RNG, search, engine='inplace')
    assert (one.digest, one.tree, rng) == (two.digest, two.tree, other)
    assert pickle.loads(pickle.dumps(one.tree)) == two.tree  # noqa: S301 - our own bytes
    move = one.move
    for below, after in ((reroot(one, move), rng), (reroot(two, move), other)):
        assert below.columns.table.entries
        packed = pickle.loads(pickle.dumps(below))  # noqa: S301 - our own bytes
        then, _ = analyse(below.state, after, search, engine='compiled', tree=packed)
        plain, _ = analyse(below.state, after, search, engine='inplace', tree=below)
        assert then.digest == plain.digest


def test_keys_that_cannot_be_kept_are_refused():
    class Named(Takes):
        """Its moves have keys that are words."""

        def key(self, move):
            return str(move)

    message = "the selection rule GRAVE needs keys that are integers of at most 53 bits, not '"
    with pytest.raises(MethodError, match=message):
        analyse(Named(7), RNG, Search(30, selection='grave'))


def test_a_tree_of_another_method_is_not_gone_on_from():
    rave, rng = analyse(tictactoe.start, RNG, Search(30, selection='rave'))
    message = (
        'the tree to go on from keeps the columns amaf_visits, amaf_reward, the search the columns '
        'amaf_visits, amaf_reward by keys'
    )
    with pytest.raises(ValueError, match=message):
        analyse(tictactoe.start, rng, Search(30, selection='grave'), tree=rave)
