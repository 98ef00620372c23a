"""Tic-tac-toe after the C course: games lost to the perfect player, by number of playouts.

    python benchmarks/studies/losses.py [GAMES] [JOBS]

plays each of the course's three bots (`mehat-mc`, `mehat-uct`, `mehat-rave`) against `perfect`, who
is deterministic, at each budget, the bot as X in half of the games; then, as in the course's steps
A and C, 200 games at each of its 100 budgets, the bot as X. It writes docs/studies/losses.csv,
losses_lines.csv, losses.svg and losses.md. `losses.py lines` plays the second part alone and
`losses.py draw` none. It needs `pip install '.[bench,fast,matches,plot]'`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tables import HERE, constant, curves, page, read, written
from texts import COURSE, Losses

from fmcts import SplitMix
from fmcts.bots._spec import parse_bot
from fmcts.games import tictactoe
from fmcts.matches import Match, sweep
from fmcts.matches._running import games_of, players
from fmcts.matches._statistics import wilson
from fmcts.matches.plots import saved

BUDGETS: Final = (10, 20, 30, 40, 50, 60, 90, 120, 160, 200, 250, 330, 400, 500, 700, 960)
MC, UCT, RAVE = BOTS = ('mehat-mc', 'mehat-uct', 'mehat-rave')
TOGETHER: Final = COURSE.games
COLUMNS: Final = (
    'bot', 'playouts', 'games', 'lost', 'low', 'high', 'lost of 200', 'as X', 'as O',
)  # fmt: skip
BEGINS: Final = 'the bot begins'

SMALL: Final = 0.2  # the constant that gives the course's figures (tail.md)
IN_LINES: Final = ('mehat-mc:{}', f'mehat-uct:{{}},c={SMALL}', 'mehat-uct:{}')
FLAT, NARROW, WIDE = (spec.format('N') for spec in IN_LINES)
NOW_AND_THEN: Final = 200  # descents: from here on the course's UCT loses a game or two at times
LINES: Final = COURSE.budgets


def main() -> None:
    """Play, write, print, draw."""
    games = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdecimal() else 2000
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if sys.argv[1:] not in (['draw'], ['lines']):
        rows = (
            row
            for number, name in enumerate(BOTS)
            for row in played(name, SplitMix.from_seed(1).child(number), games, jobs)
        )
        written('losses', COLUMNS, rows)
    if sys.argv[1:] != ['draw']:
        scores = scored(LINES, TOGETHER, SplitMix.from_seed(2), jobs)
        written('losses_lines', ('bot', 'playouts', 'games', 'score'), scores)
    saved(drawn(), HERE / 'losses.svg')
    page('losses', figures())


def scored(
    budgets: Sequence[int], games: int, rng: SplitMix, jobs: int
) -> Iterator[tuple[str, int, int, int]]:
    """Yield games won less games lost for each bot and budget; the bot is X in all of them."""
    with players(None, jobs) as there:
        for number, spec in enumerate(IN_LINES):
            for budget in budgets:
                described = Match(
                    first=parse_bot(spec.format(budget)).unwrap(),
                    second=parse_bot('perfect').unwrap(),
                    start=tictactoe.start,
                    games=2 * games,
                    rng=rng.child(number).child(budget),
                )
                found = games_of(described, range(0, 2 * games, 2), there)
                score = sum(int(2 * game.points - 1) for game in found)
                yield spec.format('N'), budget, games, score


def played(
    name: str, rng: SplitMix, games: int, jobs: int
) -> Iterator[tuple[str, int, int, int, float, float, int, int, int]]:
    """A row for each budget of a bot."""
    found = sweep(
        lambda budget: parse_bot(f'{name}:{budget}').unwrap(),
        {'budget': BUDGETS},
        parse_bot('perfect').unwrap(),
        tictactoe.start,
        rng=rng,
        games=games,
        names=(name, 'perfect'),
        jobs=jobs,
    )
    for budget, result in zip(BUDGETS, found.results, strict=True):
        lost = result.losses
        few = sum(game.points == 0 for game in result.games[:TOGETHER])
        as_x = sum(game.points == 0 for game in result.games[::2])
        yield name, budget, games, lost, *wilson(lost, games), few, as_x, lost - as_x


def drawn() -> Any:
    """The share of games lost where the bot begins, as the file has it."""
    rows = read('losses')
    lines = {
        name: [
            (int(row['playouts']), *in_percent(int(row['as X']), int(row['games']) // 2))
            for row in rows
            if row['bot'] == name
        ]
        for name in BOTS
    }
    figure = curves(
        lines, across='playouts a move', up='% of games lost to the perfect player', title=BEGINS
    )
    figure.axes[0].set_xscale('log')
    figure.axes[0].set_yscale('symlog', linthresh=1)
    figure.axes[0].set_ylim(0, 100)
    return figure


def in_percent(lost: int, games: int) -> tuple[float, float, float]:
    """The share lost, and its interval."""
    low, high = wilson(lost, games)
    return 100 * lost / games, 100 * low, 100 * high


def of_step_a(scores: Mapping[int, int]) -> dict[str, Any]:
    """Return the games lost in step A's lines, there and here, and how likely they part so far."""
    there = -sum(COURSE.scores.values())
    counted = [at for at in LINES if at >= min(COURSE.scores)]
    here = -sum(scores[at] for at in counted)
    both = there + here
    rarer = sum(math.comb(both, n) for n in range(min(there, here) + 1)) / 2**both
    return {
        'there': there,
        'here': here,
        'games': TOGETHER * len(counted),
        'chance': min(1.0, 2 * rarer),
    }


def figures() -> dict[str, Any]:
    """Return what the page says, from the files."""
    lost = {(it['bot'], int(it['playouts'])): it for it in read('losses')}
    half = {int(it['games']) // 2 for it in lost.values()}.pop()

    def percent(bot: str, playouts: int, side: str = 'X') -> str:
        return f'{100 * int(lost[bot, playouts][f"as {side}"]) / half:.1f}'

    def as_told(bot: str, told: Sequence[Losses], side: str) -> list[bool]:
        """Whether the first budget of each of the course's figures loses as it says."""
        shares = [(float(percent(bot, it.budget, side)), it) for it in told]
        return [share < it.percent if it.less else share <= it.percent for share, it in shares]

    def below(bot: str, share: float) -> int:
        return next(n for n in BUDGETS if float(percent(bot, n)) < share)

    def lost_from(bot: str, first: int) -> int:
        return sum(int(lost[bot, n]['as X']) for n in BUDGETS if n >= first)

    lines: dict[str, dict[int, int]] = {}
    for it in read('losses_lines'):
        lines.setdefault(it['bot'], {})[int(it['playouts'])] = int(it['score'])
    wide = (it for it in read('tail') if it['options'].startswith('c=1.41'))
    first = min(BUDGETS)
    tail = {it['hypothesis']: 100 * int(it[str(first)]) / int(it['games']) for it in wide}
    more, fewer = (
        [
            n
            for n in BUDGETS
            if (float(percent(UCT, n, 'O')) > float(percent(MC, n, 'O'))) is lost_more
        ]
        for lost_more in (True, False)
    )
    return {
        'MC': MC,
        'UCT': UCT,
        'RAVE': RAVE,
        'budgets': BUDGETS,
        'games': 2 * half,
        'half': half,
        'percent': percent,
        'below': below,
        'shares': (10, 1),  # per cent of games lost
        'lost': lambda bot, n: int(lost[bot, n]['as X']),
        'lost_from': lost_from,
        'played_from': lambda first: half * sum(n >= first for n in BUDGETS),
        'begins': {
            side: as_told(MC, COURSE.monte_carlo, side) + as_told(UCT, COURSE.uct, side)
            for side in 'XO'
        },
        'now_and_then': NOW_AND_THEN,
        'last_lost': max(COURSE.lost),
        'more': more,
        'fewer': fewer,
        'slower': all(float(percent(bot, max(BUDGETS), 'O')) > 1 for bot in BOTS),
        'fewest': all(
            float(percent(RAVE, n, 'O')) < float(percent(bot, n, 'O'))
            for bot in (MC, UCT)
            for n in BUDGETS
        ),
        'lines': lines,
        'NARROW': NARROW,
        'WIDE': WIDE,
        'constants': {NARROW: constant(SMALL), WIDE: constant(_default_c())},
        'not_drawn': lambda bot: [at for at, score in lines[bot].items() if score],
        'lost_a': of_step_a(lines[FLAT]),
        'excerpt': [n for n in LINES if n >= min(COURSE.scores)],
        'first': first,
        'first_of_most': tail[f'the constant {_default_c():.3g}'],
        'then_mean': tail['of most visits the best mean'],
    }


def _default_c() -> float:
    return float(parse_bot(UCT).unwrap().search.method.parameters['c'])


if __name__ == '__main__':
    main()
