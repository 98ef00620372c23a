"""Whether all engines find the same in a case."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any, Final

from attrs import frozen

from campaign.cases import Case, Step, noise_of, position_of
from fmcts import STOP, FinishedGameError, Node, analyse, reroot, rng as rngs
from fmcts._engines.plan import fitted
from fmcts._linked import installed
from fmcts._running.registry import ENGINES
from fmcts.compare import parting
from fmcts.errors import MethodError
from fmcts.game import chances_of
from fmcts.search._digest import digest as digest_of
from fmcts.search._tree import plant
from fmcts.search._watch import chunks_by_count
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.policies import Mixture
from fmcts.selfplay.draws import with_noise
from fmcts.testing import Formula

__all__ = ['REFERENCE', 'Difference', 'able_engines', 'first_difference']

REFERENCE: Final = 'persistent'


@frozen
class Difference:
    """Where two engines part: the number of the step, what differs, and what each has there."""

    step: int
    engines: tuple[str, str]
    what: str
    values: tuple[Any, Any]


@frozen
class Refused:
    """What an engine said instead of searching."""

    why: str


def able_engines() -> tuple[str, ...]:
    """The engines that there are on this machine, the reference first."""
    others = (name for name in ENGINES if name != REFERENCE)
    return (REFERENCE, *(name for name in others if name != 'compiled' or installed()))


def first_difference(
    case: Case, engines: tuple[str, ...], counts: Counter[str] | None = None
) -> Difference | None:
    """The first step on which an engine differs from the first of `engines`; counts what is done.

    A step that all refuse in the same words, or whose game is over, leaves all as it was.
    """
    counts = Counter() if counts is None else counts
    state = position_of(case)
    rng = rngs.parse(case.rng).unwrap()
    made: list[tuple[dict[str, Node], str]] = []  # the trees of each step, and their digest
    counts.update(('cases', f'game {case.game}', f'generator {type(rng).__name__}'))
    for number, step in enumerate(case.steps):
        given = trees_to_go_on_from(step, made, engines, state, rng)
        if given is None:
            counts['steps left out: the game is over'] += 1
            continue
        found = found_by_all(step, given, state, rng, counts)
        reference = engines[0]
        different = first_apart(found)
        if different:
            return Difference(number, (reference, different[0]), *different[1:])
        count_step(step, given[reference], found[reference], counts)
        if isinstance(found[reference], Refused):
            continue
        analysis, rng = found[reference]
        trees = {name: found.get(name, found[reference])[0].tree for name in engines}
        made.append((trees, analysis.digest))
    for number, (trees, digest) in enumerate(made):
        for name, tree in trees.items():
            again = digest_of(tree)
            if again != digest:
                return Difference(number, (reference, name), 'a tree that changed', (digest, again))
    return None


def found_by_all(
    step: Step, given: dict[str, Node | None], state: Any, rng: Any, counts: Counter[str]
) -> dict[str, Any]:
    """What each engine finds that is able."""
    found = {}
    for name, tree in given.items():
        if tree is None:
            found[name] = search(step, None, state, rng, name, counts)
        elif not is_lacking(name, tree, rng, step, counts):
            found[name] = search(step, tree, tree.state, rng, name, counts)
    return found


def trees_to_go_on_from(
    step: Step,
    made: list[tuple[dict[str, Node], str]],
    engines: tuple[str, ...],
    state: Any,
    rng: Any,
) -> dict[str, Node | None] | None:
    """The tree that each engine is given, none where the game is over, which it will say.

    `None` when there is nothing to search in the trees that were made.
    """
    if state.over:
        return dict.fromkeys(engines)
    if not step.back or not made:
        moves = None
        if step.root_moves is not None:
            moves = {state.moves[index % len(state.moves)] for index in step.root_moves}
        root = plant(state, moves)
        if noise_of(step):
            root, _ = with_noise(fitted(root, step.search), rng, share=step.noise)
        return dict.fromkeys(engines, root)
    before = made[-min(step.back, len(made))][0]
    given = {}
    for place, name in enumerate(engines):
        tree = before[engines[(place + step.shift) % len(engines)]]
        if step.reroot is not None:
            moves = tree.state.moves
            try:
                tree = reroot(tree, moves[step.reroot % len(moves)])
            except FinishedGameError:
                return None
            if chances_of(tree.state):
                return None
        if step.pickled:
            tree = pickle.loads(pickle.dumps(tree))  # noqa: S301 - our own bytes
        given[name] = tree
    return given


def is_lacking(engine: str, tree: Node, rng: Any, step: Step, counts: Counter[str]) -> bool:
    """Whether the engine has not what the search needs, which is no difference."""
    try:
        missing = ENGINES[engine].unsupported(tree, rng, step.search)
    except MethodError:  # none supports it, as the search will say
        return False
    counts[f'searches that {engine} lacks something for'] += missing is not None
    return missing is not None


def search(
    step: Step, tree: Node | None, state: Any, rng: Any, engine: str, counts: Counter[str]
) -> Any:
    """The analysis and the generator, or why there is none."""

    def watch(done: int) -> object:
        return STOP if step.stop_at is not None and done >= step.stop_at else None

    try:
        with chunks_by_count():  # else when it ends would depend on the clock
            found = analyse(state, rng, step.search, tree=tree, engine=engine, watch=watch)
    except ValueError as error:
        counts[f'searches refused ({type(error).__name__})'] += 1
        return Refused(f'{type(error).__name__}: {error}')
    counts.update(('searches', f'searches by {engine}'))
    return found


def first_apart(found: dict[str, Any]) -> tuple[str, str, tuple[Any, Any]] | None:
    """The engine that differs from the first of those that found something, what, both values."""
    first = next(iter(found.values()))
    for name, other in found.items():
        different = difference(first, other)
        if different:
            return name, *different
    return None


def difference(one: Any, two: Any) -> tuple[str, tuple[Any, Any]] | None:
    """What differs between what two engines found, and both values."""
    if isinstance(one, Refused) or isinstance(two, Refused):
        return None if one == two else ('the outcome', (one, two))
    (left, left_rng), (right, right_rng) = one, two
    parted = parting((left.tree, left_rng), (right.tree, right_rng))
    if parted:
        place = '' if parted.path is None else f' of the node after {list(parted.path)}'
        return f'{parted.field}{place}', parted.values
    for what in ('move', 'iterations', 'digest', 'stats', 'nodes'):
        values = getattr(left, what), getattr(right, what)
        if values[0] != values[1]:
            return what, values
    return None


def count_step(step: Step, tree: Node | None, found: Any, counts: Counter[str]) -> None:
    """Count what kind of step it was."""
    bounded = step.search.max_nodes is not None
    if tree is None:
        counts['steps from a finished position'] += 1
        return
    counts.update(
        what
        for what, true in {
            'steps': True,
            f'steps with expansion {step.search.expansion}': True,
            'steps with a drawn formula': isinstance(step.search.selection, Formula),
            'steps on an earlier tree': bool(tree.visits),
            'steps on an older version': step.back > 1,
            'steps with mixed engines': bool(tree.visits and step.shift),
            'steps on a re-rooted tree': step.reroot is not None,
            'steps on a pickled tree': step.pickled,
            'steps with max_nodes': bounded,
            'steps with a solver': step.search.solver,
            'steps with closing': step.search.closing,
            'steps with a schedule': step.search.schedule is not None,
            'steps with bounds': step.search.bounds,
            'steps with a reward': step.search.reward is not None,
            'steps with a network': step.search.network is not None,
            'steps with noise': not tree.visits and bool(noise_of(step)),
            'steps with a schedule that draws': isinstance(step.search.schedule, GumbelHalving),
            'steps with an evaluator': step.search.evaluate is not None,
            'steps with a stop condition': step.search.stop is not None,
            'steps with transpositions': step.search.transpositions is not None,
            'steps with states of playouts in the tree': step.search.rollout_expand,
            'steps with playouts that remember': bool(step.search.policy.memories),
            'steps with nested mixtures': any(
                isinstance(part, Mixture) for part in getattr(step.search.policy, 'policies', ())
            ),
            'steps ended from outside': step.stop_at is not None,
            'steps in which nothing is done': not isinstance(found, Refused)
            and found[0].iterations == tree.iterations,
            'steps from a root to which its own side moved': tree.mover is tree.state.player,
            'steps among some root moves': len(tree.moves) < len(tree.state.moves),
            'steps that ended early': not isinstance(found, Refused)
            and found[0].iterations - tree.iterations < step.search.iterations,
        }.items()
        if true
    )
