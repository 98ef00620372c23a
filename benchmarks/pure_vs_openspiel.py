"""The pure reference engine beside OpenSpiel's Python `MCTSBot`: iterations per second and ratio.

Both run in this process, in turn, on the same positions with the same iterations, one uniform
playout an iteration, UCB1 with c = sqrt 2 and no solver; a line a position gives the medians of
the rounds, a line a game the same for all its positions together. Run it from a clone with
`pip install '.[bench]'`:

    python benchmarks/pure_vs_openspiel.py [rounds]
"""

from __future__ import annotations

import functools
import math
import statistics
import sys
from functools import partial

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as theirs
from timing import in_turn, rate_of

from fmcts import Search, SplitMix, analyse
from fmcts.games import GAMES

# OpenSpiel's name, iterations, and positions as moves; both libraries number the moves alike.
CASES = {
    'tictactoe': ('tic_tac_toe', 10_000, [(), (4, 0)]),
    'connect4': ('connect_four', 5_000, [(), (3, 3, 2)]),
    'othello': ('othello', 400, [(), (19, 18)]),
}
TO_REACH = {'tictactoe': 3.0, 'connect4': 3.0, 'othello': 1.0}


def ours(game: str, moves: tuple[int, ...], iterations: int, seed: int) -> None:
    """One search by the persistent engine."""
    state = functools.reduce(lambda state, move: state.play(move), moves, GAMES[game].start)
    analyse(state, SplitMix.from_seed(seed), Search(iterations=iterations), engine='persistent')


def openspiel(name: str, moves: tuple[int, ...], iterations: int, seed: int) -> None:
    """The same search by OpenSpiel."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    random = np.random.RandomState(seed)
    evaluator = theirs.RandomRolloutEvaluator(1, random)
    bot = theirs.MCTSBot(
        game, math.sqrt(2), iterations, evaluator, solve=False, random_state=random
    )
    bot.mcts_search(state)


def main(rounds: int) -> None:
    """Print a line a position, and one a game: equal iterations from each of its positions."""
    print('game      after moves  fmcts it/s  OpenSpiel it/s  ratio  to reach')
    for game, (name, iterations, positions) in CASES.items():
        rates = []
        for moves in positions:
            own, other, ratio = in_turn(
                rate_of(iterations, partial(ours, game, moves, iterations)),
                rate_of(iterations, partial(openspiel, name, moves, iterations)),
                rounds,
            )
            rates.append((own, other))
            after = ','.join(map(str, moves)) or 'none'
            print(f'{game:10}{after:11}{own:12,.0f}{other:16,.0f}{ratio:7.2f}')
        own, other = map(statistics.harmonic_mean, zip(*rates, strict=True))
        print(
            f'{game:10}{"all":11}{own:12,.0f}{other:16,.0f}{own / other:7.2f}{TO_REACH[game]:10.1f}'
        )


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
