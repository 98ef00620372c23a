"""Invalid answers of networks: one line that says what is wrong."""

import math
from typing import NamedTuple

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, OnPositions
from fmcts.search.networks import answers_of, positions_of, rounded

RNG = SplitMix.from_seed(1)
START = tictactoe.start
NINTH = [1 / 9] * 9


def told(given):
    def net(_states):
        return given

    with pytest.raises(MethodError) as error:
        answers_of(net, [START, START])
    assert '\n' not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        (None, 'the network net must return a pair (priors, values), not None'),
        (([NINTH] * 2,), 'must return a pair (priors, values)'),
        (([NINTH], [0.5]), 'the network net gave 1 row of priors for 2 states'),
        (([NINTH] * 2, [0.5] * 3), 'the network net gave 3 values for 2 states'),
        (([NINTH] * 2, 0.5), 'the network net gave 0.5: expected values, one for each state'),
        (([0.5] * 2, [0.5] * 2), 'gave the priors 0.5: expected a row of numbers'),
        (([NINTH, NINTH[1:]], [0.5] * 2), 'gave 8 priors for a state with 9 moves'),
        (([NINTH, [math.nan] * 9], [0.5] * 2), 'expected finite numbers of at least 0'),
        (([NINTH, ['a'] * 9], [0.5] * 2), 'expected finite numbers of at least 0'),
        (([NINTH] * 2, [0.5, 1.5]), 'gave the value 1.5: expected a number from 0'),
        (([NINTH] * 2, [0.5, math.nan]), 'gave the value nan'),
        (([NINTH] * 2, [0.5, None]), 'gave the value None'),
    ],
)
def test_wrong_answers_are_reported_in_one_line(given, message):
    assert message in told(given)


def test_numbers_of_numpy_in_lists_are_taken_and_masked_arrays_refused():
    numpy = pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    half = numpy.float16(0.5)

    def found(prior, value):
        def net(states):
            return [[prior] * len(state.moves) for state in states], [value] * len(states)

        return analyse(START, RNG, Search(20, network=net, batch=4))[0].digest

    assert found(half, half) == found(0.5, 0.5)
    priors = numpy.ma.masked_array(numpy.ones((2, 9)), mask=[[False] * 8 + [True]] * 2)
    values = numpy.ma.masked_array(numpy.full(2, 0.5), mask=[False, True])
    assert 'expected finite numbers of at least 0' in told((priors, numpy.full(2, 0.5)))
    assert 'gave the value None' in told((numpy.ones((2, 9)), values))


EVEN = [1.0] * 48
WRONG = [
    (lambda n: ([EVEN] * (n + 1), [0.5] * n), 'rows of priors for'),
    (lambda n: ([EVEN] * n, [0.5] * (n - 1)), 'values for'),
    (lambda n: ([EVEN[1:]] * n, [0.5] * n), 'gave 47 priors for a state with'),
    (lambda n: ([[-1.0, *EVEN[1:]]] * n, [0.5] * n), 'expected finite numbers of at least 0'),
    (lambda n: ([[math.inf, *EVEN[1:]]] * n, [0.5] * n), 'expected finite numbers of at least 0'),
    (lambda n: ([EVEN] * n, [math.nan] * n), 'gave the value nan'),
    (lambda n: ([EVEN] * n, [2.0] * n), 'gave the value 2.0'),
    (lambda _: None, 'must return a pair'),
]


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'compiled'])
@pytest.mark.parametrize('as_arrays', [False, True])
def test_a_wrong_answer_in_mid_search_is_found_by_every_engine(engine, as_arrays):
    numpy = pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    pytest.importorskip('numba', reason='numba is missing: the extra fmcts[fast]')
    for wrong, message in WRONG:
        asked = []

        def net(positions, wrong=wrong, asked=asked):
            asked.append(len(positions))
            count = len(positions)
            given = wrong(count) if len(asked) == 4 else ([EVEN] * count, [0.5] * count)
            return tuple(map(numpy.array, given)) if as_arrays and given else given

        search = Search(60, network=OnPositions(net), batch=8)
        with pytest.raises(MethodError, match=message) as error:
            analyse(connect4.start, RNG, search, engine=engine)
        assert '\n' not in str(error.value)
        assert len(asked) == 4  # it is not asked again


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'compiled'])
def test_negative_zero_is_zero_in_every_engine(engine):
    numpy = pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    pytest.importorskip('numba', reason='numba is missing: the extra fmcts[fast]')

    def as_arrays(positions):
        priors = numpy.where(numpy.arange(48) % 7 == 0, -0.0, 1.0)
        return numpy.tile(priors, (len(positions), 1)), numpy.full(len(positions), -0.0)

    def as_lists(positions):
        priors, values = as_arrays(positions)
        return (priors + 0.0).tolist(), (values + 0.0).tolist()

    one, two = (Search(40, network=OnPositions(it), batch=8) for it in (as_arrays, as_lists))
    found, _ = analyse(connect4.start, RNG, one, engine=engine)
    assert found.digest == analyse(connect4.start, RNG, two, engine='persistent')[0].digest


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'compiled'])
def test_a_tree_can_be_continued_after_an_error(engine):
    pytest.importorskip('numba', reason='numba is missing: the extra fmcts[fast]')

    def net(positions):
        return [EVEN] * len(positions), [0.25] * len(positions)

    def broken(positions):
        raise MemoryError(f'no room for {len(positions)} positions')

    search, failing = (Search(40, network=OnPositions(it), batch=8) for it in (net, broken))
    first, _ = analyse(connect4.start, RNG, search, engine=engine)
    with pytest.raises(MemoryError, match='no room for 8 positions'):
        analyse(connect4.start, RNG, failing, engine=engine, tree=first)
    whole, _ = analyse(connect4.start, RNG, Search(80, network=search.network, batch=8))
    assert analyse(connect4.start, RNG, search, engine=engine, tree=first)[0] == whole


def test_a_row_by_key_is_normalised_over_the_legal_moves():
    state = START.play(4).play(0)
    row = [float(key) for key in range(9)]
    (answer,) = answers_of(lambda states: ([row] * len(states), [0.25] * len(states)), [state])
    legal = [1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0]
    assert answer.priors == tuple(rounded(number / 32.0) for number in legal)
    assert answer.for_x == 0.25
    (answer,) = answers_of(lambda _states: ([[0.0] * 9], [0.25]), [state.play(1)])
    assert answer.priors == (rounded(1 / 6),) * 6
    assert answer.for_x == 0.75


def test_rows_by_key_are_read_as_such_even_if_all_moves_are_legal():
    even = OnPositions(lambda rows: ([[1.0] * 9] * len(rows), [0.5] * len(rows)))
    (one, other) = answers_of(even, [START, START.play(0)])
    assert one.priors == (rounded(1.0 / 9.0),) * 9
    assert other.priors == (1.0 / 8.0,) * 8

    class Down(NamedTuple):
        left: int
        turn: int

    rules = IntegerRules(  # whose moves are 2, 1, 0: not in the order of their keys
        menu=lambda at: 0 if at.left >= 2 else 3 - at.left,
        count=lambda menu: menu,
        pick=lambda _menu, index: 2 - index,
        play=lambda at, _move: Down(at.left + 1, 1 - at.turn),
        side=lambda at: at.turn,
        winner=lambda _at: 2,
        keys=3,
    )
    game = make_game('down', Down(0, 0), rules)
    last = OnPositions(lambda rows: ([[0.0, 0.0, 9.0]] * len(rows), [0.5] * len(rows)))
    (one, other) = answers_of(last, [game.start, game.start.play(0)])
    assert (game.start.moves, one.priors) == ((2, 1, 0), (1.0, 0.0, 0.0))
    assert other.priors == (1.0, 0.0)


def test_answers_are_rounded_to_a_grid():
    assert [rounded(n / 2**21) * 2**20 for n in (0, 1, 2, 3, 5)] == [0, 0, 1, 2, 2]


def test_positions_become_rows_of_fields():
    numpy = pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    states = [connect4.start, connect4.start.play(3)]
    found = positions_of(states)
    assert found.dtype == numpy.int64
    assert found.tolist() == [[*connect4.start.compiled.pack(state)] for state in states]
