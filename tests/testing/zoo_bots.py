"""Bots, wrong ones with one realistic mistake each and the law that it breaks, and right ones.

And games such as users have: moves that are texts, and a list inside the state.
"""

import functools
import itertools
import random
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

from attrs import field, frozen

from fmcts import Player, Search, SplitMix, analyse, mcts, monte_carlo, perfect, random_bot
from fmcts.bots import AnalysingBot
from fmcts.games import connect4, tictactoe
from fmcts.state import from_state, to_state

GRID = tictactoe.start
LATER = tictactoe.parse('XOXO.....').unwrap()
ONCE = 'no number is drawn twice'
COMES = 'the generator is derived from the given one'
AGAIN = 'a second call returns the same'
LEGAL = 'the move is legal'
PAIR = 'the answer is a pair'
GLOBAL = 'no global generator'
ANSWERS = 'a bot answers'
ELSEWHERE = 'another process plays the same'
WRONG = {}


class Case(NamedTuple):
    """A bot, the game it is asked in, and the law that it breaks."""

    bot: object
    start: object
    law: str


def wrong(law, start=GRID):
    """Return a decorator that enters a wrong bot into the zoo: a function, or a class of bots."""

    def enter(bot):
        WRONG[bot.__name__] = Case(bot() if isinstance(bot, type) else bot, start, law)
        return bot

    return enter


# Games.


@frozen
class Fruits:
    """Take one of the fruits in turn; who takes the last one wins."""

    left: tuple[str, ...] = ('apple', 'cherry', 'grape', 'lemon', 'mango', 'peach')
    player: Player = Player.X
    moves = property(lambda self: self.left)
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        return Fruits(tuple(one for one in self.left if one != move), self.player.other)


@dataclass(frozen=True)
class Heaps:
    """Take one counter of a heap in turn; the heaps are a list, which no bot may write to."""

    counters: list
    player: Player = Player.X
    moves = property(lambda self: tuple(heap for heap, count in enumerate(self.counters) if count))
    over = property(lambda self: not any(self.counters))
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        after = [count - (heap == move) for heap, count in enumerate(self.counters)]
        return Heaps(after, self.player.other)


def some(state, rng):
    """A move that is drawn, and the generator after it."""
    index, rng = rng.uniform(0, len(state.moves) - 1)
    return state.moves[index], rng


# Mistakes in answers, in what is remembered, or in what is called.


@wrong(PAIR)
def gives_the_move_alone(state, rng):
    return some(state, rng)[0]


@wrong(PAIR)
def gives_a_list(state, rng):
    return [*some(state, rng)]


@wrong(LEGAL, Fruits())
def gives_the_index(state, rng):
    return rng.uniform(0, len(state.moves) - 1)


@wrong(LEGAL)
def answers_its_opponent_s_cell(state, rng):
    """It plays the cell across from the first that is taken, without looking whether it is free."""
    taken = [cell for cell in range(9) if cell not in state.moves]
    return (8 - taken[0] if taken else 4), rng


@wrong(ANSWERS, connect4.start)
def fails_when_one_move_is_left(state, rng):
    return state.moves[1], rng


@wrong(LEGAL)
def plays_nothing_when_one_move_is_left(state, rng):
    move, rng = some(state, rng)
    return (move if len(state.moves) > 1 else None), rng


@wrong(ANSWERS)
def leaves_when_it_loses(state, rng):
    """It plays what does not lose at once, and has not thought of having nothing of that kind."""
    for move in state.moves:
        after = state.play(move)
        if not any(after.play(reply).winner is after.player for reply in after.moves):
            return move, rng
    raise SystemExit('I resign')


@wrong(ANSWERS)
def stops_at_the_end_of_a_stream(state, rng):
    return next(move for move in state.moves if move > 1), rng


@wrong('the arguments do not change', Heaps([2, 3, 1]))
def takes_from_the_list(state, rng):
    move, rng = some(state, rng)
    state.counters[move] -= 1
    return move, rng


CALLS = itertools.count()


@wrong(AGAIN)
def takes_turns(state, rng):
    return state.moves[next(CALLS) % len(state.moves)], rng


@wrong('nothing is remembered')
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


@wrong(ELSEWHERE)
@dataclass
class Opening:
    """It remembers for ever what it planned at the start."""

    planned: tuple = ()

    def __call__(self, state, rng):
        if len(state.moves) == 9:
            after = state.play(0)
            self.planned = [after.play(reply) for reply in after.moves]
        return state.moves[-1 if state in self.planned else 0], rng


@wrong(ELSEWHERE, Fruits())
def plays_the_first_of_a_set(state, rng):
    return next(iter(set(state.moves))), rng


@wrong('every engine plays the same')
@frozen
class ThinksLongerWhenFast(AnalysingBot):
    """A bot whose engine changes what it plays."""

    engine: str = 'inplace'

    def analyse(self, state, rng):
        search = Search(3 if self.engine == 'persistent' else 30)
        return analyse(state, rng, search, engine='inplace')


@wrong('the analysis is the answer')
@frozen
class ExplainsAnother(AnalysingBot):
    """What it says of its move is made by another search than the one that it plays by."""

    def __call__(self, state, rng):
        return mcts(Search(5), engine='inplace')(state, rng)

    def analyse(self, state, rng):
        return analyse(state, rng, Search(60), engine='inplace')


# Mistakes in the use of a generator.


@wrong(ONCE)
def hands_back_the_old_one(state, rng):
    move, _ = some(state, rng)
    return move, rng


@wrong(ONCE)
def draws_from_a_child_and_keeps_the_parent(state, rng):
    move, _ = some(state, rng.child(0))
    return move, rng


@wrong(ONCE)
def splits_and_hands_back_the_half_it_used(state, rng):
    mine, _ = rng.split()
    move, _ = some(state, mine)
    return move, mine


@wrong('a generator is drawn from once')
def asks_three_with_one_generator(state, rng):
    """The three votes are one vote."""
    votes = [some(state, rng) for _ in range(3)]
    return max(move for move, _ in votes), votes[-1][1]


@wrong(COMES)
def begins_anew_every_time(state, _rng):
    return some(state, SplitMix.from_seed(0))


@wrong('a generator is returned')
def hands_back_a_seed(state, rng):
    return state.moves[0], rng.uniform(0, 99)[0]


@wrong(COMES)
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


@wrong(COMES)
def remembers_the_answer_and_its_generator(state, rng):
    """A cache by state alone, although the answer depends on the generator."""
    _first_answer.rng = getattr(_first_answer, 'rng', rng)
    return _first_answer(state)


@wrong(GLOBAL)
def draws_from_the_global_generator(state, rng):
    return random.choice(state.moves), rng  # noqa: S311 - the mistake


@wrong(GLOBAL)
def seeds_the_global_generator(state, rng):
    seed, rng = rng.uniform(0, 99)
    random.seed(seed)
    return random.choice(state.moves), rng  # noqa: S311 - the mistake


HIDDEN = random.Random(5)  # noqa: S311 - the mistake


@wrong(AGAIN, connect4.start)
def draws_from_a_hidden_generator(state, rng):
    return HIDDEN.choice(state.moves), rng


# Right bots, of every shape that a bot may have.


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


RIGHT = {
    'random_bot': (random_bot, GRID),
    'random_bot, moves as text': (random_bot, Fruits()),
    'random_bot, a list in the state': (random_bot, Heaps([2, 3, 1])),
    'monte_carlo': (monte_carlo(20, engine='inplace'), Fruits()),
    'mcts': (mcts(Search(30), engine='inplace'), GRID),
    'mcts, solver': (mcts(Search(40, solver=True), engine='persistent'), Fruits()),
    'perfect': (perfect(engine='inplace'), LATER),
    'an action of State': (from_state(to_state(random_bot)), GRID),
    'a lambda': (lambda state, rng: (state.moves[0], rng), GRID),
    'a partial': (functools.partial(some), GRID),
    'slots': (Slots(), GRID),
    'an analyse of its own': (WithOptions(), GRID),
    'a named tuple': (answers_by_name, GRID),
    'a split': (splits, GRID),
    'children': (takes_children, GRID),
    'a child for nothing': (looks_at_a_child_for_nothing, GRID),
    'a memo of a pure function': (remembers_what_follows_from_the_state, GRID),
}
