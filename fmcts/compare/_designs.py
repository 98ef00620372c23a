"""Run one search in several designs; compare results and costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Generic, TypeAlias

from attrs import evolve, frozen
from returns.io import IO
from returns.unsafe import unsafe_perform_io

from fmcts._arguments import shown, whole_number
from fmcts._declared import shown_by
from fmcts._engines.final import choose
from fmcts._engines.plan import fitted
from fmcts._engines.steps import with_draws
from fmcts._running import registry
from fmcts._running.entry_points import analyse
from fmcts.compare._difference import Difference, End, Engine, first_difference
from fmcts.compare._measure import count_objects, measure_peak, measure_seconds
from fmcts.errors import EngineError
from fmcts.game import GameState, M
from fmcts.rng import Rng
from fmcts.search._analysis import Analysis
from fmcts.search._checks import did_you_mean
from fmcts.search._description import Search, check_search
from fmcts.search._tree import Node, plant
from fmcts.search._watch import Watch, ignore

REFERENCE = 'persistent'

Watching: TypeAlias = Callable[[str, int], Watch]
"""A function from a label and a number of iterations to a watch that receives how many are done."""


@frozen
class Design(Generic[M]):
    """The result of one design, and its costs.

    `seconds` is the processor time of the shortest of the repeats; `peak_bytes` and `objects` are
    as defined by `measure_peak` and `count_objects` in `fmcts.compare._measure`; `peak_bytes` is
    `None` if Python cannot measure it. `rng` is the generator returned.
    """

    engine: str
    analysis: Analysis[M]
    rng: Any
    seconds: float
    peak_bytes: int | None
    objects: int

    @property
    def iterations_per_second(self) -> float:
        """The iterations per second of the fastest run."""
        return self.analysis.iterations / self.seconds

    @property
    def end(self) -> End:
        """The tree and the generator returned."""
        return self.analysis.tree, self.rng


@frozen
class Refusal:
    """A design that does not support the search, and its error message."""

    engine: str
    why: str


@frozen
class Comparison(Generic[M]):
    """The designs in the order of the registry, and the first difference between any of them.

    `iterations` is the number requested; a search may end earlier. `difference` is `None` when all
    agree to the bit: in every field of every node (so in move, statistics and digest) and in the
    generator returned. Otherwise it is the difference between the reference (`persistent`, or else
    the first design) and the design that differs from it first.
    """

    iterations: int
    designs: tuple[Design[M], ...]
    difference: Difference | None = None
    refused: tuple[Refusal, ...] = ()

    @property
    def agree(self) -> bool:
        """True if all designs agree to the bit."""
        return self.difference is None

    _repr_html_ = shown_by('_notebook.comparison_html')


def unwatched(_label: str, _total: int) -> Watch:
    """Return a watch that ignores the progress."""
    return ignore


def find_engines(engines: Iterable[str] | Mapping[str, Engine] | None = None) -> dict[str, Engine]:
    """Return the designs by name, in the order given; by default, all registered ones.

    :raises EngineError: a name is unknown or given twice, or there are fewer than two.
    """
    known: Mapping[str, Engine] = registry.ENGINES
    if isinstance(engines, Mapping):
        known = engines
    chosen: dict[str, Engine] = {}
    for name in known if engines is None else engines:
        if name not in known:
            raise EngineError(
                f'unknown engine {shown(name)}{did_you_mean(name, tuple(known))}: '
                f'accepted are {", ".join(known)}'
            )
        if name in chosen:
            raise EngineError(f'engine {name} is given twice: name each engine once')
        chosen[name] = known[name]
    if len(chosen) < 2:
        raise EngineError(
            f'a comparison takes at least two engines, not {", ".join(chosen) or "none"}: '
            f'registered are {", ".join(registry.ENGINES)}'
        )
    return chosen


@frozen
class _Input:
    """The arguments of every design."""

    root: Node
    rng: Any
    search: Search

    def run(self, engine: Engine, watch: Watch) -> tuple[Any, Any]:
        """Return the root and generator of a design; the root may create its children on demand."""
        return engine(self.root, self.rng, self.search, watch)

    def shortened(self, iterations: int) -> _Input:
        """Return the same input with fewer iterations."""
        return _Input(self.root, self.rng, evolve(self.search, iterations=iterations))


def compare_designs(
    state: GameState[M],
    rng: Rng,
    search: Search,
    *,
    engines: Iterable[str] | Mapping[str, Engine] | None = None,
    repeats: int = 3,
    watching: Watching = unwatched,
) -> IO[Comparison[M]]:
    """Run the designs on the same input (`rng` is consumed); compare results and costs.

    `engines` are names, or a mapping from names to designs of your own. By default all registered
    designs take part, and those that do not support the search are named in `refused`. Each design
    first runs one iteration, for work done only once such as compiling. Then each in turn runs the
    whole search for its processor time, `repeats` times (the shortest counts), and each once for
    its memory and once for its objects. `watching` receives the progress.

    The result is marked as an effect because time and memory differ from run to run; everything
    else in it is a pure function of the arguments.

    :raises FinishedGameError: the game is over.
    :raises EngineError: a name is unknown or given twice, there are fewer than two, or an engine in
        `engines` does not support the search.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises TypeError: `search` is not a `Search`.
    :raises ValueError: `repeats` is not a whole number of at least 1, or `search.max_nodes` is too
        small for one iteration.

    >>> from fmcts import SplitMix
    >>> from fmcts.games import tictactoe
    >>> search = Search(iterations=50)
    >>> compare_designs(tictactoe.start, SplitMix.from_seed(0), search).map(lambda it: it.agree)
    <IO: True>
    """
    whole_number('repeats', repeats)
    check_search(search)
    root = fitted(plant(state), search)
    search, rng = with_draws(search, root, rng)
    given = _Input(root, rng, search)
    chosen = find_engines(engines)
    if search.max_nodes is not None:  # `analyse` refuses a limit that is too small
        analyse(state, rng, evolve(search, iterations=1), engine=REFERENCE)
    refused = _refusals(chosen, given)
    if refused and (engines is not None or len(chosen) - len(refused) < 2):
        raise EngineError(refused[0].why)
    for refusal in refused:
        del chosen[refusal.engine]
    designs: tuple[Design[M], ...] = unsafe_perform_io(_measured(chosen, given, repeats, watching))
    difference = _earliest_difference(designs, chosen, given, watching)
    return IO(Comparison(search.iterations, designs, difference, refused))


def _refusals(chosen: Mapping[str, Engine], given: _Input) -> tuple[Refusal, ...]:
    """Return the designs that refuse the search; run one iteration of the others."""
    once = given.shortened(1)
    refused = []
    for name, engine in chosen.items():
        try:
            once.run(engine, ignore)
        except EngineError as error:
            refused.append(Refusal(name, str(error)))
    return tuple(refused)


def _measured(
    chosen: Mapping[str, Engine], given: _Input, repeats: int, watching: Watching
) -> IO[tuple[Design[Any], ...]]:
    search = given.search
    runs = {name: partial(given.run, engine) for name, engine in chosen.items()}

    def watch(name: str, what: str) -> Watch:
        return watching(f'{name}: {what}', search.iterations)

    ends: dict[str, tuple[Any, Any]] = {}
    seconds = dict.fromkeys(runs, math.inf)
    for _ in range(repeats):  # in turn, so that a busy while of the machine meets them all
        for name, run in runs.items():
            end, took = unsafe_perform_io(measure_seconds(run, watch(name, 'time')))
            ends.setdefault(name, end)
            del end  # keeping equal results would use memory for every repeat
            seconds[name] = min(seconds[name], took)
    found = []
    for name, run in runs.items():
        tree, rng = ends[name]
        peak = unsafe_perform_io(measure_peak(run, watch(name, 'memory')))
        objects = unsafe_perform_io(count_objects(run, watch(name, 'objects')))
        # A faulty design may return a tree without a choice of move.
        visited = any(child.visits for child in tree.children)
        move = choose(tree, search) if visited else None
        analysis: Analysis[Any] = Analysis(move, tree.iterations, tree)
        found.append(Design(name, analysis, rng, seconds[name], peak, objects))
    return IO(tuple(found))


def _earliest_difference(
    designs: Iterable[Design[Any]], chosen: Mapping[str, Engine], given: _Input, watching: Watching
) -> Difference | None:
    """Return the earliest difference between the reference and any other design."""
    ends = {design.engine: design.end for design in designs}
    reference = REFERENCE if REFERENCE in ends else next(iter(ends))

    def grow(name: str, iterations: int) -> End:
        watch = watching(f'{name}: searching for the difference', iterations)
        return given.shortened(iterations).run(chosen[name], watch)

    found = []
    for other, end in ends.items():
        first = first_difference(
            (ends[reference], end),
            given.search.iterations,
            lambda iterations, other=other: (  # type: ignore[misc]
                grow(reference, iterations),
                grow(other, iterations),
            ),
        )
        if first:
            iteration, parting = first
            found.append(Difference((reference, other), iteration, *parting))
    return min(found, key=lambda difference: difference.iteration, default=None)
