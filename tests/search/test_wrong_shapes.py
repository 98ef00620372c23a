"""Functions of a user that return something else than they must: refused by every engine alike."""

from functools import reduce
from itertools import product

import pytest
from attrs import frozen

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.formulas import sqrt, where
from fmcts.games import connect4
from fmcts.search.derived import Derived
from fmcts.search.memory import Table
from fmcts.search.methods import Method
from fmcts.search.policies import Recalling
from tiers import is_interpreted, usually

RNG = SplitMix.from_seed(42)
STATE = reduce(lambda state, move: state.play(move), (3, 3, 3, 3, 3, 2, 2, 4), connect4.start)


def explored(edge, parent):
    return edge.value + sqrt(parent.log_visits / edge.visits)


def of_update(shape):
    class Own(Method):
        columns = ('total',)

        def score(self, edge, parent):
            return explored(edge, parent) + 0.01 * edge.total

        def update(self, edge, reward):
            return shape(edge.total + reward)

    return Search(60, selection=frozen(Own)())


def of_table(shape, scope='node', refers=lambda _self, visits: visits > 10.0):
    class Own(Table):
        name, columns, absent = 'own', ('plays',), (0.0,)

        def update(self, row, _reward):
            return shape(row.plays + 1.0)

    Own.scope = scope
    if scope == 'ancestor':
        Own.refers = refers
    given = frozen(Own)()

    class Chosen(Method):
        table = given

        def score(self, edge, parent):
            return explored(edge, parent) + 0.1 * edge.plays / (1.0 + edge.plays)

    class Playing(Recalling):
        memories = (given,)

        def weigh(self, move):
            return move.plays

    if scope == 'root':
        return Search(60, playout=frozen(Playing)())
    return Search(60, selection=frozen(Chosen)())


def of_derived(**functions):
    names = {
        'names': ('best',),
        'first': (0.0,),
        'end': lambda _self, reward: (reward,),
        'leaf': lambda _self, _reward: (0.5,),
        'fold': lambda _self, seen, child: (where(child.best > seen[0], child.best, seen[0]),),
        'node': lambda _self, seen, node: (where(node.same, seen[0], 1.0 - seen[0]),),
    }
    given = frozen(type('Own', (Derived,), names | functions))()

    class Chosen(Method):
        derived = (given,)

        def score(self, edge, parent):
            return explored(edge, parent) + 0.1 * edge.best

    return Search(60, selection=frozen(Chosen)())


SHAPES = {
    'a number too many': lambda number: (number, 7.0),
    'a list': lambda number: [number],
    'a number': lambda number: number,
    'nothing': lambda _number: None,
}
WRONG = {
    **{f'update: {name}': of_update(shape) for name, shape in SHAPES.items()},
    **{
        f'update of the table: {name}, {scope}': of_table(shape, scope)
        for name, shape in SHAPES.items()
        for scope in ('root', 'node', 'ancestor')
    },
    **{
        f'{name}: a number too many': of_derived(**{name: lambda *_given: (1.0, 2.0)})
        for name in ('leaf', 'fold', 'node')
    },
    'node: a list': of_derived(node=lambda *_given: [1.0]),
}
SHOWN = ('update: a number too many', 'update of the table: a list, root', 'node: a list')


@pytest.mark.parametrize(
    ('engine', 'name'),
    usually(
        lambda case: is_interpreted(case[0]) or case[1] in SHOWN,
        product(['persistent', 'inplace', 'compiled'], WRONG),
    ),
)
def test_another_shape_is_refused(engine, name):
    what = name.partition(':')[0]
    with pytest.raises(MethodError, match=rf'{what}.* must return a tuple of 1 number, not '):
        analyse(STATE, RNG, WRONG[name], engine=engine)


@pytest.mark.needs_numba
def test_an_end_of_another_shape_is_refused_before_a_game_ends():
    search = of_derived(end=lambda _self, reward: (reward, reward))
    with pytest.raises(MethodError, match='end of Own must return a tuple of 1 number'):
        analyse(connect4.start, RNG, search, engine='compiled')


@pytest.mark.parametrize(
    'refers', [lambda _self, visits: visits - 10.0, lambda *_given: None, lambda *_given: 'yes']
)
@pytest.mark.parametrize(
    'engine', ['persistent', pytest.param('compiled', marks=pytest.mark.needs_numba)]
)
def test_refers_returns_a_truth_value(engine, refers):
    search = of_table(lambda number: (number,), 'ancestor', refers)
    with pytest.raises(MethodError, match='refers of the table Own must return True or False'):
        analyse(STATE, RNG, search, engine=engine)


def larger(part):
    """Return the part with a parameter that a double does not have."""
    names = {'__annotations__': {'n': int}, 'n': 2**53 + 1}
    return frozen(type('Larger', (type(part),), names))()


def with_part(given, name, value):
    return frozen(type('With', (type(given),), {name: value}))()


BY_CHILD, BY_MOVE = of_update(tuple).selection, of_table(tuple).selection
BY_END, PLAYING = of_derived().selection, of_table(tuple, 'root').playout
LARGER = {
    'method': {'selection': larger(BY_CHILD)},
    'table': {'selection': with_part(BY_MOVE, 'table', larger(BY_MOVE.table))},
    'statistic': {'selection': with_part(BY_END, 'derived', (larger(BY_END.derived[0]),))},
    'policy': {'playout': larger(PLAYING)},
    'memory': {'playout': with_part(PLAYING, 'memories', (larger(PLAYING.memories[0]),))},
}


@pytest.mark.needs_numba
@pytest.mark.parametrize('part', LARGER)
def test_integers_that_are_no_doubles_are_refused_wherever_they_are(part):
    with pytest.raises(EngineError, match='integers beyond 2\\*\\*53: the parameter n of Larger'):
        analyse(STATE, RNG, Search(60, **LARGER[part]), engine='compiled')


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('search', 'message'),
    [
        (Search(selection=frozen(type('Bare', (Method,), {}))()), 'the method Bare has no score'),
        (of_table(SHAPES['a number'], 'ancestor', Table.refers), 'the table Own has no refers'),
    ],
)
def test_a_missing_function_is_named_when_it_is_compiled(search, message):
    with pytest.raises(TypeError, match=message):
        analyse(STATE, RNG, search, engine='compiled')
