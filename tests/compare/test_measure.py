"""Time, memory and objects of a run (`fmcts.compare._measure`)."""

import collections
import gc
import importlib.util
import sys
from types import SimpleNamespace

import pytest
from attrs import define, frozen

from fmcts import Search, SplitMix
from fmcts._running.registry import ENGINES
from fmcts.compare import _measure as measure
from fmcts.compare._measure import count_objects, measure_peak, measure_seconds
from fmcts.games import tictactoe
from fmcts.search._tree import plant
from fmcts.search._watch import ignore

if importlib.util.find_spec('_tracemalloc'):
    import tracemalloc
else:
    tracemalloc = None

needs_tracemalloc = pytest.mark.skipif(
    tracemalloc is None, reason='this Python has no tracemalloc to measure memory with'
)
MEGABYTE = 1_000_000
SLACK = 20_000  # bytes for frames and the like


@pytest.fixture
def clock(monkeypatch):
    """A clock of the processor that is set by hand."""
    clock = SimpleNamespace(now=100.0)
    told = {'process_time': SimpleNamespace(resolution=0.5)}
    fake = SimpleNamespace(process_time=lambda: clock.now, get_clock_info=told.get)
    monkeypatch.setattr(measure, 'time', fake)
    return clock


def test_time_is_that_of_the_processor(clock):
    def run():
        clock.now += 1.75
        return 'result'

    assert measure_seconds(run) == ('result', 1.75)


def test_time_is_at_least_what_the_clock_can_tell_apart(clock):
    assert measure_seconds(lambda: clock.now) == (100.0, 0.5)


@needs_tracemalloc
def test_peak_is_what_was_held_at_once():
    def run():
        for _ in range(5):
            bytearray(2 * MEGABYTE)
        return bytearray(MEGABYTE)

    assert 2 * MEGABYTE <= measure_peak(run) < 2 * MEGABYTE + SLACK


def test_without_tracemalloc_memory_is_unknown(monkeypatch):
    monkeypatch.setitem(sys.modules, 'tracemalloc', None)
    assert measure_peak(lambda: pytest.fail('a run for nothing')) is None


@needs_tracemalloc
def test_tracing_is_restored():
    assert not tracemalloc.is_tracing()
    measure_peak(lambda: 0)
    assert not tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        held = bytearray(3 * MEGABYTE)
        bytearray(9 * MEGABYTE)  # a peak of before
        assert MEGABYTE <= measure_peak(lambda: bytearray(MEGABYTE)) < MEGABYTE + SLACK
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()
    assert held


@pytest.mark.parametrize(
    'effect', [pytest.param(measure_peak, marks=needs_tracemalloc), count_objects]
)
def test_an_error_restores_tracing(effect):
    with pytest.raises(ZeroDivisionError):
        effect(lambda: 1 // 0)
    assert sys.getprofile() is None
    assert tracemalloc is None or not tracemalloc.is_tracing()


@frozen
class Frozen:
    number: int = 0


@define
class Plain:
    number: int = 0


class MadeAndBegun:
    def __new__(cls):
        return super().__new__(cls)

    def __init__(self):
        self.number = 1


class Derived(MadeAndBegun):
    def __init__(self):
        super().__init__()
        self.part = MadeAndBegun()


Pair = collections.namedtuple('Pair', 'one two')  # noqa: PYI024 - how classes are made at run time
bare = object.__new__


@pytest.mark.parametrize(
    ('make', 'count'),
    [
        (Frozen, 1),
        (Plain, 1),
        (MadeAndBegun, 1),
        (Derived, 2),
        (lambda: bare(Frozen), 1),
        (lambda: Pair(1, 2), 1),
        (lambda: [Plain(number) for number in range(10)][:0], 10),  # kept or not
        (lambda: ([1, 2.5], (3, 'x' * 99), {4: lambda: 5}, iter([]), range(9)), 0),
        (lambda: len(str(10**50)), 0),
    ],
)
def test_instances_of_python_classes_are_counted_once(make, count):
    assert count_objects(make) == count


def test_a_profiler_is_restored():
    def profiler(*_event):
        pass

    sys.setprofile(profiler)
    try:
        assert count_objects(Plain) == 1
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


def searched(engine, iterations):
    root, rng, search = plant(tictactoe.start), SplitMix.from_seed(3), Search(iterations)
    engine(root, rng, search, ignore)  # what is found out about a search once
    return count_objects(lambda: engine(root, rng, search, ignore))


def test_objects_of_an_iteration_counted_by_hand():
    """The first nine iterations each make a child of the root, as a state and a node."""
    # In the reference also the node without visits, the cursor of the playout and the generator
    # after it; and on the way back the root with a visit more.
    assert searched(ENGINES['persistent'], 9) - searched(ENGINES['persistent'], 2) == 7 * 6
    # In place one cursor serves all playouts.
    assert searched(ENGINES['inplace'], 9) - searched(ENGINES['inplace'], 2) == 7 * 2


def test_the_count_does_not_depend_on_the_collector():
    first = searched(ENGINES['persistent'], 60)
    gc.disable()
    try:
        assert searched(ENGINES['persistent'], 60) == first
    finally:
        gc.enable()
