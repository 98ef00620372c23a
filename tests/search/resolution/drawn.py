"""Small games drawn as data: trees in which either side may be to move anywhere."""

from functools import cache

from attrs import field, frozen
from hypothesis import strategies as st

from fmcts import Player


@frozen
class Drawn:
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
ENDS = st.builds(Drawn, PLAYERS, st.just(()), st.sampled_from([*Player, None]))


def games():
    """Games that are not over at once."""
    anywhere = st.recursive(
        ENDS,
        lambda after: st.builds(Drawn, PLAYERS, st.lists(after, min_size=1, max_size=4).map(tuple)),
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
