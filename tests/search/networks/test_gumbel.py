"""Gumbel searches: the visits, moves and policies of mctx, in all engines."""

import json
import math
import pathlib

import pytest
from hypothesis import given, settings, strategies as st

from drawn_games import Hashed, hashed, network, ours
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
ENGINES = ['persistent', 'monadic', 'inplace', 'compiled']


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
    found = [analyse(state, rng, search, engine=engine) for engine in ENGINES]
    one, after = found[0]
    assert [(it.digest, it.move, it.stats, rng) for it, rng in found] == [
        (one.digest, one.move, one.stats, after)
    ] * 4
    numbers, drawn_after = gumbels(rng, len(state.moves))
    assert after == drawn_after
    told = GumbelHalving(considered, numbers=numbers)
    again = Search(iterations, network=of_positions, batch=batch, selection=method, schedule=told)
    assert analyse(state, RNG, again) == (one, RNG)


def reference(case):
    """The same search, transcribed naively from the paper and from mctx's order of visits."""
    root = Plain(Hashed(case['seed'], case['width'], case['depth']))
    order = passes(min(case['considered'], case['width']), case['iterations'])
    scores = [
        case['scale'] * g + math.log(p) for g, p in zip(case['numbers'], root.priors, strict=True)
    ]
    for visits in order:
        sigmas = root.sigmas(case)
        among = [at for at in range(case['width']) if root.count(at) == visits]
        root.visit(max(among, key=lambda at: scores[at] + sigmas[at]), case)
    return root


def passes(considered, iterations):
    """The visits that a move must have to be visited next, iteration by iteration."""
    found, visits = [], 0
    if considered == 1:
        return range(iterations)
    rounds = math.ceil(math.log2(considered))
    while len(found) < iterations:
        for _ in range(max(1, int(iterations / (rounds * considered)))):
            found += [visits] * considered
            visits += 1
        considered = max(2, considered // 2)
    return found[:iterations]


class Plain:
    """A node that keeps the values of all visits of each of its moves."""

    def __init__(self, state):
        (self.priors,), (self.raw,) = network([state])
        self.state, self.below, self.gains = state, {}, [[] for _ in self.priors]

    def count(self, at):
        return len(self.gains[at])

    def sigmas(self, case):
        counts = [*map(len, self.gains)]
        mixed, seen = self.raw, [at for at, count in enumerate(counts) if count]
        if seen:
            weight = sum(self.priors[at] for at in seen)
            mean = sum(self.priors[at] * sum(self.gains[at]) / counts[at] for at in seen) / weight
            mixed = (self.raw + sum(counts) * mean) / (1 + sum(counts))
        values = [sum(it) / len(it) if it else mixed for it in self.gains]
        if case['rescale']:
            low, high = min(values), max(values)
            values = [(value - low) / max(high - low, 1e-8) for value in values]
        return [(case['c_visit'] + max(counts)) * case['c_scale'] * value for value in values]

    def visit(self, at, case):
        """Search below a move; return what this node is worth to its side to move."""
        if at not in self.below:
            state = self.state.play(at)
            if state.over:
                won = {None: 0.5, self.state.player: 1.0}.get(state.winner, 0.0)
                self.below[at] = won
            else:
                self.below[at] = Plain(state)
                won = 1.0 - self.below[at].raw
        elif isinstance(self.below[at], float):
            won = self.below[at]
        else:
            node = self.below[at]
            weights = [p * math.exp(s) for p, s in zip(node.priors, node.sigmas(case), strict=True)]
            counts = [*map(len, node.gains)]
            scores = [
                weight / sum(weights) - count / (1 + sum(counts))
                for weight, count in zip(weights, counts, strict=True)
            ]
            won = 1.0 - node.visit(scores.index(max(scores)), case)
        self.gains[at].append(won)
        return won


@given(st.data())
@settings(max_examples=12)
def test_matches_the_transcription(data):
    width = data.draw(st.integers(2, 6))
    case = {
        'seed': data.draw(st.integers(1000, 9999)),
        'width': width,
        'depth': data.draw(st.integers(1, 4)),
        'iterations': data.draw(st.integers(1, 60)),
        'considered': data.draw(st.integers(1, 7)),
        'scale': 1.0,
        'numbers': [hashed(data.draw(st.integers(0, 99)), at, 'g') / 2**18 for at in range(width)],
        'c_visit': 10.0,
        'c_scale': data.draw(st.sampled_from([0.1, 0.5])),
        'rescale': data.draw(st.booleans()),
    }
    naive = reference(case)
    visits, move, _ = ours(case)
    assert visits == [*map(len, naive.gains)]
    most = max(visits)
    sigmas = naive.sigmas(case)
    among = [at for at, count in enumerate(visits) if count == most]
    assert move == max(
        among, key=lambda at: case['numbers'][at] + math.log(naive.priors[at]) + sigmas[at]
    )


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
    one, two = (analyse(state, rng, search, engine=it) for it in ('persistent', 'compiled'))
    assert one[0].digest == two[0].digest
    assert one == two


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
