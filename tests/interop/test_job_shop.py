"""The job shop of docs/one_agent.md, and drawn ones, beside all their schedules."""

import itertools
import re
from pathlib import Path

import pytest

from fmcts import Search, SplitMix, mcts
from fmcts.solve import expectation

PAGE = Path(__file__).parents[2] / 'docs/one_agent.md'
if not PAGE.is_file():
    pytest.skip('docs is not part of this copy', allow_module_level=True)


def shop_of_the_page():
    first = PAGE.read_text('utf-8').partition('>>> from fmcts import Search')[0]
    lines = re.findall(r'^(?:>>>|\.\.\.) ?(.*)$', first, re.MULTILINE)
    names = {'__name__': 'page'}
    exec('\n'.join(lines), names)  # noqa: S102 - our own page
    return names['JobShop']


JobShop = shop_of_the_page()


def makespan(jobs, order):
    """The end of the last step, if the steps of the jobs are started in this order."""
    clock, ends, place = {}, [0] * len(jobs), [0] * len(jobs)
    for job in order:
        machine, minutes = jobs[job][place[job]]
        place[job] += 1
        ends[job] = clock[machine] = max(ends[job], clock.get(machine, 0)) + minutes
    return max(ends)


def shortest(jobs):
    steps = [job for job, row in enumerate(jobs) for _ in row]
    return min(makespan(jobs, order) for order in set(itertools.permutations(steps)))


def drawn(seed):
    rng, jobs = SplitMix.from_seed(seed), []
    for _ in range(3):
        steps = []
        for _ in range(2):
            machine, rng = rng.uniform(0, 2)
            minutes, rng = rng.uniform(1, 9)
            steps.append((machine, minutes))
        jobs.append(tuple(steps))
    return tuple(jobs)


@pytest.mark.parametrize('jobs', [JobShop().jobs, *map(drawn, range(6))])
def test_no_schedule_is_shorter(jobs):
    start = JobShop(jobs, (0,) * len(jobs), (0,) * len(jobs))
    best = shortest(jobs)
    assert expectation(start).values == (-best,)
    bot, rng, state, total = mcts(Search(200, normalised=True)), SplitMix.from_seed(1), start, 0
    while not state.over:
        job, rng = bot(state, rng)
        state = state.play(job)
        total += state.gained
    assert -total == max(state.ready) == best


def test_the_example_of_the_page_is_a_published_one():
    """OR-Tools, "The Job Shop Problem": the optimal schedule length of its example is 11."""
    assert shortest(JobShop().jobs) == 11
