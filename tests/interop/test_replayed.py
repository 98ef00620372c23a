"""States identified by the moves that led to them, without any other library."""

import copy
import pickle

import pytest
from attrs import evolve, frozen

from fmcts import IllegalMoveError, Player
from fmcts.interop.replayed import Replayed, replayed


@frozen(eq=False)
class Counted(Replayed):
    """One or two are taken of so many, as another library counts them; that it keeps beside."""

    left: list

    def after(self, move):
        return counted(self.left[0] - move, self.origin, (*self.history, move))


def counted(left, origin, history):
    player = list(Player)[len(history) % 2]
    moves = (1, 2)[:left]
    winner = None if moves else player.other
    return Counted(origin, history, moves, player, winner, [left])


def begin(number):
    return counted(number, (begin, number), ())


START = begin(4)


def after(*moves, start=START):
    for move in moves:
        start = start.play(move)
    return start


@pytest.mark.parametrize('move', [0, 3, 'a'])
def test_an_illegal_move_is_refused(move):
    with pytest.raises(
        IllegalMoveError, match=f'^illegal move {move!r}: the legal moves are 1, 2$'
    ):
        START.play(move)
    end = after(2, 2)
    assert (end.over, end.moves, end.winner, end.history) == (True, (), Player.O, (2, 2))
    with pytest.raises(IllegalMoveError, match='the game is over'):
        end.play(1)


def test_equality_by_start_and_moves():
    """Not by what the library keeps beside them."""
    assert after(1, 2) == after(1, 2)
    assert hash(after(1, 2)) == hash(after(1, 2))
    assert after(1, 2) != after(2, 1)
    assert after(1) != after(1, start=begin(5))
    assert evolve(after(1), left=[7]) == after(1)
    assert START != 7
    assert hash(after(1)) != hash(after(2))


def test_a_subclass_may_say_by_what_states_are_equal():
    class ByCount(Counted):
        identity = property(lambda self: self.left[0])

    begin = ByCount(('by count', 4), (), (1, 2), Player.X, None, [4])
    one, two = (ByCount(begin.origin, line, (1,), Player.X, None, [1]) for line in ((1, 2), (2, 1)))
    assert one == two
    assert hash(one) == hash(two)
    assert one != begin
    assert one != ByCount(('by count', 5), (2, 2), (1,), Player.X, None, [1])


def test_pickles_and_copies_are_replayed():
    state = after(1, 2)
    for made in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):  # noqa: S301 - ours
        assert made == state
        assert made.left == [1]
    kind, given = state.__reduce__()
    assert (kind, given) == (replayed, (begin, 4, (1, 2)))
