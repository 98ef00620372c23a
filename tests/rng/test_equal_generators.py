"""Equal generators draw the same, however they were made; arguments must be integers."""

import copy
import enum
import pickle
import sys

import attrs
import pytest
from hypothesis import given, strategies as st

from fmcts import Search, analyse
from fmcts.games import tictactoe
from fmcts.rng import SplitMix, StdGen, thaw
from fmcts.testing import generators, words
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
