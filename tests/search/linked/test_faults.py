"""Errors in users' functions are the user's own, with their traceback; others name the function."""

import re
import traceback

import pytest
from attrs import evolve, frozen

from fmcts import Search, SplitMix, analyse
from fmcts._running import playouts
from fmcts.bits import Table as Numbers
from fmcts.bots import parallel
from fmcts.errors import EngineError, RulesError
from fmcts.games import tictactoe
from fmcts.notices import listening
from fmcts.rules import OnPositions
from fmcts.search.derived import Derived
from fmcts.search.memory import Table
from fmcts.search.methods import PUCT, ImplicitMinimax, Method
from fmcts.search.policies import Recalling

RNG = SplitMix.from_seed(1)
START = tictactoe.start


class MishapError(Exception):
    """The user's own error."""


def mishap(*_given):
    raise MishapError('here')


# ---- rules, that raise at the first iteration or later ----


def raising(heap, *, left, name='menu'):
    """A class whose rule of that name raises an error where so many counters are left."""

    def menu(position):
        if position.left == left:
            raise MishapError('menu')
        return min(position.left, 3)

    def play(position, taken):
        if position.left - taken == left:
            raise MishapError('play')
        return type(position)(position.left - taken, 1 - position.turn)

    changed = {'menu': menu, 'play': play}[name]
    return type('Heap', (heap,), {'compiled': evolve(heap.compiled, **{name: changed})})


@pytest.mark.parametrize('name', ['menu', 'play'])
@pytest.mark.parametrize('left', [20, 2])
def test_a_rule_that_raises_in_machine_code_alone(heap, name, left):
    """The states do not raise: the iterations are made in place, with the same result."""
    state = raising(heap, left=left, name=name)(21)
    for search in (
        Search(1),
        Search(400),
        Search(60, schedule='halving'),
        Search(99, max_nodes=30),
    ):
        found, after = analyse(state, RNG, search, engine='compiled')
        expected, other = analyse(heap(21), RNG, search, engine='inplace')
        assert (found.digest, found.stats, after) == (expected.digest, expected.stats, other)
    assert playouts(state, RNG, 50, engine='compiled') == playouts(state, RNG, 50, engine='inplace')


def test_searches_in_rounds_go_on_in_place(heap):
    """Whoever watches hears rising numbers, though the search begins again."""
    state, heard = raising(heap, left=5)(21), []
    found, expected = (
        parallel(Search(1_500), trees=2, engine=engine).analyse(given, RNG, watch=heard.append)[0]
        for engine, given in (('compiled', state), ('inplace', heap(21)))
    )
    assert found.stats == expected.stats
    assert heard == 2 * sorted({*heard})


def test_the_state_s_own_error_is_raised(heap):
    """Also late: with the type, the message and the lines of the user's own code."""

    class Failing(raising(heap, left=1)):
        compiled = raising(heap, left=1).compiled

        @property
        def moves(self):
            if self.left == 1:
                raise MishapError('moves')
            return (1, 2, 3)[: self.left]

    for engine in ('inplace', 'compiled'):
        with pytest.raises(MishapError, match='moves') as raised:
            analyse(Failing(21), RNG, Search(500), engine=engine)
        assert traceback.extract_tb(raised.value.__traceback__)[-1].name == 'moves'
        with pytest.raises(MishapError, match='moves'):
            playouts(Failing(9), RNG, 200, engine=engine)


# ---- functions of positions ----


def worth(position):
    if position.mine == 0b1010:
        raise MishapError('worth')
    return 0.5


def dividing(position):
    return min(1.0, abs(0.5 / (position.mine - 0b1010)))


def looked_up(position):
    return NUMBERS[position.mine] / 512


NUMBERS = Numbers(range(60))


def paid(position):
    if position.mine & 1 and position.theirs & 4:
        raise MishapError('paid')
    return 0.25


def liking(position, move):
    if position.mine & 0b101 and move == 7:
        raise MishapError('liking')
    return 0.5


def few(position, menu):
    if position.mine & 0b11 == 0b11:
        raise MishapError('few')
    return menu


# ---- functions of numbers ----


def branching(edge, parent):
    if edge.visits > 7:
        raise MishapError('branching')
    return edge.value + parent.log_visits / edge.visits


@frozen
class Updated(Method):
    columns = ('a',)

    def score(self, edge, parent):
        return edge.value + 0.1 * edge.a + parent.log_visits / edge.visits

    def update(self, edge, reward):
        if edge.visits > 5 and reward > 0.5:
            raise MishapError('update')
        return (reward,)


@frozen
class Together(Method):
    scores_unvisited = True

    def scores(self, edges, parent, _node):
        if parent.visits > 30:
            raise MishapError('scores')
        return [edge.value + 1.0 / (1.0 + edge.visits) for edge in edges]


@frozen
class Seen(Table):
    name, columns, absent = 'seen', ('times',), (0.0,)

    def update(self, row, _reward):
        if row.times > 8:
            raise MishapError('times')
        return (row.times + 1.0,)


@frozen
class Playing(Recalling):
    memories = (Seen(),)

    def weigh(self, move):
        if move.times > 6:
            raise MishapError('weigh')
        return -move.times


@frozen
class SeenHere(Seen):
    scope = 'node'


@frozen
class Chosen(Method):
    table = SeenHere()

    def score(self, edge, parent):
        return edge.value + parent.log_visits / edge.visits + 0.0 * edge.times


@frozen
class Best(Derived):
    names = ('best',)
    first = (0.0,)

    def end(self, reward):
        return (reward,)

    def leaf(self, _reward):
        return (0.5,)

    def fold(self, seen, child):
        if child.visits > 4:
            raise MishapError('fold')
        return (max(seen[0], child.best),)

    def node(self, seen, _node):
        return (1.0 - seen[0],)


@frozen
class Deriving(Method):
    derived = (Best(),)

    def score(self, edge, parent):
        return edge.value + 0.1 * edge.best + parent.log_visits / edge.visits


RAISING = {
    'an evaluator': (Search(evaluate=OnPositions(worth)), MishapError, 'worth'),
    'an evaluator that divides': (
        Search(evaluate=OnPositions(dividing)), ZeroDivisionError, 'dividing'
    ),
    'an evaluator that looks up': (Search(evaluate=OnPositions(looked_up)), IndexError, 'looked_up'),  # noqa: E501
    'a reward': (Search(reward=OnPositions(paid)), MishapError, 'paid'),
    'a prior': (Search(selection=PUCT(prior=OnPositions(liking))), MishapError, 'liking'),
    'a heuristic': (
        Search(selection=ImplicitMinimax(heuristic=OnPositions(worth))), MishapError, 'worth'
    ),
    'a policy': (Search(playout=OnPositions(few)), MishapError, 'few'),
    'a score': (Search(selection=branching), MishapError, 'branching'),
    'an update': (Search(selection=Updated()), MishapError, 'update'),
    'scores': (Search(selection=Together()), MishapError, 'scores'),
    'a table': (Search(selection=Chosen()), MishapError, 'update'),
    'a weight': (Search(playout=Playing()), MishapError, 'weigh'),
    'a fold': (Search(selection=Deriving()), MishapError, 'fold'),
}  # fmt: skip


@pytest.mark.parametrize('name', RAISING)
def test_the_user_s_own_error_is_raised(name):
    """With its type and traceback; continuing a tree too."""
    search, kind, function = RAISING[name]
    search = evolve(search, iterations=3_000)
    begun, rng = analyse(START, RNG, evolve(search, iterations=1), engine='persistent')
    for engine, tree in (('inplace', None), ('compiled', None), ('compiled', begun)):
        with pytest.raises(kind) as raised:
            analyse(START, rng, search, engine=engine, tree=tree)
        assert function in [it.name for it in traceback.extract_tb(raised.value.__traceback__)]


@pytest.mark.parametrize('name', RAISING)
def test_searches_that_end_before_the_error_are_equal(name):
    """The last iteration before it, and the one that raises, alone or after others."""
    search, kind, _ = RAISING[name]
    low, high = 0, 3_000  # it raises after more than `low` iterations, and after `high`
    while high - low > 1:
        middle = (low + high) // 2
        try:
            analyse(START, RNG, evolve(search, iterations=middle), engine='inplace')
            low = middle
        except kind:
            high = middle
    if low:
        found = [
            analyse(START, RNG, evolve(search, iterations=low), engine=engine)
            for engine in ('inplace', 'compiled')
        ]
        assert found[0] == found[1]
        assert found[0][0].tree == found[1][0].tree
    if name != 'a prior':  # machine code asks for the priors of a node when it is visited again
        with pytest.raises(kind):
            analyse(START, RNG, evolve(search, iterations=high), engine='compiled')


# ---- in batches with a network ----


def network(positions):
    count = len(positions)
    return [[0.125] * 9] * count, [0.5] * count


@pytest.mark.parametrize('left', [False, True])
def test_a_rule_that_raises_in_a_batch(heap, left):
    """In machine code alone; and in the states too, whose error is raised."""
    kind = raising(heap, left=2)
    if left:
        kind = type('Heap', (kind,), {'compiled': kind.compiled, 'moves': property(mishap)})
    search = Search(
        120, network=OnPositions(lambda given: ([[0.25] * 4] * len(given), [0.5] * len(given))),
        batch=7,
    )  # fmt: skip
    state = kind(21)
    if left:
        with pytest.raises(MishapError):
            analyse(state, RNG, search, engine='compiled')
        return
    kind = type('Heap', (heap,), {'compiled': evolve(kind.compiled, keys=4)})
    plain = type('Heap', (heap,), {'compiled': evolve(heap.compiled, keys=4)})
    found, _ = analyse(kind(21), RNG, search, engine='compiled')
    expected, _ = analyse(plain(21), RNG, search, engine='inplace')
    assert (found.digest, found.stats) == (expected.digest, expected.stats)


@frozen
class Late(PUCT):
    columns = ('a',)

    def update(self, edge, reward):
        if edge.visits > 5:
            raise MishapError('late')
        return (reward,)


def test_an_update_that_raises_when_a_batch_is_backed_up():
    search = Search(500, selection=Late(), network=OnPositions(network), batch=8)
    for engine in ('inplace', 'compiled'):
        with pytest.raises(MishapError, match='late'):
            analyse(START, RNG, search, engine=engine)


# ---- what cannot be compiled ----


def text(edge, _parent):
    return float(len(ascii(edge.visits)))


def no_such(edge, _parent):
    if edge.visits > 3:
        return edge.value
    return edge.value + edge.nothing


def on_position(position, *_more):
    return 0.5 + 0.0 * len(ascii(position.mine))


def a_menu(position, menu):
    return menu + 0 * len(ascii(position.mine))


@frozen
class Scored(Method):
    c: float = 0.5

    def score(self, edge, parent):
        return self.c * text(edge, parent)


@frozen
class Together(Method):
    def scores(self, edges, _parent, _node):
        return [(edge.value, 1.0) for edge in edges]


ASCII = "cannot be compiled: Untyped global name 'ascii': Cannot determine Numba type of"
POSITION = OnPositions(on_position)
REFUSED = {
    'a rule': (Search(selection=text), f'the selection rule text {ASCII}'),
    'a missing field': (
        Search(selection=no_such), 'the selection rule no_such cannot be compiled: Edge has no nothing'  # noqa: E501
    ),
    'a tuple': (
        Search(selection=lambda edge, parent: (edge.value + parent.visits,)),
        'the selection rule <lambda> cannot be compiled: it does not return a number',
    ),
    'tuples': (
        Search(selection=Together()), 'scores of Together cannot be compiled: it does not return a number'  # noqa: E501
    ),
    'a float for a menu': (
        Search(playout=OnPositions(lambda _position, menu: menu * 1.0)),
        '<lambda> cannot be compiled: it returns a float where a whole number is expected',
    ),
    'a score': (Search(selection=Scored()), f'score of Scored {ASCII}'),
    'a prior': (Search(selection=PUCT(prior=POSITION)), ASCII),
    'a policy': (Search(playout=OnPositions(a_menu)), f'the playout policy a_menu {ASCII}'),
    'an evaluator': (Search(evaluate=POSITION), f'the evaluator on_position {ASCII}'),
    'a reward': (Search(reward=POSITION), f'the reward on_position {ASCII}'),
}  # fmt: skip


@pytest.mark.parametrize('name', REFUSED)
def test_what_cannot_be_compiled_is_named(name):
    search, said = REFUSED[name]
    with pytest.raises(RulesError, match=re.escape(said)) as refused:
        analyse(START, RNG, search, engine='compiled')
    assert '\n' not in str(refused.value)


@pytest.mark.parametrize('name', ['a rule', 'an evaluator'])
@pytest.mark.usefixtures('willing')
def test_auto_goes_on_in_place_with_a_notice(name):
    search, said = REFUSED[name]
    if name == 'a rule':
        search = Search(50, selection=lambda edge, parent: text(edge, parent))  # noqa: PLW0108 - of its own
        said = said.replace('text', '<lambda>', 1)
    heard = []
    with listening(heard.append):
        found, after = analyse(START, RNG, evolve(search, iterations=50))
    (notice,) = (it for it in heard if 'continuing with' in it)
    assert notice.startswith(said)
    assert notice.endswith('; continuing with the engine inplace')
    expected, other = analyse(START, RNG, evolve(search, iterations=50), engine='inplace')
    assert (found.digest, after) == (expected.digest, other)


@frozen
class Wide(Method):
    """A method that scores moves together, by nine numbers each."""

    columns = ('a', 'b', 'c', 'd', 'e', 'f')

    def update(self, edge, reward):
        return edge.a + reward, edge.b, edge.c, edge.d, edge.e, edge.f

    def scores(self, edges, _parent, _node):
        return [edge.value + 1.0 / (1.0 + edge.visits) for edge in edges]


def test_too_many_numbers_together_are_refused_by_name():
    with pytest.raises(EngineError, match='at most 512 moves together, by 8 numbers each, and'):
        analyse(START, RNG, Search(30, selection=Wide()), engine='compiled')
