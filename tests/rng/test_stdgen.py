"""StdGen against the article's printed sessions (those of the bots are in tests/bots)."""

import pytest
from hypothesis import given, strategies as st

from fmcts.rng import StdGen

MODULUS1, MODULUS2 = 2147483563, 2147483399
generators = st.builds(StdGen, st.integers(1, MODULUS1 - 1), st.integers(1, MODULUS2 - 1))


def drawn(rng):
    """L'Ecuyer's figure 3: a raw draw, in divisions that 32 bits are enough for."""
    k = rng.s1 // 53668
    s1 = 40014 * (rng.s1 - k * 53668) - k * 12211
    s1 += MODULUS1 if s1 < 0 else 0
    k = rng.s2 // 52774
    s2 = 40692 * (rng.s2 - k * 52774) - k * 3791
    s2 += MODULUS2 if s2 < 0 else 0
    z = s1 - s2
    return (z + MODULUS1 - 1 if z < 1 else z), StdGen(s1, s2)


@given(generators)
def test_raw_draws_equal_l_ecuyer_s_article(rng):
    for _ in range(5):
        assert rng.word() == drawn(rng)
        _, rng = rng.word()


@pytest.mark.parametrize(
    ('difference', 'draw'), [(-1, 2147483561), (0, 2147483562), (1, 1), (2, 2)]
)
def test_raw_draws_where_the_states_meet(difference, draw):
    """The states before are found by division: 1234567 and the state that differs by so much."""
    s1 = (1234567 + difference) * pow(40014, -1, MODULUS1) % MODULUS1
    s2 = 1234567 * pow(40692, -1, MODULUS2) % MODULUS2
    assert StdGen(s1, s2).word() == (draw, StdGen(1234567 + difference, 1234567))


@given(generators)
def test_split_equals_random_1_1(rng):
    """Each half has one state of the next generator, and the other state one on or one back."""
    _, after = rng.word()
    left, right = rng.split()
    assert left == StdGen(rng.s1 % (MODULUS1 - 1) + 1, after.s2)
    assert right == StdGen(after.s1, (rng.s2 - 2) % (MODULUS2 - 1) + 1)


def test_golden_children():
    """Pinned: games of a match that were played with a child must stay the same."""
    rng = StdGen(43, 7)
    assert rng.child(0) == StdGen(1398661917, 1490577351)
    assert rng.child(1) == StdGen(1067039999, 776104848)
    assert rng.child(2) == StdGen(1466136856, 1069873722)
    assert rng.child(1000) == StdGen(1288803674, 618070478)
    assert rng.child(2**64 - 1) == StdGen(1203552575, 1613350620)


@pytest.mark.parametrize(
    ('seed', 'state'),
    [
        (0, (1, 1)),
        (42, (43, 1)),
        (2147483561, (2147483562, 1)),
        (2147483562, (1, 2)),
        (-1, (86, 2)),  # 2147483647 after its sign bit is cleared: 1 * 2147483562 + 85
        (-(2**31), (1, 1)),
    ],
)
def test_seed_clears_the_sign_bit(seed, state):
    assert StdGen.from_seed(seed) == StdGen(*state)


def test_a_range_of_one_consumes_a_draw():
    rng = StdGen(1, 1)
    assert rng.uniform(5, 5) == (5, rng.word()[1])


def test_a_wide_range_takes_as_many_draws_as_it_needs():
    """2147483 numbers need one raw draw, 2147484 two: magnitude 2147483562 against 1000 * k."""
    rng = StdGen(1, 1)
    after_one = rng.word()[1]
    after_two = after_one.word()[1]
    assert rng.uniform(1, 2147483)[1] == after_one
    assert rng.uniform(1, 2147484)[1] == after_two


def test_a_very_wide_range_takes_three_draws_or_more():
    """A thousand times the range must be covered: 2147483562**2 against 1000 * k."""
    rng = StdGen(1, 1)
    after_two = rng.word()[1].word()[1]
    widest = 2147483562**2 // 1000
    assert rng.uniform(1, widest)[1] == after_two
    assert rng.uniform(1, widest + 1)[1] == after_two.word()[1]


def test_a_wide_range_reads_draws_as_digits():
    rng = StdGen(12345, 67890)
    first, after = rng.word()
    second, _ = after.word()
    span = 10**10
    assert rng.uniform(0, span - 1)[0] == ((first - 1) * 2147483562 + second - 1) % span


@pytest.mark.parametrize(('s1', 's2'), [(0, 1), (1, 0), (2147483563, 1), (1, 2147483399)])
def test_states_out_of_range_are_refused(s1, s2):
    with pytest.raises(ValueError, match=r's[12] must lie in 1 \.\. 214748'):
        StdGen(s1, s2)
