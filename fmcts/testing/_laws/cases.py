"""A position of a game under test, the line to it, and its answers."""

from __future__ import annotations

import copy
import inspect
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Self

from attrs import define, field, frozen

from fmcts._arguments import shown
from fmcts.game import equal
from fmcts.rng import Rng
from fmcts.testing._laws.law import OtherwiseError, raised

MEMBERS: Final = ('player', 'moves', 'over', 'winner')
OPTIONAL: Final = ('players', 'chances', 'rewards')
"""The members of `ChanceState`."""

FEW: Final = 32
"""The number of moves of a position that are played, evenly spaced if there are more."""

RECENT: Final = 200
"""The number of earlier cases that each is compared with, whatever their hashes."""

MISSING: Final = object()


@frozen
class Description:
    """The user's description of a game, beside its start.

    :param text: `(parse, format)`: from text to a state (or a `Result` of one), and back.
    :param symmetry: `(on_state, on_move)`: the image of a state, and of a move.
    :param colours: the same with the colours exchanged.
    :param invariants: conditions on every state, by name: see `check_game`.
    :param known: whole games with their winners, `None` for a draw; or with their rewards.
    :param memos: names of attributes in which states cache what follows from the others.
    :param max_plies: a game with more plies is treated as endless.
    :param rng: the generator of everything that is drawn.
    """

    start: Any
    rng: Rng
    text: tuple[Callable[[str], Any], Callable[[Any], str]] | None = None
    symmetry: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None
    colours: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None
    invariants: tuple[tuple[str, Callable[[Any], object]], ...] = ()
    known: tuple[tuple[tuple[Any, ...], Any], ...] = ()
    memos: frozenset[str] = frozenset()
    max_plies: int = 10_000

    @property
    def kind(self) -> type[Any]:
        """The class of the states."""
        return type(self.start)

    @property
    def general(self) -> bool:
        """Whether the game has chance, rewards or other players."""
        return is_general(self.start)

    def fresh(self) -> Any:
        """Return a fresh copy of the start, because a game may change its states.

        Return the start itself if it cannot be copied, or the copy differs; a law reports that.
        """
        try:
            made = copy.deepcopy(self.start)
            alike = type(made) is self.kind and same(made.moves, self.start.moves)
        except Exception:  # noqa: BLE001 - the user's code may raise anything
            return self.start
        return made if alike else self.start


class Seen(NamedTuple):
    """The values of a state's members; `None` for those that it need not have and has not."""

    player: Any
    moves: Any
    over: Any
    winner: Any
    players: Any = None
    chances: Any = None
    rewards: Any = None


@define
class Met:
    """The cases that were looked at together, and how many pairs of equal states they had."""

    first: dict[Any, Case] = field(factory=dict)
    recent: deque[Case] = field(factory=lambda: deque(maxlen=RECENT))
    pairs: int = 0


@frozen(eq=False)
class Case:
    """A position: its state, and the case before it with the move that was played there."""

    game: Description
    state: Any
    before: Case | None = None
    move: Any = None
    plies: int = 0
    met: Met = field(factory=Met)

    def step(self, move: Any) -> Self:
        """Return the case after a move, which may be illegal."""
        after = play(self.state, move)
        return type(self)(self.game, after, self, move, self.plies + 1, self.met)

    @property
    def path(self) -> tuple[Case, ...]:
        """The cases from the start to this one."""
        return tuple(reversed([*self._back()]))

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here."""
        return tuple(case.move for case in self.path[1:])

    def _back(self) -> Iterator[Case]:
        case: Case | None = self
        while case is not None:
            yield case
            case = case.before

    @property
    def options(self) -> Sequence[Any]:
        """The moves or outcomes to continue with; empty if the state does not give any."""
        return moves_of(self.state)

    @property
    def identity(self) -> Any:
        """The key that distinguishes positions: each is checked only once."""
        return self.state


def moves_of(state: Any) -> Sequence[Any]:
    """Return what can be played; empty if the state does not give any, which a law reports."""
    try:
        moves = playable(state)
        return moves if isinstance(moves, tuple | list) and not state.over else ()
    except Exception:  # noqa: BLE001 - the user's code may raise anything
        return ()


def playable(state: Any) -> Any:
    """Return the moves of a state, or the outcomes where chance moves.

    :raises OtherwiseError: a member is missing, or raises an error.
    """
    chances = _optional(state, 'chances')
    return tuple(outcome for outcome, _ in chances) if chances else ask(state, 'moves')


def few(moves: Sequence[Any], most: int = FEW) -> Sequence[Any]:
    """Return the moves, or `most` of them evenly spaced with the first and the last.

    >>> few((1, 2, 3)), few(range(101), 3)
    ((1, 2, 3), [0, 50, 100])
    """
    if len(moves) <= most:
        return moves
    last = len(moves) - 1
    return [moves[last * place // (most - 1)] for place in range(most)]


def named(move: object) -> str:
    """Return a move's `repr` on one line."""
    return shown(move)


def has(state: Any, name: str) -> bool:
    """Return whether a value has a member of that name, even if getting it raises an error."""
    return inspect.getattr_static(state, name, MISSING) is not MISSING or hasattr(state, name)


def ask(state: Any, name: str) -> Any:
    """Return a member of a state.

    :raises OtherwiseError: the state has no such member, or raises an error.
    """
    try:
        return getattr(state, name)
    except Exception as error:
        if not has(state, name):
            raise OtherwiseError(f'{shown(state)} has no {name}') from None
        raise OtherwiseError(f'asking for {name} {raised(error)}') from error


def _optional(state: Any, name: str) -> Any:
    """Return a member that a state may lack, or `None`.

    :raises OtherwiseError: it raises an error.
    """
    if hasattr(type(state), name):  # also if it raises an AttributeError
        return ask(state, name)
    return getattr(state, name, None)


def is_general(state: Any) -> bool:
    """Return whether a state has one of the members of `ChanceState`."""
    return any(has(state, name) for name in OPTIONAL)


def look(state: Any) -> Seen:
    """Return the values of a state's members.

    :raises OtherwiseError: a member is missing, or raises an error.
    """
    needed = [ask(state, name) for name in MEMBERS[:-1]]
    optional = [_optional(state, name) for name in OPTIONAL]
    has_winner = optional[-1] is None or has(state, 'winner')
    winner = ask(state, 'winner') if has_winner else None
    return Seen(*[*needed, winner, *optional])


def play(state: Any, move: Any) -> Any:
    """Return the state after a move.

    :raises OtherwiseError: `play` raises an error.
    """
    try:
        return state.play(move)
    except Exception as error:
        raise OtherwiseError(f'playing {named(move)} {raised(error)}') from error


def hash_of(state: Any) -> int:
    """Return the hash of a state.

    :raises OtherwiseError: it has no hash.
    """
    try:
        return hash(state)
    except Exception as error:
        raise OtherwiseError(f'hash {raised(error)}') from error


def same(one: Any, two: Any) -> bool:
    """Return whether two values are equal; tuples and lists are compared item by item, in order."""
    if one is two:
        return True
    if isinstance(one, tuple | list) and isinstance(two, tuple | list):
        return len(one) == len(two) and all(map(same, one, two))
    return equal(one, two)


def differences(one: Seen, two: Seen) -> str | None:
    """Return the first member in which two states differ, in words."""
    for name, left, right in zip(Seen._fields, one, two, strict=True):
        if not same(left, right):
            return f'{name} {shown(left, 80)} and {name} {shown(right, 80)}'
    return None
