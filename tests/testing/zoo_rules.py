"""A game made from rules on integers, in a module."""

from typing import NamedTuple

from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules


class Left(NamedTuple):
    left: int
    turn: int


takeaway = make_game(
    'takeaway',
    Left(6, 0),
    IntegerRules(
        menu=lambda position: (1 << min(position.left, 2)) - 1,
        play=lambda position, move: Left(position.left - move - 1, 1 - position.turn),
        side=lambda position: position.turn,
        winner=lambda position: 1 - position.turn,
    ),
)
