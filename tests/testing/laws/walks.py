"""A game of steps, equal if the steps are, and the names of the laws of states."""

from looking import X

PURE, SUBCLASS = 'play is pure', 'a subclass stays itself'
PICKLE, COPY = 'states pickle', 'states copy'
EQUAL, HASH = 'equal by value', 'hashed by value'
DIFFER, ALIKE = 'states differ', 'equal states are alike'


class Walk:
    """One step or two in each ply, without an end; equal where the steps are the same."""

    player, over, winner = X, False, None
    moves = (1, 2)

    def __init__(self, steps=()):
        self.steps = steps

    def __eq__(self, other):
        return isinstance(other, Walk) and self.steps == other.steps

    def __hash__(self):
        return hash(self.steps)

    def __repr__(self):
        return f'Walk{self.steps}'

    def play(self, move):
        return type(self)((*self.steps, move))


class NoHash(Walk):
    __hash__ = None
