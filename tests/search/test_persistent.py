"""The reference engine against a naive transcription of the contract, and its laws."""

import contextlib
import io
import itertools
import math
import os
import sys

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from fmcts import FinishedGameError, Search, SplitMix, analyse, reward, trees
from fmcts._arithmetic import logarithms
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.testing import generators, searches
from processes import run_python
from small_positions import running


class NoRoomError(Exception):
    """The next iteration would take the tree over `max_nodes`."""


class Plain:
    """A node of the naive transcription: mutable, with a dictionary of children by index."""

    def __init__(self, state, mover):
        self.state, self.mover = state, mover
        self.visits, self.reward, self.children = 0, 0.0, {}


def transcribed(state, rng, search):  # noqa: C901, PLR0915 - the contract in one piece
    """The contract of the engines, word by word, with one recursive call a level."""
    log = logarithms(search.iterations + 1)
    c = math.sqrt(2) if search.c is None else search.c

    def score(node, child):
        if child.visits == 0:
            return math.inf
        q, n, total = child.reward, child.visits, node.visits
        return q / n + c * math.sqrt(log[1 + total] / n)

    def playout(state, rng):
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        return state.winner, rng

    nodes = 1

    def take_room(wanted):
        nonlocal nodes
        if search.max_nodes is not None and nodes + wanted > search.max_nodes:
            raise NoRoomError
        nodes += wanted

    def make(node, index):
        move = node.state.moves[index]
        node.children[index] = Plain(node.state.play(move), node.state.player)
        return node.children[index]

    def jumps(node, rng):
        if search.expansion != 'jump' or not node.children:
            return False, rng
        drawn, rng = rng.uniform(0, len(node.state.moves))
        return drawn >= len(node.children), rng

    def iterate(node, rng):
        count = len(node.state.moves)
        if node.state.over:
            winner = node.state.winner
        elif search.expansion == 'full' and not node.children:
            take_room(count)
            for index in range(count):
                make(node, index)
            drawn, rng = rng.uniform(0, count - 1)
            winner, rng = playout(node.children[drawn].state, rng)
            mark(node.children[drawn], winner)
        elif len(node.children) < count and not (jumped := jumps(node, rng))[0]:
            rng = jumped[1]
            take_room(1)
            left = [index for index in range(count) if index not in node.children]
            drawn = 0
            if search.expansion == 'random':
                drawn, rng = rng.uniform(0, len(left) - 1)
            child = make(node, left[drawn])
            winner, rng = playout(child.state, rng)
            mark(child, winner)
        else:
            if len(node.children) < count:
                rng = jumped[1]
            among = sorted(node.children)
            best = max(among, key=lambda index: score(node, node.children[index]))
            winner, rng = iterate(node.children[best], rng)
        mark(node, winner)
        return winner, rng

    def mark(node, winner):
        node.visits += 1
        node.reward += reward(winner, node.mover)

    root = Plain(state, state.player.other)
    try:
        for _ in range(search.iterations):
            _, rng = iterate(root, rng)
    except NoRoomError:
        assert nodes <= search.max_nodes
    return root, rng


@given(running, generators(), searches())
def test_matches_the_contract(state, rng, search):
    analysis, after = analyse(state, rng, search, engine='persistent')
    plain, plain_after = transcribed(state, rng, search)
    assert after == plain_after
    pairs = [(analysis.tree, plain)]
    while pairs:
        node, naive = pairs.pop()
        assert (node.state, node.mover, node.visits, node.reward) == (
            naive.state,
            naive.mover,
            naive.visits,
            naive.reward,
        )
        assert [child.move for child in node.children] == [
            node.moves[index] for index in sorted(naive.children)
        ]
        pairs += zip(
            node.children, (naive.children[index] for index in sorted(naive.children)), strict=True
        )


@given(running, generators(), searches(), st.integers(1, 40))
def test_old_trees_never_change(state, rng, search, kept):
    """Later iterations change no earlier tree, and share what they do not touch."""
    stream = trees(state, rng, evolve(search, max_nodes=None))
    *_, (old, _) = itertools.islice(stream, kept)
    before = [(node.move, node.visits, node.reward, len(node.children)) for node in walk(old)]
    *_, (new, _) = itertools.islice(stream, 10)
    assert [(n.move, n.visits, n.reward, len(n.children)) for n in walk(old)] == before
    assert old.visits == kept
    assert new.visits == kept + 10
    pairs = [(old, new)]
    while pairs:
        one, two = pairs.pop()
        assert one is two or one.visits < two.visits
        pairs += [(child, two.child(child.move)) for child in one.children if one is not two]


def retained(versions):
    """Bytes of all nodes, tuples of children and states that the versions hold, each once.

    On a Python that knows no sizes, such as PyPy, each counts the same.
    """
    seen = {}
    stack = list(versions)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = sys.getsizeof(node, 1)
        for part in (node.children, node.state, node.moves):
            seen[id(part)] = sys.getsizeof(part, 1)
        stack.extend(node.children)
    return sum(seen.values())


def test_a_thousand_versions_cost_at_most_three_trees():
    stream = trees(connect4.start, SplitMix.from_seed(1), Search())
    versions = [tree for tree, _ in itertools.islice(stream, 19_000, 20_000)]
    assert len(versions) == 1000
    assert versions[-1].visits == 20_000
    last, together = retained(versions[-1:]), retained(versions)
    assert last < together <= 3 * last


SCRIPT = """
from fmcts import Search, SplitMix, analyse
from fmcts.games import GAMES
for name, game in GAMES.items():
    for expansion in ('in-order', 'random', 'full'):
        search = Search(150, expansion=expansion)
        analysis, rng = analyse(game.start, SplitMix.from_seed(7), search)
        print(name, expansion, analysis.move, analysis.digest, rng)
"""


def test_digests_do_not_depend_on_process_or_hash_seed():
    other = '4242' if os.environ.get('PYTHONHASHSEED') == '0' else '0'
    done = run_python('-c', SCRIPT, env={**os.environ, 'PYTHONHASHSEED': other}, check=True)
    with contextlib.redirect_stdout(io.StringIO()) as here:
        exec(SCRIPT, {})  # noqa: S102 - the same in this process
    assert done.stdout == here.getvalue()
    assert done.stdout.count('\n') == 9


def test_a_finished_game_is_refused():
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='the game is over: there is no move to search for'):
        analyse(over, SplitMix.from_seed(1), Search())
    with pytest.raises(FinishedGameError):
        trees(over, SplitMix.from_seed(1), Search())
