"""Games whose rules are drawn: a seed says what follows a move and where a game ends."""

import functools
import hashlib
from typing import ClassVar, NamedTuple

from attrs import frozen

from fmcts import Search, SplitMix, analyse
from fmcts.game import Player, illegal
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.selfplay import improved_policy

# ---- mazes: one compilation serves all ----

PASS = 99
PASSING = 100  # the menu of a room where only a pass is legal
SIDES = tuple(Player)
WIDEST = 17  # moves in a room, at most: keys must not be below 0


class Place(NamedTuple):
    """The fields of `Maze`, the side as a number."""

    seed: int
    size: int
    width: int
    room: int
    turn: int


def noise(place, salt):
    """Return a number of 16 bits that looks random; nothing in it exceeds 63 bits."""
    mixed = place.seed * 7919 + place.room * 104729 + salt * 1299709 + 12345
    return ((mixed & 0x7FFFFFF) * 2654435761 >> 13) & 0xFFFF


def menu_at(place):
    """Return how many ways lead on, or `PASSING`; 0 at the end."""
    if place.room >= place.size:
        return 0
    if noise(place, 1) % 6 == 0:
        return PASSING
    return 1 + noise(place, 2) % place.width


def count_of(menu):
    """Return how many moves a menu has."""
    return 1 if menu == PASSING else menu


def pick_from(menu, index):
    """Return the move of that index: odd numbers, descending, some below 0; or the pass."""
    return PASS if menu == PASSING else 3 - 2 * index


def key_at(_place, move):
    """Return the key of a move: moves may be below 0, keys may not."""
    return move + 32


def after(place, move):
    """Return the place that a move leads to; now and then the same side moves again."""
    step = 1 if move == PASS else 1 + noise(place, 20 - move) % 3
    again = move != PASS and noise(place, 40 - move) % 4 == 0
    turn = place.turn if again else 1 - place.turn
    return Place(place.seed, place.size, place.width, place.room + step, turn)


def side_at(place):
    """Return the side to move."""
    return place.turn


def winner_at(place):
    """Return X, O or a draw."""
    return (noise(place, 3) + place.turn) % 3


def fewer_ways(_place, menu):
    """Narrow a menu to the first half of its moves."""
    return menu if menu == PASSING else (menu + 1) // 2


@frozen
class Maze:
    """A walk from `room` to `size`, at most `width` moves in a room, drawn from `seed`.

    >>> maze = Maze(seed=7, size=9, width=4)
    >>> maze.moves, maze.play(1).player
    ((3, 1, -1, -3), <Player.O: 'O'>)
    """

    seed: int
    size: int
    width: int
    room: int = 0
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda state: state.packed(),
        menu=menu_at,
        count=count_of,
        pick=pick_from,
        key=key_at,
        keys=256,
        play=after,
        side=side_at,
        winner=winner_at,
    )

    def packed(self):
        """Return the position of the rules."""
        turn = 0 if self.player is Player.X else 1
        return Place(self.seed, self.size, self.width, self.room, turn)

    def key(self, move):
        """Return the key of a move."""
        return key_at(self, move)

    @property
    def moves(self):
        """The legal moves."""
        menu = menu_at(self)  # a menu does not depend on the side
        return (PASS,) if menu == PASSING else tuple(range(3, 3 - 2 * menu, -2))

    @property
    def over(self):
        """True if the last room is reached or passed."""
        return self.room >= self.size

    @property
    def winner(self):
        """The winner; `None` for a draw."""
        return (Player.X, Player.O, None)[winner_at(self.packed())] if self.over else None

    def play(self, move):
        """Return the state after `move`.

        :raises IllegalMoveError: it is not one of `moves`.
        """
        if move not in self.moves:
            raise illegal(self, move)
        there = after(self.packed(), move)
        return Maze(self.seed, self.size, self.width, there.room, SIDES[there.turn])


# ---- decision processes: rewards of both signs on the way, chance, one player to three ----

PLACES, LONGEST = 5, 5


class At(NamedTuple):
    """The seed, where one is, the moves made, whether chance moves, and what led here."""

    seed: int
    place: int
    made: int
    rolls: int
    way: int


def mixed(seed, place, way):
    """Return a number that looks random, of 16 bits."""
    number = (seed * 40503 + place * 30011 + way * 20011 + 12345) & 0xFFFFFF
    number = (number ^ (number >> 7)) * 40503 & 0xFFFFFF
    return (number ^ (number >> 11)) & 0xFFFF


def menu(at):
    """Two to four moves, or three outcomes; none after the last move, or in a place that ends."""
    if at.rolls:
        return 0b111
    if at.made == LONGEST or (at.made > 0 and mixed(at.seed, at.place, 77) % 6 == 0):
        return 0
    return (1 << (2 + mixed(at.seed, at.place, 78) % 3)) - 1


def play(at, move):
    """Go somewhere; every third move of a place is followed by chance."""
    way = 8 * at.place + move + (64 if at.rolls else 0)
    number = mixed(at.seed, at.place, way)
    rolls = 0 if at.rolls else 1 if number % 3 == 0 else 0
    return At(at.seed, (number >> 3) % PLACES, at.made if at.rolls else at.made + 1, rolls, way)


def chances(at):
    return 6 if at.rolls else 0


def weight(_at, outcome):
    return outcome + 1


def gained(at, player):
    """Halves from -4 to 4, other ones for each player."""
    return 0.0 if at.way < 0 else (mixed(at.seed, at.way, 90 + player) % 17 - 8) / 2.0


def at_the_end(at, player):
    return mixed(at.seed, at.place, 100 + player) % 5 / 4.0


@functools.cache
def game_of(players, ends, on_the_way):
    """Return the game for so many players; `ends`: whether its ends give something besides."""

    def side(at):
        return (at.place + at.made) % players

    return make_game(
        f'decisions {players}',
        At(0, 0, 0, 0, -1),
        IntegerRules(
            menu=menu,
            play=play,
            side=side,
            chances=chances,
            weight=weight,
            keys=8,
            players=players,
            rewards=at_the_end if ends or not on_the_way else None,
            gained=gained if on_the_way else None,
        ),
        players=tuple(range(players)),
    )


# A game that is a variable of its module has states that can be pickled.
ALONE, BOTH, THREE = game_of(1, False, True), game_of(2, True, True), game_of(3, False, True)  # noqa: FBT003 - as below


def start_of(seed, players=1, *, ends=False, on_the_way=True):
    """Return where the process of that seed begins."""
    return game_of(players, ends, on_the_way).kind(At(seed, 0, 0, 0, -1))


# ---- trees of random numbers, by a network ----

BITS = 20
ENDS = 10  # one state in so many is the end of a game


def hashed(seed, index, what):
    """A whole number below 2**20 that depends on these three."""
    text = f'{seed} {index} {what}'.encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), 'big') >> (32 - BITS)


@frozen
class Hashed:
    """A state: the place of its node when the levels of the tree are numbered one after another."""

    seed: int
    width: int
    depth: int
    index: int = 0
    ply: int = 0

    player = property(lambda self: Player.O if self.ply % 2 else Player.X)

    @property
    def over(self):
        early = self.ply > 0 and hashed(self.seed, self.index, 'end') % ENDS == 0
        return early or self.ply == self.depth

    @property
    def winner(self):
        if not self.over:
            return None
        return (Player.X, Player.O, None)[hashed(self.seed, self.index, 'winner') % 3]

    moves = property(lambda self: () if self.over else tuple(range(self.width)))

    def play(self, move):
        index = self.index * self.width + 1 + move
        return Hashed(self.seed, self.width, self.depth, index, self.ply + 1)

    def __str__(self):
        return str(self.index)


def priors_of(state):
    return [(1 + hashed(state.seed, state.index, move)) / 2.0**BITS for move in range(state.width)]


def value_of(state):
    """What the state is worth to the side to move."""
    return hashed(state.seed, state.index, 'value') / 2.0**BITS


def network(states):
    return [*map(priors_of, states)], [*map(value_of, states)]


def search_of(case):
    return Search(
        case['iterations'],
        network=network,
        selection=Gumbel(case['c_visit'], case['c_scale'], rescale=case['rescale']),
        schedule=GumbelHalving(case['considered'], case['scale'], tuple(case['numbers'])),
    )


def ours(case, engine='inplace'):
    """Visits and the move, as mctx counts them, and the improved policy."""
    state, search = Hashed(case['seed'], case['width'], case['depth']), search_of(case)
    found, _ = analyse(state, SplitMix.from_seed(0), search, engine=engine)
    visits = [row.visits for row in found.stats]
    return visits, found.move, improved_policy(found, search)
