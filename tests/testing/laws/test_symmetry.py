"""Symmetric moves are searched alike: shuffled states, pairs of moves, and the bound."""

from itertools import count

import pytest
from attrs import frozen

from fmcts import Player, Search, SplitMix
from fmcts.games import connect4
from fmcts.testing._laws import symmetry
from fmcts.testing._laws.symmetry import BOUND, SEARCHES, Shuffled, favoured, swaps

RNG = SplitMix.from_seed(3)


@frozen
class Choice:
    """One ply among three moves, of which some win."""

    wins: tuple = (0, 2)
    taken: int = -1
    player = property(lambda self: Player.X if self.taken < 0 else Player.O)
    moves = property(lambda self: (0, 1, 2) if self.taken < 0 else ())
    over = property(lambda self: self.taken >= 0)
    winner = property(lambda self: Player.X if self.taken in self.wins else None)

    def play(self, move):
        return Choice(self.wins, move)


def mirrored(move):
    return 2 - move


# Shuffled states.


def test_a_shuffled_state_agrees_with_the_inner_one():
    start = connect4.start.play(3)
    state = Shuffled(start, 5)
    assert sorted(state.moves) == [*start.moves]
    assert (state.player, state.over, state.winner) == (start.player, False, None)
    assert state.play(2) == Shuffled(start.play(2), 5)
    assert state.key(3) == start.key(3) != 3
    assert state.compiled is start.compiled
    end = Shuffled(Choice().play(2), 1)
    assert (end.player, end.over, end.winner, end.moves) == (Player.O, True, Player.X, ())
    assert Shuffled(Choice(), 1).key(2) == 2


def test_the_order_depends_on_the_seed():
    orders = {Shuffled(Choice(), seed).moves for seed in range(60)}
    assert len(orders) == 6
    assert Shuffled(Choice(), 4).moves == Shuffled(Choice(wins=()), 4).moves


@pytest.mark.parametrize('name', ['inner', 'seed', '__array__', '__len__'])
def test_an_uninitialised_copy_does_not_recurse(name):
    with pytest.raises(AttributeError, match=f'^{name}$'):
        Shuffled.__new__(Shuffled).__getattr__(name)


def test_an_unknown_attribute_of_a_shuffled_state_raises():
    with pytest.raises(AttributeError, match='no_such'):
        _ = Shuffled(Choice(), 1).no_such


# Pairs.


@pytest.mark.parametrize(
    ('swap', 'pairs'),
    [
        (mirrored, [(0, 2)]),
        (lambda move: move, []),
        ({0: 1, 1: 0, 2: 2}.get, [(0, 1)]),
        ({0: 0, 1: 2, 2: 1}.get, [(1, 2)]),
    ],
    ids=count(),
)
def test_pairs_of_moves_are_listed_once(swap, pairs):
    assert swaps(Choice(), swap) == pairs


@pytest.mark.parametrize(
    ('swap', 'words'),
    [
        ({0: 0, 1: 1, 2: 3}.get, '2 goes to 3'),
        ({0: 7, 1: 1, 2: 0, 7: 0}.get, '0 goes to 7'),
        (lambda move: (move + 1) % 3, '0 goes to 1'),
        ({0: 0, 1: 2, 2: 0}.get, '1 goes to 2'),
    ],
    ids=count(),
)
def test_values_that_are_not_symmetries_are_refused(swap, words):
    with pytest.raises(ValueError) as told:  # noqa: PT011 - the message is compared
        swaps(Choice(), swap)
    assert str(told.value) == (
        f'a symmetry must map the moves of the start to each other, and back: {words}'
    )


# Visits.


class Row:
    def __init__(self, move, visits):
        self.move, self.visits = move, visits


class Description:
    def __init__(self, visits):
        self.stats = [Row(move, visits) for move, visits in visits.items()]


@pytest.fixture
def searches(monkeypatch):
    """What the searches find, one after another, and what they were asked."""
    asked = []

    def give(visits):
        def analyse(state, rng, search, *, engine):
            asked.append((state, rng, search, engine))
            return Description(visits(len(asked) - 1)), rng

        monkeypatch.setattr(symmetry, 'analyse', analyse)
        return asked

    return give


def look(state=None, symmetries=(mirrored,)):
    return favoured(Search(9), 'inplace', state or Choice(), RNG, symmetries)


@pytest.mark.parametrize(
    ('more', 'is_told'),
    [(10, False), (49, False), (50, True), (-49, False), (-50, True), (0, False)],
)
def test_the_bound_is_seven_standard_deviations(more, is_told, searches):
    """So many of fifty searches favour one of the two by one visit, and in the others they tie."""

    def visits(index):
        return {0: 10 + (index < more), 1: 3, 2: 10 + (index < -more)}

    searches(visits)
    told = look()
    assert (told is not None) == is_told
    if told:
        first, second = 1000 + max(more, 0), 1000 + max(-more, 0)
        assert told == (
            f'in 100 searches, moves shuffled, the move 0 has {first} visits, and 2, which is '
            f'alike, {second}'
        )


def test_each_search_has_its_own_order_and_generator(searches):
    asked = searches(lambda _: {0: 1, 1: 1, 2: 1})
    assert look() is None
    assert asked == [
        (Shuffled(Choice(), index), RNG.child(index), Search(9), 'inplace') for index in range(100)
    ]
    assert (BOUND, SEARCHES) == (7, 100)


def test_every_pair_of_every_symmetry_is_compared(searches):
    searches(lambda _: {0: 5, 1: 5, 2: 9})
    assert look(symmetries=[{0: 1, 1: 0, 2: 2}.get]) is None
    assert look(symmetries=[]) is None
    told = look(symmetries=[{0: 1, 1: 0, 2: 2}.get, {0: 0, 1: 2, 2: 1}.get])
    assert told == (
        'in 100 searches, moves shuffled, the move 1 has 500 visits, and 2, which is alike, 900'
    )


def test_an_unbiased_search_passes_and_unequal_moves_fail():
    """Moves 0 and 2 win; 1 draws, and is not like 0."""
    assert favoured(Search(8), 'inplace', Choice(), RNG, [mirrored]) is None
    told = favoured(Search(8), 'inplace', Choice(), RNG, [{0: 1, 1: 0, 2: 2}.get])
    assert told.startswith('in 100 searches, moves shuffled, the move 0 has ')
