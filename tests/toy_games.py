"""Small games made for tests, and positions of them."""

from functools import cache, reduce
from typing import ClassVar, NamedTuple

from attrs import evolve, field, frozen
from hypothesis import strategies as st

from drawn_games import WIDEST, Maze
from fmcts import Player
from fmcts.game import illegal
from fmcts.games import connect4, tictactoe
from fmcts.games.chance import bearoff, mnk3, pig, tiles
from fmcts.games.from_rules import make_game
from fmcts.rules import DRAW, IntegerRules, O, X
from fmcts.testing import positions


def play_line(state, moves):
    """Return the state after these moves."""
    return reduce(lambda state, move: state.play(move), moves, state)


def nodes_by_line(tree):
    """Return the nodes of a tree by the lines of moves that lead to them."""
    found, waiting = {}, [((), tree)]
    for line, node in waiting:
        found[line] = node
        waiting.extend(((*line, child.move), child) for child in node.children)
    return found


@frozen
class Corridor:
    """A game without a choice, in which X makes all moves, and wins."""

    left: int
    player = Player.X
    moves = property(lambda self: (1,) if self.left else ())
    over = property(lambda self: not self.left)
    winner = property(lambda self: None if self.left else Player.X)

    def play(self, move):
        return Corridor(self.left - move)


@frozen
class Piles:
    """One or two are taken of a pile in turn; a move is a list, without a hash, if not `plain`."""

    left: int = 5
    player: Player = Player.X
    plain: bool = False
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    @property
    def moves(self):
        return tuple(it if self.plain else [it] for it in (1, 2)[: self.left])

    def play(self, move):
        taken = move if self.plain else move[0]
        return evolve(self, left=self.left - taken, player=self.player.other)


@frozen
class Counter:
    """A user's generator, not random at all: the three methods of the protocol, nothing else."""

    at: int = 0

    @classmethod
    def from_seed(cls, seed):
        return cls(seed)

    def uniform(self, low, high):
        low, high = min(low, high), max(low, high)
        return low + self.at % (high - low + 1), Counter(self.at + 1)

    def split(self):
        return Counter(self.at + 1000), Counter(self.at + 2001)

    def child(self, index):
        return Counter(self.at + 7919 * index + 1)


class Steps(NamedTuple):
    left: int
    ways: int


@frozen
class Long:
    """A game of `left` plies, without an end if that is below 0; O, who makes the last, wins."""

    left: int
    ways: int = 2  # the number of moves in each position

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda state: Steps(state.left, state.ways),
        menu=lambda steps: (1 << steps.ways) - 1 if steps.left != 0 else 0,
        play=lambda steps, _: Steps(steps.left - 1, steps.ways),
        side=lambda steps: steps.left & 1,
        winner=lambda _: 1,
    )

    player = property(lambda self: (Player.X, Player.O)[self.left & 1])
    moves = property(lambda self: tuple(range(self.ways)) if self.left else ())
    over = property(lambda self: self.left == 0)
    winner = property(lambda self: Player.O if self.over else None)

    def play(self, _move):
        return type(self)(self.left - 1, self.ways)


class Stair(NamedTuple):
    left: int
    tally: int


KEYS = 7


def key_at(position, move):
    """One of the few keys; high on the stairs one more than the rules promise."""
    return KEYS if 600 < position.left < 700 else (position.left * 3 + move) % KEYS


CLIMBING = IntegerRules(
    pack=lambda state: Stair(state.left, state.tally),
    menu=lambda position: (1 << min(position.left, 3)) - 1,
    play=lambda position, move: Stair(
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

    compiled: ClassVar[IntegerRules] = CLIMBING

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


SOLVED = (1, 2, 3, 4, 5, 6, 7, 8, 0)


@frozen
class Puzzle:
    """The tiles, 0 for the gap, and how many moves are left; a move is the tile that slides."""

    cells: tuple = (4, 1, 3, 0, 2, 6, 7, 5, 8)  # solved in six moves
    left: int = 6
    players = ('player',)
    player = 'player'
    over = property(lambda self: self.cells == SOLVED or self.left == 0)
    winner = property(lambda self: 'player' if self.cells == SOLVED else None)

    @property
    def moves(self):
        row, column = divmod(self.cells.index(0), 3)
        beside = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        cells = [3 * r + c for r, c in beside if r in range(3) and c in range(3)]
        return () if self.over else tuple(sorted(self.cells[cell] for cell in cells))

    def play(self, tile):
        if tile not in self.moves:
            raise illegal(self, tile)
        swapped = {tile: 0, 0: tile}
        return Puzzle(tuple(swapped.get(it, it) for it in self.cells), self.left - 1)


BY_CHANCE = {
    'pig': pig.start(12),
    'bearoff': bearoff.start(3).play((4, 1)),
    '2048': tiles.start(2).play((0, 1)).play((3, 1)),
    'puzzle': Puzzle(),
    'mnk3': mnk3.start(3, 3, 3),
}
"""Games with chance, with one player, and with three."""


class Ball(NamedTuple):
    """The urn, from 1 on, and what was drawn: 3 wins, 4 loses; 0 for what is still to come."""

    urn: int
    ball: int


URNS = make_game(
    'urns',
    Ball(0, 0),
    IntegerRules(
        menu=lambda at: 0 if at.ball else 0b11000 if at.urn else 0b110,
        play=lambda at, it: Ball(at.urn, it) if at.urn else Ball(it, 0),
        side=lambda _at: X,
        winner=lambda at: X if at.ball == 3 else O,
        chances=lambda at: 100 if at.urn and not at.ball else 0,
        weight=lambda at, ball: (
            (50 if at.urn == 1 else 99) if ball == 3 else (50 if at.urn == 1 else 1)
        ),
    ),
).start


@frozen
class Throw:
    """Numbers that are added up in turn; perhaps a die is thrown after each of them.

    `kinds`: how many moves there are, which are not listed if `listed` is false; `dice`: how many
    outcomes, which are drawn by a function if `drawn` is true.
    """

    line: tuple[int, ...] = ()
    long: int = 3
    count: int = 2
    kinds: int = 100
    dice: int = 0
    listed: bool = False
    drawn: bool = False

    @property
    def players(self):
        return tuple(range(self.count))

    @property
    def player(self):
        return len(self.line) // (2 if self.dice else 1) % self.count

    @property
    def over(self):
        return len(self.line) == self.long

    @property
    def chances(self):
        if self.over or not self.dice or len(self.line) % 2 == 0:
            return ()
        if self.drawn:
            return lambda rng: rng.uniform(0, self.dice - 1)
        return tuple((face, 1 + face % 2) for face in range(self.dice))

    @property
    def moves(self):
        return () if self.over or self.chances or not self.listed else tuple(range(self.kinds))

    @property
    def rewards(self):
        if not self.over:
            return ()
        mixed = sum(number * number * (3 + place) for place, number in enumerate(self.line))
        return tuple(((mixed * (5 + 2 * seat)) % 17) / 16 for seat in self.players)

    def play(self, move):
        return evolve(self, line=(*self.line, move))


@frozen
class Earning(Throw):
    """The same with rewards on the way, of both signs."""

    @property
    def gained(self):
        last = self.line[-1] if self.line else 0
        return tuple((last * (seat + 3)) % 7 - 2.5 for seat in self.players)


def propose(state, rng):
    """Draw one of the numbers."""
    return rng.uniform(0, state.kinds - 1)


@frozen
class Tree:
    """A position: who is to move and what each move leads to, or who has won (`None`: nobody)."""

    player: Player
    after: tuple = ()
    won: Player | None = None
    moves: tuple[int, ...] = field(init=False)

    @moves.default
    def _moves(self):
        return tuple(range(len(self.after)))

    over = property(lambda self: not self.after)
    winner = property(lambda self: self.won if self.over else None)

    def play(self, move):
        return self.after[move]


PLAYERS = st.sampled_from(Player)
ENDS = st.builds(Tree, PLAYERS, st.just(()), st.sampled_from([*Player, None]))


def drawn_trees():
    """Games that are not over at once."""
    anywhere = st.recursive(
        ENDS,
        lambda after: st.builds(Tree, PLAYERS, st.lists(after, min_size=1, max_size=4).map(tuple)),
        max_leaves=40,
    )
    return anywhere.filter(lambda game: not game.over)


@cache
def solved(state):
    """The reward for X under best play, and the plies to the end: exact, by looking at all."""
    if state.over:
        return {Player.X: 1.0, Player.O: 0.0}.get(state.winner, 0.5), 0
    best = None
    for move in state.moves:
        reward, plies = solved(state.play(move))
        mine = reward if state.player is Player.X else 1.0 - reward
        # Of wins the shortest, of losses the longest.
        rank = mine, {1.0: -plies, 0.0: plies}.get(mine, 0)
        if best is None or rank > best[0]:
            best = rank, reward, plies + 1
    return best[1:]


# Positions that Python searches fast: a search from one of Othello takes ten times as long.
seeds = st.integers(0, 99_999)
mazes = st.builds(Maze, seeds, st.integers(1, 14), st.integers(1, 6) | st.just(WIDEST))
small_positions = st.one_of(
    positions(tictactoe.start, running=True), positions(connect4.start, running=True), mazes
)
remembered_positions = st.one_of(
    drawn_trees(),
    st.builds(Stairs, st.integers(1, 40)),
    positions(tictactoe.start, running=True),
    positions(connect4.start, running=True),
)
