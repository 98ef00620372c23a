"""The class of states made from rules on integers; `from_rules` makes a game with it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import index
from typing import Any, ClassVar, Final, Self

import attrs

from fmcts.bits import WORD, nth_bit, popcount
from fmcts.errors import GameError
from fmcts.game import Player, illegal, is_legal, options_of
from fmcts.games._printing import Printed
from fmcts.rules import IntegerRules, move_itself, position_itself


class _Ends(dict[int, Any]):
    """The players, and `None` for nobody, by the integers of rules."""

    def __missing__(self, winner: object) -> Any:
        """Refuse any other integer.

        :raises GameError: always.
        """
        raise GameError(f'winner gave {winner!r}: accepted are the integers 0 to {len(self) - 1}')


PLAYERS: Final[dict[int, Player | None]] = _Ends(enumerate((Player.X, Player.O, None)))

REMEMBERED: Final = 1 << 12  # menus whose moves are cached


@attrs.frozen(repr=False)
class RulesState(Printed):
    """A position of a game made from rules; every game has its own class.

    `position` is not checked; use the game's `parse` for boards that may be impossible. A subclass
    may override any member, and `play` returns states of the subclass.
    """

    position: Any

    compiled: ClassVar[IntegerRules]
    game: ClassVar[Any]  # the `fmcts.games.from_rules.Game`
    listed: ClassVar[Callable[[Any], tuple[Any, ...]]]  # the moves of a menu

    # Computed when first needed. (The members are properties, so that a subclass may call them by
    # `super()`.)
    @functools.cached_property
    def _moves(self) -> tuple[Any, ...]:
        kind = type(self)
        return kind.listed(kind.compiled.menu(self.position))

    @property
    def player(self) -> Player:
        """The side to move."""
        return Player.O if self.compiled.side(self.position) else Player.X

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves in the order of the rules; `()` when the game is over."""
        return self._moves

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return not self._moves

    @property
    def winner(self) -> Player | None:
        """The winner of a finished game; `None` for a draw, and while the game is not over."""
        return None if self._moves else PLAYERS[self.compiled.winner(self.position)]

    def play(self, move: Any, /) -> Self:
        """Return the position after `move`, of the same class.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        moves = self.moves or options_of(self)  # the outcomes, where chance moves
        if not is_legal(move, moves):
            raise illegal(self, move)
        kind = type(self)
        number = kind.game.number_of(moves[moves.index(move)])
        after = kind.compiled.play(self.position, number)
        if kind is kind.game.kind:
            return kind(after)
        return attrs.evolve(self, position=after)

    def __repr__(self) -> str:
        """Return the game's name, and the fields of the position."""
        fields = ', '.join(f'{name}={n}' for name, n in self.position._asdict().items())
        return f'{type(self).__name__}({fields})'

    def __reduce_ex__(self, _protocol: Any) -> Any:
        """Return the game and the integers, because a class may not be importable by name."""
        kind = type(self)
        if kind is kind.game.kind:
            return kind.game.at, tuple(self.position)
        names = attrs.fields_dict(kind).keys() - {'position'}
        return _of_subclass, (kind, tuple(self.position), {n: getattr(self, n) for n in names})


def _of_subclass(kind: Any, fields: tuple[int, ...], others: dict[str, Any]) -> Any:
    """Return the state of a subclass with these integers and its own other fields."""
    state = kind.__new__(kind)
    for name, value in {**others, 'position': kind.game.position(*fields)}.items():
        object.__setattr__(state, name, value)
    return state


def state_class(
    name: str,
    module: str,
    rules: IntegerRules,
    moves: tuple[Any, ...] | None,
    longest_game: int | None,
    players: tuple[Any, ...],
) -> Any:
    """Return a class of states called `name`, in `module`, with these rules.

    `moves`, `longest_game` and `players` are as in `fmcts.games.from_rules.make_game`. The caller
    sets the class's `game`.
    """
    members: dict[str, Any] = {
        '__slots__': (),
        '__module__': module,
        '__doc__': f'A position of {name}.',
        'compiled': rules,
        'listed': staticmethod(_listing(rules, moves)),
    }
    several = _members_of(rules, players)
    members |= several or {'playout': _playout_of(rules)}
    if longest_game is not None:
        members['longest_game'] = longest_game
    if moves is not None or rules.key is not move_itself:
        members['key'] = _key_of(rules, moves)
    make: Any = type(RulesState)
    return make(name, (RulesState,), members)


def _members_of(rules: IntegerRules, players: tuple[Any, ...]) -> dict[str, Any]:
    """Return what a game with chance, rewards or other players has besides; nothing for others."""
    members: dict[str, Any] = {}
    chances, rewards = rules.chances, rules.rewards
    if chances is None and rewards is None and players == tuple(Player):
        return members

    def player(self: Any) -> Any:
        side = rules.side(self.position)
        if not 0 <= side < len(players):
            raise GameError(
                f'the rules of {type(self).__name__} give side {side}: accepted are 0 to '
                f'{len(players) - 1}, for {len(players)} player{"s" * (len(players) > 1)}'
            )
        return players[side]

    members['player'] = property(player)
    if players != tuple(Player):
        ends = _Ends(enumerate((*players, None)))
        members['players'] = players
        members['winner'] = property(
            lambda self: ends[rules.winner(self.position)] if self.over else None
        )
    if chances is not None:

        def outcomes(self: Any) -> tuple[Any, ...]:
            here = self.position
            total = chances(here)
            if not total:
                return ()
            numbers = rules.listed(rules.menu(here))
            weights = [rules.weight(here, number) for number in numbers]
            if sum(weights) != total:
                raise GameError(
                    f'the rules of {type(self).__name__} give {total} for `chances`, but the '
                    f'weights of the outcomes add up to {sum(weights)}'
                )
            return tuple(zip(self._moves, weights, strict=True))

        members['chances'] = property(outcomes)
        members['moves'] = property(lambda self: () if chances(self.position) else self._moves)
    if rewards is not None:
        members['winner'] = None
        members['rewards'] = property(
            lambda self: (
                tuple(float(rewards(self.position, each)) for each in range(len(players)))
                if self.over
                else ()
            )
        )
    return members


def _key_of(rules: IntegerRules, moves: tuple[Any, ...] | None) -> Callable[[Any, Any], int]:
    numbers = None if moves is None else {move: number for number, move in enumerate(moves)}

    def key(self: RulesState, move: Any) -> int:
        """Return the key of a move, the same in every position."""
        return rules.key(self.position, index(move) if numbers is None else numbers[move])

    return key


def _is_set(rules: IntegerRules) -> bool:
    """Return whether the menus are sets of bits, the default."""
    return rules.count is popcount and rules.pick is nth_bit


def _listing(
    rules: IntegerRules, called: tuple[Any, ...] | None
) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function from a menu to its moves, in order, as in states."""

    def numbers_in(menu: Any) -> list[int]:
        if not _is_set(rules) or isinstance(menu, tuple):
            return rules.listed(menu)
        moves, left = [], menu & WORD
        while left:
            lowest = left & -left
            moves.append(lowest.bit_length() - 1)
            left ^= lowest
        return moves

    # Cached, because many positions have the same menu.
    @functools.lru_cache(maxsize=REMEMBERED)
    def listed(menu: Any) -> tuple[Any, ...]:
        numbers = numbers_in(menu)
        return tuple(numbers) if called is None else tuple([called[number] for number in numbers])

    if rules.menu is position_itself:  # hardly any menu occurs twice
        return listed.__wrapped__
    return listed


def _playout_of(rules: IntegerRules) -> Callable[[Any, Callable[[int], int]], Player | None]:
    """Return the method `playout`, on positions without states."""
    menu_of, count, pick, play, winner = (
        rules.menu,
        rules.count,
        rules.pick,
        rules.play,
        rules.winner,
    )

    def of_sets(self: RulesState, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        position = self.position
        while menu := menu_of(position) & WORD:
            for _ in range(draw(menu.bit_count())):
                menu &= menu - 1
            position = play(position, (menu & -menu).bit_length() - 1)
        return PLAYERS[winner(position)]

    def of_menus(self: RulesState, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        position = self.position
        while True:
            menu = menu_of(position)
            # `count` need not accept the integer 0.
            counted = count(menu) if menu or isinstance(menu, tuple) else 0
            if not counted:
                return PLAYERS[winner(position)]
            position = play(position, pick(menu, draw(counted)))

    return of_sets if _is_set(rules) else of_menus
