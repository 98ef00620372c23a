"""Playouts whose states join the tree: "Rollout - Expand" of the French series' second part."""

import math
import sys
from functools import reduce
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import Search, SplitMix, analyse, trees
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.search.engines import ENGINES
from fmcts.search.errors import EngineError, NoRoomError
from fmcts.search.methods import METHODS
from fmcts.search.scoring import logarithm_of
from fmcts.search.tree import walk
from fmcts.testing import generators, positions, searches

sys.path.insert(0, str(Path(__file__).parent / 'settling'))  # importlib mode: no packages
from drawn import games

sys.path.pop(0)

ROOT_OF_2 = math.sqrt(2)
RNG = SplitMix.from_seed(1)
PYTHON = ['persistent', 'monadic', 'inplace']
running = st.one_of(*(positions(game.start, running=True) for game in GAMES.values()))


class Node:
    """The text's `Node`; children by index, as the order of playouts is not that of moves."""

    def __init__(self, state, mover):
        self.state, self.mover, self.children = state, mover, {}
        self.visits, self.score, self.closed = 0, 0.0, False

    def child(self, index):
        if index not in self.children:
            state = self.state
            self.children[index] = Node(state.play(state.moves[index]), state.player)
        return self.children[index]

    def uct(self, child):
        if child.visits == 0:
            return math.inf
        log = logarithm_of(1 + self.visits)
        return child.score / child.visits + ROOT_OF_2 * math.sqrt(log / child.visits)


def naive(state, rng, iterations):
    """The text's loop with its `rollout_expand`, a node without visits having its own turn."""
    root = Node(state, state.player.other)
    for _ in range(iterations):
        if root.closed:
            break
        path = [root]
        while path[-1].state.moves and (len(path) == 1 or path[-1].visits):
            node = path[-1]
            untried = [it for it in range(len(node.state.moves)) if it not in node.children]
            if untried:
                path.append(node.child(untried[0]))
                break
            still_open = [it for _, it in sorted(node.children.items()) if not it.closed]
            path.append(max(still_open, key=node.uct))
        below = path[-1]  # rollout_expand
        while below.state.moves:
            index, rng = rng.uniform(0, len(below.state.moves) - 1)
            below = below.child(index)
        winner = below.state.winner
        for node in reversed(path):
            node.visits += 1
            node.score += 0.5 if winner is None else winner is node.mover
            explored = len(node.children) == len(node.state.moves)
            node.closed = explored and all(child.closed for child in node.children.values())
    return root, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 100))
@settings(max_examples=25)
def test_it_is_the_text_s_program(start, data, rng, iterations):
    state = data.draw(positions(start, running=True))
    expected, rng_after = naive(state, rng, iterations)
    search = Search(iterations, rollout_expand=True, closing=True)
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.state, node.visits, node.reward) == (plain.state, plain.visits, plain.score)
        assert node.columns.own == (float(plain.closed),)
        indices = sorted(plain.children)
        assert [child.move for child in node.children] == [node.moves[it] for it in indices]
        pairs += zip(node.children, map(plain.children.get, indices), strict=True)


@pytest.mark.parametrize('engine', ['monadic', 'inplace'])
@given(st.one_of(running, games()), generators(), st.data())
@settings(max_examples=60)
def test_engines_agree(engine, state, rng, data):
    """With every method, expansion and whatever settles nodes; and going on."""
    search = data.draw(
        st.sampled_from([*METHODS]).flatmap(
            lambda name: searches(
                max_iterations=60,
                selection=name,
                rollout_expand=True,
                closing=data.draw(st.booleans()),
            )
        )
    )

    def twice(engine):
        try:
            one, after = analyse(state, rng, search, engine=engine)
        except NoRoomError as error:  # a whole game is longer than the bound
            return str(error)
        return one, after, analyse(state, after, search, engine=engine, tree=one)

    assert twice(engine) == twice('persistent')


@given(running, generators(), st.integers(1, 40))
@settings(max_examples=30)
def test_it_is_a_stream_of_trees_that_stay(state, rng, iterations):
    search = Search(iterations, rollout_expand=True)
    stream = list(zip(range(iterations), trees(state, rng, search), strict=False))
    assert [tree.visits for _, (tree, _) in stream] == [*range(1, iterations + 1)]
    analysis, rng_after = analyse(state, rng, search)
    assert stream[-1][1] == (analysis.tree, rng_after)


@given(running, generators(), st.integers(1, 60))
@settings(max_examples=30)
def test_visits_are_one_an_iteration_along_one_path(state, rng, iterations):
    """So a node's visits are those of its children, and one for each playout that began there."""
    analysis, _ = analyse(state, rng, Search(iterations, rollout_expand=True), engine='inplace')
    root = analysis.tree
    assert root.visits == sum(child.visits for child in root.children) == iterations
    for node in walk(root):
        below = sum(child.visits for child in node.children)
        if node is not root and node.moves:
            assert node.visits == below + (node.visits > 0)
        assert 0 <= node.reward <= node.visits


@pytest.mark.parametrize('engine', PYTHON)
def test_the_bound_counts_every_state_and_nothing_is_half_done(engine):
    for bound in (5, 10, 11, 12, 13, 20, 50, 51, 52, 53, 54, 55, 56, 57, 58):
        search = Search(500, rollout_expand=True, max_nodes=bound)
        if bound == 5:  # the first playout has more states
            with pytest.raises(ValueError, match='max_nodes 5 leaves no room for the first'):
                analyse(tictactoe.start, RNG, search, engine=engine)
            continue
        analysis, rng = analyse(tictactoe.start, RNG, search, engine=engine)
        assert bound - 9 < analysis.nodes <= bound
        unbounded = Search(analysis.iterations, rollout_expand=True)
        assert analyse(tictactoe.start, RNG, unbounded) == (analysis, rng)
        following, _ = analyse(
            tictactoe.start, rng, Search(1, rollout_expand=True), tree=analysis.tree
        )
        assert following.nodes > bound


@pytest.mark.parametrize('engine', PYTHON)
@pytest.mark.parametrize('options', [{}, {'expansion': 'jump'}])
def test_what_makes_no_node_needs_no_room(engine, options):
    """Also in a tree that is too large already: finished nodes are visited once more."""
    state = reduce(lambda state, move: state.play(move), (4, 0, 2, 6, 3, 5, 1), tictactoe.start)
    search = Search(50, rollout_expand=True, **options)
    grown, rng = analyse(state, RNG, search)
    assert grown.nodes == 5  # two lines of two moves
    for bound in (1, 5):
        bounded = Search(30, rollout_expand=True, max_nodes=bound, **options)
        found, _ = analyse(state, rng, bounded, engine=engine, tree=grown)
        assert (found.iterations, found.nodes) == (80, 5)


CALLS = []


@frozen
class Counted:
    """Tic-tac-toe that notes every call of its rules."""

    inner: tictactoe.TicTacToe

    @property
    def player(self):
        return self.inner.player

    @property
    def moves(self):
        return self.inner.moves

    @property
    def over(self):
        return self.inner.over

    @property
    def winner(self):
        return self.inner.winner

    def play(self, move):
        CALLS.append(move)
        return Counted(self.inner.play(move))


@pytest.mark.parametrize('engine', PYTHON)
def test_no_state_is_computed_twice(engine):
    """The rules are called once for each node but the root: that is what it is for.

    Without it, each ply of a playout and each child is a call. (It saves a third here, in a small
    game; one call in a hundred from the start of tic-tac-toe, one in a thousand of Connect Four.)
    """
    state = Counted(reduce(lambda state, move: state.play(move), (4, 0, 8), tictactoe.start))
    CALLS.clear()
    found, _ = analyse(state, RNG, Search(3000, rollout_expand=True), engine=engine)
    joined = len(CALLS)
    assert joined == found.nodes - 1
    CALLS.clear()
    analyse(state, RNG, Search(3000), engine=engine)
    assert len(CALLS) > joined


@pytest.mark.parametrize('engine', PYTHON)
def test_a_node_s_first_visit_is_its_own(engine):
    """A finished one is worth its result, any other a playout; its first child comes later."""
    analysis, _ = analyse(tictactoe.start, RNG, Search(2000, rollout_expand=True), engine=engine)
    ends = [node for node in walk(analysis.tree) if node.visits == 1 and not node.moves]
    assert ends
    for node in ends:
        winner = node.state.winner
        assert node.reward == (0.5 if winner is None else float(winner is node.mover))
    for node in walk(analysis.tree):
        if node.visits == 1:
            assert all(child.visits == 0 for child in node.children)


@pytest.mark.parametrize('engine', PYTHON)
def test_when_playouts_end_in_an_evaluation_their_plies_join(engine):
    def half(_state):
        return 0.5

    search = Search(3, rollout_expand=True, evaluate=half, evaluate_after=2)
    analysis, _ = analyse(connect4.start, RNG, search, engine=engine)
    assert analysis.nodes == 1 + 3 * 3


def test_games_that_are_deeper_than_the_recursion_limit():
    state = Line(5 * sys.getrecursionlimit())
    expected = None
    for engine in PYTHON:
        found = analyse(state, RNG, Search(3, rollout_expand=True), engine=engine)
        assert found[0].nodes == state.left + 1
        expected = expected or found
        assert found == expected


@frozen
class Line:
    """So many moves, of which each is the only one."""

    left: int
    player = tictactoe.start.player
    winner = None

    @property
    def moves(self):
        return (0,) if self.left else ()

    @property
    def over(self):
        return not self.left

    def play(self, _move):
        return Line(self.left - 1)


@pytest.mark.needs_numba
def test_the_compiled_engine_refuses_by_name():
    with pytest.raises(
        EngineError,
        match='the engine compiled lacks rollout_expand, by which the states of a playout join the '
        'tree; able are: inplace, persistent, monadic',
    ):
        analyse(tictactoe.start, RNG, Search(5, rollout_expand=True), engine='compiled')


@pytest.mark.parametrize('engine', ENGINES)
def test_any_engine_goes_on_without_it_from_its_trees(engine):
    """There, inner nodes may have no visits."""
    state = reduce(lambda state, move: state.play(move), (4, 0), tictactoe.start)
    grown, rng = analyse(state, RNG, Search(40, rollout_expand=True))
    for expansion in ('in-order', 'jump', 'full'):
        search = Search(200, expansion=expansion)
        found = analyse(state, rng, search, engine=engine, tree=grown)
        assert found == analyse(state, rng, search, engine='persistent', tree=grown)


def test_what_makes_no_sense_with_it_is_refused():
    message = (
        'rollout_expand and evaluate exclude each other: no playout, no states that join the tree, '
        r'unless the evaluation comes after some plies \(evaluate_after\)'
    )
    with pytest.raises(ValueError, match=message):
        Search(rollout_expand=True, evaluate=len)
    with pytest.raises(ValueError, match="rollout_expand must be True or False, not 'on'"):
        Search(rollout_expand='on')
