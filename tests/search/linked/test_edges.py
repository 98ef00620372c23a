"""Edges of the linked loop that few games and searches reach: each engine finds the same tree."""

from typing import NamedTuple

import pytest

from fmcts import Search, SplitMix
from fmcts.formulas import sqrt, where
from fmcts.games import find_game, tictactoe
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules
from shapes import equal

pytestmark = pytest.mark.needs_numba

RNG = SplitMix.from_seed(5)


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
    equal(start, RNG, Search(300, playout='anti-decisive'))


def test_the_moves_of_a_finished_game_are_not_counted(with_rules):
    start = with_rules(count=lambda menu: max(1, menu))(21)
    equal(start, RNG, Search(40, expansion='full'))
    equal(start.play(3).play(3).play(3).play(3).play(3), RNG, Search(40, expansion='full'))


def test_three_players_share_a_draw():
    state = find_game('mnk3:3,2,3').unwrap().start  # two rows of three: most games are drawn
    equal(state, RNG, Search(300))


def test_a_jump_leaves_out_untried_moves_where_all_others_lose(heap):
    for left in (8, 9, 12):
        equal(heap(left), RNG, Search(300, c=0.0, expansion='jump'))


def test_a_number_that_is_none_differs_from_all_numbers():
    def score(edge, parent):
        nothing = sqrt(-1.0 - edge.visits)
        return where(nothing != 0.0, edge.value, -edge.value) + 0.1 * sqrt(parent.visits)

    equal(tictactoe.start, RNG, Search(300, selection=score))
