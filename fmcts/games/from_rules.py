"""Make a whole game from its rules on integers: states, text, and compiled rules.

The rules are an `fmcts.rules.IntegerRules` on a `NamedTuple` of integers. They become a frozen
class of states and a `Game`, which can be used like a game's module.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Hashable, Sequence
from pickle import PicklingError
from types import MappingProxyType
from typing import Any

import attrs
from returns.result import Result

from fmcts._arguments import shown
from fmcts.game import Player
from fmcts.games import _written as written
from fmcts.games._rules_state import RulesState, state_class
from fmcts.rules import IntegerRules, position_of


@attrs.frozen(eq=False, repr=False)
class Game:
    """A game made from rules: the members of a game's module, and the class of its states.

    `kind` is the class of the states. `moves` are the moves in states (`None` for the integers of
    the rules). Two games are equal only if they are the same object.
    """

    name: str
    start: Any
    kind: type[RulesState]
    notation: written.Notation
    moves: tuple[Any, ...] | None
    found_by: tuple[Any, ...]  # a function and its arguments that return this game
    _numbers: Any

    def at(self, *fields: int) -> Any:
        """Return the state whose position has these fields, without checks."""
        return self.kind(self.position(*fields))

    @property
    def position(self) -> Any:
        """The class of the positions."""
        return type(self.start.position)

    def number_of(self, move: Any) -> int:
        """Return the rules' integer for a legal move."""
        return int(move) if self._numbers is None else int(self._numbers[move])

    def parse(self, text: str) -> Result[Any, str]:
        """Return the position written in `text`, or one line about what is wrong with it."""
        return self.notation.parse(text).map(self.kind)

    def format(self, state: Any) -> str:
        """Return the position as lines of text, which `parse` reads back."""
        return self.notation.format(state)

    def parse_move(self, text: str) -> Result[Any, str]:
        """Return the move written in `text`, legal or not, or one line about what was expected."""
        return self.notation.parse_move(text).map(self._called)

    def format_move(self, move: Any) -> str:
        """Return the move as text, which `parse_move` reads back.

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
        """Return the game's name in angle brackets."""
        return f'<game {self.name}>'

    def __deepcopy__(self, _memory: object) -> Game:
        """Return the game itself, which is immutable."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the call or the variable that gives the game, because its rules are functions.

        :raises PicklingError: it is not a variable of the module that made it.
        """
        function, *arguments = self.found_by
        if function is not _variable:
            return function, tuple(arguments)
        (module,) = arguments
        for name, value in vars(sys.modules[module]).items():
            if value is self:
                return _variable, (module, name)
        raise PicklingError(
            f'the game {self.name} and its states cannot be pickled: assign the game to a variable '
            f'of the module {module}, which made it'
        )


def _variable(module: str, name: str) -> Any:
    """Return the game that a module has under a name."""
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
    players: Sequence[Hashable] | None = None,
    found_by: tuple[Any, ...] | None = None,
) -> Game:
    """Return the game with the initial position `start` and these `rules`.

    `start.position` of the result is `start` again, and `check_rules(result.start)` compares the
    compiled rules with those that Python runs.

    :param name: the game's name, used in messages and by its class.
    :param moves: the moves in states: number n of the rules is `moves[n]`. By default, moves are
        the integers of the rules.
    :param names: the moves' names in text, by number. By default, their `str` in one word.
    :param format: `format(state)` returns lines of text, which should end with
        `fmcts.games.boards.standing(state)`. By default, the fields of the position are written.
    :param parse: `parse(text)` returns the position, or a failure; needed with `format` only.
    :param longest_game: a limit on the plies of a game, if one is known; makes playouts faster.
    :param players: the players in states: number n of the rules is `players[n]`. By default, X and
        O, or the integers if there are not two.
    :param found_by: a function at the top of a module, and arguments, with which another process
        unpickles the game. By default, the variable of the calling module that holds it.

    :raises ValueError: `rules` have their own `pack`, `start` is not a `NamedTuple` of integers,
        two of `moves` or `names` are equal, or there are not as many `players` as the rules have.
    """
    if rules.pack is not position_of:
        raise ValueError('rules for make_game must not have a pack: leave it out')
    if not _is_position(start):
        raise ValueError(f'start must be a NamedTuple of integers, not {shown(start)}')
    if found_by is None:
        found_by = (_variable, sys._getframe(1).f_globals['__name__'])  # noqa: SLF001 - as namedtuple
    called = None if moves is None else tuple(moves)
    numbers = None if called is None else {move: number for number, move in enumerate(called)}
    if called is not None and numbers is not None and len(numbers) < len(called):
        raise ValueError('two of the moves are equal: expected a different move for each number')
    if players is None:
        players = tuple(Player) if rules.players == 2 else range(rules.players)
    if len(set(players)) != len(players) or len(players) != rules.players:
        raise ValueError(
            f'players must be {rules.players} different values, as many as the rules have, not '
            f'{shown(players)}'
        )
    module = found_by[1] if found_by[0] is _variable else __name__
    kind: Any = state_class(name, module, rules, called, longest_game, tuple(players))
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
