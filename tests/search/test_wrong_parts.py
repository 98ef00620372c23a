"""Users' mistakes in methods, functions, tables and arguments are named in one line."""

import re
from functools import reduce
from itertools import product

import pytest
from attrs import evolve, frozen

from fmcts import (
    EngineError,
    GameError,
    Player,
    Search,
    SplitMix,
    analyse,
    mcts,
    monte_carlo,
    trees,
)
from fmcts._linked import compiles
from fmcts._running import playouts, registry
from fmcts.bots._treesearch import MctsBot
from fmcts.compare import compare_designs
from fmcts.errors import MethodError
from fmcts.formulas import sqrt, where
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.derived import Derived
from fmcts.search.memory import Table
from fmcts.search.methods import PUCT, Method, ProgressiveBias, ReducedPUCT, Widening
from fmcts.search.policies import ByBot, Recalling
from tiers import is_interpreted, usually

RNG = SplitMix.from_seed(1)
ENGINES = ['persistent', 'monadic', 'inplace']


def complaint(search, engine='inplace', state=tictactoe.start, **given):
    """The one line that a search ends in."""
    with pytest.raises((MethodError, GameError)) as raised:
        analyse(state, RNG, search, engine=engine, **given)
    text = str(raised.value)
    assert len(text.splitlines()) == 1
    return text


@pytest.mark.parametrize('engine', ENGINES)
@pytest.mark.parametrize('option', ['selection', 'final'])
@pytest.mark.parametrize(
    ('value', 'words'),
    [
        (None, 'must return a number, not None'),
        ('0.5', "must return a number, not '0.5'"),
        (1 + 2j, 'must return a number, not (1+2j)'),
        ([0.5], 'must return a number, not [0.5]'),
        (10**400, f'gives {"1" + "0" * 39}..., which is too large for a float'),
    ],
)
def test_a_rule_that_returns_no_number_is_named(option, value, words, engine):
    def mine(_edge, _parent):
        return value

    text = complaint(Search(30, **{option: mine}), engine)
    assert text == f'the {option} rule mine {words}'


@pytest.mark.parametrize('engine', ENGINES)
def test_integers_are_compared_as_floats(engine):
    """2**53 and 2**53 + 1 are one float, so the first of them is taken."""

    def rule(give):
        return lambda edge, _parent: give(2**53 + int(edge.visits % 2))

    one, two = (
        analyse(tictactoe.start, RNG, Search(60, selection=rule(give)), engine=engine)[0]
        for give in (int, float)
    )
    assert one.digest == two.digest


def method(**members):
    return type('Mine', (Method,), {'score': lambda _self, edge, _parent: edge.value, **members})()


@pytest.mark.parametrize(
    'members',
    [
        {'columns': ('visits',)},
        {'columns': ('a',), 'move_columns': ('a',)},
        {'columns': ('a b',)},
        {'columns': ('_a',)},
    ],
)
def test_names_that_no_field_can_have_are_refused(members):
    with pytest.raises(ValueError, match=r'[Ff]ield name'):
        Search(selection=method(**members))


def table(**members):
    declared = {'name': 'mine', 'columns': ('a',), 'absent': (0.0,), 'scope': 'node', **members}
    return type('Kept', (Table,), declared)()


@pytest.mark.parametrize(
    'members',
    [
        {'scope': 'root'},
        {'index': 'turns'},
        {'index': 'pairs'},
        {'absent': (0.5,)},
        {'absent': ()},
        {'absent': (0,)},
    ],
)
def test_invalid_tables_are_refused(members):
    assert Search(selection=method(table=table())).columns.moves == ('a',)
    assert Search(selection=method(table=table(scope='ancestor'))).columns.table == ('a',)
    with pytest.raises(MethodError, match='the table Kept must have the scope node or ancestor, '):
        Search(selection=method(table=table(**members)))


# Moves and states.


class Unhashed:
    """A move by value, without a hash."""

    __hash__ = None

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Unhashed) and self.number == other.number

    def __repr__(self):
        return f'take {self.number}'


@frozen
class Take:
    """One or two of some counters are taken."""

    left: int = 6
    player: Player = Player.X

    moves = property(lambda self: tuple(map(Unhashed, range(1, 1 + min(self.left, 2)))))
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player if self.over else None)

    def play(self, move):
        return evolve(self, left=self.left - move.number, player=self.player.other)


class Keyed(Take):
    """Its moves have keys."""

    def key(self, move):
        return move.number


@pytest.mark.parametrize('engine', ENGINES)
@pytest.mark.parametrize('selection', ['amaf', 'rave', 'rave-silver', 'grave'])
def test_tables_need_hashable_keys(selection, engine):
    search = Search(60, selection=selection)
    text = complaint(search, engine, Take())
    assert re.fullmatch(
        'a search that keeps statistics by move, as amaf and grave do, needs keys of moves with a '
        r'hash, not take \d: Take may give them by key\(move\)',
        text,
    )
    assert analyse(Keyed(), RNG, search, engine=engine)[0].iterations == 60
    assert analyse(Take(), RNG, Search(60), engine=engine)[0].iterations == 60


# Numbers of moves.


def too_many(_state, _move):
    return 1.0


def too_few(_position):
    return 1.0


@pytest.mark.parametrize(
    ('kind', 'name'),
    [(PUCT, 'prior'), (ReducedPUCT, 'prior'), (Widening, 'prior'), (ProgressiveBias, 'heuristic')],
)
@pytest.mark.parametrize(
    ('given', 'shown'),
    [
        (too_many, 'too_many'),
        (OnPositions(too_few), 'OnPositions of too_few'),
        (0.5, '0.5'),
    ],
)
def test_functions_with_wrong_arguments_are_refused(kind, name, given, shown):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared
        kind(**{name: given})
    assert str(refused.value) == (
        f'{name} must be a function {name}(state) that gives a number for each of the moves, or '
        'OnPositions of a function (position, move) that gives the number of one move, '
        f'not {shown}'
    )


@pytest.mark.parametrize(
    'numbers',
    [
        None,
        1.0,
        ['x'] * 7,
        ['0.5'] * 7,
        'nothing',
        {*range(7)},
        dict.fromkeys(range(7), 0.5),
        [10**400] * 7,
    ],
)
def test_a_prior_that_returns_no_numbers_is_named(numbers):
    def mine(_state):
        return numbers

    text = complaint(Search(9, selection=PUCT(prior=mine)), state=connect4.start)
    assert text.startswith(
        'the function mine must return a number for each of the moves of a state'
    )


@pytest.mark.parametrize(
    'gather', [set, iter, dict.fromkeys, lambda moves: (move for move in moves), str]
)
def test_a_playout_that_returns_no_list_is_named(gather):
    def mine(state):
        return gather(state.moves)

    text = complaint(Search(9, playout=mine))
    said = 'the playout policy mine must return a list or tuple of legal moves, not '
    assert text.startswith(said)


def of_sums(member):
    def score(_self, edge, parent):
        return edge.value + 0.0 * (parent.total if member == 'summed' else edge.by_visits)

    return lambda answer: method(score=score, **{member: lambda *_given: answer})


def of_rows(answer):
    return method(move_columns=('own',), first_rows=lambda *_given: answer)


def of_prior(answer):
    return PUCT(prior=OnPositions(lambda _position, _move: answer))


OTHERS = {
    'summed': (of_sums('summed'), 'the selection rule Mine must return a number, not '),
    'by visits': (of_sums('by_visits'), 'the selection rule Mine must return a number, not '),
    'rows': (of_rows, 'the selection rule Mine must return a row of 9 numbers for each of own, '),
    'prior': (of_prior, 'the function <lambda> must return a number for each of the moves of a '),
}


@pytest.mark.parametrize('engine', ENGINES)
@pytest.mark.parametrize('answer', [None, 'text', (1.0, 2.0), 1j])
@pytest.mark.parametrize('name', OTHERS)
def test_answers_that_are_no_numbers_are_named(name, answer, engine):
    make, said = OTHERS[name]
    assert complaint(Search(30, selection=make(answer)), engine).startswith(said)


@pytest.mark.parametrize('answer', [None, 'text', 4, (4,), (4, 5, 6)])
def test_a_bot_of_playouts_that_returns_no_pair_is_named(answer):
    text = complaint(Search(30, playout=ByBot(lambda _state, _rng: answer)))
    assert re.match('the bot <lambda> of the playouts must return .* and a generator, not ', text)


# ---- shapes ----


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


# ---- very large arguments ----


START = tictactoe.start


@pytest.mark.parametrize(
    ('value', 'said'),
    [
        (0, '0 (did you mean Search(0)?)'),
        (500, '500 (did you mean Search(500)?)'),
        (True, 'True'),
        (False, 'False'),
        ('', "''"),
        ('mcts:500', "'mcts:500'"),
        ((), '()'),
        (Search, "<class 'fmcts.search._description.Search'>"),
    ],
)
def test_anything_but_a_search_is_refused(value, said):
    for act in (
        lambda: mcts(value),
        lambda: MctsBot(value),
        lambda: analyse(START, RNG, value),
        lambda: trees(START, RNG, value),
        lambda: compare_designs(START, RNG, value),
    ):
        with pytest.raises(TypeError) as told:
            act()
        assert str(told.value).startswith('search must be a Search, not ')
        assert str(told.value).endswith(said) or len(said) > 40


def test_none_means_the_default_search():
    assert mcts() == mcts(None) == mcts(Search()) == MctsBot()
    assert mcts(Search(500)).search.iterations == 500


@pytest.mark.parametrize('engine', ['auto', *registry.ENGINES])
@pytest.mark.parametrize('times', [None, 1.5, float('nan'), -1, True, '5'])
def test_the_number_of_playouts_must_be_a_whole_number(times, engine):
    with pytest.raises(
        ValueError, match='times must be a whole number of at least 0, not '
    ) as told:
        playouts(START, RNG, times, engine=engine)
    assert str(told.value).endswith(repr(times))


@pytest.mark.parametrize(
    'engine', [name for name in registry.ENGINES if name != 'compiled' or compiles()]
)
def test_zero_playouts(engine):
    assert playouts(START, RNG, 0, engine=engine) == ({}, RNG)


class StopError(Exception):
    """Stands for Ctrl-C."""


@pytest.mark.parametrize('iterations', [2**31, 2**63 - 1, 2**63, 2**64, 10**30])
@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'auto'])
def test_huge_numbers_of_iterations_can_be_interrupted(engine, iterations):
    told = []

    def watch(done):
        told.append(done)
        if done >= 200:
            raise StopError

    with pytest.raises(StopError):
        analyse(connect4.start, RNG, Search(iterations), engine=engine, watch=watch)
    assert told[-1] >= 200
    with pytest.raises(StopError):
        playouts(START, RNG, iterations, engine=engine, watch=watch)
    with pytest.raises(StopError):
        monte_carlo(iterations, engine=engine).analyse(START, RNG, watch=watch)
