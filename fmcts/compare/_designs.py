"""Run one search in several designs; compare results and costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias

from attrs import evolve, frozen
from returns.io import IO

from fmcts._arguments import did_you_mean, shown, whole_number
from fmcts._declared import shown_by
from fmcts._engines import choose, fitted, with_draws
from fmcts._running import ENGINES, analyse
from fmcts.compare._difference import End, first_difference
from fmcts.compare._measure import count_objects, measure_peak, measure_seconds
from fmcts.errors import EngineError
from fmcts.game import GameState, M
from fmcts.rng import Rng
from fmcts.search import Analysis, Search, Watch, check_search, ignore, plant

REFERENCE = 'persistent'

Engine: TypeAlias = Callable[..., tuple[Any, Any]]
"""A design as registered: `(root, rng, search, watch) -> (tree, rng)`."""

RunDesign: TypeAlias = Callable[[str, int], End]
"""A function from the name of a design and a number of iterations to what it finds."""

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


@frozen
class Refusal:
    """A design that does not support the search, and its error message."""

    engine: str
    why: str


@frozen
class Difference:
    """The first iteration after which two designs differ, and the place.

    `values` belong to the `engines` in this order; the other fields are as in `Parting`.
    """

    engines: tuple[str, str]
    iteration: int
    path: tuple[Any, ...] | None
    field: str
    values: tuple[Any, Any]


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
    known: Mapping[str, Engine] = engines if isinstance(engines, Mapping) else ENGINES
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
            f'registered are {", ".join(ENGINES)}'
        )
    return chosen


def compare_designs(
    state: GameState[M],
    rng: Rng,
    search: Search,
    *,
    engines: Iterable[str] | Mapping[str, Engine] | None = None,
    repeats: int = 3,
    watching: Watching = unwatched,
) -> IO[Comparison[M]]:
    """Run one search in several designs; return results, costs and the first difference.

    `engines` are names, or a mapping from names to designs of your own. By default all registered
    designs take part, and those that do not support the search are named in `refused`. Each design
    first runs one iteration, for work done only once such as compiling. Then each in turn runs the
    whole search for its processor time, `repeats` times (the shortest counts), and each once for
    its memory and once for its objects. `watching` receives the beginning and the end of each run.

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
    root = fitted(plant(state, listed=search.proposing is None), search)
    search, root, rng = with_draws(search, root, rng)
    chosen = find_engines(engines)
    if search.max_nodes is not None:  # `analyse` refuses a limit that is too small
        analyse(state, rng, evolve(search, iterations=1), engine=REFERENCE)

    def run(name: str, iterations: int) -> End:
        whole = iterations == search.iterations  # a copy would count among the objects
        given = search if whole else evolve(search, iterations=iterations)
        return chosen[name](root, rng, given, ignore)

    refused = []
    for name in chosen:
        try:
            # What an engine does not support it says before its first iteration.
            run(name, 1)
        except EngineError as error:
            refused.append(Refusal(name, str(error)))
    if refused and (engines is not None or len(chosen) - len(refused) < 2):
        raise EngineError(refused[0].why)
    names = [name for name in chosen if name not in {it.engine for it in refused}]
    designs = _measured(names, run, search, repeats, watching)
    difference = _earliest_difference(designs, run, search.iterations)
    return IO(Comparison(search.iterations, designs, difference, tuple(refused)))


def _measured(
    names: Sequence[str], run: RunDesign, search: Search, repeats: int, watching: Watching
) -> tuple[Design[Any], ...]:
    """Return what each design finds, and what it costs."""

    def measured(name: str, what: str, measure: Callable[[Callable[[], End]], Any]) -> Any:
        watch = watching(f'{name}: {what}', search.iterations)
        watch(0)
        found = measure(lambda: run(name, search.iterations))
        watch(search.iterations)
        return found

    ends: dict[str, End] = {}
    seconds = dict.fromkeys(names, math.inf)
    for _ in range(repeats):  # in turn, so that a busy while of the machine meets them all
        for name in names:
            end, took = measured(name, 'time', measure_seconds)
            ends.setdefault(name, end)
            del end  # keeping equal results would use memory for every repeat
            seconds[name] = min(seconds[name], took)
    designs = []
    for name, (tree, rng) in ends.items():
        peak = measured(name, 'memory', measure_peak)
        objects = measured(name, 'objects', count_objects)
        # A faulty design may return a tree without a choice of move.
        move = choose(tree, search) if any(child.visits for child in tree.children) else None
        analysis: Analysis[Any] = Analysis(move, tree.iterations, tree)
        designs.append(Design(name, analysis, rng, seconds[name], peak, objects))
    return tuple(designs)


def _earliest_difference(
    designs: Iterable[Design[Any]], run: RunDesign, iterations: int
) -> Difference | None:
    """Return the earliest difference between the reference and any other design."""
    ends = {design.engine: (design.analysis.tree, design.rng) for design in designs}
    reference = REFERENCE if REFERENCE in ends else next(iter(ends))
    found = []
    for name, end in ends.items():

        def grow(count: int, name: str = name) -> tuple[End, End]:
            return run(reference, count), run(name, count)

        first = first_difference((ends[reference], end), iterations, grow)
        if first:
            found.append(Difference((reference, name), first[0], *first[1]))
    return min(found, key=lambda it: it.iteration, default=None)
