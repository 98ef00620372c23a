"""Tic-tac-toe after the Haskell article: estimates by playouts against the exact probabilities.

    python benchmarks/studies/estimates.py [REPETITIONS]

asks by playouts how often X wins, O wins or nobody does from the start, and how often X wins after
each move of the article's position, so many times at each number of playouts; the exact answers
come from all games, by fractions. It writes docs/studies/estimates.csv, estimates.svg and
estimates_error.svg, and prints the slope by which the error falls. `estimates.py draw` draws anew
from the file. It needs `pip install '.[fast,matches,plot]'`.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, reduce
from typing import Any, Final

from attrs import frozen
from scipy.stats import chi2, linregress, t
from tables import HERE, read, written

from fmcts import Player, SplitMix
from fmcts.bots.montecarlo import article_mc_pure, evaluate
from fmcts.games import tictactoe
from fmcts.games.tictactoe import TicTacToe
from fmcts.matches.plots import curves, saved
from fmcts.matches.statistics import CONFIDENCE, wilson
from fmcts.rng import StdGen
from fmcts.search.playouts import playouts

PLAYOUTS: Final = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
REPETITIONS: Final = 2_000
LINE: Final = (4, 0, 2, 5, 3, 6)  # the article's position
COLUMNS: Final = (
    'question',
    'exact',
    'playouts',
    'repetitions',
    'first estimate',
    'mean',
    'error',
    'low',
    'high',
    'expected error',
    'intervals that hold it',
)


@frozen
class Question:
    """How often a playout from `state` ends with `winner`; `None` for a draw."""

    name: str
    state: TicTacToe
    winner: Player | None

    @property
    def exact(self) -> Fraction:
        """By all games."""
        return probabilities(self.state)[self.winner]


def position() -> TicTacToe:
    """The article's, X to move."""
    return reduce(TicTacToe.play, LINE, tictactoe.start)


@cache
def probabilities(state: TicTacToe) -> Counter[Player | None]:
    """How likely each end is when both sides play at random: from all games, exactly."""
    if state.over:
        return Counter({state.winner: Fraction(1)})
    found: Counter[Player | None] = Counter()
    for move in state.moves:
        for winner, share in probabilities(state.play(move)).items():
            found[winner] += share / len(state.moves)
    return found


def questions() -> tuple[tuple[Question, ...], ...]:
    """What is asked; those that stand together are answered by the same playouts."""
    names = {Player.X: 'start: X wins', None: 'start: draw', Player.O: 'start: O wins'}
    after = [
        (Question(f'position, {move}: X wins', position().play(move), Player.X),)
        for move in position().moves
    ]
    return tuple(Question(name, tictactoe.start, it) for it, name in names.items()), *after


def asked(repetitions: int, numbers: Sequence[int], rng: SplitMix) -> Iterator[tuple[Any, ...]]:
    """A row for each question and number of playouts."""
    for which, together in enumerate(questions()):
        for times in numbers:
            draws = rng.child(which).child(times)
            counts = [
                playouts(together[0].state, draws.child(number), times)[0]
                for number in range(repetitions)
            ]
            for question in together:
                yield row(question, times, [count[question.winner] for count in counts])


def row(question: Question, times: int, found: Sequence[int]) -> tuple[Any, ...]:
    """What so many estimates say; the error is the root of the mean square."""
    exact, count = question.exact, len(found)
    squares = sum((Fraction(it, times) - exact) ** 2 for it in found)
    tail = (1 - CONFIDENCE) / 2
    # The sum of squares over the variance is nearly distributed as chi-squared.
    low, high = (math.sqrt(squares / chi2.ppf(end, count)) for end in (1 - tail, tail))
    holding = sum(low <= exact <= high for low, high in (interval(it, times) for it in found))
    expected = math.sqrt(exact * (1 - exact) / times)
    mean = sum(found) / (times * count)
    error = math.sqrt(squares / count)
    first = found[0] / times
    return (
        question.name, exact, times, count, first, mean, error, low, high, expected, holding,
    )  # fmt: skip


@cache
def interval(found: int, times: int) -> tuple[float, float]:
    """Wilson's."""
    return wilson(found, times)


def slope(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Of the straight line through the logarithms of x and y, and its interval."""
    x, y = ([math.log(it) for it in side] for side in zip(*points, strict=True))
    line = linregress(x, y)
    reach = t.ppf((1 + CONFIDENCE) / 2, len(points) - 2) * line.stderr
    return line.slope, line.slope - reach, line.slope + reach


def slopes(rows: Sequence[dict[str, str]]) -> dict[str, tuple[float, float, float]]:
    """That of each question's error; a question that is never answered wrongly has none."""
    names = dict.fromkeys(it['question'] for it in rows if float(it['error']))
    return {
        name: slope(
            [(int(it['playouts']), float(it['error'])) for it in rows if it['question'] == name]
        )
        for name in names
    }


def of_the_article() -> tuple[list[float], tuple[int, StdGen]]:
    """Its pure session, from the generators that it began with.

    :returns: the victories of 10,000 playouts after the moves 8, 7 and 1, and what its bot does.
    """
    victories = [
        evaluate(position(), move, 10_000, StdGen(346137677, 1), count='wins')[0].reward
        for move in (8, 7, 1)
    ]
    return victories, article_mc_pure(30_000)(position(), StdGen(529669860, 1))


def estimates(rows: Sequence[dict[str, str]]) -> Any:
    """The first estimate of each number of playouts from the start, beside the exact values."""
    lines = {}
    for question in questions()[0]:
        lines[f'{question.name}: {question.exact}'] = [
            (times, 100 * share, *(100 * end for end in interval(round(share * times), times)))
            for times, share in (
                (int(it['playouts']), float(it['first estimate']))
                for it in rows
                if it['question'] == question.name
            )
        ]
    figure = curves(lines, across='playouts', up='% of playouts', title='One estimate each')
    for question in questions()[0]:
        figure.axes[0].axhline(100 * question.exact, color='black', linewidth=0.6)
    figure.axes[0].set_xscale('log')
    figure.axes[0].set_ylim(0, 100)
    return figure


def errors(rows: Sequence[dict[str, str]]) -> Any:
    """The error by the number of playouts, beside what is to be expected."""
    shown = {'position, 7: X wins': 'X wins after 7', 'start: draw': 'draw from the start'}
    lines = {
        label: [
            tuple(float(it[column]) for column in ('playouts', 'error', 'low', 'high'))
            for it in rows
            if it['question'] == name
        ]
        for name, label in shown.items()
    }
    figure = curves(lines, across='playouts', up='root of the mean square error')
    axes = figure.axes[0]
    ends = min(PLAYOUTS), max(PLAYOUTS)
    for name in shown:
        (exact,) = {Fraction(it['exact']) for it in rows if it['question'] == name}
        expected = [math.sqrt(exact * (1 - exact) / times) for times in ends]
        axes.plot(ends, expected, color='black', linewidth=0.6, zorder=0)
    axes.plot([], [], color='black', linewidth=0.6, label='expected: sqrt(p (1 - p) / playouts)')
    axes.set_xscale('log')
    axes.set_yscale('log')
    axes.legend(frameon=False)
    return figure


def main() -> None:
    """Ask, write, print, draw."""
    if sys.argv[1:] != ['draw']:
        repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
        written('estimates', COLUMNS, asked(repetitions, PLAYOUTS, SplitMix.from_seed(1)))
    rows = read('estimates')
    for name, found in slopes(rows).items():
        print('{:26} slope {:.4f}, {:.4f} to {:.4f}'.format(name, *found))
    print('the article:', *of_the_article())
    saved(estimates(rows), HERE / 'estimates.svg')
    saved(errors(rows), HERE / 'estimates_error.svg')


if __name__ == '__main__':
    main()
