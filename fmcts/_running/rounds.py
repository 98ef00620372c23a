"""Root parallelisation in synchronised rounds: several searches of one position share a tree.

A round begins with one tree, the base, which is empty at first. Each search continues the base by
its share of the round's iterations, with a separate generator that it keeps from round to round.
Then what each of them found is added to the base, node by node: visits and rewards are summed, and
children that any of them made are kept. A round has as many iterations as the base has visits, and
at least `FIRST` for each search, so that merging costs a constant share of the time.

The result is a function of state, generators and search: it depends neither on the engine nor on
how many searches run at the same time. Searches by the compiled engine are merged as arrays, by
machine code that needs no lock of the interpreter (`fmcts._linked.rounds`); others node by
node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from attrs import define, evolve

from fmcts._linked import Fault
from fmcts._running.automatic import Automatic, ascending, warn_of_rules
from fmcts._running.entry_points import analyse
from fmcts._running.merging import combined
from fmcts._running.registry import ENGINES, find_engine, look_at
from fmcts.errors import RulesError
from fmcts.search import Node, Search, Watch

FIRST: Final = 500  # iterations of a search in the first round

Each: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]
"""A function that calls another with each of several arguments, and returns the results in order.
"""


def lacks_rounds(search: Search) -> str | None:
    """Return what keeps a search from sharing its tree in rounds, or `None` if nothing does.

    Only visits and rewards that are sums of halves can be added up, and a bound or schedule holds
    for one tree, not for several that are searched apart.
    """
    reasons = (
        (f'the columns of {type(search.method).__name__}', search.method.names),
        ('a solver or closing', search.resolution),
        ('playouts that remember', search.policy.memories),
        ('evaluate', search.evaluate),
        ('reward', search.reward),
        ('a schedule', search.schedule),
        ('stop', search.stop),
        ('max_nodes', search.max_nodes),
        ('rollout_expand', search.rollout_expand),
        ('transpositions', search.transpositions),
        ('proposals', search.proposals),
    )
    return next((what for what, given in reasons if given), None)


def rounds(iterations: int, trees: int) -> Iterator[list[int]]:
    """Yield, for each round, how many iterations each search makes.

    >>> list(rounds(4_501, 2))
    [[500, 500], [500, 500], [1000, 1000], [251, 250]]
    """
    done = 0
    while done < iterations:
        wanted = max(FIRST * trees, done)
        share, rest = divmod(min(wanted, iterations - done), trees)
        yield [share + (number < rest) for number in range(trees)]
        done += share * trees + rest


class Trees(Protocol):
    """A base tree, and the searches that continue it."""

    def advance(self, shares: Sequence[int], each: Each) -> None:
        """Let search `i` continue the base by `shares[i]` iterations, and merge what they found."""

    def finish(self) -> Node:
        """Return the base; nothing is searched any more."""


@define
class TreesOfNodes:
    """Searches by any engine, merged node by node."""

    base: Node
    generators: list[Any]
    search: Search
    engine: str

    def advance(self, shares: Sequence[int], each: Each) -> None:
        """Let search `i` continue the base by `shares[i]` iterations, and merge what they found."""
        jobs = [
            (evolve(self.search, iterations=share), self.generators[number])
            for number, share in enumerate(shares)
            if share
        ]
        found = each(partial(_continued, self.base, self.engine), jobs)
        self.generators[: len(found)] = [after for _, after in found]
        self.base = combined(self.base, [tree for tree, _ in found])

    def finish(self) -> Node:
        """Return the base."""
        return self.base


def _continued(base: Node, engine: str, job: tuple[Search, Any]) -> tuple[Node, Any]:
    search, rng = job
    analysis, after = analyse(base.state, rng, search, engine=engine, tree=base)
    return analysis.tree, after


def grow_in_rounds(
    root: Node,
    generators: Sequence[Any],
    search: Search,
    each: Each,
    watch: Watch,
    *,
    engine: str,
    elsewhere: bool = False,
) -> Node:
    """Return the tree that searches of a new root grow in rounds, one for each generator.

    `watch` receives the number of iterations done so far after each round. With `elsewhere`, `each`
    may call in other processes, and trees are merged node by node.

    :raises EngineError: the engine does not support the search.
    """
    state, rng, iterations = root.state, generators[0], search.iterations
    watch = ascending(watch)  # after a fault the search begins again
    look_at(state, engine)
    run = find_engine(engine, root, rng, search)
    fast = ENGINES['compiled'] if isinstance(run, Automatic) else run
    able = fast.unsupported(root, rng, search) is None
    begin = fast.rounds if able and not elsewhere else None
    search = evolve(search, final='robust')  # only the merged tree chooses a move
    if begin:
        try:
            trees: Trees = begin(root, generators, search)
            return _grown(trees, iterations, len(generators), each, watch)
        except Fault:
            engine = 'inplace'  # where Python raises the user's error
        except RulesError as error:
            if engine != 'auto':
                raise
            engine = 'inplace'
            warn_of_rules(state, error, engine)
    trees = TreesOfNodes(root, [*generators], search, engine)
    return _grown(trees, iterations, len(generators), each, watch)


def _grown(trees: Trees, iterations: int, count: int, each: Each, watch: Watch) -> Node:
    """Return the tree after all rounds."""
    done = 0
    watch(done)
    for shares in rounds(iterations, count):
        trees.advance(shares, each)
        done += sum(shares)
        watch(done)
    return trees.finish()
