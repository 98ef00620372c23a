"""Numbers precomputed by visits equal numbers computed in the score."""

import pytest
from attrs import frozen

from fmcts import Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.formulas import sqrt
from fmcts.games import connect4
from fmcts.search.methods import Method

RNG = SplitMix.from_seed(5)


@frozen
class WorkedOut(Method):
    """The bonus falls with the visits; division by zero tells of moves that were not tried."""

    scores_unvisited = True
    c: float = 0.5

    def score(self, edge, parent):
        return edge.value + (1.0 + parent.log_visits) * (self.c / sqrt(edge.visits))


@frozen
class Told(WorkedOut):
    def by_visits(self, visits):
        return self.c / sqrt(visits)

    def score(self, edge, parent):
        return edge.value + (1.0 + parent.log_visits) * edge.by_visits


@frozen
class WorkedOutBySum(Method):
    """One move at a time, as it has a branch; and the numbers of all the moves added up."""

    c: float = 3.0

    def summed(self, edge):
        return 1.0 / (self.c + edge.visits)

    def score(self, edge, parent):
        share = 1.0 / (self.c + edge.visits) / parent.total
        return edge.value + share if edge.visits < 9.0 else edge.value + 2.0 * share


@frozen
class ToldBySum(WorkedOutBySum):
    def by_visits(self, visits):
        return 1.0 / (self.c + visits)

    def summed(self, edge):
        return edge.by_visits

    def score(self, edge, parent):
        share = edge.by_visits / parent.total
        return edge.value + share if edge.visits < 9.0 else edge.value + 2.0 * share


@pytest.mark.parametrize('engine', [it for it in ENGINES if it != 'compiled'])
@pytest.mark.parametrize('parameter', [0.5, 2.0])
@pytest.mark.parametrize(('told', 'worked_out'), [(Told, WorkedOut), (ToldBySum, WorkedOutBySum)])
def test_precomputed_numbers_equal_direct_computation(told, worked_out, parameter, engine):
    one, two = (
        analyse(connect4.start, RNG, Search(150, selection=kind(c=parameter)), engine=engine)[0]
        for kind in (told, worked_out)
    )
    assert one.digest == two.digest
