"""What a graph search needs of a game: hashable states, none of which can come again."""

import inspect
from dataclasses import field as dataclass_field, make_dataclass
from typing import ClassVar, NamedTuple

import pytest
from attrs import define, field, frozen, make_class
from hypothesis import given, settings

from chained import mazes
from fmcts import GameError, Player, Search, SplitMix, analyse, probabilities
from fmcts._running.registry import ENGINES
from fmcts.bits import Table
from fmcts.games.from_rules import make_game
from fmcts.history import hunt
from fmcts.rules import DRAW, IntegerRules, rules_of
from fmcts.search._tree import plant
from fmcts.solve import expectation, solve
from fmcts.testing import Drawn, Graph, games, generators

PYTHON = ['persistent', 'monadic', 'inplace']
RNG = SplitMix.from_seed(1)


def game(*after):
    count = len(after)
    return Drawn(Graph(after, (Player.X, Player.O) * count, (None,) * count))


COMING_AGAIN = {
    'at once': game((1, 0), ()),
    'after two moves': game((1, 2), (2, 0), ()),
    'below the root': game((1,), (3, 2), (3, 1), ()),
    'aside of the path': game((1, 2), (3, 4), (3, 4), (2, 4), (1, 5), ()),
    'long ways round': game((1, 5, 4), (2,), (3, 6), (4, 6), (5, 6), (6, 1), ()),
}


@pytest.mark.parametrize('rule', ['sound', 'naive'])
@pytest.mark.parametrize('engine', PYTHON)
@pytest.mark.parametrize('name', COMING_AGAIN)
def test_a_state_that_repeats_is_refused(name, engine, rule):
    with pytest.raises(GameError, match=r'Drawn has a state that can come again: Drawn\(graph='):
        analyse(COMING_AGAIN[name], RNG, Search(500, transpositions=rule), engine=engine)


class Place(NamedTuple):
    number: int
    turn: int


def by_rules(name, *after):
    """The same game, of which machine code is made."""
    counts, ways = (
        Table(map(len, after)),
        Table(to for each in after for to in (*each, 0, 0, 0)[:3]),
    )
    rules = IntegerRules(
        menu=lambda place: (1 << counts[place.number]) - 1,
        play=lambda place, move: Place(ways[3 * place.number + move], 1 - place.turn),
        side=lambda place: place.turn,
        winner=lambda _place: DRAW,
    )
    return make_game(name, Place(0, 0), rules).start


@pytest.mark.parametrize('name', COMING_AGAIN)
def test_machine_code_leaves_the_error_to_python(name):
    start, found = by_rules(name, *COMING_AGAIN[name].graph.after), set()
    for engine in ('inplace', 'compiled'):
        with pytest.raises(GameError, match='has a state that can come again') as refused:
            analyse(start, RNG, Search(500, transpositions='sound'), engine=engine)
        found.add(str(refused.value))
    assert len(found) == 1


class Pile:
    """A game of one pile, of which the last piece wins, without its fields."""

    compiled: ClassVar = IntegerRules(
        pack=lambda state: Place(state.number, state.turn),
        menu=lambda place: min(place.number, 2),
        count=lambda menu: menu,
        pick=lambda _menu, index: index + 1,
        play=lambda place, taken: Place(place.number - taken, 1 - place.turn),
        side=lambda place: place.turn,
        winner=lambda place: 1 - place.turn,
    )
    player = property(lambda self: tuple(Player)[self.turn])
    moves = property(lambda self: (1, 2)[: self.number])
    over = property(lambda self: not self.number)
    winner = None


ALIKE = {'compiled': Pile.compiled, 'number': 3, 'turn': 0}
FIELDS = {'number': field(), 'turn': field()}
APART = 'path', tuple, dataclass_field(compare=False)
OF_CLASS = 'compiled', ClassVar[IntegerRules], Pile.compiled
OWN = {'__eq__': lambda one, two: one.number == two.number, '__hash__': lambda self: self.number}


@pytest.mark.parametrize(
    ('kind', 'why'),
    [
        (make_class('Pile', ['number', 'turn'], bases=(Pile,), frozen=True), None),
        (make_dataclass('Pile', ['number', 'turn'], bases=(Pile,), frozen=True), None),
        (make_class('Pile', ['number', 'turn', 'path'], bases=(Pile,), frozen=True), 'path'),
        (make_dataclass('Pile', ['number', 'turn', 'path'], bases=(Pile,), frozen=True), 'path'),
        (
            make_class('Pile', FIELDS | {'path': field(eq=False)}, bases=(Pile,), frozen=True),
            'path',
        ),
        (make_class('Pile', FIELDS | {'turn': field(eq=bool)}, bases=(Pile,), frozen=True), 'turn'),
        (make_dataclass('Pile', [*FIELDS, APART], bases=(Pile,), frozen=True), 'path'),
        (make_dataclass('Pile', [*FIELDS, OF_CLASS], bases=(Pile,), frozen=True), None),
        (make_class('Pile', ['number', 'turn'], bases=(Pile,), eq=False), 'which has its own `==`'),
        (type('Pile', (Pile,), {**ALIKE, **OWN}), 'which has its own `==`'),
    ],
)
def test_positions_must_be_equal_exactly_where_states_are(kind, why):
    kind.compiled = Pile.compiled  # what is inherited does not count
    fields = {'number': 3, 'turn': 0, 'path': ()}
    given = inspect.signature(kind).parameters
    start = kind(**{name: value for name, value in fields.items() if name in given})
    search = Search(10, transpositions='sound')
    found = ENGINES['compiled'].unsupported(plant(start), RNG, search)
    assert found is None if why is None else why in found


@given(games() | mazes(), generators())
@settings(max_examples=100)
def test_every_edge_leads_to_a_higher_level(state, rng):
    """Ways of unequal lengths to one state: it stands below them all."""
    compiled = [('sound', 'compiled')] if rules_of(state) else []
    for rule, engine in (('sound', 'inplace'), ('naive', 'inplace'), *compiled):
        analysis, _ = analyse(state, rng, Search(60, transpositions=rule), engine=engine)
        entries = analysis.tree.graph.entries
        for entry in entries:
            assert all(entries[edge.to].level > entry.level for edge in entry.edges)


@define
class Unhashable:
    """A game whose states are compared and cannot be looked up."""

    left: int = 3
    player = Player.X
    winner = None

    moves = property(lambda self: (1, 2)[: self.left])
    over = property(lambda self: not self.left)

    def play(self, taken):
        return Unhashable(self.left - taken)


@pytest.mark.parametrize('engine', PYTHON)
def test_unhashable_states_are_refused(engine):
    assert analyse(Unhashable(), RNG, Search(20), engine=engine)[0].iterations == 20
    with pytest.raises(GameError, match='the game Unhashable has states without a hash'):
        analyse(Unhashable(), RNG, Search(20, transpositions='sound'), engine=engine)


@pytest.mark.parametrize(
    'look_up',
    [solve, expectation, probabilities, lambda state: next(hunt(state, Search(9), seeds=[1]))],
)
def test_unhashable_states_are_refused_where_they_are_looked_up(look_up):
    with pytest.raises(GameError, match='the game Unhashable has states without a hash'):
        look_up(Unhashable())


@frozen
class Same:
    """A game in which two moves lead to the same state."""

    left: int = 4
    player = Player.X
    winner = None

    moves = property(lambda self: ('a', 'b') if self.left else ())
    over = property(lambda self: not self.left)

    def play(self, _move):
        return Same(self.left - 1)


def test_two_moves_to_one_state_are_two_edges():
    found, _ = analyse(Same(), RNG, Search(40, transpositions='sound'))
    assert found.nodes == 5
    one, two = found.tree.graph.entries[0].edges
    assert one.to == two.to
    assert one.visits + two.visits == 40 == found.tree.graph.entries[one.to].visits
    inflated, _ = analyse(Same(), RNG, Search(5, transpositions='naive'))
    assert inflated.tree.visits > inflated.iterations
