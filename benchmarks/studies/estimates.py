"""Tic-tac-toe after the Haskell article: estimates by playouts against the exact probabilities.

    python benchmarks/studies/estimates.py [REPETITIONS]

asks by playouts how often X wins, O wins or nobody does from the start, and how often X wins after
each move of the article's position, so many times at each number of playouts; the exact answers
come from all games, by fractions; then compares the article's program as printed with the repaired
one. It writes docs/studies/estimates.csv, estimates_printed.csv, estimates.md, estimates.svg and
estimates_error.svg. `estimates.py draw` writes page and pictures anew from the file. It needs
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

import estimates_printed
from attrs import frozen
from scipy.stats import chi2, linregress, t
from tables import HERE, curves, page, read, written
from texts import HASKELL

from fmcts import Player, SplitMix, probabilities
from fmcts._running import playouts
from fmcts.bots.montecarlo import article_mc_pure, evaluate
from fmcts.games import tictactoe
from fmcts.games.tictactoe import TicTacToe
from fmcts.matches._statistics import CONFIDENCE, wilson
from fmcts.matches.plots import saved
from fmcts.rng import StdGen, format as format_rng

PLAYOUTS: Final = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
REPETITIONS: Final = 2_000
LINE: Final = HASKELL.line
SLOPE: Final = -0.5  # of 1/sqrt(n)
COARSE: Final = 100  # playouts below which counts are coarse
TIMED: Final = (1_000, 10_000)  # playouts whose standard errors the page gives
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


TIMES: Final = HASKELL.playouts
PRINTED: Final = HASKELL.victories
# The article prints none of these; they were recovered from its figures.
PURE, STATE, OF_BOT = StdGen(346137677, 1), StdGen(3304847, 1), StdGen(529669860, 1)


def of_the_article() -> tuple[dict[str, dict[int, int]], tuple[int, StdGen]]:
    """Replay the article's sessions, from the generators that they began with.

    :returns: the victories by session and move, and what the bot of the pure one does.
    """
    pure = {move: evaluated(move, PURE)[0] for move in PRINTED['pure functions']}
    state, rng = {}, STATE
    for move in PRINTED['State monad']:
        state[move], rng = evaluated(move, rng)
    bot = article_mc_pure(HASKELL.playouts_of_bot)(position(), OF_BOT)
    return {'pure functions': pure, 'State monad': state}, bot


def evaluated(move: int, rng: StdGen) -> tuple[int, StdGen]:
    """X's victories after a move, and the generator to use next."""
    node, _, after = evaluate(position(), move, TIMES, rng, count='wins')
    return int(node.reward), after


def wins(*moves: int) -> Fraction:
    """How often X wins after the moves from the article's position, both sides at random."""
    return probabilities(reduce(TicTacToe.play, moves, position()))[Player.X]


def figures(rows: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return what the page says, from the rows of the file and the article's sessions."""
    erring = [it for it in rows if float(it['error'])]
    outside = [
        it
        for it in erring
        if not float(it['low']) <= float(it['expected error']) <= float(it['high'])
    ]
    found, bot = of_the_article()
    # Of the sessions' figures that are not exact by necessity, the one that is furthest off.
    observed = {
        (session, victories): (victories - expected) / math.sqrt(expected * (1 - expected / TIMES))
        for session, moves in PRINTED.items()
        for move, victories in moves.items()
        if (expected := TIMES * float(wins(move)))
    }
    session, furthest = max(observed, key=lambda it: abs(observed[it]))
    away = abs(observed[session, furthest])

    def holding(numbers: Sequence[int]) -> float:
        some = [it for it in erring if int(it['playouts']) in numbers]
        hold = sum(int(it['intervals that hold it']) for it in some)
        return hold / sum(int(it['repetitions']) for it in some)

    return {
        'probabilities': probabilities,
        'start': tictactoe.start,
        'line': LINE,
        'wins': wins,
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
        'generators': {
            name: format_rng(rng)
            for name, rng in (('pure', PURE), ('bot', OF_BOT), ('state', STATE))
        },
        'observed': observed,
        'session': session,
        'furthest': furthest,
        'expected': round(TIMES / 2),
        'away': away,
        'one_in': round(1 / (2 * NormalDist().cdf(-away))),
        'numbers': PLAYOUTS,
        'repetitions': int(rows[0]['repetitions']),
        'slopes': slopes(rows),
        'never_wrong': [it['question'] for it in rows if not float(it['error'])][:1],
        'slope': SLOPE,
        'with_slope': sum(low <= SLOPE <= high for _, low, high in slopes(rows).values()),
        'errors': len(erring),
        'errors_right': len(erring) - len(outside),
        'outside': [
            (it['question'], int(it['playouts']), float(it['error']) / float(it['expected error']))
            for it in outside
        ],
        'coarse': COARSE,
        'holding': holding([it for it in PLAYOUTS if it >= COARSE]),
        'holding_coarse': holding([it for it in PLAYOUTS if it < COARSE]),
        'timed': TIMED,
        'apart': lambda playouts: 100 * math.sqrt(2 / 4 / playouts),
        **estimates_printed.figures(read('estimates_printed')),
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
        printed = estimates_printed.compared(estimates_printed.positions())
        written('estimates_printed', estimates_printed.COLUMNS, printed)
    rows = read('estimates')
    saved(estimates(rows), HERE / 'estimates.svg')
    saved(errors(rows), HERE / 'estimates_error.svg')
    page('estimates', figures(rows))


if __name__ == '__main__':
    main()
