"""Reading and writing boards, shared by the text formats of three games."""

import pytest
from returns.result import Success

from fmcts.game import Player
from fmcts.games import boards

LAYOUT = boards.Layout(
    rows=2, columns=3, cell_name='cell {}'.format, header='  a b c', footer='= = =', numbered=True
)


def read(text):
    return boards.read_grid(text, LAYOUT)


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
    grid = read(text).unwrap()
    assert grid.cells == 'X.O.X.'
    assert grid.ending == 'the end'
    assert grid.stones('X') == 0b010_001
    assert grid.stones('O') == 0b000_100


def test_each_cell_knows_its_place_in_the_text():
    assert read('\nX.O\n\n.X.\n').unwrap().places == (
        'line 2, cell 0',
        'line 2, cell 1',
        'line 2, cell 2',
        'line 4, cell 3',
        'line 4, cell 4',
        'line 4, cell 5',
    )


def test_the_line_of_the_ending_is_kept():
    assert read('X.O\n.X.\n\n= = =\nO to move').unwrap().ending_line == 5
    assert read('X.O.X. O').unwrap().ending_line == 1
    assert read('X.O.X.').unwrap().ending == ''


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('X.O\n= = =', "line 2: found '= = =', expected row 2 of 2"),
        ('X.O\ndraw', "line 2: found 'draw', expected row 2 of 2"),
        ('1 X.O\n3 .X.', "line 2: found the row number '3', expected 2"),
        ('\u0663 X.O\n2 .X.', "line 1: found the row number '\u0663', expected 1"),
        ('1\n2 .X.', 'line 1: found 0 cells, expected 3, or all 6 on one line'),
        ('X.O\n.X.\n= =\ndraw', "line 3: found '= =', expected '= = ='"),
        ('X.O\n.X.\ndraw\n= = =', "line 4: found '= = =', expected the end of the board"),
        ('X.O\n.\u2028X', 'line 2: found 2 cells, expected 3'),
        ('X.O\n.\x00X', "line 2, cell 4: found '\\x00', expected X, O or . for an empty cell"),
    ],
)
def test_messages_name_the_place(text, complaint):
    assert read(text).failure() == complaint


def test_the_ending_must_be_an_accepted_one():
    grid = read('X.O.X. o TO move').unwrap()
    assert boards.check_ending(grid, ('draw', 'O to move')) == Success(grid)
    assert boards.check_ending(grid, ('draw',)).failure() == (
        "line 1: found 'o TO move', expected 'draw', as the board has it"
    )


def test_x_may_be_one_stone_ahead():
    for text in ('......', 'X.....', 'XO....'):
        assert isinstance(read(text).bind(boards.check_turns), Success)
    assert read('XXOX..').bind(boards.check_turns).failure() == (
        'the board has 3 X and 1 O: expected as many X as O, or one X more, since X begins'
    )


def test_rows_are_written_with_their_labels():
    assert boards.write_rows('X.O.X.', LAYOUT) == '  a b c\n1 X . O\n2 . X .\n= = =\n'


def test_outcomes_are_reported():
    assert [boards.outcome(winner) for winner in (Player.X, Player.O, None)] == [
        'X wins',
        'O wins',
        'draw',
    ]
