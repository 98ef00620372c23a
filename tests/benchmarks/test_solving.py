"""The benchmark of perfect play counts answers that differ from other solvers'."""

from fmcts.games import connect4
from fmcts.solve import Solution

from .conftest import programs

(script,) = programs('', 'solving')


def test_different_scores_are_counted(tmp_path, capsys):
    file = tmp_path / 'positions.txt'
    file.write_text('34767211234546537225571614622534 -1\n26653141761671312332253314664 4\n')
    assert script.solve_connect4(file, 'inplace') == 1
    assert capsys.readouterr().out.endswith(' 1 wrong\n')


def test_a_score_counts_the_winner_s_remaining_stones():
    score = script.pons_score
    start = connect4.start  # X has won at once: 20 stones before the last but one
    assert score(start, Solution(3, 1.0, 7, nodes=1)) == 18
    assert score(start, Solution(3, 0.0, 8, nodes=1)) == -18
    assert score(start.play(3), Solution(3, 1.0, 7, nodes=1)) == 18
    assert score(start, Solution(3, 0.5, None, nodes=1)) == 0


def test_othello_endings_are_compared_by_sign(tmp_path, capsys):
    board = 'XXXXXXXX' * 6 + 'XXXXXOOO' + 'XXXXXXO-'
    file = tmp_path / 'ends.obf'
    file.write_text(f'{board} X; H8:+64;\n{board} X; H8:-2;\n')
    assert script.solve_othello(file, 20, 'inplace') == 1
    assert 'FFO 40, 1 empty' in capsys.readouterr().out
