"""The library's own share of self-play: processor time for a simulation, beside a network at once.

The network returns constant arrays, so what is measured is descents, backups, noise, Gumbel
numbers, moves and new games, of Connect Four with 32 simulations a move; then the same with the
arrays for training, for which the games are replayed. Run it from a clone:

    python benchmarks/self_play.py [games...]
    python benchmarks/self_play.py [games...] --inplace
    python benchmarks/self_play.py [games...] --sleeping

The last compares, by the clock, a network that sleeps for a microsecond a position, as an
accelerator would work beside the processor: in turn with the descents, and with `overlap`.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from fmcts import Search, SplitMix
from fmcts.games import connect4
from fmcts.rules import OnPositions
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.selfplay import Noise, as_arrays, self_play

SIMULATIONS = 32
KEYS = 48


def at_once(most: int) -> OnPositions:
    """A network whose answers were made before, for up to `most` positions."""
    random = np.random.RandomState(0)
    priors, values = random.uniform(0.1, 1.0, (most, KEYS)), random.uniform(0.0, 1.0, most)
    return OnPositions(lambda positions: (priors[: len(positions)], values[: len(positions)]))


def searches(games: int) -> dict[str, tuple[Search, dict[str, Any]]]:
    """The searches, with the options of `self_play`."""
    network = at_once(games)
    halving = Search(SIMULATIONS, network=network, selection=Gumbel(), schedule=GumbelHalving())
    puct = Search(SIMULATIONS, network=network)
    return {
        'PUCT with noise': (puct, {'noise': Noise(alpha=0.5), 'drawn_plies': 10}),
        'Gumbel halving': (halving, {}),
    }


def sleeping(counts: list[int]) -> None:
    """Print the microseconds of a simulation by the clock, with a network that sleeps."""
    for games in counts:
        ready = at_once(games).function

        def slow(positions: Any, ready: Any = ready) -> Any:
            time.sleep(len(positions) * 1e-6)
            return ready(positions)

        search = Search(SIMULATIONS, network=OnPositions(slow))
        for options in ({}, {'overlap': True}, {'overlap': True, 'threads': 2}):
            found = []
            for seed in range(4):
                begin = time.perf_counter()
                played = self_play(
                    connect4.start, SplitMix.from_seed(seed), search, games=games, **options
                )
                plies = sum(len(game.moves) for game in played)
                found.append((time.perf_counter() - begin) / (plies * SIMULATIONS) * 1e6)
            print(f'{games:6} games  {options!s:32} {min(found[1:]):6.2f} microseconds')


def main(counts: list[int], engine: str) -> None:
    """Print the microseconds of a simulation."""
    for games in counts:
        for name, (search, options) in searches(games).items():
            found = []
            for seed in range(4):  # the first makes machine code
                begin = time.process_time()
                played = self_play(
                    connect4.start,
                    SplitMix.from_seed(seed),
                    search,
                    games=4 * games,  # so that others begin when the first are over
                    together=games,
                    engine=engine,
                    **options,
                )
                end = time.process_time()
                simulations = SIMULATIONS * len(as_arrays(played).values)
                both = end - begin, time.process_time() - begin
                found.append([it / simulations * 1e6 for it in both])
            alone, arrays = map(min, zip(*found[1:], strict=True))
            print(
                f'{games:6} games  {name:16} {alone:6.2f} microseconds a simulation, '
                f'{arrays:.2f} with arrays'
            )


if __name__ == '__main__':
    sizes = [int(it) for it in sys.argv[1:] if it.isdigit()] or [256, 1024]
    if '--sleeping' in sys.argv:
        sleeping(sizes)
    else:
        main(sizes, 'inplace' if '--inplace' in sys.argv else 'compiled')
