"""All engines on drawn searches, for so many seconds: whether they find the same, to the bit.

Drawn are games (those of the library, and games made of integer rules), positions, generators of
both kinds, every option of `Search`, selection rules in the language of formulas, trees that are
searched further, by other engines, re-rooted, after pickling, from older versions, and choices
among some root moves. Compared are the move, every field of every node, the digest, and the
generator handed back.

    python benchmarks/campaign.py SECONDS [--seed N]

Prints how much was done of each kind. The first difference that is found is made as small as
possible and printed as Python code that shows it (run it with `benchmarks` as the folder); then the
exit code is 1. The seed alone decides what is drawn; the seconds, how much of it is done.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable

from attrs import frozen
from campaign.cases import Case, draw_cases
from campaign.compare import Difference, able_engines, first_difference
from campaign.script import as_code
from campaign.shrink import shrunk

QUICK = 20
"""So many cases go without the compiled engine at first, since a user's game takes it seconds: a
difference between the others is found before."""


@frozen
class Found:
    """A difference, and the smallest case that shows one between the same two engines."""

    case: Case
    difference: Difference
    number: int


def campaign(
    cases: Iterable[Case], counts: Counter[str], go_on: Callable[[], bool]
) -> Found | None:
    """The first difference, if any; `counts` is told what was done. Asks before each case."""
    able = able_engines()
    interpreted = tuple(name for name in able if name != 'compiled')
    for number, case in enumerate(cases):
        if not go_on():
            break
        engines = interpreted if number < QUICK else able
        found = first_difference(case, engines, counts)
        if found:
            return smallest(case, found, number)
    return None


def smallest(case: Case, found: Difference, number: int) -> Found:
    """The case made small, for the two engines alone if they still differ without the others."""
    pair = found.engines
    if first_difference(case, pair) is None:  # the trees of a third engine take part in it
        return Found(case, found, number)
    small = shrunk(case, lambda other: first_difference(other, pair) is not None)
    difference = first_difference(small, pair)
    assert difference is not None  # noqa: S101 - what was shrunk differs
    return Found(small, difference, number)


def report(counts: Counter[str]) -> str:
    """One line for each kind of thing that was done."""
    width = max(map(len, counts), default=0)
    return '\n'.join(
        f'{what:{width}} {count:>10,}' for what, count in sorted(counts.items()) if count
    )


def main() -> int:
    """Run the campaign that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description='All engines on drawn searches.')
    parser.add_argument('seconds', type=float, help='for how long new searches are begun')
    parser.add_argument('--seed', type=int, default=0, help='decides all that is drawn; default 0')
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    begin = time.monotonic()
    found = campaign(
        draw_cases(given.seed), counts, lambda: time.monotonic() - begin < given.seconds
    )
    print(report(counts))
    if found is None:
        print(f'\nno difference in {time.monotonic() - begin:.0f} seconds from seed {given.seed}')
        return 0
    one, two = found.difference.engines
    print(f'\ncase {found.number} of seed {given.seed}: {two} differs from {one} in', end=' ')
    print(f'{found.difference.what}: {found.difference.values[0]} and {found.difference.values[1]}')
    print(f'found after {time.monotonic() - begin:.1f} seconds; the smallest that shows it:\n')
    print(as_code(found.case, found.difference))
    return 1


if __name__ == '__main__':
    sys.exit(main())
