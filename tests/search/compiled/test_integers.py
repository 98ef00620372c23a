"""Integers beyond 64 bits: the same in every engine, or refused by name."""

import pytest
from attrs import evolve, frozen

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.errors import FmctsWarning
from fmcts.formulas import sqrt
from fmcts.games import tictactoe
from fmcts.games.families import othello
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT, Method
from maze import Maze
from shapes import HASHED, SHAPES
from tiers import exhaustive

RNG = SplitMix.from_seed(1)
FACTOR = 2**40


def digest(search, engine='compiled', state=tictactoe.start):
    return analyse(state, RNG, search, engine=engine)[0].digest


def hashed_move(position, move):
    return (position.mine * 2654435761 * 2654435761 * 97) % 1000 / 1000 + move


def grown(edge, parent):
    return edge.value + FACTOR * FACTOR * sqrt(parent.log_visits / edge.visits)


@frozen
class Grown(Method):
    """A method whose numbers are integers."""

    columns = ('kept',)

    most: int = 2**31
    double: bool = True

    def update(self, edge, reward):
        return (edge.kept * (self.most * self.most * 8 // self.most**2) + reward,)

    def score(self, edge, parent):
        more = self.most // 3 % 7 if self.double else 1
        return edge.value + more * sqrt(parent.log_visits / edge.visits) + edge.kept / 1024


PRIOR = PUCT(prior=OnPositions(hashed_move))
MAZE = Maze(HASHED, 20, 5)


@pytest.mark.parametrize(
    ('name', 'state', 'search'),
    [
        ('evaluator valued', MAZE, SHAPES['evaluated']),
        ('reward paid', MAZE, SHAPES['rewarded']),
        ('policy narrowed', MAZE, SHAPES['puct']),
        ('update of Grown', tictactoe.start, Search(selection=Grown())),
        exhaustive(('prior hashed_move', tictactoe.start, Search(selection=PRIOR))),
    ],
)
def test_integers_beyond_64_bits_are_refused(name, state, search):
    with pytest.raises(EngineError, match=f'{name}.* does not fit in 64 bits'):
        digest(evolve(search, iterations=90), state=state)


@pytest.mark.exhaustive
def test_traced_rules_compute_python_s_integers():
    search = Search(60, selection=grown)
    assert digest(search) == digest(search, 'inplace')


@pytest.mark.usefixtures('willing')
def test_auto_falls_back_to_another_engine():
    search = evolve(SHAPES['evaluated'], iterations=3_000)
    with pytest.warns(FmctsWarning, match='the evaluator valued does not fit in 64 bits'):
        found = digest(search, 'auto', MAZE)
    assert found == digest(search, 'inplace', MAZE)


@pytest.mark.parametrize('most', [5, -(2**20), 2**29 - 1])
def test_integer_parameters_stay_integers(most):
    for double in (True, False):
        search = Search(100, selection=Grown(most, double))
        assert digest(search) == digest(search, 'inplace')


@pytest.mark.parametrize('most', [2**53 + 1, -(2**60), 10**400])
def test_parameters_beyond_53_bits_are_refused(most):
    with pytest.raises(EngineError, match='the parameter most of Grown'):
        digest(Search(10, selection=Grown(most)))
    assert digest(Search(10, selection=Grown(2**53)), 'inplace')


def edges(position):
    """Sets of bits of which the uppermost is one."""
    mine = position.mine & 0xFF00_0000_0000_00FF
    return 0.25 if mine >> 56 & 255 == 0 and not position.mine & 1 << 63 else 0.75


@pytest.mark.exhaustive
def test_sets_of_64_bits_are_accepted():
    search = Search(300, evaluate=OnPositions(edges), evaluate_after=30)
    state = othello.game(8).start
    assert digest(search, state=state) == digest(search, 'inplace', state)
