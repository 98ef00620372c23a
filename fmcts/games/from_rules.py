"""Make a whole game from its rules on integers: states, text, and compiled rules.

The rules are an `fmcts.rules.IntegerRules` on a `NamedTuple` of integers. They become a frozen
class of states and a `Game`, which can be used like a game's module.
"""

from __future__ import annotations

import functools
import importlib
import re
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from pickle import PicklingError
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

import attrs
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bits import WORD, nth_bit, popcount
from fmcts.errors import GameError
from fmcts.game import Player, illegal, is_legal, options_of
from fmcts.games import boards
from fmcts.games._printing import Printed, written
from fmcts.rules import IntegerRules, move_itself, position_itself, position_of

NUMBER: Final = re.compile(r'-?[0-9]{1,20}')
FEW: Final = 12  # names that an error lists
REMEMBERED: Final = 1 << 12  # menus whose moves are cached


class _Players(dict[int, Any]):
    """The players, and `None` for nobody, by the integers that a rule gives."""

    def __init__(self, rule: str, players: Sequence[Any]) -> None:
        super().__init__(enumerate(players))
        self.rule = rule

    def __missing__(self, given: object) -> Any:
        """Refuse any other integer.

        :raises GameError: always.
        """
        raise GameError(
            f'{self.rule} gave {given!r}: accepted are the integers 0 to {len(self) - 1}'
        )


SIDES: Final[dict[int, Player]] = _Players('side', tuple(Player))
ENDS: Final[dict[int, Player | None]] = _Players('winner', (*Player, None))


# ---- states ----


@attrs.frozen(repr=False)
class RulesState(Printed):
    """A position of a game made from rules; every game has its own class.

    `position` is not checked; use the game's `parse` for boards that may be impossible. A subclass
    may override any member, and `play` returns states of the subclass.
    """

    position: Any

    compiled: ClassVar[IntegerRules]
    game: ClassVar[Any]  # the `Game`
    listed: ClassVar[Callable[[Any], tuple[tuple[Any, ...], tuple[int, ...]]]]

    # Computed when first needed. (The members are properties, so that a subclass may call them by
    # `super()`.)
    @functools.cached_property
    def _options(self) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        """The moves, or outcomes, and their numbers in the rules."""
        return type(self).listed(self.position)

    @property
    def player(self) -> Player:
        """The side to move."""
        return SIDES[self.compiled.side(self.position)]

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves in the order of the rules; `()` when the game is over."""
        return self._options[0]

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return not self._options[0]

    @property
    def winner(self) -> Any:
        """The winner of a finished game; `None` for a draw, and while the game is not over."""
        return ENDS[self.compiled.winner(self.position)] if self.over else None

    def play(self, move: Any, /) -> Self:
        """Return the position after `move`, of the same class.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if not is_legal(move, self.moves or options_of(self)):  # outcomes, where chance moves
            raise illegal(self, move)
        moves, numbers = self._options
        kind = type(self)
        after = kind.compiled.play(self.position, numbers[moves.index(move)])
        # Of a subclass with fields of its own `evolve` keeps these; it is slower.
        return kind(after) if kind is kind.game.kind else attrs.evolve(self, position=after)

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
    # Past the constructor of the subclass, whose arguments are not known.
    state = kind.__new__(kind)
    for name, value in {**others, 'position': kind.game.position(*fields)}.items():
        object.__setattr__(state, name, value)
    return state


class _Seated(RulesState):
    """A state of a game with players of its own."""

    __slots__ = ()

    players: ClassVar[tuple[Any, ...]]

    @property
    def player(self) -> Any:
        """The player whose turn it is."""
        side, players = self.compiled.side(self.position), self.game.players
        if not 0 <= side < len(players):
            raise GameError(
                f'the rules of {type(self).__name__} give side {side}: accepted are 0 to '
                f'{len(players) - 1}, for {len(players)} player{"s" * (len(players) > 1)}'
            )
        return players[side]

    @property
    def winner(self) -> Any:
        """The winner of a finished game; `None` if nobody won, and while the game is not over."""
        ends = _Players('winner', (*self.game.players, None))
        return ends[self.compiled.winner(self.position)] if self.over else None


class _Rolled(RulesState):
    """A state of a game with chance."""

    __slots__ = ()

    @property
    def chances(self) -> tuple[tuple[Any, int], ...]:
        """The outcomes where chance moves, each with its weight."""
        rules: Any = self.compiled
        total = rules.chances(self.position)
        if total == 0:
            return ()
        outcomes, numbers = self._options
        weights = [rules.weight(self.position, number) for number in numbers]
        if sum(weights) != total:
            raise GameError(
                f'the rules of {type(self).__name__} give {total} for `chances`, but the weights '
                f'of the outcomes add up to {sum(weights)}'
            )
        return tuple(zip(outcomes, weights, strict=True))

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves in the order of the rules; `()` where chance moves, and at the end."""
        rules: Any = self.compiled
        return () if rules.chances(self.position) else self._options[0]


def _for_each_player(name: str, said: str) -> property:
    """Return the property that has a number for each player, by the rule of that name."""

    def numbers(self: RulesState) -> tuple[float, ...]:
        if name == 'rewards' and not self.over:
            return ()
        rule = getattr(self.compiled, name)
        given = [rule(self.position, each) for each in range(len(self.game.players))]
        # What is no number is named by whoever asks.
        return tuple([float(one) if isinstance(one, int | float) else one for one in given])

    return property(numbers, doc=said)


def _state_class(
    name: str,
    module: str,
    rules: IntegerRules,
    moves: Sequence[Any] | Callable[[Any, int], Any] | None,
    longest_game: int | None,
    players: tuple[Any, ...],
) -> Any:
    """Return a class of states called `name`, in `module`; the caller sets its `game`."""
    own_players = players != tuple(Player)
    bases: list[type] = [_Seated] * own_players + [_Rolled] * (rules.chances is not None)
    members: dict[str, Any] = {
        '__slots__': (),
        '__module__': module,
        '__doc__': f'A position of {name}.',
        'compiled': rules,
        'listed': staticmethod(_listing(rules, moves)),
    }
    if own_players:
        members['players'] = players
    if rules.rewards is not None:
        said = 'The reward of each player in a finished game; `()` before its end.'
        members |= {'rewards': _for_each_player('rewards', said), 'winner': None}
    if rules.gained is not None:
        said = 'What each player gained by reaching this state.'
        members |= {'gained': _for_each_player('gained', said), 'winner': None}
    if not bases and 'winner' not in members:  # else an end has more to say than its winner
        members['playout'] = _playout_of(rules)
    if longest_game is not None:
        members['longest_game'] = longest_game
    if moves is not None or rules.key is not move_itself:
        members['key'] = _key
    make: Any = type(RulesState)
    return make(name, (*bases, RulesState), members)


def _key(self: RulesState, move: Any) -> int:
    """Return the key of a legal move, the same in every position."""
    moves, numbers = self._options
    return self.compiled.key(self.position, numbers[moves.index(move)])


def _is_set(rules: IntegerRules) -> bool:
    """Return whether the menus are sets of bits, the default."""
    return rules.count is popcount and rules.pick is nth_bit


def _listing(
    rules: IntegerRules, moves: Sequence[Any] | Callable[[Any, int], Any] | None
) -> Callable[[Any], tuple[tuple[Any, ...], tuple[int, ...]]]:
    """Return the function from a position to its moves in states, and in the rules."""

    def numbers_in(menu: Any) -> tuple[int, ...]:
        if not _is_set(rules) or isinstance(menu, tuple):
            return tuple(rules.listed(menu))
        numbers, left = [], menu & WORD
        while left:
            lowest = left & -left
            numbers.append(lowest.bit_length() - 1)
            left ^= lowest
        return tuple(numbers)

    if callable(moves):
        called = moves

        def listed(position: Any) -> tuple[tuple[Any, ...], tuple[int, ...]]:
            numbers = numbers_in(rules.menu(position))
            return tuple([called(position, number) for number in numbers]), numbers

        return listed

    def both(menu: Any) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        numbers = numbers_in(menu)
        return (numbers if moves is None else tuple([moves[n] for n in numbers])), numbers

    if rules.menu is position_itself:  # hardly any menu occurs twice
        return both
    cached = functools.lru_cache(maxsize=REMEMBERED)(both)  # many positions have the same menu
    return lambda position: cached(rules.menu(position))


def _playout_of(rules: IntegerRules) -> Callable[[Any, Callable[[int], int]], Player | None]:
    """Return the method `playout`, on positions without states."""
    menu_of, count, pick, play = rules.menu, rules.count, rules.pick, rules.play

    def of_sets(self: RulesState, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        position = self.position
        # Masked: a set with bit 63 may come as a negative number from rules written for 64 bits.
        while menu := menu_of(position) & WORD:
            for _ in range(draw(menu.bit_count())):
                menu &= menu - 1
            position = play(position, (menu & -menu).bit_length() - 1)
        return ENDS[rules.winner(position)]

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
                return ENDS[rules.winner(position)]
            position = play(position, pick(menu, draw(counted)))

    return of_sets if _is_set(rules) else of_menus


# ---- games ----


@attrs.frozen(eq=False, repr=False)
class Game:
    """A game made from rules: the members of a game's module, and the class of its states.

    `kind` is the class of the states. `names` are the names of moves in text, in order; `None` if
    they are the integers of the rules. `noun` is what a move is called. Two games are equal only if
    they are the same object.
    """

    name: str
    start: Any
    kind: type[RulesState]
    players: tuple[Any, ...]
    names: Mapping[Any, str] | None
    found_by: tuple[Any, ...]  # a function and its arguments that return this game
    _format: Callable[[Any], str]
    _parse: Callable[[str], Result[Any, str]]
    noun: str = ''

    def at(self, *fields: int) -> Any:
        """Return the state whose position has these fields, without checks."""
        return self.kind(self.position(*fields))

    @property
    def position(self) -> Any:
        """The class of the positions."""
        return type(self.start.position)

    def parse(self, text: str) -> Result[Any, str]:
        """Return the position written in `text`, or one line about what is wrong with it."""
        return self._parse(text).map(self.kind)

    def format(self, state: Any) -> str:
        """Return the position as lines of text, which `parse` reads back."""
        return self._format(state)

    def parse_move(self, text: str) -> Result[Any, str]:
        """Return the move written in `text`, legal or not, or one line about what was expected."""
        word = text.strip()
        if self.names is None:
            if NUMBER.fullmatch(word):
                return Success(int(word))
            return Failure(f'unknown move {shown(text)}: expected a whole number')
        for move, name in self.names.items():
            if name.lower() == word.lower():
                return Success(move)
        names = [*self.names.values()]
        few = ', '.join(names) if len(names) <= FEW else f'a name from {names[0]} to {names[-1]}'
        return Failure(f'unknown move {shown(text)}: expected {few}')

    def format_move(self, move: Any) -> str:
        """Return the move as text, which `parse_move` reads back.

        :raises ValueError: the game has no such move.
        """
        if self.names is None and isinstance(move, int):
            return str(int(move))
        if self.names is None or move not in self.names:
            raise ValueError(f'unknown move {shown(move)}: the game {self.name} has no such move')
        return self.names[move]

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
        module = arguments[0]
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
    moves: Sequence[Hashable] | Callable[[Any, int], Hashable] | None = None,
    names: Sequence[str] | None = None,
    format: Callable[[Any], str] | None = None,  # noqa: A002 - the library's word for it
    parse: Callable[[str], Result[Any, str]] | None = None,
    longest_game: int | None = None,
    players: Sequence[Hashable] | None = None,
    noun: str = '',
    found_by: tuple[Any, ...] | None = None,
) -> Game:
    """Return the game with the initial position `start` and these `rules`.

    `start.position` of the result is `start` again, and `check_rules(result.start)` compares the
    compiled rules with those that Python runs.

    :param name: the game's name, used in messages and by its class.
    :param moves: the moves in states: number n of the rules is `moves[n]`, or, with a function,
        `moves(position, n)`. By default, moves are the integers of the rules.
    :param names: the moves' names in text: `names[n]` names `moves[n]`, or the integer n.
        By default, their `str` in one word.
    :param format: `format(state)` returns lines of text, which should end with
        `fmcts.games.boards.standing(state)`. By default, the fields of the position are written.
    :param parse: `parse(text)` returns the position, or a failure; needed with `format` only.
    :param longest_game: a limit on the plies of a game, if one is known; makes playouts faster.
    :param players: the players in states: number n of the rules is `players[n]`. By default, X and
        O, or the integers if there are not two.
    :param noun: what a move is called, such as `column`: pages then say "column 3".
    :param found_by: a function at the top of a module, and arguments, with which another process
        unpickles the game. By default, the variable of the calling module that holds it.

    :raises ValueError: `rules` have their own `pack`, `start` is not a `NamedTuple` of integers,
        two of `moves` or `names` are equal, or there are not as many `players` as the rules have.
    """
    if rules.pack is not position_of:
        raise ValueError('rules for make_game must not have a pack: leave it out')
    fields = getattr(start, '_fields', ())
    if not fields or not all(isinstance(field, int) for field in start):
        raise ValueError(f'start must be a NamedTuple of integers, not {shown(start)}')
    if found_by is None:
        found_by = (_variable, sys._getframe(1).f_globals['__name__'])  # noqa: SLF001 - as namedtuple
    if players is None:
        players = tuple(Player) if rules.players == 2 else range(rules.players)
    if len(set(players)) != len(players) or len(players) != rules.players:
        raise ValueError(
            f'players must be {rules.players} different values, as many as the rules have, not '
            f'{shown(players)}'
        )
    if format is None and parse is not None:
        raise ValueError('parse is given without format: expected both, or format alone')
    kind: Any = _state_class(
        name,
        found_by[1] if found_by[0] is _variable else __name__,
        rules,
        moves if moves is None or callable(moves) else tuple(moves),
        longest_game,
        tuple(players),
    )
    if parse is None:
        parse = _unread if format else functools.partial(_fields_from, type(start))
    called = _named(None if callable(moves) else moves, names)
    texts = format or _fields_as_text, parse
    kind.game = Game(name, kind(start), kind, tuple(players), called, found_by, *texts, noun)
    return kind.game  # type: ignore[no-any-return] # it was made here


def _named(moves: Sequence[Any] | None, names: Sequence[str] | None) -> Mapping[Any, str] | None:
    """Return the names by moves, in order; `None` if the integers are the names.

    :raises ValueError: two moves or two names are equal, a name is not one word, or there are not
        as many names as moves.
    """
    if moves is None and names is None:
        return None
    names = [*map(written, moves or ())] if names is None else names
    moves = range(len(names)) if moves is None else moves
    if len(names) != len(moves):
        raise ValueError(f'there are {len(moves)} moves and {len(names)} names: expected as many')
    named = dict(zip(moves, names, strict=True))
    if len(named) < len(names):
        raise ValueError('two of the moves are equal: expected a different move for each number')
    seen: dict[str, str] = {}
    for name in names:
        if not name or written(name) != name:
            raise ValueError(f'the name {shown(name)} of a move: expected one word without commas')
        if seen.setdefault(name.lower(), name) is not name:
            raise ValueError(
                f'the names {shown(seen[name.lower()])} and {shown(name)} of two moves: '
                'expected names that differ in more than their capitals'
            )
    return MappingProxyType(named)


def _fields_as_text(state: Any) -> str:
    """Return the fields of the position, one per line, and the line of `boards.standing`."""
    fields = state.position._asdict().items()
    return ''.join(f'{name} {number}\n' for name, number in fields) + f'{boards.standing(state)}\n'


def _fields_from(kind: Any, text: str) -> Result[Any, str]:
    """Return the position with the fields in `text`; the line of `boards.standing` is ignored."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if lines and boards.is_ending(' '.join(lines[-1])):
        lines.pop()
    words = [word for line in lines for word in line]
    fields, numbers = kind._fields, words[1::2]
    if tuple(words[::2]) == fields and all(map(NUMBER.fullmatch, numbers)):
        return Success(kind(*map(int, numbers)))
    return Failure(f'expected a line with a whole number for each of {", ".join(fields)}')


def _unread(_text: str) -> Result[Any, str]:
    return Failure('this game has no parse function for boards: give the moves instead')
