"""Games with dice: the speed of the compiled engine beside OpenSpiel's C++ `MCTSBot`, in one run.

Both search Pig as OpenSpiel has it, written here as rules on integers, with equal iterations and
one random playout each, in processor time. `dice_games.py` has games between both.

    python benchmarks/dice.py [rounds] [file]

The file is a table of `docs/figures`.
"""

from __future__ import annotations

import csv
import io
import math
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pyspiel
from timing import Rate, in_turn, rate_of

from fmcts import Search, SplitMix, analyse
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, O, X

ITERATIONS = 20_000


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


def compiled(state: Any) -> Rate:
    """The compiled engine, from that state."""
    search = Search(ITERATIONS)
    return rate_of(
        ITERATIONS,
        lambda seed: analyse(state, SplitMix.from_seed(seed), search, engine='compiled'),
        time.process_time,
    )


def bot_of(game: Any, iterations: int, seed: int) -> Any:
    """OpenSpiel's bot."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(
        game, evaluator, math.sqrt(2), iterations, 1000, solve=False, seed=seed, verbose=False
    )


def openspiel(state: Any) -> Rate:
    """OpenSpiel's bot, from that state of its own."""
    return rate_of(
        ITERATIONS,
        lambda seed: bot_of(state.get_game(), ITERATIONS, seed).mcts_search(state.clone()),
        time.process_time,
    )


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
    ours, other = compiled(pig_to(100)), after_chance('pig(horizon=100000)')
    ours(0)  # compiles
    one, two, ratio = in_turn(ours, openspiel(other), rounds)
    rows = [('Pig to 100 points', f'{one:,.0f}', f'{two:,.0f}', f'{ratio:.1f}')]
    print(rows[-1], flush=True)
    columns = 'game', 'compiled, it/s', 'OpenSpiel, it/s', 'ratio'
    if file is not None:
        Path(file).write_text(table(f'benchmarks/dice.py {rounds}', columns, rows), 'utf-8')


if __name__ == '__main__':
    main(int((*sys.argv[1:2], 5)[0]), (*sys.argv[2:3], None)[0])
