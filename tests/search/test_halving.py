"""Sequential halving: the paper's algorithm, and its division of iterations."""

import math
from itertools import pairwise

from attrs import evolve
from hypothesis import assume, given, strategies as st

from fmcts import MoveStats, Search, SplitMix, analyse
from fmcts.games import connect4
from fmcts.search.schedules import SequentialHalving
from fmcts.testing import positions

RNG = SplitMix.from_seed(1)
HALVING = Search(200, schedule='halving')


HALVES = SequentialHalving()


def pulled(payouts, iterations, schedule=HALVES):
    """What each arm of a bandit was pulled, by a schedule; arm `i` pays `payouts[i]` each time."""
    pulls = [0] * len(payouts)

    def stats():
        return tuple(
            MoveStats(arm, count, payouts[arm] if count else None)
            for arm, count in enumerate(pulls)
        )

    for arm, count in schedule.steps(iterations, stats):
        assert count > 0
        pulls[arm] += count
    return pulls


def as_in_the_paper(payouts, iterations):
    """Algorithm 1 of Karnin, Koren and Somekh (2013), word for word."""
    pulls, alive = [0] * len(payouts), list(range(len(payouts)))
    rounds = math.ceil(math.log2(len(payouts)))
    for _ in range(rounds):
        share = iterations // (len(alive) * rounds)
        for arm in alive:
            pulls[arm] += share
        best = sorted(alive, key=lambda arm: -payouts[arm])
        alive = sorted(best[: math.ceil(len(alive) / 2)])
    return pulls, alive[0]


@given(st.lists(st.integers(0, 9), min_size=2, max_size=40), st.data())
def test_matches_the_paper_s_algorithm(payouts, data):
    """Where all divides without a rest, number for number; else it shares out what is left over."""
    rounds = math.ceil(math.log2(len(payouts)))
    sizes = [len(payouts)]
    for _ in range(rounds - 1):
        sizes.append(math.ceil(sizes[-1] / 2))
    iterations = rounds * math.lcm(*sizes) * data.draw(st.integers(1, 3))
    expected, winner = as_in_the_paper(payouts, iterations)
    assert pulled(payouts, iterations) == expected
    assert payouts[winner] == max(payouts)


def shares_well(payouts, iterations, schedule=HALVES):
    """Nothing is left over or overspent; a better move never has fewer pulls than a worse one."""
    pulls = pulled(payouts, iterations, schedule)
    assert sum(pulls) == iterations
    if iterations < len(payouts):
        assert pulls == [1] * iterations + [0] * (len(payouts) - iterations)
    else:
        assert min(pulls) >= 1
        best = payouts.index(max(payouts))
        assert pulls[best] == max(pulls)
        in_order = sorted(zip(payouts, pulls, strict=True))
        for (worse, fewer), (better, more) in pairwise(in_order):
            assert fewer <= more or worse == better


@given(st.lists(st.integers(0, 9), min_size=1, max_size=100), st.integers(1, 2000))
def test_any_number_of_moves_and_any_budget(payouts, iterations):
    shares_well(payouts, iterations)


def test_a_mean_of_no_visits_is_lowest():
    assert pulled([0.0, 0.5, 0.0], 30) == [12, 13, 5]  # 5 each; 7 more for two; 1 is left


@given(positions(connect4.start, running=True), st.integers(1, 300))
def test_the_last_remaining_move_is_played(state, iterations):
    found, _ = analyse(state, RNG, evolve(HALVING, iterations=iterations), engine='inplace')
    visits = [row.visits for row in found.stats]
    assert sum(visits) == iterations
    assume(iterations >= len(visits))
    chosen = next(row for row in found.stats if row.move == found.move)
    assert chosen.visits == max(visits)
    rivals = [row.value for row in found.stats if row.visits == chosen.visits]
    assert chosen.value == max(rivals)


@given(
    positions(connect4.start, running=True), st.integers(2, 150), st.integers(0, 2**32), st.data()
)
def test_a_single_round_splits_evenly(state, iterations, seed, data):
    """Two moves need one round: half of the iterations each, an odd one to either."""
    assume(len(state.moves) > 1)
    pair = data.draw(st.permutations(state.moves))[:2]
    search = Search(iterations, schedule='halving')
    analysis, _ = analyse(state, SplitMix.from_seed(seed), search, root_moves=pair)
    few, many = sorted(row.visits for row in analysis.stats)
    assert (few, many) == (iterations // 2, iterations - iterations // 2)
