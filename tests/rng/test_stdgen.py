"""StdGen against the article's printed sessions (those of the bots are in tests/bots)."""

import pytest

from fmcts.rng import StdGen


@pytest.mark.parametrize(
    ('before', 'count', 'index', 'after'),
    [
        (StdGen(1314174216, 1), 3, 2, StdGen(2084555406, 40692)),
        (StdGen(1984310674, 1), 3, 1, StdGen(1297534637, 40692)),
    ],
)
def test_first_draw_of_a_printed_session(before, count, index, after):
    assert before.uniform(0, count - 1) == (index, after)


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


def test_a_wide_range_reads_draws_as_digits():
    rng = StdGen(12345, 67890)
    first, after = rng.word()
    second, _ = after.word()
    span = 10**10
    assert rng.uniform(0, span - 1)[0] == ((first - 1) * 2147483562 + second - 1) % span


def test_split_wraps_at_both_ends():
    middle = StdGen(2147483562, 1).word()[1]
    left, right = StdGen(2147483562, 1).split()
    assert left == StdGen(1, middle.s2)
    assert right == StdGen(middle.s1, 2147483398)


@pytest.mark.parametrize(('s1', 's2'), [(0, 1), (1, 0), (2147483563, 1), (1, 2147483399)])
def test_states_out_of_range_are_refused(s1, s2):
    with pytest.raises(ValueError, match=r's[12] must lie in 1 \.\. 214748'):
        StdGen(s1, s2)
