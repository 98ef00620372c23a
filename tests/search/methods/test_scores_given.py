"""The results that a method may return, and how they are used."""

import pytest

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.search.methods import METHODS, Method

OTHERS = ['monadic', 'inplace']


NUMBERS = [(name, number) for name in METHODS for number in METHODS[name]().parameters]


@pytest.mark.parametrize(('name', 'number'), NUMBERS)
def test_parameters_become_floats_and_stay_what_they_are(name, number):
    method = METHODS[name](**{number: 1})
    assert isinstance(getattr(method, number), float)
    with pytest.raises(AttributeError):
        setattr(method, number, 2.0)


@pytest.mark.parametrize(('name', 'number'), NUMBERS)
@pytest.mark.parametrize('wrong', [-1, float('nan'), float('inf'), 1e301, 'much', None, True])
def test_invalid_parameters_are_refused_by_name(name, number, wrong):
    with pytest.raises(ValueError, match=f'^{number} must be'):
        METHODS[name](**{number: wrong})


@pytest.mark.parametrize('engine', ['persistent', *OTHERS])
def test_sums_over_moves_are_added_in_order(engine):
    """In move order: a sum that rounds less, as Python's own does, is another number."""

    class Summing(Method):
        move_columns = ('term',)
        scores_unvisited = True

        def first_rows(self, _state, moves):
            return ((1e16, 1.0, -1e16, *(0.0,) * (len(moves) - 3)),)

        def summed(self, edge):
            return edge.term

        def score(self, edge, parent):
            return edge.term if parent.total == 0.0 else -edge.term

    search = Search(1, selection=Summing())
    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)
    assert [child.move for child in analysis.tree.children] == [0]


def test_infinite_scores_exclude_or_come_first():
    def rule(edge, _parent):
        return float('inf') if edge.reward > 2 else -float('inf') if edge.reward < 1 else edge.value

    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(5), Search(200, selection=rule))
    visits = {row.move: row.visits for row in analysis.stats}
    excluded = [move for move, count in visits.items() if count == 1]
    assert excluded
    assert max(visits.values()) > 100


def test_division_by_zero_follows_ieee_754():
    def rule(edge, _parent):
        return 1.0 / (edge.visits - 1.0)  # +inf after one visit

    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(5), Search(18, selection=rule))
    assert [row.visits for row in analysis.stats] == [2] * 9
    assert analysis.tree.mover is Player.O
