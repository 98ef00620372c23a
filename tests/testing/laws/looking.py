"""Check one law at one position, and positions with given members."""

from fmcts import Player
from fmcts.game import illegal
from fmcts.testing._laws.cases import Case, Description
from fmcts.testing._laws.games import GAME_LAWS
from fmcts.testing._laws.law import Unchecked, found_by

X, O = Player  # noqa: E741 - the player's name
LAWS = {law.name: law for law in GAME_LAWS}


def case_of(start, *line, **told):
    """The position after these moves, with what is told of the game."""
    game = Description(start, **told)
    case = Case(game, game.fresh())
    for move in line:
        case = case.step(move)
    return case


def found(law, start, *line, **told):
    """What the law of that name finds there; `None` where it is kept."""
    told = found_by(LAWS[law], case_of(start, *line, **told))
    return None if isinstance(told, Unchecked) else told


class Says:
    """A position that says what it is told to say, and in which nothing can be played."""

    def __init__(self, **said):
        vars(self).update({'player': X, 'moves': (1, 2), 'over': False, 'winner': None, **said})

    def __repr__(self):
        return 'a position'

    def play(self, move):
        raise illegal(self, move)
