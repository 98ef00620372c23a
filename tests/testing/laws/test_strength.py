"""Puzzles, how many of them are misplayed, and when a search is weaker."""

from fractions import Fraction
from itertools import count
from math import comb
from types import SimpleNamespace

import pytest
from attrs import evolve, field, frozen

from fmcts import Player, Search, SplitMix
from fmcts.testing import Drawn, Graph
from fmcts.testing._laws import strength
from fmcts.testing._laws.strength import Puzzle, _is_weaker, is_small, puzzles, weaker

X, O = Player  # noqa: E741 - the player's name
RNG = SplitMix.from_seed(2)


# Puzzles.


@frozen
class Scripted:
    """A generator that draws what is written, and notes what it is asked."""

    script: tuple
    asked: list = field(factory=list)

    def uniform(self, low, high):
        self.asked.append((low, high))
        return self.script[0], evolve(self, script=self.script[1:])


def drawn(after, players, winners):
    return Drawn(Graph(after, players, winners))


GAME = drawn(
    ((1, 2, 3), (4, 5), (5, 6), (6,), (), (), ()),
    (X, O, X, X, O, O, O),
    (None, None, None, None, X, None, O),
)
"""X chooses among 1 (O draws), 2 (X draws) and 3 (X loses); ends are 4, 5 and 6: X, nobody, O."""


def at(number):
    return evolve(GAME, at=number)


def test_puzzles_have_moves_of_different_value():
    """At 3 there is one move. O and X each have a draw, and at the start two moves keep it."""
    found = puzzles(GAME, RNG, 99)
    best = {0: (0, 1), 1: (1,), 2: (0,)}
    assert {puzzle.state.at: puzzle.best for puzzle in found} == best
    assert len(found) == 3


def test_positions_with_equal_moves_are_not_puzzles():
    """A win at once and one later are both wins; draws are alike."""
    wins = drawn(((1, 2), (2,), ()), (X, X, X), (None, None, X))
    assert puzzles(wins, RNG, 99) == []
    draws = drawn(((1, 1), (2, 2), ()), (X, O, X), (None, None, None))
    assert puzzles(draws, RNG, 99) == []


@pytest.mark.parametrize(
    ('script', 'asked', 'found'),
    [
        ((0, 0, 0, 0), [3, 2, 1, 0], [0, 2, 1]),  # the last takes the place of what was drawn
        ((3, 2, 1, 0), [3, 2, 1, 0], [2, 1, 0]),
        ((1, 1, 1, 0), [3, 2, 1, 0], [1, 2, 0]),
    ],
    ids=count(),
)
def test_puzzles_are_drawn_among_all_positions(script, asked, found):
    rng = Scripted(script)
    assert [puzzle.state.at for puzzle in puzzles(GAME, rng, 99)] == found
    assert rng.asked == [(0, high) for high in asked]
    rng = Scripted(script)
    assert [puzzle.state.at for puzzle in puzzles(GAME, rng, 1)] == found[:1]
    assert puzzles(GAME, rng, 0) == []


# Weaker.


@pytest.mark.parametrize(
    ('more', 'fewer'), [(29, 0), (30, 0), (40, 2), (40, 5), (100, 30), (0, 0), (1, 0)]
)
def test_the_bound_is_one_in_a_thousand_million(more, fewer):
    both = more + fewer
    chance = sum(Fraction(comb(both, k), 2**both) for k in range(more, both + 1))
    one, two = [True] * more + [False] * fewer, [False] * more + [True] * fewer
    for alike in ([], [True] * 5, [False] * 5):
        assert _is_weaker(one + alike, two + alike) == (chance < Fraction(1, 10**9))
        assert not _is_weaker(two + alike, one + alike)


def test_exactly_at_the_bound_is_not_weaker(monkeypatch):
    """Of four positions all, which happens once in sixteen."""
    for chance, is_weaker in ((15, True), (16, False)):
        monkeypatch.setattr(strength, 'CHANCE', chance)
        assert _is_weaker([True] * 4, [False] * 4) is is_weaker


def puzzle(best, width=2):
    return Puzzle(SimpleNamespace(moves=range(width), best=best), (best,))


@pytest.fixture
def plays(monkeypatch):
    """Searches that play as they are told, by how many iterations; what was asked of them."""
    asked = []

    def told(right_with):
        def analyse(state, rng, search, *, engine):
            asked.append((state, rng, search, engine))
            is_right = right_with[search.iterations]
            return SimpleNamespace(move=state.best if is_right else 7), rng

        monkeypatch.setattr(strength, 'analyse', analyse)
        return asked

    return told


def lots(given):
    """The moves that are drawn by lot."""
    return [
        RNG.child(index).uniform(0, len(one.state.moves) - 1)[0] for index, one in enumerate(given)
    ]


@pytest.mark.parametrize(
    ('right', 'words'),
    [
        ((True, True, True), None),
        ((False, False, False), None),
        ((False, True, True), None),
        ((False, False, True), None),
        ((True, False, False), '40 are misplayed with 160 iterations, 0 with 10 iterations'),
        ((False, True, False), '40 are misplayed with 160 iterations, 0 with 40 iterations'),
        ((True, True, False), '40 are misplayed with 160 iterations, 0 with 10 iterations'),
    ],
    ids=count(),
)
def test_more_iterations_are_compared_with_fewer(right, words, plays):
    """The lots are half of them wrong, by which no search of these is weaker."""
    given = [puzzle(move) for move in lots([puzzle(0)] * 40)]
    given[:20] = [puzzle(1 - one.best[0]) for one in given[:20]]
    asked = plays(dict(zip((10, 40, 160), right, strict=True)))
    told = weaker(Search(5), 'inplace', given, RNG)
    assert told == (words and f'of 40 positions {words}')
    assert asked == [
        (one.state, RNG.child(index), Search(iterations), 'inplace')
        for iterations in (10, 40, 160)
        for index, one in enumerate(given)
    ]


def test_random_moves_can_be_better(plays):
    plays(dict.fromkeys((10, 40, 160), False))
    given = [puzzle(move, 3) for move in lots([puzzle(0, 3)] * 40)]
    assert weaker(Search(5), 'inplace', given, RNG) == (
        'of 40 positions 40 are misplayed with 160 iterations, 0 with moves by lot'
    )


@pytest.mark.parametrize(('width', 'fewest'), [(2, 10), (10, 10), (11, 11), (30, 30)])
def test_a_search_has_at_least_as_many_iterations_as_moves(width, fewest, plays):
    asked = plays(dict.fromkeys((fewest, 4 * fewest, 16 * fewest), True))
    assert weaker(Search(5), 'inplace', [puzzle(0), puzzle(0, width), puzzle(0)], RNG) is None
    assert [search.iterations for _, _, search, _ in asked[::3]] == [
        fewest,
        4 * fewest,
        16 * fewest,
    ]


def test_without_puzzles_no_search_is_weaker():
    assert weaker(Search(5), 'inplace', [], RNG) is None


# Small games.


@frozen
class Fan:
    """One move of so many, and one more."""

    width: int
    taken: int = -1
    player, winner = X, None
    over = property(lambda self: self.taken == self.width)
    moves = property(
        lambda self: range(self.width) if self.taken < 0 else () if self.over else (self.width,)
    )

    def play(self, move):
        return Fan(self.width, move)


def test_a_small_game_has_at_most_20_000_positions():
    assert is_small(Fan(3))
    assert is_small(Fan(19_999))
    assert not is_small(Fan(20_000))
