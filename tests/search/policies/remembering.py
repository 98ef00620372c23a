"""Searches whose playouts remember, transcribed naively: plain UCT in one piece, with dictionaries.

An independent statement that the engines are compared with. A rule has `choose(memory, before,
state, rng)`, which gives a move and the generator, and `learn(memory, line, winner)`; the line is a
list of pairs, player and key, and `before` the last of them.
"""

import math
from typing import ClassVar, NamedTuple

from attrs import frozen
from hypothesis import strategies as st

from drawn import games
from fmcts import Player
from fmcts._arithmetic import logarithm_of
from fmcts._running.registry import ENGINES
from fmcts.game import key_of
from fmcts.games import connect4, tictactoe
from fmcts.rules import DRAW, IntegerRules
from fmcts.search.policies import Recalling
from fmcts.search.policies.mast import Means
from fmcts.testing import positions

ROOT_OF_2 = math.sqrt(2)
PYTHON = [name for name in ENGINES if name != 'compiled']


def search(state, rng, iterations, rule):
    """The root after so many iterations, what is remembered, and the generator.

    A node is a list: state, mover, visits, reward, children.
    """
    root, memory = [state, state.player.other, 0, 0.0, []], {}

    def score(child, total):
        _, _, visits, reward, _ = child
        return reward / visits + ROOT_OF_2 * math.sqrt(logarithm_of(1 + total) / visits)

    for _ in range(iterations):
        path, line = [root], []
        while not path[-1][0].over:
            here, _, total, _, children = path[-1]
            fresh = len(children) < len(here.moves)
            if fresh:
                move = here.moves[len(children)]
                children.append([here.play(move), here.player, 0, 0.0, []])
                chosen = children[-1]
            else:
                chosen = max(children, key=lambda child: score(child, total))
                move = here.moves[children.index(chosen)]
            line.append((here.player, key_of(here, move)))
            path.append(chosen)
            if fresh:
                break
        here = path[-1][0]
        while not here.over:
            move, rng = rule.choose(memory, line[-1], here, rng)
            line.append((here.player, key_of(here, move)))
            here = here.play(move)
        for node in path:
            node[2] += 1
            node[3] += {None: 0.5, node[1]: 1.0}.get(here.winner, 0.0)
        rule.learn(memory, line, here.winner)
    return root, memory, rng


def same_tree(naive, node):
    """Whether a tree of the transcription and one of the library have the same numbers."""
    _, mover, visits, reward, children = naive
    there = node.mover, node.visits, node.reward, len(node.children)
    same = (mover, visits, reward, len(children)) == there
    return same and all(map(same_tree, children, node.children))


def kept(tree, name):
    """What the root keeps of the memory of that name."""
    (found,) = [each for each in tree.columns.memory if each.name == name]
    return dict(found.entries)


class Position(NamedTuple):
    left: int
    tally: int


KEYS = 7


def key_at(position, move):
    """One of the few keys; high on the stairs one more than the rules promise."""
    return KEYS if 600 < position.left < 700 else (position.left * 3 + move) % KEYS


RULES = IntegerRules(
    pack=lambda state: Position(state.left, state.tally),
    menu=lambda position: (1 << min(position.left, 3)) - 1,
    play=lambda position, move: Position(
        position.left - move - 1, (position.tally * 3 + move + 1) % 5
    ),
    side=lambda position: (position.left * 5 % 11) & 1,
    winner=lambda position: min(position.tally // 2, DRAW),
    key=key_at,
    keys=KEYS,
)


@frozen
class Stairs:
    """One to three steps down at a time, to the ground; a side may be to move twice in a row.

    Moves have the same few keys everywhere, so that a player plays one more than once in a game.
    The tally of all steps says who wins.
    """

    left: int
    tally: int = 0

    compiled: ClassVar[IntegerRules] = RULES

    @property
    def player(self):
        return Player.O if (self.left * 5 % 11) & 1 else Player.X

    @property
    def moves(self):
        return tuple(range(min(self.left, 3)))

    @property
    def over(self):
        return self.left == 0

    @property
    def winner(self):
        return (Player.X, Player.O, None)[min(self.tally // 2, 2)] if self.over else None

    def key(self, move):
        return key_at(self, move)

    def play(self, move):
        return Stairs(self.left - move - 1, (self.tally * 3 + move + 1) % 5)


@frozen
class Watching(Recalling):
    """Remembers means, and draws as uniform playouts do."""

    memories = (Means(),)

    def chooser(self):
        return lambda _recalled, _state, moves, draw: moves[draw(len(moves))]


running = st.one_of(
    games(),
    st.builds(Stairs, st.integers(1, 40)),
    positions(tictactoe.start, running=True),
    positions(connect4.start, running=True),
)
