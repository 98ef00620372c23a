"""The state machine of a game: moves, undo, and comparison with replayed moves."""

from itertools import pairwise

import pytest
from attrs import evolve, field, frozen
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fmcts import FinishedGameError, Player
from fmcts.games import tictactoe
from fmcts.testing import game_machine
from fmcts.testing._laws.law import OtherwiseError

QUICK = settings(
    max_examples=30,
    stateful_step_count=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


class Drawn:
    """What a rule draws: these values in turn; of whatever it is drawn from."""

    def __init__(self, *values):
        self.values = [*values]

    def draw(self, _strategy, _label):
        return self.values.pop(0)


def played(start, *moves, **given):
    """The machine after these moves."""
    machine = game_machine(start, **given)()
    for move in moves:
        machine.play(Drawn(move))
    return machine


def test_moves_are_played():
    machine = played(tictactoe.start, 4, 0, 8)
    assert machine.here == tictactoe.start.play(4).play(0).play(8)
    assert [case.line for case in machine.cases] == [(), (4,), (4, 0), (4, 0, 8)]
    machine.is_what_the_moves_lead_to()
    machine.take_back(Drawn(2))
    assert [case.line for case in machine.cases] == [(), (4,)]
    machine.is_what_the_moves_lead_to()


def test_a_machine_plays_at_most_max_plies():
    machine = played(tictactoe.start, 4, 0, max_plies=2)
    machine.play(Drawn())  # nothing is drawn
    assert len(machine.cases) == 3
    assert len(played(tictactoe.start, 4, 0, 8, max_plies=3).cases) == 4


def run(start):
    run_state_machine_as_test(game_machine(start), settings=QUICK)


def test_a_correct_game_passes():
    run(tictactoe.start)
    run(Counters(1))  # after one move, nothing is left but to take it back


def test_a_game_is_played_to_its_end_and_taken_back():
    """By ends of lines, after a step each: some are finished, some shorter than before."""
    seen = []

    @frozen
    class Noted(type(tictactoe.start)):
        @property
        def over(self):
            seen.append((self.x | self.o).bit_count())
            return super().over

    run(Noted())
    assert max(seen) >= 7
    assert any(after < before for before, after in pairwise(seen))


# Wrong games.

NUMBERS = iter(range(10**6))


@frozen
class Counters:
    """Take one or two of so many."""

    left: int = 5
    player: Player = Player.X
    winner = None
    over = property(lambda self: self.left == 0)
    moves = property(lambda self: (1, 2)[: self.left])

    def play(self, move):
        return evolve(self, left=self.left - move, player=self.player.other)


class Changing(Counters):
    """It says another player each time that the game is played."""

    def play(self, move):
        player = list(Player)[next(NUMBERS) % 2]
        return evolve(self, left=self.left - move, player=player)


@frozen
class Unequal(Counters):
    number: int = 0

    def play(self, move):
        return evolve(super().play(move), number=next(NUMBERS))


@frozen
class Rehashed(Counters):
    number: int = field(default=0, eq=False)

    def play(self, move):
        return evolve(super().play(move), number=next(NUMBERS))

    def __hash__(self):
        return self.number


@pytest.mark.parametrize(
    ('kind', 'words'),
    [
        (Changing, r'after \[1, 2\], the moves played anew give: player '),
        (Unequal, r'^after \[1, 2\], the moves played anew give another state'),
        (Rehashed, r'^after \[1, 2\], another hash'),
    ],
)
def test_states_that_differ_from_replayed_moves_are_reported(kind, words):
    machine = played(kind(), 1)
    machine.play(Drawn(2))
    next(NUMBERS)
    with pytest.raises(AssertionError, match=words):
        machine.is_what_the_moves_lead_to()
    with pytest.raises(AssertionError):
        run(kind())


def test_a_game_that_breaks_during_play_is_reported():
    class Failing(Counters):
        def play(self, move):
            raise ValueError(move)

    with pytest.raises(OtherwiseError, match=r'^playing 2 raised ValueError: 2'):
        played(Failing(), 2)


def test_an_unfinished_game_without_moves_is_reported():
    class Stuck(Counters):
        moves = property(lambda self: (1, 2)[: self.left - 2])

    complaint = r'^after \[2, 1\], the game is not over, and there is no move'
    with pytest.raises(AssertionError, match=complaint):
        played(Stuck(), 2, 1, None)
    with pytest.raises(AssertionError, match='the game is not over, and there is no move'):
        run(Stuck())


def test_a_finished_position_is_refused_at_once():
    finished = tictactoe.parse('XXXOO....').unwrap()
    complaint = r'^start must be a state with moves to play, but its game is over$'
    with pytest.raises(FinishedGameError, match=complaint):
        game_machine(finished)
    with pytest.raises(OtherwiseError, match=r'^5 has no over$'):
        game_machine(5)
