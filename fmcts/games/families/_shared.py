"""What families share: descriptions, checks of sizes, classes of positions, lettered boards."""

from __future__ import annotations

import collections
import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeVar

from attrs import frozen

from fmcts._arguments import shown
from fmcts.games.boards import Layout
from fmcts.games.from_rules import Game

MAKE: Final[Any] = collections.namedtuple  # noqa: PYI024 - mypy wants fields written out


GAMES: Final = 64  # games of each family in the cache

P = ParamSpec('P')
G = TypeVar('G')


@frozen
class Family:
    """A family of games: its name, the names of its sizes, and `make(*sizes)`.

    `make` raises `ValueError` for sizes that are not accepted. With `several`, any number of sizes
    may be given. `example` is the name of a game, `other` of one of another size; `about`, the
    `limits` of the sizes, the `rules` and how `moves` are written are for readers.
    """

    name: str
    sizes: tuple[str, ...]
    example: str
    about: str
    make: Callable[..., Game]
    several: bool = False
    other: str = ''
    limits: str = ''
    rules: str = ''
    moves: str = ''

    @property
    def pattern(self) -> str:
        """The form of a game's name, such as `nim:PILE,...`."""
        return f'{self.name}:{",".join(self.sizes)}{",..." if self.several else ""}'


def one_for_each(make: Callable[P, G]) -> Callable[P, G]:
    """Return a function that makes the game of given sizes once while anything refers to it.

    The latest `GAMES` stay in memory in any case.
    """
    made: weakref.WeakValueDictionary[object, Any] = weakref.WeakValueDictionary()
    latest: Any = functools.lru_cache(maxsize=GAMES, typed=True)(make)  # 3.0 is not a size

    @functools.wraps(make)
    def game(*sizes: P.args, **named: P.kwargs) -> G:
        key = sizes, tuple(map(type, sizes)), tuple(named.items())
        try:
            found: Any = made.get(key)
        except TypeError:  # a value without a hash is not a size
            return make(*sizes, **named)
        if found is None:
            found = made[key] = latest(*sizes, **named)
        return found  # type: ignore[no-any-return]

    return game


def integers(name: str, *fields: Sequence[str]) -> Any:
    """Return the class `name` of named tuples of integers with all these fields.

    Each of `fields` is a sequence of names, such as `['left']`, not one name.
    >>> integers('Position', ('x0', 'x1'), ['turn'])(1, 2, turn=0)
    Position(x0=1, x1=2, turn=0)
    """
    return MAKE(name, [field for several in fields for field in several])


def between(what: str, given: object, least: int, most: int) -> None:
    """Check that `given` is a whole number from `least` to `most`.

    :raises ValueError: it is not.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f'{what}: expected {least} to {most}, not {shown(given)}')


LETTERS: Final = 'abcdefghijklmnopqrstuvwxyz'


def lettered(rows: int, columns: int, *, slanted: bool = False) -> Layout:
    """Return the layout of such a board.

    >>> lettered(3, 3).header, lettered(12, 2).header, lettered(3, 3).cell_name(5)
    ('  a b c', '   a b', 'c2')
    """
    names = square_names(rows, columns)
    indent = ' ' * (len(str(rows)) + 1)
    header = indent + ' '.join(LETTERS[:columns])
    return Layout(rows, columns, names.__getitem__, header=header, numbered=True, slanted=slanted)


def square_names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the names of a board's squares in reading order.

    >>> square_names(2, 3)
    ('a1', 'b1', 'c1', 'a2', 'b2', 'c2')
    """
    return tuple(f'{LETTERS[column]}{row + 1}' for row in range(rows) for column in range(columns))
