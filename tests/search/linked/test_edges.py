"""Edges of the linked loop that few games and searches reach: each engine finds the same tree."""

from typing import NamedTuple

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.formulas import sqrt, where
from fmcts.games import find_game, tictactoe
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, OnPositions
from fmcts.search._digest import digest

pytestmark = pytest.mark.needs_numba

RNG = SplitMix.from_seed(5)


class Heap(NamedTuple):
    left: int
    turn: int


def of_heaps(**more):
    given = {
        'menu': lambda heap: min(heap.left, 3),
        'count': lambda menu: menu,
        'pick': lambda _menu, index: index + 1,
        'play': lambda heap, taken: Heap(heap.left - taken, 1 - heap.turn),
        'side': lambda heap: heap.turn,
        'winner': lambda heap: 1 - heap.turn,
    }
    return make_game('heap', Heap(21, 0), IntegerRules(**given | more)).start


def trees(state, search):
    return [
        analyse(state, RNG, search, engine=engine)[0].tree for engine in ('inplace', 'compiled')
    ]


def equal(state, search):
    one, two = trees(state, search)
    return one == two and digest(one) == digest(two)


class Drawn(NamedTuple):
    left: int
    turn: int
    drawn: int


def test_a_draw_is_a_safe_move():
    """Who takes two of an odd heap ends the game without a winner, beside other safe moves."""
    start = make_game(
        'drawn',
        Drawn(9, 0, 0),
        IntegerRules(
            menu=lambda heap: 0 if heap.drawn else min(heap.left, 3),
            count=lambda menu: menu,
            pick=lambda _menu, index: index + 1,
            play=lambda heap, taken: Drawn(
                heap.left - taken, 1 - heap.turn, (heap.left % 2) * (taken == 2)
            ),
            side=lambda heap: heap.turn,
            winner=lambda heap: 2 if heap.drawn else 1 - heap.turn,
        ),
    ).start
    assert equal(start, Search(300, playout='anti-decisive'))


def test_the_moves_of_a_finished_game_are_not_counted():
    start = of_heaps(count=lambda menu: max(1, menu))
    assert equal(start, Search(40, expansion='full'))
    assert equal(start.play(3).play(3).play(3).play(3).play(3), Search(40, expansion='full'))


def test_three_players_share_a_draw():
    state = find_game('mnk3:3,2,3').unwrap().start  # two rows of three: most games are drawn
    assert equal(state, Search(300))


def test_a_jump_leaves_out_untried_moves_where_all_others_lose():
    for left in (8, 9, 12):
        start = of_heaps()
        while start.position.left > left:
            start = start.play(1)
        assert equal(start, Search(300, c=0.0, expansion='jump'))


def test_a_number_that_is_none_differs_from_all_numbers():
    def score(edge, parent):
        nothing = sqrt(-1.0 - edge.visits)
        return where(nothing != 0.0, edge.value, -edge.value) + 0.1 * sqrt(parent.visits)

    assert equal(tictactoe.start, Search(300, selection=score))


def test_a_search_with_another_reward_is_another_search():
    for reward in (lambda _position: 0.25, lambda heap: 0.5 + 0.5 * heap.turn):
        assert equal(of_heaps(), Search(200, reward=OnPositions(reward)))
