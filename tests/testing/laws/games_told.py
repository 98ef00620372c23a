"""A game with just the five members, and the laws that do not apply to it."""

from attrs import evolve, frozen

from fmcts import Player, SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws import games
from fmcts.testing._laws.games import GAME_LAWS, chosen, description_of
from fmcts.testing._laws.law import Breach
from fmcts.testing._laws.states import has_subclasses

X, O = Player  # noqa: E741 - the player's name
RNG = SplitMix.from_seed(1)
START = tictactoe.start
NAMES = [law.name for law in GAME_LAWS]
SECOND = games.SECOND.name
BREACH = Breach('moves are unique', 'It is kept.', 'no')


@frozen
class Plain:
    """Nothing but the five members."""

    left: int = 3
    player: Player = X

    moves = property(lambda self: (1,) * bool(self.left))
    over = property(lambda self: not self.left)
    winner = property(lambda _self: None)

    def play(self, move):
        return evolve(self, left=self.left - move, player=self.player.other)


NONE_GIVEN = dict.fromkeys(
    (games.TEXT.name, games.SYMMETRY.name, games.COLOURS.name, games.KNOWN.name), 'none was given'
)


def no_subclass(kind):
    """That the class has no subclass, unless another test has made one."""
    if has_subclasses(kind):
        return {}
    return {games.SUBCLASS.name: f'{kind.__name__} has no subclass'}


UNDECLARED = {
    games.KEYS.name: 'Plain declares no key',
    games.PLAYOUT.name: 'Plain declares no playout',
    games.RULES.name: 'Plain declares no rules on integers',
}


def left_out(start, *without, **told):
    """The laws that are left out, and why; all others are looked at, and all in one order."""
    choice = chosen(description_of(start, **told), without)
    names = [law.name for law in choice.laws]
    out = dict(choice.left_out)
    assert names == [name for name in NAMES if name not in out]
    assert [*out] == [name for name in NAMES if name in out]
    return out
