"""Jumps: descents past untried moves, as in the French text's program."""

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse, trees
from fmcts._engines.expansion import can_jump
from fmcts._running.registry import ENGINES
from fmcts.errors import NoRoomError
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import plant
from fmcts.search.resolution import CLOSING
from fmcts.search.schedules import Step
from fmcts.testing import generators
from tiers import is_interpreted, usually
from toy_games import play_line
from transcription import matches_french, play_out

RNG = SplitMix.from_seed(1)


def find_leaf(root, rng):
    """The text's `find_leaf`, but that a node of which all children are closed expands at once.

    (So does one that has none: the text goes on to the best child of none there.)
    """
    path = [root]
    while moves := (node := path[-1]).state.moves:
        if len(node.children) < len(moves):
            expands = True
            if not all(child.closed for child in node.children.values()):
                draw, rng = rng.uniform(0, len(moves))
                expands = draw < len(node.children)
            if expands:
                return [*path, node.child(len(node.children))], rng
        path.append(node.best_open())
    return path, rng


def descend(root, rng):
    path, rng = find_leaf(root, rng)
    end, rng = play_out(path[-1].state, rng)
    return path, end, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=25)
def test_matches_the_french_text_s_program(start, data, rng, iterations):
    matches_french(start, data, rng, iterations, descend, expansion='jump')


def test_without_room_nothing_is_drawn(engine):
    """The draws of an iteration that is not made are not made either."""
    for bound in range(2, 40):
        search = Search(500, expansion='jump', max_nodes=bound)
        analysis, rng = analyse(tictactoe.start, RNG, search, engine=engine)
        assert analysis.nodes == bound
        again = analyse(tictactoe.start, RNG, Search(analysis.iterations, expansion='jump'))
        assert again == (analysis, rng)


def test_without_room_no_playout_is_run(engine):
    """A playout could fail: here a game is longer than one ply."""
    search = Search(5, expansion='jump', max_nodes=1, max_plies=1)
    with pytest.raises(NoRoomError, match='max_nodes 1 leaves no room'):
        analyse(tictactoe.start, RNG, search, engine=engine)


def test_only_nodes_with_an_open_child_can_be_jumped_past():
    root = plant(tictactoe.start)
    assert not can_jump(root, None)
    tree = analyse(tictactoe.start, RNG, Search(3, closing=True))[0].tree
    assert can_jump(tree, None)
    assert can_jump(tree, CLOSING)
    # O to move wins at once by its first move: the only child so far is closed.
    state = play_line(tictactoe.start, (3, 0, 4, 1, 8))
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
