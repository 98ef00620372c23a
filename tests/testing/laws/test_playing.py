"""The laws of play: violations word for word, and the moves they try."""

from itertools import count

import pytest
from attrs import evolve

from fmcts.errors import FinishedGameError
from fmcts.game import illegal
from fmcts.testing._laws.playing import LAWS_OF_REFUSALS, NO_MOVES, TRIED
from looking import Says, case_of, found
from plies import ENDED, REFUSED, Keeps, Plies


class Gives(Says):
    """What is played gives `after`, from the move `late` on."""

    def play(self, move):
        return self.after if move >= self.late else Says()


def lacking(name):
    state = Says()
    delattr(state, name)
    return state


@pytest.mark.parametrize(
    ('state', 'words'),
    [
        (Gives(after=None, late=2), 'playing 2 gives None, which has no player'),
        *(
            (Gives(after=lacking(name), late=1), f'playing 1 gives a position, which has no {name}')
            for name in ('player', 'moves', 'over', 'winner')
        ),
        (
            Gives(after=type('Fixed', (), {**vars(Says()), '__repr__': Says.__repr__})(), late=1),
            'playing 1 gives a position, which has no play',
        ),
        (Says(), 'playing 1 raised IllegalMoveError: illegal move 1: the legal moves are 1, 2'),
        (Gives(after=Says(), late=1), None),
        (Gives(after=None, late=3), None),
    ],
    ids=count(),
)
def test_each_move_must_be_playable(state, words):
    assert found('every move can be played', state) == words


# Moves that are not.


@pytest.mark.parametrize('move', NO_MOVES, ids=repr)
def test_values_that_are_not_moves_are_tried(move):
    """At the start, later, and at the end, by the law that looks there."""
    state = Plies(accepts=(move,))
    for line in [(), (0,), (1, 101)]:
        told = found(REFUSED, state, *line)
        after = evolve(case_of(state, *line).state, ply=len(line) + 1)
        assert told == f'{move!r} is played, though it is not legal here, and gives {cut(after)}'
        assert found(ENDED, state, *line) is None
    assert found(REFUSED, state, 0, 100, 200) is None
    assert found(ENDED, state, 0, 100, 200).startswith(f'{move!r} is played, though ')


def cut(value):
    return repr(value)[:40] + '...'


@pytest.mark.parametrize(
    ('line', 'move'),
    [((), 100), ((), 102), ((0,), 0), ((0,), 2), ((0,), 200), ((0, 100), 1), ((0, 100, 200), 201)],
)
def test_moves_of_neighbouring_positions_are_tried(line, move):
    law = ENDED if len(line) == 3 else REFUSED
    assert found(law, Plies(accepts=(move,)), *line).startswith(f'{move} is played, though ')


@pytest.mark.parametrize(
    ('state', 'line', 'played', 'tried'),
    [
        (
            Keeps(30, 3),
            range(0, 900, 100),
            [900, 901, 902],
            [ply + move for ply in range(0, 400, 100) for move in range(3)],
        ),
        (Keeps(30, 1), range(0, 2000, 100), [2000], range(800, 2000, 100)),
        (Keeps(30, 9), (), [0, 2, 5, 8], range(100, 109)),
        (Keeps(30, 50), (0,), [100, 116, 132, 149], [0, 4, 8, 13, 17, 22, 26, 31, 35, 40, 44, 49]),
        (Keeps(30, 13), (), [0, 4, 8, 12], [*range(100, 111), 112]),
    ],
    ids=count(),
)
def test_illegal_moves_are_sampled_from_neighbouring_positions(
    state, line, played, tried, monkeypatch
):
    """Of the dozen positions before and of those after it, moves in even steps, a dozen in all."""
    monkeypatch.setattr(Keeps, 'tried', ())
    case = case_of(state, *line)
    monkeypatch.setattr(Keeps, 'tried', ())
    law = next(law for law in LAWS_OF_REFUSALS if law.name == REFUSED)
    assert law.found(case) is None
    head, rest = Keeps.tried[: len(played)], Keeps.tried[len(played) :]
    assert [*head] == played
    expected = [*[*tried][:TRIED], *NO_MOVES]
    beside = min(case.state.moves) - 1, max(case.state.moves) + 1
    assert [*rest] == [*expected, *(move for move in beside if move not in expected)]


def test_no_move_is_tried_twice():
    """Nor is one that is legal here."""

    class Same(Keeps):
        moves = property(lambda self: () if self.over else (7, 8 + self.ply))

    law = next(law for law in LAWS_OF_REFUSALS if law.name == REFUSED)
    case = case_of(Same(9), 7, 7, 7)
    Same.tried = ()
    assert law.found(case) is None
    assert Same.tried == (7, 11, 8, 9, 10, 12, *NO_MOVES, 6)


INSTEAD = '; raise IllegalMoveError, as in: raise fmcts.game.illegal(self, move)'


@pytest.mark.parametrize(
    ('state', 'line', 'law', 'words'),
    [
        (
            Plies(error=KeyError),
            (),
            REFUSED,
            "playing 100, which is not legal here, raised KeyError: 'no'" + INSTEAD,
        ),
        (
            Plies(error=FinishedGameError),
            (0,),
            REFUSED,
            'playing 0, which is not legal here, raised FinishedGameError: no' + INSTEAD,
        ),
        (Plies(error=FinishedGameError), (0, 100, 200), ENDED, None),
        (
            Plies(error=KeyError),
            (0, 100, 200),
            ENDED,
            "playing 0, which is not legal here, raised KeyError: 'no'" + INSTEAD,
        ),
        (Plies(), (), REFUSED, None),
        (Plies(), (0, 101), REFUSED, None),
        (Plies(), (0, 101, 202), REFUSED, None),
        (Plies(), (0, 101, 202), ENDED, None),
        (Plies(error=KeyError), (0, 100, 200), REFUSED, None),
        (Plies(error=KeyError), (0, 100), ENDED, None),
    ],
    ids=count(),
)
def test_refusals_must_raise_the_right_error(state, line, law, words):
    assert found(law, state, *line) == words


class Trace(Says):
    """A move that is refused is kept under a name."""

    def play(self, move):
        if move in self.moves:
            return Says()
        vars(self)[self.name] = move
        raise illegal(self, move)


@pytest.mark.parametrize(
    ('state', 'words'),
    [
        (Trace(name='tried', tried=0), 'Trace.tried was 0 and is -1'),
        (Trace(name='winner'), 'winner None and winner -1'),
        (Trace(name='memo'), None),
    ],
    ids=count(),
)
def test_a_refused_move_must_leave_no_trace(state, words):
    told = words and f'playing -1 is refused but changes the state: {words}'
    assert found(REFUSED, state, memos=['memo']) == told


def test_an_unplayable_move_does_not_hide_the_others():
    class Unplayable(Plies):
        def play(self, move):
            if move == 0:
                raise ArithmeticError
            return super().play(move)

    assert found(REFUSED, Unplayable()) is None
    assert found(REFUSED, Unplayable(accepts=(-1,))).startswith('-1 is played')
