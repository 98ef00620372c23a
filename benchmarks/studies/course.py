"""What the C course prints of its steps A and C."""

from __future__ import annotations

from typing import Final

__all__ = ['LOST', 'SCORES_A']

# Step C, UCT; of budgets 10, 20, ... 1000: games lost of 200, where there are any.
LOST: Final = {
    10: 129, 20: 61, 30: 42, 40: 19, 50: 17, 60: 15, 70: 3, 80: 4, 90: 1, 100: 2, 120: 2, 130: 2,
    140: 1, 160: 2, 180: 1, 200: 2, 280: 2, 310: 2, 320: 1, 410: 1, 590: 1, 690: 1, 770: 1, 800: 1,
    870: 1, 960: 1,
}  # fmt: skip

# Step A, Monte-Carlo: the scores of 200 games that are not 0; what is below 420 is left out there.
SCORES_A: Final = {420: -2, 440: -1, 460: -2, 490: -1, 530: -1, 540: -1, 690: -1}
