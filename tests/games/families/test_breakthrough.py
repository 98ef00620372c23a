"""Breakthrough against a hand-written state, and known counts."""

from attrs import frozen

from fmcts import Player
from fmcts.games.families import breakthrough as breakthrough_boards


@frozen
class Breakthrough:
    """The 64 squares as letters, from X's row on, and the side to move.

    A move is a number: 64 times the kind (a step of X to lower columns, ahead or to higher ones,
    then those of O), and the square from which it is made.
    """

    squares: str = 16 * 'X' + 32 * '.' + 16 * 'O'
    player: Player = Player.X

    @property
    def winner(self):
        if 'X' in self.squares[-8:] or 'O' not in self.squares:
            return Player.X
        if 'O' in self.squares[:8] or 'X' not in self.squares:
            return Player.O
        return None

    @property
    def over(self):
        return self.winner is not None

    @property
    def moves(self):
        if self.over:
            return ()
        first = 3 * (self.player is Player.O) + 1
        return tuple(
            64 * (first + step) + square
            for step in (-1, 0, 1)
            for square in range(64)
            if self.may(step, square)
        )

    def may(self, step, square):
        """Whether the mover's man on that square may make that step."""
        if self.squares[square] != self.player.name or not 0 <= square % 8 + step < 8:
            return False
        there = self.squares[self.target(step, square)]
        return there == '.' or (step != 0 and there == self.player.other.name)

    def target(self, step, square):
        return square + step + (8 if self.player is Player.X else -8)

    def play(self, move):
        kind, square = divmod(move, 64)
        step = kind % 3 - 1
        squares = [*self.squares]
        squares[square], squares[self.target(step, square)] = '.', squares[square]
        return type(self)(''.join(squares), self.player.other)


def test_eight_by_eight_equals_the_hand_written_game(in_step):
    assert in_step(breakthrough_boards.game(8, 8).start, Breakthrough(), 4) > 120


def test_perft(perft):
    """22 first moves on 8 by 8: two rows of eight men each (OpenSpiel 1.6 counts the same)."""
    start = breakthrough_boards.game(8, 8).start
    assert [perft(start, plies) for plies in (1, 2, 3)] == [22, 484, 11_132]
    assert [perft(breakthrough_boards.game(6, 6).start, plies) for plies in (1, 2, 3)] == [
        16, 256, 4_308,
    ]  # fmt: skip


def test_reaching_the_last_row_wins():
    game = breakthrough_boards.game(4, 2)
    state = game.parse('....X.O. X').unwrap()  # a man ahead blocks, and is not taken
    assert [game.format_move(move) for move in state.moves] == ['a3b4']
    won = state.play(state.moves[0])
    assert (won.over, won.winner.name, won.moves) == (True, 'X', ())


def test_capturing_the_last_man_wins():
    game = breakthrough_boards.game(4, 2)
    state = game.parse('X..O.... X').unwrap()
    assert [game.format_move(move) for move in state.moves] == ['a1a2', 'a1b2']
    assert not state.play(state.moves[0]).over
    assert state.play(state.moves[1]).winner.name == 'X'
