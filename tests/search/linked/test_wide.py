"""Compiled games whose moves exceed 64 bits equal the other engines."""

import re
from typing import NamedTuple

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st
from returns.result import Success

from fmcts import Search, SplitMix, analyse, reroot
from fmcts.errors import MethodError
from fmcts.game import key_of
from fmcts.games import find_game
from fmcts.rules import IntegerRules, OnPositions, rules_of
from fmcts.testing import check_rules, positions
from shapes import equal
from tiers import exhaustive, is_interpreted, usually
from toy_games import play_line

NAMES = {'hex': 'hex:9', 'breakthrough': 'breakthrough:8,8'}
STARTS = {name: find_game(spec).unwrap().start for name, spec in NAMES.items()}
HEX = rules_of(STARTS['hex'])
Cells = type(HEX.menu(HEX.pack(STARTS['hex'])))
RNG = SplitMix.from_seed(42)

# Each is machine code of its own, so that there are few.
SEARCHES = {
    'plain': Search(),
    'random': Search(selection='ucb1-tuned', expansion='random'),
    'amaf': Search(selection='amaf'),
}


@pytest.mark.parametrize('name', usually(['breakthrough'], STARTS))
def test_check_rules_accepts_wide_games(name):
    assert check_rules(STARTS[name], plies=500) == Success(500)


# Each is machine code of its own: what goes on and back in both games, the others in one.
@pytest.mark.parametrize(
    ('name', 'kind'),
    [
        *(exhaustive(('hex', 'plain')), exhaustive(('hex', 'random')), ('hex', 'amaf')),
        *map(exhaustive, [('breakthrough', 'plain'), ('breakthrough', 'amaf')]),
    ],
)
@given(data=st.data(), seed=st.integers(0, 2**31), iterations=st.integers(1, 40))
@settings(max_examples=6)
def test_searches_equal_the_reference(name, kind, data, seed, iterations):
    """In order, random, full and as selected; going on; and from a subtree."""
    state = data.draw(positions(STARTS[name], running=True))
    search = evolve(SEARCHES[kind], iterations=iterations)
    one, rng = equal(state, SplitMix.from_seed(seed), search)
    if kind != 'plain':
        return
    more, rng = equal(state, rng, evolve(search, expansion='full'), tree=one)
    move = data.draw(st.sampled_from([child.move for child in more.tree.children]))
    if not state.play(move).over:
        after = reroot(more, move)
        equal(after.state, rng, search, tree=after, other='persistent')


@pytest.mark.parametrize('name', usually(['hex'], STARTS))
def test_moves_have_keys_beyond_64(name):
    """In Hex a cell from 64 on is a key of its own, in Breakthrough a step from a square."""
    start = STARTS[name]
    assert max(key_of(start, move) for move in start.moves) >= 64
    analysis, _ = equal(start, RNG, Search(30, selection='amaf'))
    counts, _ = analysis.tree.columns.moves
    far = [
        count for move, count in zip(start.moves, counts, strict=True) if key_of(start, move) > 63
    ]
    assert sum(far) > 0


def low_rows(_position, cells):
    """A policy that narrows a menu of two words."""
    narrow = Cells(cells.empty0 & 0x3FF, cells.empty1)
    return narrow if narrow.empty0 | narrow.empty1 != 0 else cells


def astray(position, _cells):
    """No cell at the beginning, and then the cells that X has taken."""
    return Cells(position.x0, position.x1)


@pytest.mark.parametrize('moves', [0, 1])
@pytest.mark.parametrize('engine', usually(is_interpreted, ['inplace', 'compiled']))
def test_a_policy_must_narrow_the_menu(engine, moves):
    state = play_line(STARTS['hex'], range(moves))
    with pytest.raises(MethodError, match='must return at least one of the legal moves'):
        analyse(state, RNG, Search(5, playout=OnPositions(astray)), engine=engine)


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'compiled', 'auto'])
def test_menu_policies_need_a_menu(engine):
    search = Search(5, playout=OnPositions(low_rows))
    complaint = (
        'the playout policy low_rows narrows a menu, and the rules on integers of breakthrough:8,8 '
        'have none: a menu may be a NamedTuple of integers'
    )
    with pytest.raises(MethodError, match=re.escape(complaint)):
        analyse(STARTS['breakthrough'], RNG, search, engine=engine)


# ---- what is said of wrong rules ----


def test_rules_without_a_menu_need_count_and_pick():
    rules = rules_of(STARTS['breakthrough'])
    rest = {name: getattr(rules, name) for name in ('pack', 'play', 'side', 'winner')}
    complaint = re.escape('without a menu must have count(position) and pick(position, index)')
    for some in ({}, {'count': rules.count}, {'pick': rules.pick}):
        with pytest.raises(ValueError, match=complaint):
            IntegerRules(**rest, **some)


class Three(NamedTuple):
    left: int
    step: int


def menu_of(left):
    return Three(min(left, 3), 1)


WIDE_HEAP = {
    'menu': lambda p: menu_of(p.left),
    'count': lambda menu: menu.left,
    'pick': lambda menu, index: index + menu.step,
}
ONE = 1


def changed(**functions):
    return WIDE_HEAP | functions


WRONG = [
    (
        {'menu': lambda p: min(p.left, 3) << 70},
        'which does not fit in 64 bits (a menu may be a NamedTuple of integers)',
    ),
    (
        changed(menu=lambda p: Three(1 << 64, p.left)),
        "menu: field 'left' of a menu must be an integer of 64 bits, not 18446744073709551616",
    ),
    (
        changed(menu=lambda p: (p.left, 1)),
        'menu: a menu must be a NamedTuple of integers, not (21, 1)',
    ),
    (
        {'menu': lambda p: min(p.left, 3) if p.left > 20 else Three(p.left, 1), 'count': int},
        'menu gave Three(left=',
    ),
    (
        changed(pick=lambda m, index: index + m.step + (1 << 31) * (index > 1)),
        'pick gave 2147483651 for move number 2: it must fit in 32 bits',
    ),
    (
        changed(menu=lambda p: Three(min(p.left, 3), 1 + (ONE << 63 >> 63) - 1)),
        'the field step of the menu: -1 compiled, 1 interpreted',
    ),
    (
        changed(pick=lambda m, index: max(one for one in (index + m.step, 0))),
        'pick of the rules cannot be compiled: The use of yield in a closure is unsupported',
    ),
]


@pytest.mark.parametrize(('wrong', 'complaint'), usually(WRONG[::2][:-1], WRONG))
def test_invalid_menus_are_reported(with_rules, wrong, complaint):
    found = check_rules(with_rules(**wrong)(21), plies=200).failure()
    assert complaint in found
    assert '\n' not in found
