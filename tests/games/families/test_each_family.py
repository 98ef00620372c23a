"""Each family against another implementation, known counts and known values."""

import functools
import itertools
import operator

import pytest

from fmcts.games import connect4, othello as by_hand, tictactoe
from fmcts.games.families import (
    breakthrough as breakthrough_boards,
    connect,
    hex as hex_boards,
    mnk,
    nim,
    othello,
)
from fmcts.solve import AlphaBeta, solve


@pytest.mark.parametrize(
    ('member', 'theirs', 'games', 'plies'),
    [
        (mnk.game(3, 3, 3), tictactoe, 300, 2_000),
        (connect.game(7, 6, 4), connect4, 60, 1_000),
        (othello.game(8), by_hand, 12, 600),
    ],
    ids=str,
)
def test_usual_sizes_are_the_library_s_games(member, theirs, games, plies, in_step):
    assert in_step(member.start, theirs.start, games) > plies


SIZES = [(3, 3, 3), (4, 4, 3), (5, 2, 4), (1, 6, 3), (7, 9, 5), (10, 5, 2), (5, 5, 5)]


@pytest.mark.parametrize(
    ('family', 'sizes', 'games'),
    [*((mnk, sizes, 30) for sizes in SIZES), *((othello, (size,), 5) for size in (4, 6, 8))],
)
def test_both_implementations_agree(family, sizes, games, in_step):
    """Boards of few cells by shifts and by walks, and what is written of them."""
    few, many = (family.game_by(made, *sizes) for made in (family.in_one_word, family.in_words))
    assert in_step(few.start, many.start, games) > 40
    one, other = few.start, many.start
    while True:
        text = few.format(one)
        assert text == many.format(other)
        assert (few.parse(text).unwrap(), many.parse(text).unwrap()) == (one, other)
        if one.over:
            break
        move = one.moves[len(one.moves) // 3]
        one, other = one.play(move), other.play(move)


PILES = [piles for piles in itertools.combinations_with_replacement(range(4), 3) if any(piles)]
VALUES = [
    (mnk.game(3, 3, 3), 0.5),
    (mnk.game(4, 3, 3), 1.0),
    (mnk.game(4, 4, 3), 1.0),
    (mnk.game(4, 3, 4), 0.5),
    (connect.game(4, 4, 4), 0.5),
    # C. L. Bouton: the side to move loses at nim exactly if the nim-sum is 0.
    *((nim.game(*piles), float(functools.reduce(operator.xor, piles) != 0)) for piles in PILES),
]


@pytest.mark.parametrize(('game', 'value'), VALUES, ids=lambda it: getattr(it, 'name', None))
def test_known_values(game, value):
    assert solve(game.start, AlphaBeta(distance=False), engine='inplace').value == value


# ---- Connect ----


@pytest.mark.parametrize('sizes', [(8, 7, 4), (1, 5, 3), (9, 6, 5), (4, 15, 4), (32, 1, 2)])
def test_every_size_plays_to_the_end(sizes):
    """Columns fill up from below and no others: read off the text of each position."""
    game = connect.game(*sizes)
    state, plies = game.start, 0
    while not state.over:
        rows = game.format(state).splitlines()[: sizes[1]]
        top = rows[0].split()
        assert state.moves == tuple(n for n, cell in enumerate(top) if cell == '.')
        state = state.play(state.moves[(5 * plies) % len(state.moves)])
        plies += 1
    assert game.parse(game.format(state)).unwrap() == state
    assert plies <= sizes[0] * sizes[1]


# ---- Othello ----


def test_the_second_player_wins_four_by_four_by_eight():
    """Eleven discs to three, when both play for discs."""
    game = othello.game(4)

    @functools.cache
    def lead(state):
        """How many discs more the side to move gets when both play for discs."""
        if state.over:
            return state.position.mine.bit_count() - state.position.theirs.bit_count()
        return max(-lead(state.play(move)) for move in state.moves)

    assert lead(game.start) == 3 - 11


# ---- Nim ----


def test_piles_round_trip():
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


# ---- Breakthrough ----


def test_perft(perft):
    """22 first moves on 8 by 8: two rows of eight men each (OpenSpiel 1.6 counts the same)."""
    start = breakthrough_boards.game(8, 8).start
    assert [perft(start, plies) for plies in (1, 2, 3)] == [22, 484, 11_132]
    assert [perft(breakthrough_boards.game(6, 6).start, plies) for plies in (1, 2, 3)] == [
        16, 256, 4_308,
    ]  # fmt: skip


def test_capturing_the_last_man_wins():
    game = breakthrough_boards.game(4, 2)
    state = game.parse('X..O.... X').unwrap()
    assert [game.format_move(move) for move in state.moves] == ['a1a2', 'a1b2']
    assert not state.play(state.moves[0]).over
    assert state.play(state.moves[1]).winner.name == 'X'


# ---- Hex ----


AROUND = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))


def joins(stones, begins, ends):
    """Whether a chain of stones, as (row, column), leads from one border to the other."""
    reached = {stone for stone in stones if begins(*stone)}
    while True:
        more = {
            (row + down, column + right) for row, column in reached for down, right in AROUND
        } & stones
        if more <= reached:
            return any(ends(*stone) for stone in reached)
        reached |= more


def plain_winner(cells, size):
    """`X`, `O` or nobody, read off a board in letters."""
    squares = {side: set() for side in 'XO.'}
    for at, side in enumerate(cells):
        squares[side].add(divmod(at, size))
    if joins(squares['X'], lambda row, _: row == 0, lambda row, _: row == size - 1):
        return 'X'
    if joins(squares['O'], lambda _, column: column == 0, lambda _, col: col == size - 1):
        return 'O'
    return None


def cells_of(game, state):
    return ''.join(c for line in game.format(state).splitlines()[1:-1] for c in line if c in 'XO.')


@pytest.mark.parametrize('size', [2, 3, 5, 8, 11, 16])
def test_connections_are_found_exactly(size):
    game = hex_boards.game(size)
    state, plies = game.start, 0
    while not state.over:
        assert plain_winner(cells_of(game, state), size) is None
        state = state.play(state.moves[(7 * plies + 3) % len(state.moves)])
        plies += 1
    assert plain_winner(cells_of(game, state), size) == state.winner.name


@functools.cache
def plain_value(cells, size):
    """Whether the side to move wins, by the plain reading; no other code is asked."""
    if plain_winner(cells, size) is not None:
        return False  # the other side has just won
    side = 'X' if cells.count('X') == cells.count('O') else 'O'
    return any(
        not plain_value(cells[:at] + side + cells[at + 1 :], size)
        for at, cell in enumerate(cells)
        if cell == '.'
    )


def test_winning_openings_on_three_by_three():
    game = hex_boards.game(3)
    winning = [
        move
        for move in game.start.moves
        if solve(game.start.play(move), AlphaBeta(distance=False), engine='inplace').value == 0.0
    ]
    cells = '.' * 9
    assert winning == [
        at for at in range(9) if not plain_value(cells[:at] + 'X' + cells[at + 1 :], 3)
    ]
    assert [game.format_move(move) for move in winning] == OPENINGS
    assert winning == sorted(8 - move for move in winning)  # the board turned round


OPENINGS = ['c1', 'a2', 'b2', 'c2', 'a3']


def test_the_printed_board_is_slanted():
    game = hex_boards.game(3)
    assert game.format(game.start.play(1).play(4)) == (
        '  a b c\n1 . X .\n 2 . O .\n  3 . . .\nX to move\n'
    )
