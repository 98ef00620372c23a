"""Can't Stop against a naive board, and the probabilities of rolls by counting dice."""

import itertools
import random

import pytest
from attrs import evolve
from returns.pipeline import is_successful

from fmcts import IllegalMoveError, Player, SplitMix, play_game, random_bot
from fmcts.games import find_game
from fmcts.games.chance import cantstop
from fmcts.matches import replay

HEIGHTS = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}


class Board:
    """The game as it is played at a table: markers of both sides, and up to three runners."""

    def __init__(self, goal):
        self.goal, self.side, self.runners = goal, 'X', {}
        self.markers = {side: dict.fromkeys(HEIGHTS, 0) for side in 'XO'}

    def climb(self, runners, column):
        """The runners after a step in a column; `None` if there is none."""
        if any(marks[column] == HEIGHTS[column] for marks in self.markers.values()):
            return None
        at = runners.get(column, self.markers[self.side][column])
        if at == HEIGHTS[column] or (column not in runners and len(runners) == 3):
            return None
        return {**runners, column: at + 1}

    def ways(self, dice):
        """The columns of each way to use the dice, by all orders of the four."""
        found = set()
        for a, b, c, d in itertools.permutations(dice):
            first = self.climb(self.runners, a + b)
            if first is not None:
                second = self.climb(first, c + d)
                found.add((a + b,) if second is None else tuple(sorted((a + b, c + d))))
        return found

    def stop(self):
        self.markers[self.side].update(self.runners)
        self.bust()

    def bust(self):
        self.side, self.runners = 'O' if self.side == 'X' else 'X', {}

    def won(self, side):
        full = [column for column, at in self.markers[side].items() if at == HEIGHTS[column]]
        return len(full) >= self.goal


@pytest.mark.parametrize('goal', [1, 2, 3])
def test_drawn_games_equal_a_naive_board(goal):
    draw, ends = random.Random(goal), set()  # noqa: S311 - drawn games
    for _ in range(3):
        board, state = Board(goal), cantstop.start(goal)
        while not state.over:
            assert not any(map(board.won, 'XO'))
            assert (state.player.name, dict(state.runners)) == (board.side, board.runners)
            assert state.x == tuple(board.markers['X'].values())
            assert state.o == tuple(board.markers['O'].values())
            move = draw.choice(state.moves)
            if move == 'stop':
                board.stop()
                state = state.play('stop')
                continue
            dice = tuple(sorted(draw.randint(1, 6) for _ in range(4)))
            state = state.play('roll').play(dice)
            ways = board.ways(dice)
            if not ways:
                board.bust()
                ends.add('bust')
                continue
            assert set(state.moves) == ways
            assert list(state.moves) == sorted(ways)
            move = draw.choice(state.moves)
            for column in move:
                board.runners = board.climb(board.runners, column)
            state = state.play(move)
        assert board.won(state.winner.name)
        ends.add(state.winner.name)
    assert ends >= {'bust'}


def test_rolls_have_the_probabilities_of_four_dice():
    rolls = dict(cantstop.start().play('roll').chances)
    every = [tuple(sorted(dice)) for dice in itertools.product(range(1, 7), repeat=4)]
    assert rolls == {roll: every.count(roll) for roll in rolls}
    assert sum(rolls.values()) == 1296


# The best three columns go on with 92.0 % of the rolls, the worst with 43.8 %.
@pytest.mark.parametrize(
    ('columns', 'percent'),
    [((6, 7, 8), 92.0), ((4, 6, 8), 91.1), ((6, 8, 10), 91.1), ((2, 3, 12), 43.8)],
)
def test_the_probability_of_continuing_with_three_runners(columns, percent):
    state = evolve(cantstop.start(), runners=tuple((column, 1) for column in columns))
    rolled = state.play('roll')
    going = sum(weight for dice, weight in rolled.chances if rolled.play(dice).player is Player.X)
    counted = sum(
        any(one + two in columns for one, two in itertools.combinations(dice, 2))
        for dice in itertools.product(range(1, 7), repeat=4)
    )
    assert going == counted
    assert round(100 * going / 1296, 1) == percent


def test_winning_runners_must_stop():
    state = evolve(cantstop.start(1), runners=((2, 3),))
    assert state.moves == ('stop',)
    after = state.play('stop')
    assert (after.winner, after.moves) == (Player.X, ())
    assert evolve(cantstop.start(2), runners=((2, 3),)).moves == ('roll', 'stop')


def test_play_errors_and_images():
    start = find_game('cantstop:1').unwrap().start
    record, _ = play_game(start, random_bot, random_bot, SplitMix.from_seed(2))
    assert is_successful(replay(record))
    assert record.winner is not None
    dice = start.play('roll').play((1, 1, 6, 6))
    assert str(dice).splitlines()[0].split() == ['column', *map(str, HEIGHTS)]
    assert str(dice).splitlines()[1].split() == ['top', *map(str, HEIGHTS.values())]
    assert str(dice).endswith('dice 1 1 6 6')
    assert dice.moves == ((2, 12), (7, 7))
    for wrong in ('roll', (6, 7), (1, 1, 6, 6), 'stop'):
        with pytest.raises(IllegalMoveError, match='the legal moves are'):
            dice.play(wrong)
    with pytest.raises(IllegalMoveError, match='chance moves here'):
        start.play('roll').play((6, 1, 1, 6))
    with pytest.raises(ValueError, match='columns to climb: expected 1 to 5, not 6'):
        cantstop.start(6)
