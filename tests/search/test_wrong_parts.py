"""Users' mistakes in methods, functions and tables are named in one line."""

import re

import pytest
from attrs import evolve, frozen

from fmcts import GameError, Player, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.formulas import maximum
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.derived import Derived
from fmcts.search.memory import Table
from fmcts.search.methods import PUCT, UCB1, Method, ProgressiveBias, ReducedPUCT, Widening
from fmcts.search.policies import Recalling

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
    ('members', 'words'),
    [
        ({'columns': ('visits',)}, "has the column 'visits': an edge has that already; choose"),
        ({'columns': ('value', 'a')}, "has the column 'value': an edge has that already"),
        ({'move_columns': ('reward',)}, "has the column 'reward': an edge has that already"),
        ({'columns': ('a',), 'move_columns': ('a',)}, "has the column 'a': an edge has that"),
        ({'columns': ('a', 'a')}, "has the column 'a': an edge has that already"),
        ({'columns': ('a b',)}, "has the column 'a b': it must be a name, as fields of edge are"),
        ({'columns': ('class',)}, "has the column 'class': it must be a name"),
        ({'columns': ('_a',)}, "has the column '_a': it must be a name"),
    ],
)
def test_invalid_column_names_are_refused(members, words):
    with pytest.raises(MethodError, match=f'^the method Mine {words}'):
        Search(selection=method(**members))


@pytest.mark.parametrize('names', ['abc', ['a'], (3,)])
def test_columns_must_be_a_tuple_of_names(names):
    with pytest.raises(
        MethodError, match=r'^columns of the method Mine must be a tuple of names, '
    ):
        Search(selection=method(columns=names))


def table(**members):
    declared = {'name': 'mine', 'columns': ('a',), 'absent': (0.0,), 'scope': 'node', **members}
    return type('Kept', (Table,), declared)()


@pytest.mark.parametrize(
    ('members', 'message'),
    [
        ({'scope': 'root'}, "the table Kept must have the scope node or ancestor here, not 'root'"),
        (
            {'index': 'pairs'},
            'the table Kept has the scope node: then it must be one of moves, and',
        ),
        (
            {'absent': (0.5,)},
            'the table Kept has the scope node: then it must be one of moves, and',
        ),
        ({'columns': ('visits',)}, "the method Mine has the column 'visits': an edge has that"),
    ],
)
def test_invalid_tables_are_refused(members, message):
    assert Search(selection=method(table=table())).columns.moves == ('a',)
    assert Search(selection=method(table=table(scope='ancestor'))).columns.table == ('a',)
    with pytest.raises(MethodError, match=f'^{message}'):
        Search(selection=method(table=table(**members)))


@pytest.mark.parametrize('name', ['update_move', 'refers'])
def test_functions_that_belong_to_the_table_are_refused(name):
    with pytest.raises(
        MethodError, match=f'^the method Mine has {name}, which belongs to its table'
    ):
        Search(selection=method(**{name: lambda *_given: (0.0,)}))
    with pytest.raises(MethodError, match=r'^table of the method Mine must be a Table, not 3$'):
        Search(selection=method(table=3))


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


@frozen(eq=False)
class Raising(Keyed):
    """Its states cannot be compared."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        raise LookupError('which board?')


def test_incomparable_states_are_named_only_where_comparison_is_needed():
    before, _ = analyse(Raising(), RNG, Search(20))
    words = 'the game Raising has states that cannot be compared: == raised LookupError: which bo'
    assert complaint(Search(20), state=Raising(), tree=before).startswith(words)
    search = Search(20, transpositions='sound')
    assert complaint(search, state=Raising()).startswith(words)


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
        (too_many, 'too_many(_state, _move)'),
        (OnPositions(too_few), 'OnPositions of too_few(_position)'),
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
    'accepted', [None, lambda state: state, lambda *all_of_them: all_of_them, max, OnPositions(max)]
)
def test_callables_of_any_kind_are_accepted(accepted):
    assert PUCT(prior=accepted).prior is accepted


@pytest.mark.parametrize('numbers', [None, 1.0, ['x'] * 7, 'nothing', [None] * 7, [10**400] * 7])
def test_a_prior_that_returns_no_numbers_is_named(numbers):
    def mine(_state):
        return numbers

    text = complaint(Search(9, selection=PUCT(prior=mine)), state=connect4.start)
    assert text.startswith(
        'the function mine must return a number for each of the moves of a state'
    )


def numbers_by_move(state):
    return {move: 1.0 / (1 + move) for move in state.moves}


@pytest.mark.parametrize('numbers', [numbers_by_move, lambda state: set(state.moves)])
@pytest.mark.parametrize('method', [PUCT, ReducedPUCT, Widening, ProgressiveBias])
def test_unordered_numbers_are_refused(method, numbers):
    """The moves, which are the keys of a dict, would else be taken for their priors."""
    given = {'heuristic' if method is ProgressiveBias else 'prior': numbers}
    with pytest.raises(MethodError, match='for each of the moves of a state, in their order') as e:
        analyse(tictactoe.start, RNG, Search(9, selection=method(**given)), engine='inplace')
    by_move = numbers is numbers_by_move
    assert ('(did you mean [numbers[move] for move in state.moves]?)' in str(e.value)) == by_move


@frozen
class RowsByMove(UCB1):
    """First rows as a dict by moves."""

    move_columns = ('liked',)

    def first_rows(self, _state, moves):
        return (dict.fromkeys(moves, 1.0),)


def test_first_rows_must_return_rows():
    search = Search(9, selection=RowsByMove())
    with pytest.raises(MethodError, match=r'a row of 9 numbers for each of liked, in the order'):
        analyse(tictactoe.start, RNG, search, engine='inplace')


def unused(name):
    return type('Mine', (UCB1,), {name: lambda *_: (1.0,)})()


@pytest.mark.parametrize(
    ('name', 'said'),
    [
        ('update', 'has update, but names no columns for its numbers'),
        ('update_above_end', 'has update_above_end, but names no columns for its numbers'),
        ('first_rows', 'has first_rows, but names no move_columns for its numbers'),
        ('first_numbers', 'has first_numbers, but names no move_columns for its numbers'),
        ('by_visit', 'has by_visit, which no search calls: did you mean by_visits?'),
        ('sumed', 'has sumed, which no search calls: did you mean summed?'),
        (
            'update_above_ends',
            'has update_above_ends, which no search calls: did you mean update_above_end?',
        ),
    ],
)
def test_misspelt_functions_are_named(name, said):
    with pytest.raises(MethodError) as refused:
        Search(selection=unused(name))
    assert str(refused.value).startswith(f'the method Mine {said}')


def test_other_functions_are_allowed():
    assert Search(selection=unused('_by_visit')).selection.c == UCB1().c
    assert Search(selection=unused('describe')).selection.c == UCB1().c


# ---- names that no search reads ----


@frozen
class Kept(Table):
    name, columns, absent = 'kept', ('count', 'mean'), (0.0, 0.0)

    def update(self, row, reward):
        return row.count + 1.0, row.mean + (reward - row.mean) / (row.count + 1.0)


@frozen
class ByMean(Recalling):
    memories = (Kept(),)

    def weigh(self, move):
        return move.mean


@frozen
class Best(Derived):
    names, first = ('best',), (0.0,)

    def end(self, reward):
        return (reward,)

    def fold(self, seen, child):
        return (maximum(seen[0], child.best),)

    def node(self, seen, _node):
        return seen


def with_own(kind, names):
    """A search whose part of this class has these names besides."""
    part = frozen(type('Mine', (kind,), names))()
    if isinstance(part, Method):
        return Search(selection=part)
    if isinstance(part, Recalling):
        return Search(playout=part)
    if isinstance(part, Table):
        return Search(playout=frozen(type('Playout', (ByMean,), {'memories': (part,)}))())
    return Search(selection=frozen(type('Method', (UCB1,), {'derived': (part,)}))())


def zero(*_given):
    return 0.0


TOO_SHORT = 'first of the statistic Mine must have as many numbers'


@pytest.mark.parametrize(
    ('kind', 'names', 'meant'),
    [
        *(
            (UCB1, {name: True}, 'scores_unvisited')
            for name in ('scores_unvisted', 'score_unvisited')
        ),
        (UCB1, {'derivd': ()}, 'derived'),
        (UCB1, {'collumns': ('a',)}, 'columns'),
        (UCB1, {'move_colums': ('a',), 'first_rows': zero}, 'move_columns'),
        (UCB1, {'tabel': Kept()}, 'table'),
        (UCB1, {'summd': property(zero)}, 'summed'),
        (Best, {'leafs': zero}, 'leaf'),
        (Best, {'heuristics': zero}, 'heuristic'),
        (Kept, {'indx': 'pairs'}, 'index'),
        (Kept, {'absnt': (0.5, 0.5)}, 'absent'),
        (Recalling, {'memory': (Kept(),), 'weigh': zero}, 'memories'),
        (ByMean, {'weight': zero}, 'weigh'),
    ],
)
def test_misspelt_attributes_are_refused(kind, names, meant):
    with pytest.raises(MethodError) as refused:
        with_own(kind, names)
    name = next(iter(names))
    text = str(refused.value)
    assert f' Mine has {name}, which no search ' in text
    assert f': did you mean {meant}? (' in text
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ('kind', 'names'),
    [
        (UCB1, {'column': 3.0, 'score': lambda self, edge, _parent: edge.value + self.column}),
        (UCB1, {'summary': 'by counts', '_summd': zero, 'summed': zero, 'sumed_': zero}),
        (Best, {'leafs': 0.5, 'leaf': lambda self, _reward: (self.leafs,)}),
        (ByMean, {'label': 'mine', 'weighs': 2.0, 'weigh': lambda self, _move: self.weighs}),
        (Kept, {'paper': 'mine'}),
    ],
)
def test_attributes_used_by_the_class_are_allowed(kind, names):
    assert with_own(kind, names).iterations == 1000


@pytest.mark.parametrize(
    ('kind', 'names', 'said'),
    [
        (Kept, {'name': 3}, "the table Mine must have a name, such as name = 'mine', not 3"),
        (Kept, {'columns': 'ka'}, "columns of the table Mine must be a tuple of names, not 'ka'"),
        (Kept, {'absent': 0.5}, 'absent of the table Mine must be a tuple of floats, not 0.5'),
        (Kept, {'columns': (1, 2)}, 'the table Mine has the column 1: it must be a name'),
        (
            ByMean,
            {'memories': Kept()},
            'memories of the playout policy Mine must be a tuple of Table, not Kept()',
        ),
        (Best, {'names': 'h'}, "names of the statistic Mine must be a tuple of names, not 'h'"),
        (Best, {'first': 0.0}, 'first of the statistic Mine must be a tuple of numbers, not 0.0'),
        (Best, {'first': ()}, f'{TOO_SHORT} as fold takes from `seen`, not ()'),
        (
            Best,
            {'node': lambda _self, seen, _node: (seen[1],)},
            f'{TOO_SHORT} as node takes from `seen`, not (0.0,)',
        ),
    ],
)
def test_invalid_declarations_are_refused(kind, names, said):
    with pytest.raises(MethodError) as refused:
        with_own(kind, names)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    'gather', [set, iter, dict.fromkeys, lambda moves: (move for move in moves), str]
)
def test_a_playout_that_returns_no_list_is_named(gather):
    def mine(state):
        return gather(state.moves)

    text = complaint(Search(9, playout=mine))
    said = 'the playout policy mine must return a list or tuple of legal moves, not '
    assert text.startswith(said)


def test_a_playout_that_returns_an_array_is_named():
    numpy = pytest.importorskip('numpy', reason='numpy is not installed')
    text = complaint(Search(9, playout=lambda state: numpy.array(state.moves)))
    assert 'must return a list or tuple of legal moves, not array(' in text


FIELDS = 'visits, reward, value'


@pytest.mark.parametrize('engine', ENGINES)
def test_missing_fields_of_edge_and_parent_are_named(engine):
    for rule, said in (
        (
            lambda edge, _parent: edge.visit,
            f'the edge of a formula has no visit: it has {FIELDS} (did you mean visits?)',
        ),
        (
            lambda _edge, parent: parent.mean,
            'the parent of a formula has no mean: it has visits, log_visits, value, total',
        ),
    ):
        with pytest.raises(AttributeError) as raised:
            analyse(tictactoe.start, RNG, Search(30, selection=rule), engine=engine)
        assert str(raised.value) == said
