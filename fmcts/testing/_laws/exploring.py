"""Explore positions of a game under test, and shorten the line to a breach.

The positions are those of all short lines, and of random games. The explored items have a line and
moves: positions of a game, or of two games in step. Nothing is assumed: equality may be wrong, and
playing may raise an error or change earlier states, so each item is reached from a fresh start.
(For bots and searches, whose games are correct, see `positions`.)
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from attrs import define, evolve, field, frozen

from fmcts._arguments import amount
from fmcts.game import equal
from fmcts.rng import Rng, thaw
from fmcts.search._watch import Watch
from fmcts.testing._laws.cases import FEW, few
from fmcts.testing._laws.law import Breach, Law, found_by

STAGES: Final = 64
"""The number of positions of a random game to check, evenly spaced if it has more plies."""

SHRINKING: Final = 20_000
"""The number of different positions checked to find a shorter line to a breach."""

LINES: Final = 5_000
"""The number of further lines checked, whether or not their positions are new."""


DROPPING: Final = 500_000
"""The number of moves played to find moves of the line that can be left out."""

APART: Final = 0
"""Instead of a number of consecutive moves: two moves anywhere in a line, such as one of each side.
"""


class Item(Protocol):
    """An item to explore; it need not be legal, nor of a correct game."""

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here."""

    @property
    def options(self) -> Sequence[Any]:
        """The moves to continue with."""

    @property
    def identity(self) -> Any:
        """The key by which items are distinguished, if it can be hashed."""

    def step(self, move: Any) -> Self:
        """Return the item after a move; any error may be raised."""


T = TypeVar('T', bound=Item)


@frozen
class Plan:
    """The extent of an exploration.

    :param positions: how many positions, the shortest lines first.
    :param more: how many different positions are checked by the quick laws only.
    :param games: how many random games.
    :param whole: how many of them are checked from start to end, the others at the end only.
    :param max_plies: how many plies of a random game are played.
    :param lines: further lines to play.
    :param merged: whether to stop at a position that was reached before.
    """

    positions: int
    games: int
    max_plies: int
    rng: Rng
    whole: int
    more: int = 0
    lines: tuple[tuple[Any, ...], ...] = ()
    merged: bool = False


@frozen
class Explored:
    """The result: in how many cases each law was checked, and the first breach of each.

    `extent` says in words how much of the game was checked.
    """

    cases: tuple[tuple[str, int], ...]
    breaches: tuple[Breach, ...] = ()
    extent: str = field(default='', eq=False)


def reached(start: T, line: Sequence[Any], *, legal: bool = False) -> T | None:
    """Return the item after these moves, or `None` if one cannot be played (or is illegal)."""
    item = start
    for move in line:
        if legal and not any(equal(move, option) for option in item.options):
            return None
        try:
            item = item.step(move)
        except Exception:  # noqa: BLE001 - the user's code may raise anything
            return None
    return item


def breadth_first(
    fresh: Callable[[], T], most: int, *, deepest: int | None = None, merged: bool = False
) -> Iterator[T]:
    """Yield at most `most` items by the length of their lines; if `merged`, each only once.

    Each is reached from a fresh start, so that nothing done with another item can change it.
    """
    waiting: deque[tuple[Any, ...]] = deque([()])
    met: set[Any] = set()
    left = most
    while waiting and left:
        line = waiting.popleft()
        item = reached(fresh(), line)
        if item is None or (merged and _known(item, met)):
            continue
        left -= 1
        yield item
        if len(line) != deepest:
            waiting.extend((*line, move) for move in few(item.options))


def _known(item: Item, met: set[Any]) -> bool:
    """Return whether an equal item was met before."""
    try:
        if item.identity in met:
            return True
        met.add(item.identity)
    except Exception:  # noqa: BLE001 - no hash, or the user's own raises
        return False
    return False


def followed(start: T, choose: Callable[[T], Any], most: int) -> list[T]:
    """Return the items of a line from `start` with moves by `choose`; some of them if many."""
    items = [start]
    while len(items) <= most and items[-1].options:
        after = reached(items[-1], [choose(items[-1])])
        if after is None:
            break
        items.append(after)
    return [*few(items, STAGES)]


def _drawn(rng: Rng) -> Callable[[Item], Any]:
    draw = thaw(rng).draw
    return lambda item: item.options[draw(len(item.options))]


def _given(line: Sequence[Any]) -> Callable[[Item], Any]:
    moves = iter(line)
    return lambda _item: next(moves)


def random_lines(fresh: Callable[[], T], plan: Plan) -> Iterator[list[T]]:
    """Yield the items of random games."""
    for number in range(plan.games):
        items = followed(fresh(), _drawn(plan.rng.child(number)), plan.max_plies)
        yield items if number < plan.whole else items[-1:]


def given_lines(fresh: Callable[[], T], plan: Plan) -> Iterator[list[T]]:
    """Yield the items of the given lines, as far as they can be played."""
    for line in plan.lines:
        yield followed(fresh(), _given(line), len(line))


def explore(
    fresh_of: Callable[[], Callable[[], T]],
    laws: Sequence[Law[T]],
    plan: Plan,
    watch: Watch,
    *,
    quick: Sequence[Law[T]] = (),
) -> Explored:
    """Check the laws at each position, each until it is broken.

    Once a basic law is broken nothing else is checked. The breach of the first broken law gets the
    shortest line that is found.

    :param fresh_of: returns a function that makes the first item; items of one such function know
        of each other.
    :param watch: receives the number of positions and games done.
    """
    return _Exploration([*laws], watch).run(fresh_of, plan, [*quick])


@define
class _Exploration(Generic[T]):
    """The state of an exploration: how often each law was checked, and the breaches."""

    laws: list[Law[T]]
    watch: Watch
    done: int = 0
    counts: Counter[str] = field(factory=Counter)
    found: dict[str, Breach] = field(factory=dict)

    def run(
        self, fresh_of: Callable[[], Callable[[], T]], plan: Plan, quick: list[Law[T]]
    ) -> Explored:
        """Check positions by the lengths of their lines, and those of longer games."""
        self.counts.update({law.name: 0 for law in self.laws})
        fresh = fresh_of()
        near = _Near()
        ended = self.look(near.of(breadth_first(fresh, plan.positions, merged=plan.merged)))
        if not ended and quick:
            ended = self.look(breadth_first(fresh, plan.more, merged=True), quick)
        known, games, late = len(self.found), 0, 0
        if not ended:
            for items in chain(given_lines(fresh, plan), random_lines(fresh, plan)):
                games, late = games + 1, late + len(items)
                if ended := self.look(items):
                    break
        breaches = sorted(self.found.values(), key=self.rank)
        if breaches and breaches[0].law in [*self.found][known:]:
            law = self.laws[self.rank(breaches[0])]
            breaches[0] = shortest(fresh_of, law, breaches[0])
        complete = near.complete and near.count < plan.positions
        deepest = amount(near.deepest, 'ply', 'plies')
        how = 'all' if complete else f'the nearest, up to {deepest} from the start'
        counted, longer = amount(near.count, 'position'), amount(games, 'longer game')
        extent = f'{counted} ({how}) and {late:,} in {longer}'
        if complete and near.count == 1:
            extent = 'the start alone, where the game is over'
        return Explored(tuple(self.counts.items()), tuple(breaches), extent)

    def rank(self, breach: Breach) -> int:
        """Return the place of the law that is broken."""
        return next(place for place, law in enumerate(self.laws) if law.name == breach.law)

    def look(self, items: Iterable[T], looked: Sequence[Law[T]] | None = None) -> bool:
        """Look at laws in these items; return whether nothing else need be looked at."""
        for item in items:
            for law in self.laws if looked is None else looked:
                if law.name in self.found:
                    continue
                self.counts[law.name] += 1
                what = found_by(law, item)
                if what is not None:
                    self.found[law.name] = Breach(law.name, law.sentence, what, item.line)
                    if law.basic or len(self.found) == len(self.laws):
                        return True
            self.done += 1
            self.watch(self.done)
        return False


@define
class _Near:
    """A count of the positions near the start."""

    count: int = 0
    deepest: int = 0
    complete: bool = True

    def of(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, and take note of them."""
        for item in items:
            self.count += 1
            self.deepest = len(item.line)
            self.complete = self.complete and len(item.options) <= FEW
            yield item


def gathered(breaches: Iterable[Breach], laws: Sequence[Law[Any]]) -> Breach:
    """Return the breach that matters most, with the others."""
    names = [law.name for law in laws]
    first, *others = sorted(breaches, key=lambda breach: names.index(breach.law))
    return evolve(first, others=tuple(others))


def shortest(fresh_of: Callable[[], Callable[[], T]], law: Law[T], breach: Breach) -> Breach:
    """Return a breach of the same law after as few moves as can be found.

    All shorter lines are checked, up to a limit: first without positions that were met before,
    which goes deeper, then with them. Then moves of the line are left out.
    """
    best = breach
    for merged, most in ((True, SHRINKING), (False, LINES)):
        deepest = len(best.line) - 1
        if deepest < 0:
            break
        for item in breadth_first(fresh_of(), most, deepest=deepest, merged=merged):
            found = found_by(law, item)
            if found is not None:
                best = Breach(law.name, law.sentence, found, item.line)
                break
    size, left = len(best.line) // 2, DROPPING
    while size >= APART and left > 0 and best.line:
        shorter: Breach | None = None
        for line in _without(best.line, size):
            left -= 1 + len(line)
            there = reached(fresh_of()(), line, legal=True)
            found = found_by(law, there) if there is not None else None
            if found is not None:
                shorter = Breach(law.name, law.sentence, found, line)
            if found is not None or left <= 0:
                break
        if shorter is not None:
            best, size = shorter, size if size > APART else 1
        else:
            size = size // 2 if size > 1 else size - 1
    return best


def _without(line: tuple[Any, ...], size: int) -> Iterator[tuple[Any, ...]]:
    """Yield the line without `size` moves in a row, the last ones first; or without two `APART`.

    Those are any two; and one of each side where they move in turn, the others of each following.
    """
    plies = range(len(line))
    if size != APART:
        for begin in reversed(range(len(line) - size + 1)):
            yield (*line[:begin], *line[begin + size :])
        return
    for two in reversed(plies):
        for one in range(two - 1):
            left = [(ply, move) for ply, move in enumerate(line) if ply not in {one, two}]
            rest = [move for _, move in left]
            yield tuple(rest)
            if (one + two) % 2:
                for side in (0, 1):
                    rest[side::2] = [move for ply, move in left if ply % 2 == side]
                yield tuple(rest)
