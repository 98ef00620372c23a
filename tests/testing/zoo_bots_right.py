"""Correct bots, of every shape that a bot may have."""

import functools
from types import SimpleNamespace
from typing import NamedTuple

from attrs import field, frozen

from zoo_bot_games import some


class Answer(NamedTuple):
    """An answer is a tuple of any kind."""

    move: object
    rng: object


def answers_by_name(state, rng):
    return Answer(*some(state, rng))


def splits(state, rng):
    mine, rng = rng.split()
    return some(state, mine)[0], rng


def takes_children(state, rng):
    """Each move has its own child; what is handed back comes of none of them."""
    drawn = [
        (rng.child(1 + index).uniform(0, 99)[0], move) for index, move in enumerate(state.moves)
    ]
    return max(drawn)[1], rng.child(0)


def looks_at_a_child_for_nothing(state, rng):
    rng.child(3), rng.split()
    return state.moves[0], rng


@functools.cache
def _worth(state):
    return sum(state.play(move).over for move in state.moves)


def remembers_what_follows_from_the_state(state, rng):
    move, rng = some(state, rng)
    return (state.moves[-1] if _worth(state) else move), rng


class Called:
    """A class with `__call__`, and nothing else."""

    def __call__(self, state, rng):
        return some(state, rng)


class Slots:
    """A class with slots, whose `engine` is nothing of the library's."""

    __slots__ = ('engine',)

    def __init__(self):
        self.engine = 'steam'

    def __call__(self, state, rng):
        return some(state, rng)


@frozen
class WithOptions:
    """It has an `analyse` that is none like the library's."""

    options: SimpleNamespace = field(factory=SimpleNamespace)

    def analyse(self):
        return self.options

    def __call__(self, state, rng):
        return some(state, rng)
