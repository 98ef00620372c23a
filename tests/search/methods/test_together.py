"""A user's method that scores all moves of a node together, in Python and in machine code."""

import math

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError, RulesError
from fmcts.games import tictactoe
from fmcts.search.methods import Method
from fmcts.testing import positions
from fmcts.testing._strategies import splitmixes

RNG = SplitMix.from_seed(1)


@frozen
class Ranked(Method):
    """A score relative to the best and the worst of the node, and to the node's own columns."""

    columns = ('last',)
    scores_unvisited = True

    c: float = 0.5
    mode: int = 0  # which promise it breaks, so that one compiled search serves all tests

    def scores(self, edges, parent, node):
        best = 0.0
        for edge in edges:
            best = max(best, edge.value)
        found = []
        for edge in edges:
            share = self.c * math.sqrt(1 + parent.visits) / (1 + edge.visits)
            found.append(share + edge.value / (0.1 + best) + 0.125 * edge.last)
        if node.edge.last > 0.5 and node.edge.visits > 3 and not node.same:
            found[0] += node.edge.value
        if self.mode == 1:
            found.pop()
        if self.mode == 2:
            found[0] = math.nan
        if self.mode == 3:
            for index in range(len(found)):
                found[index] = -math.inf
        if self.mode == 4:
            found[0] = 1 / (self.mode - 4)
        return found

    def update(self, edge, reward):  # noqa: ARG002 - as the engines call it
        return (reward,)


@given(data=st.data(), rng=splitmixes(), c=st.floats(0, 2), iterations=st.integers(1, 120))
@settings(max_examples=15)
def test_machine_code_finds_the_same_tree(data, rng, c, iterations):
    state = data.draw(positions(tictactoe.start, running=True))
    search = Search(iterations, selection=Ranked(c))
    found, after = analyse(state, rng, search, engine='inplace')
    compiled, after_compiled = analyse(state, rng, search, engine='compiled')
    assert (compiled.digest, compiled.move, after_compiled) == (found.digest, found.move, after)


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
@pytest.mark.parametrize(
    ('mode', 'error', 'message'),
    [
        (1, MethodError, 'the selection rule Ranked must give a list '),
        (2, MethodError, r'Ranked gives a score that is not a number \(NaN\)'),
        (3, MethodError, 'Ranked excludes every move'),
        (4, (ZeroDivisionError, RulesError), 'division by zero'),
    ],
)
def test_broken_promises_are_named(engine, mode, error, message):
    with pytest.raises(error, match=message):
        analyse(tictactoe.start, RNG, Search(9, selection=Ranked(mode=mode)), engine=engine)
