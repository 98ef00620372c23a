"""Parts of pages: their content, and the same words as text, in a terminal and as HTML."""

import io

import pytest
from rich.console import Console

from fmcts import Search, SplitMix, analyse, monte_carlo
from fmcts.games import connect4, othello, tictactoe
from fmcts.view import drawn_for_terminal
from fmcts.view._notebook import as_html
from fmcts.view._parts import (
    Board,
    Facts,
    Listing,
    Sentence,
    as_text,
    join_moves,
    line_of,
    picture,
    statistics,
)

from .test_notebooks import parsed

RNG = SplitMix.from_seed(0)
ANALYSIS, _ = analyse(connect4.start, RNG, Search(iterations=99))
BAD = '<script>&"'
PARTS = [
    picture(connect4, connect4.start.play(3), connect4.start, free=False),
    statistics(ANALYSIS, connect4.format_move),
    Listing(('who', 'how much'), (('a', '1'), ('bcde', '1,000')), 'all there is'),
    Listing((BAD, 'b'), ((BAD, BAD),), BAD, prose=True, best=0),
    Facts((('move', '3'), (BAD, BAD))),
    Sentence('X plays 3', strong=True),
    Sentence(BAD),
    Board(BAD),
]


def printed(part, **options):
    console = Console(
        file=io.StringIO(), width=80, force_terminal=True, color_system='standard', **options
    )
    console.print(drawn_for_terminal(part))
    return console.file.getvalue()


@pytest.mark.parametrize('part', PARTS)
def test_text_terminal_and_html_show_the_same_words(part):
    text = as_text(part)
    assert text.endswith('\n') or isinstance(part, Board)
    assert text.isascii()
    assert '\x1b' not in text
    in_colours = printed(part, no_color=True, highlight=False)
    in_html = ''.join(parsed(as_html(part)).itertext())
    for word in text.split():
        assert word in in_colours
        assert word.removesuffix(':') in in_html


def test_plain_text_of_tables():
    assert as_text(PARTS[2]) == 'who   how much\na            1\nbcde     1,000\nall there is\n'
    assert '│ bcde │    1,000 │' in printed(PARTS[2], no_color=True)
    prose = Listing(('who', 'what'), (('a', 'a lot'), ('b', '')), prose=True)
    assert as_text(prose) == 'who  what\na    a lot\nb\n'


def test_players_have_colours_and_the_last_stone_is_reversed():
    state = tictactoe.start.play(4)
    drawn = printed(picture(tictactoe, state.play(0), state, free=True))
    assert '\x1b[1;7;33mO\x1b[0m' in drawn  # the last stone
    assert '\x1b[1;36mX\x1b[0m' in drawn
    assert '\x1b[32m8\x1b[0m' in drawn  # a free cell
    assert '\x1b[1mX to move\x1b[0m' in drawn


def test_the_best_row_and_the_answer_are_highlighted():
    green = [line for line in printed(PARTS[1]).splitlines() if '\x1b[1;32m' in line]
    assert len(green) == 1
    assert all(cell in green[0] for cell in PARTS[1].rows[PARTS[1].best])
    assert '\x1b[1;32m3\x1b[0m' in printed(PARTS[4])


@pytest.mark.parametrize('game', [tictactoe, connect4, othello])
def test_the_last_stone_is_found_after_every_move(game):
    for move in game.start.moves:
        after = game.start.play(move)
        board = picture(game, after, game.start, free=False)
        assert board.text == game.format(after)
        assert board.text[board.last] == 'X'
        assert game.format(game.start)[board.last] == '.'
        assert board.free == {}


@pytest.mark.parametrize(
    ('game', 'marks'), [(tictactoe, '012345678'), (connect4, '*' * 7), (othello, '****')]
)
def test_free_cells_show_their_move_if_it_is_clear(game, marks):
    free = picture(game, game.start, free=True).free
    assert ''.join(free[place] for place in sorted(free)) == marks
    assert {game.format(game.start)[place] for place in free} == {'.'}


def test_a_pass_marks_nothing():
    state = othello.parse('.' + 'X' * 62 + 'O X').unwrap()
    assert picture(othello, state, free=True).free == {}
    assert picture(othello, state.play(othello.PASS), state, free=True).last is None


def test_statistics_equal_the_analysis():
    state = tictactoe.start.play(4)
    analysis, _ = analyse(state, RNG, Search(iterations=3))
    table = statistics(analysis, tictactoe.format_move)
    assert table.headings == ('  move', 'visits', 'share', 'value')
    assert [row[0].split()[-1] for row in table.rows] == [*'01235678']
    assert table.rows[-1] == ('     8', '0', '0.0%', '-')
    assert [row[1] for row in table.rows[:4]] == ['1', '1', '1', '0']
    assert {row[2] for row in table.rows[:3]} == {'33.3%'}
    assert [row[0] for row in table.rows if '*' in row[0]] == [f'*    {analysis.move}']
    assert table.rows[table.best][0] == f'*    {analysis.move}'
    assert table.caption.endswith('from 0, O loses, to 1, O wins')
    proven, _ = analyse(state.play(0).play(2).play(6), RNG, Search(40, solver=True))
    table = statistics(proven, tictactoe.format_move)
    assert [row[4] for row in table.rows] == [str(it.proof or '') for it in proven.stats]


def test_the_line_starts_with_the_chosen_move():
    analysis, _ = monte_carlo(90).analyse(tictactoe.start, RNG)
    assert line_of(analysis, tictactoe.format_move) == str(analysis.move)
    searched, _ = analyse(connect4.start, RNG, Search(iterations=500, final='max'))
    line = line_of(searched, connect4.format_move).split()
    assert line[0] == str(searched.move)
    assert len(line) > 1


def test_joined_moves_can_be_parsed():
    assert join_moves(othello, [19, 64]) == 'd3,pass'
    assert join_moves(othello, []) == ''
