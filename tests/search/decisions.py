"""Small drawn decision processes: rewards of both signs on the way, chance, one player to three.

A process is a number, its seed: from it follow the moves of each state, what they bring, where
chance moves and whose turn it is. Its rules are on integers, so that every engine searches it.
"""

import functools
from typing import NamedTuple

from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules

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
