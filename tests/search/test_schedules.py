"""Schedules: iterations divided among the root's moves, alike in every engine."""

import re

import pytest
from attrs import evolve, frozen

from fmcts import STOP, Search, SplitMix, analyse, analyse_for, trees
from fmcts._running.registry import ENGINES
from fmcts.errors import MethodError
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT
from fmcts.search.schedules import Step
from tiers import is_interpreted, usually

RNG = SplitMix.from_seed(1)
HALVING = Search(200, schedule='halving')


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
def test_expansion_of_the_selected_child_needs_no_opening(engine):
    last = PUCT(prior=OnPositions(lambda _position, cell: 1.0 * (cell == 8)))
    search = Search(3, selection=last, schedule='halving')
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert [row.visits for row in found.stats] == [1, 1, 1, 0, 0, 0, 0, 0, 0]


@frozen
class Noting:
    """A schedule that notes how many iterations it is given, and makes none."""

    given: list[int]

    def steps(self, iterations, _stats):
        self.given.append(iterations)
        return iter(())


@pytest.mark.parametrize(('iterations', 'given'), [(8, []), (9, []), (10, [1])])
def test_the_schedule_receives_the_remaining_iterations(engine, iterations, given):
    noting = Noting([])
    search = Search(iterations, schedule=noting)
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert noting.given == given
    assert found.iterations == min(iterations, 9)


@frozen
class InTurn:
    """A schedule of one's own: every move one iteration, over and over."""

    def steps(self, iterations, stats):
        for number in range(iterations):
            yield Step(number % len(stats()), 1)


def test_a_user_s_schedule(engine):
    search = Search(9 + 9 * 20 + 3, schedule=InTurn())
    found, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    assert [row.visits for row in found.stats] == [22, 22, 22, 21, 21, 21, 21, 21, 21]


@frozen
class Given:
    """A schedule that gives one step."""

    step: object

    def steps(self, _iterations, _stats):
        yield self.step


@pytest.mark.parametrize(
    'step',
    [
        (9, 1),
        (10, 1),
        (-1, 1),
        (0, 0),
        (0, -1),
        (0, 192),
        ('4', 1),
        (None, 192),
    ],
)
def test_invalid_steps_are_refused(engine, step):
    message = (
        f'the schedule Given gave {step}: expected the index of one of 9 moves, or None, '
        'and a number of iterations from 1 to 191'
    )
    with pytest.raises(MethodError, match=f'^{re.escape(message)}$'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Given(step)), engine=engine)


@frozen
class Twice:
    """A schedule of two steps."""

    def steps(self, _iterations, _stats):
        yield Step(0, 100)
        yield Step(1, 92)


def test_simultaneous_steps_are_counted_together(engine):
    with pytest.raises(MethodError, match=r'gave Step.*=92\): .* from 1 to 91$'):
        analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Twice()), engine=engine)


def test_a_schedule_may_defer_to_selection_or_end_early(engine):
    free = evolve(HALVING, schedule=Given((None, 191)))
    found = analyse(tictactoe.start, RNG, free, engine=engine)
    assert found == analyse(tictactoe.start, RNG, Search(200))
    early, _ = analyse(tictactoe.start, RNG, evolve(HALVING, schedule=Given((4, 1))), engine=engine)
    assert (early.iterations, early.move) == (10, 4)


def test_a_schedule_needs_a_fixed_number_of_iterations(engine):
    message = 'a schedule needs a fixed number of iterations, and'
    with pytest.raises(ValueError, match=message):
        trees(tictactoe.start, RNG, HALVING)
    with pytest.raises(ValueError, match=message):
        analyse_for(tictactoe.start, RNG, HALVING, seconds=1)
    tree, rng = analyse(tictactoe.start, RNG, Search(10))
    with pytest.raises(ValueError, match=message):
        analyse(tictactoe.start, rng, HALVING, tree=tree, engine=engine)
    with pytest.raises(ValueError, match='watch cannot end a search with a schedule'):
        analyse(tictactoe.start, RNG, HALVING, engine=engine, watch=lambda _done: STOP)
