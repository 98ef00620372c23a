"""Graphs of games for any number of players, with rewards on the way and a horizon."""

import json
import math
from fractions import Fraction
from operator import mul

import pytest
from attrs import evolve, field, fields_dict, frozen
from hypothesis import given, settings, strategies as st

from fmcts import EndlessGameError, MethodError, Search, SplitMix, analyse, reroot, walk
from fmcts.games import tictactoe
from fmcts.history import Log, history
from fmcts.solve import expectation
from fmcts.testing import generators
from naive_graph import sound
from test_graph import Pathed, running
from transcription import Rewarded, rows_of

ENGINES = 'persistent', 'monadic', 'inplace'


@frozen
class Ring:
    """Six places, which three moves of each connect; one place is left by a throw.

    What a move brings is no part of a state. A state may come again, unless moves are `counted`:
    then the game ends after five.
    """

    count: int
    counted: bool = True
    place: int = 1
    made: int = 0
    gained: tuple[float, ...] = field(eq=False)

    @gained.default
    def _nothing(self):
        return (0.0,) * self.count

    players = property(lambda self: tuple('ABC'[: self.count]))
    player = property(lambda self: self.players[(self.place + self.made) % self.count])
    over = property(lambda self: self.made == 5)
    chances = property(lambda self: ((0, 1), (2, 2)) if self.place == 4 and not self.over else ())
    moves = property(lambda self: () if self.over or self.chances else (0, 1, 2))

    def play(self, move):
        way = 3 * self.place + move
        gained = tuple((way * (5 + 2 * seat)) % 11 / 2 - 2.5 for seat in range(self.count))
        made = self.made + (self.counted and not self.chances)
        return Ring(self.count, self.counted, (2 * self.place + move + 1) % 6, made, gained)


@given(
    st.integers(1, 3),
    generators(),
    st.integers(1, 150),
    st.sampled_from([1.0, 0.5]),
    st.sampled_from([None, 1, 3, 4]),
)
@settings(max_examples=40)
def test_every_engine_matches_the_transcription(count, rng, iterations, discount, horizon):
    """But for the last bits of a mean, which is divided and multiplied again."""
    start = Ring(count, counted=horizon is None)
    nodes, after = sound(start, rng, iterations, 3.0, discount, horizon or math.inf)
    options = {'c': 3.0, 'discount': discount, 'horizon': horizon, 'transpositions': 'sound'}
    found = [analyse(start, rng, Search(iterations, **options), engine=it) for it in ENGINES]
    assert found[0] == found[1] == found[2]
    assert found[0][1] == after
    entries = found[0][0].tree.graph.entries
    assert len(entries) == len(nodes)
    for entry in entries:
        node = nodes[(entry.state, entry.made) if horizon else entry.state]
        assert (entry.own, entry.visits) == (node.own, node.visits)
        edges = {entry.moves.index(edge.move): edge.visits for edge in entry.edges}
        assert edges == node.chosen
        assert list(entry.values) == pytest.approx(node.mean)


@given(running, generators(), st.integers(1, 100), st.sampled_from(['sound', 'naive']))
@settings(max_examples=30)
def test_rewards_that_say_who_won_change_nothing(state, rng, iterations, rule):
    """Sums of halves are exact; by the sound rule they are sums of halves in trees."""
    state = Pathed(state) if rule == 'sound' else state
    search = Search(iterations, transpositions=rule)
    plain, after = analyse(state, rng, search, engine='inplace')
    told, left = analyse(Rewarded(state), rng, search, engine='inplace')
    assert (told.move, told.stats, left) == (plain.move, plain.stats, after)
    for one, two in zip(plain.tree.graph.entries, told.tree.graph.entries, strict=True):
        assert (one.visits, one.values, one.edges) == (two.visits, two.values, two.edges)


@frozen
class Told(Pathed):
    """A ring whose states know the moves that led to them."""

    players = property(lambda self: self.inner.players)
    chances = property(lambda self: self.inner.chances)
    gained = property(lambda self: self.inner.gained)

    def play(self, move):
        return Told(self.inner.play(move), (*self.path, move))


@given(
    st.integers(1, 3),
    generators(),
    st.integers(1, 120),
    st.sampled_from([1.0, 0.5]),
    st.sampled_from([None, 2, 4]),
    st.sampled_from(['in-order', 'random', 'full', 'jump']),
    st.booleans(),
)
@settings(max_examples=40)
def test_where_nothing_comes_twice_it_is_the_tree(
    count, rng, iterations, discount, horizon, expansion, normalised
):
    options = {'discount': discount, 'horizon': horizon, 'expansion': expansion}
    plain = Search(iterations, c=3.0, normalised=normalised, **options)
    tree, after = analyse(Told(Ring(count)), rng, plain, engine='inplace')
    for engine in ENGINES:
        sound = evolve(plain, transpositions='sound')
        graph, left = analyse(Told(Ring(count)), rng, sound, engine=engine)
        assert (graph.stats, rows_of(graph.tree), left) == (tree.stats, rows_of(tree.tree), after)
        assert graph.tree.columns.own == tree.tree.columns.own


@pytest.mark.parametrize('count', [1, 2, 3])
@pytest.mark.parametrize('horizon', [None, 4])
def test_a_history_has_every_version(count, horizon):
    start, rng = Ring(count, counted=horizon is None), SplitMix.from_seed(count)
    search = Search(150, c=3.0, discount=0.75, horizon=horizon, transpositions='sound')
    found, after = analyse(start, rng, search)
    h = history(start, rng, search)
    assert h.digest == h.log.digest() == found.digest
    assert Log.from_json(json.loads(json.dumps(h.log.to_json()))) == h.log
    for iteration in (1, 60, 149):
        short, _ = analyse(start, rng, evolve(search, iterations=iteration))
        assert h.at(iteration) == short
        assert h.log.digest(iteration) == short.digest
        assert str(h.why(iteration))
    more = h.fork(70, evolve(search, iterations=80))
    assert more.log.digest() == more.digest == h.digest
    on = reroot(found, next(child.move for child in found.tree.children if child.state.moves))
    again = history(on.state, after, search, tree=on)
    assert again.log.digest() == again.digest
    visits, rewards = h.log.at(150)
    assert [*visits][:1] + [*rewards][:1] == [found.tree.visits, found.tree.reward]


def best_of(graph, discount, number=0):
    """The value of a state of a complete graph for one player, by fractions."""
    entry = graph.entries[number]
    if not entry.edges:  # the end, or the horizon
        return Fraction(0)
    values = []
    for edge in entry.edges:
        factor = discount if graph.entries[edge.to].state.moves else 1
        values.append(Fraction(edge.gained[0]) + factor * best_of(graph, discount, edge.to))
    assert len(values) == len(entry.moves)
    weights = [weight for _, weight in entry.state.chances]
    if not weights:
        return max(values)
    return sum(map(mul, weights, values)) / sum(weights)


@pytest.mark.parametrize('discount', [0.5, 1.0])
def test_states_that_come_again_are_searched_to_a_horizon(discount):
    start, rng = Ring(1, counted=False), SplitMix.from_seed(1)
    search = Search(1200, c=20.0, discount=discount, horizon=6, transpositions='sound')
    graph, after = analyse(start, rng, search)
    exact = expectation(start, discount=discount, horizon=6)
    assert graph.move == exact.move
    assert best_of(graph.tree.graph, Fraction(discount)) == exact.values[0]
    tree, _ = analyse(start, rng, evolve(search, transpositions=None))
    assert graph.nodes <= 6 * 7 < tree.nodes / 10
    rest = reroot(graph, next(child.move for child in graph.tree.children if child.state.moves))
    assert {node.entry.made for node in walk(rest)} == {*range(6)}
    assert analyse(rest.state, after, search, tree=rest)[0].nodes <= 6 * 7


def test_the_naive_rule_has_no_rewards_on_the_way():
    with pytest.raises(MethodError, match=r"same score, is not supported in .*: use 'sound'$"):
        analyse(Ring(2), SplitMix.from_seed(1), Search(9, transpositions='naive'))


def network(states):
    return [[1.0] * len(state.moves) for state in states], [0.5] * len(states)


# Of each option another value than the usual one, with the options that it needs.
OPTIONS = {
    'iterations': {'iterations': 270},
    'c': {'c': 0.1},
    'expansion': {'expansion': 'full'},
    'final': {'final': lambda edge, _parent: -edge.value},
    'max_nodes': {'max_nodes': 30},
    'max_plies': {'max_plies': 1},
    'network': {'network': network},
    'batch': {'batch': 2, 'network': network},
    'collisions': {'collisions': 1, 'network': network},
    'sliding': {'sliding': True, 'network': network},
    'selection': {'selection': 'puct'},
    'playout': {'playout': 'decisive'},
    'proposals': {'proposals': lambda _state, rng: (0, rng)},
    'evaluate': {'evaluate': lambda _state: 0.25},
    'evaluate_after': {'evaluate_after': 2, 'evaluate': lambda _state: 0.25},
    'reward': {'reward': lambda _state: 0.25},
    'discount': {'discount': 0.5},
    'normalised': {'normalised': True},
    'horizon': {'horizon': 2},
    'schedule': {'schedule': 'halving'},
    'stop': {'stop': lambda stats: stats[0].visits > 3},
    'solver': {'solver': True},
    'bounds': {'bounds': True, 'solver': True},
    'closing': {'closing': True},
    'rollout_expand': {'rollout_expand': True},
    'transpositions': {'transpositions': 'naive'},
}


@pytest.mark.parametrize('name', fields_dict(Search))
def test_every_option_is_read_or_refused(name):
    """One that a graph ignores would change nothing."""
    start = Ring(2) if name in {'discount', 'normalised', 'horizon'} else tictactoe.start

    def outcome(options):
        try:
            found, rng = analyse(start, SplitMix.from_seed(1), Search(**(PLAIN | options)))
        except (ValueError, EndlessGameError) as error:
            return str(error)
        return found.move, found.digest, rng

    without = {other: value for other, value in OPTIONS[name].items() if other != name}
    changed = outcome(OPTIONS[name])
    assert changed != outcome(without) or 'transpositions' in changed


PLAIN = {'iterations': 260, 'c': 3.0, 'transpositions': 'sound'}
