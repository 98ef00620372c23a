"""A position of a game under test, the line to it, and its answers."""

from __future__ import annotations

import copy
import inspect
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from attrs import define, field, frozen
from attrs.validators import optional

from fmcts._arguments import check_generator, shown
from fmcts._validators import a_function, as_count, positive_count
from fmcts.game import equal
from fmcts.rng import Rng, SplitMix
from fmcts.testing._laws.law import OtherwiseError, asked, raised
from fmcts.testing._laws.watching import Snapshot, snapshot

NEEDED: Final = ('player', 'moves', 'over', 'winner')
OPTIONAL: Final = ('players', 'chances', 'rewards', 'gained')
"""The members of `ChanceState`."""

PROPOSED: Final = 3
"""The number of proposals, or of drawn outcomes, that are played where nothing is listed."""

RECENT: Final = 200
"""The number of earlier cases that each is compared with, whatever their hashes."""

MISSING: Final = object()
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def _is_a_state(_game: Description, _attribute: Any, start: Any) -> None:
    if isinstance(start, type):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'start must be a state, not the class {start.__name__}: make an instance'
        )


def _is_a_pair(_game: Description, attribute: Any, pair: Any) -> None:
    two = isinstance(pair, tuple) and len(pair) == 2 and all(map(callable, pair))
    if pair is not None and not two:
        raise ValueError(f'{attribute.name} must be two functions, not {shown(pair)}')


def _are_functions(_game: Description, _attribute: Any, given: Any) -> None:
    if not isinstance(given, Mapping) or not all(map(callable, given.values())):
        raise ValueError(
            f'invariants must be a mapping from names to functions of a state, not {shown(given)}'
        )


def _generator(rng: Any) -> Any:
    if rng is None:
        return SplitMix.from_seed(1)
    check_generator(rng)
    return rng


def _whole_games(known: Any) -> tuple[tuple[tuple[Any, ...], Any], ...]:
    try:
        return tuple((tuple(moves), winner) for moves, winner in known)
    except (TypeError, ValueError):
        raise ValueError(
            f'known must be a list of pairs, each of the moves of a game and its winner, not '
            f'{shown(known)}'
        ) from None


def _names(memos: Iterable[str]) -> frozenset[str]:
    return frozenset(memos)


Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]


@frozen
class Description:
    """The user's description of a game, checked; see `check_game`.

    `max_plies`: a game with more plies is treated as endless. `rng` draws whatever is drawn.
    """

    start: Any = field(validator=_is_a_state)
    rng: Rng = field(default=None, converter=_generator)
    text: Pair | None = field(default=None, validator=_is_a_pair)
    symmetry: Pair | None = field(default=None, validator=_is_a_pair)
    colours: Pair | None = field(default=None, validator=_is_a_pair)
    invariants: Mapping[str, Callable[[Any], object]] = field(
        factory=dict, validator=_are_functions
    )
    known: tuple[tuple[tuple[Any, ...], Any], ...] = field(default=(), converter=_whole_games)
    memos: frozenset[str] = field(default=(), converter=_names)
    max_plies: int = field(default=10_000, converter=as_count, validator=positive_count)

    proposals: Callable[[Any, Any], tuple[Any, Any]] | None = field(
        default=None, validator=optional(a_function)
    )

    @property
    def kind(self) -> type[Any]:
        """The class of the states."""
        return type(self.start)

    @property
    def general(self) -> bool:
        """True if the game has chance, rewards or other players."""
        return is_general(self.start)

    def options_at(self, state: Any, ply: int) -> Sequence[Any]:
        """Return what can be played at a ply: what a state lists, else a few proposals."""
        return moves_of(state) or unlisted(state, self.proposals, self.rng.child(ply))

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
    gained: Any = None


@define
class Met:
    """The cases that were looked at together."""

    first: dict[Any, Case] = field(factory=dict)
    recent: deque[Case] = field(factory=lambda: deque(maxlen=RECENT))


@frozen(eq=False)
class Case:
    """A position: its state, and the case before it with the move that was played there."""

    game: Description
    state: Any
    before: Case | None = None
    line: tuple[Any, ...] = ()
    met: Met = field(factory=Met)
    checked: ClassVar[bool] = True

    def step(self, move: Any) -> Case:
        """Return the case after a move, which may be illegal."""
        return Case(self.game, play(self.state, move), self, (*self.line, move), self.met)

    @property
    def path(self) -> list[Case]:
        """The cases from the start to this one."""
        cases, case = [self], self.before
        while case is not None:
            cases.append(case)
            case = case.before
        return cases[::-1]

    @cached_property
    def again(self) -> Any:
        """Another state, which the moves of the line lead to from a fresh start."""
        state = self.game.fresh()
        for move in self.line:
            state = play(state, move)
        return state

    @cached_property
    def places(self) -> tuple[Any, ...]:
        """The places of the moves of the line in their lists; of what is not listed the move."""
        if self.before is None:
            return ()
        move, listed = self.line[-1], enumerate(self.before.listed)
        return *self.before.places, next((n for n, it in listed if equal(it, move)), [move])

    @property
    def options(self) -> Sequence[Any]:
        """The moves or outcomes to continue with; empty if the state does not give any."""
        return self.game.options_at(self.state, len(self.line))

    @property
    def listed(self) -> Sequence[Any]:
        """The moves or outcomes that the state lists."""
        return moves_of(self.state)

    @property
    def identity(self) -> Any:
        """The key that distinguishes positions: each is checked only once."""
        return self.state


def unlisted(state: Any, propose: Callable[[Any, Any], Any] | None, rng: Any) -> list[Any]:
    """Return some moves, or outcomes, of a state that lists none: proposed, or drawn by itself."""
    chances, found = asked(lambda: getattr(state, 'chances', None)), list[Any]()
    ask: Any = chances if callable(chances) else propose and partial(propose, state)
    if ask and not asked(lambda: state.over):
        for generator in (rng, *map(rng.child, range(PROPOSED - 1))):
            given = asked(ask, generator)  # a move or outcome, and the next generator
            if isinstance(given, tuple) and not any(equal(given[0], it) for it in found):
                found.append(given[0])
    return found


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
    if callable(chances):  # outcomes are drawn, and not listed
        return ()
    return tuple(outcome for outcome, _ in chances) if chances else ask(state, 'moves')


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
    needed = [ask(state, name) for name in NEEDED[:-1]]
    optional = [_optional(state, name) for name in OPTIONAL]
    has_winner = optional[2:] == [None, None] or has(state, 'winner')
    winner = ask(state, 'winner') if has_winner else None
    return Seen(*[*needed, winner, *optional])


def play(state: Any, move: Any) -> Any:
    """Return the state after a move.

    :raises OtherwiseError: `play` raises an error.
    """
    try:
        return state.play(move)
    except Exception as error:
        raise OtherwiseError(f'playing {shown(move)} {raised(error)}') from error


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


def picture(case: Case, state: Any) -> Snapshot:
    """Return a snapshot of a state, but for what it caches by the user's word."""
    return snapshot(state, type(state).__name__, case.game.memos)
