"""Searches by methods, with the papers' formulas written out and statistics kept naively.

Each method's formula is in its own test file, `test_FILE.py` for `fmcts/search/methods/FILE.py`:
a function of a `Node` and the index of a move, named as the method with `_` for `-`. Its parameters
are by keyword, with the paper's defaults. `law` makes the test of it.
"""

import math
from functools import partial

import pytest
from attrs import fields_dict
from hypothesis import given, settings, strategies as st

import transcription
from fmcts import Search, analyse
from fmcts._validators import share
from fmcts.game import key_of
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS
from fmcts.search.methods.priors import GivenNumbers
from fmcts.testing import generators
from toy_games import small_positions
from transcription import nothing, players_in, rewards_at, ucb1

NUMBERS, SHARES = st.floats(0, 3), st.floats(0, 1)


class Node(transcription.Node):
    """A node; `kept` has what a method's `update` keeps, by the names of columns."""

    def __init__(self, state, move=None, parent=None, prior=None):
        super().__init__(state, move, parent)
        self.prior = parent.prior if parent else prior
        count = len(state.moves)
        self.priors = [*self.prior(state)] if self.prior else [1.0 / count for _ in state.moves]
        self.amaf, self.table, self.derived = [(0.0, 0.0)] * count, {}, {}


def law(score, update=nothing, derive=nothing, **drawn):
    """Return the test that a method's searches are those of its transcription.

    `update(node, worth, played=..., end=...)` keeps statistics in `node.kept` after an iteration
    that was worth so much to the node's mover: `played` are the (player, key) of the moves from the
    node on, `end` is the result for the root's player if the iteration ended right below the node.
    `derive(node, worth)` returns derived statistics by name; `worth` is `None` above the end.
    All may take parameters by keyword. Drawn are these strategies, else `SHARES` where no
    other number is accepted, else `NUMBERS`.
    """
    name = score.__name__.replace('_', '-')
    kind, transcribed = METHODS[name], (score, update, derive)
    usual = {key: it for each in transcribed for key, it in (each.__kwdefaults__ or {}).items()}
    kinds = fields_dict(kind)
    shares = {key: SHARES for key in usual if kinds[key].validator is share}
    drawn = {**dict.fromkeys(usual, NUMBERS), **shares, **drawn}
    if issubclass(kind, GivenNumbers):
        drawn[kind.given] = st.just(uneven)

    @pytest.mark.parametrize('method', [name])
    @given(
        small_positions, generators(), st.integers(1, 120), st.none() | st.fixed_dictionaries(drawn)
    )
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
    score, *keeping = functions
    expand = transcription.selected if method.scores_unvisited else transcription.in_order
    root, keeping = Node(state, prior=prior), partial(keep, *keeping)
    expected, after = transcription.search(
        root, rng, iterations, score, expand=expand, after=keeping
    )
    found, rng_after = analyse(state, rng, Search(iterations, selection=method), engine=engine)
    return after == rng_after and agree(found, expected)


def uneven(state):
    """A prior that tells moves apart, on every game."""
    return [(1.0 + index * 7 % 5) / 8.0 for index in range(len(state.moves))]


# ---- what several methods have ----


def squares(node, worth, **_):
    node.kept['squares'] += worth * worth


def mixed(node, index, c, beta):
    """An untried move is worth what AMAF says of it, if that counts and says anything."""
    visits, reward = node.amaf[index]
    if index in node.children:
        return (1.0 - beta) * ucb1(node, index, c=c) + beta * (reward / visits)
    return reward / visits if visits and beta else math.inf


def keep(update, derive, path, line, end):
    """Keep the statistics of an iteration in the nodes of its path, the last first."""
    worth = dict(zip(players_in(end), rewards_at(end), strict=True))
    for place in reversed(range(len(path))):
        node, last = path[place], place + 1 == len(path)
        played = {(state.player, key_of(state, move)) for state, move in line[place:]}
        ended = not last and path[place + 1].state.over
        update(
            node,
            worth[node.mover],
            played=played,
            end=worth[path[0].state.player] if ended else None,
        )
        for player, key in played:
            visits, reward = node.table.get((player, key), (0.0, 0.0))
            node.table[player, key] = visits + 1.0, reward + worth[player]
        for index, move in enumerate(node.state.moves):
            if (node.state.player, key_of(node.state, move)) in played:
                visits, reward = node.amaf[index]
                node.amaf[index] = visits + 1.0, reward + worth[node.state.player]
        node.derived = derive(node, worth[node.mover] if last else None) or {}


def agree(analysis, expected):
    """Whether a tree is that of the transcription, with the columns that it keeps."""
    if transcription.rows_of(analysis.tree) != transcription.rows(expected):
        return False
    for node, (_, plain) in zip(walk(analysis.tree), expected.all(), strict=True):
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
    return True
