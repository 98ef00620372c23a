"""Check laws at one position after another: all near the start, then lines that Hypothesis draws.

The near positions come by the length of their lines, so the first breach among them has the
shortest line. A breach in a drawn game is shortened by Hypothesis, and then all shorter lines are
tried, up to a limit. Nothing is assumed of the game: playing may raise an error, equality may be
wrong. What is explored, an `Item`, has a line and options: a position, two positions in step, a
generator and what is drawn from it, a run of a simulator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Final, Generic

from attrs import define, evolve, field
from returns.result import Failure, Result, Success

from fmcts._arguments import amount, shown
from fmcts._extras import loaded
from fmcts.rng import Rng
from fmcts.search import Watch, ignore
from fmcts.testing._laws.elsewhere import answers_elsewhere
from fmcts.testing._laws.law import (
    FEW,
    Breach,
    Law,
    Passed,
    T,
    Unchecked,
    along,
    found_by,
    nearest,
)

SHRINKING: Final = 20_000
"""The number of cases in which a broken law is checked again, to find a shorter line."""

HYPOTHESIS: Final = ('hypothesis', 'laws need', 'fmcts[testing]')


class _EndedError(Exception):
    """A basic law is broken, or all are: nothing else need be checked."""


@define
class Exploration(Generic[T]):
    """The laws that are checked, how often each was, and their first breaches.

    `seen` has the items that were checked, `items` those with the breaches.
    """

    first: Callable[[], T]
    laws: Sequence[Law[T]]
    watch: Watch = ignore
    without: tuple[str, ...] = ()
    to_the_first: bool = False
    counts: Counter[str] = field(factory=Counter)
    unchecked: dict[tuple[str, str], bool] = field(factory=dict)
    breaches: dict[str, Breach] = field(factory=dict)
    seen: list[T] = field(factory=list)
    items: dict[str, T] = field(factory=dict)
    near: str = ''
    late: int = 0
    games: int = 0
    ended: bool = False

    def __attrs_post_init__(self) -> None:
        self.counts.update({law.name: 0 for law in self.laws})
        self.unchecked |= {(name, 'it was not asked for'): False for name in self.without}

    def look(
        self, item: T, laws: Iterable[Law[T]] | None = None, *, at_start: bool = False
    ) -> Law[T] | None:
        """Check the laws that are not broken yet; return the first that is broken here."""
        first = None
        scopes = ('position', 'start') if at_start else ('position',)
        for law in self.laws if laws is None else laws:
            skipped = law.name in self.breaches or law.name in self.without
            if self.ended or skipped or law.scope not in scopes:
                continue
            answer = found_by(law, item)
            if isinstance(answer, Unchecked):
                self.unchecked[law.name, answer.why] = answer.partly
                self.counts[law.name] += answer.partly
                continue
            self.counts[law.name] += 1
            if answer is not None:
                first = first or law
                self._record(law, answer, item)
                left = len(self.laws) - len(self.without) - len(self.breaches)
                self.ended = law.basic or self.to_the_first or not left
        return first

    def look_near(self, most: int, *, merged: bool = False, quick: Sequence[Law[T]] = ()) -> None:
        """Check the laws at `most` positions near the start, and `quick` ones at ten times more."""
        deepest, complete = 0, True
        items = (item for item in nearest(self.first(), merged=merged) if item.checked)
        for item in islice(items, most):
            deepest = len(item.line)
            listed = getattr(item, 'listed', item.options)  # else the options are only some
            complete = complete and len(listed) == len(item.options) <= FEW
            self.look(item, at_start=not self.seen)
            self.seen.append(item)
            self.watch(len(self.seen))
            if self.ended:
                raise _EndedError
        complete = complete and next(items, None) is None
        plies = amount(deepest, 'ply', 'plies')
        how = 'all' if complete else f'the nearest, up to {plies} from the start'
        self.near = f'{amount(len(self.seen), "position")} ({how})'
        left = [law for law in quick if law.name not in self.breaches]
        for item in islice(nearest(self.first(), merged=True), 10 * most) if left else ():
            self.look(item, left)

    def look_along(self, lines: Iterable[Iterable[Any]]) -> None:
        """Check the laws along the given lines, as far as they can be played."""
        for line in lines:
            for item in along(self.first(), line):
                broken = self.look(item)
                if broken is not None:
                    self._shorten(broken, SHRINKING)
            self.games += 1
        if self.ended:
            raise _EndedError

    def look_far(
        self, games: int, rng: Rng, *, whole: int, most: int, tries: int = SHRINKING
    ) -> None:
        """Check the laws in `games` lines that Hypothesis draws, and shorten the line to a breach.

        Once a law is broken, only this one is checked, so that what Hypothesis makes simpler stays
        a breach of it. No clock is asked: shortening ends after `tries` checks.

        :param whole: in one of so many games all positions are checked, in the others the end; or
            0: one position of each game is.
        :param most: the most plies of a line.
        """
        if not games or not self.first().options:
            return
        from fmcts.testing._laws import drawing  # noqa: PLC0415 - it needs Hypothesis

        left = tries
        target: Law[T] | None = None

        def lines(draw: drawing.Draw) -> Iterator[T]:
            if whole:
                yield from drawing.whole_line(draw, self.first(), one_in=whole, most=most)
            else:
                yield from drawing.one_position(draw, self.first(), most=most)
            self.games += target is None  # not before: Hypothesis breaks off lines that it has seen

        def breaks(item: T) -> bool:
            nonlocal left, target
            if target is None:
                self.seen.append(item)
                self.late += 1
                # From the first breach on Hypothesis shortens the line, for this law alone.
                target = self.look(item)
                self.watch(len(self.seen))
                return target is not None
            left -= 1
            if left < 0:
                raise drawing.EnoughError
            found = found_by(target, item)
            if isinstance(found, str) and len(item.line) < len(self.items[target.name].line):
                self._record(target, found, item)
            return isinstance(found, str)

        seed, _ = rng.uniform(0, 2**31 - 1)  # all that Hypothesis draws follows from it
        drawing.run(lines, breaks, examples=games, seed=seed, shrink=tries > 0)
        if target is not None:
            self._shorten(target, tries)
        if self.ended:
            raise _EndedError

    def look_elsewhere(
        self, known: Result[bytes, str], items: Sequence[T], given: Callable[[T], tuple[Any, ...]]
    ) -> None:
        """Check the law of another process: a function, as pickled, is asked there about items.

        They are asked for from the last to the first, as what is remembered might help otherwise.
        """
        law = next(law for law in self.laws if law.scope == 'process')
        if law.name in self.without:
            return
        answers = answers_elsewhere(known, [given(item) for item in reversed(items)])
        if isinstance(answers, Failure):
            self.unchecked[law.name, answers.failure()] = False
            return
        for item, answer in zip(items, reversed(answers.unwrap()), strict=True):
            self.counts[law.name] += 1
            pair: Any = (item, answer)  # as laws of this scope take it
            found = found_by(law, pair)
            if isinstance(found, str):
                self._record(law, found, item)
                return

    def _shorten(self, law: Law[T], tries: int) -> None:
        """Try the line's beginnings, then all shorter lines: first those to new positions alone."""
        line = self.breaches[law.name].line

        def shorter(*, merged: bool) -> Iterator[T]:
            return nearest(self.first(), merged=merged, deepest=len(line) - 1)

        # Of equal positions one alone reaches farther in as many tries; but a law may be broken by
        # the way to a position, such as play that changes earlier states, so all are tried last.
        for items, most in (
            (along(self.first(), line[:-1]), len(line)),
            (shorter(merged=True), tries),
            (shorter(merged=False), tries // 4),
        ):
            for item in islice((item for item in items if item.checked), most if tries else 0):
                found = found_by(law, item)
                if isinstance(found, str) and len(item.line) < len(line):
                    self._record(law, found, item)
                    line = item.line
                    break

    def _record(self, law: Law[T], found: str, item: T) -> None:
        start = getattr(self.first(), 'state', None)
        self.breaches[law.name] = Breach(law.name, law.sentence, found, item.line, start=start)
        self.items[law.name] = item

    def result(self) -> Result[Passed, Breach]:
        """Return the laws that passed, or the breach of the first one that is broken."""
        broken = [self.breaches[law.name] for law in self.laws if law.name in self.breaches]
        if broken:
            return Failure(evolve(broken[0], others=tuple(broken[1:])))
        extent = f'{self.near} and {self.late:,} in {amount(self.games, "longer game")}'
        if len(self.seen) == 1 and not self.first().options:
            extent = 'the start alone, which lists nothing to play'
        left_out = [
            pair for pair, partly in self.unchecked.items() if partly or not self.counts[pair[0]]
        ]
        named = {name for name, _ in left_out}
        left_out += [
            (name, 'no position was found to check it at')
            for name, count in self.counts.items()
            if not count and name not in named
        ]
        left_out.sort(key=lambda pair: [law.name for law in self.laws].index(pair[0]))
        counts = tuple(pair for pair in self.counts.items() if pair[1])
        return Success(Passed(counts, tuple(left_out), extent))


@contextmanager
def exploring(
    first: Callable[[], T],
    laws: Sequence[Law[T]],
    watch: Watch = ignore,
    without: Iterable[str] = (),
    *,
    to_the_first: bool = False,
) -> Iterator[Exploration[T]]:
    """Give an exploration to the block, which ends early when nothing else need be checked.

    That is when a basic law is broken, or all are; `to_the_first`: when any law is.

    :raises MissingLibraryError: Hypothesis is not installed.
    :raises ValueError: there is no law of a name, or `without` is no list of names.
    """
    loaded(*HYPOTHESIS)
    if isinstance(without, str) or not isinstance(without, Iterable):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'without must be a list of names of laws, not {shown(without)}'
        )
    skipped, names = tuple(without), [law.name for law in laws]
    for name in skipped:
        if name not in names:
            raise ValueError(f'there is no law {shown(name)}: the laws are {", ".join(names)}')
    run = Exploration(first, laws, watch, skipped, to_the_first)
    with suppress(_EndedError):
        yield run
