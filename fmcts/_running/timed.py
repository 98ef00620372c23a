"""Search for a given time: an effect, which a pure search with the same iterations repeats."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from time import perf_counter

from attrs import evolve
from returns.io import IO

from fmcts._arguments import shown
from fmcts._linked import VISITS_LIMIT
from fmcts._running.entry_points import (
    USUAL,
    check_call,
    check_unscheduled,
    found_by,
    root_to_search,
)
from fmcts._running.registry import check_engine, find_engine, look_at
from fmcts.game import GameState, M
from fmcts.rng import R
from fmcts.search import STOP, Analysis, Node, Search, Watch, ignore


def analyse_for(  # noqa: PLR0913 - the options of `analyse`, by name
    state: GameState[M],
    rng: R,
    search: Search = USUAL,
    *,
    seconds: float,
    engine: str = 'auto',
    watch: Watch = ignore,
    tree: Node | Analysis[M] | None = None,
    root_moves: Iterable[M] | None = None,
) -> IO[tuple[Analysis[M], R]]:
    """Search `state` for `seconds` seconds; otherwise as `analyse`, and with the same options.

    Return the analysis and the generator to use next, in an `IO`. The search runs when this is
    called; `IO` only marks that the clock decides how many iterations are made. Everything else
    follows from that number. To repeat the search, call
    `analyse` with the number of iterations made (`analysis.iterations`, less those of a `tree` you
    passed): it gives the same analysis and generator. `search.iterations` is ignored.

    The time counts the search alone: machine code is linked before the clock starts.
    At least one iteration is made. The search ends a few hundredths of a second late at most,
    unless a single iteration takes longer, or with a network one call; it ends early where any
    search would, and when the root has 1,073,741,823 visits.

    :raises ValueError: `seconds` is not a finite number above 0, or `search` has a schedule.
    :raises Exception: what `analyse` raises.

    >>> from fmcts import SplitMix, analyse
    >>> from fmcts.games import connect4
    >>> from returns.unsafe import unsafe_perform_io
    >>> rng = SplitMix.from_seed(42)
    >>> timed, after = unsafe_perform_io(analyse_for(connect4.start, rng, seconds=0.05))
    >>> analyse(connect4.start, rng, Search(timed.iterations)) == (timed, after)
    True
    """
    check_call(state, rng, search)
    check_seconds('seconds', seconds)
    check_unscheduled(search, 'a search by time has no fixed number')
    check_engine(engine)
    root = root_to_search(state, search, tree, root_moves)
    look_at(state, engine)
    search = evolve(search, iterations=max(1, VISITS_LIMIT - root.iterations))
    run = find_engine(engine, root, rng, search, timed=True)
    return IO(found_by(run, root, rng, search, _until(seconds, watch)))


def check_seconds(name: str, seconds: object) -> float:
    """Return the number.

    :raises ValueError: it is not a finite number above 0.
    """
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not number or not 0 < seconds <= sys.float_info.max:  # type: ignore[operator]
        raise ValueError(f'{name} must be a finite number above 0, not {shown(seconds)}')
    return seconds  # type: ignore[return-value]


def _until(seconds: float, watch: Watch) -> Watch:
    """Return the watch, extended to end a search when its time is over."""
    end = math.inf

    def timed(done: int) -> object:
        nonlocal end
        answer = watch(done)
        if done == 0:
            end = perf_counter() + seconds
        return STOP if perf_counter() >= end else answer

    return timed
