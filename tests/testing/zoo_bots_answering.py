"""Bots with mistakes in their answers, in what they remember, or in what they call."""

import itertools
from dataclasses import dataclass

from attrs import frozen

from fmcts import Search, mcts
from fmcts._running.entry_points import analyse
from fmcts.bots import AnalysingBot
from zoo_bot_games import some


def gives_the_move_alone(state, rng):
    return some(state, rng)[0]


def gives_a_list(state, rng):
    return [*some(state, rng)]


def gives_the_generator_first(state, rng):
    return some(state, rng)[::-1]


def gives_the_index(state, rng):
    return rng.uniform(0, len(state.moves) - 1)


def answers_its_opponent_s_cell(state, rng):
    """It plays the cell across from the first that is taken, without looking whether it is free."""
    taken = [cell for cell in range(9) if cell not in state.moves]
    return (8 - taken[0] if taken else 4), rng


def fails_when_one_move_is_left(state, rng):
    return state.moves[1], rng


def plays_nothing_when_one_move_is_left(state, rng):
    move, rng = some(state, rng)
    return (move if len(state.moves) > 1 else None), rng


def leaves_when_it_loses(state, rng):
    """It plays what does not lose at once, and has not thought of having nothing of that kind."""
    for move in state.moves:
        after = state.play(move)
        if not any(after.play(reply).winner is after.player for reply in after.moves):
            return move, rng
    raise SystemExit('I resign')


def stops_at_the_end_of_a_stream(state, rng):
    return next(move for move in state.moves if move > 1), rng


def takes_from_the_list(state, rng):
    move, rng = some(state, rng)
    state.counters[move] -= 1
    return move, rng


CALLS = itertools.count()


def takes_turns(state, rng):
    return state.moves[next(CALLS) % len(state.moves)], rng


@dataclass
class Planner:
    """It goes on with its plan where it comes to a position that it looked ahead to."""

    at: object = None
    move: object = None
    planned: tuple = ()

    def __call__(self, state, rng):
        if state != self.at:
            self.at, self.move = state, state.moves[-1 if state in self.planned else 0]
            after = state.play(self.move)
            self.planned = [after.play(reply) for reply in after.moves]
        return self.move, rng


@dataclass
class Opening:
    """It remembers for ever what it planned at the start."""

    planned: tuple = ()

    def __call__(self, state, rng):
        if len(state.moves) == 9:
            after = state.play(0)
            self.planned = [after.play(reply) for reply in after.moves]
        return state.moves[-1 if state in self.planned else 0], rng


def plays_the_first_of_a_set(state, rng):
    return next(iter(set(state.moves))), rng


def plays_by_hash(state, rng):
    return max(state.moves, key=hash), rng


@frozen
class ThinksLongerWhenFast(AnalysingBot):
    """A bot whose engine changes what it plays."""

    engine: str = 'inplace'

    def analyse(self, state, rng):
        search = Search(3 if self.engine == 'persistent' else 30)
        return analyse(state, rng, search, engine='inplace')


@frozen
class ExplainsAnother(AnalysingBot):
    """What it says of its move is made by another search than the one that it plays by."""

    def __call__(self, state, rng):
        return mcts(Search(5), engine='inplace')(state, rng)

    def analyse(self, state, rng):
        return analyse(state, rng, Search(60), engine='inplace')
