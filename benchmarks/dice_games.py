"""Games with dice between the compiled engine and OpenSpiel's C++ `MCTSBot`, at equal iterations.

Pig to 30 points, and the end of backgammon from positions that random games of OpenSpiel's
backgammon lead to: each start from both seats, with the same dice. Both search with the same
constant on the scale of their rewards, and one random playout an iteration. OpenSpiel moves twice
for a double of backgammon, with a search for each. Every game is played in both libraries, whose
results must agree. (OpenSpiel's bot refuses its 2048, whose rewards come before the end.)

    python benchmarks/dice_games.py [games] [iterations a move] [file]

The file is a table of `docs/figures`; without it the table is printed.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspiel
from dice import bot_of, pig_to, table

from fmcts import Player, Search, SplitMix, mcts
from fmcts.game import drawn_outcome
from fmcts.games.chance.bearoff import BearOff, Home
from fmcts.matches._statistics import wilson

C = math.sqrt(2) / 2  # for rewards from 0 to 1; twice as much for OpenSpiel's, from -1 to 1


def ours_of(iterations: int) -> Any:
    """The bot of this library."""
    return mcts(Search(iterations, c=C), engine='compiled')


def agree(theirs: object, ours: object) -> None:
    """Raise an error if the two libraries differ."""
    if theirs != ours:
        raise ValueError(f'OpenSpiel says {theirs}, and this library {ours}')


# ---- Pig ----


def pig_won(game: int, iterations: int) -> float:
    """1 if this library wins that game of Pig, else 0."""
    ours, seed = list(Player)[game % 2], game // 2
    state, spiel = pig_to(30), pyspiel.load_game('pig(winscore=30,horizon=100000)')
    theirs, other = spiel.new_initial_state(), bot_of(spiel, iterations, seed)
    dice, mine = (SplitMix.from_seed(seed).child(it) for it in (0, 1))
    bot = ours_of(iterations)
    while not state.over:
        if state.chances:
            move, dice = dice.uniform(0, 5)
        elif state.player is ours:
            move, mine = bot(state, mine)
        else:
            move = other.step(theirs)
        theirs.apply_action(move)
        state = state.play(move)
    agree(theirs.returns()[0], 1 if state.winner is Player.X else -1)
    return float(state.winner is ours)


# ---- the end of backgammon ----


BAR = 100  # as OpenSpiel numbers it


def home_of(theirs: Any, player: int) -> Home | None:
    """A player's checkers on the points 1 to 6; `None` if some are elsewhere."""
    points = range(23, -1, -1) if player == 0 else range(24)
    counts = [theirs.board(player, point) for point in points]
    elsewhere = any(counts[6:]) or theirs.board(player, BAR)
    return None if elsewhere else tuple(counts[:6])


def race(seed: int) -> Any:
    """A position of OpenSpiel's backgammon: all are home, at least eight of each side are left."""
    draws, game = random.Random(seed), pyspiel.load_game('backgammon')  # noqa: S311
    while True:
        theirs = game.new_initial_state()
        while not theirs.is_terminal():
            homes = [home_of(theirs, player) for player in (0, 1)]
            if theirs.is_chance_node():
                if all(home is not None and sum(home) >= 8 for home in homes):
                    return theirs
                actions, weights = zip(*theirs.chance_outcomes(), strict=True)
                theirs.apply_action(draws.choices(actions, weights)[0])
            else:
                theirs.apply_action(draws.choice(theirs.legal_actions()))


def rolled(theirs: Any, roll: tuple[int, int]) -> None:
    """Let OpenSpiel's state have that roll."""
    names = {f'roll: {roll[0]}{roll[1]}', f'roll: {roll[1]}{roll[0]}'}
    for action, _ in theirs.chance_outcomes():
        if any(name in theirs.action_to_string(action) for name in names):
            theirs.apply_action(action)
            return
    raise AssertionError(roll)


def lines_of(theirs: Any, player: int) -> Iterator[Any]:
    """The states after all of a player's moves with the dice, two of them for a double."""
    if theirs.is_terminal() or theirs.is_chance_node() or theirs.current_player() != player:
        yield theirs
    else:
        for action in theirs.legal_actions():
            yield from lines_of(theirs.child(action), player)


def bearing_off_won(game: int, iterations: int) -> float:
    """1 if this library wins the end of backgammon from position number `game // 2`, else 0."""
    seed, theirs = game // 2, race(game // 2)
    first = theirs.clone()
    rolled(first, (2, 1))
    seats = (first.current_player(), 1 - first.current_player())
    homes = [home_of(theirs, seat) for seat in seats]
    state, ours = BearOff(*homes), list(Player)[game % 2]
    dice, mine = (SplitMix.from_seed(seed).child(it) for it in (0, 1))
    bot, other = ours_of(iterations), bot_of(theirs.get_game(), iterations, seed)
    while not state.over:
        if state.chances:
            drawn, dice = dice.uniform(0, 35)
            roll = drawn_outcome(state.chances, drawn)
            rolled(theirs, roll)
            state = state.play(roll)
            continue
        seat = seats[0 if state.player is Player.X else 1]
        agree(theirs.current_player(), seat)
        if state.player is ours:
            move, mine = bot(state, mine)
            theirs = next(it for it in lines_of(theirs, seat) if home_of(it, seat) == move)
        else:
            while not theirs.is_chance_node() and theirs.current_player() == seat:
                theirs.apply_action(other.step(theirs))
            move = home_of(theirs, seat)
        state = state.play(move)
    agree(theirs.returns()[seats[0]], 1 if state.winner is Player.X else -1)
    return float(state.winner is ours)


GAMES = {'Pig to 30 points': pig_won, 'bear-off': bearing_off_won}


def main(games: int, iterations: int, file: str | None) -> None:
    """Play, print the result after each tenth, and write the file."""
    rows: dict[str, tuple[object, ...]] = {}
    for name, won in GAMES.items():
        points = 0.0
        for game in range(1, games + 1):
            points += won(game - 1, iterations)
            if game % max(1, games // 10) == 0:
                low, high = wilson(points, game)
                share = f'{points / game:.1%} ({low:.1%} to {high:.1%})'
                rows[name] = name, iterations, f'{game:,}', share
                print(rows[name], flush=True)
    columns = 'game', 'iterations a move', 'games', 'won by this library (95 %)'
    if file is not None:
        command = f'benchmarks/dice_games.py {games} {iterations}'
        Path(file).write_text(table(command, columns, rows.values()), 'utf-8')


if __name__ == '__main__':
    given = [*map(int, sys.argv[1:3]), *(1000, 100)[len(sys.argv[1:3]) :]]
    main(*given, sys.argv[3] if len(sys.argv) > 3 else None)
