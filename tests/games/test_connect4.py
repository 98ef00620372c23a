"""Connect Four: known counts, solved endings, text and messages."""

import pytest
from returns.result import Success

from fmcts.game import Player
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


def score(state, low=-22, high=22):
    """Pons' score: how many discs before its last the winner ends; negative when it is lost."""
    if state.over:
        if state.winner is None:
            return 0
        mine = state.x if state.winner is Player.X else state.o
        return mine.bit_count() - 22
    for move in state.moves:
        low = max(low, -score(state.play(move), -high, -low))
        if low >= high:
            break
    return low


def test_perft():
    level = [start]
    counts = [1]
    for _ in range(6):
        counts.append(sum(len(state.moves) for state in level))
        level = [state.play(move) for state in level for move in state.moves]
    counts.append(sum(len(state.moves) for state in level))
    assert counts == [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536]


def test_distinct_positions_by_ply():
    level = {start}
    counts = [1]
    for _ in range(6):
        level = {state.play(move) for state in level for move in state.moves}
        counts.append(len(level))
    assert counts == [1, 7, 49, 238, 1120, 4263, 16_422]


@pytest.mark.parametrize(
    ('columns', 'expected'),
    [
        ('2252576253462244111563365343671351441', -1),
        ('7422341735647741166133573473242566', 1),
        ('23163416124767223154467471272416755633', 0),
        ('71255763773133525731261364622167124446454', 0),
        ('65214673556155731566316327373221417', -1),
    ],
)
def test_published_endings_have_their_published_scores(columns, expected):
    state = replay(columns)
    assert not state.over
    assert score(state) == expected


def test_always_the_first_move_lets_x_win_with_nineteen_stones():
    # Always the first open column: the check which the Haskell original made.
    state = start
    while not state.over:
        state = state.play(state.moves[0])
    assert state.winner is Player.X
    assert (state.x | state.o).bit_count() == 19


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
