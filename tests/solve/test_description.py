"""Descriptions of alpha-beta searches: invalid values."""

import pytest

from fmcts.games import tictactoe
from fmcts.solve import AlphaBeta, solve


@pytest.mark.parametrize(
    ('options', 'why'),
    [
        ({'depth': 0}, 'depth must be a whole number of at least 1, not 0'),
        ({'depth': 2.0}, 'depth must be a whole number of at least 1, not 2.0'),
        ({'depth': True}, 'depth must be a whole number of at least 1, not True'),
        (
            {'evaluate': abs},
            'evaluate needs a depth: without one every line is followed to the end',
        ),
        ({'depth': 1, 'evaluate': 0.5}, 'evaluate must be a function of a state, not 0.5'),
        ({'distance': 1}, 'distance must be True or False, not 1'),
        ({'table': -1}, 'table must be a whole number of at least 0, not -1'),
        ({'max_plies': 0}, 'max_plies must be a whole number of at least 1, not 0'),
    ],
)
def test_invalid_options_are_refused(options, why):
    with pytest.raises(ValueError, match=why.replace('.', '[.]')):
        AlphaBeta(**options)


def test_a_search_of_another_kind_is_refused():
    with pytest.raises(TypeError, match='search must be an AlphaBeta, not 3'):
        solve(tictactoe.start, 3)
