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

from fmcts import FinishedGameError, Search, SplitMix, analyse, trees
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.testing import generators, searches
from toy_games import small_positions
from transcription import ROOT_OF_2, Node, rows, rows_of, search as naive_search, ucb1


class NoRoomError(Exception):
    """The next iteration would take the tree over `max_nodes`."""


def expanding(search):
    """The contract's ways to expand a node, word by word; no more nodes than `max_nodes`."""
    nodes = 1

    def take_room(wanted):
        nonlocal nodes
        if search.max_nodes is not None and nodes + wanted > search.max_nodes:
            raise NoRoomError
        nodes += wanted

    def expand(node, rng):
        count = len(node.moves)
        left = [index for index in range(count) if index not in node.children]
        if not left or (search.expansion == 'full' and node.children):
            return None, rng
        if search.expansion == 'jump' and node.children:
            drawn, rng = rng.uniform(0, count)
            if drawn >= len(node.children):
                return None, rng
        take_room(count if search.expansion == 'full' else 1)
        drawn = 0
        if search.expansion in ('full', 'random'):
            drawn, rng = rng.uniform(0, len(left) - 1)
        for index in left if search.expansion == 'full' else ():
            node.child(index)
        return left[drawn], rng

    return expand


@given(small_positions, generators(), searches())
def test_matches_the_contract(state, rng, search):
    c = ROOT_OF_2 if search.c is None else search.c

    def score(node, index):
        child = node.children.get(index)
        return (ucb1(node, index, c=c) if child.visits else math.inf) if child else -math.inf

    analysis, after = analyse(state, rng, search, engine='persistent')
    root, expand = Node(state), expanding(search)
    with contextlib.suppress(NoRoomError):
        for _ in range(search.iterations):
            _, rng = naive_search(root, rng, 1, score, expand=expand)
    assert after == rng
    assert rows_of(analysis.tree) == rows(root)
    assert [node.state for node in walk(analysis.tree)] == [node.state for _, node in root.all()]


@given(small_positions, generators(), searches(), st.integers(1, 40))
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


def test_digests_do_not_depend_on_process_or_hash_seed(run_python):
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
