"""Users' mistakes in methods, functions and tables are named in one line."""

import re

import pytest
from attrs import evolve, frozen

from fmcts import GameError, Player, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.memory import Table
from fmcts.search.methods import PUCT, Method, ProgressiveBias, ReducedPUCT, Widening

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
    [None, 1.0, ['x'] * 7, 'nothing', {*range(7)}, dict.fromkeys(range(7), 0.5), [10**400] * 7],
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
