"""Gumbel searches: the visits, moves and policies of mctx, in all engines."""

import json
import math
import pathlib

import pytest
from hypothesis import given, settings, strategies as st

from chained import PYTHON, agree
from drawn_games import ours
from fmcts import Search, SplitMix, _linked as linked, analyse, mcts
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.selfplay import improved_policy
from fmcts.selfplay.draws import gumbels
from fmcts.testing import positions
from fmcts.testing._strategies import splitmixes
from naive_batches import network as of_hashes, number

HERE = pathlib.Path(__file__).parent
RNG = SplitMix.from_seed(1)
CASES = json.loads((HERE / 'mctx.json').read_text(encoding='utf-8'))


@OnPositions
def of_positions(rows):
    rows = [tuple(row) for row in rows.tolist()]
    return [[number(row, key) for key in range(9)] for row in rows], [*map(number, rows)]


@pytest.mark.parametrize('case', CASES, ids=lambda case: f'case{case["seed"]}')
def test_visits_and_move_equal_mctx(case):
    visits, move, policy = ours(case)
    assert (visits, move) == (case['visits'], case['move'])
    assert policy == pytest.approx(case['policy'], abs=1e-8)


def test_the_recorded_cases_vary_every_option():
    for name in ('rescale', 'c_visit', 'c_scale', 'scale', 'iterations', 'width'):
        assert len({case[name] for case in CASES}) > 1
    assert any(case['considered'] < case['width'] for case in CASES)
    assert any(case['iterations'] < case['considered'] for case in CASES)


@given(
    rng=splitmixes(),
    batch=st.integers(1, 9),
    iterations=st.integers(1, 60),
    considered=st.integers(1, 9),
    method=st.builds(Gumbel, st.floats(0, 60), st.floats(0, 2), rescale=st.booleans()),
    data=st.data(),
)
@settings(max_examples=10)
def test_every_engine_agrees(rng, batch, iterations, considered, method, data):
    state = data.draw(positions(tictactoe.start, running=True))
    search = Search(
        iterations,
        network=of_positions,
        batch=batch,
        selection=method,
        schedule=GumbelHalving(considered),
    )
    one, after = agree(state, rng, search, *PYTHON, engine='compiled')
    numbers, drawn_after = gumbels(rng, len(state.moves))
    assert after == drawn_after
    told = GumbelHalving(considered, numbers=numbers)
    again = Search(iterations, network=of_positions, batch=batch, selection=method, schedule=told)
    assert analyse(state, RNG, again) == (one, RNG)


@pytest.mark.skipif(not linked.installed(), reason='llvmlite or numpy is missing')
@given(
    data=st.data(),
    iterations=st.integers(1, 80),
    solver=st.booleans(),
    rescale=st.booleans(),
    rng=splitmixes(),
)
@settings(max_examples=25)
def test_machine_code_counts_playouts_as_python_does(data, iterations, solver, rescale, rng):
    """Their rewards are sums of halves, where those of a network are real numbers."""
    state = data.draw(positions(tictactoe.start, running=True))
    method = Gumbel(c_visit=20.0, rescale=rescale)
    search = Search(iterations, selection=method, solver=solver)
    agree(state, rng, search, 'compiled')


def test_scale_0_draws_nothing():
    quiet = Search(40, network=of_hashes, selection=Gumbel(), schedule=GumbelHalving(scale=0))
    assert mcts(quiet)(tictactoe.start, RNG)[1] == RNG
    loud = Search(40, network=of_hashes, selection=Gumbel(), schedule=GumbelHalving())
    assert mcts(loud)(tictactoe.start, RNG)[1] == gumbels(RNG, 9)[1]


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: GumbelHalving(0), 'considered must be a whole number'),
        (lambda: GumbelHalving(numbers=(1.0, math.nan)), 'numbers must be None or a finite number'),
        (lambda: Gumbel(rescale=2), 'rescale must be'),
        (lambda: Gumbel(c_scale=math.inf), 'c_scale must be'),
    ],
)
def test_invalid_values_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_number_of_gumbels_must_equal_the_moves():
    schedule = GumbelHalving(numbers=(0.0,) * 3)
    search = Search(9, network=of_hashes, selection=Gumbel(), schedule=schedule)
    with pytest.raises(ValueError, match='GumbelHalving has 3 numbers for a root with 9 moves'):
        analyse(tictactoe.start, RNG, search)


def test_an_improved_policy_needs_gumbel():
    with pytest.raises(ValueError, match='needs a search with selection=Gumbel'):
        improved_policy(analyse(connect4.start, RNG, Search(9))[0], Search(9))
