"""Games with dice: the speed of the compiled engine beside OpenSpiel's C++ `MCTSBot`, in one run.

Both search Pig as OpenSpiel has it, written here as rules on integers, and 2048 by its score, which
is gained on the way (the bot would refuse the game: see `score_of_2048.py`), with equal iterations
and one random playout each, in processor time. `dice_games.py` has games between both.

    python benchmarks/dice.py [rounds] [file]

The file is a table of `docs/figures`.
"""

from __future__ import annotations

import csv
import io
import math
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyspiel
from timing import Rate, in_turn, rate_of

from fmcts import Search, SplitMix, analyse
from fmcts.games.chance.tiles import (
    Powers,
    _cell,
    _chances as tiles_due,
    _menu as pushes,
    _play as pushed,
    _power,
)
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, O, X

PIG, TILES = 20_000, 2_000  # iterations


# ---- Pig ----


class Points(NamedTuple):
    """A position of OpenSpiel's Pig: there a player may also stop without points."""

    target: int
    x: int
    o: int
    turn: int
    side: int
    rolling: int


def _menu(position: Points) -> int:
    if position.rolling:
        return 0b111111
    return 0 if position.x >= position.target or position.o >= position.target else 0b11


def _play(position: Points, move: int) -> Points:
    target, x, o, turn, side, rolling = position
    if rolling:  # the outcomes are 0 to 5
        if move == 0:
            return Points(target, x, o, 0, 1 - side, 0)
        return Points(target, x, o, turn + move + 1, side, 0)
    if move == 0:
        return Points(target, x, o, turn, side, 1)
    return Points(target, x + (turn & side - 1), o + (turn & -side), 0, 1 - side, 0)


def _side(position: Points) -> int:
    return position.side


def _winner(position: Points) -> int:
    return X if position.x >= position.target else O


def _chances(position: Points) -> int:
    return 6 if position.rolling else 0


RULES = IntegerRules(menu=_menu, play=_play, side=_side, winner=_winner, chances=_chances)


def pig_to(points: int) -> Any:
    """The start of a game to so many points."""
    return make_game('pig', Points(points, 0, 0, 0, X, 0), RULES).start


# ---- 2048 by its score ----


class Scored(NamedTuple):
    """A position as `fmcts.games.chance.tiles` has it, and what the last push brought."""

    size: int
    low: int
    high: int
    due: int
    won: int


def board(position: Scored) -> Powers:
    """Return the position without what was won."""
    return Powers(position.size, position.low, position.high, position.due)


def merged(position: Scored, push: int) -> int:
    """Return the sum of the new tiles that a push makes."""
    size, total, there = position.size, 0, board(position)
    for line in range(size):
        last = 0
        for at in range(size):
            power = _power(there, _cell(size, push, line, at))
            if power and power == last:
                total += 2 << power
                last = 0
            elif power:
                last = power
    return total


def scored(position: Scored, move: int) -> Scored:
    """Push, or put a tile."""
    won = 0 if position.due else merged(position, move)
    after = pushed(board(position), move)
    return Scored(after.size, after.low, after.high, after.due, won)


SCORED: Final = make_game(
    '2048 by its score',
    Scored(4, 0, 0, 2, 0),
    IntegerRules(
        menu=lambda at: pushes(board(at)),
        play=scored,
        side=lambda _at: 0,
        chances=lambda at: tiles_due(board(at)),
        weight=lambda _at, outcome: 1 if outcome % 2 else 9,
        players=1,
        gained=lambda at, _player: float(at.won),
    ),
    players=('player',),
)


# ---- speeds ----


def compiled(state: Any, search: Search) -> Rate:
    """The compiled engine, from that state."""
    return rate_of(
        search.iterations,
        lambda seed: analyse(state, SplitMix.from_seed(seed), search, engine='compiled'),
        time.process_time,
    )


def bot_of(game: Any, iterations: int, seed: int, c: float = math.sqrt(2)) -> Any:
    """OpenSpiel's bot."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(
        game, evaluator, c, iterations, 1000, solve=False, seed=seed, verbose=False
    )


def openspiel(state: Any, iterations: int, bot: Callable[[int], Any]) -> Rate:
    """A bot of OpenSpiel's, made from a seed, from that state of its own."""
    return rate_of(iterations, lambda seed: bot(seed).mcts_search(state.clone()), time.process_time)


def after_chance(game: str) -> Any:
    """The first state of a game of OpenSpiel in which a player moves."""
    state = pyspiel.load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def table(command: str, columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A file of `docs/figures`."""
    text = io.StringIO()
    text.write(f'# python {command}; x86-64, two shared cores, CPython 3.11, busy; November 2026\n')
    writer = csv.writer(text, lineterminator='\n')
    writer.writerows([['---'] * len(columns), columns, *rows])
    return text.getvalue()


def main(rounds: int, file: str | None) -> None:
    """Print rates, and write the file."""
    pig, tiles = after_chance('pig(horizon=100000)'), after_chance('2048')
    begun = SCORED.start.play(0).play(2)  # the same two tiles
    accepted = pyspiel.load_game('blackjack')
    games = {
        'Pig to 100 points': (
            compiled(pig_to(100), Search(PIG)),
            openspiel(pig, PIG, lambda seed: bot_of(pig.get_game(), PIG, seed)),
        ),
        '2048 by its score': (
            compiled(begun, Search(TILES, c=1000.0)),
            openspiel(tiles, TILES, lambda seed: bot_of(accepted, TILES, seed, 1000.0)),
        ),
    }
    rows = []
    for name, (ours, theirs) in games.items():
        ours(0)  # compiles
        one, two, ratio = in_turn(ours, theirs, rounds)
        rows.append((name, f'{one:,.0f}', f'{two:,.0f}', f'{ratio:.1f}'))
        print(rows[-1], flush=True)
    columns = 'game', 'compiled, it/s', 'OpenSpiel, it/s', 'ratio'
    if file is not None:
        Path(file).write_text(table(f'benchmarks/dice.py {rounds}', columns, rows), 'utf-8')


if __name__ == '__main__':
    main(int((*sys.argv[1:2], 5)[0]), (*sys.argv[2:3], None)[0])
