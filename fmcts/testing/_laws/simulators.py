"""Check a simulator: that a run is a function of its seed and its actions, and of nothing else."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import cycle, islice
from typing import Any, Final, TypeAlias

from attrs import evolve, field, frozen
from returns.result import Result

from fmcts._arguments import amount, as_number, shown, whole_number
from fmcts.rng import Rng, SplitMix
from fmcts.search import Watch, ignore
from fmcts.testing._laws.elsewhere import pickled
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import (
    Answer,
    Breach,
    Law,
    OtherwiseError,
    Passed,
    Raised,
    Unchecked,
    asked,
    few,
    law,
)
from fmcts.testing._laws.watching import global_generators, snapshot, unlike

Reset: TypeAlias = Callable[[Any], Any]
Step: TypeAlias = Callable[[Any, Any], tuple[Any, Any, bool]]

AHEAD: Final = 3  # steps of a copy that are compared with the original's
TRIED: Final = 3  # actions with which a copy and the end are tried
SECONDED: Final = 20  # runs that are repeated in another process
WHOLE: Final = 4  # one drawn run in 4 is checked at every step


@frozen(eq=False)
class Simulator:
    """The user's description of a simulator; see `check_simulator`."""

    reset: Reset
    step: Step
    actions: tuple[Any, ...] = field(converter=tuple)
    seeds: tuple[Any, ...] = field(converter=tuple)
    copied: Callable[[Any], Any]

    def run(self, seed: Any, actions: Iterable[Any] = ()) -> Run:
        """Return the run of a seed, after these actions or up to the end."""
        return Run(self, self.reset(seed)).go(actions)

    def __call__(self, seed: Any, *actions: Any) -> list[Any]:
        """In another process, return what each step shows, and whether it is the last."""
        return self.run(seed, actions).seen


class Run:
    """A simulator under way; it changes with each step. `seen` is what each step showed."""

    def __init__(self, simulator: Simulator, now: Any, seen: Iterable[Any] = ()) -> None:
        self.simulator, self.now, self.seen = simulator, now, [*seen]
        self.over = False

    def step(self, action: Any) -> None:
        """Take a step.

        :raises OtherwiseError: it gives something else than three things.
        """
        given: Any = self.simulator.step(self.now, action)
        if not isinstance(given, tuple) or len(given) != 3:
            raise OtherwiseError(
                f'a step with {shown(action)} gave {shown(given)}, and not a simulator, what is '
                'seen, and whether it is over'
            )
        over = as_number(given[2])
        if over not in (True, False):
            raise OtherwiseError(
                f'a step with {shown(action)} gave {shown(given[2])} in place of True or False, '
                'whether it is over'
            )
        self.now, self.over = given[0], bool(over)
        kept = asked(copy.deepcopy, given[1])  # which a later step may change
        self.seen.append((given[1] if isinstance(kept, Raised) else kept, self.over))

    def go(self, actions: Iterable[Any]) -> Run:
        """Take steps up to the end, and return this run."""
        for action in actions:
            if self.over:
                break
            self.step(action)
        return self


@frozen(eq=False)
class SimulatorCase:
    """A seed and actions, as far as they were drawn, and the run that they give."""

    simulator: Simulator
    line: tuple[Any, ...] = ()
    drawn: tuple[Any, ...] = ()

    @property
    def checked(self) -> bool:
        """True if there is a seed."""
        return bool(self.line)

    @property
    def actions(self) -> tuple[Any, ...]:
        """The actions."""
        return self.drawn[1:]

    @cached_property
    def run(self) -> Run:
        """The run of these actions."""
        return self.anew()

    @property
    def options(self) -> Sequence[Any]:
        """The seeds, then the actions; none after the end."""
        if not self.line:
            return self.simulator.seeds
        run = asked(lambda: self.run)  # an error is reported by the first law
        return () if isinstance(run, Raised) or run.over else self.simulator.actions

    @property
    def identity(self) -> Any:
        """The line in words: each is checked once."""
        return shown(self.line)

    def step(self, move: Any) -> SimulatorCase:
        """Return the case with a seed, or with one more action."""
        named = move if self.line else f'seed {move}'
        return SimulatorCase(self.simulator, (*self.line, named), (*self.drawn, move))

    def anew(self) -> Run:
        """Return another run of the seed and the actions."""
        return self.simulator.run(self.drawn[0], self.actions)


def differs(one: Run, two: Run, after: int = 0) -> str | None:
    """Return how two runs differ from the step `after` on, in words."""
    pairs = zip(one.seen, two.seen, strict=False)
    for ply, ((mine, end), (theirs, other)) in islice(enumerate(pairs, 1), after, None):
        if end != other:
            return f'step {ply} is {"" if end else "not "}the end, and is{" not" * end}'
        if snapshot(mine, 'it') != snapshot(theirs, 'it'):
            found = unlike(mine, theirs, 'what is seen')
            return f'in step {ply} {found or "what is seen has other parts"}'
    return None


@law(
    'a step gives three things',
    'reset(seed) gives a simulator; step(simulator, action) the simulator after it, what is seen, '
    'and whether it is over.',
    basic=True,
)
def _steps(case: SimulatorCase) -> None:
    case.run  # noqa: B018 - its errors are what is found


@law(
    'no generator of the whole process',
    'A run draws from a generator of its own: not from random or numpy.random, which others draw '
    'from and seed too.',
)
def _own_generator(case: SimulatorCase) -> str | None:
    with global_generators() as moved:
        case.anew()
        return moved()


@law('the same seed, the same run', 'The same seed and actions show the same, each time.')
def _the_same(case: SimulatorCase) -> str | None:
    found = differs(case.run, case.anew())
    return found and f'run again, {found}'


@law(
    'runs leave each other alone',
    'A run shows the same while another, of another seed or the same, is under way.',
)
def _alone(case: SimulatorCase) -> str | None:
    seed, simulator = case.drawn[0], case.simulator
    # The same seed too: two runs of it may share what one of them changes.
    for another in (*[it for it in simulator.seeds if it != seed][:1], seed):
        one, other = simulator.run(seed), simulator.run(another)
        for action, theirs in zip(case.actions, cycle(simulator.actions), strict=False):
            one.go([action])
            other.go([theirs])
        found = differs(case.run, one)
        if found is not None:
            return f'beside a run of seed {shown(another)}, {found}'
    return None


@law(
    'a copy continues as the original does',
    'A copy of a simulator shows in each following step what the original shows, and neither '
    'changes the other.',
)
def _copies(case: SimulatorCase) -> Answer:
    simulator, done = case.simulator, len(case.actions)
    for place, action in enumerate(few(simulator.actions, TRIED)):
        further = [action, *islice(cycle(simulator.actions), place, place + AHEAD - 1)]
        one = case.anew()
        now = asked(simulator.copied, one.now)
        if isinstance(now, Raised):
            return Unchecked(f'it cannot be copied: it {now.text}')
        if one.over:
            break
        two = Run(simulator, now, one.seen)
        found = differs(one.go(further), two.go(further), after=done)
        if found is not None:
            return f'of the original and a copy made after step {done}, {found}'
    return None


@law(
    'the end stays the end',
    'After the end a further step is over as well, or raises an error.',
)
def _ended(case: SimulatorCase) -> Answer:
    if not case.run.over:
        return Unchecked('no run came to an end')
    for action in few(case.simulator.actions, TRIED):
        run = case.anew()
        if not isinstance(asked(run.step, action), Raised) and not run.over:
            return f'after the end a step with {shown(action)} is not over'
    return None


@law(
    'the same in another process',
    'The same seed and actions show the same in another process, whose hashes of text differ.',
    scope='process',
)
def _elsewhere(pair: Any) -> str | None:
    case, theirs = pair
    if isinstance(theirs, Raised):
        return f'in another process a run {theirs.text}'
    found = differs(case.run, Run(case.simulator, None, theirs))
    return found and f'here and in another process, whose hashes of text differ, {found}'


SIMULATOR_LAWS: Final[tuple[Law[Any], ...]] = (
    _steps,
    _own_generator,
    _the_same,
    _alone,
    _copies,
    _ended,
    _elsewhere,
)
"""All laws in the order in which they are checked."""


def check_simulator(  # noqa: PLR0913 - options of one check
    reset: Reset,
    step: Step,
    *,
    actions: Iterable[Any],
    seeds: Iterable[Any] = (0, 1),
    copied: Callable[[Any], Any] = copy.deepcopy,
    positions: int = 40,
    games: int = 6,
    steps: int = 60,
    rng: Rng | None = None,
    without: Iterable[str] = (),
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Return whether a simulator satisfies the laws of determinism, or the first breach.

    It need not be a game, nor of this library: anything that starts from a seed and then takes
    actions. The laws are checked after the fewest actions, in as many `positions`, then in
    `games` longer runs; the line of a
    breach is a seed and the fewest actions that were found.

    :param reset: `reset(seed)` gives a simulator at its beginning, each time one of its own.
    :param step: `step(simulator, action)` gives the simulator after the action (the same object, or
        a new one), what is seen (numbers, texts, arrays, tuples, dictionaries...), and whether it
        is over.
    :param actions: actions that are accepted in every state; some of them, if there are many.
    :param seeds: the seeds that are tried.
    :param copied: a function that copies a simulator, such as one that saves and loads it.
    :param steps: the most actions of a run.
    :param rng: the generator of everything that is drawn; by default, always the same.
    :param without: names of laws to skip.
    :raises MissingLibraryError: Hypothesis is not installed.
    :raises ValueError: a number is not accepted, there are no actions or seeds, or no law has that
        name.

    >>> import random
    >>> def step(dice, most):
    ...     return dice, dice.randint(1, most), False
    >>> check_simulator(random.Random, step, actions=(4, 6)).map(lambda passed: passed.total > 200)
    <Success: True>
    >>> str(check_simulator(lambda seed: random, step, actions=(4, 6)).failure())[:64]
    'no generator of the whole process, after seed 0, 4: the global g'
    """
    simulator = Simulator(reset, step, actions, seeds, copied)
    whole_number('positions', positions)
    whole_number('games', games, least=0)
    whole_number('steps', steps)
    for name in ('actions', 'seeds'):
        if not getattr(simulator, name):
            raise ValueError(f'{name} must have one at least')
    first = SimulatorCase(simulator)
    with (
        global_generators(),
        exploring(lambda: first, SIMULATOR_LAWS, watch, without) as run,
    ):
        run.look_near(positions)
        run.look_far(games, rng or SplitMix.from_seed(1), whole=WHOLE, most=steps + 1)
        items = [item for item in (*run.seen[:SECONDED], *run.seen[-2:]) if item.checked]
        known = pickled(evolve(simulator, copied=copy.deepcopy))  # which need not be known there
        run.look_elsewhere(known, items, lambda item: item.drawn)
    return run.result().map(lambda passed: _with_what_was_seen(passed, simulator, run.seen))


def _with_what_was_seen(
    passed: Passed, simulator: Simulator, seen: Sequence[SimulatorCase]
) -> Passed:
    """Say how long the longest run was, and whether no other seed gives another."""
    longest = max(seen, key=lambda item: len(item.actions))
    with global_generators():
        runs = [asked(simulator.run, seed, longest.actions) for seed in simulator.seeds]
    alike = all(isinstance(run, Run) and differs(longest.run, run) is None for run in runs)
    steps = amount(len(longest.run.seen), 'step')
    why = f'no two seeds gave different runs, of {steps}: it may ignore its seed'
    return evolve(
        passed,
        extent=f'{passed.extent}, the longest of {steps}',
        left_out=(*passed.left_out, *((('the seed', why),) if alike else ())),
    )
