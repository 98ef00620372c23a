"""Reading and writing boards, shared by the text formats of three games."""

import pytest

from fmcts.game import Player
from fmcts.games import boards

LAYOUT = boards.Layout(2, 3, '012345', header='  a b c', footer='= = =', numbered=True)


@pytest.mark.parametrize(
    'text',
    [
        '  a b c\n1 X . O\n2 . x .\n= = =\nthe  end\n',
        'A B C\n1X.O\n2.X.\nthe end',
        '\n X _ o \r\n\n-X-\r\n= = =\r\n the end \r\n',
        'X.O.X. the end;',
        'abc\nx-o-x-\n===\nthe end\n',
    ],
)
def test_labels_spacing_and_case_do_not_matter(text):
    grid = LAYOUT.read(text).unwrap()
    assert grid.cells == 'X.O.X.'
    assert grid.ending == 'the end'
    assert (grid.stones('X'), grid.stones('O')) == ([0, 4], [2])


def test_the_line_of_the_ending_is_kept():
    assert LAYOUT.read('X.O\n.X.\n\n= = =\nO to move').unwrap().line == 5
    assert LAYOUT.read('X.O.X. O').unwrap().line == 1
    assert LAYOUT.read('X.O.X.').unwrap().ending == ''


EXPECTED = 'expected 2 rows of 3 cells, or all 6 cells on one line'


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('', f'the board is empty: {EXPECTED}'),
        ('X.O\n= = =', f'the board ends after row 1: {EXPECTED}'),
        ('X.O\ndraw', f'the board ends after row 1: {EXPECTED}'),
        ('1 X.O\n3 .X.', "line 2, cell 3: found '3', expected X, O or . for an empty cell"),
        ('1\n2 .X.', 'line 1: found 0 cells, expected 3, or all 6 on one line'),
        ('X.O\n.X.\n= =\ndraw', "line 4: found 'draw', expected the end of the board"),
        ('X.O\n.X.\ndraw\n= = =', "line 4: found '= = =', expected the end of the board"),
        ('X.O\n.\u2028X', 'line 2: found 2 cells, expected 3'),
        ('X.O.X', 'line 1: found 5 cells, expected 3, or all 6 on one line'),
        ('X' * 5000, 'line 1: found 5000 cells, expected 3, or all 6 on one line'),
        ('X.?.X.', "line 1, cell 2: found '?', expected X, O or . for an empty cell"),
        ('X.O\n.\x00X', "line 2, cell 4: found '\\x00', expected X, O or . for an empty cell"),
    ],
)
def test_messages_name_the_place(text, complaint):
    assert LAYOUT.read(text).failure() == complaint


def test_rows_are_written_with_their_labels():
    assert LAYOUT.write('X.O.X.') == '  a b c\n1 X . O\n2 . X .\n= = =\n'


def test_outcomes_are_reported():
    assert [boards.outcome(winner) for winner in (Player.X, Player.O, None)] == [
        'X wins',
        'O wins',
        'draw',
    ]
