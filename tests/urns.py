"""A game of one move, which chance ends: X draws from an urn that wins 1 of 2, or 99 of 100."""

from typing import NamedTuple

from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, O, X


class Drawn(NamedTuple):
    """The urn, from 1 on, and what was drawn: 3 wins, 4 loses; 0 for what is still to come."""

    urn: int
    ball: int


URNS = make_game(
    'urns',
    Drawn(0, 0),
    IntegerRules(
        menu=lambda at: 0 if at.ball else 0b11000 if at.urn else 0b110,
        play=lambda at, it: Drawn(at.urn, it) if at.urn else Drawn(it, 0),
        side=lambda _at: X,
        winner=lambda at: X if at.ball == 3 else O,
        chances=lambda at: 100 if at.urn and not at.ball else 0,
        weight=lambda at, ball: (
            (50 if at.urn == 1 else 99) if ball == 3 else (50 if at.urn == 1 else 1)
        ),
    ),
).start
