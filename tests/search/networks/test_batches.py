"""Searches with a network: the same tree in all engines and in a naive transcription."""

from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.formulas import sqrt
from fmcts.game import key_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT, ReducedPUCT
from fmcts.search.networks import positions_of, rounded
from fmcts.selfplay import self_play
from fmcts.testing import positions
from naive_batches import answer, network, rows_of, rows_of_tree, search as naive_search

RNG = SplitMix.from_seed(1)
PYTHON = ['monadic', 'inplace']
GAMES = {'tictactoe': tictactoe, 'connect4': connect4, 'othello': othello}


def tree(state, search, engine='persistent', **more):
    found, after = analyse(state, RNG, search, engine=engine, **more)
    assert after == RNG  # such a search draws nothing
    return found


@given(
    data=st.data(),
    batch=st.integers(1, 20),
    iterations=st.integers(1, 60),
    c=st.floats(0.1, 3.0),
    reduction=st.none() | st.floats(0.0, 1.0),
    collisions=st.integers(0, 12),
)
@pytest.mark.parametrize('game', GAMES)
@settings(max_examples=25)
def test_matches_the_transcription_node_by_node(
    game, data, batch, iterations, c, reduction, collisions
):
    state = data.draw(positions(GAMES[game].start, running=True))
    method = PUCT(c=c) if reduction is None else ReducedPUCT(c=c, reduction=reduction)
    search = Search(
        iterations, selection=method, network=network, batch=batch, collisions=collisions
    )
    found = tree(state, search)
    assert rows_of_tree(found.tree) == rows_of(
        naive_search(state, iterations, batch, c, reduction=reduction, collisions=collisions)
    )


@given(data=st.data(), iterations=st.integers(1, 80), solver=st.booleans())
@settings(max_examples=25)
def test_a_batch_of_one_equals_prior_and_evaluate(data, iterations, solver):
    def prior(state):
        return [rounded(it) for it in answer(state)[0]] if state.moves else ()

    def evaluate(state):
        value = rounded(answer(state)[1])
        return value if state.player.value == 'X' else 1.0 - value

    state = data.draw(positions(tictactoe.start, running=True))
    one = Search(iterations, selection=PUCT(prior=prior), evaluate=evaluate, solver=solver)
    assert tree(state, Search(iterations, network=network, solver=solver)) == tree(state, one)


def test_the_network_is_called_once_per_batch_and_never_on_terminal_states():
    asked = []

    def counting(states):
        assert not any(state.over for state in states)
        asked.append(len(states))
        return network(states)

    found = tree(connect4.start, Search(640, network=counting, batch=64))
    assert asked[0] == 1  # the root
    assert max(asked) <= 64
    assert sum(asked) == found.nodes - sum(node.state.over for node in found.tree.walk(None))
    assert len(asked) < 60


def test_collisions_fill_batches_where_priors_are_peaked():
    """One move has nearly all of the prior, as a language model says."""
    asked = []

    def peaked(states):
        asked.append(len(states))
        return [[0.994] + [0.001] * (len(it.moves) - 1) for it in states], [0.4] * len(states)

    sizes = []
    for collisions in (0, 8):
        asked.clear()
        tree(connect4.start, Search(256, network=peaked, batch=8, collisions=collisions))
        sizes.append(sum(asked) / len(asked))
    assert sizes[0] < 4.0
    assert sizes[1] > 6.0


def test_priors_are_restricted_to_root_moves():
    found = tree(connect4.start, Search(20, network=network, batch=3), root_moves=[1, 5])
    priors, _ = answer(connect4.start)
    assert found.tree.columns.moves == ((rounded(priors[1]), rounded(priors[5])),)
    assert [row.move for row in found.stats] == [1, 5]


# ---- networks on positions, which the compiled engine has too ----


def on_positions(positions):
    """Priors by key and values, of sums of the fields: exact in every arithmetic."""
    mixed = (positions * [[0x9E37, 0x79B9]]).sum(axis=1)
    cells = (mixed[:, None] >> (CELLS % 13)) + CELLS * 37 & 1023
    return (cells + 1.0) / 1024.0, (mixed % 4097) / 4096.0


try:
    import numpy as np
except ImportError:  # then there is no compiled engine either
    CELLS = None
else:
    CELLS = np.arange(48)[None, :]

NEEDS_NUMPY = pytest.mark.skipif(CELLS is None, reason='numpy is missing: the extra fmcts[fast]')


@NEEDS_NUMPY
@given(
    data=st.data(),
    batch=st.integers(1, 40),
    iterations=st.integers(1, 300),
    max_nodes=st.none() | st.integers(2, 200),
    collisions=st.sampled_from([0, 1, 7, 60]),
)
@pytest.mark.parametrize('selection', ['puct', 'puct-reduced'])
@settings(max_examples=20)
def test_the_compiled_engine_agrees(selection, data, batch, iterations, max_nodes, collisions):
    state = data.draw(positions(connect4.start, running=True))
    given = OnPositions(on_positions)
    search = Search(
        iterations,
        selection=selection,
        network=given,
        batch=batch,
        max_nodes=max_nodes,
        collisions=collisions,
    )
    expected = tree(state, search)
    found = tree(state, search, 'compiled')
    assert found.digest == expected.digest
    assert found == expected
    more = evolve(search, max_nodes=None)
    on = tree(state, more, 'persistent', tree=found)
    assert tree(state, more, 'compiled', tree=expected).digest == on.digest
    assert tree(state, more, 'compiled', tree=found).digest == on.digest


@NEEDS_NUMPY
@pytest.mark.parametrize('iterations', [1, 5, 40])
def test_a_tree_grown_without_the_network_is_continued(iterations):
    """Children that machine code has not yet visited twice have no moves of their own there."""
    rewarded = Search(iterations, selection='widening', reward=OnPositions(lambda _position: 0.25))
    search = Search(50, selection='widening', network=OnPositions(on_positions), batch=4)
    found = [
        tree(
            connect4.start,
            search,
            engine,
            tree=analyse(connect4.start, RNG, rewarded, engine=engine)[0],
        )
        for engine in ('persistent', 'compiled')
    ]
    assert found[0].digest == found[1].digest


@NEEDS_NUMPY
@pytest.mark.parametrize('engine', ['compiled', 'inplace'])
def test_priors_by_key_are_divided_and_then_rounded(engine):
    def masses(positions):
        mixed = (positions * [[0x9E37, 0x79B9]]).sum(axis=1)
        return (mixed[:, None] >> (CELLS % 7)) + CELLS * 37 & 1023

    def small(positions):  # sums of these are exact
        return masses(positions) / 2.0**40, np.full(len(positions), 0.5)

    found = tree(connect4.start, Search(40, network=OnPositions(small), batch=8), engine)
    for node in found.tree.walk(None):
        (row,) = masses(positions_of([node.state])).tolist()
        legal = [row[key_of(node.state, move)] for move in node.state.moves]
        shares = [round(Fraction(mass, sum(legal)) * 2**20) / 2**20 for mass in legal]
        assert node.columns.moves == (tuple(shares),)


class Expecting(PUCT):
    """PUCT that expects of an untried move what the node is worth, by both of its statistics."""

    def scores(self, edges, parent, node):
        own = node.edge.value if node.same else 1.0 - node.edge.value
        found = []
        for edge in edges:
            mean = edge.value if edge.visits > 0.0 else 0.75 * parent.value + 0.125 * own
            found.append(mean + edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits))
        return found


@NEEDS_NUMPY
@pytest.mark.parametrize('engine', ['compiled', *PYTHON])
def test_all_engines_agree_on_scores_of_all_moves(engine):
    search = Search(
        300, network=OnPositions(on_positions), batch=24, selection=Expecting(), solver=True
    )
    state = connect4.start.play(3)
    assert tree(state, search, engine).digest == tree(state, search).digest


class Elsewhere:
    """An array of another library, that would say so if it were read number by number."""

    def __init__(self, array):
        self.array = array

    def __array__(self, *_args, **_options):
        return self.array


LAYOUTS = {
    'rows': lambda rows: rows,
    'columns': lambda rows: rows.copy(order='F'),
    'apart': lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    'floats': lambda rows: rows.astype(np.float32),  # exact: multiples of 2**-10
    'elsewhere': Elsewhere,
    'ragged': lambda rows: [row.tolist() for row in rows],
}


@NEEDS_NUMPY
@pytest.mark.parametrize('layout', LAYOUTS)
def test_compiled_networks_may_return_numbers_in_any_layout(layout):
    def laid_out(positions):
        rows, values = on_positions(positions)
        values = np.repeat(values, 2)[::2]
        return LAYOUTS[layout](rows), Elsewhere(values) if layout == 'elsewhere' else values

    one, other = (Search(200, network=OnPositions(it), batch=16) for it in (laid_out, on_positions))
    assert tree(connect4.start, one, 'compiled') == tree(connect4.start, other)

    one, other = (evolve(it, iterations=20, batch=4) for it in (one, other))
    games = self_play(connect4.start, RNG, one, games=3, engine='compiled')
    assert games == self_play(connect4.start, RNG, other, games=3, together=1, engine='inplace')
