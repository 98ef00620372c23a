"""Games of numbers that are drawn, for searches with proposals."""

from attrs import evolve, frozen


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
