import pytest

from fmcts import Search, SplitMix, analyse, monte_carlo
from fmcts.games import connect4, othello, tictactoe
from fmcts.view._parts import Row, join_moves, line_of, picture, statistics

RNG = SplitMix.from_seed(0)


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
    assert [row.move for row in table.rows] == [*'01235678']
    assert table.rows[-1] == Row('8', '0', '0.0%', '-')
    assert [row.visits for row in table.rows[:4]] == ['1', '1', '1', '0']
    assert {row.share for row in table.rows[:3]} == {'33.3%'}
    assert [row.move for row in table.rows if row.best] == [str(analysis.move)]
    assert table.caption.endswith('from 0, O loses, to 1, O wins')


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
