"""How often the test that ends a match errs, by simulation, with the pairs before and without.

Pairs of games are drawn at random, for true leads at either guess and several shares of draws.
Printed for each test are the shares of matches in which the wrong guess was accepted (5 % are
allowed) and the mean number of games.

    python benchmarks/sprt.py [MATCHES]

With 5,000 matches a cell it takes about a minute of one core. A share of 5 % is then uncertain by
0.6 points (two standard deviations).
"""

from __future__ import annotations

import math
import sys
from typing import Final

import numpy as np
import numpy.typing as npt

from fmcts.matches import Sprt
from fmcts.matches._sprt import BEFORE, VARIANCE, score_of_elo

TESTS: Final = ((0, 20), (0, 50), (0, 100), (0, 200))
DRAWN: Final = (0.0, 0.4, 0.8, 0.9)
MATCHES: Final = 5_000
AT_ONCE: Final = 500

Numbers = npt.NDArray[np.float64]


def ends(test: Sprt, points: Numbers, before: int) -> tuple[npt.NDArray[np.int64], Numbers]:
    """After how many pairs each match (a row) ends, 0 if it does not, and the ratio there.

    It is `Sprt.ratio` for all lengths at once; without pairs `before`, alike pairs say nothing.
    """
    count = np.arange(1, points.shape[1] + 1)
    mean = points.cumsum(1) / (2 * count)
    spread = (points**2).cumsum(1) / 4 - count * mean**2
    variance = (spread + before * VARIANCE) / (count + before)
    low, high = score_of_elo(test.elo0), score_of_elo(test.elo1)
    known = variance > 1e-12
    ratio = np.where(
        known,
        count * (high - low) * (2 * mean - low - high) / (2 * np.where(known, variance, 1)),
        0,
    )
    over = (ratio >= math.log((1 - test.beta) / test.alpha)) | (
        ratio <= math.log(test.beta / (1 - test.alpha))
    )
    ended = np.where(over.any(1), over.argmax(1) + 1, 0)
    return ended, ratio[np.arange(len(ratio)), ended - 1]


def errors(
    test: Sprt, drawn: float, before: int, matches: int, seed: int = 1
) -> tuple[float, float, float]:
    """How often the second guess is accepted though the first holds, and the reverse; the games.

    :raises RuntimeError: `Sprt` itself says something else of one of the matches.
    """
    chance = np.random.default_rng(seed)
    longest = int(600_000 / (test.elo1 - test.elo0) ** 1.5)
    wrong, games = [], 0
    for elo, other in ((test.elo0, 'elo1'), (test.elo1, 'elo0')):
        score, count = score_of_elo(elo), 0
        draws = min(drawn, 2 * (1 - score))
        chances = 1 - score - draws / 2, draws, score - draws / 2
        for begin in range(0, matches, AT_ONCE):
            size = min(AT_ONCE, matches - begin), longest, 2
            points = chance.choice([0.0, 0.5, 1.0], size, p=chances).sum(2)
            ended, ratio = ends(test, points, before)
            if not ended.all():
                raise RuntimeError('a match did not end')
            count += int(((ratio > 0) == (other == 'elo1')).sum())
            games += 2 * int(ended.sum())
            if before == BEFORE:
                first = points[0, : ended[0]].tolist()
                told = test.accepted(first[:-1]), test.accepted(first)
                if told != (None, 'elo1' if ratio[0] > 0 else 'elo0'):
                    raise RuntimeError(f'Sprt says something else of {first}')
        wrong.append(count / matches)
    return wrong[0], wrong[1], games / (2 * matches)


def main() -> None:
    """Print a row a test and share of drawn games."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    print('guesses  drawn   with the pairs before        without')
    for low, high in TESTS:
        for drawn in DRAWN:
            cells = [
                '{:6.2%} {:6.2%} {:6.0f} games'.format(*errors(Sprt(low, high), drawn, it, matches))
                for it in (BEFORE, 0)
            ]
            print(f'{low}, {high:<4} {drawn:6.0%}   {cells[0]}   {cells[1]}', flush=True)


if __name__ == '__main__':
    main()
