"""The solver: its choices, when it ends, and refused combinations."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse, trees
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import principal_variation, walk
from fmcts.search.methods import METHODS
from fmcts.search.resolution import SOLVER, Proven
from fmcts.search.resolution.solver import AT_LEAST, AT_MOST, proof_at, proof_number
from fmcts.testing import generators, positions
from tiers import usually
from toy_games import Tree, drawn_trees, play_line, small_positions, solved
from transcription import Node, rows, rows_of, search as naive_search, ucb1

RNG = SplitMix.from_seed(1)


def test_a_won_position_ends_the_search(engine):
    state = play_line(connect4.start, (3, 0, 3, 0, 3, 1))
    analysis, _ = analyse(state, RNG, Search(1000, solver=True), engine=engine)
    assert (analysis.move, analysis.iterations) == (3, 4)  # the fourth move in order wins
    assert analysis.proof == Proven(1.0, 1)
    assert [row.proof for row in analysis.stats] == [None, None, None, Proven(1.0, 1), *[None] * 3]
    assert analysis.principal_variation == (3,)
    again, _ = analyse(state, RNG, Search(1000, solver=True), engine=engine, tree=analysis)
    assert again == analysis  # nothing is left to do
    assert analysis.tree.columns.own == (-2.0,)  # for the opponent, from the move before


LONG = Tree(  # X to move: 0 draws, 1 wins in three, 2 wins at once, 3 loses
    Player.X,
    (
        Tree(Player.O, won=None),
        Tree(Player.O, (Tree(Player.X, (Tree(Player.O, won=Player.X),)),)),
        Tree(Player.O, won=Player.X),
        Tree(Player.O, (Tree(Player.X, won=Player.O),)),
    ),
)
LOST = Tree(  # X loses in two, or in four
    Player.X,
    (
        Tree(Player.O, (Tree(Player.X, won=Player.O),)),
        Tree(Player.O, (Tree(Player.X, (Tree(Player.O, (Tree(Player.X, won=Player.O),)),)),)),
    ),
)


@pytest.mark.parametrize(
    'final', ['robust', 'first-robust', 'max', 'ucb', lambda edge, _: -edge.visits]
)
def test_the_longest_loss_is_preferred(final):
    analysis, _ = analyse(LOST, RNG, Search(1000, solver=True, final=final), engine='inplace')
    assert analysis.move == 1
    assert analysis.proof == Proven(0.0, 4)
    assert [row.proof for row in analysis.stats] == [Proven(0.0, 2), Proven(0.0, 4)]
    assert principal_variation(analysis.tree) == (1, 0, 0, 0)


def test_the_shortest_win_is_preferred():
    """Grown at first without the winning move, so that the longer win is known before it."""
    numbers = [0.5, 3.0, 1.0, -2.0]
    assert SOLVER.preferred(numbers) == [2]
    assert SOLVER.preferred([0.5, -2.0, 0.0]) == [0, 2]
    assert SOLVER.preferred([-2.0, -4.0, -4.0]) == [1]
    analysis, _ = analyse(LONG, RNG, Search(1000, solver=True), engine='inplace')
    assert analysis.move == 2


def test_a_tree_without_the_proof_column_is_refused(engine):
    plain, _ = analyse(tictactoe.start, RNG, Search(5), engine=engine)
    with pytest.raises(ValueError, match='keeps no columns, the search the columns proof'):
        analyse(tictactoe.start, RNG, Search(5, solver=True), tree=plain, engine=engine)


# ---- before an ending nothing changes ----


# What resolves nodes is written once for all methods: one of each form says as much.
@pytest.mark.parametrize('resolves', ['solver', 'closing'])
@pytest.mark.parametrize('name', usually(['ucb1', 'ucb1-tuned', 'puct', 'grave'], METHODS))
@given(small_positions, generators())
@settings(max_examples=15)
def test_equals_plain_search_until_something_is_resolved(name, resolves, state, rng):
    """The same visits and rewards, iteration for iteration, up to the first end."""
    resolving = trees(state, rng, Search(selection=name, **{resolves: True}))
    plain = trees(state, rng, Search(selection=name))
    for _, (one, after), (two, other_after) in zip(range(60), resolving, plain, strict=False):
        if any(node.columns.own[-1] for node in walk(one)):
            break
        assert after == other_after
        kept = [(node.move, node.visits, node.reward) for node in walk(one)]
        assert kept == [(node.move, node.visits, node.reward) for node in walk(two)]


# ---- proofs are true ----


def breaches(tree):
    """The nodes of which something is claimed that is not so."""
    for node in walk(tree):
        proof = proof_at(node)
        for_x, plies = solved(node.state)
        number, mover = proof_number(node), for_x if node.mover is Player.X else 1.0 - for_x
        if (number == AT_LEAST and mover < 0.5) or (number == AT_MOST and mover > 0.5):
            yield node
        if proof is None:
            continue
        mine = for_x if node.state.player is Player.X else 1.0 - for_x
        if proof.reward != mine or (proof.plies is not None and proof.plies < plies):
            yield node


@given(
    drawn_trees(),
    generators(),
    st.integers(1, 300),
    st.sampled_from([*METHODS]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=150)
def test_every_proof_is_true(game, rng, iterations, name, bounds, data):
    """In trees of any shape, with sides that move twice; and the winner needs no more plies.

    When all that can be proven is, the root is proven, and its value is exact.
    """
    full = data.draw(st.sampled_from([None, 'full', 'random']))
    search = Search(iterations, selection=name, solver=True, bounds=bounds, expansion=full)
    analysis, _ = analyse(game, rng, search, engine='persistent')
    assert [*breaches(analysis.tree)] == []
    if analysis.iterations < iterations:
        for_x, _ = solved(game)
        assert analysis.proof.reward == (for_x if game.player is Player.X else 1.0 - for_x)
        assert solved(game.play(analysis.move))[0] == for_x


@given(drawn_trees(), generators(), st.booleans())
@settings(max_examples=60)
def test_every_game_is_eventually_solved(game, rng, bounds):
    """Each iteration that proves nothing makes a node, or is a draw known before."""
    search = Search(100_000, solver=True, bounds=bounds)
    analysis, _ = analyse(game, rng, search, engine='inplace')
    assert analysis.iterations < 100_000
    assert analysis.proof is not None


def proof(node):
    """What is proven for the mover, from all that is below: 0, 1/2, n or -n."""
    state = node.state
    if state.over:
        number = 0.5 if state.winner is None else 1 if state.winner is node.mover else -1
        return number if node.visits else 0
    found = [proof(child) for child in node.children.values()]
    sign = 1 if node.mover is state.player else -1
    if any(number >= 1 for number in found):
        return sign * (min(number for number in found if number >= 1) + 1)
    if len(found) < len(state.moves) or 0 in found:
        return 0
    return 0.5 if 0.5 in found else -sign * (max(-number for number in found) + 1)


def unless_lost(node, index):
    return -math.inf if proof(node.children[index]) < 0 else ucb1(node, index)


@pytest.mark.parametrize('drawn', [True, False])
@given(st.data(), generators(), st.integers(1, 60))
@settings(max_examples=25)
def test_matches_a_naive_transcription(drawn, data, rng, iterations):
    ends = [positions(it, running=True) for it in (tictactoe.start, connect4.start)]
    state = data.draw(drawn_trees() if drawn else st.one_of(*ends))
    root, rng_after = naive_search(Node(state), rng, iterations, unless_lost, until=proof)
    analysis, after = analyse(state, rng, Search(iterations, solver=True), engine='persistent')
    assert after == rng_after
    assert rows_of(analysis.tree) == rows(root)
    assert [node.columns.own for node in walk(analysis.tree)] == [
        (proof(node),) for _, node in root.all()
    ]


# ---- every position of tic-tac-toe ----


def every_position():
    """Every unfinished position, in an order that is always the same."""
    found, unseen = {tictactoe.start: None}, [tictactoe.start]
    while unseen:
        state = unseen.pop()
        for after in map(state.play, state.moves):
            if not after.over and after not in found:
                found[after] = None
                unseen.append(after)
    return [*found]


@pytest.mark.exhaustive  # all positions; drawn ones are above
@pytest.mark.needs_numba
def test_no_false_proof_and_no_misplay_in_any_position():
    """In 20,000 iterations each; few every_position near the start stay open."""
    every = every_position()
    assert len(every) == 4520
    unproven = []
    for state in every:
        search = Search(20_000, solver=True)
        analysis, _ = analyse(state, SplitMix.from_seed(3), search, engine='compiled')
        for_x, plies = solved(state)
        assert solved(state.play(analysis.move))[0] == for_x
        proof = analysis.proof
        if proof is None:
            unproven.append(state)
            continue
        assert proof.reward == (for_x if state.player is Player.X else 1.0 - for_x)
        assert proof.plies is None or proof.plies >= plies
    assert len(unproven) < 20
    assert all(len(state.moves) >= 7 for state in unproven)
