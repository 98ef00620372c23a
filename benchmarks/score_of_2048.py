"""2048 by its score: this library and OpenSpiel's `MCTSBot` at equal simulations, with equal dice.

The rewards come on the way, from 4 to tens of thousands, and nobody knows their scale: this library
normalises values by what it has seen. OpenSpiel's bots refuse such a game, but only look at its
type when they are made: one made for another game of one player plays it. Their constant is for
values from -1 to 1, so the bot in C++ plays with a larger one too. Its bot in Python is given
playouts in C++. The rules are on integers, with `gained`; every game is played in both libraries,
whose scores must agree.

    python benchmarks/score_of_2048.py [games] [simulations a move] [processes] [file]

`dice.py` has simulations a second.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyspiel
from dice import SCORED, bot_of, table
from open_spiel.python.algorithms.mcts import MCTSBot

from fmcts import Search, SplitMix, mcts
from fmcts.game import drawn_outcome

OURS: Final = (3, 1, 0, 2)
"""OpenSpiel's number of our moves left, right, up, down."""


class Rollouts:
    """What OpenSpiel's bot in Python asks, answered by one random playout in C++."""

    def __init__(self, random: Any) -> None:
        """Take a generator of numpy."""
        self.random = random
        self.bot = cpp_bot(0.0, 1, int(random.randint(1 << 30)))

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return the actions, or outcomes, with their probabilities."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def evaluate(self, state: Any) -> list[float]:
        """Return the score: of a tree of one simulation, which is a playout from its root."""
        while state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state = state.child(self.random.choice(actions, p=weights))
        if state.is_terminal():
            return list(state.returns())
        return [self.bot.mcts_search(state).total_reward]


def cpp_bot(c: float, simulations: int, seed: int) -> Any:
    """Return OpenSpiel's bot in C++: it refuses a game with rewards on the way, not its states."""
    return bot_of(pyspiel.load_game('blackjack'), simulations, seed, c)


def python_bot(c: float, simulations: int, seed: int) -> Any:
    """Return OpenSpiel's bot in Python, whose check of the game is passed in the same way."""
    random = np.random.RandomState(seed)
    judge: Any = Rollouts(random)
    accepted = pyspiel.load_game('blackjack')
    return MCTSBot(accepted, c, simulations, judge, solve=False, random_state=random)


def ours_of(options: dict[str, Any], simulations: int) -> Callable[[int], Any]:
    """Return a player of this library, which is told a seed and then asked for moves."""

    def player(seed: int) -> Any:
        bot, rng = mcts(Search(simulations, **options), engine='compiled'), SplitMix.from_seed(seed)

        def move(state: Any, _theirs: Any) -> int:
            nonlocal rng
            found, rng = bot(state, rng)
            return int(found)

        return move

    return player


def theirs_of(make: Callable[..., Any], c: float, simulations: int) -> Callable[[int], Any]:
    """Return a bot of OpenSpiel's as such a player."""

    def player(seed: int) -> Any:
        bot = make(c, simulations, seed)
        return lambda _state, theirs: OURS.index(bot.step(theirs))

    return player


def random_of(seed: int) -> Any:
    """Return a player that moves at random."""
    random = np.random.RandomState(seed)
    return lambda state, _theirs: int(random.choice(state.moves))


def score(player: Callable[[int], Any], seed: int) -> float:
    """Return the score of one game, by both libraries."""
    state, theirs = SCORED.start, pyspiel.load_game('2048').new_initial_state()
    dice, move_at, total = SplitMix.from_seed(seed), player(seed), 0.0
    while not (state.over or theirs.is_terminal()):  # OpenSpiel ends a game with a tile of 2048
        chances = state.chances
        if chances:
            drawn, dice = dice.uniform(0, sum(weight for _, weight in chances) - 1)
            move = drawn_outcome(chances, drawn)
            theirs.apply_action(move)
        else:
            move = move_at(state, theirs)
            theirs.apply_action(OURS[move])
        state = state.play(move)
        total += state.gained[0]
    if [total] != theirs.returns() or not theirs.is_terminal():
        raise ValueError(f'OpenSpiel says {theirs.returns()}, and this library {total}')
    return total


def players_of(simulations: int) -> dict[str, Callable[[int], Any]]:
    """Return the players by their names."""
    normalised = {'normalised': True}
    return {
        'random': random_of,
        'OpenSpiel (C++), c = 2': theirs_of(cpp_bot, 2.0, simulations),
        'OpenSpiel (C++), c = 1000': theirs_of(cpp_bot, 1000.0, simulations),
        'OpenSpiel (Python), c = 1000': theirs_of(python_bot, 1000.0, simulations),
        'this library, ucb1, normalised': ours_of(normalised, simulations),
        'this library, puct, normalised': ours_of({**normalised, 'selection': 'puct'}, simulations),
    }


def played(task: tuple[str, int, int]) -> float:
    """Return the score of a player, by name, with so many simulations, in a game by its number."""
    name, simulations, seed = task
    return score(players_of(simulations)[name], seed)


def main(games: int = 12, simulations: int = 30, jobs: int = 1, file: str = '') -> None:
    """Play, print a line for each player, and write the file, a table of `docs/figures`."""
    rows: list[tuple[object, ...]] = []
    with ProcessPoolExecutor(jobs) as pool:
        for name in players_of(simulations):
            tasks = [(name, simulations, seed) for seed in range(games)]
            scores = list(pool.map(played, tasks))
            error = 1.96 * statistics.stdev(scores) / games**0.5
            rows.append((name, games, f'{statistics.fmean(scores):,.0f}', f'± {error:,.0f}'))
            print(*rows[-1], flush=True)
    if file:
        command = f'benchmarks/score_of_2048.py {games} {simulations}'
        columns = f'{simulations} simulations a move', 'games', 'mean score', '95 %'
        Path(file).write_text(table(command, columns, rows), 'utf-8')


if __name__ == '__main__':
    main(*map(int, sys.argv[1:4]), *sys.argv[4:5])
