"""Tic-tac-toe after the Haskell article: estimates by playouts against the exact probabilities.

    python benchmarks/studies/estimates.py [REPETITIONS]

asks by playouts how often X wins, O wins or nobody does from the start, and how often X wins after
each move of the article's position, so many times at each number of playouts; the exact answers
come from all games, by fractions. It writes docs/studies/estimates.csv, estimates.md, estimates.svg
and estimates_error.svg. `estimates.py draw` writes page and pictures anew from the file. It needs
`pip install '.[bench,fast,matches,plot]'`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, reduce
from statistics import NormalDist
from typing import Any, Final

from attrs import frozen
from scipy.stats import chi2, linregress, t
from tables import HERE, page, read, written

from fmcts import Player, SplitMix, probabilities
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


TIMES: Final = 10_000  # playouts of each evaluation that the article prints
PURE, STATE = StdGen(346137677, 1), StdGen(3304847, 1)
BOT: Final = (30_000, StdGen(529669860, 1))
PRINTED: Final = {  # session: move: victories
    'pure functions': {8: 0, 7: 4965, 1: 4965},
    'State monad': {1: 5030, 7: 4898, 8: 0},
}


def of_the_article() -> tuple[dict[str, dict[int, int]], tuple[int, StdGen]]:
    """Replay the article's sessions, from the generators that they began with.

    :returns: the victories by session and move, and what the bot of the pure one does.
    """
    pure = {move: evaluated(move, PURE)[0] for move in PRINTED['pure functions']}
    state, rng = {}, STATE
    for move in PRINTED['State monad']:
        state[move], rng = evaluated(move, rng)
    playouts_of_bot, first = BOT
    bot = article_mc_pure(playouts_of_bot)(position(), first)
    return {'pure functions': pure, 'State monad': state}, bot


def evaluated(move: int, rng: StdGen) -> tuple[int, StdGen]:
    """X's victories after a move, and the generator to use next."""
    node, _, after = evaluate(position(), move, TIMES, rng, count='wins')
    return int(node.reward), after


def figures(rows: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return what the page says, from the rows of the file and the article's sessions."""
    erring = [it for it in rows if float(it['error'])]
    outside = [
        it
        for it in erring
        if not float(it['low']) <= float(it['expected error']) <= float(it['high'])
    ]
    found, bot = of_the_article()
    low, expected = PRINTED['State monad'][7], TIMES / 2
    away = (expected - low) / math.sqrt(TIMES / 4)

    def holding(numbers: Sequence[int]) -> float:
        some = [it for it in erring if int(it['playouts']) in numbers]
        hold = sum(int(it['intervals that hold it']) for it in some)
        return hold / sum(int(it['repetitions']) for it in some)

    return {
        'probabilities': probabilities,
        'start': tictactoe.start,
        'named': [
            (f'after {" ".join(map(str, LINE))} {move}', position().play(move))
            for move in PRINTED['pure functions']
        ],
        'X': Player.X,
        'O': Player.O,
        'sessions': [
            (session, move, printed, found[session][move], interval(printed, TIMES))
            for session, moves in PRINTED.items()
            for move, printed in moves.items()
        ],
        'times': TIMES,
        'bot': bot,
        'low': low,
        'expected': round(expected),
        'away': away,
        'one_in': round(1 / (2 * NormalDist().cdf(-away))),
        'numbers': PLAYOUTS,
        'repetitions': int(rows[0]['repetitions']),
        'slopes': slopes(rows),
        'never_wrong': [it['question'] for it in rows if not float(it['error'])][:1],
        'with_half': sum(low <= -0.5 <= high for _, low, high in slopes(rows).values()),
        'errors': len(erring),
        'errors_right': len(erring) - len(outside),
        'outside': [
            (it['question'], int(it['playouts']), float(it['error']) / float(it['expected error']))
            for it in outside
        ],
        'holding_from_100': holding([it for it in PLAYOUTS if it >= 100]),
        'holding_below_100': holding([it for it in PLAYOUTS if it < 100]),
        'apart': lambda playouts: 100 * math.sqrt(2 / 4 / playouts),
    }


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
    saved(estimates(rows), HERE / 'estimates.svg')
    saved(errors(rows), HERE / 'estimates_error.svg')
    page('estimates', figures(rows))


if __name__ == '__main__':
    main()
