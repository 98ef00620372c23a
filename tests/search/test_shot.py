"""Sequential halving applied to trees, against its recursion."""

import math
import sys

from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.testing import generators
from toy_games import Corridor, drawn_trees, small_positions


class Entry:
    """What is kept of a position: by move, what it leads to, its visits and rewards."""

    def __init__(self, state):
        self.state = state
        self.moves = list(state.moves)
        self.children = {}
        self.visits = dict.fromkeys(self.moves, 0)
        self.rewards = dict.fromkeys(self.moves, 0.0)


class Program:
    """The recursion: `shot(entry, budget)` gives how many were won by X, drawn counting half."""

    def __init__(self, rng):
        self.rng = rng

    def playout(self, state):
        while not state.over:
            index, self.rng = self.rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        return {None: 0.5, Player.X: 1.0}.get(state.winner, 0.0)

    def shot(self, entry, budget):
        state, moves = entry.state, entry.moves
        if state.over:
            return budget * self.playout(state)
        used, for_x, spent = 0, 0.0, sum(entry.visits.values())
        for move in moves:
            if entry.visits[move] == 0 and used < budget:
                entry.children[move] = Entry(state.play(move))
                for_x += self.update(entry, move, self.playout(entry.children[move].state), 1)
                used += 1
        kept, share = list(moves), 0
        while used < budget and len(kept) > 1:
            rounds = math.ceil(math.log2(len(moves)))
            share += max(1, math.floor((spent + budget) / (len(kept) * rounds)))
            for move in self.best_first(entry, kept):
                if entry.visits[move] < share and used < budget:
                    more = min(share - entry.visits[move], budget - used)
                    gained = self.shot(entry.children[move], more)
                    for_x += self.update(entry, move, gained, more)
                    used += more
            kept = self.best_first(entry, kept)[: math.ceil(len(kept) / 2)]
        if used < budget:
            gained = self.shot(entry.children[kept[0]], budget - used)
            for_x += self.update(entry, kept[0], gained, budget - used)
        return for_x

    @staticmethod
    def update(entry, move, for_x, playouts):
        mine = for_x if entry.state.player is Player.X else playouts - for_x
        entry.visits[move] += playouts
        entry.rewards[move] += mine
        return for_x

    @staticmethod
    def best_first(entry, kept):
        def mean(move):
            return entry.rewards[move] / entry.visits[move] if entry.visits[move] else 0.0

        return sorted(kept, key=lambda move: (-mean(move), entry.moves.index(move)))


def same(node, entry):
    """Whether a tree is what the recursion kept."""
    pairs = [(node, entry)]
    while pairs:
        node, entry = pairs.pop()
        found = {child.move: (child.visits, child.reward) for child in node.children}
        kept = {
            move: (entry.visits[move], entry.rewards[move])
            for move in entry.moves
            if entry.visits[move]
        }
        if found != kept:
            return False
        pairs += [(child, entry.children[child.move]) for child in node.children]
    return True


def agrees(state, rng, iterations, engine='inplace'):
    program, entry = Program(rng), Entry(state)
    program.shot(entry, iterations)
    found, after = analyse(state, rng, Search(iterations, schedule='shot'), engine=engine)
    return found.iterations == iterations and after == program.rng and same(found.tree, entry)


RNG = SplitMix.from_seed(1)
positions_of_games = st.one_of(drawn_trees(), small_positions)


@given(positions_of_games, generators(), st.integers(1, 400))
@settings(max_examples=40)
def test_matches_the_recursion(state, rng, iterations):
    """Any number of moves, any budget; trees in which a side moves twice; nothing left over."""
    assert agrees(state, rng, iterations)


def test_a_deep_game():
    """Deeper than Python's recursion: a line of moves, each with one child."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        found, _ = analyse(Corridor(450), RNG, Search(400, schedule='shot'), engine='inplace')
    finally:
        sys.setrecursionlimit(limit)
    assert (found.iterations, found.nodes) == (400, 401)
