"""States without a text format: written by `repr`, with moves as single words."""

from attrs import frozen

from fmcts import Player
from fmcts.games._printing import Unwritten, written


@frozen
class Taking:
    left: tuple = ((1, 2), 'a b', 7, 'A_B')
    player: Player = Player.X

    moves = property(lambda self: self.left)
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        return Taking(tuple(one for one in self.left if one != move), self.player.other)


game = Unwritten('mine:start', Taking())


def test_text_of_positions():
    assert game.format(Taking()) == f'{Taking()!r}\nX to move\n'
    assert game.format(Taking(())) == f'{Taking(())!r}\nO wins\n'
    assert game.parse('x').failure() == (
        'mine:start is a state without a text format, so boards cannot be read: give the moves'
    )


def test_text_of_moves():
    assert [game.format_move(move) for move in game.start.moves] == ['1:2', 'a_b', '7', 'A_B']
    assert game.parse_move('1:2').unwrap() == (1, 2)
    assert game.read_move(game.start.play(7), '7').failure() == (
        "unknown move '7': the legal moves are 1:2, a_b, A_B"
    )
    assert game.parse_move('a_b').failure() == "'a_b' is ambiguous: 2 legal moves are written so"
    assert game.read_move(Taking(()), '7').failure() == "'7' is illegal: the game is over"


def test_a_move_is_one_word_without_commas():
    for move in ((), ((1, 'x, y'), -2), frozenset({3}), ' padded ', 'a\nb', None, 1.5):
        assert not set(written(move)) & set(' ,\n')
    assert written(((1, 'x, y'), -2)) == '1:x_y:-2'
