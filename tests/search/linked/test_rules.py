"""Compiled and interpreted rules agree, or the difference is reported."""

from typing import NamedTuple, get_args

import pytest
from attrs import evolve, frozen
from returns.result import Success

from fmcts import Search, SplitMix, StdGen, bits
from fmcts._engines.driver import drive
from fmcts._linked import engine, flat as flat_playouts
from fmcts.errors import RulesError
from fmcts.game import MAX_PLIES
from fmcts.games import GAMES
from fmcts.search._description import Expansion
from fmcts.search._tree import plant
from fmcts.search._watch import ignore
from fmcts.testing import check_rules
from tiers import usually


# The playouts of all, as machine code, equal Python's in test_flat_playouts.
@pytest.mark.parametrize('game', usually(['connect4'], GAMES))
def test_the_library_s_games_pass(game):
    """A hundred thousand plies of each take a minute or less: docs/compiled_games.md tells how."""
    assert check_rules(GAMES[game].start, plies=2_000) == Success(2_000)
    assert check_rules(GAMES[game].start, plies=300, rng=StdGen.from_seed(9)) == Success(300)


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
    (
        {'menu': lambda p: min(p.left, 3) or 1},
        ', whether the game is over: False interpreted, True',
    ),
    (
        {'pick': lambda _menu, index: 3 - index},
        'move number 0 (3 by pick), which is 1 there, leads to the field left of the position: 18 ',
    ),
    ({'pick': lambda _menu, index: index + (1 << 40)}, 'gave 1099511627776 for move number 0: it '),
    ({'pick': lambda _menu, _index: 1}, 'pick gave 1 for move number 0 and for move number 1'),
    ({'count': lambda menu: menu << 25}, 'at the start, the number of moves: 100663296 interpr'),
    ({'play': lambda p, _: [p]}, 'which is not a position such as Half'),
    (
        {'play': lambda p, _: p},
        'leads to the field left of the position: 21 interpreted, 20 by Heap',
    ),
    ({'menu': raising}, ', menu raised ValueError: too few'),
    ({'menu': lambda p: SMALL[p.left]}, 'at the start, menu raised IndexError: '),
    (
        {'menu': lambda p: min(p.left, 3) / 1},
        'at the start, menu gave 3.0, which is not an integer',
    ),
    ({'menu': lambda _: 3 << 70}, 'menu gave 3541774862152233910272, which does not fit in 64'),
    ({'winner': lambda _: 3}, ', winner gave 3, which is not X (0), O (1) or DRAW (2)'),
    ({'pack': lambda _: Half(0.5, 0)}, "field 'left' of a position must be an integer"),
    ({'pack': lambda heap: (heap.left, 0)}, 'must be a NamedTuple of integers'),
    ({'pack': lambda heap: heap.nothing}, 'at the start, pack raised AttributeError: '),
]


@pytest.mark.parametrize(('changed', 'complaint'), WRONG)
def test_disagreements_are_reported(with_rules, changed, complaint):
    found = check_rules(with_rules(**changed)(21), plies=200).failure()
    assert complaint.replace('as Half', 'as HeapPosition(left=21, turn=0)') in found
    assert '\n' not in found


def engine_run(expansion):
    def run(state):
        search = Search(500, expansion=expansion)
        drive(engine.begin(plant(state), SplitMix.from_seed(1), search), search, ignore)

    return run


RUNS = {
    **{kind: engine_run(kind) for kind in get_args(Expansion) if kind != 'selected'},
    'flat': lambda state: flat_playouts.playouts(state, SplitMix.from_seed(1), MAX_PLIES, ignore)(
        SplitMix.from_seed(1), 500
    ),
}


# ---- what a brief comparison does not find ----


class Position(NamedTuple):
    left: int
    turn: int
    fault: int


def menu(position):
    """The number of moves, and above it the fault; 0 where the game is over."""
    return min(position.left, 3) and min(position.left, 3) + 4 * position.fault


def count(menu):
    few, fault = menu & 3, menu >> 2
    if few < 3 and fault >= 5:
        return (0, (1 << 24) + 1, -1)[fault - 5]
    return few


def pick(menu, index):
    few, fault = menu & 3, menu >> 2
    if fault == 2 and few < 3:
        return index + 1 + (1 << 40)
    if (fault == 3 and few < 3) or (fault == 4 and index > 1):
        return index + 1 - (1 << 40)
    return index + 1


def winner(position):
    return (3, -1)[position.fault] if position.fault < 2 else 1 - position.turn


# The faults by their numbers: all are in one piece of machine code, in which a position tells them.
FAULTS = (
    *('gave a winner that is not 0, 1 or 2',) * 2,
    *('is not an integer of 32 bits',) * 3,
    *('fewer than 1 or more than',) * 3,
)


@pytest.fixture(scope='module')
def faulty(heap):
    @frozen
    class Faulty(heap):
        fault: int = 0

        compiled = evolve(
            heap.compiled,
            pack=lambda state: Position(*heap.compiled.pack(state), state.fault),
            menu=menu,
            count=count,
            pick=pick,
            play=lambda p, taken: Position(p.left - taken, 1 - p.turn, p.fault),
            winner=winner,
        )

    return Faulty


@pytest.mark.parametrize('fault', range(len(FAULTS)))
@pytest.mark.parametrize('run', usually(['in-order', 'flat'], RUNS))
def test_broken_rules_that_were_not_compared_raise_rules_errors(faulty, run, fault):
    """As when a rule is only wrong where a brief comparison does not come."""
    with pytest.raises(RulesError, match=FAULTS[fault]):
        RUNS[run](faulty(5, fault=fault))


FLOAT = 'cannot be compiled: it returns a float where a whole number is expected'


@pytest.mark.parametrize(
    ('name', 'rule'),
    [
        ('side', lambda heap: heap.turn + 0.5),
        ('winner', lambda _: 0.5),
        ('play', lambda heap, taken: type(heap)(heap.left - taken * 1.0, 1 - heap.turn)),
        ('pick', lambda _menu, index: index + 1.0),
    ],
)
def test_floats_for_integers_are_refused(heap, name, rule):
    """Python would go on with them, and machine code with integers near them."""
    wrong = type('Heap', (heap,), {'compiled': evolve(heap.compiled, **{name: rule})})
    with pytest.raises(RulesError, match=f'{name} of the rules {FLOAT}'):
        RUNS['in-order'](wrong(5))
