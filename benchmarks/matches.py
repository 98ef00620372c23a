"""A match here and between OpenSpiel's C++ bots in its own loop, in one run; and how memory grows.

The match is `mcts:100` against `random` on Connect Four, both sides. OpenSpiel's bot is its C++
`MCTSBot` with 100 simulations, one random playout each, and `sqrt 2`. Run it with
`pip install '.[fast,matches]' open_spiel psutil`, on a quiet machine:

    python benchmarks/matches.py [GAMES] [JOBS] [OPENSPIEL GAMES]

With 10,000 games and 2 jobs it takes a minute and a half on two quiet cores. Memory is that of this
process and of those that it began together, after each tenth of the games. Processes take most of
a second to begin, so the match is also played by a pool that is there already; what as many bare
loops do together, in units of one alone, is what the machine has to give. All this is done three
times in turn, and the medians are printed. At the end the same positions are
searched with new trees and with kept ones, in seconds of a processor.
"""

from __future__ import annotations

import math
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

import psutil
import pyspiel

from fmcts import Search, SplitMix, analyse, mcts, random_bot
from fmcts.games import connect4
from fmcts.matches import Match, PlayedGame, play_match
from fmcts.matches._running import players
from fmcts.search._tree import reroot

ROUNDS = 3


def main() -> None:
    """Print the games a second of each, their ratios, and the memory."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    theirs = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    ours(200, None)  # compile, or load
    other, found = openspiel(theirs), []
    for _ in range(ROUNDS):
        machine = bare_loops(jobs)
        alone = ours(games, None)
        with players(None, jobs) as there:
            together = ours(games, there)
        with players(None, jobs) as there:
            ours(games // 10, there)  # they are all there
            running = ours(games, there)
        found.append((alone, together, running, together / alone, running / alone, machine))
    alone, together, running, ratio, begun, machine = map(median, zip(*found, strict=True))
    print('each round: ' + '; '.join(f'{one[3]:.2f} {one[4]:.2f} {one[5]:.2f}' for one in found))
    print(f'fmcts, 1 job:       {alone:8.0f} games a second')
    print(f'fmcts, {jobs} jobs:      {together:8.0f}   {ratio:.2f} of one job')
    print(f'   begun before:    {running:8.0f}   {begun:.2f}; bare loops {machine:.2f}')
    print(
        f"OpenSpiel's C++:    {other:8.0f}   fmcts with {jobs} jobs: {together / other:.1f} times"
    )
    kept_trees()


def megabytes() -> int:
    """The memory of this process and of those that it began."""
    here = psutil.Process()
    total = 0
    for one in (here, *here.children(recursive=True)):
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total // 2**20


def ours(games: int, there: Executor | None) -> float:
    """Games a second; the memory after each tenth of the games is printed."""
    seen: list[int] = []

    def watch(game: PlayedGame) -> None:
        if (game.number + 1) % max(1, games // 10) == 0:
            seen.append(megabytes())

    described = Match(
        first=mcts(Search(100)),
        second=random_bot,
        start=connect4.start,
        games=games,
        rng=SplitMix.from_seed(1),
    )
    begin = time.perf_counter()
    result = play_match(described, executor=there, watch=watch)
    seconds = time.perf_counter() - begin
    where = 'here' if there is None else 'by processes'
    print(f'{games} games {where}: {result.score:.1%}, {seconds:.1f} s, MB: {seen}')
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


def bare_loops(jobs: int, repeats: int = 3) -> float:
    """How many times as much that many processes of a bare loop do as one does; of some tries."""
    found = []
    with ProcessPoolExecutor(jobs, get_context('spawn')) as pool:
        list(pool.map(bare_loop, [1] * 4 * jobs))  # they are all there
        for _ in range(repeats):
            alone = pool.submit(bare_loop, 10_000_000).result()
            together = list(pool.map(bare_loop, [10_000_000] * jobs))
            found.append(sum(alone / seconds for seconds in together))
    return sorted(found)[repeats // 2]


def bare_loop(times: int) -> float:
    """The seconds of a loop that needs nothing but a processor."""
    begin, total = time.perf_counter(), 0
    for number in range(times):
        total += number * number % 7
    return time.perf_counter() - begin


def kept_trees(iterations: int = 20_000, repeats: int = 20) -> None:
    """Print how long a tree of so many visits takes after two moves: new, and from the kept one.

    The kept tree has some of them already, and needs only the rest.
    """
    rng = SplitMix.from_seed(1)
    new = kept = 0.0
    known = 0
    for number in range(repeats + 1):
        first, rng = analyse(connect4.start, rng, Search(iterations))
        below = reroot(first, first.move)
        reply = below.most_visited()
        if reply is None:
            continue
        after = below.state.play(reply.move)
        begin = time.process_time()
        tree = reroot(below, reply.move)
        _, rng = analyse(after, rng, Search(iterations - tree.visits), tree=tree)
        middle = time.process_time()
        _, rng = analyse(after, rng, Search(iterations))
        if number:  # the first is for what is loaded then
            new += time.process_time() - middle
            kept += middle - begin
            known += tree.visits
    print(
        f'a tree of {iterations:,} visits two moves on: new {new / repeats * 1e3:.1f} ms, kept '
        f'{kept / repeats * 1e3:.1f} ms ({known / repeats:,.0f} visits were known)'
    )


if __name__ == '__main__':
    main()
