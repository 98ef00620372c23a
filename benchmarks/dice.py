"""Games with dice: the compiled engine beside OpenSpiel's C++ `MCTSBot`, in one run.

Both search Pig as OpenSpiel has it, written here as rules on integers, and EinStein würfelt nicht!
on a board of 5 by 5. First the iterations a second, at equal iterations, one random playout each;
then games of Pig between both, from both seats, with dice drawn by one generator for both.

    python benchmarks/dice.py [rounds] [games] [points] [iterations a move]
"""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple

import pyspiel
from timing import Rate, in_turn, rate_of

from fmcts import Player, Search, SplitMix, analyse, mcts
from fmcts.games import find_game
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, O, X

ITERATIONS = 20_000
# Of Pig: the points that win, and the iterations of a move in a game. Without them as it is played.
WINS, PER_MOVE = (*map(int, sys.argv[3:5]), *(100, 200)[len(sys.argv[3:5]) :])


class Points(NamedTuple):
    """A position of OpenSpiel's Pig: there a player may also stop without points."""

    x: int
    o: int
    turn: int
    side: int
    rolling: int


def _menu(position: Points) -> int:
    if position.x >= WINS or position.o >= WINS:
        return 0
    return 0b111111 if position.rolling else 0b11


def _play(position: Points, move: int) -> Points:
    x, o, turn, side, rolling = position
    if rolling:  # the outcomes are 0 to 5
        return Points(x, o, turn + move + 1, side, 0) if move else Points(x, o, 0, 1 - side, 0)
    if move == 0:
        return Points(x, o, turn, side, 1)
    return Points(x + turn, o, 0, O, 0) if side == X else Points(x, o + turn, 0, X, 0)


def _side(position: Points) -> int:
    return position.side


def _winner(position: Points) -> int:
    return X if position.x >= WINS else O


def _chances(position: Points) -> int:
    return 6 if position.rolling else 0


pig = make_game(
    'pig',
    Points(0, 0, 0, X, 0),
    IntegerRules(menu=_menu, play=_play, side=_side, winner=_winner, chances=_chances),
)


def compiled(state: Any) -> Rate:
    """The compiled engine, from that state."""
    search = Search(ITERATIONS)
    return rate_of(
        ITERATIONS,
        lambda seed: analyse(state, SplitMix.from_seed(seed), search, engine='compiled'),
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
    )


def after_chance(game: str) -> Any:
    """The first state of a game of OpenSpiel in which a player moves."""
    state = pyspiel.load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def won(seed: int, ours: Player, c: float) -> bool:
    """Whether the search of this library wins a game of Pig, in that seat."""
    game = pyspiel.load_game(f'pig(winscore={WINS},horizon=100000)')
    theirs, state = game.new_initial_state(), pig.start
    rng = SplitMix.from_seed(seed)
    dice, mine, other = rng.child(0), rng.child(1), bot_of(game, PER_MOVE, seed)
    bot = mcts(Search(PER_MOVE, c=c), engine='compiled')
    while not state.over:
        if state.chances:
            move, dice = dice.uniform(0, 5)
        elif state.player is ours:
            move, mine = bot(state, mine)
        else:
            move = other.step(theirs)
        theirs.apply_action(move)
        state = state.play(move)
    return state.winner is ours


def main(rounds: int, games: int) -> None:
    """Print rates, and the games that were won."""
    einstein = find_game('einstein').unwrap().start.play(1)
    print(f'{"game":10}{"compiled it/s":>14}{"OpenSpiel it/s":>16}{"ratio":>8}')
    for name, state, other in (
        ('pig', pig.start, after_chance(f'pig(winscore={WINS},horizon=100000)')),
        ('einstein', einstein, after_chance('einstein_wurfelt_nicht')),
    ):
        ours = compiled(state)
        ours(0)  # compiles
        one, two, ratio = in_turn(ours, openspiel(other), rounds)
        print(f'{name:10}{one:14,.0f}{two:16,.0f}{ratio:8.1f}', flush=True)
    # OpenSpiel's rewards are from -1 to 1, ours from 0 to 1: half the constant is the same search.
    wins = sum(won(game // 2, list(Player)[game % 2], math.sqrt(2) / 2) for game in range(games))
    print(
        f'pig to {WINS}, {PER_MOVE} iterations a move: '
        f'{wins} of {games} games won against OpenSpiel'
    )


if __name__ == '__main__':
    given = [int(word) for word in sys.argv[1:3]]
    main(*given, *(5, 100)[len(given) :])
