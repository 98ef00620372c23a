"""A match here and between OpenSpiel's C++ bots in its own loop, in one run; and how memory grows.

The match is `mcts:100` against `random` on Connect Four, both sides. OpenSpiel's bot is its C++
`MCTSBot` with 100 simulations, one random playout each, and `sqrt 2`. Run it with
`pip install '.[fast]' open_spiel`, on a quiet machine:

    python benchmarks/matches.py [GAMES] [JOBS] [OPENSPIEL GAMES]
"""

from __future__ import annotations

import math
import resource
import sys
import time

import pyspiel

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import connect4
from fmcts.matches import match


def main() -> None:
    """Print the games a second of each, and their ratios."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    theirs = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    ours(200, 1)  # compile, or load
    alone = ours(games, 1)
    together = ours(games, jobs)
    other = openspiel(theirs)
    print(f'fmcts, 1 job:       {alone:8.0f} games a second')
    print(f'fmcts, {jobs} jobs:      {together:8.0f}   {together / alone:.2f} of one job')
    print(
        f"OpenSpiel's C++:    {other:8.0f}   fmcts with {jobs} jobs: {together / other:.1f} times"
    )


def ours(games: int, jobs: int) -> float:
    """Games a second, with the memory that this process has had at most after each quarter."""
    seen: list[int] = []

    def watch(game: object) -> None:
        number = getattr(game, 'number', 0) + 1
        if number % max(1, games // 4) == 0:
            seen.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)

    begin = time.perf_counter()
    result = match(
        mcts(Search(100)),
        random_bot,
        connect4.start,
        games=games,
        rng=SplitMix.from_seed(1),
        jobs=jobs,
        watch=watch,
    )
    seconds = time.perf_counter() - begin
    print(f'{games} games, {jobs} jobs: {result.score:.1%}, {seconds:.1f} s, {seen} MB')
    return games / seconds


def openspiel(games: int) -> float:
    """Games a second of OpenSpiel's own loop and bots."""
    game = pyspiel.load_game('connect_four')
    begin, points = time.perf_counter(), 0.0
    for number in range(games):
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.MCTSBot(
            game, evaluator, uct_c=math.sqrt(2), max_simulations=100, max_memory_mb=100,
            solve=False, seed=number, verbose=False,
        )  # fmt: skip
        other = pyspiel.make_uniform_random_bot(1 - number % 2, number)
        bots = [bot, other] if number % 2 == 0 else [other, bot]
        points += (
            1 + pyspiel.evaluate_bots(game.new_initial_state(), bots, number)[number % 2]
        ) / 2
    seconds = time.perf_counter() - begin
    print(f'OpenSpiel: {points / games:.1%}, {seconds:.1f} s for {games} games')
    return games / seconds


if __name__ == '__main__':
    main()
