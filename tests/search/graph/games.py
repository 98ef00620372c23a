"""Games for graph searches: drawn ones with many transpositions, and any game without."""

from attrs import field, frozen
from hypothesis import strategies as st

from fmcts import Player


@frozen
class Rules:
    """Positions by number: what the moves lead to, whose turn it is, and who has won at an end."""

    after: tuple[tuple[int, ...], ...]
    players: tuple[Player, ...]
    winners: tuple[Player | None, ...]


@frozen
class Numbered:
    """The position of that number; two are equal when their numbers are."""

    at: int
    rules: Rules = field(eq=False, repr=False)

    @property
    def player(self):
        return self.rules.players[self.at]

    @property
    def moves(self):
        return tuple(range(len(self.rules.after[self.at])))

    @property
    def over(self):
        return not self.rules.after[self.at]

    @property
    def winner(self):
        return self.rules.winners[self.at] if self.over else None

    def play(self, move):
        return Numbered(self.rules.after[self.at][move], self.rules)


@st.composite
def numbered(draw):
    """Games of few positions: some reached in many ways, of unequal lengths, by one move or two.

    Either side may be to move anywhere, also twice in a row.
    """
    size = draw(st.integers(2, 16))
    ends = draw(st.integers(1, size - 1))
    after = tuple(
        tuple(draw(st.lists(st.integers(at + 1, size - 1), min_size=1, max_size=4)))
        if at < size - ends
        else ()
        for at in range(size)
    )
    players = draw(st.lists(st.sampled_from(Player), min_size=size, max_size=size))
    winners = draw(st.lists(st.sampled_from([*Player, None]), min_size=size, max_size=size))
    return Numbered(0, Rules(after, tuple(players), tuple(winners)))


@frozen
class Pathed:
    """A game in which no position comes twice: its states know the moves that led to them."""

    inner: object
    path: tuple = ()

    @property
    def player(self):
        return self.inner.player

    @property
    def moves(self):
        return self.inner.moves

    @property
    def over(self):
        return self.inner.over

    @property
    def winner(self):
        return self.inner.winner

    def play(self, move):
        return Pathed(self.inner.play(move), (*self.path, move))
