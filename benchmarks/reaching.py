"""Reach rare states: by `fmcts.testing.reach`, by random games, and by Hypothesis' state machine.

    python benchmarks/reaching.py [PLIES [RUNS]]

For each predicate: one in how many random games meets it (counted in GAMES games, or known), and
the plies played until it was met, in the middle of RUNS runs with other seeds; a dash where fewer
than half of the runs met it within PLIES. Plies are counted and no clock is read, so the numbers
are the same on every machine. Run it with `pip install '.[testing]'`.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import hypothesis
from attrs import frozen
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from returns.pipeline import is_successful

from fmcts import Player, SplitMix
from fmcts.game import options_of
from fmcts.games import connect4, find_game, othello
from fmcts.testing import reach

GAMES = 10_000
STEPS = 80  # of one run of the machine


@frozen
class Lock:
    """Ten keys of five in a row; whether they were right is seen at once, as in most programs."""

    pressed: tuple[int, ...] = ()
    right: bool = True
    player = Player.X
    over = property(lambda self: len(self.pressed) == 10)
    moves = property(lambda self: () if self.over else (0, 1, 2, 3, 4))
    winner = property(lambda self: Player.X if self.over and self.right else None)

    def play(self, move: int) -> Lock:
        """Return the lock with another key pressed."""
        line = (*self.pressed, move)
        return Lock(line, line == (3, 1, 4, 1, 0, 2, 0, 3, 3, 2)[: len(line)])


def a_column_first(state: Any) -> bool:
    """Return whether the first six stones of Connect Four fill a column."""
    stones = state.x | state.o
    return stones.bit_count() == 6 and any(stones >> 7 * c & 63 == 63 for c in range(7))


class Rare(NamedTuple):
    """A predicate, and one in how many games meets it if that is known."""

    start: Any
    predicate: Callable[[Any], bool]
    games: float | None = None


CASES = {
    'Connect Four: a draw': Rare(connect4.start, lambda s: s.over and s.winner is None),
    'Othello: no disc of one side': Rare(othello.start, lambda s: not s.x or not s.o),
    'Connect Four: six stones fill a column': Rare(connect4.start, a_column_first, 7**5),
    'Breakthrough 5x5: all pieces taken': Rare(
        find_game('breakthrough:5,5').unwrap().start,
        lambda s: not s.position.x or not s.position.o,
    ),
    'a lock of ten keys of five': Rare(Lock(), lambda s: s.over and s.right, 5**10),
}


def at_random(case: Rare, most: int, seed: int) -> int | None:
    """Return the plies of random games until one meets the predicate."""
    draw, plies = random.Random(seed), 0  # noqa: S311
    while plies < most:
        state = case.start
        while options := options_of(state):
            state, plies = state.play(draw.choice(options)), plies + 1
            if case.predicate(state):
                return plies
    return None


def by_machine(case: Rare, most: int, seed: int) -> int | None:
    """Return the plies that a rule-based state machine plays until it meets the predicate."""
    plies = 0

    class EnoughError(BaseException):
        pass

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.state = case.start

        @rule(data=st.data())
        def play(self, data: st.DataObject) -> None:
            nonlocal plies
            options = options_of(self.state)
            if options:
                self.state = self.state.play(data.draw(st.sampled_from(options)))
                plies += 1
                if plies >= most:
                    raise EnoughError

        @invariant()
        def not_met(self) -> None:
            assert not case.predicate(self.state)  # noqa: S101

    run = settings(
        max_examples=most, stateful_step_count=STEPS, phases=[Phase.generate], database=None,
        deadline=None, suppress_health_check=[*HealthCheck], report_multiple_bugs=False,
    )  # fmt: skip
    try:
        run_state_machine_as_test(hypothesis.seed(seed)(Machine), settings=run)
    except AssertionError:
        return plies
    except (EnoughError, hypothesis.errors.Flaky):
        pass  # enough: in the middle of a run, which Hypothesis may call flaky
    return None


def by_reach(case: Rare, most: int, seed: int) -> int | None:
    """Return the plies that `reach` plays."""
    rng = SplitMix.from_seed(seed)
    found = reach(case.start, case.predicate, plies=most, rng=rng)
    return found.unwrap().plies if is_successful(found) else None


def rarity(case: Rare) -> str:
    """Return one in how many random games meets the predicate, in words."""
    if case.games is not None:
        return f'{case.games:,}'
    draw, met = random.Random(0), 0  # noqa: S311
    for _ in range(GAMES):
        state = case.start
        while not case.predicate(state) and (options := options_of(state)):
            state = state.play(draw.choice(options))
        met += case.predicate(state)
    return f'about {GAMES / met:,.0f}' if met else f'more than {GAMES:,}'


def main() -> None:
    """Print the table."""
    given = [int(it) for it in sys.argv[1:]]
    most, runs = (*given, *(300_000, 9)[len(given) :])
    print('| predicate | one in (games) | reach | random games | state machine |')
    print('| --- | --- | --- | --- | --- |')
    for name, case in CASES.items():
        row = []
        for way in (by_reach, at_random, by_machine):
            found = [way(case, most, seed) for seed in range(runs)]
            middle = statistics.median([most + 1 if it is None else it for it in found])
            row.append(f'{middle:,.0f}' if middle <= most else '-')
        print(f'| {name} | {rarity(case)} | {" | ".join(row)} |', flush=True)


if __name__ == '__main__':
    main()
