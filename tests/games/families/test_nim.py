"""Nim against Bouton's theorem: the side to move loses exactly if the nim-sum is 0."""

import functools
import itertools
import operator

import pytest

from fmcts.games.families import nim
from fmcts.solve import AlphaBeta, solve

SMALL = [piles for piles in itertools.combinations_with_replacement(range(4), 3) if any(piles)]


@pytest.mark.parametrize('piles', SMALL)
def test_the_winner_by_nim_sum(piles):
    found = solve(nim.game(*piles).start, AlphaBeta(distance=False), engine='inplace')
    assert found.value == float(functools.reduce(operator.xor, piles) != 0)


def test_text_round_trips():
    game = nim.game(3, 4, 5)
    state = game.start.play(game.parse_move('b2').unwrap())
    text = game.format(state)
    assert text == 'a  | | |  3\nb  | |  2\nc  | | | | |  5\nO to move\n'
    assert game.parse(text).unwrap() == state
    assert game.parse('a 3\nb 2\nc 5\no to move').unwrap() == state


AND = 'expected 2 piles, one on a line, and then'


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('', f"line 0: {AND} 'O wins' or 'X wins'"),
        ('a 2\nb 3', f"line 2: {AND} 'X to move' or 'O to move'"),
        ('a 2\nb 4\nX to move', "line 2: found 'b 4', expected the pile b and how many"),
        ('a || 1\nb 3\nX to move', "line 1: found 'a || 1', expected the pile a and how many"),
        ('a 0\nb 0\nX to move', f"line 3: {AND} 'O wins' or 'X wins'"),
        ('a 1\nb 0\nX to move\nand', f"line 3: {AND} 'X to move' or 'O to move'"),
    ],
)
def test_invalid_text_is_refused(text, why):
    assert nim.game(2, 3).parse(text).failure().startswith(why)
