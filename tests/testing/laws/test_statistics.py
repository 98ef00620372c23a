"""Laws that hold up to chance: at the bound, and one beyond it."""

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import pytest

from fmcts import Search, SplitMix
from fmcts.games import connect4, tictactoe
from fmcts.testing._laws import statistics
from fmcts.testing._laws.statistics import (
    BITS,
    BOUND,
    CHANCE,
    DRAWS,
    SERVED,
    SIZES,
    SLACK,
    Shuffled,
    is_weaker,
    puzzles,
    swaps,
    uneven_children,
    uneven_numbers,
    uneven_pairs,
    weaker,
)

RNG = SplitMix.from_seed(1)


class Even:
    """A generator whose draws are in turn; of one size `extra` more are 0 instead of the last."""

    def __init__(self, size=0, extra=0, refused=math.inf, drawn=0):
        self.size, self.extra, self.refused, self.drawn = size, extra, refused, drawn

    def uniform(self, _low, high):
        count = high + 1
        if count >= self.refused:
            raise ValueError('too wide')
        number = self.drawn % 3 * (count // 3) if count % 3 == 0 else self.drawn % count
        if count == self.size and number * 3 // 2 >= count - 1 and self.drawn < 3 * self.extra:
            number = 0
        return number, Even(self.size, self.extra, self.refused, self.drawn + 1)


@pytest.mark.parametrize('bits', [1, 31, 62])
def test_thirds_of_wide_ranges_are_counted(bits):
    fair = [DRAWS // 3 + (place < DRAWS % 3) for place in range(3)]
    for extra in range(SLACK - 3, SLACK + 3):
        told = uneven_numbers(Even(3 << bits, extra))
        counts = fair[0] + extra, fair[2] - extra
        off = max(abs(count - Fraction(DRAWS, 3)) for count in counts) >= SLACK
        assert (told is not None) == off
        if off:
            assert f'of {DRAWS} draws of uniform(0, {(3 << bits) - 1}) lie in the ' in told


def test_wide_ranges_may_be_refused():
    assert uneven_numbers(Even(refused=SERVED + 1)) is None
    with pytest.raises(ValueError, match='too wide'):
        uneven_numbers(Even(refused=3 << 29))


def never(missing):
    """A generator whose stream lacks one value."""

    def uniform(rng, low, high):
        number, after = rng.rng.uniform(low, high)
        return (0 if number == missing else number), type(rng)(after)

    return type(
        'Never', (), {'__init__': lambda self, rng: setattr(self, 'rng', rng), 'uniform': uniform}
    )


@pytest.mark.parametrize('size', SIZES[:-1])
def test_numbers_of_small_ranges_are_counted(size):
    """A number that is never drawn is noticed in the first range that has it."""
    if size > 2:
        fewer = [each for each in SIZES if each < size][-1]
        missing = fewer  # the least number of this range that no smaller one has
        told = uneven_numbers(never(missing)(RNG))
        assert told.partition(' of ')[2].startswith(f'{DRAWS} draws of uniform(0, {size - 1}) are ')
    else:
        assert uneven_numbers(never(1)(RNG)) == f'{DRAWS} of {DRAWS} draws of uniform(0, 1) are 0'


class Alternates:
    """Each number comes as often as the others, and never twice in a row."""

    def __init__(self, drawn=0):
        self.drawn = drawn

    def uniform(self, _low, high):
        return self.drawn % (high + 1), Alternates(self.drawn + 1)

    def child(self, index):
        return Alternates(0 if index < SLACK * 3 else index)


def test_pairs_and_children_are_counted():
    assert uneven_pairs(RNG) is uneven_children(RNG) is uneven_numbers(RNG) is None
    assert (
        uneven_pairs(Alternates()) == f'none of {DRAWS} pairs of draws of uniform(0, 1) are (0, 0)'
    )
    assert uneven_children(Alternates()).startswith('the first draw of uniform(0, 2) is 0 for ')


def test_the_documented_bounds():
    """Hoeffding: 2 exp(-2 t**2 / n) for each of fewer than 500 counts."""
    chance = 2 * math.exp(-2 * SLACK**2 / DRAWS)
    counts = sum(SIZES) + 3 * len(BITS) + 4 + 9 + 3
    assert counts < 500
    assert chance < 1e-17
    assert counts * chance < 1e-14
    assert 2 * math.exp(-(BOUND**2) / 2) < 1e-10


@pytest.mark.parametrize(
    ('more', 'fewer'), [(29, 0), (30, 0), (31, 0), (40, 2), (40, 5), (100, 30), (0, 40)]
)
def test_the_sign_test_is_exact(more, fewer):
    both = more + fewer
    chance = sum(Fraction(math.comb(both, k), 2**both) for k in range(more, both + 1))
    one, two = [True] * more + [False] * fewer, [False] * more + [True] * fewer
    assert is_weaker(one, two) == (chance < Fraction(1, CHANCE))


# Symmetry.


def test_shuffled_states_are_the_same_game_in_another_order():
    state = Shuffled(connect4.start.play(3), 5)
    assert sorted(state.moves) == [*connect4.start.moves]
    assert state.moves == Shuffled(connect4.start.play(3), 5).moves
    assert len({Shuffled(connect4.start, seed).moves for seed in range(20)}) > 15
    assert state.play(3).inner == connect4.start.play(3).play(3)
    assert (state.player, state.over, state.winner) == (state.inner.player, False, None)
    assert state.key(3) == state.inner.key(3)
    assert state.compiled is connect4.Connect4.compiled
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        state.nothing  # noqa: B018 - looking it up is the test
    with pytest.raises(AttributeError):
        object.__new__(Shuffled).other  # noqa: B018 - as copies are made


def test_pairs_of_moves_that_a_symmetry_exchanges():
    assert swaps(tictactoe.start, lambda move: 8 - move) == [(0, 8), (1, 7), (2, 6), (3, 5)]
    assert swaps(tictactoe.start, lambda move: move) == []
    for wrong in (lambda move: move + 1, lambda move: (move + 1) % 9):
        with pytest.raises(ValueError, match='a symmetry must map the moves of the start to each'):
            swaps(tictactoe.start, wrong)


@pytest.mark.parametrize(('more', 'is_told'), [(BOUND * 10, False), (BOUND * 10 + 1, True)])
def test_the_bound_is_a_number_of_deviations(monkeypatch, more, is_told):
    """Of a hundred differences of one or none, the root of the sum of their squares is 10."""
    signs = itertools.chain([1] * more, [1, -1] * 50)

    def analyse(state, _rng, _search, engine):
        assert (type(state), engine) == (Shuffled, 'inplace')
        sign = next(signs) if more % 2 == 0 or not is_told else 1
        visits = {move: 50 + (sign if move == 0 else 0) for move in state.moves}
        stats = [SimpleNamespace(move=move, visits=count) for move, count in visits.items()]
        return SimpleNamespace(stats=stats), None

    monkeypatch.setattr(statistics, 'analyse', analyse)
    told = statistics.favoured(Search(9), 'inplace', tictactoe.start, RNG, [lambda move: 8 - move])
    assert (told is not None) == is_told


# Strength.


def worth(state, player):
    """What perfect play gives the player, by trying everything."""
    if state.over:
        return 0 if state.winner is None else 1 if state.winner is player else -1
    pick = max if state.player is player else min
    return pick(worth(state.play(move), player) for move in state.moves)


def test_puzzles_are_positions_with_a_best_move():
    late = tictactoe.parse('XO.OX....').unwrap()
    states = [late, *map(late.play, late.moves)]
    found = dict(puzzles(states, RNG))
    for state in states:
        values = {move: worth(state.play(move), state.player) for move in state.moves}
        best = [move for move, value in values.items() if value == max(values.values())]
        assert found.get(state, [*state.moves]) == best


@pytest.mark.parametrize(
    ('right', 'words'),
    [
        ((10, 40, 160), None),
        ((), None),
        ((10,), 'of 40 positions 40 are misplayed with 160 iterations, 0 with 10 iterations'),
        ((40,), 'of 40 positions 40 are misplayed with 160 iterations, 0 with 40 iterations'),
    ],
    ids=str,
)
def test_fewer_iterations_may_not_be_better(monkeypatch, right, words):
    """Here it depends on the number of iterations alone whether the best move is found."""

    def analyse(_state, _rng, search, engine):
        assert engine == 'inplace'
        return SimpleNamespace(move=0 if search.iterations in right else 1), None

    monkeypatch.setattr(statistics, 'analyse', analyse)
    given = [(tictactoe.start, [0])] * 40
    assert weaker(Search(), 'inplace', given, RNG) == words
    few = given[:29]  # two to the power of 29 is less than 10**9
    assert weaker(Search(), 'inplace', few, RNG) is None
    assert weaker(Search(), 'inplace', [], RNG) is None


def test_random_moves_may_not_be_better(monkeypatch):
    found = SimpleNamespace(move='none'), None
    monkeypatch.setattr(statistics, 'analyse', lambda *_, **__: found)
    given = [(tictactoe.start, [*range(9)])] * 40
    told = weaker(Search(), 'inplace', given, RNG)
    assert told == 'of 40 positions 40 are misplayed with 160 iterations, 0 with random moves'
