"""Notices, and where they go when nobody listens."""

import warnings

import pytest

from fmcts import Player, SplitMix
from fmcts._running.playouts import playouts
from fmcts.errors import FmctsWarning
from fmcts.notices import info, listening, warning


class First:
    pass


class Second:
    pass


def test_trouble_is_told_once_for_each_class_and_listener():
    for _ in range(2):
        heard = []
        with listening(heard.append):
            for about in (First, First, Second):
                warning('trouble', about)
            warning('other trouble', First)
        assert heard == ['trouble', 'trouble', 'other trouble']


def test_without_a_listener_trouble_is_a_warning_and_the_rest_is_silence():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        for _ in range(2):
            warning('trouble here', First)
            info('compiling')
    assert [(w.category, str(w.message)) for w in caught] == [(FmctsWarning, 'trouble here')]


def test_where_warnings_are_errors_each_one_is_raised():
    for _ in range(2):
        with pytest.raises(FmctsWarning, match='grave'):
            warning('grave', Second)


class Over:
    """A finished game with a playout to inherit."""

    over, winner, moves, player = True, None, (), Player.X

    def playout(self, _draw):
        return None


class Heir(Over):
    pass


def test_a_warning_names_the_line_that_called_the_library():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        playouts(Heir(), SplitMix.from_seed(1), 1)
    assert [w.filename for w in caught] == [__file__]
