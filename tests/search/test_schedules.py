"""Schedules: iterations divided among the root's moves, alike in every engine."""

import math
import re
import sys
from itertools import pairwise

import pytest
from attrs import evolve, frozen
from hypothesis import assume, given, settings, strategies as st

from fmcts import STOP, MoveStats, Player, Search, SplitMix, analyse, analyse_for, trees
from fmcts._running.registry import ENGINES
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT
from fmcts.search.schedules import SequentialHalving, Step
from fmcts.testing import generators, positions
from tiers import is_interpreted, usually
from toy_games import Corridor, drawn_trees, small_positions

RNG = SplitMix.from_seed(1)
HALVING = Search(200, schedule='halving')


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
def test_expansion_of_the_selected_child_needs_no_opening(engine):
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
def test_the_schedule_receives_the_remaining_iterations(engine, iterations, given):
    noting = Noting([])
    search = Search(iterations, schedule=noting)
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert noting.given == given
    assert found.iterations == min(iterations, 9)


@frozen
class InTurn:
    """A schedule of one's own: every move one iteration, over and over."""

    def steps(self, iterations, stats):
        for number in range(iterations):
            yield Step(number % len(stats()), 1)


def test_a_user_s_schedule(engine):
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
        (0, 9.0),
        ('4', 1),
        (None, 192),
        4,
        None,
        (4,),
    ],
)
def test_invalid_steps_are_refused(engine, step):
    message = (
        f'the schedule Given gave {step}: expected the index of one of 9 moves, or None, '
        'and a whole number of iterations from 1 to 191'
    )
    with pytest.raises(MethodError, match=f'^{re.escape(message)}$'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Given(step)), engine=engine)


def test_a_schedule_without_steps_is_refused(engine):
    schedule = frozen(type('None_', (), {'steps': lambda *_given: None}))()
    with pytest.raises(MethodError, match=r'^the schedule None_ gave None: expected the index of'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=schedule), engine=engine)


@frozen
class Twice:
    """A schedule of two steps."""

    def steps(self, _iterations, _stats):
        yield Step(0, 100)
        yield Step(1, 92)


def test_simultaneous_steps_are_counted_together(engine):
    with pytest.raises(MethodError, match=r'gave Step.*=92\): .* from 1 to 91$'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Twice()), engine=engine)


def test_a_schedule_may_defer_to_selection_or_end_early(engine):
    free = evolve(HALVING, schedule=Given((None, 191)))
    found = analyse(tictactoe.start, RNG, free, engine=engine)
    assert found == analyse(tictactoe.start, RNG, Search(200))
    early, _ = analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Given((4, 1))), engine=engine)
    assert (early.iterations, early.move) == (10, 4)


def test_a_schedule_needs_a_fixed_number_of_iterations(engine):
    message = 'a schedule needs a fixed number of iterations, and'
    with pytest.raises(ValueError, match=message):
        trees(tictactoe.start, RNG, HALVING)
    with pytest.raises(ValueError, match=message):
        analyse_for(tictactoe.start, RNG, HALVING, seconds=1)
    tree, rng = analyse(tictactoe.start, RNG, Search(10))
    with pytest.raises(ValueError, match=message):
        analyse(tictactoe.start, rng, HALVING, tree=tree, engine=engine)
    with pytest.raises(ValueError, match='watch cannot end a search with a schedule'):
        analyse(tictactoe.start, RNG, HALVING, engine=engine, watch=lambda _done: STOP)


# ---- halving ----


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


# ---- SHOT ----


class Entry:
    """What is kept of a position: by move, what it leads to, its visits and rewards."""

    def __init__(self, state):
        self.state = state
        self.moves = list(state.moves)
        self.children = {}
        self.visits = dict.fromkeys(self.moves, 0)
        self.rewards = dict.fromkeys(self.moves, 0.0)


class Program:
    """The recursion: `shot(entry, budget)` gives how many were won by X, drawn counting half."""

    def __init__(self, rng):
        self.rng = rng

    def playout(self, state):
        while not state.over:
            index, self.rng = self.rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        return {None: 0.5, Player.X: 1.0}.get(state.winner, 0.0)

    def shot(self, entry, budget):
        state, moves = entry.state, entry.moves
        if state.over:
            return budget * self.playout(state)
        used, for_x, spent = 0, 0.0, sum(entry.visits.values())
        for move in moves:
            if entry.visits[move] == 0 and used < budget:
                entry.children[move] = Entry(state.play(move))
                for_x += self.update(entry, move, self.playout(entry.children[move].state), 1)
                used += 1
        kept, share = list(moves), 0
        while used < budget and len(kept) > 1:
            rounds = math.ceil(math.log2(len(moves)))
            share += max(1, math.floor((spent + budget) / (len(kept) * rounds)))
            for move in self.best_first(entry, kept):
                if entry.visits[move] < share and used < budget:
                    more = min(share - entry.visits[move], budget - used)
                    gained = self.shot(entry.children[move], more)
                    for_x += self.update(entry, move, gained, more)
                    used += more
            kept = self.best_first(entry, kept)[: math.ceil(len(kept) / 2)]
        if used < budget:
            gained = self.shot(entry.children[kept[0]], budget - used)
            for_x += self.update(entry, kept[0], gained, budget - used)
        return for_x

    @staticmethod
    def update(entry, move, for_x, playouts):
        mine = for_x if entry.state.player is Player.X else playouts - for_x
        entry.visits[move] += playouts
        entry.rewards[move] += mine
        return for_x

    @staticmethod
    def best_first(entry, kept):
        def mean(move):
            return entry.rewards[move] / entry.visits[move] if entry.visits[move] else 0.0

        return sorted(kept, key=lambda move: (-mean(move), entry.moves.index(move)))


def same(node, entry):
    """Whether a tree is what the recursion kept."""
    pairs = [(node, entry)]
    while pairs:
        node, entry = pairs.pop()
        found = {child.move: (child.visits, child.reward) for child in node.children}
        kept = {
            move: (entry.visits[move], entry.rewards[move])
            for move in entry.moves
            if entry.visits[move]
        }
        if found != kept:
            return False
        pairs += [(child, entry.children[child.move]) for child in node.children]
    return True


def agrees(state, rng, iterations, engine='inplace'):
    program, entry = Program(rng), Entry(state)
    program.shot(entry, iterations)
    found, after = analyse(state, rng, Search(iterations, schedule='shot'), engine=engine)
    return found.iterations == iterations and after == program.rng and same(found.tree, entry)


positions_of_games = st.one_of(drawn_trees(), small_positions)


@given(positions_of_games, generators(), st.integers(1, 400))
@settings(max_examples=40)
def test_matches_the_recursion(state, rng, iterations):
    """Any number of moves, any budget; trees in which a side moves twice; nothing left over."""
    assert agrees(state, rng, iterations)


def test_a_deep_game():
    """Deeper than Python's recursion: a line of moves, each with one child."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        found, _ = analyse(Corridor(450), RNG, Search(400, schedule='shot'), engine='inplace')
    finally:
        sys.setrecursionlimit(limit)
    assert (found.iterations, found.nodes) == (400, 401)
