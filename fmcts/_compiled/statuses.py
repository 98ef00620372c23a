"""The statuses with which compiled code returns."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
TREE_IS_FULL: Final = 1  # the array needs more room
PATH_IS_FULL: Final = 2
LINE_IS_FULL: Final = 14  # the line of the iteration's moves needs more room
NODES_ARE_MADE: Final = 3  # one more iteration would exceed `max_nodes`
RESOLVED: Final = 13  # the root is resolved
WAITING: Final = 16  # a descent of a batch met a node that waits for the network

CHOICES: Final = 1 << 24  # the most moves that a position may have

# Rules that break their promises.
WIDE_MOVE: Final = 4
BAD_MENU: Final = 5
BAD_WINNER: Final = 6
NO_END: Final = 7

# Functions of a search that break their promises.
ALL_EXCLUDED: Final = 8
NOT_A_NUMBER: Final = 9
BAD_POLICY: Final = 10
BAD_WORTH: Final = 11
BAD_KEY: Final = 12
BAD_CHANCES: Final = 18
BAD_REWARD: Final = 19
BAD_WEIGHT: Final = 15
BAD_PRIORS: Final = 17
BAD_SCORES: Final = 20
