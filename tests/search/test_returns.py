"""Rewards on the way, discount and horizon: transcription, dynamic programming, all engines."""

import math
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings, strategies as st

from chained import PYTHON, agree
from drawn_games import start_of
from fmcts import GameError, Search, SplitMix, StdGen, analyse, monte_carlo, reroot, trees
from fmcts.asking import asking
from fmcts.errors import EndlessGameError, FmctsWarning, MethodError
from fmcts.game import chances_of, illegal
from fmcts.games import connect4, tictactoe
from fmcts.games.from_rules import make_game
from fmcts.history import history
from fmcts.record import play_seats
from fmcts.rules import IntegerRules
from fmcts.search import principal_variation
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import AMAF, UCB1, Gumbel, ImplicitMinimax, UCB1Tuned
from fmcts.search.methods.method import Scale
from fmcts.solve import check_expectation, expectation
from fmcts.testing import check_game, check_rules
from toy_games import Puzzle
from transcription import (
    Node,
    Rewarded,
    normalised as scaled,
    rows,
    rows_of,
    search as naive_search,
    ucb1,
)

DISCOUNTS = st.sampled_from([0.5, 0.75, 1.0])  # with halves every sum is exact
HORIZONS = st.sampled_from([None, 1, 2, 3, 4, 9])
KINDS = st.sampled_from([SplitMix, StdGen])
SEEDS = st.integers(0, 10**4)
STARTS = st.builds(start_of, SEEDS, st.integers(1, 3), ends=st.booleans())


SELECTED = (
    {'c': 2.0, 'expansion': 'in-order'},
    {'c': 2.0, 'expansion': 'random'},
    {'c': 2.0, 'expansion': 'full'},
    {'normalised': True},
    {'normalised': True, 'expansion': 'full', 'final': 'ucb'},
    {'normalised': True, 'selection': 'puct'},
    {'normalised': True, 'selection': 'puct-reduced'},
    {'normalised': True, 'selection': 'ucb1-tuned'},
    {'normalised': True, 'selection': 'grave'},
    {'normalised': True, 'selection': lambda edge, _parent: edge.value + 1.0 / edge.visits},
    {'c': 2.0, 'selection': 'ucb1-tuned'},
    {'c': 2.0, 'selection': 'puct-reduced'},
    {'c': 2.0, 'selection': 'grave'},
    {'c': 2.0, 'playout': 'mast'},
    {'c': 2.0, 'transpositions': 'sound', 'expansion': 'full'},
    {'c': 2.0, 'transpositions': 'sound', 'selection': 'puct'},
    {'normalised': True, 'transpositions': 'sound', 'final': 'ucb'},
)


@settings(max_examples=60, deadline=None)
@given(STARTS, SEEDS, st.integers(1, 60), DISCOUNTS, HORIZONS, KINDS, st.booleans())
def test_every_engine_matches_the_transcription(
    start, seed, iterations, discount, horizon, kind, normalised
):
    rng, means, near = kind.from_seed(seed), [], horizon or math.inf
    score, keep = scaled(2.0, means)
    root, after = naive_search(
        Node(start),
        rng,
        iterations,
        score if normalised else partial(ucb1, c=2.0),
        after=keep,
        discount=discount,
        horizon=near,
    )
    search = Search(iterations, c=2.0, discount=discount, horizon=horizon, normalised=normalised)
    for engine in PYTHON:
        found, next_rng = analyse(start, rng, search, engine=engine)
        assert rows_of(found.tree) == rows(root)
        assert next_rng == after
        if normalised:
            assert found.tree.columns.own == (min(means), max(means))


@settings(max_examples=20, deadline=None)
@given(STARTS, SEEDS, st.floats(0.5, 1.0), HORIZONS, st.sampled_from(SELECTED))
def test_engines_agree_and_histories_replay(start, seed, discount, horizon, selected):
    """Also where sums are rounded; a log has the numbers of every version."""
    rng = SplitMix.from_seed(seed)
    search = Search(40, discount=discount, horizon=horizon, **selected)
    found = agree(start, rng, search, *PYTHON, engine='auto')
    half = evolve(search, iterations=20)
    first, after = analyse(start, rng, half)
    assert analyse(start, after, half, tree=first) == found
    recorded = history(start, rng, search)
    assert recorded.digest == found[0].digest
    assert recorded.at(20).digest == first.digest
    if not (search.columns or search.policy.memories):
        assert recorded.log.digest() == found[0].digest
        assert recorded.log.digest(20) == first.digest
    recorded.why(33)
    assert recorded.timeline(4)[-1].stats == found[0].stats


def backed_up(node, discount, left):
    """Return the value of a tree's node for one player by fractions, from complete children."""
    if node.state.over or (left == 0 and not chances_of(node.state)):
        return sum(map(Fraction, getattr(node.state, 'rewards', ())))
    chances = chances_of(node.state)
    assert len(node.children) == len(node.moves)  # the tree is complete
    values = []
    for child in node.children:
        factor = discount if child.state.moves else 1
        more = backed_up(child, discount, left if chances else left - 1)
        values.append(Fraction(child.state.gained[0]) + factor * more)
    if not chances:
        return max(values)
    weights = [weight for _, weight in chances]
    return sum(w * value for w, value in zip(weights, values, strict=True)) / sum(weights)


@pytest.mark.parametrize('seed', range(8))
@pytest.mark.parametrize('discount', [0.5, 0.75, 1.0])
def test_a_complete_tree_is_worth_what_dynamic_programming_says(seed, discount):
    start = start_of(seed, ends=True)
    search = Search(3000, c=1000.0, discount=discount, horizon=2)
    tree = analyse(start, SplitMix.from_seed(seed), search)[0].tree
    found = expectation(start, discount=discount, horizon=2)
    assert check_expectation(found) == len(found.table)
    assert backed_up(tree, Fraction(discount), 2) == found.values[0]


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(1, 3), DISCOUNTS, HORIZONS)
def test_values_by_fractions_hold_by_the_rules(seed, players, discount, horizon):
    start = start_of(seed, players, ends=True)
    found = expectation(start, discount=discount, horizon=horizon)
    assert check_expectation(found) == len(found.table)
    key = start if horizon is None else (start, horizon)
    wrong = {**found.table, key: tuple(value + 1 for value in found.values)}
    with pytest.raises(GameError, match='is wrong'):
        check_expectation(evolve(found, table=wrong))


@frozen
class AtTheEnd:
    """A process whose last reward is told by `gained`, or by `rewards` without anything else."""

    inner: object
    chances = property(lambda self: self.inner.chances)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)
    player = property(lambda self: self.inner.player)
    players = property(lambda self: self.inner.players)
    gained = property(
        lambda self: self.inner.rewards if self.over else (0.0,) * len(self.inner.players)
    )

    def play(self, move):
        return AtTheEnd(self.inner.play(move))


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(1, 3), DISCOUNTS, st.integers(1, 50))
def test_a_reward_of_the_end_is_one_gained_by_reaching_it(seed, players, discount, iterations):
    start = start_of(seed, players, ends=True, on_the_way=False)
    search, rng = Search(iterations, discount=discount), SplitMix.from_seed(seed)
    told, gaining = (analyse(it, rng, search)[0] for it in (start, AtTheEnd(start)))
    assert (told.digest, told.stats) == (gaining.digest, gaining.stats)


def test_laws_and_rules_hold():
    assert check_game(Coins()).unwrap()
    assert check_rules(start_of(5, 2, ends=True)).unwrap()


@frozen
class Coins:
    """One player takes coins from a row, from either end, which costs something once."""

    row: tuple = (5, 1, 7, 2)
    cost: int = 1
    gained: float = 0.0
    players = ('me',)
    player = 'me'
    over = property(lambda self: not self.row)
    moves = property(lambda self: ('left', 'right')[: len(self.row)] if self.row else ())

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        first, last = self.row[0], self.row[-1]
        taken, left = (first, self.row[1:]) if move == 'left' else (last, self.row[:-1])
        return Coins(left, self.cost, taken - self.cost * (len(left) == 2))


SCALED = (
    *('ucb1', 'ucb1-tuned', 'ucb-v', 'amaf', 'rave', 'rave-silver'),
    ImplicitMinimax(heuristic=lambda state: float(sum(state.row))),
)


@pytest.mark.parametrize('selection', SCALED)
def test_another_scale_changes_nothing_where_values_are_normalised(selection):
    """Times a power of two, exactly."""
    small = Search(200, normalised=True, selection=selection)
    one, other = (
        analyse(Coins(row, cost), SplitMix.from_seed(1), small)[0]
        for row, cost in (((5, 1, 7, 2), 1), ((320, 64, 448, 128), 64))
    )
    assert [row.visits for row in one.stats] == [row.visits for row in other.stats]
    assert other.value == 64 * one.value


@pytest.mark.parametrize('selection', [*SCALED[:-1], 'grave', 'implicit-minimax', 'power-mean'])
def test_machine_code_has_the_same_scale(selection):
    search = Search(200, normalised=True, selection=selection)
    agree(connect4.start, RNG, search, 'compiled')


@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=9),
    st.floats(-100, 0),
    st.floats(0.125, 100),
)
def test_columns_on_another_scale_are_those_of_rewards_on_it(rewards, least, width):
    scale, count, total = Scale(least, width), float(len(rewards)), sum(rewards)
    moved = [(it - least) / width for it in rewards]
    squares = sum(it * it for it in rewards)
    tuned = UCB1Tuned().edge(count, total, total / count, squares)
    near = partial(pytest.approx, rel=1e-6, abs=1e-6)
    assert UCB1Tuned().scaled(tuned, scale).squares == near(sum(it * it for it in moved))
    amaf = AMAF().edge(count, total, total / count, count, total)
    assert AMAF().scaled(amaf, scale).amaf_reward == near(sum(moved))


def test_rewards_beyond_one_are_noticed_once_if_nothing_fits_them():
    rng = SplitMix.from_seed(1)
    for search in (Search(30, normalised=True), Search(30, c=10.0), Search(30, selection=UCB1())):
        analyse(Coins(), rng, search)  # warnings are errors here
    with pytest.warns(FmctsWarning, match=r'worth from .* to .*: use Search\(normalised=True\)'):
        analyse(Coins(), rng, Search(30))
    analyse(Coins(), rng, Search(30))
    analyse(Coins((1, 0), 0), rng, Search(30))


def test_a_number_alone_is_what_one_player_gains():
    state, rng = Coins(), SplitMix.from_seed(1)
    found, rng = analyse(state, rng, Search(200, c=10.0, discount=0.5))
    assert found.move == expectation(state, discount=0.5).move == 'left'
    tree = reroot(found, 'left')
    again = Search(50, c=10.0, discount=0.5)
    assert analyse(tree.state, rng, again, tree=tree)[0].move == 'right'
    record, _ = play_seats(state, [monte_carlo(400)], rng)
    assert record.rewards == (14.0,)


WAYS = {
    'auto': analyse,
    **{name: partial(analyse, engine=name) for name in ('compiled', *PYTHON)},
    'history': partial(history, engine='persistent'),
    'trees': lambda *given: next(trees(*given)),
    'asking': asking,
}


@pytest.mark.parametrize(
    ('way', 'options'),
    [
        (way, options)
        for options in ({'discount': 0.9}, {'horizon': 3}, {'solver': 'exact'})
        for way in WAYS
    ],
)
def test_what_needs_rewards_is_refused_however_a_game_for_two_is_searched(way, options):
    expected = r"^(discount|horizon|solver='exact') is not supported in a game of X and O"
    with pytest.raises(MethodError, match=expected):
        WAYS[way](tictactoe.start, SplitMix.from_seed(1), Search(5, **options))


def test_wrong_numbers_are_refused_in_one_line():
    rng = SplitMix.from_seed(1)
    for gained in (None, (1.0, 2.0), float('nan'), float('inf'), 'much'):
        state = type('Wrong', (Coins,), {'play': lambda _s, _m, it=gained: Coins((), 1, it)})()
        with pytest.raises(GameError, match='accepted is a tuple of 1 finite numbers'):
            analyse(state, rng, Search(5), engine='persistent')
    for wrong in ({'discount': 0}, {'discount': 1.5}, {'discount': float('nan')}, {'horizon': 0}):
        with pytest.raises(ValueError, match='must be'):
            Search(5, **wrong)
    endless = type('Endless', (Coins,), {'play': lambda state, _move: state})()
    with pytest.raises(EndlessGameError, match=r'or give the search a horizon$'):
        analyse(endless, rng, Search(5, max_plies=10))
    plan = expectation(Coins(), horizon=2)
    for call in (plan.best, lambda state, left: plan.value_of(state, 'left', left)):
        with pytest.raises(ValueError, match=r'^the plan has 2 moves, not 3$'):
            call(Coins(), 3)


RNG = SplitMix.from_seed(1)


@frozen
class Line:
    """Five moves of up to three players, without chance; each move brings something to each."""

    count: int
    at: int = 1
    left: int = 5
    gained: tuple = (0.0,)
    players = property(lambda self: tuple('ABC'[: self.count]))
    player = property(lambda self: 'ABC'[self.left % self.count])
    over = property(lambda self: self.left == 0)
    moves = property(lambda self: () if self.over else (0, 1, 2)[: 2 + self.at % 2])

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        at = (self.at * 5 + move * 3 + 1) % 17
        gained = tuple((at * (player + 3)) % 7 - 2.0 for player in range(self.count))
        return Line(self.count, at, self.left - 1, gained)


def judging(states):
    """Priors, and values below 0 and above 1 for each player."""
    priors = [[1.0 / (1 + index) for index in range(len(state.moves))] for state in states]
    values = [
        tuple((len(state.moves) * 3 + it + state.left) % 5 - 1.0 for it in range(state.count))
        for state in states
    ]
    return priors, values


GUMBEL = {'selection': Gumbel(rescale=True), 'schedule': GumbelHalving()}
OPTIONS = {
    'closing': {'closing': True, 'discount': 0.9, 'normalised': True},
    'shot': {'schedule': 'shot'},
    'gumbel halving': GUMBEL,
    'batch': {'network': judging, 'batch': 4, 'selection': 'puct-reduced', 'c': 2.0},
    'collisions': {'network': judging, 'batch': 4, 'collisions': 2, 'c': 2.0, 'discount': 0.5},
    'sliding': {'network': judging, 'batch': 4, 'sliding': True, 'c': 2.0},
    'normalised batch': {'network': judging, 'batch': 4, 'normalised': True, 'discount': 0.9},
    'normalised window': {'network': judging, 'batch': 4, 'normalised': True, 'sliding': True},
    'one by one': {'network': judging, 'normalised': True},
    'near batch': {'network': judging, 'c': 2.0, 'batch': 5, 'horizon': 3, 'collisions': 3},
    'near window': {'network': judging, 'c': 2.0, 'batch': 3, 'sliding': True, 'horizon': 2},
    'near values': {
        'network': judging,
        'c': 2.0,
        'selection': 'ucb1-tuned',
        'batch': 4,
        'horizon': 2,
    },
    'gumbel batch': {'network': judging, 'batch': 3, **GUMBEL},
}


@pytest.mark.parametrize('count', [1, 2, 3])
@pytest.mark.parametrize('name', OPTIONS)
def test_searches_by_networks_agree_and_histories_replay(name, count):
    start, search = Line(count, gained=(0.0,) * count), Search(80, **OPTIONS[name])
    found, _ = agree(start, RNG, search, *PYTHON, engine='auto')
    made = history(start, RNG, search)
    assert made.digest == found.digest
    made.why(made.last)
    if not (search.columns or search.policy.memories):
        assert made.log.digest() == made.digest


@settings(max_examples=30, deadline=None)
@given(STARTS, SEEDS, st.integers(1, 60), DISCOUNTS, st.sampled_from([1, 2, 3]), KINDS)
def test_at_a_horizon_no_network_is_asked(start, seed, iterations, discount, horizon, kind):
    """But outcomes are drawn; later searches of the tree go beyond it."""
    asked = []

    def network(states):
        asked.extend(states)
        return [[1.0] * len(state.moves) for state in states], [worths(it) for it in states]

    def worths(state):
        return tuple((3 * hash(state) + seat) % 8 / 4 for seat in state.players)

    rng = kind.from_seed(seed)
    root, after = naive_search(
        Node(start),
        rng,
        iterations,
        partial(ucb1, c=2.0),
        judge=worths,
        discount=discount,
        horizon=horizon,
    )
    options = {'network': network, 'selection': 'ucb1', 'c': 2.0, 'discount': discount}
    search = Search(iterations, horizon=horizon, **options)
    for engine in PYTHON:
        found, next_rng = analyse(start, rng, search, engine=engine)
        assert rows_of(found.tree) == rows(root)
        assert next_rng == after
    assert all(state.position.made < horizon for state in asked)
    tree = found.tree
    if tree.children and (child := max(tree.children, key=lambda it: it.visits)).state.moves:
        for selection in ('ucb1', 'puct'):
            again = Search(40, horizon=horizon, **{**options, 'selection': selection})
            first, left = analyse(start, rng, evolve(again, iterations=iterations))
            on = reroot(first, child.move)
            if on.visits and on.state.moves:
                agree(on.state, left, again, tree=on)


TELLING = {
    'plain': {},
    'closing': {'closing': True},
    'shot': {'schedule': 'shot'},
    **{name: {'selection': name} for name in ('ucb1-tuned', 'puct', 'amaf', 'rave', 'grave')},
    **{name: {'playout': name} for name in ('mast', 'nst', 'last-good-reply')},
    'normalised': {'normalised': True},
}


@pytest.mark.parametrize('name', TELLING)
def test_rewards_that_say_who_won_change_nothing(name):
    """Max^n of two players is the search of the plain game, to the bit."""
    search = Search(150, **TELLING[name])
    plain, after = analyse(tictactoe.start, RNG, search, engine='inplace')
    told, other = analyse(Rewarded(tictactoe.start), RNG, search, engine='inplace')
    assert (rows_of(told.tree), told.stats, other) == (rows_of(plain.tree), plain.stats, after)
    assert told.tree.columns == plain.tree.columns


def test_moves_of_chance_are_in_no_table():
    tree = analyse(start_of(3), RNG, Search(60, playout='mast', c=2.0))[0].tree
    (table,) = tree.columns.memory
    assert {key for _, key in table.entries} <= {0, 1, 2, 3}
    assert {player for player, _ in table.entries} == {0}
    assert all(row[0] == 0 for row in table.rows)


class Digits(NamedTuple):
    """A number that grows by a digit a move, six times."""

    number: int
    left: int


DIGITS = make_game(
    'digits',
    Digits(1, 6),
    IntegerRules(
        menu=lambda at: 0b111 if at.left else 0,
        play=lambda at, move: Digits((at.number * 5 + move * 3) % 97, at.left - 1),
        side=lambda _at: 0,
        players=1,
        rewards=lambda at, _player: at.number / 97.0,
    ),
    players=('me',),
)


@pytest.mark.parametrize('bounds', [False, True])
def test_a_puzzle_for_one_player_is_proven_solved(bounds):
    """Its winner is told, so it has wins and losses."""
    search = Search(20_000, solver=True, bounds=bounds)
    analysis, _ = agree(Puzzle(), RNG, search)
    assert str(analysis.proof) == 'win in 5'
    state = Puzzle()
    for move in principal_variation(analysis.tree):
        state = state.play(move)
    assert state.winner == 'player'
    lost, _ = analyse(Puzzle(left=3), RNG, search)
    assert str(lost.proof) == 'loss in 3'
    assert lost.iterations < 100


@pytest.mark.needs_numba
@pytest.mark.parametrize('selection', ['implicit-minimax', 'power-mean'])
def test_one_player_has_the_best_of_the_numbers_below(selection):
    search = Search(300, selection=selection)
    tree = agree(DIGITS.start, RNG, search, *PYTHON, engine='compiled')[0].tree
    if selection == 'implicit-minimax':
        assert tree.columns.own[0] == max(child.columns.own[0] for child in tree.children)
