"""`check_rules` on rules that only compiled code breaks, and on what it cannot check."""

import functools
import os

import pytest

from fmcts import EngineError, FinishedGameError, Search, SplitMix, analyse, monte_carlo
from fmcts.bits import Table
from fmcts.notices import listening
from fmcts.testing import check_rules

RNG = SplitMix.from_seed(1)


def test_a_finished_start_is_refused(heap):
    with pytest.raises(FinishedGameError, match='the game is over at the start: expected one with'):
        check_rules(heap(0))


ONE = 1  # by a name, as Python works out constant expressions itself

# Rules that only machine code breaks: how many counters to begin with, what is said of it by the
# check, and by a search. The counters tell which of the rules is broken: all are the same code.
DIFFERENT = [
    (33, 'at the start, the menu: 5 compiled, 7 interpreted'),
    (65, 'the side to move: -2 compiled, 0 interp'),
    (21, ', the winner: -'),
    (97, 'the number of moves: 1 compiled, 3'),
    (129, 'the move, move number 0 (1): 3 compiled, 1 inter'),
]


def lower(number, kind, broken):
    """The number, but as machine code two less where the rule is broken."""
    return number + (ONE << 63 >> 63) - 1 if kind == broken else number


BROKEN = {
    'menu': lambda p: p.left and lower(min(p.left, 3) + (p.left // 32 << 2), p.left // 32, 1),
    'side': lambda p: lower(p.turn, p.left // 32, 2),
    'winner': lambda p: lower(1 - p.turn, p.left // 32, 0),
    'count': lambda menu: lower(menu & 3, menu >> 2, 3),
    'pick': lambda menu, index: index + 1 - lower(0, menu >> 2, 4),
}

TABLE, TUPLE = Table(range(22)), tuple(range(22))


def far(p):
    """What is left in Python; compiled, where 64 bits overflow, far from it."""
    return p.left + (10**12) * ((ONE << 63 >> 63) - 1)


@pytest.mark.parametrize(
    'number',
    [
        lambda p: TABLE[far(p)],
        lambda p: TUPLE[far(p)],
    ],
    ids=['a table', 'a tuple'],
)
def test_what_goes_astray_compiled_alone_does_not_crash_the_process(with_rules, number):
    rules = with_rules(menu=lambda p: min(number(p), 3))
    found = check_rules(rules(21), plies=50).failure()
    assert found.startswith('at the start, menu raised an error, compiled')


@pytest.mark.parametrize(('left', 'complaint'), DIFFERENT)
def test_breaches_of_compiled_code_alone_are_reported(with_rules, left, complaint):
    found = check_rules(with_rules(**BROKEN)(left), plies=50).failure()
    assert complaint in found
    assert 'by Heap' not in found


def bad_text(p):
    return min(p.left, 3, 2 + len(ascii(p.left)))


def recursive(left):
    return left if left < 4 else recursive(left - 1)


@pytest.mark.parametrize(
    ('menu', 'reason'),
    [
        (bad_text, "menu of the rules cannot be compiled: Untyped global name 'ascii'"),
        (functools.partial(min, 3), 'menu of the rules cannot be compiled: '),
        (lambda p: min(p.left, 3) | p.left & (1 << 80), 'menu of the rules cannot be compiled: '),
    ],
)
@pytest.mark.usefixtures('willing')
def test_rules_that_cannot_be_compiled_are_reported(with_rules, menu, reason):
    if isinstance(menu, functools.partial):
        menu = functools.partial(lambda most, p: min(p.left, most), 3)
    state = with_rules(menu=menu)(21)
    for act in (
        lambda: analyse(state, RNG, Search(10), engine='compiled'),
        lambda: monte_carlo(10, engine='compiled')(state, RNG),
    ):
        with pytest.raises(EngineError) as refused:
            act()
        assert str(refused.value).startswith(reason)
        assert '\n' not in str(refused.value)
    assert check_rules(state, plies=10).failure().startswith(reason)
    heard = []
    with listening(heard.append):
        expected, _ = analyse(state, RNG, Search(100), engine='inplace')
        for _ in range(2):
            assert analyse(state, RNG, Search(100))[0] == expected
    assert [notice for notice in heard if 'continuing with' in notice] == [
        f'{refused.value}; continuing with the engine inplace'
    ]


def test_rules_may_call_themselves(with_rules, heap):
    state = with_rules(menu=lambda p: recursive(p.left) if p.left > 3 else p.left)(21)
    assert check_rules(state, plies=200).unwrap() == 200
    expected, _ = analyse(heap(21), RNG, Search(100), engine='inplace')
    assert analyse(state, RNG, Search(100), engine='compiled')[0].digest == expected.digest


LISTS = """
from typing import NamedTuple
from fmcts import Search, SplitMix, analyse
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules

class Position(NamedTuple):
    left: int
    turn: int

def play(position, taken):
    gone = [place for place in range(taken)]
    return Position(position.left - len(gone), 1 - position.turn)

rules = IntegerRules(
    menu=lambda it: min(it.left, 3), count=int, pick=lambda _, index: index + 1, play=play,
    side=lambda it: it.turn, winner=lambda it: 1 - it.turn,
)
start = make_game('heap', Position(9, 0), rules).start
print(analyse(start, SplitMix.from_seed(1), Search(50), engine='compiled')[0].digest)
"""


def test_rules_with_lists_serve_later_processes(run_python, tmp_path):
    """Where nothing is compiled, so that numba has not made its functions for lists."""
    (tmp_path / 'heap.py').write_text(LISTS, encoding='utf-8')
    environment = {**os.environ, 'FMCTS_CACHE_DIR': str(tmp_path)}
    ended = [run_python('heap.py', cwd=tmp_path, env=environment) for _ in range(2)]
    assert [it.stderr for it in ended] == ['', '']
    assert ended[0].stdout == ended[1].stdout


class LLVMError(RuntimeError):
    """As llvmlite raises them: no error of numba's."""


@pytest.mark.parametrize(
    'error',
    [LLVMError('broken\nmodule'), AssertionError()],
)
@pytest.mark.usefixtures('willing')
def test_any_error_of_numba_becomes_an_engine_error(with_rules, heap, monkeypatch, tmp_path, error):
    monkeypatch.setenv('FMCTS_CACHE_DIR', str(tmp_path))

    def fail(*_args):
        raise error

    monkeypatch.setattr('numba.core.dispatcher._FunctionCompiler.compile', fail)
    state = with_rules(side=lambda p: p.turn)(21)
    first = str(error).partition('\n')[0]
    said = f'{type(error).__name__}: {first}' if first else type(error).__name__
    with pytest.raises(EngineError) as refused:
        analyse(state, RNG, Search(10), engine='compiled')
    assert str(refused.value) == f'menu of the rules cannot be compiled: {said}'
    with listening([].append):
        auto, _ = analyse(state, RNG, Search(2_000))
    assert auto.digest == analyse(heap(21), RNG, Search(2_000), engine='inplace')[0].digest
