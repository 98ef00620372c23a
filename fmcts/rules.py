"""Rules on integers: how a game is compiled.

A state class declares them with one class attribute, `compiled = IntegerRules(...)`: its position
as a tuple of integers, and its rules as plain functions on that. Nothing here needs numba.
`docs/compiled_games.md` builds a game step by step.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import frozen

from fmcts._declared import declared
from fmcts.bits import nth_bit, popcount
from fmcts.errors import MethodError, RulesError
from fmcts.game import Player, players_of

__all__ = [
    'DRAW',
    'IntegerRules',
    'O',
    'OnPositions',
    'Position',
    'X',
    'fields_of',
    'fits',
    'player_number',
    'python_number',
    'python_position',
    'rules_of',
    'side_of',
]

Position: TypeAlias = NamedTuple
"""A game's own `NamedTuple` whose fields are all integers of 64 bits."""

# How rules on integers name the players, and the end that nobody won.
X: Final = 0
O: Final = 1  # noqa: E741 - the player's name
DRAW: Final = 2

MENUS: Final = 1 << 12  # whose moves are cached, for each set of rules
PLAYERS: Final = 64  # that a game may have


def move_itself(_position: Any, move: int) -> int:
    """Return the move: the default key."""
    return move


def weight_one(_position: Any, _outcome: int) -> int:
    """Return 1: the default weight of an outcome."""
    return 1


def nobody_wins(_position: Any) -> int:
    """Return `DRAW`: the default winner, in a game with rewards."""
    return DRAW


def position_of(state: Any) -> Any:
    """Return the position of a state made from rules (`fmcts.games.from_rules`)."""
    return state.position


def position_itself(position: Any) -> Any:
    """Return the position: the default menu."""
    return position


@frozen(kw_only=True)
class IntegerRules:
    """The rules of a game as functions on integers, which Python runs and numba compiles.

    A `position` is a `NamedTuple` of integers; `pack(state)` returns the position of a state. The
    default is `state.position`, for states made by `fmcts.games.from_rules.make_game`. `pack` is
    the only function that is never compiled. A `menu` represents the legal moves of a position: one
    integer, a `NamedTuple` of integers where one is too narrow, or, by default, the position.

    - `menu(position)`: the legal moves. An integer menu is 0 exactly when the game is over.
    - `count(menu)`: the number of moves; for other menus it is 0 exactly when the game is over.
      `pick(menu, index)`: the move at an index, an integer of 32 bits. By default a menu is a set
      of bits, and a move is the position of a bit.
    - `play(position, move)`: the position after a move.
    - `side(position)`: the side to move, `X` or `O`, as the integers of this module.
    - `winner(position)`: `X`, `O` or `DRAW`, for a finished game.
    - `key(position, move)`: an integer from 0 to `keys` - 1 that means the same move in every
      position, equal to `fmcts.game.key_of` of the state. The default is the move itself.
    - `winning(position, menu)` and `safe(position, menu)`: the moves of the menu that win at once,
      and those after which the opponent has neither won nor can win at once, as menus (0: none).
      Optional: a game may state them if it knows a faster way than trying each move. Playouts that
      look ahead use them (`fmcts.search.policies.decisive`).
    - `patient(position, menu)`: the safe moves that give up no win the player is waiting for, as a
      menu. Optional: only the game can know this, and without it there are none.

    A game with chance, rewards or other players (`fmcts.game.ChanceState`) has some of these too:

    - `chances(position)`: where chance moves, the sum of the weights of all outcomes, from 1 to
      2**31 - 1; 0 elsewhere. Where chance moves, the menu has the outcomes in place of moves.
      `weight(position, outcome)`: the weight of an outcome, by default 1.
    - `players`: the number of players, 2 if not given. `side` returns a number below it, the place
      of the player in the `players` of the state, and `winner` a number below it or, if nobody
      won, `players` itself (which is `DRAW` for two).
    - `rewards(position, player)`: what the player of this number gets in a finished game, from 0 to
      1; given exactly if the states have `rewards`. `winner` is not needed then.
    - `gained(position, player)`: what the player gained by reaching the position, any finite
      number; given exactly if the states have `gained`. Neither of the two is needed then.

    Move number `index` must be the state's `moves[index]`, or the outcome of its `chances[index]`.
    Compiled integers have 64 bits: nothing may rely on growing past that, and a right shift of a
    set with bit 63 shifts in ones, so mask the result. `fmcts.testing.check_rules` finds such
    differences. (`rewards` are computed as in Python, or refused when an integer leaves 64 bits.)

    The rules apply to the class that declares them, not to its subclasses, which may override
    something. A subclass that changes nothing says `compiled = Base.compiled`.

    :raises ValueError: `menu` is missing, and so is `count(position)` or `pick(position, index)`.
    """

    pack: Callable[[Any], Any] = position_of
    menu: Callable[[Any], Any] = position_itself
    play: Callable[[Any, int], Any]
    side: Callable[[Any], int]
    winner: Callable[[Any], int] = nobody_wins
    count: Callable[[Any], int] = popcount
    key: Callable[[Any, int], int] = move_itself
    keys: int = 64
    pick: Callable[[Any, int], int] = nth_bit
    winning: Callable[[Any, Any], Any] | None = None
    safe: Callable[[Any, Any], Any] | None = None
    patient: Callable[[Any, Any], Any] | None = None
    chances: Callable[[Any], int] | None = None
    weight: Callable[[Any, int], int] = weight_one
    players: int = 2
    rewards: Callable[[Any, int], float] | None = None
    gained: Callable[[Any, int], float] | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse inconsistent rules, such as rules without `winner` or `rewards`."""
        won, rewarded = self.winner is not nobody_wins, self.rewards is not None
        unlisted = self.count is popcount or self.pick is nth_bit
        for wrong, message in (
            (
                not (won or rewarded or self.gained is not None),
                'must have winner(position), rewards or gained',
            ),
            (won and rewarded, 'have winner(position) or rewards(position, player), not both'),
            (
                self.chances is None and self.weight is not weight_one,
                'with a weight must have chances(position)',
            ),
            (
                self.menu is position_itself and unlisted,
                'without a menu must have count(position) and pick(position, index)',
            ),
        ):
            if wrong:
                raise ValueError(f'rules on integers {message}')
        if type(self.players) is not int or not 1 <= self.players <= PLAYERS:
            raise ValueError(f'players must be a whole number from 1 to {PLAYERS}')

    def listed(self, menu: Any) -> list[int]:
        """Return the moves of a menu, in order; none if the game is over."""
        if isinstance(menu, tuple):
            return [self.pick(menu, index) for index in _indexes(self.count(menu))]
        # `count` need not accept 0.
        return [*self._listing(menu)] if menu else []

    @functools.cached_property
    def _listing(self) -> Callable[[Any], tuple[int, ...]]:
        """The moves of a menu, cached: most positions of a game share them with others."""
        count, pick = self.count, self.pick

        # Typed, because True, 1 and 1.0 are equal keys, and a rule may tell them apart.
        @functools.lru_cache(maxsize=MENUS, typed=True)
        def listed(menu: Any) -> tuple[int, ...]:
            return tuple(pick(menu, index) for index in _indexes(count(menu)))

        return listed


@frozen
class OnPositions:
    """Mark a function as one of positions (integers) instead of states, so that it can be compiled.

    Pass it wherever a search takes a function of states: an evaluation `(position) -> number`, a
    prior `(position, move) -> number`. It runs in all engines; the Python engines call it with the
    position that the state's own rules pack.
    """

    function: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        """Call the function, with positions as engines do."""
        return self.function(*arguments)

    def of_moves(self, state: Any) -> tuple[float, ...]:
        """Return the number of each of the state's moves, in their order.

        :raises MethodError: the state's class declares no rules on integers.
        """
        rules = rules_of(state)
        if rules is None:
            raise MethodError(f'{type(state).__name__} declares no rules on integers')
        position = rules.pack(state)
        moves = rules.listed(rules.menu(position))
        return tuple(self.function(position, move) for move in moves)


def rules_of(state: object) -> IntegerRules | None:
    """Return the rules on integers that the state's own class declares, or `None`.

    Rules that a base class declares do not count: a subclass may override what they state.
    """
    rules = declared(state, 'compiled')
    return rules if isinstance(rules, IntegerRules) else None


def _indexes(count: Any) -> range:
    """Return the indexes of as many moves as a rule counted."""
    try:
        return range(count)
    except TypeError:
        raise RulesError(f'count gave {count!r}, which is not an integer') from None


def side_of(player: Player | None) -> int:
    """Return the player as an integer; `DRAW` for `None`.

    >>> side_of(Player.X), side_of(Player.O), side_of(None)
    (0, 1, 2)
    """
    return DRAW if player is None else X if player is Player.X else O


def player_number(state: Any, player: Any) -> int:
    """Return the player of a game as an integer: the place among the `players` of the state."""
    return players_of(state).index(player)


def fields_of(position: Any, what: str = 'a position') -> tuple[int, ...]:
    """Return the fields of a position as integers; an error calls it `what`.

    :raises RulesError: it is not a `NamedTuple` of integers of up to 64 bits.
    """
    names = getattr(position, '_fields', ())
    if not names or not isinstance(position, tuple):
        raise RulesError(f'{what} must be a NamedTuple of integers, not {position!r}')
    for value in position:
        if not isinstance(value, int) or not -(1 << 63) <= value < 1 << 64:
            name = next(name for name in names if getattr(position, name) is value)
            raise RulesError(
                f'field {name!r} of {what} must be an integer of 64 bits, not {value!r}'
            )
    return tuple(map(int, position))


def fits(value: int) -> bool:
    """Return whether an integer fits in 64 bits, signed or unsigned."""
    return -(1 << 63) <= value < 1 << 64


def python_position(position: Any) -> Any:
    """Return the position with NumPy's numbers converted to Python's."""
    return position._make(map(python_number, position))


def python_number(value: Any) -> Any:
    """Return one of NumPy's numbers as Python's; any other value as it is."""
    return value.item() if hasattr(value, 'dtype') and hasattr(value, 'item') else value
