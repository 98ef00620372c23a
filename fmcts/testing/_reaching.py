"""Reach a state that satisfies a predicate: all lines near the start, then lines to what is new.

A property-based test seldom meets a state that one random game in a million passes. States are
values here, so a search can go back to any state it has met, and go on from there (A. Ecoffet and
others, "First return, then explore", Nature 590, 2021). Where it goes on is decided by novelty: a
state is a set of parts (a stone on a cell, a number of pieces), and what counts is how many states
met so far share each of them, at any ply and at the same ply (N. Lipovetzky and H. Geffner, "Width
and serialization of classical planning problems", ECAI 2012).
"""

from __future__ import annotations

import enum
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set as AbstractSet
from itertools import islice
from typing import Any, Final

import attrs
from attrs import define, field, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import amount, shown, whole_number
from fmcts.game import equal, options_of
from fmcts.rng import Rng, SplitMix, thaw
from fmcts.rules import rules_of
from fmcts.search import Watch, ignore
from fmcts.testing._laws.law import FEW
from fmcts.testing._laws.watching import attributes

Parts = Callable[[Any], Iterable[Hashable]]

SHORTENING: Final = 2_000
"""The most plies that are played to make a line shorter."""

KINDS: Final = 4
"""One line in 4 begins at the start, and in one every second move is the one before."""

CHOICES: Final = 8
"""The number of states drawn from those met; the newest of them is continued."""

FIRST: Final = 2_000
"""The number of plies spent on the lines nearest to the start, before any others."""

NEAR: Final = 2
"""After that, one ply in 2 does."""

WIDE: Final = 256
"""Larger numbers are taken for sets of bits."""


@frozen
class Reached:
    """A line to a state that satisfies the predicate.

    :param line: the moves and outcomes from the start.
    :param state: the state that they lead to.
    :param shortest: whether no shorter line leads to such a state.
    :param plies: how many plies were played to find it.
    """

    line: tuple[Any, ...]
    state: Any = field(repr=False)
    shortest: bool
    plies: int

    def __str__(self) -> str:
        """Return one line."""
        length = amount(len(self.line), 'ply', 'plies')
        least = ', and no line is shorter' if self.shortest else ''
        moves = ', '.join(map(str, self.line)) or 'the start'
        return f'reached in {length}{least}, after {amount(self.plies, "ply", "plies")}: {moves}'


@frozen
class Unreached:
    """The facts known when no such state was found.

    :param within: no line of at most so many plies leads to one; `None`: no line at all does.
    :param positions: how many different positions were looked at.
    :param plies: how many plies were played.
    """

    within: int | None
    positions: int
    plies: int

    def __str__(self) -> str:
        """Return one line."""
        met = amount(self.positions, 'position')
        if self.within is None:
            return f'no line reaches such a state: all {met} were looked at'
        near = amount(self.within, 'ply', 'plies')
        return f'none within {near}, and none was met in {met} beyond that: nothing is proved there'


def reach(
    start: Any,
    predicate: Callable[[Any], object],
    *,
    plies: int = 100_000,
    longest: int = 1_000,
    parts: Parts | None = None,
    rng: Rng | None = None,
    watch: Watch = ignore,
) -> Result[Reached, Unreached]:
    """Return a line from `start` to a state for which `predicate` is true.

    The first 2,000 plies, and later every second, go to the nearest positions, each once: a line
    found there is the shortest, and a small game is looked at as a whole. The others go to lines
    that begin at states with new parts; a line found there is made shorter by leaving out moves, as
    far as that goes. Equal arguments give equal results.

    :param predicate: a function of a state; what it returns counts as true or false.
    :param plies: the most plies that are played, in all.
    :param longest: the most plies of a line.
    :param parts: a function that describes a state by a few values that can be hashed; by default
        the fields of its position, or of the state, and what these contain.
    :param rng: the generator of everything that is drawn; by default, always the same.
    :param watch: receives the number of plies played.
    :raises ValueError: `predicate` is no function, or a number is not accepted.

    >>> from fmcts.games import connect4, tictactoe
    >>> drawn = reach(connect4.start, lambda state: state.over and state.winner is None).unwrap()
    >>> len(drawn.line), drawn.state.over, drawn.plies < 100_000
    (42, True, True)
    >>> print(reach(tictactoe.start, lambda state: state.over and state.moves).failure())
    no line reaches such a state: all 5,478 positions were looked at
    """
    found = next(reaching(start, predicate, plies, longest, parts, rng, watch))
    return Success(found) if isinstance(found, Reached) else Failure(found)


def reaching(
    start: Any,
    predicate: Callable[[Any], object],
    plies: int,
    longest: int,
    parts: Parts | None = None,
    rng: Rng | None = None,
    watch: Watch = ignore,
) -> Iterator[Reached | Unreached]:
    """Yield different states that are reached, and at last what is known of others."""
    if not callable(predicate):
        raise ValueError(f'the predicate must be a function of a state, not {shown(predicate)}')  # noqa: TRY004 - as for any wrong argument
    whole_number('plies', plies)
    whole_number('longest', longest)
    draws = thaw(SplitMix.from_seed(1) if rng is None else rng).draw
    exploration = Reaching(start, predicate, longest, parts or parts_of(start), draws, watch)
    near, far = exploration.near(), exploration.far()
    found: dict[Any, None] = {}
    while exploration.within is not None and exploration.plies < plies:
        # Counted in plies and not in turns: where there are many moves one turn plays many plies.
        turn = exploration.plies_near < max(FIRST, exploration.plies // NEAR)
        one = next(near if turn else far, None)
        if one is not None and one.state not in found:
            found[one.state] = None
            yield one
    yield Unreached(exploration.within, len(exploration.met), exploration.plies)


@frozen(eq=False)
class Place:
    """A state met, how it was reached, and its parts."""

    state: Any
    before: Place | None = None
    move: Any = None
    depth: int = 0
    parts: tuple[Hashable, ...] = ()

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here."""
        moves: list[Any] = []
        place: Place = self
        while place.before is not None:
            moves.append(place.move)
            place = place.before
        return tuple(reversed(moves))


@define
class Reaching:
    """The states met, and how many have each part: `counts` has parts, and parts with a ply."""

    start: Any
    predicate: Callable[[Any], object]
    longest: int
    parts: Parts
    draw: Callable[[int], int]
    watch: Watch
    plies: int = 0
    plies_near: int = 0
    within: int | None = -1
    met: set[Any] = field(factory=set)
    noted: set[Any] = field(factory=set)
    counts: Counter[Hashable] = field(factory=Counter)
    places: list[Place] = field(factory=list)
    chosen: Counter[int] = field(factory=Counter)

    def step(self, place: Place, move: Any) -> Place:
        """Return the place after a move."""
        self.plies += 1
        if self.plies % FEW == 0:
            self.watch(self.plies)
        return Place(place.state.play(move), place, move, place.depth + 1)

    def near(self) -> Iterator[Reached | None]:
        """Look at positions by their distance from the start, each once."""
        waiting, seen = deque([Place(self.start)]), set()
        while waiting:
            place = waiting.popleft()
            if place.state in seen:  # not `met`, which has what lines farther away came to
                continue
            seen.add(place.state)
            self.met.add(place.state)
            self.within = place.depth - 1
            if self.predicate(place.state):
                yield Reached(place.line, place.state, shortest=True, plies=self.plies)
            options = options_of(place.state) if place.depth < self.longest else ()
            waiting.extend(self.step(place, move) for move in options)
            self.plies_near += len(options)
            yield None
        self.within = None

    def far(self) -> Iterator[Reached | None]:
        """Play lines, most of which begin where states are new.

        In some a move is often played again, and some are random games from the start.
        """
        first = self.note(Place(self.start))
        while True:
            kind = self.draw(KINDS)
            place, again = self.newest() if kind else first, kind == 1
            while place.depth < self.longest and (options := options_of(place.state)):
                move = options[self.draw(len(options))]
                if again and place.move in options and self.draw(2):
                    move = place.move
                place = self.step(place, move)
                self.met.add(place.state)
                if self.predicate(place.state):
                    yield self.shorter(place)
                    break
                if place.state not in self.noted:
                    place = self.note(place)
            yield None

    def note(self, place: Place) -> Place:
        """Count the parts of a state, and remember its place if one of them is new."""
        self.noted.add(place.state)
        place = attrs.evolve(place, parts=(*self.parts(place.state),))
        new = False
        for part in place.parts:
            for kind in (part, (place.depth, part)):
                self.counts[kind] += 1
                new = new or self.counts[kind] == 1
        if place.before is None or (new and options_of(place.state)):
            self.places.append(place)
        return place

    def newest(self) -> Place:
        """Return the newest of a few places that are drawn, by how rare the parts are."""
        drawn = [self.draw(len(self.places)) for _ in range(CHOICES)]
        best = max(drawn, key=self.novelty)
        self.chosen[best] += 1
        return self.places[best]

    def novelty(self, index: int) -> float:
        """Return how rare the parts of a place are, divided by how often it was continued from."""
        place = self.places[index]
        rare = 0.0
        for part in place.parts:
            # Rare altogether, or rare so early: both lead to where random play seldom gets.
            rare += 1.0 / self.counts[part] + 1.0 / self.counts[place.depth, part]
        return rare / (1 + self.chosen[index])

    def shorter(self, place: Place) -> Reached:
        """Leave out pieces of a line, the longest first, where it still reaches such a state."""
        line, state, left = place.line, place.state, self.plies + SHORTENING
        size = len(line) // 2
        # By halves, then quarters: most of a random line does nothing for where it leads.
        while size and self.plies < left:
            first = 0
            while first + size <= len(line) and self.plies < left:
                again = self.along((*line[:first], *line[first + size :]))
                if again is None:
                    first += size
                else:
                    line, state = again.line, again.state
            size //= 2
        return Reached(line, state, shortest=False, plies=self.plies)

    def along(self, line: Iterable[Any]) -> Place | None:
        """Return the first place of a line that satisfies the predicate; moves may be illegal."""
        place = Place(self.start)
        for move in line:
            if not any(equal(move, option) for option in options_of(place.state)):
                return None
            place = self.step(place, move)
            if self.predicate(place.state):
                return place
        return None


def parts_of(start: Any) -> Parts:
    """Return the function that describes the states of a game by default."""
    rules = rules_of(start)
    if rules is not None:
        return lambda state: pieces((), rules.pack(state))
    kind = type(start)
    if attrs.has(kind):
        names = [each.name for each in attrs.fields(kind) if each.eq]
        return lambda state: pieces((), {name: getattr(state, name) for name in names})
    return lambda state: pieces((), attributes(state))


def pieces(path: tuple[Any, ...], value: Any) -> Iterator[Hashable]:
    """Yield the parts of a value: what lies where, how often it does, and bits of large numbers.

    >>> [*pieces((), ('X', None))]
    [((0,), 'X'), ((1,), None), (('of', 'X'), 1), (('of', None), 1)]
    """
    if isinstance(value, int) and not isinstance(value, bool | enum.Enum) and value >= WIDE:
        yield (*path, 'of'), value.bit_count()
        yield from ((*path, bit) for bit in range(value.bit_length()) if value >> bit & 1)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from pieces((*path, key), inner)
    elif isinstance(value, AbstractSet):
        yield from ((path, element) for element in value)
        yield (*path, 'of'), len(value)
    elif isinstance(value, tuple | list) or (isinstance(value, str) and len(value) > 1):
        inner = [*islice(value, WIDE)]
        for place, each in enumerate(inner):
            yield from pieces((*path, place), each)
        if not hasattr(value, '_fields'):
            plain = (each for each in inner if not isinstance(each, tuple | list | Mapping))
            yield from (((*path, 'of', each), count) for each, count in Counter(plain).items())
    else:
        yield path, value
