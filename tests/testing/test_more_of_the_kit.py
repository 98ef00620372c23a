"""Chance, invariants, which breach is told, and comparisons of two games."""

import itertools

import pytest
from attrs import evolve

from fmcts import Player
from fmcts.testing import check_game, same_game
from zoo_games import Dice, OneClass
from zoo_right import PROCESS, Heap, Noughts

X, O = Player  # noqa: E741 - the player's name
HERE = {'without': [PROCESS]}


# Chance.


class DiceByIdentity(Dice):
    """States are compared as objects."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class DiceWithoutHash(Dice):
    __eq__ = Dice.__eq__
    __hash__ = None


@pytest.mark.parametrize('kind', [Dice, DiceByIdentity, DiceWithoutHash])
def test_randomness_is_reported_as_chance(kind):
    """And neither on hashing nor on equality."""
    breach = check_game(kind()).failure()
    assert (breach.law, breach.line, breach.others) == ('no chance', (), ())
    assert breach.found.startswith("played again, 'roll' leads to another state: ")
    assert breach.expected.endswith('`play` draws no dice and no cards.')


def test_later_randomness_is_reported_as_chance():
    faces = itertools.count()

    class Later(Heap):
        def play(self, move):
            after = super().play(move)
            return evolve(after, player=[X, O][next(faces) % 2]) if after.left == 2 else after

    assert check_game(Later(), **HERE).failure().law == 'no chance'


# What is told of a game.


def at_most_six(heap):
    assert heap.left <= 6


def whose(heap):
    return 'O has two' if heap.left == 2 and heap.player is O else None


def test_an_invariant_is_a_separate_law():
    told = {'counters': lambda heap: heap.left >= 0, 'six': at_most_six}
    passed = check_game(Heap(), invariants=told, **HERE).unwrap()
    assert dict(passed.cases)['invariant counters'] > 50
    assert dict(passed.cases)['invariant six'] > 50
    for holds, words, line in (
        (lambda heap: heap.left != 3, 'it gives False', 2),
        (lambda heap: 1 // (heap.left - 4) < 9, 'raised ZeroDivisionError: ', 1),
        (whose, 'O has two', 3),
    ):
        breach = check_game(Heap(), invariants={'it': holds}, **HERE).failure()
        assert breach.law == 'invariant it'
        assert breach.found.startswith(words)
        assert len(breach.line) == line
    without = ['invariant six', PROCESS]
    passed = check_game(Heap(), invariants=told, without=without).unwrap()
    assert dict(passed.left_out)['invariant six'] == 'it was not asked for'


@pytest.mark.parametrize('given', [[len], {'one': 1}, 3])
def test_invariants_other_than_functions_are_refused(given):
    with pytest.raises(
        ValueError, match='invariants must be a mapping from names to functions of a state'
    ):
        check_game(Heap(), invariants=given)


def itself(value):
    return value


# Which breach is told.


class WrongWinnerAndMore(Heap):
    """The winner is wrong, illegal moves raise another error, and it is of one class."""

    winner = property(lambda self: self.player if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise ValueError('no such move')
        after = Heap.play(self, move)
        return WrongWinnerAndMore(after.left, after.player)


def test_the_most_important_breach_comes_first_with_the_others():
    breach = check_game(WrongWinnerAndMore(), known=[((2, 2, 2), X)], **HERE).failure()
    assert (breach.law, breach.line) == ('known games end so', (2, 2, 2))
    assert [other.law for other in breach.others] == [
        'illegal moves are refused',
        'nothing is played after the end',
    ]
    assert str(breach).endswith(
        ' Also broken: illegal moves are refused, nothing is played after the end.'
    )
    assert 'raised ValueError: no such move; raise IllegalMoveError' in breach.others[0].found


def test_a_class_without_subclasses_may_name_itself():
    """A right game, whose `play` builds its class by name."""

    class Alone(OneClass):
        def play(self, move):
            after = super().play(move)
            return Alone(after.left, after.player)

    passed = check_game(Alone(), **HERE).unwrap()
    assert dict(passed.left_out)['a subclass stays itself'] == 'Alone has no subclass'


# Two games.


def test_comparisons_can_be_extended_or_reduced():
    two = Noughts()

    def stones(state):
        return sum(cell is not None for cell in state.cells)

    def none(_state):
        return 0

    passed = same_game(two, two, compare={'stones': stones}, positions=50, games=1).unwrap()
    assert dict(passed.cases)['same stones'] > 50
    pair = {'stones': (stones, none)}
    breach = same_game(two, two, compare=pair, positions=50, games=1).failure()
    assert (breach.law, breach.line) == ('same stones', (0,))
    assert breach.found == 'stones is 1 in mine and 0 in theirs'
    passed = same_game(
        two, two, compare=pair, without=['same stones', 'same player'], positions=9, games=1
    ).unwrap()
    assert {law for law, _ in passed.left_out} == {'same stones', 'same player', 'same keys'}
