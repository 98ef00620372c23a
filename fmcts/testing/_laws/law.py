"""Laws, what they are checked at, and the result: all passed, or the first breach."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

from attrs import field, frozen

from fmcts._arguments import amount, shown
from fmcts._declared import shown_by

Case_contra = TypeVar('Case_contra', contravariant=True)
"""The case of a law: a position and the line to it, a bot and a position, a generator."""

FEW: Final = 32
"""The number of moves of a position that are played, evenly spaced if there are more."""

LONGEST: Final = 24
"""The number of moves of a line that are printed in a breach."""


@frozen
class Unchecked:
    """A law's answer where it cannot be checked: the reason; `partly` if the rest was checked."""

    why: str
    partly: bool = False


Answer: TypeAlias = str | Unchecked | None
"""A breach in words, the reason why nothing was checked, or `None` if the law holds."""


Scope: TypeAlias = Literal['position', 'start', 'process']


@frozen
class Law(Generic[Case_contra]):
    """A property that can be checked, one case at a time.

    :param name: a short name; no two laws share one.
    :param sentence: the law, as a whole sentence.
    :param found: describes a breach in a case, or returns `None`.
    :param basic: whether other laws rely on this one, so that nothing else is checked once it is
        broken.
    :param scope: where it is checked: at each position, at the start alone, or for all positions
        together in another process; `found` receives each with the answer from there.
    """

    name: str
    sentence: str
    found: Callable[[Case_contra], Answer]
    basic: bool = False
    scope: Scope = 'position'


def law(
    name: str, sentence: str, *, basic: bool = False, scope: Scope = 'position'
) -> Callable[[Callable[[Case_contra], Answer]], Law[Case_contra]]:
    """Return a decorator that makes a function the law of that name and sentence."""
    return lambda found: Law(name, sentence, found, basic, scope)


@frozen
class Breach:
    """A law that was broken, and where.

    :param law: the name of the law.
    :param expected: its sentence.
    :param found: what was found instead.
    :param line: the moves from the start to where it was found, as few as were needed.
    :param others: the other broken laws, the most important first; their lines are not shortened.
    :param start: the state where the line begins, from which a notebook draws its positions.

    >>> str(Breach('moves are unique', 'No two moves are equal.', 'the move 3 twice', (0, 4)))
    'moves are unique, after 0, 4: the move 3 twice. Expected: No two moves are equal.'
    """

    law: str
    expected: str
    found: str
    line: tuple[Any, ...] = ()
    others: tuple[Breach, ...] = ()
    start: Any = field(default=None, repr=False, eq=False)

    def __str__(self) -> str:
        """Return one line."""
        moves = ', '.join(map(_named, self.line[:LONGEST]))
        more = f' and {len(self.line) - LONGEST:,} more' if len(self.line) > LONGEST else ''
        where = f'after {moves}{more}' if self.line else 'at the start'
        also = f' Also broken: {", ".join(it.law for it in self.others)}.' if self.others else ''
        return f'{self.law}, {where}: {self.found}. Expected: {self.expected}{also}'

    _repr_html_ = shown_by('_notebook.breach_html')


def _named(move: object) -> str:
    try:
        return ' '.join(str(move).split())
    except Exception:  # noqa: BLE001 - of any type
        return shown(move)


@frozen
class Passed:
    """The laws that passed.

    :param cases: the name of each law, with the number of cases in which it was checked.
    :param left_out: the name of each law that was not checked, with the reason.
    :param extent: how many positions were checked, in words.
    :param never_run: lines of the game's code that no case ran, in words, if that was asked for.

    >>> Passed((('moves are unique', 200), ('games end', 10))).total
    210
    >>> print(Passed((('moves are unique', 200),), (('text is read back', 'no text was given'),)))
    1 law kept in 200 cases; not looked at: text is read back (no text was given)
    """

    cases: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, str], ...] = ()
    extent: str = field(default='', eq=False)
    never_run: str = field(default='', eq=False)

    @property
    def total(self) -> int:
        """The number of cases of all laws together."""
        return sum(count for _, count in self.cases)

    def __str__(self) -> str:
        """Return one line."""
        passed = sum(1 for _, count in self.cases if count)
        looked = f'{amount(passed, "law")} kept in {amount(self.total, "case")}'
        if self.extent:
            looked = f'{looked}: {self.extent}'
        if self.never_run:
            looked = f'{looked}; never run: {self.never_run}'
        if not self.left_out:
            return looked
        return (
            f'{looked}; not looked at: {"; ".join(f"{law} ({why})" for law, why in self.left_out)}'
        )


class OtherwiseError(Exception):
    """Raised inside a law: a breach, in words."""


def raised(error: BaseException) -> str:
    """Return an unexpected error in words, with the first line of its message.

    >>> raised(KeyError('a')), raised(ValueError())
    ("raised KeyError: 'a'", 'raised ValueError')
    """
    try:
        text = str(error).strip().partition('\n')[0]
    except Exception:  # noqa: BLE001 - an error of any type
        text = ''
    name = type(error).__name__
    return f'raised {name}: {text}' if text else f'raised {name}'


def found_by(law: Law[Case_contra], case: Case_contra) -> Answer:
    """Return what a law finds in a case; an error of the code under test is a breach."""
    try:
        return law.found(case)
    except OtherwiseError as found:
        return str(found)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything
        return raised(error)


@frozen
class Raised:
    """An error that replaces a result: a text with its type and message."""

    text: str


def asked(function: Callable[..., Any], *given: Any) -> Any:
    """Return the result of `function(*given)`, or `Raised` if it raises an error or exits.

    >>> asked(int, '7'), asked(int, 'seven')
    (7, Raised(text="raised ValueError: invalid literal for int() with base 10: 'seven'"))
    """
    try:
        return function(*given)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's function raises
        return Raised(raised(error))


# What laws are checked at.


class Item(Protocol):
    """A thing that is explored; it need not be legal, nor of a correct game."""

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here."""

    @property
    def options(self) -> Sequence[Any]:
        """The moves to continue with."""

    @property
    def checked(self) -> bool:
        """True if laws are checked here."""

    @property
    def identity(self) -> Any:
        """The key by which items are distinguished, if it can be hashed."""

    def step(self, move: Any) -> Self:
        """Return the item after a move; any error may be raised."""


T = TypeVar('T', bound=Item)


def few(moves: Sequence[Any], most: int = FEW) -> Sequence[Any]:
    """Return the moves, or `most` of them evenly spaced with the first and the last.

    >>> few((1, 2, 3)), few(range(101), 3)
    ((1, 2, 3), [0, 50, 100])
    """
    if len(moves) <= most:
        return moves
    last = len(moves) - 1
    return [moves[last * place // (most - 1)] for place in range(most)]


def nearest(first: T, *, merged: bool = False, deepest: int | None = None) -> Iterator[T]:
    """Yield the items by the lengths of their lines; if `merged`, equal ones once."""
    waiting: deque[tuple[T, Any]] = deque()
    met: set[Any] = set()
    item: T | None = first
    while True:
        if item is not None and not (merged and _known(item, met)):
            yield item
            if deepest is None or len(item.line) < deepest:
                waiting.extend((item, move) for move in few(item.options))
        if not waiting:
            return
        item = stepped(*waiting.popleft())


def along(first: T, line: Iterable[Any]) -> Iterator[T]:
    """Yield the items of a line of moves, as far as they can be played."""
    item: T | None = first
    for move in line:
        if item is None:
            return
        yield item
        item = stepped(item, move)
    if item is not None:
        yield item


def stepped(item: T, move: Any) -> T | None:
    """Return the item after a move; `None` if the move cannot be played, which a law reports."""
    try:
        return item.step(move)
    except Exception:  # noqa: BLE001 - the user's code may raise anything
        return None


def _known(item: Item, met: set[Any]) -> bool:
    """Return whether an equal item was met before."""
    try:
        if item.identity in met:
            return True
        met.add(item.identity)
    except Exception:  # noqa: BLE001 - no hash, or the user's own raises
        return False
    return False
