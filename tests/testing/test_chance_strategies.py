"""Strategies and machines of games with dice."""

import pytest
from attrs import frozen
from hypothesis import Phase, find, given, settings
from hypothesis.stateful import run_state_machine_as_test
from returns.pipeline import is_successful

from fmcts.game import illegal, options_of
from fmcts.games import find_game
from fmcts.testing import check_game, game_machine, lines, positions
from toy_games import play_line

CERTAIN = settings(
    derandomize=True, database=None, deadline=None, max_examples=2000, phases=tuple(Phase)
)


def drawn(strategy, number):
    values = []

    @settings(CERTAIN, max_examples=number)
    @given(strategy)
    def draw(value):
        values.append(value)

    draw()
    return values


@pytest.mark.parametrize('name', ['pig:20', 'bearoff'])
def test_positions_and_lines_go_through_the_whole_game(name):
    """All that was drawn before were one or two positions, and never an end."""
    begin = find_game(name).unwrap().start
    found = drawn(positions(begin), 120)
    assert len(set(found)) > 40
    assert 10 < sum(state.over for state in found) < 60
    assert sum(not state.over and state != begin for state in found) > 40
    assert not any(state.over for state in drawn(positions(begin, running=True), 30))
    played = drawn(lines(begin), 60)
    assert max(map(len, played)) > 8
    assert all(play_line(begin, line) for line in played)


@frozen
class Throws:
    """Throw a die three times, or less often."""

    done: tuple = ()
    asked: bool = False
    players = ('thrower',)
    player = 'thrower'
    over = property(lambda self: len(self.done) == 3 or 'stop' in self.done)
    moves = property(lambda self: () if self.over or self.asked else ('throw', 'stop'))
    chances = property(lambda self: tuple((face, 1) for face in range(1, 7) if self.asked))
    rewards = property(lambda self: (0.5,) if self.over else ())

    def play(self, move):
        if move not in options_of(self):
            raise illegal(self, move)
        if move == 'throw':
            return Throws(self.done, asked=True)
        return Throws((*self.done, move))


def test_failures_shrink_to_the_simplest_throws():
    begin = Throws()
    assert is_successful(check_game(begin, positions=20, games=1))
    one = find(positions(begin), lambda state: 6 in state.done, settings=CERTAIN)
    assert one.done == (6,)
    three = find(positions(begin), lambda state: {4, 5, 6} & set(state.done[2:]), settings=CERTAIN)
    assert three.done == (1, 1, 4)
    assert find(lines(begin), lambda line: 5 in line, settings=CERTAIN) == ('throw', 5)


def test_a_machine_reports_an_end_that_pays_another_time_differently():
    numbers = iter(range(1000))

    class Drifting(Throws):
        rewards = property(lambda self: (next(numbers) / 1000,) if self.over else ())

        def play(self, move):
            return Drifting((*self.done, move)) if self.asked else Drifting(self.done, asked=True)

    quick = settings(CERTAIN, max_examples=20, stateful_step_count=12, phases=[Phase.generate])
    with pytest.raises(AssertionError, match='the moves played anew give: rewards '):
        run_state_machine_as_test(game_machine(Drifting()), settings=quick)
