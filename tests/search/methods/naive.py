"""Searches by methods, transcribed naively: dictionaries, one recursive call a level, the papers'
formulas written out. An independent statement that the engines are compared with.

Each method's formula is in its own test file, `test_FILE.py` for `fmcts/search/methods/FILE.py`:
a function of a `Node` and the index of a move, named as the method with `_` for `-`. Its parameters
are by keyword, with the paper's defaults. `law` makes the test of it.
"""

import math
from collections import defaultdict
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.game import key_of
from fmcts.search.methods import METHODS
from fmcts.search.methods.given import GivenNumbers
from fmcts.testing import generators
from small_positions import running

ROOT_OF_2 = math.sqrt(2)
NUMBERS = st.floats(0, 3)


class Node:
    """A node of the tree; `kept` has what a method's `update` keeps, by the names of columns."""

    def __init__(self, state, mover, priors=None):
        self.state, self.mover = state, mover
        self.visits, self.reward, self.kept = 0, 0.0, defaultdict(float)
        self.children = {}
        count = len(state.moves)
        self.priors = priors or [1.0 / count] * count if count else []
        self.amaf = [(0.0, 0.0)] * count
        self.table, self.parent, self.derived = {}, None, {}


def nothing(*_, **__):
    """What `update` and `derive` of most methods do."""
    return {}


def law(score, update=nothing, derive=nothing, **drawn):
    """Return the test that a method's searches are those of its transcription.

    `update(node, worth, played=..., end=...)` keeps statistics in `node.kept` after an iteration
    that was worth so much to the node's mover: `played` are the (player, key) of the moves from the
    node on, `end` is the result for the root's player if the iteration ended right below the node.
    `derive(node, worth)` returns derived statistics by name; `worth` is `None` above the end.
    All may take parameters by keyword. Drawn are these strategies, else `NUMBERS`.
    """
    name = score.__name__.replace('_', '-')
    kind, transcribed = METHODS[name], (score, update, derive)
    usual = {key: it for each in transcribed for key, it in (each.__kwdefaults__ or {}).items()}
    drawn = {**dict.fromkeys(usual, NUMBERS), **drawn}
    if issubclass(kind, GivenNumbers):
        drawn[kind.given] = st.just(uneven)

    @pytest.mark.parametrize('method', [name])
    @given(running, generators(), st.integers(1, 120), st.none() | st.fixed_dictionaries(drawn))
    @settings(max_examples=30)
    def matches(method, state, rng, iterations, numbers):
        assert {key: getattr(kind(), key) for key in usual} == usual
        engine = 'inplace' if numbers else 'persistent'
        method = kind(**numbers or {})
        assert holds(method, state, rng, iterations, *transcribed, engine=engine)

    return matches


def holds(method, state, rng, iterations, *transcribed, engine='inplace'):
    """Whether a search has the transcription's tree; `score`, `update` and `derive` as in `law`."""
    functions = []
    for each in (*transcribed, nothing, nothing)[:3]:
        numbers = {key: getattr(method, key) for key in each.__kwdefaults__ or ()}
        functions.append(partial(each, **numbers))
    prior = getattr(method, method.given) if isinstance(method, GivenNumbers) else None
    expected, after = search(state, rng, iterations, functions, method.scores_unvisited, prior)
    found, rng_after = analyse(state, rng, Search(iterations, selection=method), engine=engine)
    return after == rng_after and agree(found, expected)


def uneven(state):
    """A prior that tells moves apart, on every game."""
    return [(1.0 + index * 7 % 5) / 8.0 for index in range(len(state.moves))]


# ---- what several methods have ----


def ucb1(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def squares(node, worth, **_):
    node.kept['squares'] += worth * worth


def mixed(node, index, c, beta):
    """An untried move is worth what AMAF says of it, if that counts and says anything."""
    visits, reward = node.amaf[index]
    if index in node.children:
        return (1.0 - beta) * ucb1(node, index, c=c) + beta * (reward / visits)
    return reward / visits if visits and beta else math.inf


def search(state, rng, iterations, functions, selected, prior):  # noqa: C901 - in one piece
    """The root after so many iterations, and the generator.

    `selected`: moves are tried when their score asks for it; `prior`: as that of PUCT.
    """
    score, update, derive = functions

    def playout(state, rng):
        played = []
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            move = state.moves[index]
            played.append((state.player, key_of(state, move)))
            state = state.play(move)
        return state.winner, rng, played

    def mark(node, winner, played, end=None):
        worth = {None: 0.5, node.mover: 1.0}.get(winner, 0.0)
        node.visits += 1
        node.reward += worth
        update(node, worth, played=played, end=end)
        mine = {None: 0.5, node.state.player: 1.0}.get(winner, 0.0)
        for index, move in enumerate(node.state.moves):
            if (node.state.player, key_of(node.state, move)) in played:
                visits, reward = node.amaf[index]
                node.amaf[index] = visits + 1.0, reward + mine
        for player, key in {*played}:
            visits, reward = node.table.get((player, key), (0.0, 0.0))
            its = {None: 0.5, player: 1.0}.get(winner, 0.0)
            node.table[player, key] = visits + 1.0, reward + its

    def iterate(node, rng):
        moves = node.state.moves
        if node.state.over:
            mark(node, node.state.winner, [])
            node.derived = derive(node, worth_to(node.mover, node.state.winner))
            return node.state.winner, rng, []
        untried = [index for index in range(len(moves)) if index not in node.children]
        if untried and not selected:
            index = untried[0]
        else:
            index = max(range(len(moves)), key=lambda index: score(node, index))
        if index in node.children:
            winner, rng, played = iterate(node.children[index], rng)
        else:
            child = Node(after := node.state.play(moves[index]), node.state.player, given(after))
            node.children[index], child.parent = child, node
            winner, rng, played = playout(child.state, rng)
            mark(child, winner, played)
            child.derived = derive(child, worth_to(child.mover, winner))
        played.append((node.state.player, key_of(node.state, moves[index])))
        ended = node.children[index].state.over
        mark(node, winner, played, worth_to(state.player, winner) if ended else None)
        node.derived = derive(node, None)
        return winner, rng, played

    def worth_to(player, winner):
        return {None: 0.5, player: 1.0}.get(winner, 0.0)

    def given(state):
        return prior and [*prior(state)]

    root = Node(state, state.player.other, given(state))
    for _ in range(iterations):
        _, rng, _ = iterate(root, rng)
    return root, rng


def agree(analysis, expected):
    """Whether a tree is that of `search`: visits, rewards, and the columns that it keeps."""
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        if (node.visits, node.reward) != (plain.visits, plain.reward):
            return False
        kept = {
            **plain.kept,
            **plain.derived,
            'prior': tuple(plain.priors),
            'heuristic': tuple(plain.priors),
            'amaf_visits': tuple(visits for visits, _ in plain.amaf),
            'amaf_reward': tuple(reward for _, reward in plain.amaf),
        }
        names, own, rows, _, table, _ = node.columns
        if names.table and table.entries != plain.table:
            return False
        if any(kept.get(name, 0.0) != own[place] for place, name in enumerate(names.own)):
            return False
        if any(kept[name] != tuple(rows[place]) for place, name in enumerate(names.moves)):
            return False
        indices = [node.moves.index(child.move) for child in node.children]
        if indices != sorted(plain.children):
            return False
        pairs += zip(node.children, map(plain.children.get, indices), strict=True)
    return True


assert Player.X.other is Player.O  # what `mark` relies on: every winner is one of the two, or None
