"""Jumps: descents past untried moves, as in the French text's program."""

import math
from functools import reduce

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from drawn import Drawn, games
from fmcts import Player, Search, SplitMix, analyse, trees
from fmcts._engines.expansion import can_jump
from fmcts._running.registry import ENGINES
from fmcts.errors import NoRoomError
from fmcts.games import connect4, tictactoe
from fmcts.search._arithmetic import logarithm_of
from fmcts.search._tree import plant, walk
from fmcts.search.methods import METHODS
from fmcts.search.resolution import CLOSING
from fmcts.search.schedules import Step
from fmcts.testing import generators, positions
from small_positions import running
from tiers import is_interpreted, usually

ROOT_OF_2 = math.sqrt(2)
RNG = SplitMix.from_seed(1)


class Node:
    """The text's `Node`; `closed` as its first improvement has it."""

    def __init__(self, state, mover):
        self.state, self.mover, self.children = state, mover, []
        self.visits, self.score, self.closed = 0, 0.0, False

    def uct(self, child):
        log = logarithm_of(1 + self.visits)
        return child.score / child.visits + ROOT_OF_2 * math.sqrt(log / child.visits)


def find_leaf(root, rng):
    """The text's `find_leaf`, but that a node of which all children are closed expands at once.

    (So does one that has none: the text goes on to the best child of none there.)
    """
    path = [root]
    while True:
        node = path[-1]
        moves, children = node.state.moves, node.children
        if not moves:
            return path, rng
        still_open = [child for child in children if not child.closed]
        if len(children) < len(moves):
            expands = True
            if still_open:
                draw, rng = rng.uniform(0, len(moves))
                expands = draw < len(children)
            if expands:
                children.append(Node(node.state.play(moves[len(children)]), node.state.player))
                return [*path, children[-1]], rng
        path.append(max(still_open, key=node.uct))


def naive(state, rng, iterations):
    root = Node(state, state.player.other)
    for _ in range(iterations):
        if root.closed:
            break
        path, rng = find_leaf(root, rng)
        here = path[-1].state
        while not here.over:
            index, rng = rng.uniform(0, len(here.moves) - 1)
            here = here.play(here.moves[index])
        for node in reversed(path):
            node.visits += 1
            node.score += 0.5 if here.winner is None else here.winner is node.mover
            explored = len(node.children) == len(node.state.moves)
            node.closed = explored and all(child.closed for child in node.children)
    return root, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=25)
def test_matches_the_french_text_s_program(start, data, rng, iterations):
    state = data.draw(positions(start, running=True))
    expected, rng_after = naive(state, rng, iterations)
    search = Search(iterations, expansion='jump', closing=True)
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.visits, node.reward) == (plain.visits, plain.score)
        assert node.columns.own == (float(plain.closed),)
        pairs += zip(node.children, plain.children, strict=True)


@pytest.mark.parametrize('engine', ['monadic', 'inplace'])
@given(st.one_of(running, games()), generators(), st.integers(1, 120), st.data())
@settings(max_examples=60)
def test_engines_agree(engine, state, rng, iterations, data):
    """With every method and whatever resolves nodes, within bounds or without, and going on."""
    search = Search(
        iterations,
        expansion='jump',
        selection=data.draw(st.sampled_from([*METHODS])),
        max_nodes=data.draw(st.none() | st.integers(2, 60)),
        **data.draw(st.sampled_from([{}, {'solver': True}, {'closing': True}])),
    )
    first = analyse(state, rng, search, engine='persistent')
    assert analyse(state, rng, search, engine=engine) == first
    then = analyse(state, first[1], search, engine='persistent', tree=first[0])
    assert analyse(state, first[1], search, engine=engine, tree=first[0]) == then


def by_turns(edge, parent):
    """A rule that is computed one move at a time, as lanes have no such function."""
    return max(edge.value, 0.1) + parent.log_visits / edge.visits


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    'options',
    usually(
        [{}],
        [{}, {'closing': True}, {'selection': 'puct'}, {'selection': by_turns, 'solver': True}],
    ),
)
def test_the_compiled_engine_agrees(options):
    """Alone, within bounds, and going on from trees with gaps and children without visits."""
    state = tictactoe.start.play(4)
    for bound in (None, 3, 150):
        search = Search(300, expansion='jump', max_nodes=bound, **options)
        expected = analyse(state, RNG, search, engine='persistent')
        assert analyse(state, RNG, search, engine='compiled') == expected
    search = Search(300, expansion='jump', **options)
    for before in ('random', 'full'):
        grown = Search(40, expansion=before, **options)
        tree, rng = analyse(state, RNG, grown, engine='persistent')
        expected = analyse(state, rng, search, engine='persistent', tree=tree)
        assert analyse(state, rng, search, engine='compiled', tree=tree) == expected


@pytest.mark.parametrize('engine', ENGINES)
def test_without_room_nothing_is_drawn(engine):
    """The draws of an iteration that is not made are not made either."""
    for bound in range(2, 40):
        search = Search(500, expansion='jump', max_nodes=bound)
        analysis, rng = analyse(tictactoe.start, RNG, search, engine=engine)
        assert analysis.nodes == bound
        again = analyse(tictactoe.start, RNG, Search(analysis.iterations, expansion='jump'))
        assert again == (analysis, rng)


@pytest.mark.parametrize('engine', ENGINES)
def test_without_room_no_playout_is_run(engine):
    """A playout could fail: here a game is longer than one ply."""
    search = Search(5, expansion='jump', max_nodes=1, max_plies=1)
    with pytest.raises(NoRoomError, match='max_nodes 1 leaves no room'):
        analyse(tictactoe.start, RNG, search, engine=engine)


@pytest.mark.parametrize('engine', ENGINES)
def test_iterations_without_new_nodes_need_no_room(engine):
    """Also in a tree that is too large already: a descent to a finished node is made."""
    state = reduce(lambda state, move: state.play(move), (4, 0, 2, 6, 3, 5, 1), tictactoe.start)
    grown, rng = analyse(state, RNG, Search(50, expansion='jump'))
    for bound in (1, 5):
        bounded = Search(30, expansion='jump', max_nodes=bound)
        found, _ = analyse(state, rng, bounded, engine=engine, tree=grown)
        assert (found.iterations, found.nodes) == (80, 5)


@given(running, generators(), st.integers(1, 60))
@settings(max_examples=30)
def test_the_stream_of_trees_equals_the_search(state, rng, iterations):
    search = Search(iterations, expansion='jump')
    *_, (tree, after) = (
        pair for _, pair in zip(range(iterations), trees(state, rng, search), strict=False)
    )
    analysis, rng_after = analyse(state, rng, search)
    assert (tree, after) == (analysis.tree, rng_after)


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace'])
def test_lines_without_choice_equal_plain_search(engine):
    """With one move everywhere no node has some of its moves tried, and nothing is drawn."""
    line = Drawn(Player.X)
    for _ in range(6):
        line = Drawn(line.player.other, (line,))
    plain = analyse(line, RNG, Search(20), engine=engine)
    assert analyse(line, RNG, Search(20, expansion='jump'), engine=engine) == plain


class Counting:
    """A generator that gives zeros, or the highest number, and remembers the ranges of draws."""

    def __init__(self, *, highest, ranges=()):
        self.highest, self.ranges = highest, ranges

    def uniform(self, low, high):
        after = Counting(highest=self.highest, ranges=(*self.ranges, (low, high)))
        return (high if self.highest else low), after


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace'])
def test_the_draw_decides_between_expansion_and_descent(engine):
    """A number from 0 to n, both included; below the number of children it expands.

    The first iteration makes a child, without a draw but those of its playout. After it, a search
    that always draws 0 is plain, and one that always draws n tries no other move: it goes down.
    """
    search = Search(7, expansion='jump')
    low, rng = analyse(tictactoe.start, Counting(highest=False), search, engine=engine)
    assert [row.visits for row in low.stats] == [1] * 7 + [0] * 2
    assert [it for it in rng.ranges if it == (0, 9)] == [(0, 9)] * 6
    high, rng = analyse(tictactoe.start, Counting(highest=True), search, engine=engine)
    assert [row.visits for row in high.stats] == [7] + [0] * 8
    depths = [len(it.moves) for it in walk(high.tree)]
    assert depths == [9, 8, 7, 6, 5, 4, 3, 0]  # X has won on a diagonal
    assert rng.ranges.count((0, 9)) == 6


def test_only_nodes_with_an_open_child_can_be_jumped_past():
    root = plant(tictactoe.start)
    assert not can_jump(root, None)
    tree = analyse(tictactoe.start, RNG, Search(3, closing=True))[0].tree
    assert can_jump(tree, None)
    assert can_jump(tree, CLOSING)
    # O to move wins at once by its first move: the only child so far is closed.
    state = reduce(lambda state, move: state.play(move), (3, 0, 4, 1, 8), tictactoe.start)
    tree = analyse(state, RNG, Search(1, closing=True), engine='inplace')[0].tree
    assert can_jump(tree, None)
    assert not can_jump(tree, CLOSING)


@frozen
class Twice:
    """A schedule of two iterations for each move, and then free ones."""

    def steps(self, iterations, stats):
        for index in range(min(iterations // 2, len(stats()))):
            yield Step(index, 2)


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
def test_a_schedule_starts_when_every_move_of_the_root_has_a_child(engine):
    stream = enumerate(trees(connect4.start, RNG, Search(200, expansion='jump')), 1)
    opened = next(count for count, (tree, _) in stream if len(tree.children) == 7)
    assert opened > 7  # some descents jump
    for iterations in (opened - 3, opened, opened + 14):
        search = Search(iterations, expansion='jump', schedule=Twice())
        found, after = analyse(connect4.start, RNG, search, engine=engine)
        plain = Search(min(iterations, opened), expansion='jump')
        before, rng = analyse(connect4.start, RNG, plain)
        if iterations <= opened:
            assert (found.digest, after) == (before.digest, rng)
        else:
            visits = [row.visits + 2 for row in before.stats]
            assert [row.visits for row in found.stats] == visits
