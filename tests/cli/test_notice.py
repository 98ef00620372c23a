"""The notice that stands on standard error while code is compiled for the first time."""

import pytest


def test_the_first_compilation_is_announced(process, tmp_path):
    pytest.importorskip('numba', reason='compiling takes the extra fmcts[fast]')
    words = ['move', 'tictactoe', '--bot', 'mcts:300', '--engine', 'compiled', '--json']
    first = process(*words, FMCTS_CACHE_DIR=str(tmp_path))
    again = process(*words, FMCTS_CACHE_DIR=str(tmp_path))
    assert 'fmcts: compiling TicTacToe, in-order: a few seconds, once on this' in first.err
    assert again.err == ''
    assert again.out == first.out
