"""Generators: equal ones draw the same, children are independent, and texts are read back."""

import collections
import copy
import enum
import itertools
import pickle
import sys

import attrs
import pytest
from hypothesis import given, strategies as st
from returns.result import Success

from fmcts import Search, analyse, rng as rngs
from fmcts.games import tictactoe
from fmcts.rng import SplitMix, StdGen, thaw
from fmcts.testing import generators, words
from tiers import usually
from toy_games import Counter


class Number(enum.IntEnum):
    FIVE = 5


def future(rng):
    """Enough draws to see more than one block of words, and both halves of a split."""
    drawn = []
    for high in [8] * 100 + [10**6] * 3:
        number, rng = rng.uniform(0, high)
        drawn.append(number)
    return drawn, rng, rng.split(), rng.child(3)


def changes(rng):
    """The fields of a generator, each with another value."""
    first, second = attrs.astuple(rng)[:2]
    name_of_first, name_of_second = [field.name for field in attrs.fields(type(rng))[:2]]
    return [{name_of_first: 12345}, {name_of_second: second ^ 6 or 1}, {name_of_first: first}]


@given(generators(), st.integers(0, 130))
def test_evolve_gives_a_new_generator(rng, draws):
    """After some draws a generator has words in store; none of them may outlive a change."""
    for _ in range(draws):
        _, rng = rng.uniform(0, 100)
    for change in changes(rng):
        changed = attrs.evolve(rng, **change)
        plain = {field.name: getattr(rng, field.name) for field in attrs.fields(type(rng))[:2]}
        fresh = type(rng)(**{**plain, **change})
        assert changed == fresh
        assert future(changed) == future(fresh)


WAYS = {
    'copy': copy.copy,
    'deepcopy': copy.deepcopy,
    'evolve': attrs.evolve,
    'pickle': lambda rng: pickle.loads(pickle.dumps(rng)),  # noqa: S301 - our own bytes
    'thaw and freeze': lambda rng: thaw(rng).freeze(),
    'constructor': lambda rng: type(rng)(*attrs.astuple(rng)[:2]),
    'named fields': lambda rng: type(rng)(
        **{field.name: getattr(rng, field.name) for field in attrs.fields(type(rng)) if field.init}
    ),
    'text': lambda rng: eval(repr(rng)),  # noqa: S307 - our own text
}
if sys.version_info >= (3, 13):
    WAYS['replace'] = copy.replace


@pytest.mark.parametrize('way', WAYS)
@given(rng=generators(), draws=st.integers(0, 130))
def test_equal_generators_draw_the_same_however_made(way, rng, draws):
    for _ in range(draws):
        _, rng = rng.uniform(0, 100)
    made = WAYS[way](rng)
    assert (made, hash(made), repr(made)) == (rng, hash(rng), repr(rng))
    assert future(made) == future(rng)


@pytest.mark.parametrize('kind', [SplitMix, StdGen])
def test_numbers_of_a_subclass_become_plain(kind):
    assert repr(kind(Number.FIVE, 1)) == repr(kind(5, 1))
    assert future(kind(Number.FIVE, 7).child(Number.FIVE)) == future(kind(5, 7).child(5))
    for wrong in (True, 1.0, '1', None):
        with pytest.raises(TypeError, match='must be an integer, not '):
            kind(wrong, 1)


INFINITE = float('inf')


@pytest.mark.parametrize('kind', [SplitMix, StdGen])
@pytest.mark.parametrize(
    ('low', 'high'),
    [(0, 0.5), (0.0, 1), (INFINITE, 1), (0, INFINITE), (0, None), ('a', 1), (0, True), (0, 6.0)],
)
def test_bounds_must_be_integers(kind, low, high):
    with pytest.raises(TypeError, match='the bound of a range must be an integer, not '):
        kind.from_seed(1).uniform(low, high)


@pytest.mark.parametrize('kind', [SplitMix, StdGen])
@pytest.mark.parametrize('count', [0, -1, -2, -128, -129, -(10**30)])
def test_a_count_below_one_is_refused(kind, count):
    with pytest.raises(ValueError, match=f'^the count of a draw must be at least 1, not {count}$'):
        kind.from_seed(1).thaw().draw(count)


@pytest.mark.parametrize('kind', [SplitMix, StdGen])
@pytest.mark.parametrize('count', [0.5, 1.0, 2.0, 7.0, 500.0, 1e9, True, '2', None, INFINITE, -0.5])
def test_a_count_must_be_an_integer(kind, count):
    with pytest.raises(TypeError):
        kind.from_seed(1).thaw().draw(count)


def test_a_count_beyond_64_bits_is_refused():
    draws = SplitMix.from_seed(1).thaw()
    assert 0 <= draws.draw(2**64) < 2**64
    with pytest.raises(
        ValueError, match=f'must be at least 1 and at most {2**64}, not {2**64 + 1}'
    ):
        draws.draw(2**64 + 1)
    assert StdGen(1, 1).thaw().draw(2**70) < 2**70


class Least(SplitMix):
    """A generator that draws the least number."""

    def uniform(self, low, _high):
        return low, self


class Thawing(Least):
    def thaw(self):
        return SplitMix.from_seed(1).thaw()


def test_a_subclass_that_overrides_uniform_does_not_draw_by_the_inherited_thaw():
    draws = thaw(Least.from_seed(1))
    assert [draws.draw(1000) for _ in range(9)] == [0] * 9
    first, second = (analyse(tictactoe.start, it(1, 3), Search(50)) for it in (Least, SplitMix))
    assert first[0].digest != second[0].digest
    assert type(first[1]) is Least
    assert thaw(Thawing(1, 3)).draw(1000) == thaw(SplitMix.from_seed(1)).draw(1000)


@pytest.mark.parametrize('number', [-1, 3, 1.0, None])
def test_draws_of_a_generator_out_of_range_are_refused(number):
    class Wrong(Least):
        def uniform(self, _low, _high):
            return number, self

    with pytest.raises(ValueError, match=rf'Wrong\.uniform\(0, 2\) drew {number}, which'):
        thaw(Wrong(1, 3)).draw(3)


# ---- every generator ----


seeds = words() | words().map(lambda word: word - 2**63)
bounds = st.integers(-(2**40), 2**40)


@pytest.fixture(scope='module', params=[SplitMix, StdGen, Counter], ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@given(seed=seeds, low=bounds, high=bounds)
def test_bounds_hold_in_either_order(kind, seed, low, high):
    rng = kind.from_seed(seed)
    number, after = rng.uniform(low, high)
    assert min(low, high) <= number <= max(low, high)
    assert rng.uniform(high, low) == (number, after)


@given(seed=seeds, counts=st.lists(st.integers(1, 3_000_000), max_size=150))
def test_a_thawed_cursor_makes_the_same_draws(kind, seed, counts):
    rng = kind.from_seed(seed)
    draws = thaw(rng)
    for count in counts:
        expected, rng = rng.uniform(0, count - 1)
        assert draws.draw(count) == expected
    frozen = draws.freeze()
    assert frozen == rng
    assert thaw(frozen).draw(10**6) == rng.uniform(0, 10**6 - 1)[0]  # also of words computed ahead


# ---- children ----


PARENTS = [
    SplitMix.from_seed(0),
    SplitMix.from_seed(42),
    SplitMix(0, 1),
    StdGen(1, 1),
    StdGen(43, 1),
]


@pytest.fixture(params=usually(PARENTS[1:4], PARENTS), ids=str)
def parent(request):
    return request.param


def interleaved(parent, children, rounds, high):
    """One draw of each child in turn, again and again: neighbours in index stand side by side."""
    rngs = [parent.child(index) for index in range(children)]
    for _ in range(rounds):
        for index, rng in enumerate(rngs):
            number, rngs[index] = rng.uniform(0, high)
            yield number


def chi_square(counts, cells, total):
    expected = total / cells
    return sum((counts[cell] - expected) ** 2 for cell in range(cells)) / expected


def likely(cells):
    """Mean plus and minus 3.9 standard deviations of chi-square with `cells - 1` degrees."""
    degrees = cells - 1
    spread = 3.9 * (2 * degrees) ** 0.5
    return degrees - spread, degrees + spread


def test_first_draws_of_many_children_are_uniform(parent):
    counts = collections.Counter(interleaved(parent, 20_000, 1, 63))
    low, high = likely(64)
    assert low < chi_square(counts, 64, 20_000) < high


@pytest.mark.parametrize('children', [2, 500])
def test_adjacent_draws_are_independent(parent, children):
    """The serial test: pairs of successive numbers, within a round and across rounds."""
    numbers = list(interleaved(parent, children, 40_000 // children, 15))
    pairs = collections.Counter(
        one * 16 + two for one, two in zip(numbers[::2], numbers[1::2], strict=True)
    )
    low, high = likely(256)
    assert low < chi_square(pairs, 256, 20_000) < high


def test_birthday_spacings(parent):
    """Marsaglia: of 512 birthdays in 2**24 days, repeated spacings are Poisson with mean 2.

    512**3 / (4 * 2**24) = 2; over 40 years of 512 children each the sum has mean 80.
    """
    days = list(interleaved(parent, 512 * 40, 1, 2**24 - 1))
    repeated = 0
    for year in range(40):
        birthdays = sorted(days[512 * year : 512 * (year + 1)])
        spacings = [later - earlier for earlier, later in itertools.pairwise(birthdays)]
        repeated += len(spacings) - len(set(spacings))
    assert 80 - 3.9 * 80**0.5 < repeated < 80 + 3.9 * 80**0.5


def test_children_do_not_collide(parent):
    family = [parent.child(index) for index in range(30_000)]
    family += [parent.child(index).child(0) for index in range(30_000)]
    assert len(set(family)) == len(family)


def test_these_tests_can_fail():
    """Children that are only shifted along one stream overlap, and the tests say so."""

    class Shifted:
        def __init__(self, rng):
            self.rng = rng

        def child(self, index):
            return SplitMix((self.rng.state + index * self.rng.gamma) % 2**64, self.rng.gamma)

    numbers = list(interleaved(Shifted(SplitMix.from_seed(0)), 500, 80, 15))
    counts = collections.Counter(numbers)
    _, high = likely(16)
    assert chi_square(counts, 16, 40_000) > high


# ---- text ----


@given(generators())
def test_text_round_trips(rng):
    assert rngs.parse(rngs.format(rng)) == Success(rng)


@pytest.mark.parametrize(
    ('text', 'rng'),
    [
        ('splitmix:42', SplitMix.from_seed(42)),
        ('splitmix:5:7', SplitMix(5, 7)),
        ('stdgen:529669860:1', StdGen(529669860, 1)),
        (' stdgen:1:1\n', StdGen(1, 1)),
    ],
)
def test_accepted_forms(text, rng):
    assert rngs.parse(text) == Success(rng)


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('', 'expected splitmix:SEED, splitmix:STATE:GAMMA, stdgen:SEED or stdgen:S1:S2'),
        ('splitmix:1:2:3', 'expected splitmix:SEED'),
        ('splitmix:1.5', 'expected splitmix:SEED'),
        ('splitmix:१', 'expected splitmix:SEED'),
        ('splitmix:1:2', 'must be odd, not 2'),
        (f'splitmix:{2**64}', 'a seed must lie in'),
        ('stdgen:0:1', 's1 must lie in 1 .. 2147483562, not 0'),
    ],
)
def test_malformed_text_is_reported(text, complaint):
    why = rngs.parse(text).failure()
    assert why.startswith(f'generator {text!r}: ')
    assert complaint in why
    assert '\n' not in why.removeprefix(f'generator {text!r}')


def test_an_unknown_generator_has_no_text():
    with pytest.raises(TypeError, match='no text form is known'):
        rngs.format(object())
