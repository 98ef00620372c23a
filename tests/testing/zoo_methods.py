"""Wrong methods and searches, each with one realistic mistake, and the law that it breaks.

And wrong engines, for the laws that no method can break.
"""

import functools
import itertools
import math
import random
from typing import NamedTuple

from attrs import evolve, field, frozen

from fmcts import Player, Search
from fmcts._running.registry import ENGINES
from fmcts.formulas import sqrt
from fmcts.games import tictactoe
from fmcts.search._tree import freeze_in_place
from fmcts.search.methods import PUCT, Method
from fmcts.solve import AlphaBeta, solve

CALLS = itertools.count()


def depends_on_how_often_it_was_asked(edge, parent):
    return edge.value + (next(CALLS) % 7) / 7 * sqrt(parent.log_visits / edge.visits)


def draws_from_the_global_generator(edge, _parent):
    return edge.value + random.random()  # noqa: S311 - the mistake


def sees_with_the_opponent_s_eyes(edge, parent):
    """The reward of the wrong mover."""
    return 1.0 - edge.value + sqrt(parent.log_visits / edge.visits)


def breaks_ties_by_hash(edge, parent):
    return edge.value + sqrt(parent.log_visits / edge.visits) + hash(f'{edge.visits}') % 97 / 97


def is_no_number(edge, _parent):
    return (edge.value - edge.value) / (edge.value - edge.value)


def excludes_all(_edge, _parent):
    return -math.inf


def takes_the_root_of_less_than_nothing(edge, parent):
    return edge.value + math.sqrt(edge.visits - parent.visits)


@frozen
class PrefersTheLeft(PUCT):
    """Its prior counts columns from the left, and means from the middle."""

    prior: object = lambda state: [1.0 / (1 + move % 3) for move in state.moves]


@frozen
class DrawsItsPrior(PUCT):
    """A prior of noise, as at the root of AlphaZero, that is drawn from nowhere."""

    prior: object = lambda state: [random.random() for _ in state.moves]  # noqa: S311


@frozen
class KeepsWhatItGave(Method):
    """It hands out one list for all nodes, and writes to it."""

    move_columns = ('seen',)
    kept: list = field(factory=lambda: [0.0] * 9, eq=False)

    def first_rows(self, _state, moves):
        self.kept[0] += 1.0
        return (tuple(self.kept[: len(moves)]),)

    def score(self, edge, parent):
        return edge.value + edge.seen / 100 + sqrt(parent.log_visits / edge.visits)


def rewards_the_side_to_move(state):
    """The worth is to be that for X; here it is that for who lost, whoever that is."""
    return {Player.X: 0.0, Player.O: 1.0, None: 0.5}[state.winner]


@functools.cache
def exact(state):
    """What perfect play is worth to the side to move: what an ideal network would say."""
    return solve(state, AlphaBeta(distance=False), engine='inplace').value


def for_x(state):
    """The same for X, as an evaluator should say it."""
    return exact(state) if state.player is Player.X else 1.0 - exact(state)


def of_the_opponent(states):
    """A network whose values are for the side that is not to move."""
    return [[1.0] * len(state.moves) for state in states], [1.0 - exact(state) for state in states]


class Stops:
    """It ends a search after so many questions of its whole life."""

    asked = 0

    def __call__(self, _stats):
        self.asked += 1
        return self.asked > 2


def mirrored(move):
    return move // 3 * 3 + 2 - move % 3


def half_turned(move):
    return 8 - move


SYMMETRIES = (mirrored, half_turned)
LATE = tictactoe.parse('XO.......').unwrap()


class Case(NamedTuple):
    """A search, and the law that it breaks."""

    search: object
    law: str


ENDS = 'a search ends with a move'
AGAIN = 'a search can be made again'
ALONE = 'a search draws from its generator alone'
WORSE = 'more iterations play no worse'
SIGN = 'values near ends have the right sign'

WRONG = {
    'asked before': Case(depends_on_how_often_it_was_asked, AGAIN),
    'a list that is written to': Case(KeepsWhatItGave(), AGAIN),
    'a stop that counts': Case(Search(stop=Stops()), AGAIN),
    'random': Case(draws_from_the_global_generator, ALONE),
    'a random prior': Case(DrawsItsPrior(), ALONE),
    'no number': Case(is_no_number, ENDS),
    'nothing left': Case(excludes_all, ENDS),
    'a root': Case(takes_the_root_of_less_than_nothing, ENDS),
    'the other side': Case(sees_with_the_opponent_s_eyes, WORSE),
    'the loser is rewarded': Case(Search(reward=rewards_the_side_to_move), WORSE),
    'the opponent judges': Case(Search(network=of_the_opponent, batch=4), SIGN),
    'for the side to move': Case(Search(evaluate=exact), SIGN),  # and should be for X
    'hash': Case(breaks_ties_by_hash, 'another process finds the same'),
    'to the left': Case(PrefersTheLeft(), 'symmetric moves receive equal visits'),
}

# Engines: what `run` of an engine gives, with one thing wrong.


def _instead(change):
    """The engine `inplace`, whose tree and generator are changed by `change(search, tree, rng)`."""
    run = ENGINES['inplace'].run

    def changed(root, rng, search, watch):
        return change(search, *run(root, rng, search, watch))

    return changed


def stops_one_short(root, rng, search, watch):
    return ENGINES['persistent'].run(
        root, rng, evolve(search, iterations=search.iterations - 1), watch
    )


def begins_anew(root, rng, search, watch):
    bare = root.mutable_copy(())
    bare.visits, bare.reward, bare.value = 0, 0.0, 0.0
    return ENGINES['persistent'].run(freeze_in_place(bare), rng, search, watch)


def writes_to_the_old_tree(root, rng, search, watch):
    grown = ENGINES['persistent'].run(root, rng, search, watch)
    if root.visits:
        object.__setattr__(root, 'reward', root.reward + 0.5)
    return grown


def _redrafted(tree, **changes):
    draft = tree.mutable_copy(tree.places)
    for name, value in changes.items():
        setattr(draft, name, value)
    return freeze_in_place(draft)


def _with(**changes):
    """The engine `inplace`, with fields of the root that are computed otherwise."""

    def changed(_search, tree, rng):
        return _redrafted(tree, **{name: it(tree) for name, it in changes.items()}), rng

    return _instead(changed)


def drops_a_child(_search, tree, rng):
    least = min(tree.children, key=lambda child: child.visits)
    others = tuple(None if child is least else child for child in tree.places)
    return _redrafted(tree, places=others if any(others) else tree.places), rng


def shifts_a_visit(_search, tree, rng):
    """From the second child to the first, so that only what is below them shows it."""
    more = dict(zip(tree.children[:2], (1, -1), strict=True))
    places = (it and _redrafted(it, visits=it.visits + more.get(it, 0)) for it in tree.places)
    return _redrafted(tree, places=tuple(places)), rng


SAME = 'every engine finds the same'
CONSERVED = 'visits are conserved'
BOUNDS = 'statistics lie within bounds'
WRONG_ENGINES = {
    'stops one short': (stops_one_short, CONSERVED, 'inplace'),
    'counts twice': (_with(visits=lambda tree: 2 * tree.visits), CONSERVED, 'inplace'),
    'drops a child': (_instead(drops_a_child), CONSERVED, 'inplace'),
    'shifts a visit': (_instead(shifts_a_visit), CONSERVED, 'inplace'),
    'pays too much': (_with(reward=lambda tree: tree.visits + 1.0), BOUNDS, 'inplace'),
    'pays a third': (_with(reward=lambda tree: tree.visits / 3), BOUNDS, 'inplace'),
    'forgets its mean': (_with(value=lambda _: 0.25), BOUNDS, 'inplace'),
    'loses a move': (
        _with(moves=lambda tree: tree.moves[1:]),
        'statistics name every move',
        'inplace',
    ),
    'begins anew': (begins_anew, 'n iterations and m more are n + m', 'inplace'),
    'writes to the old tree': (writes_to_the_old_tree, 'older trees stay as they are', 'inplace'),
    'draws once more': (
        _instead(lambda _search, tree, rng: (tree, rng.uniform(0, 6)[1])),
        SAME,
        'persistent',
    ),
}
"""Each with its law, and the engine that it stands in for."""
