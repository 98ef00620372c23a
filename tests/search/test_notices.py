"""Notices, and where they go without a listener."""

import warnings

import pytest

from fmcts import Player, SplitMix
from fmcts._running import playouts
from fmcts.errors import FmctsWarning
from fmcts.notices import info, listening, warning


class First:
    pass


class Second:
    pass


def test_warnings_are_given_once_per_class_and_listener():
    for _ in range(2):
        heard = []
        with listening(heard.append):
            for about in (First, First, Second):
                warning('trouble', about)
            warning('other trouble', First)
        assert heard == ['trouble', 'trouble', 'other trouble']


def test_without_a_listener_only_warnings_are_issued():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        for _ in range(2):
            warning('trouble here', First)
            info('compiling')
    assert [(w.category, str(w.message)) for w in caught] == [(FmctsWarning, 'trouble here')]


def test_with_warnings_as_errors_each_one_is_raised():
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


def test_a_warning_points_at_the_user_s_line():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        playouts(Heir(), SplitMix.from_seed(1), 1)
    assert [w.filename for w in caught] == [__file__]
