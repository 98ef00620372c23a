"""Searches whose playouts remember, transcribed naively.

A rule has `choose(memory, before,
state, rng)`, which gives a move and the generator, and `learn(memory, line, winner)`; the line is a
list of pairs, player and key, and `before` the last of them.
"""

from typing import ClassVar, NamedTuple

from attrs import frozen
from hypothesis import strategies as st

import transcription
from drawn import games
from fmcts import Player
from fmcts._running.registry import ENGINES
from fmcts.game import key_of
from fmcts.games import connect4, tictactoe
from fmcts.rules import DRAW, IntegerRules
from fmcts.search.policies import Recalling
from fmcts.search.policies.mast import Means
from fmcts.testing import positions
from transcription import Node

PYTHON = [name for name in ENGINES if name != 'compiled']


def search(state, rng, iterations, rule):
    """The root after so many iterations, what is remembered, and the generator."""
    memory = {}

    def named(line):
        return [(state.player, key_of(state, move)) for state, move in line]

    root, rng = transcription.search(
        Node(state),
        rng,
        iterations,
        pick=lambda line, state, rng: rule.choose(memory, *named(line[-1:]), state, rng),
        after=lambda _path, line, end: rule.learn(memory, named(line), end.winner),
    )
    return root, memory, rng


def same_tree(root, tree):
    """Whether a tree of the transcription and one of the library have the same numbers."""
    return transcription.rows(root) == transcription.rows_of(tree)


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
