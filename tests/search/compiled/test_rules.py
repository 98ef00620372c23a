"""Rules compiled and interpreted: that they agree, and what is said when they do not."""

import re
from typing import NamedTuple, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, typeof
from returns.result import Success

from fmcts import EngineError, Search, SplitMix, StdGen, analyse, bits
from fmcts.game import MAX_PLIES
from fmcts.games import GAMES, connect4
from fmcts.games.rules import connect4 as connect4_rules
from fmcts.rules import IntegerRules, check_rules
from fmcts.search.compiled import engine, flat_playouts
from fmcts.search.compiled.numba_support import bits as compiled_bits
from fmcts.search.compiled.numba_support.generators import draw, exact, kind_of, words_of
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.description import Expansion
from fmcts.search.driver import drive
from fmcts.search.errors import RulesError
from fmcts.search.playouts import playouts
from fmcts.search.tree import plant
from fmcts.search.watch import ignore
from fmcts.testing import words as drawn_words

WORDS = drawn_words()


@pytest.mark.parametrize('game', GAMES)
def test_the_librarys_games_agree(game):
    """A hundred thousand plies of each take a minute or less: docs/compiled_games.md tells how."""
    assert check_rules(GAMES[game].start, plies=4_000) == Success(4_000)
    assert check_rules(GAMES[game].start, plies=1_250, rng=StdGen.from_seed(9)) == Success(1_250)


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


@njit
def replaced(words, place, word):
    return bits.replaced(words, place, word)


@given(words=st.tuples(WORDS, WORDS, WORDS), place=st.integers(0, 2), word=WORDS)
def test_a_word_is_replaced(words, place, word):
    found = replaced(tuple(map(signed, words)), place, signed(word))
    assert [number & bits.WORD for number in found] == [*bits.replaced(words, place, word)]


by_clearing = njit(compiled_bits._by_clearing)


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
    register(shifted)
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
    seed=WORDS,
    counts=st.lists(
        st.one_of(st.integers(1, 20), st.integers(1, 2**31 - 1)), min_size=1, max_size=60
    ),
)
@pytest.mark.parametrize('kind', [SplitMix, StdGen])
def test_draws(kind, seed, counts):
    rng = kind.from_seed(seed)
    out = np.zeros(len(counts), np.int64)
    after = DRAWS[kind](exact(words_of(rng)), np.array(counts), out)
    cursor = rng.thaw()
    assert out.tolist() == [cursor.draw(count) for count in counts]
    assert words_of(cursor.freeze()) == exact(after)


class Half(NamedTuple):
    left: float
    turn: int


def raising(p):
    if p.left < 18:
        raise ValueError('too few\nof them')
    return min(p.left, 3)


SMALL = bits.Table([3] * 18)

# Rules that Python runs: what they say wrongly, or how they fail.
WRONG = [
    (
        {'menu': lambda p: min(p.left, 2)},
        'at the start, the number of moves: 2 interpreted, 3 by Heap',
    ),
    ({'side': lambda p: 1 - p.turn}, 'at the start, the side to move: 1 interpreted, 0 by Heap'),
    ({'winner': lambda p: p.turn}, ', the winner: '),
    ({'winner': lambda _: 3}, ', the winner: 3 interpreted, '),
    ({'menu': lambda p: p.left and 3}, ', the number of moves: 3 interpreted, '),
    (
        {'menu': lambda p: min(p.left, 3) or 1},
        ', whether the game is over: False interpreted, True',
    ),
    (
        {'pick': lambda _menu, index: 3 - index},
        'move number 0 (3 by pick), which is 1 there, leads to the field left of the position: 18 ',
    ),
    (
        {'pick': lambda _menu, index: (1, 3, 2)[index]},
        'move number 1 (3 by pick), which is 2 there',
    ),
    ({'pick': lambda _menu, index: index + (1 << 40)}, 'gave 1099511627776 for move number 0: it '),
    ({'pick': lambda _menu, _index: -(1 << 40)}, 'gave -1099511627776 for move number 0: it must'),
    ({'pick': lambda _menu, _index: 1}, 'pick gave 1 for move number 0 and for move number 1'),
    ({'count': lambda menu: menu if menu == 3 else 0}, 'the number of moves: 0 interpreted, '),
    ({'count': lambda menu: menu << 25}, 'at the start, the number of moves: 100663296 interpr'),
    ({'play': lambda p, _: [p]}, 'which is no position as Half'),
    (
        {'play': lambda p, _: p},
        'leads to the field left of the position: 21 interpreted, 20 by Heap',
    ),
    ({'menu': raising}, ', menu raised ValueError: too few'),
    ({'menu': lambda p: SMALL[p.left]}, 'at the start, menu raised IndexError: '),
    ({'menu': lambda p: min(p.left, 3) / 1}, 'at the start, menu gave 3.0, which is no integer'),
    ({'menu': lambda _: 3 << 70}, 'menu gave 3541774862152233910272, which does not fit in 64'),
    ({'pack': lambda _: Half(0.5, 0)}, "field 'left' of a position must be an integer"),
    ({'pack': lambda heap: (heap.left, 0)}, 'must be a NamedTuple of integers'),
    ({'pack': lambda heap: heap.nothing}, 'at the start, pack raised AttributeError: '),
]


@pytest.mark.parametrize(('changed', 'complaint'), WRONG)
def test_disagreements_are_told(with_rules, changed, complaint):
    found = check_rules(with_rules(**changed)(21), plies=200).failure()
    assert complaint.replace('as Half', 'as HeapPosition(left=21, turn=0)') in found
    assert '\n' not in found


@pytest.mark.parametrize('engine', ['auto', 'compiled'])
@pytest.mark.parametrize(('changed', 'complaint'), WRONG)
def test_wrong_rules_are_refused_by_the_first_small_search(with_rules, engine, changed, complaint):
    state = with_rules(**changed)(21)
    for act in (
        lambda: analyse(state, SplitMix.from_seed(1), Search(1), engine=engine),
        lambda: playouts(state, SplitMix.from_seed(1), 1, engine=engine),
        lambda: analyse(state.play(1), SplitMix.from_seed(1), Search(2_000), engine=engine),
    ):
        with pytest.raises(EngineError) as refused:
            act()
        assert complaint.replace('as Half', 'as HeapPosition(left=21, turn=0)') in str(
            refused.value
        )
        assert 'fmcts.rules.check_rules' in str(refused.value)
        assert '\n' not in str(refused.value)
    analyse(state, SplitMix.from_seed(1), Search(10), engine='inplace')  # it asks no such rules


def engine_run(expansion):
    def run(state):
        search = Search(500, expansion=expansion)
        drive(engine.begin(plant(state), SplitMix.from_seed(1), search), search, ignore)

    return run


RUNS = {
    **{kind: engine_run(kind) for kind in get_args(Expansion) if kind != 'selected'},
    'flat': lambda state: flat_playouts.playouts(
        state, SplitMix.from_seed(1), 500, MAX_PLIES, ignore
    ),
}


BROKEN = [
    ({'winner': lambda _: 3}, 'gave a winner that is not 0, 1 or 2'),
    ({'winner': lambda _: -1}, 'gave a winner that is not 0, 1 or 2'),
    ({'pick': lambda m, index: index + 1 + (1 << 40) * (m < 3)}, 'does not fit in 32 bits'),
    ({'pick': lambda m, index: index + 1 - (1 << 40) * (m < 3)}, 'does not fit in 32 bits'),
    ({'pick': lambda _m, index: index + 1 - (1 << 40) * (index > 1)}, 'not fit in 32 bits'),
    ({'count': lambda menu: menu if menu == 3 else 0}, 'fewer than 1 or more than'),
    ({'play': lambda p, _: [p]}, 'cannot be compiled'),
    ({'count': lambda menu: menu if menu == 3 else (1 << 24) + 1}, 'fewer than 1 or more than'),
    ({'count': lambda menu: menu if menu == 3 else -1}, 'fewer than 1 or more than'),
]
# Each is machine code of its own: every fault in two kinds of runs, every kind with four faults.
IN_RUNS = [
    (number, run)
    for number in range(len(BROKEN))
    for place, run in enumerate(RUNS)
    if (place - number) % len(RUNS) < 2
]


@pytest.mark.parametrize(('number', 'run'), IN_RUNS)
def test_broken_rules_do_no_harm_where_nothing_was_compared(with_rules, number, run):
    """As when a rule is only wrong where a brief comparison does not come."""
    changed, complaint = BROKEN[number]
    with pytest.raises(RulesError, match=complaint):
        RUNS[run](with_rules(**changed)(5))


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
