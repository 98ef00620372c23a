"""A whole game from its rules on integers, in one step: states, text, and what compiles.

The rules are written once, as `fmcts.rules.IntegerRules` on a `NamedTuple` of integers. Here they
become a frozen class of states and a `Game`, which stands wherever a game's module stands.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Hashable, Sequence
from operator import index
from pickle import PicklingError
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

import attrs
from returns.result import Result

from fmcts.arguments import shown
from fmcts.bits import WORD, nth_bit, popcount
from fmcts.game import Player, illegal
from fmcts.games import written
from fmcts.rules import IntegerRules, move_itself, position_itself, position_of

__all__ = ['Game', 'RulesState', 'make_game']

PLAYERS: Final = (Player.X, Player.O, None)
"""The players, and nobody, by the integers that rules have for them."""

REMEMBERED: Final = 1 << 12  # menus of which the moves are known


@attrs.frozen(repr=False)
class RulesState:
    """A position of a game that was made from rules; every game has a class of its own.

    `position` is taken as it is; the game's `parse` is the way in for boards that may be
    impossible. A subclass may override any member, and stays what it is when it plays.
    """

    position: Any

    compiled: ClassVar[IntegerRules]
    game: ClassVar[Game]
    listed: ClassVar[Callable[[Any], tuple[Any, ...]]]  # the moves that a menu stands for

    # Found once for a state, when it is first asked for. (The members are properties, so that a
    # subclass may call them by `super()`.)
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
        """Whether the game is finished."""
        return not self._moves

    @property
    def winner(self) -> Player | None:
        """The winner of a finished game, if any."""
        return None if self._moves else PLAYERS[self.compiled.winner(self.position)]

    def play(self, move: Any, /) -> Self:
        """The position after `move`, of the same class.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        moves = self.moves
        if move not in moves:
            raise illegal(self, move)
        kind = type(self)
        number = kind.game.number_of(moves[moves.index(move)])
        after = kind.compiled.play(self.position, number)
        if kind is kind.game.kind:
            return kind(after)
        return attrs.evolve(self, position=after)

    def __repr__(self) -> str:
        """The game, and the fields of the position."""
        fields = ', '.join(f'{name}={n}' for name, n in self.position._asdict().items())
        return f'{type(self).__name__}({fields})'

    def __reduce_ex__(self, protocol: Any) -> Any:
        """The game and the integers: its class may be found under no name of its own."""
        game = type(self).game
        if type(self) is game.kind:
            return game.at, tuple(self.position)
        return super().__reduce_ex__(protocol)


@attrs.frozen(eq=False, repr=False)
class Game:
    """A game made from rules: what a game's module gives, and the class of its states.

    `kind` is the class of the states, `moves` what moves are called in states (`None`: they are the
    integers of the rules). Two games are equal when they are the same object.
    """

    name: str
    start: Any
    kind: type[RulesState]
    notation: written.Notation
    moves: tuple[Any, ...] | None
    found_by: tuple[Any, ...]  # a function and its arguments that give this very game
    _numbers: Any

    def at(self, *fields: int) -> Any:
        """The state whose position has these fields, as they are."""
        return self.kind(type(self.start.position)(*fields))

    def number_of(self, move: Any) -> int:
        """The integer that the rules have for a legal move."""
        return int(move) if self._numbers is None else int(self._numbers[move])

    def parse(self, text: str) -> Result[Any, str]:
        """The position written in `text`, or one line about what is wrong with it."""
        return self.notation.parse(text).map(self.kind)

    def format(self, state: Any) -> str:
        """The position as lines of text; `parse` gives it back."""
        return self.notation.format(state)

    def parse_move(self, text: str) -> Result[Any, str]:
        """The move written in `text`, legal or not, or one line about what was expected."""
        return self.notation.parse_move(text).map(self._called)

    def format_move(self, move: Any) -> str:
        """The move as text; `parse_move` gives it back.

        :raises ValueError: the game has no such move.
        """
        if self._numbers is None:
            return self.notation.format_move(move)
        if move not in self._numbers:
            raise ValueError(f'unknown move {shown(move)}: the game {self.name} has no such move')
        return self.notation.format_move(self._numbers[move])

    def _called(self, number: int) -> Any:
        return number if self.moves is None else self.moves[number]

    def __repr__(self) -> str:
        """The name by which the game goes."""
        return f'<game {self.name}>'

    def __deepcopy__(self, _memory: object) -> Game:
        """Itself, as it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By the call or the variable that gives it: its rules are functions.

        :raises PicklingError: it is no variable of the module that made it.
        """
        function, *arguments = self.found_by
        if function is not _variable:
            return function, tuple(arguments)
        (module,) = arguments
        for name, value in vars(sys.modules[module]).items():
            if value is self:
                return _variable, (module, name)
        raise PicklingError(
            f'the game {self.name} cannot be pickled, nor its states: expected it to be a variable '
            f'of the module {module}, which made it'
        )


def _variable(module: str, name: str) -> Any:
    """The game that a module has under a name."""
    return getattr(importlib.import_module(module), name)


def make_game(  # noqa: PLR0913 - all but the rules have a usual value
    name: str,
    start: Any,
    rules: IntegerRules,
    *,
    moves: Sequence[Hashable] | None = None,
    names: Sequence[str] | None = None,
    format: Callable[[Any], str] | None = None,  # noqa: A002 - the library's word for it
    parse: Callable[[str], Result[Any, str]] | None = None,
    longest_game: int | None = None,
    found_by: tuple[Any, ...] | None = None,
) -> Game:
    """The game that begins in the position `start` and goes on by these `rules`.

    `start.position` of the result is `start` again, and `check_rules(result.start)` holds the
    compiled rules against the ones that Python runs.

    :param name: what it is called, also in messages and by its class.
    :param moves: what moves are in states: number n of the rules is `moves[n]`. Left out, moves are
        the integers of the rules themselves.
    :param names: what moves are called in text, by their numbers. Left out, they are written as
        what they are.
    :param format: `format(state)` as lines of text, the last of which should say how the game
        stands (`fmcts.games.boards.standing`). Left out, the fields of the position are written.
    :param parse: `parse(text)` gives the position again, or a failure; needed with `format` only.
    :param longest_game: how many plies no game exceeds, if that is known; playouts are faster then.
    :param found_by: a function at the top of a module, and arguments, by which another process
        finds the game, that is to say unpickles it. Left out, it is the variable of the calling
        module that holds it.

    :raises ValueError: `rules` come with a `pack` of their own, `start` is no `NamedTuple` of
        integers, or two of `moves` or `names` are equal.
    """
    if rules.pack is not position_of:
        raise ValueError('rules that states are made from have no pack: leave it out')
    if not _is_position(start):
        raise ValueError(f'start must be a NamedTuple of integers, not {shown(start)}')
    if found_by is None:
        found_by = (_variable, sys._getframe(1).f_globals['__name__'])  # noqa: SLF001 - as namedtuple
    called = None if moves is None else tuple(moves)
    numbers = None if called is None else {move: number for number, move in enumerate(called)}
    if called is not None and numbers is not None and len(numbers) < len(called):
        raise ValueError('two of the moves are equal: expected one for each number')
    members: dict[str, Any] = {
        '__slots__': (),
        '__module__': found_by[1] if found_by[0] is _variable else __name__,
        '__doc__': f'A position of {name}, with the fields {", ".join(start._fields)}.',
        'compiled': rules,
        'listed': staticmethod(_listing(rules, called)),
        'playout': _playout_of(rules),
    }
    if longest_game is not None:
        members['longest_game'] = longest_game
    if numbers is not None or rules.key is not move_itself:
        members['key'] = _key_of(rules, numbers)
    make: Any = type(RulesState)
    kind: Any = make(name, (RulesState,), members)
    notation = written.Notation.of(start, called, names, format, parse)
    kind.game = Game(
        name, kind(start), kind, notation, called, found_by, numbers and MappingProxyType(numbers)
    )
    return kind.game  # type: ignore[no-any-return] # it was made here


def _is_position(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and bool(getattr(value, '_fields', ()))
        and all(isinstance(field, int) for field in value)
    )


def _key_of(rules: IntegerRules, numbers: dict[Any, int] | None) -> Callable[[Any, Any], int]:
    def key(self: RulesState, move: Any) -> int:
        """What names the move in every position."""
        return rules.key(self.position, index(move) if numbers is None else numbers[move])

    return key


def _is_set(rules: IntegerRules) -> bool:
    """Whether the menus are sets of bits, as they are when nothing else is said."""
    return rules.count is popcount and rules.pick is nth_bit


def _listing(
    rules: IntegerRules, called: tuple[Any, ...] | None
) -> Callable[[Any], tuple[Any, ...]]:
    """The moves that a menu stands for, in their order, as states have them."""

    def numbers_in(menu: Any) -> list[int]:
        if not _is_set(rules) or isinstance(menu, tuple):
            return rules.listed(menu)
        moves, left = [], menu & WORD
        while left:
            lowest = left & -left
            moves.append(lowest.bit_length() - 1)
            left ^= lowest
        return moves

    # A pure function, remembered: many positions have the same menu.
    @functools.lru_cache(maxsize=REMEMBERED)
    def listed(menu: Any) -> tuple[Any, ...]:
        numbers = numbers_in(menu)
        return tuple(numbers) if called is None else tuple([called[number] for number in numbers])

    if rules.menu is position_itself:  # hardly any comes twice
        return listed.__wrapped__
    return listed


def _playout_of(rules: IntegerRules) -> Callable[[Any, Callable[[int], int]], Player | None]:
    """The method `playout`, on positions: no state is made on the way."""
    menu_of, count, pick, play, winner = (
        rules.menu,
        rules.count,
        rules.pick,
        rules.play,
        rules.winner,
    )

    def of_sets(self: RulesState, draw: Callable[[int], int]) -> Player | None:
        """The winner at the end of the uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        position = self.position
        while menu := menu_of(position) & WORD:
            for _ in range(draw(menu.bit_count())):
                menu &= menu - 1
            position = play(position, (menu & -menu).bit_length() - 1)
        return PLAYERS[winner(position)]

    def of_menus(self: RulesState, draw: Callable[[int], int]) -> Player | None:
        """The winner at the end of the uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        position = self.position
        while True:
            menu = menu_of(position)
            # `count` need not know what the integer 0 is.
            counted = count(menu) if menu or isinstance(menu, tuple) else 0
            if not counted:
                return PLAYERS[winner(position)]
            position = play(position, pick(menu, draw(counted)))

    return of_sets if _is_set(rules) else of_menus
