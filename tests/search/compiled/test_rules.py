"""Rules compiled and interpreted: that they agree, and what is said when they do not."""

import re
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, typeof
from returns.result import Success

from fmcts import EngineError, Search, SplitMix, StdGen, analyse, bits
from fmcts.games import GAMES, connect4
from fmcts.games.rules import connect4 as connect4_rules
from fmcts.rules import IntegerRules
from fmcts.search.compiled import check_rules, words
from fmcts.search.compiled.generators import draw, exact, kind_of, thaw
from fmcts.search.compiled.teach import teach

WORDS = st.integers(0, bits.WORD)


@pytest.mark.parametrize('game', GAMES)
def test_the_librarys_games_agree(game):
    """A million plies of each take 15 to 60 seconds: docs/compiled_games.md has the command."""
    assert check_rules(GAMES[game].start, plies=20_000) == Success(20_000)
    assert check_rules(GAMES[game].start, plies=2_500, rng=SplitMix.from_seed(9)) == Success(2_500)


def signed(word):
    return np.int64(word - (word >> 63 << 64))


@njit
def every_helper(word, condition, index):
    return (
        bits.popcount(word),
        bits.lowest_bit(word),
        bits.highest_bit(word),
        bits.keep_if(word, condition),
        bits.nth_bit(word, index) if index < bits.popcount(word) else -1,
    )


@given(word=WORDS, condition=WORDS, index=st.integers(0, 63))
def test_the_helpers_of_bits(word, condition, index):
    found = every_helper(signed(word), signed(condition), index)
    expected = every_helper.py_func(word, condition, index)
    assert [number & bits.WORD for number in found] == [n & bits.WORD for n in expected]


by_clearing = njit(words._by_clearing)


@given(word=WORDS.filter(bool), data=st.data())
def test_the_nth_bit_without_the_instruction_for_it(word, data):
    index = data.draw(st.integers(0, bits.popcount(word) - 1))
    assert by_clearing(signed(word), index) == bits.nth_bit(word, index)


def shifted(step, mask, one, other):
    up = mask & one << step
    up |= mask & (other >> step)
    return up * 3 & mask


@njit
def union(one, other, mask):
    return bits.union_of_four(shifted, (1, 7, 8, 9), (mask, 255, 65535, 1 << 40), one, other)


@given(one=WORDS, other=WORDS, mask=WORDS)
def test_four_at_once(one, other, mask):
    teach(shifted)
    found = union(signed(one), signed(other), signed(mask))
    assert found & bits.WORD == union.py_func(one, other, mask) & bits.WORD


TABLE = bits.Table([0, 1, bits.WORD, 1 << 63])


@njit
def looked_up(index):
    return TABLE[index]


def test_tables():
    for index in range(4):
        assert looked_up(index) & bits.WORD == TABLE[index]


def drawing(make):
    """`draw` from a generator of that kind, once for each count."""

    @njit
    def draws(words, counts, out):
        rng = make(words[0], words[1])
        for place, count in enumerate(counts):
            out[place], rng = draw(rng, count)
        return rng[0], rng[1]

    return draws


DRAWS = {kind: drawing(kind_of(kind.from_seed(1))) for kind in (SplitMix, StdGen)}


@given(
    seed=st.integers(0, bits.WORD),
    counts=st.lists(
        st.one_of(st.integers(1, 20), st.integers(1, 2**31 - 1)), min_size=1, max_size=60
    ),
)
@pytest.mark.parametrize('kind', [SplitMix, StdGen])
def test_draws(kind, seed, counts):
    rng = kind.from_seed(seed)
    out = np.zeros(len(counts), np.int64)
    after = DRAWS[kind](exact(thaw(rng)), np.array(counts), out)
    cursor = rng.thaw()
    assert out.tolist() == [cursor.draw(count) for count in counts]
    assert thaw(cursor.freeze()) == exact(after)


class Half(NamedTuple):
    left: float
    turn: int


@pytest.mark.parametrize(
    ('changed', 'complaint'),
    [
        ({'menu': lambda p: min(p.left, 2)}, 'the number of moves: 2 compiled, 2 interpreted, 3'),
        ({'side': lambda p: 1 - p.turn}, 'at the start, the side to move: 1 compiled'),
        ({'winner': lambda p: p.turn}, 'the winner: '),
        ({'pick': lambda _menu, index: 3 - index}, 'the field left of the position: '),
        ({'menu': lambda p: p.left & 3 << 70}, 'compiled'),
        ({'play': lambda p, _: [p]}, r'cannot be compiled'),
        ({'pack': lambda _: Half(0.5, 0)}, "field 'left' of a position must be an integer"),
        ({'pack': lambda heap: (heap.left, 0)}, 'must be a NamedTuple of integers'),
    ],
)  # fmt: skip
def test_disagreements_are_told(with_rules, changed, complaint):
    found = check_rules(with_rules(**changed)(21), plies=500).failure()
    assert re.search(complaint, found)
    assert '\n' not in found


@pytest.mark.parametrize(
    ('changed', 'complaint'),
    [
        ({'menu': lambda p: min(p.left, 2)}, 'disagree with Heap, which has 3 moves here'),
        ({'winner': lambda _: 3}, 'gave a winner that is not 0, 1 or 2'),
        ({'pick': lambda _menu, index: index + (1 << 40)}, 'does not fit in 32 bits'),
        ({'count': lambda menu: menu if menu == 3 else 0}, 'fewer than 1 or more than'),
        ({'play': lambda p, _: p}, r'a game of more than 2\*\*24 plies'),
        ({'play': lambda p, _: [p]}, 'cannot be compiled'),
    ],
)
def test_broken_rules_do_no_harm(with_rules, changed, complaint):
    with pytest.raises(EngineError, match=complaint):
        analyse(with_rules(**changed)(5), SplitMix.from_seed(1), Search(500), engine='compiled')


def test_fields_of_other_integers_are_settled(with_rules, position):
    """Rules may make booleans of fields; positions stay what they were."""
    heap = with_rules(play=lambda p, taken: position(p.left - taken, not p.turn))
    assert check_rules(heap(21), plies=500) == Success(500)
    search = Search(300)
    one, two = (
        analyse(heap(21), SplitMix.from_seed(1), search, engine=engine)
        for engine in ('compiled', 'inplace')
    )
    assert one == two


def test_default_rules_are_sets_of_bits():
    rules = connect4.Connect4.compiled
    menu = rules.menu(rules.pack(connect4.start))
    assert isinstance(rules, IntegerRules)
    assert menu == connect4_rules.BOTTOM
    assert rules.count(menu) == 7
    assert [rules.pick(menu, index) // 7 for index in range(7)] == list(range(7))


def test_rules_that_look_up_in_numpy_s_tables_are_checked(with_rules):
    table = np.minimum(np.arange(22), 3)
    sides = np.array([0, 1])
    rules = with_rules(
        menu=lambda position: table[position.left],
        pick=lambda menu, index: 0 * bits.popcount(menu) + index + 1,
        side=lambda position: sides[position.turn],
    )
    assert check_rules(rules(21), plies=500) == Success(500)


OF_ONE_LENGTH = bits.Table([5, 6, 7]), bits.Table([8, 9, 1 << 63])
ONE, OTHER = OF_ONE_LENGTH


@njit
def both_looked_up(index):
    return ONE[index], OTHER[index], ONE[2 - index]


def test_tables_of_one_length_are_told_apart():
    """Also in one function, where the data of both lie in one module of LLVM."""
    for index in range(3):
        expected = ONE[index], OTHER[index], ONE[2 - index]
        assert tuple(word & bits.WORD for word in both_looked_up(index)) == expected
    assert typeof(ONE) != typeof(OTHER)
    assert typeof(ONE) == typeof(bits.Table(ONE))
    (code,) = both_looked_up.inspect_llvm().values()
    assert set(re.findall(r'^@[^ ]+ = .*\[3 x i64\] \[(.*)\]', code, re.MULTILINE)) == {
        'i64 5, i64 6, i64 7',
        f'i64 8, i64 9, i64 {-1 << 63}',
    }
