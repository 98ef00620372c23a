"""Figures that the source texts print, each with its section; studies and pages take them here.

The Java text's levels are those of the published program that it links; the logged games of Connect
Four lie beside its author's program ("code source") and are not kept in this repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from attrs import field, frozen

__all__ = ['CONNECT_FOUR', 'COURSE', 'HASKELL', 'JAVA', 'Losses']


@frozen
class Haskell:
    """Of "Apprendre comment implémenter une IA de jeu en Haskell"."""

    line: tuple[int, ...] = (4, 0, 2, 5, 3, 6)
    """I-B: the position that it works out."""

    probabilities: Mapping[tuple[int, ...], str] = field(factory=lambda: dict(PROBABILITIES))
    """I-B and I-C: that X wins after these moves from there."""

    playouts: int = 10_000
    """I-C and I-D: of each evaluation."""

    playouts_of_bot: int = 30_000
    """I-C."""

    victories: Mapping[str, Mapping[int, int]] = field(
        factory=lambda: {
            'pure functions': {8: 0, 7: 4965, 1: 4965},  # I-C
            'State monad': {1: 5030, 7: 4898, 8: 0},  # I-D
        }
    )
    """By session and move."""


PROBABILITIES: Final = {(8,): '0', (7,): '1/2', (1,): '1/2', (7, 8): '1', (7, 1): '0'}


@frozen
class ConnectFour:
    """Of "IA de jeux, Implémenter une IA arborescente, en Haskell"."""

    iterations: int = 512
    """Results: of the search that others are compared with, "Mcts512"."""

    logged_playouts: int = 128
    """Logs: the Monte-Carlo player's, of each move."""

    logged_against_random: int = 22
    """Logs: games of the random player, all lost."""

    logged: tuple[int, int] = (6, 6)
    """Logs: games that Monte-Carlo won and lost against the tree search of 512 iterations."""


@frozen
class Java:
    """Of "Monte Carlo Tree Search pour le jeu Tic-Tac-Toe", and the program that it links."""

    levels: tuple[int, int] = (1, 3)
    """Of the program's tests."""

    clock: str = '60 * (2 * (level - 1) + 1)'
    """The program's milliseconds for a move."""

    def milliseconds(self, level: int) -> int:
        """Return what `clock` gives."""
        return 60 * (2 * (level - 1) + 1)


class Losses(NamedTuple):
    """At most so many per cent of games (less than that, if `less`) are lost from a budget on."""

    percent: int
    budget: int
    less: bool = True


@frozen
class Run:
    """Of "MCTS : des étapes dans le développement d'un programme", Jean Méhat."""

    games: int = 200
    """Step A: of each budget, "-200" when all are lost."""

    budgets: range = range(10, 1001, 10)
    """Step A."""

    monte_carlo: tuple[Losses, ...] = (Losses(10, 120), Losses(1, 330), Losses(0, 700, less=False))
    """Step A."""

    uct: tuple[Losses, ...] = (Losses(10, 40), Losses(1, 90, less=False))
    """Step C."""

    scores: Mapping[int, int] = field(factory=lambda: dict(SCORES_A))
    """Step A: the scores that are not 0, of Monte-Carlo; its excerpt begins with the first."""

    lost: Mapping[int, int] = field(factory=lambda: dict(LOST))
    """Step C: games that UCT loses, where it loses any; the last is for 960 descents."""

    dumped: int = 10_000
    """Step D: descents after which the dumped search misses the move."""


SCORES_A: Final = {420: -2, 440: -1, 460: -2, 490: -1, 530: -1, 540: -1, 690: -1}

LOST: Final = {
    10: 129, 20: 61, 30: 42, 40: 19, 50: 17, 60: 15, 70: 3, 80: 4, 90: 1, 100: 2, 120: 2, 130: 2,
    140: 1, 160: 2, 180: 1, 200: 2, 280: 2, 310: 2, 320: 1, 410: 1, 590: 1, 690: 1, 770: 1, 800: 1,
    870: 1, 960: 1,
}  # fmt: skip

HASKELL: Final = Haskell()
CONNECT_FOUR: Final = ConnectFour()
JAVA: Final = Java()
COURSE: Final = Run()
