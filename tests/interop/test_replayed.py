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


class Other(Counted):
    pass


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


def test_a_state_without_moves_is_over():
    assert not START.over
    end = after(2, 2)
    assert (end.over, end.moves, end.winner, end.history) == (True, (), Player.O, (2, 2))


@pytest.mark.parametrize('move', [0, 3, 'a'])
def test_an_illegal_move_is_refused(move):
    with pytest.raises(
        IllegalMoveError, match=f'^illegal move {move!r}: the legal moves are 1, 2$'
    ):
        START.play(move)
    with pytest.raises(IllegalMoveError, match='the game is over'):
        after(2, 2, 1)


def test_equality_by_start_and_moves():
    """Not by what the library keeps beside them."""
    assert after(1, 2) == after(1, 2)
    assert hash(after(1, 2)) == hash(after(1, 2))
    assert after(1, 2) != after(2, 1)
    assert after(2, 1) != after(1, 2)
    assert after(1) != after(1, start=begin(5))
    assert after(1, start=begin(5)) != after(1)
    assert evolve(after(1), left=[7]) == after(1)
    assert START != 7
    assert START.__eq__(7) is NotImplemented
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


def test_states_of_different_classes_differ():
    other = Other(START.origin, (), (1, 2), Player.X, None, [4])
    assert other != START
    assert other != START


def test_pickles_and_copies_are_replayed():
    state = after(1, 2)
    for made in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):  # noqa: S301 - ours
        assert made == state
        assert made.left == [1]
    kind, given = state.__reduce__()
    assert (kind, given) == (replayed, (begin, 4, (1, 2)))


def test_a_subclass_must_define_the_next_state():
    bare = Replayed((begin, 1), (), (1,), Player.X, None)
    with pytest.raises(NotImplementedError):
        bare.play(1)


def test_repr_leaves_out_the_library_s_state():
    text = repr(after(1))
    assert text.startswith('Counted(history=(1,), player=')
    assert 'origin' not in text
    assert 'moves' not in text
