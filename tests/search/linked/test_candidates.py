"""Compiled searches with root moves: the root's block has only these."""

import pickle

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse, reroot
from fmcts._linked.tree.nodes import LazyNode
from fmcts.games import GAMES, connect4, find_game
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT
from fmcts.testing import positions, searches
from shapes import equal
from tiers import is_interpreted, usually

RNG = SplitMix.from_seed(1)
MANY = 2_000  # iterations for which `auto` compiles

SEEDED = st.integers(0, 2**64 - 1).map(SplitMix.from_seed)
running = positions(GAMES['tictactoe'].start, running=True)


# Each method, expansion and generator is machine code of its own, which other tests need too where
# the game is this one and the method or the expansion is the usual one. How many rows a block has,
# which the root's place depends on, is up to the method; how moves are tried, to the expansion.
@pytest.mark.parametrize(
    'method', usually(['ucb1', 'amaf'], ['ucb1', 'ucb1-tuned', 'puct', 'amaf'])
)  # one of each form
@given(running, SEEDED, st.data())
@settings(max_examples=12)
def test_equals_the_reference(method, state, rng, data):
    """Any moves, UCB1 by any expansion; and going on, by the same method, with the same moves."""
    chosen = data.draw(st.sets(st.sampled_from(state.moves), min_size=1))
    drawn = searches(max_iterations=150, selection=method)
    if method != 'ucb1':
        drawn = drawn.map(lambda search: evolve(search, expansion=None))
    search = data.draw(drawn)
    one, rng = equal(state, rng, search, root_moves=chosen)
    assert {row.move for row in one.stats} == chosen
    assert one.tree.moves == tuple(move for move in state.moves if move in chosen)
    assert one.move in chosen
    for _ in range(2):
        search = evolve(data.draw(drawn), iterations=data.draw(st.integers(1, 60)))
        one, rng = equal(state, rng, search, tree=pickle.loads(pickle.dumps(one)))  # noqa: S301


@given(running, SEEDED, st.data())
@settings(max_examples=15)
def test_below_the_root_all_moves_are_legal(state, rng, data):
    """Re-rooted at a move that was among them, or at another."""
    chosen = data.draw(st.sets(st.sampled_from(state.moves), min_size=1))
    search = data.draw(searches(max_iterations=150))
    one, rng = equal(state, rng, search, root_moves=chosen)
    move = data.draw(st.sampled_from(state.moves))
    if state.play(move).over:
        return
    after = reroot(one, move)
    assert after.moves == state.play(move).moves
    assert (after.visits > 0) <= (move in chosen)
    equal(after.state, rng, data.draw(searches(max_iterations=60)), tree=after)


def by_state(state):
    return [1.0 / (1 + move) for move in state.moves]


def by_position(_position, cell):
    return 1.0 / (1 + cell % 7 + cell // 7)


@pytest.mark.parametrize(
    'engine', usually(is_interpreted, ['persistent', 'monadic', 'inplace', 'compiled'])
)
def test_priors_are_restricted_to_the_root_moves(engine):
    """It gives a number for every legal move, and the root keeps those of its own."""
    few = [6, 2]
    search = Search(90, selection=PUCT(prior=OnPositions(by_position)))
    analysis, _ = analyse(connect4.start, RNG, search, engine=engine, root_moves=few)
    every, _ = analyse(connect4.start, RNG, search, engine='persistent')
    (priors,), (all_priors,) = analysis.tree.columns.moves, every.tree.columns.moves
    assert priors == (all_priors[2], all_priors[6])
    if engine != 'compiled':
        search = Search(90, selection=PUCT(prior=by_state))
        analysis, _ = analyse(connect4.start, RNG, search, engine=engine, root_moves=few)
        assert analysis.tree.columns.moves == ((1 / 3, 1 / 7),)
    expected, _ = analyse(connect4.start, RNG, search, engine='persistent', root_moves=few)
    assert analysis.digest == expected.digest


@pytest.mark.parametrize('selection', usually(['amaf'], ['ucb1', 'amaf']))
def test_root_moves_in_a_wide_game(selection):
    start, few = find_game('hex:9').unwrap().start, [0, 44, 45, 63, 64, 80]
    search = Search(25, selection=selection)
    one, rng = equal(start, RNG, search, root_moves=few)
    assert [row.move for row in one.stats] == few
    equal(start, rng, search, tree=one)


@pytest.mark.usefixtures('willing')
def test_auto_supports_root_moves():
    start = GAMES['tictactoe'].start
    analysis, _ = analyse(start, RNG, Search(MANY), root_moves=[1])
    assert analysis.move == 1
    assert analysis.iterations == MANY
    assert isinstance(analysis.tree, LazyNode)
