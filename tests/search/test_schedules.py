"""Schedules: iterations shared out among the root's moves, the same in every engine."""

import math
import re
from itertools import pairwise
from typing import get_args

import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from fmcts import STOP, MoveStats, Search, SplitMix, analyse, analyse_for, mcts, trees
from fmcts.bots.spec import parse_bot
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.description import Expansion
from fmcts.search.engines import ENGINES
from fmcts.search.errors import MethodError
from fmcts.search.methods import METHODS, PUCT
from fmcts.search.schedules import SequentialHalving, Step
from fmcts.testing import positions

RNG = SplitMix.from_seed(1)
HALVING = Search(200, schedule='halving')


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


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
def test_it_is_the_algorithm_of_the_paper(payouts, data):
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


@frozen
class Wrong:
    """The formula of the paper as others took it: what it divides by, and what it may come to."""

    least_rounds: int = 1
    least_share: int = 1
    by_number: bool = True

    def steps(self, iterations, stats):
        left, alive = iterations, list(range(len(stats())))
        rounds = max(self.least_rounds, math.ceil(math.log2(len(alive))))
        for _ in range(max(1, rounds)):
            share = max(self.least_share, iterations // (len(alive) * rounds))
            for place, arm in enumerate(alive):
                if count := min(share, left):
                    yield Step(arm if self.by_number else place, count)
                    left -= count
            rows = stats()
            alive = [arm for arm in alive if rows[arm].visits] or alive[:1]
            alive = sorted(alive, key=lambda arm: -(rows[arm].value or 0))
            alive = alive[: (len(alive) + 1) // 2]
        if left:
            yield Step(alive[0], left)


SHARED = [([1], 5), ([0, 9, 3], 4), ([0, 3, 9, 1, 0], 60), ([0] * 8 + [9], 200)]


def all_shared_well(schedule):
    for payouts, iterations in SHARED:
        shares_well(payouts, iterations, schedule)


def test_the_formula_without_faults_keeps_the_law():
    all_shared_well(Wrong())


@pytest.mark.parametrize(
    ('wrong', 'why'),
    [
        (Wrong(least_rounds=0), ZeroDivisionError),  # the logarithm of one move
        (Wrong(least_share=0), AssertionError),  # no visit for each move, where there are few
        (Wrong(by_number=False), AssertionError),  # the place in a round for the move's own
    ],
    ids=['division by zero', 'no visit', 'places for moves'],
)
def test_the_law_catches_it(wrong, why):
    with pytest.raises(why):
        all_shared_well(wrong)


def test_a_mean_of_nothing_is_the_lowest():
    assert pulled([0.0, 0.5, 0.0], 30) == [12, 13, 5]  # 5 each; 7 more for two; 1 is left


@pytest.mark.parametrize(
    ('selection', 'expansion'),
    [('ucb1', 'in-order'), ('ucb1', 'random'), ('ucb1', 'full'), ('puct', 'selected')],
)
def test_the_rounds_of_a_search(engine, selection, expansion):
    """200 among 9: 5 each; 155 left, 10 more for 5 of them; 17 more for 3; 27 more for 2.

    Of 108 there are 3, 5, 9 and 14 more, and one is left over.
    """
    search = evolve(HALVING, selection=selection, expansion=expansion)
    for iterations, visits in (
        (200, [5, 5, 5, 5, 15, 15, 32, 59, 59]),
        (108, [3, 3, 3, 3, 8, 8, 17, 31, 32]),
    ):
        asked = evolve(search, iterations=iterations)
        found, _ = analyse(tictactoe.start, RNG, asked, engine=engine)
        assert sorted(row.visits for row in found.stats) == visits


def test_a_full_expansion_comes_before_a_schedule(engine):
    search = Search(2, expansion='full', schedule='halving')
    assert analyse(tictactoe.start, RNG, search, engine=engine)[0].nodes == 1 + 9 + 8


def test_a_method_that_makes_the_child_it_selects_needs_no_opening(engine):
    last = PUCT(prior=OnPositions(lambda _position, cell: 1.0 * (cell == 8)))
    search = Search(3, selection=last, schedule='halving')
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert [row.visits for row in found.stats] == [1, 1, 1, 0, 0, 0, 0, 0, 0]


@frozen
class Noting:
    """A schedule that notes how many iterations it is given, and makes none."""

    given: list[int]

    def steps(self, iterations, _stats):
        self.given.append(iterations)
        return iter(())


@pytest.mark.parametrize(('iterations', 'given'), [(8, []), (9, []), (10, [1])])
def test_a_schedule_has_what_the_opening_leaves(engine, iterations, given):
    noting = Noting([])
    search = Search(iterations, schedule=noting)
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert noting.given == given
    assert found.iterations == min(iterations, 9)


@pytest.mark.parametrize('expansion', [None, *get_args(Expansion)])
@pytest.mark.parametrize('selection', METHODS)
def test_engines_agree(expansion, selection):
    if expansion == 'jump' or (expansion == 'selected' and selection != 'puct'):
        return
    search = evolve(HALVING, expansion=expansion, selection=selection)
    for game, numbers in ((tictactoe, (1, 5, 200)), (connect4, (100,))):
        for iterations in numbers:
            found, *others = (
                analyse(game.start, RNG, evolve(search, iterations=iterations), engine=name)
                for name in ('persistent', 'monadic', 'inplace')
            )
            assert others == [found, found]
            assert found[0].iterations == iterations


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    'search',
    [
        HALVING,
        evolve(HALVING, selection='puct'),  # makes the children of moves that are told
    ],
    ids=['ucb1', 'puct'],
)
def test_the_compiled_engine_agrees(search):
    for iterations in (1, 5, 100, 333):
        asked = evolve(search, iterations=iterations)
        one = analyse(connect4.start, RNG, asked, engine='compiled')
        two = analyse(connect4.start, RNG, asked, engine='persistent')
        assert one == two
        assert one[0].digest == two[0].digest


@given(positions(connect4.start, running=True), st.integers(1, 300))
def test_the_last_move_left_is_played(state, iterations):
    found, _ = analyse(state, RNG, evolve(HALVING, iterations=iterations), engine='inplace')
    visits = [row.visits for row in found.stats]
    assert sum(visits) == iterations
    assume(iterations >= len(visits))
    chosen = next(row for row in found.stats if row.move == found.move)
    assert chosen.visits == max(visits)
    rivals = [row.value for row in found.stats if row.visits == chosen.visits]
    assert chosen.value == max(rivals)


@frozen
class InTurn:
    """A schedule of one's own: every move one iteration, over and over."""

    def steps(self, iterations, stats):
        for number in range(iterations):
            yield Step(number % len(stats()), 1)


def test_a_schedule_of_ones_own(engine):
    search = Search(9 + 9 * 20 + 3, schedule=InTurn())
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert [row.visits for row in found.stats] == [22, 22, 22, 21, 21, 21, 21, 21, 21]


@frozen
class Given:
    """A schedule that gives one step."""

    step: object

    def steps(self, _iterations, _stats):
        yield self.step


@pytest.mark.parametrize(
    'step',
    [
        (9, 1),
        (10, 1),
        (-1, 1),
        (0, 0),
        (0, -1),
        (0, 192),
        (True, 1),
        (0, True),
        (0.0, 1),
        (None, 192),
    ],
)
def test_a_step_that_cannot_be_made_is_told(engine, step):
    message = (
        f'the schedule Given gave {step}: expected the index of one of 9 moves, or None, '
        'and a number of iterations from 1 to 191'
    )
    with pytest.raises(MethodError, match=f'^{re.escape(message)}$'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Given(step)), engine=engine)


@frozen
class Twice:
    """A schedule of two steps."""

    def steps(self, _iterations, _stats):
        yield Step(0, 100)
        yield Step(1, 92)


def test_steps_are_counted_together(engine):
    with pytest.raises(MethodError, match=r'gave Step.*=92\): .* from 1 to 91$'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Twice()), engine=engine)


def test_a_schedule_may_leave_the_choice_or_end_early(engine):
    free = evolve(HALVING, schedule=Given((None, 191)))
    found = analyse(tictactoe.start, RNG, free, engine=engine)
    assert found == analyse(tictactoe.start, RNG, Search(200))
    early, _ = analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Given((4, 1))), engine=engine)
    assert (early.iterations, early.move) == (10, 4)


def test_a_bound_on_nodes_ends_it(engine):
    found, _ = analyse(connect4.start, RNG, evolve(HALVING, max_nodes=50), engine=engine)
    assert found.nodes == 50
    assert found.iterations < 200


@pytest.mark.parametrize('given', ['halve', 3, SequentialHalving])
def test_what_is_no_schedule_is_refused(given):
    with pytest.raises(ValueError, match='schedule must be halving, shot or a Schedule, not'):
        Search(schedule=given)


def test_where_there_is_no_count_to_share_out_it_is_refused(engine):
    message = 'a schedule shares out the count of iterations, and'
    with pytest.raises(ValueError, match=message):
        trees(connect4.start, RNG, HALVING)
    with pytest.raises(ValueError, match=message):
        analyse_for(1, connect4.start, RNG, HALVING)
    tree, rng = analyse(connect4.start, RNG, Search(10))
    with pytest.raises(ValueError, match=message):
        analyse(connect4.start, rng, HALVING, tree=tree, engine=engine)
    with pytest.raises(ValueError, match='watch cannot end a search with a schedule'):
        analyse(connect4.start, RNG, HALVING, engine=engine, watch=lambda _done: STOP)


def test_the_command_line_knows_it():
    assert parse_bot('mcts:200,schedule=halving').unwrap() == mcts(HALVING)
    assert 'schedule must be halving, shot or a Schedule' in parse_bot('mcts:schedule=x').failure()


@given(
    positions(connect4.start, running=True), st.integers(2, 150), st.integers(0, 2**32), st.data()
)
def test_with_one_round_it_is_a_uniform_split(state, iterations, seed, data):
    """Two moves need one round: half of the iterations each, an odd one to either."""
    assume(len(state.moves) > 1)
    pair = data.draw(st.permutations(state.moves))[:2]
    search = Search(iterations, schedule='halving')
    analysis, _ = analyse(state, SplitMix.from_seed(seed), search, root_moves=pair)
    few, many = sorted(row.visits for row in analysis.stats)
    assert (few, many) == (iterations // 2, iterations - iterations // 2)
