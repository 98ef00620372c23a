"""Lines of steps to explore, and laws that record where they are checked."""

from attrs import evolve, frozen

from fmcts import SplitMix
from fmcts.testing._laws.exploring import Plan
from fmcts.testing._laws.law import Breach, Law

RNG = SplitMix.from_seed(5)
PLAN = Plan(positions=1, games=0, max_plies=10, rng=RNG, whole=0)


@frozen
class Steps:
    """The steps taken, of which each may be any number below `width`, up to so many plies."""

    line: tuple = ()
    width: int = 2
    plies: int = 3
    identity_of: object = tuple
    barred: object = None

    options = property(lambda self: range(self.width) if len(self.line) < self.plies else ())
    identity = property(lambda self: self.identity_of(self.line))

    def step(self, move):
        if move == self.barred:
            raise ValueError(move)
        return evolve(self, line=(*self.line, move))


@frozen
class Counted(Steps):
    """Each move is one more than the one before, so that without one the next is illegal."""

    options = property(lambda self: (len(self.line),) if len(self.line) < self.plies else ())


def lines(items):
    return [item.line for item in items]


def law(found, name='a law'):
    return Law(name, 'It is kept.', found)


def breach_at(*line, found='long', name='a law'):
    return Breach(name, 'It is kept.', found, line)


ALL = [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]


def sorted_line(line):
    return tuple(sorted(line))


def drawn_line(number, width, plies):
    """What the generator of that number draws, one number after another."""
    rng, line = RNG.child(number), ()
    for _ in range(plies):
        move, rng = rng.uniform(0, width - 1)
        line = (*line, move)
    return line


def noting(looked, name, breaks=lambda _line: False):
    """A law that notes the lines at which it is looked at, and is broken where it is said."""

    def found(item):
        looked.append((name, item.line))
        return f'broken at {item.line}' if breaks(item.line) else None

    return law(found, name)
