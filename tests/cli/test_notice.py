"""The notice on standard error while code is compiled for the first time."""

import pytest


@pytest.mark.exhaustive
@pytest.mark.needs_numba
def test_the_first_compilation_is_announced(process, tmp_path):
    words = ['move', 'tictactoe', '--bot', 'mcts:300', '--engine', 'compiled', '--json']
    first = process(*words, FMCTS_CACHE_DIR=str(tmp_path))
    again = process(*words, FMCTS_CACHE_DIR=str(tmp_path))
    assert 'fmcts: compiling TicTacToe, in-order: a few seconds, once on this' in first.err
    assert again.err == ''
    assert again.out == first.out
