"""MAST against a naive transcription, in every engine, and where it is uniform."""

import re

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings, strategies as st

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.game import key_of
from fmcts.games import tictactoe
from fmcts.search._tree import freeze_in_place, plant
from fmcts.search.policies import MAST, NST, HighestMean, Recalling, Uniform, epsilon
from fmcts.search.policies.means import Means
from fmcts.search.policies.mixture import SCALE
from fmcts.testing import generators
from toy_games import CLIMBING, Stairs, remembered_positions
from transcription import kept, remembering, rows, rows_of

RNG = SplitMix.from_seed(1)
PYTHON = ('persistent', 'monadic', 'inplace')


@frozen
class Watching(Recalling):
    """Remembers means, and draws as uniform playouts do."""

    memories = (Means(),)

    def chooser(self):
        return lambda _recalled, _state, moves, draw: moves[draw(len(moves))]


# ---- the transcription ----


class Naive:
    """The papers' MAST: a dictionary of means, read before each move with probability 1 - share."""

    def __init__(self, share):
        self.limit = round(share * 2**20)

    def choose(self, memory, _before, state, rng):
        moves = state.moves
        if 0 < self.limit < 2**20:
            number, rng = rng.uniform(0, 2**20 - 1)
        else:
            number = 0 if self.limit else 1
        if number < self.limit:
            index, rng = rng.uniform(0, len(moves) - 1)
            return moves[index], rng
        means = []
        for move in moves:
            played, won = memory.get((state.player, key_of(state, move)), (0, 0.0))
            means.append(won / played if played else 1.0)
        return moves[means.index(max(means))], rng

    def learn(self, memory, line, winner):
        for player, key in {*line}:
            played, won = memory.get((player, key), (0, 0.0))
            mine = 0.5 if winner is None else float(winner is player)
            memory[player, key] = played + 1, won + mine


def agrees(analysis, after, expected):
    """Whether a search found what the transcription did: tree, memory and generator."""
    root, memory, rng = expected
    return (
        rows(root) == rows_of(analysis.tree)
        and kept(analysis.tree, 'mast') == memory
        and after == rng
    )


@pytest.mark.parametrize('name', PYTHON)
@given(
    remembered_positions, generators(), st.integers(1, 60), st.sampled_from([0.0, 0.1, 0.25, 0.75])
)
@settings(max_examples=40)
def test_matches_the_transcription(name, state, rng, iterations, share):
    search = Search(iterations, playout=MAST(share))
    found, after = analyse(state, rng, search, engine=name)
    assert agrees(found, after, remembering(state, rng, iterations, Naive(share)))


@pytest.mark.needs_numba
@pytest.mark.parametrize('start', [tictactoe.start, Stairs(300)])
def test_compiled_code_matches_the_transcription(start):
    """Stairs of so many steps have playouts of more moves than there is room for at first."""
    for seed, iterations in enumerate((1, 2, 30, 150)):
        rng = SplitMix.from_seed(seed)
        found, after = analyse(start, rng, Search(iterations, playout='mast'), engine='compiled')
        assert agrees(found, after, remembering(start, rng, iterations, Naive(0.1)))


# ---- where it is another search ----


@given(remembered_positions, generators(), st.integers(1, 40), st.sampled_from(PYTHON))
@settings(max_examples=30)
def test_an_unused_memory_changes_nothing_else(state, rng, iterations, name):
    watched, after = analyse(state, rng, Search(iterations, playout=Watching()), engine=name)
    plain, other_after = analyse(state, rng, Search(iterations), engine=name)
    draft = watched.tree.mutable_copy(watched.tree.places)
    draft.columns = draft.columns._replace(memory=())
    assert (freeze_in_place(draft), after) == (plain.tree, other_after)
    assert watched.digest != plain.digest
    assert watched.tree != plain.tree


def test_epsilon_makes_a_mixture():
    assert MAST(0.25).simplified == epsilon(HighestMean(), 0.25)
    assert MAST(0.25).simplified.limits == (SCALE // 4,)
    assert MAST(1).simplified == MAST(1 - 2**-30).simplified == Uniform()
    assert MAST(0).simplified == MAST(2**-30).simplified == HighestMean()
    assert MAST() == MAST(0.1)
    assert (MAST(1).memories, MAST().memories) == ((), (Means(),))


# ---- NST ----


class NaivePairs:
    """The paper's n-grams of one and two moves: means in two dictionaries, epsilon-greedy."""

    def __init__(self, share, least):
        self.limit, self.least = round(share * 2**20), least

    def choose(self, memory, before, state, rng):
        moves, player = state.moves, state.player
        if self.limit:
            number, rng = rng.uniform(0, 2**20 - 1)
            if number < self.limit:
                index, rng = rng.uniform(0, len(moves) - 1)
                return moves[index], rng
        weights = []
        for move in moves:
            own = player, key_of(state, move)
            if own not in memory:
                weights.append(1.0)
                continue
            played, won = memory[own]
            weight = won / played
            if before[0] != player and memory.get((*before, own), (0, 0.0))[0] >= self.least:
                answered, gained = memory[*before, own]
                weight = (weight + gained / answered) / 2
            weights.append(weight)
        return moves[weights.index(max(weights))], rng

    def learn(self, memory, line, winner):
        pairs = [
            (*line[place - 1], line[place])
            for place in range(1, len(line))
            if line[place - 1][0] != line[place][0]
        ]
        for played in (*{*line}, *pairs):
            player = played[-1][0] if len(played) == 3 else played[0]
            times, won = memory.get(played, (0, 0.0))
            memory[played] = times + 1, won + (0.5 if winner is None else winner is player)


def pairs_agree(analysis, after, expected):
    root, memory, rng = expected
    moves = {played: numbers for played, numbers in memory.items() if len(played) == 2}
    pairs = {
        (player, key, reply[1]): memory[player, key, reply]
        for player, key, reply in (played for played in memory if len(played) == 3)
    }
    found = kept(analysis.tree, 'mast'), kept(analysis.tree, 'nst')
    return rows(root) == rows_of(analysis.tree) and found == (moves, pairs) and after == rng


# ---- the transcription ----


@pytest.mark.parametrize('name', PYTHON)
@given(
    remembered_positions,
    generators(),
    st.integers(1, 60),
    st.sampled_from([0.0, 0.25]),
    st.integers(1, 4),
)
@settings(max_examples=40)
def test_pairs_match_the_transcription(name, state, rng, iterations, share, least):
    search = Search(iterations, playout=NST(share, least=least))
    found, after = analyse(state, rng, search, engine=name)
    assert pairs_agree(found, after, remembering(state, rng, iterations, NaivePairs(share, least)))


@pytest.mark.parametrize('least', [-1, 'x', None, float('nan')])
def test_least_must_be_a_number(least):
    with pytest.raises(ValueError, match='least must be a finite number of at least 0, not '):
        NST(least=least)


@frozen
class Many(Stairs):
    """Rules with so many keys that an array has no room for pairs of them."""

    compiled = evolve(CLIMBING, keys=5000)

    def play(self, move):
        after = super().play(move)
        return Many(after.left, after.tally)


@pytest.mark.needs_numba
def test_tables_with_too_many_keys_are_not_compiled():
    search = Search(20, playout='nst')
    message = re.escape(
        'the engine compiled does not support the table nst of 5,000 keys of moves, which is too '
        'large;'
    )
    with pytest.raises(EngineError, match=message):
        analyse(Many(9), RNG, search, engine='compiled')
    assert analyse(Many(9), RNG, search) == analyse(Many(9), RNG, search, engine='inplace')
    assert ENGINES['compiled'].unsupported(plant(Many(9)), RNG, Search(playout='mast')) is None
