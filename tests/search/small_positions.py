"""Positions that Python searches fast: of two boards, and of mazes, where sides may move twice.

A search from a position of Othello takes ten times as long; `test_engines.py` has those.
"""

from hypothesis import strategies as st

from fmcts.games import connect4, tictactoe
from fmcts.testing import positions
from maze import WIDEST, Maze

seeds = st.integers(0, 99_999)
mazes = st.builds(Maze, seeds, st.integers(1, 14), st.integers(1, 6) | st.just(WIDEST))
running = st.one_of(
    positions(tictactoe.start, running=True), positions(connect4.start, running=True), mazes
)
