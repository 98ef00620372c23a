"""Closing: fully explored branches are left out."""

import math
from functools import reduce

import pytest
from hypothesis import given, settings, strategies as st

from drawn import games
from fmcts import Search, SplitMix, analyse, trees
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.search._arithmetic import logarithm_of
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS
from fmcts.search.resolution import RESOLUTIONS
from fmcts.testing import generators, positions
from tiers import usually

RNG = SplitMix.from_seed(1)
NEAR_THE_END = reduce(lambda state, move: state.play(move), (4, 0, 2, 6), tictactoe.start)


def positions_below(state):
    return 1 + sum(positions_below(state.play(move)) for move in state.moves)


@pytest.mark.parametrize('engine', ENGINES)
def test_the_search_ends_when_every_line_is_explored(engine):
    """Each iteration makes one node, and none is made twice: so they are as many as positions."""
    search = Search(100_000, closing=True)
    analysis, _ = analyse(NEAR_THE_END, RNG, search, engine=engine)
    assert analysis.nodes == positions_below(NEAR_THE_END)
    assert analysis.iterations == analysis.nodes - 1
    assert all(node.columns.own == (1.0,) for node in walk(analysis.tree))
    again, rng = analyse(NEAR_THE_END, RNG, search, engine=engine, tree=analysis)
    assert (again, rng) == (analysis, RNG)


@given(games(), generators())
@settings(max_examples=60)
def test_every_game_closes_within_as_many_iterations_as_positions(game, rng):
    analysis, _ = analyse(game, rng, Search(100_000, closing=True), engine='inplace')
    assert analysis.iterations + 1 == analysis.nodes == positions_below(game)


ROOT_OF_2 = math.sqrt(2)


def naive(state, rng, iterations):
    """The text's closing in one piece: flags that go up the tree with the playout's result.

    A node is a list: state, mover, visits, reward, children, closed.
    """
    root = [state, state.player.other, 0, 0.0, [], False]
    for _ in range(iterations):
        if root[5]:
            break
        path = [root]
        while True:
            node = path[-1]
            state, _, visits, _, children, _ = node
            if len(children) < len(state.moves):
                after = state.play(state.moves[len(children)])
                children.append([after, state.player, 0, 0.0, [], False])
                path.append(children[-1])
                break
            log = logarithm_of(1 + visits)
            path.append(
                max(
                    (child for child in children if not child[5]),
                    key=lambda it: it[3] / it[2] + ROOT_OF_2 * math.sqrt(log / it[2]),
                )
            )
        state = path[-1][0]
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        for node in reversed(path):
            node[2] += 1
            node[3] += 0.5 if state.winner is None else state.winner is node[1]
            explored = len(node[4]) == len(node[0].moves)
            node[5] = explored and all(child[5] for child in node[4])
    return root, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=20)
def test_matches_the_french_text_s_program(start, data, rng, iterations):
    state = data.draw(positions(start, running=True))
    expected, rng_after = naive(state, rng, iterations)
    analysis, after = analyse(state, rng, Search(iterations, closing=True), engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.visits, node.reward) == (plain[2], plain[3])
        assert node.columns.own == (float(plain[5]),)
        pairs += zip(node.children, plain[4], strict=True)


@pytest.mark.parametrize('name', usually(['ucb1', 'ucb1-tuned', 'puct', 'grave'], METHODS))
@given(positions(tictactoe.start, running=True), generators())
@settings(max_examples=15)
def test_equals_plain_search_until_something_closes(name, state, rng):
    closing = trees(state, rng, Search(selection=name, closing=True))
    plain = trees(state, rng, Search(selection=name))
    for _, (one, after), (two, other_after) in zip(range(60), closing, plain, strict=False):
        if any(node.columns.own[-1] for node in walk(one)):
            break
        assert after == other_after
        kept = [(node.move, node.visits, node.reward) for node in walk(one)]
        assert kept == [(node.move, node.visits, node.reward) for node in walk(two)]


def test_a_closed_child_can_still_be_chosen():
    """A win at once has one visit, and is closed by it; by the highest mean it is played."""
    state = reduce(lambda state, move: state.play(move), (3, 0, 3, 0, 3, 1), connect4.start)
    analysis, _ = analyse(state, RNG, Search(500, closing=True, final='max'))
    assert analysis.move == 3
    assert analysis.stats[3].visits == 1
    assert analysis.stats[3].value == 1.0


def test_closed_does_not_mean_proven():
    """The columns have names of their own, which the digest of a tree holds."""
    assert {*RESOLUTIONS} == {'proof', 'bounds', 'closed'}
    state = tictactoe.parse('XO.OX....').unwrap()
    found, _ = analyse(state, SplitMix.from_seed(1), Search(50, closing=True), engine='inplace')
    assert found.tree.columns.names.own == ('closed',)
    assert (found.proof, {row.proof for row in found.stats}) == (None, {None})
