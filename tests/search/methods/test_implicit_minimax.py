"""Implicit minimax: its formula, UCB1 at alpha 0, and known faults; chance and rewards."""

import math
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st

import naive
from chained import PYTHON, agree
from drawn_games import start_of
from fmcts import MethodError, Player, Search, SplitMix, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.game import chances_of
from fmcts.games.chance import pig
from fmcts.history import history
from fmcts.search import walk
from fmcts.search.methods import ImplicitMinimax, PowerMean
from transcription import ROOT_OF_2


def by_hash_of_cells(state):
    """A heuristic that tells positions apart, and sides: 0 to 1 in steps that are exact."""
    cells = str(state)
    return sum(index * ord(cell) for index, cell in enumerate(cells)) % 65 / 64


def implicit_minimax(node, index, *, alpha=0.25, c=ROOT_OF_2):
    child = node.children[index]
    known = (1.0 - alpha) * (child.reward / child.visits) + alpha * child.derived['minimax']
    return known + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def minimax(node, worth, *, heuristic=None):
    if worth is not None:
        if not node.state.over:
            for_x = heuristic(node.state) if heuristic else 0.5
            worth = for_x if node.mover is Player.X else 1.0 - for_x
        return {'minimax': worth}
    best = max(child.derived['minimax'] for child in node.children.values())
    return {'minimax': best if node.mover is node.state.player else 1.0 - best}


test_matches_the_transcription = naive.law(
    implicit_minimax,
    derive=minimax,
    heuristic=st.sampled_from([None, by_hash_of_cells]),
)


# ---- with chance, and for one player with rewards ----


def to_come(state):
    """What is still to come for a single player."""
    return (sum(state.position) * 7 % 17 - 8) / 2.0


def numbers(node, heuristic, discount, left, *, root=True):
    """Check the numbers of a tree from the leaves up; the one of this node."""
    state = node.state
    chances = chances_of(state)
    gained = getattr(state, 'gained', (0.0,))[0] if not root else 0.0
    factor = 1.0 if root or chances or state.over else discount
    below = [
        (child, numbers(child, heuristic, discount, left - (not chances), root=False))
        for child in node.children
        if child.visits
    ]
    if state.over:
        found = getattr(state, 'rewards', ())
        found = node.value - gained if not found else found[0]
    elif left <= 0 and not chances:
        found = 0.0
    elif not below:
        found = heuristic(state)
        if not hasattr(state, 'rewards') and node.mover is Player.O:
            found = 1.0 - found
    elif chances:
        weights = dict(chances)
        total = sum(weights[child.move] for child, _ in below)
        found = sum(weights[child.move] * number for child, number in below) / total
    else:
        found = max(number for _, number in below)
    if below and node.mover is not state.player:
        found = 1.0 - found
    assert node.columns.own[0] == pytest.approx(gained + factor * found)
    return node.columns.own[0]


HALVES = st.sampled_from([0.5, 1.0])


@settings(max_examples=40)
@given(
    st.integers(0, 10**4),
    st.integers(1, 80),
    HALVES,
    st.sampled_from([None, 1, 3]),
    st.booleans(),
)
def test_one_player_has_what_is_gained_and_the_best_to_come(
    seed, iterations, discount, horizon, ends
):
    start = start_of(seed, ends=ends)
    method = ImplicitMinimax(alpha=0.5, heuristic=to_come, c=3.0)
    search = Search(iterations, selection=method, discount=discount, horizon=horizon)
    check(start, seed, search, partial(numbers, left=horizon or 10**9))


def check(start, seed, search, holds):
    rng, heuristic = SplitMix.from_seed(seed), search.method.heuristic or (lambda _state: 0.5)
    found, _ = agree(start, rng, search, *PYTHON, engine='auto')
    holds(found.tree, heuristic, search.discount)
    made = history(start, rng, search)
    assert made.digest == found.digest
    made.why(search.iterations)


@settings(max_examples=30)
@given(
    st.integers(2, 12).map(pig.start),
    st.integers(0, 10**4),
    st.integers(1, 100),
    st.sampled_from([None, by_hash_of_cells]),
)
def test_chance_has_the_mean_of_its_outcomes(start, seed, iterations, heuristic):
    method = ImplicitMinimax(alpha=0.5, heuristic=heuristic)
    check(start, seed, Search(iterations, selection=method), partial(numbers, left=10**9))


def test_a_power_mean_of_one_is_the_mean():
    """Where chance moves the outcomes count by weight and not by visits."""
    search = Search(3000, selection=PowerMean(p=1.0))
    tree = analyse(pig.start(8), SplitMix.from_seed(1), search)[0].tree
    for node in walk(tree):
        if node.visits > 300:
            assert node.columns.own[0] == pytest.approx(node.value, abs=0.1)


@pytest.mark.parametrize(
    ('start', 'selection', 'reason'),
    [
        (start_of(3, 2), 'implicit-minimax', 'a node has a number for its mover alone'),
        (start_of(3), 'implicit-minimax', 'they are made for values from 0 to 1'),
        (start_of(3), 'power-mean', 'they are made for values from 0 to 1'),
        (pig.start(8), 'bayes-uct1', 'outcomes are averaged, and these numbers are not means'),
    ],
)
def test_what_has_no_meaning_is_refused_with_the_reason(start, selection, reason):
    with pytest.raises(MethodError, match=f'derives numbers from children, is not .*{reason}'):
        analyse(start, SplitMix.from_seed(1), Search(9, selection=selection))
