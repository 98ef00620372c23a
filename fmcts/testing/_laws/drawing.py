"""Lines of play that Hypothesis draws, and makes shorter where a law is broken.

Moves are drawn by their indices, and outcomes of chance in the same way: so a failing line has the
first moves and the first outcomes in order wherever these break the law too.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, strategies as st
from hypothesis.errors import Flaky

from fmcts.testing._laws.law import T, stepped

Draw = Callable[[Any], int]

STAGES: Final = 16
"""Beyond twice as many plies no longer every position of a drawn line is checked."""

MORE: Final = 8
"""The number of moves tried for one that does not end the game."""


class BrokenError(Exception):
    """A law is broken in a drawn line."""


class EnoughError(BaseException):
    """A line was shortened for long enough; Hypothesis catches exceptions of other kinds only."""


@lru_cache(maxsize=1 << 10)
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def _moved(draw: Draw, item: T, *, long: bool = False) -> T | None:
    """Return the item after a drawn move, or `None` at the end; if `long`, rather not an end."""
    options = item.options
    if not options:
        return None
    place = draw(_below(len(options))) if len(options) > 1 else 0
    after = stepped(item, options[place])
    for more in range(1, min(len(options), MORE) if long else 1):
        if after is not None and after.options:
            break
        after = stepped(item, options[(place + more) % len(options)])
    return after


def whole_line(draw: Draw, first: T, *, one_in: int, most: int) -> Iterator[T]:
    """Draw a line to its end; yield it, and in one of `one_in` lines all positions before it."""
    everywhere = draw(_below(one_in)) == 0
    item = first
    while True:
        plies = len(item.line)
        if item.checked and everywhere and plies % max(1, plies // STAGES) == 0:
            yield item  # before more is drawn, so that a shorter line has nothing after it
        after = _moved(draw, item) if plies < most else None
        if after is None:
            break
        item = after
    if not everywhere or plies % max(1, plies // STAGES):
        yield item


def one_position(draw: Draw, first: T, *, most: int) -> Iterator[T]:
    """Draw a line to its end, and yield one position of it.

    Most lines continue as long as they can, and of some it is the first position with the fewest
    moves: bots fail most often where one move is left.
    """
    kind = draw(_below(4))
    passed: list[T] = []
    item: T | None = first
    while item is not None:
        if item.checked:
            passed.append(item)
        item = _moved(draw, item, long=kind != 1) if len(item.line) < most else None
    if kind == 0 and passed:
        yield min(passed, key=lambda one: len(one.options))
    elif passed:
        yield passed[-1 - draw(_below(len(passed)))]


def run(
    lines: Callable[[Draw], Iterable[T]],
    breaks: Callable[[T], bool],
    *,
    examples: int,
    seed: int,
    shrink: bool,
) -> None:
    """Draw `examples` lines; once `breaks` is true of an item, draw simpler lines where it is.

    Everything depends on the seed alone: no database, no clock. If the same moves lead to another
    game when they are played again, drawing ends (such a game is `Flaky` to Hypothesis).
    """

    def play(data: st.DataObject) -> None:
        for item in lines(data.draw):
            if breaks(item):
                raise BrokenError

    def draw() -> None:
        test = hypothesis.given(st.data())(play)
        test = hypothesis.settings(
            max_examples=examples,
            phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
            # With `seed` below: the same check gives the same report every time.
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )(test)
        hypothesis.seed(seed)(test)()

    with suppress(BrokenError, EnoughError, Flaky):
        if hypothesis.currently_in_test_context():
            # Hypothesis refuses a test inside another, such as one of drawn games: in its thread.
            with ThreadPoolExecutor(1) as threads:
                threads.submit(contextvars.copy_context().run, draw).result()
        else:
            draw()
