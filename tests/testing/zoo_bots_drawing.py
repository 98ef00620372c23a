"""Bots with mistakes in the use of their generator, or of other generators."""

import functools
import random
import time
from dataclasses import dataclass

from fmcts import SplitMix
from zoo_bot_games import some


def hands_back_the_old_one(state, rng):
    move, _ = some(state, rng)
    return move, rng


def hands_back_the_one_before_the_last(state, rng):
    _, after = some(state, rng)
    move, _ = some(state, after)
    return move, after


def draws_from_a_child_and_keeps_the_parent(state, rng):
    move, _ = some(state, rng.child(0))
    return move, rng


def splits_and_hands_back_the_half_it_used(state, rng):
    mine, _ = rng.split()
    move, _ = some(state, mine)
    return move, mine


def asks_three_with_one_generator(state, rng):
    """The three votes are one vote."""
    votes = [some(state, rng) for _ in range(3)]
    return max(move for move, _ in votes), votes[-1][1]


def begins_anew_every_time(state, _rng):
    return some(state, SplitMix.from_seed(0))


def hands_back_a_seed(state, rng):
    return state.moves[0], rng.uniform(0, 99)[0]


@dataclass
class KeepsItsFirstGenerator:
    """It takes the generator of its first call, and goes on with it for ever."""

    rng: object = None

    def __call__(self, state, rng):
        self.rng = self.rng or rng
        return state.moves[0], self.rng


@functools.cache
def _first_answer(state):
    return some(state, _first_answer.rng)


def remembers_the_answer_and_its_generator(state, rng):
    """A cache by state alone, although the answer depends on the generator."""
    _first_answer.rng = getattr(_first_answer, 'rng', rng)
    return _first_answer(state)


def draws_from_the_global_generator(state, rng):
    return random.choice(state.moves), rng  # noqa: S311 - the mistake


def seeds_the_global_generator(state, rng):
    seed, rng = rng.uniform(0, 99)
    random.seed(seed)
    return random.choice(state.moves), rng  # noqa: S311 - the mistake


HIDDEN = random.Random(5)  # noqa: S311 - the mistake


def draws_from_a_hidden_generator(state, rng):
    return HIDDEN.choice(state.moves), rng


def draws_from_the_clock(state, rng):
    return state.moves[time.perf_counter_ns() % len(state.moves)], rng
