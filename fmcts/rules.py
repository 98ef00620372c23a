"""What lets a game be compiled: its position as integers, and its rules as plain functions on it.

A state class says so with one class attribute, `compiled = IntegerRules(...)`. Nothing here needs
numba; `docs/compiled_games.md` builds a game step by step.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import frozen

from fmcts.bits import nth_bit, popcount
from fmcts.declared import declared
from fmcts.game import Player
from fmcts.remembered import remembered_while
from fmcts.stamps import Stamp

__all__ = [
    'DRAW',
    'IntegerRules',
    'O',
    'OnPositions',
    'Position',
    'X',
    'rules_of',
    'side_of',
]

Position: TypeAlias = NamedTuple
"""A game's own `NamedTuple` whose fields are all integers of 64 bits."""

# How rules on integers name the players, and the end that nobody won.
X: Final = 0
O: Final = 1  # noqa: E741 - the player's name
DRAW: Final = 2

MENUS: Final = 1 << 12  # of which the moves are remembered, for each set of rules


def move_itself(_position: Any, move: int) -> int:
    """The key of a move where rules give no other."""
    return move


def position_of(state: Any) -> Any:
    """The position of a state that was made from rules (`fmcts.games.from_rules`)."""
    return state.position


def position_itself(position: Any) -> Any:
    """What stands for the moves of a position where rules give nothing else."""
    return position


@frozen(kw_only=True)
class IntegerRules:
    """The rules of a game as functions on integers, which Python runs and numba compiles.

    A `position` is a `NamedTuple` of integers, and `pack(state)` makes it of a state; left out, it
    is `state.position`, which states have that are made from rules
    (`fmcts.games.from_rules.make_game`). Only `pack` is never compiled. A `menu` stands for all the
    legal moves of a position. It is one integer, or a `NamedTuple` of integers where one is too
    narrow, or, left out, the position itself.

    - `menu(position)`: the legal moves; 0 exactly when the game is over, if it is an integer.
    - `count(menu)`: how many they are, of other menus 0 exactly when the game is over;
      `pick(menu, index)`: the one of that index, any integer of 32 bits. Left out, a menu is a set
      of bits and a move is the place of a bit.
    - `play(position, move)`: the position after a move.
    - `side(position)`: the side to move, `X` or `O`, as the integers of this module.
    - `winner(position)`: of a finished game `X`, `O` or `DRAW`.
    - `key(position, move)`: what names the move in every position, from 0 to below `keys`; left
      out, the move itself. It is `fmcts.game.key_of` of the state, number for number.
    - `winning(position, menu)` and `safe(position, menu)`: as menus (0: none), those moves of the
      menu that win at once, and those after which the opponent can neither win at once nor has
      won. A game may state them where it knows a faster way than to try them, for playouts that
      look ahead (`fmcts.search.policies.decisive`).
    - `patient(position, menu)`: as a menu, those of the safe moves by which the player gives up no
      win that it waits for. What that is a game must know: without it there are none.

    Move number `index` must be the state's `moves[index]`. Integers are 64 bits wide when compiled:
    nothing may rely on growing past that, and a right shift of a set with bit 63 brings in ones, so
    it wants a mask. `fmcts.testing.check_rules` looks for the differences.

    The rules serve the class that declares them, not its subclasses, which may override something:
    where nothing differs, a subclass says `compiled = Base.compiled`.

    :raises ValueError: there is no `menu`, and not both of `count(position)` and
        `pick(position, index)`.
    """

    pack: Callable[[Any], Any] = position_of
    menu: Callable[[Any], Any] = position_itself
    play: Callable[[Any, int], Any]
    side: Callable[[Any], int]
    winner: Callable[[Any], int]
    count: Callable[[Any], int] = popcount
    key: Callable[[Any, int], int] = move_itself
    keys: int = 64
    pick: Callable[[Any, int], int] = nth_bit
    winning: Callable[[Any, Any], Any] | None = None
    safe: Callable[[Any, Any], Any] | None = None
    patient: Callable[[Any, Any], Any] | None = None

    def __attrs_post_init__(self) -> None:
        """Positions are no sets of bits."""
        if self.menu is position_itself and (self.count is popcount or self.pick is nth_bit):
            raise ValueError(
                'rules on integers without a menu must have count(position) and '
                'pick(position, index)'
            )

    def listed(self, menu: Any) -> list[int]:
        """The moves that a menu stands for, in their order; none when the game is over."""
        if isinstance(menu, tuple):
            return [self.pick(menu, index) for index in range(self.count(menu))]
        # `count` need not know what 0 is.
        return [*_listing(self)(menu)] if menu else []


# Remembered, as most positions of a game share their moves with others.
@remembered_while(lambda rules: Stamp(rules.count, rules.pick))
def _listing(rules: IntegerRules) -> Callable[[Any], tuple[int, ...]]:
    count, pick = rules.count, rules.pick

    @functools.lru_cache(maxsize=MENUS, typed=True)
    def listed(menu: Any) -> tuple[int, ...]:
        return tuple(pick(menu, index) for index in range(count(menu)))

    return listed


@frozen
class OnPositions:
    """A function `(position, move) -> number` of integers, as the rules of a game have them.

    It stands where a search takes a function of states, and runs in all engines: compiled, and in
    the others on the position that the state's own rules pack.
    """

    function: Callable[..., Any]

    def __call__(self, *told: Any) -> Any:
        """What the function gives; an engine calls it so on positions only."""
        return self.function(*told)

    def of_moves(self, state: Any) -> tuple[float, ...]:
        """The number for each of the state's moves, in their order.

        :raises ValueError: the state's class declares no rules on integers.
        """
        rules = rules_of(state)
        if rules is None:
            raise ValueError(f'{type(state).__name__} declares no rules on integers')
        position = rules.pack(state)
        moves = rules.listed(rules.menu(position))
        return tuple(float(self.function(position, move)) for move in moves)


def rules_of(state: object) -> IntegerRules | None:
    """The rules that the state's own class declares for compilation, if any.

    They serve that class alone: a subclass may override what they state.
    """
    rules = declared(state, 'compiled')
    return rules if isinstance(rules, IntegerRules) else None


def side_of(player: Player | None) -> int:
    """The player as an integer; `DRAW` for nobody.

    >>> side_of(Player.X), side_of(Player.O), side_of(None)
    (0, 1, 2)
    """
    return DRAW if player is None else X if player is Player.X else O
