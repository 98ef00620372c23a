"""Sequential halving in trees: faults that its law detects, and invalid lines."""

import pytest
from attrs import frozen

from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.search import schedules
from fmcts.search.schedules import Step
from halving_in_trees import agrees

RNG = SplitMix.from_seed(1)


@frozen
class Given:
    """A schedule that gives one step."""

    step: Step
    below_root = True

    def steps(self, _iterations, _stats):
        yield self.step


@pytest.mark.parametrize(
    'step',
    [
        Step((), 1),
        Step((9,), 1),
        Step((-1,), 1),
        Step((0, 0), 1),
        Step((0,), 2),
        Step((0,), 0),
        Step(0, 1),
        Step((0.0,), 1),
    ],
    ids=repr,
)
def test_invalid_lines_are_reported(step):
    with pytest.raises(MethodError, match=r'the schedule Given gave .*: expected a line of ind'):
        analyse(tictactoe.start, RNG, Search(30, schedule=Given(step)))


# ---- what others got wrong ----


def budgets_apart(given, stats):
    """What was spent before does not count."""
    return right(given, stats, spent_counts=False)


def worst_kept(given, stats):
    """The better half is left out."""
    return right(given, stats, sign=1.0)


def right(given, stats, *, spent_counts=True, sign=-1.0):
    """The generator of the module once more, with a fault."""
    (line, budget), rows = given, stats(given.line)
    if not rows:
        yield Step(line, budget)
        return
    spent, left = sum(row.visits for row in rows) if spent_counts else 0, budget
    for index, row in enumerate(rows):
        if left and not row.visits:
            yield Step((*line, index), 1)
            left -= 1
    rows, wanted = stats(line), 0
    alive, rounds = list(range(len(rows))), (len(rows) - 1).bit_length()
    while left and len(alive) > 1:
        wanted += max(1, (spent + budget) // (len(alive) * rounds))
        order = sorted(alive, key=lambda index: (sign * (rows[index].value or 0.0), index))
        for index in order:
            lacking = min(wanted - rows[index].visits, left)
            if lacking > 0:
                yield schedules.Budget((*line, index), lacking)
                left -= lacking
        rows = stats(line)
        order = sorted(alive, key=lambda index: (sign * (rows[index].value or 0.0), index))
        alive = order[: (len(order) + 1) // 2]
    if left:
        yield schedules.Budget((*line, alive[0]), left)


@pytest.mark.parametrize('wrong', [budgets_apart, worst_kept], ids=lambda wrong: wrong.__name__)
def test_faulty_schedules_are_detected(wrong, monkeypatch):
    monkeypatch.setattr(schedules, '_shot', right)
    assert agrees(connect4.start, RNG, 500)
    monkeypatch.setattr(schedules, '_shot', wrong)
    assert not agrees(connect4.start, RNG, 500)
