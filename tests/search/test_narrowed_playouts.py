"""Playouts by policies that narrow moves or menus, draw by draw."""

import pytest

from counted import RULES, Bare, Counters, played_out, playing
from fmcts import Player, Search, SplitMix, analyse
from fmcts._engines.outcomes import check_policy
from fmcts.errors import MethodError
from fmcts.rules import IntegerRules, OnPositions


def second(state):
    return state.moves[1:2]


def test_a_policy_narrows_the_moves():
    """Two to four are drawn among; the last of the counters leave it no choice, nor any move."""
    found, among = played_out(Search(playout=lambda state: state.moves[-2:]), Counters(6), 1, 1)
    assert (found, among) == (0.5, [2, 2])
    with pytest.raises(MethodError) as error:
        played_out(Search(playout=second), Counters(3), 0)
    assert str(error.value) == (
        "the playout policy second must return at least one of the legal moves ('a',), not ()"
    )


def test_a_policy_must_return_legal_moves():
    class Wrong:
        def __call__(self, _state):
            return ['a', 'z']

    with pytest.raises(MethodError) as error:
        played_out(Search(playout=Wrong()), Counters(3), 0)
    assert str(error.value) == (
        "the playout policy Wrong must return at least one of the legal moves ('a', 'b', 'c'), "
        "not ['a', 'z']"
    )


def test_a_policy_of_positions_narrows_menus():
    told = []

    def highest(position, menu):
        told.append((position, menu))
        return menu & ~(menu >> 1) & 6 or menu

    found, among = played_out(Search(playout=OnPositions(highest)), Counters(7), 0, 0, 0)
    assert (found, among) == (0.5, [1, 1, 1])  # three, three, and the last one
    assert told == [((7, 0), 7), ((4, 1), 7), ((1, 0), 1)]
    traced = Search(playout=OnPositions(highest), selection='amaf')
    found, _ = played_out(traced, Counters(7), 0, 0, 0)
    assert found == (0.5, [(Player.X, 'c'), (Player.O, 'c'), (Player.X, 'a')])


def none(_position, _menu):
    return 0


def outside(_position, _menu):
    return 0b1010


@pytest.mark.parametrize(('policy', 'picked'), [(none, '[]'), (outside, '[1, 3]')])
def test_a_policy_of_positions_must_return_legal_moves(policy, picked):
    with pytest.raises(MethodError) as error:
        played_out(Search(playout=OnPositions(policy)), Counters(3), 0)
    assert str(error.value) == (
        f'the playout policy {policy.__name__} must return at least one of the legal moves '
        f'[0, 1, 2], not {picked}'
    )


class Without(Counters):
    """Rules without a menu: there is nothing to narrow."""

    compiled = IntegerRules(
        pack=RULES.pack, play=RULES.play, side=RULES.side, winner=RULES.winner,
        count=lambda position: min(position.left, 3), pick=lambda _position, index: index,
    )  # fmt: skip


def test_narrowing_needs_a_menu():
    search = Search(playout=OnPositions(none))
    for check in (lambda: check_policy(search, Without(3)), lambda: playing(search, Without(3))):
        with pytest.raises(MethodError) as error:
            check()
        assert str(error.value) == (
            'the playout policy none narrows a menu, and the rules on integers of Without have '
            'none: a menu may be a NamedTuple of integers'
        )

    class Rewarded(Without):
        compiled = Without.compiled
        rewards = property(lambda self: (0.5, 0.5) if self.over else ())

    with pytest.raises(MethodError, match=r'^the playout policy none narrows a menu'):
        analyse(Rewarded(3), SplitMix.from_seed(1), search, engine='inplace')

    class Narrow:
        def __call__(self, _position, menu):
            return menu

    with pytest.raises(MethodError, match=r'^the playout policy Narrow narrows a menu'):
        check_policy(Search(playout=OnPositions(Narrow())), Without(3))
    for able in (Counters(3), Bare(3)):  # without rules it is another error, and later
        check_policy(search, able)
    for playout in ('uniform', none):
        check_policy(Search(playout=playout), Without(3))
