"""Connect Four: known counts, text and messages."""

import pytest
from returns.result import Success

from fmcts.games import connect4
from fmcts.games.connect4 import start

EMPTY = '. . . . . . .\n'
FOOTER = '0 1 2 3 4 5 6\n'


def replay(columns):
    """The position after moves written as Pascal Pons writes them: columns from 1."""
    state = start
    for column in columns:
        state = state.play(int(column) - 1)
    return state


def test_perft(perft):
    counts = [perft(start, plies) for plies in range(1, 8)]
    assert counts == [7, 49, 343, 2401, 16_807, 117_649, 823_536]


def test_the_printed_board():
    text = EMPTY * 4 + '. . . O . . .\n. . . X X . .\n' + FOOTER + 'O to move\n'
    state = replay('445')
    assert connect4.format(state) == text
    assert connect4.parse(text) == Success(state)
    # Labels and the last line may be missing.
    assert connect4.parse(text.replace(FOOTER, '')) == Success(state)
    assert connect4.parse(text.replace('O to move', '')) == Success(state)


IN_THE_AIR = 'above an empty cell, expected discs to rest on others'
TOO_LATE = 'no game leads to this board: it was over before its last move'


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        (
            EMPTY * 2 + '. . . . . X .\n' + EMPTY * 3,
            f'row 3, column 5: found X {IN_THE_AIR}',
        ),
        (
            '.' * 35 + 'XX.....',
            'the board has 2 X and 0 O: expected as many X as O, or one X more, since X begins',
        ),
        ('.' * 28 + 'OOOO...XXXX...', TOO_LATE),
        ('.' * 28 + 'OOOO..X' + 'XXXX..O', TOO_LATE),  # both sides have four in a row
        ('.' * 28 + 'OOOX...' + 'XXXXO..', TOO_LATE),  # the last mover's row is buried
        (
            EMPTY * 6 + FOOTER + 'O to move\n',
            "line 8: found 'O to move', expected 'X to move', as the board has it",
        ),
    ],
)
def test_a_malformed_board_is_refused_with_the_reason(text, complaint):
    assert connect4.parse(text).failure() == complaint


@pytest.mark.parametrize('text', ['7', '-1', '', 'd', '3.0'])
def test_an_unknown_column_is_refused(text):
    complaint = f'unknown column {text!r}: expected a number from 0 to 6'
    assert connect4.parse_move(text).failure() == complaint
