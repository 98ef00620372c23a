"""2048 by its score: this library and OpenSpiel's `MCTSBot` at equal simulations, with equal dice.

The rewards come on the way, from 4 to tens of thousands, and nobody knows their scale: this library
normalises values by what it has seen. OpenSpiel's bots refuse such a game; its bot in Python only
checks the game's type, and plays it if it is told another. Its constant is for values from -1 to 1,
so it plays with several constants too. The rules here are on integers, with `gained`; every game is
played in both libraries, whose scores must agree.

    python benchmarks/score_of_2048.py [games] [simulations a move] [file]

Also printed: simulations a second.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from fmcts import Search, SplitMix, mcts
from fmcts.game import drawn_outcome
from fmcts.games.chance.tiles import Powers, _cell, _chances, _menu, _play, _power
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules

OURS: Final = (3, 1, 0, 2)
"""OpenSpiel's number of our moves left, right, up, down."""


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


def play(position: Scored, move: int) -> Scored:
    """Push, or put a tile."""
    won = 0 if position.due else merged(position, move)
    after = _play(board(position), move)
    return Scored(after.size, after.low, after.high, after.due, won)


GAME: Final = make_game(
    '2048 by its score',
    Scored(4, 0, 0, 2, 0),
    IntegerRules(
        menu=lambda at: _menu(board(at)),
        play=play,
        side=lambda _at: 0,
        chances=lambda at: _chances(board(at)),
        weight=lambda _at, outcome: 1 if outcome % 2 else 9,
        players=1,
        gained=lambda at, _player: float(at.won),
    ),
    players=('player',),
)


class Disguised:
    """OpenSpiel's game, said to have rewards at its end alone."""

    def __init__(self, game: Any) -> None:
        """Take the game."""
        self.game = game

    def get_type(self) -> Any:
        """Return a type that the bot accepts."""
        return pyspiel.load_game('pig').get_type()

    def max_utility(self) -> float:
        """Return the game's own."""
        return float(self.game.max_utility())


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


def theirs_of(c: float, simulations: int) -> Callable[[int], Any]:
    """Return OpenSpiel's bot as such a player."""

    def player(seed: int) -> Any:
        random = np.random.RandomState(seed)
        game: Any = Disguised(pyspiel.load_game('2048'))
        judge = RandomRolloutEvaluator(1, random)
        bot = MCTSBot(game, c, simulations, judge, solve=False, random_state=random)
        return lambda _state, theirs: OURS.index(bot.step(theirs))

    return player


def random_of(seed: int) -> Any:
    """Return a player that moves at random."""
    random = np.random.RandomState(seed)
    return lambda state, _theirs: int(random.choice(state.moves))


def score(player: Callable[[int], Any], seed: int) -> float:
    """Return the score of one game, by both libraries."""
    state, theirs = GAME.start, pyspiel.load_game('2048').new_initial_state()
    dice, move_at, total = SplitMix.from_seed(seed), player(seed), 0.0
    while not state.over:
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


def speeds() -> tuple[float, float]:
    """Return simulations a second: of a search here, and of OpenSpiel's bot in Python."""
    state, theirs = GAME.start.play(0).play(4), pyspiel.load_game('2048').new_initial_state()
    theirs.apply_action(0)
    theirs.apply_action(4)
    taken = []
    for player, times in ((ours_of({'normalised': True}, 3000), 2), (theirs_of(2.0, 100), 1)):
        for _ in range(times):  # what is linked the first time is known the second
            move = player(1)
            begin = time.perf_counter()
            move(state, theirs)
        taken.append(time.perf_counter() - begin)
    return 3000 / taken[0], 100 / taken[1]


def main(games: int = 12, simulations: int = 30, file: str = '') -> None:
    """Play, and write a table."""
    players = {
        'random': random_of,
        'OpenSpiel (Python), c = 2': theirs_of(2.0, simulations),
        'OpenSpiel (Python), c = 1000': theirs_of(1000.0, simulations),
        'this library, ucb1, c = sqrt 2': ours_of({'c': 2**0.5}, simulations),
        'this library, ucb1, normalised': ours_of({'normalised': True}, simulations),
        'this library, puct, normalised': ours_of(
            {'normalised': True, 'selection': 'puct'}, simulations
        ),
    }
    lines = [f'| {games} games, {simulations} simulations a move | mean score | 95 % |', '|-|-|-|']
    for name, player in players.items():
        scores = [score(player, seed) for seed in range(games)]
        mean = statistics.fmean(scores)
        error = 1.96 * statistics.stdev(scores) / games**0.5
        lines.append(f'| {name} | {mean:,.0f} | ± {error:,.0f} |')
        print(lines[-1], flush=True)
    ours, theirs = speeds()
    lines.append(f'\nSimulations a second: {ours:,.0f} here, {theirs:,.0f} of OpenSpiel in Python')
    text = '\n'.join(lines) + '\n'
    print(lines[-1])
    if file:
        Path(file).write_text(text)


if __name__ == '__main__':
    main(*map(int, sys.argv[1:3]), *sys.argv[3:4])
