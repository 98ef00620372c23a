"""MAST against a naive transcription, in every engine, and where it is uniform."""

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.game import key_of
from fmcts.games import tictactoe
from fmcts.search._tree import freeze_in_place
from fmcts.search.policies import MAST, HighestMean, Recalling, Uniform, epsilon
from fmcts.search.policies.means import Means
from fmcts.search.policies.mixture import SCALE
from fmcts.testing import generators
from toy_games import Stairs, remembered_positions
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
