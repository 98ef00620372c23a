"""Designs compared on one search (`fmcts.compare`)."""

import importlib.util

import pytest
from returns.io import IO
from returns.unsafe import unsafe_perform_io

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running import registry
from fmcts._running.registry import ENGINES
from fmcts.compare import Difference, Refusal, compare_designs
from fmcts.errors import FinishedGameError
from fmcts.games import connect4, tictactoe

TRACED = importlib.util.find_spec('_tracemalloc') is not None
RNG = SplitMix.from_seed(42)
STATE = connect4.start.play(3).play(3).play(2)
SEARCH = Search(200, c=0.7, expansion='random')


def compare(search=SEARCH, **options):
    return unsafe_perform_io(compare_designs(STATE, RNG, search, **options))


@pytest.fixture(scope='module')
def comparison():
    return compare(repeats=2)


def test_the_outcome_is_an_effect():
    assert isinstance(compare_designs(tictactoe.start, RNG, Search(5)), IO)


@pytest.mark.needs_numba
def test_all_registered_designs_take_part_and_agree(comparison):
    assert [design.engine for design in comparison.designs] == list(registry.ENGINES)
    assert comparison.agree
    assert comparison.difference is None
    assert comparison.refused == ()
    assert comparison.iterations == 200


def test_results_equal_analyse(comparison):
    expected = analyse(STATE, RNG, SEARCH)
    for design in comparison.designs:
        assert (design.analysis, design.rng) == expected
        assert design.analysis.stats == expected[0].stats


def test_figures_are_plausible(comparison):
    figures = {design.engine: design for design in comparison.designs}
    for design in figures.values():
        assert design.seconds > 0
        assert design.iterations_per_second == 200 / design.seconds
        # A compiled node takes tens of bytes where a Python object takes hundreds.
        least = 2_000 if design.engine == 'compiled' else 20_000
        if TRACED:
            assert least < design.peak_bytes < 20_000_000
        else:  # this Python has no tracemalloc to measure memory with
            assert design.peak_bytes is None
    assert 400 <= figures['inplace'].objects < 600  # a state and a node for each iteration
    assert figures['persistent'].objects > 1000


def test_the_best_of_the_repeats_counts(monkeypatch):
    taken = iter([3.0, 8.0, 2.0, 6.0, 4.0, 7.0])  # of both in turn
    monkeypatch.setattr('fmcts.compare._designs.measure_seconds', lambda run: (run(), next(taken)))
    two = compare(engines=['persistent', 'inplace'], repeats=3)
    assert [(design.engine, design.seconds) for design in two.designs] == [
        ('persistent', 2.0),
        ('inplace', 6.0),
    ]
    assert two.designs[0].iterations_per_second == 100


def test_a_difference_is_reported_between_the_reference_and_the_first_deviation(half_too_much):
    engines = {
        'late': half_too_much(150, (0,)),
        'right': ENGINES['inplace'],
        'persistent': ENGINES['persistent'],
        'early': half_too_much(137, (3,)),
    }
    found = compare(Search(200), engines=engines)
    tree = analyse(STATE, RNG, Search(137))[0].tree
    reward = tree.child(3).reward
    assert not found.agree
    assert found.difference == Difference(
        ('persistent', 'early'), 137, (3,), 'reward', (reward, reward + 0.5)
    )
    digests = {design.engine: design.analysis.digest for design in found.designs}
    assert digests['right'] == digests['persistent']
    assert len(set(digests.values())) == 3


def test_without_the_reference_the_first_engine_replaces_it(spoiled):
    drawing = spoiled(50, lambda root, rng: (root, rng.uniform(0, 6)[1]))
    found = compare(engines={'drawing': drawing, 'inplace': ENGINES['inplace']}).difference
    assert found.engines == ('drawing', 'inplace')
    assert (found.iteration, found.path, found.field) == (50, None, 'generator')


def test_a_design_that_never_starts_is_a_difference():
    found = compare(
        engines={
            'persistent': ENGINES['persistent'],
            'idle': lambda root, rng, _search, _watch: (root, rng),
        }
    )
    assert found.designs[1].analysis.move is None
    assert (found.difference.iteration, found.difference.field) == (1, 'visits')


def refuse(_root, _rng, _search, _watch):
    raise EngineError('the engine poor has no random expansion')


@pytest.mark.needs_numba
def test_a_refusing_design_is_named(monkeypatch):
    monkeypatch.setitem(registry.ENGINES, 'poor', registry.Engine('poor', refuse))
    found = compare()
    assert found.agree
    assert 'poor' not in [design.engine for design in found.designs]
    assert found.refused == (Refusal('poor', 'the engine poor has no random expansion'),)


def test_a_requested_design_may_not_refuse(monkeypatch):
    monkeypatch.setitem(registry.ENGINES, 'poor', registry.Engine('poor', refuse))
    with pytest.raises(EngineError, match='poor has no random expansion'):
        compare(engines=['inplace', 'persistent', 'poor'])


@pytest.mark.needs_numba
def test_a_single_design_is_not_a_comparison(monkeypatch):
    for name in list(registry.ENGINES)[1:]:
        monkeypatch.setitem(registry.ENGINES, name, registry.Engine(name, refuse))
    with pytest.raises(EngineError, match='poor has no random expansion'):
        compare()


@pytest.mark.parametrize(
    ('engines', 'complaint'),
    [
        (['inplace', 'persistant'], r"unknown engine 'persistant' \(did you mean persistent\?\)"),
        (['inplace', 'auto'], "unknown engine 'auto'"),
        (
            ['inplace', 'persistent', 'inplace'],
            'engine inplace is given twice: name each engine once',
        ),
        (['inplace'], 'at least two engines, not inplace'),
        ([], 'at least two engines, not none'),
        ({'mine': ENGINES['inplace']}, 'at least two engines, not mine'),
    ],
)
def test_invalid_engines_are_refused(engines, complaint):
    with pytest.raises(EngineError, match=complaint):
        compare(engines=engines)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ValueError, match='repeats must be a whole number of at least 1, not 0'):
        compare(repeats=0)
    with pytest.raises(ValueError, match='max_nodes 1 leaves no room for the first iteration'):
        compare(Search(20, max_nodes=1))
    over = tictactoe.start.play(0).play(3).play(1).play(4).play(2)
    with pytest.raises(FinishedGameError):
        compare_designs(over, RNG, SEARCH)


def test_a_search_that_ends_early_is_measured_by_its_iterations():
    found = compare(Search(200, max_nodes=51))
    assert found.agree
    assert found.iterations == 200
    assert {design.analysis.iterations for design in found.designs} == {50}


def test_watch_reports_each_measurement(half_too_much):
    told = []

    def watching(label, total):
        return lambda done: told.append((label, total, done))

    compare(
        Search(120),
        engines={'persistent': ENGINES['persistent'], 'wrong': half_too_much(3, (0,))},
        watching=watching,
    )
    labels = list(dict.fromkeys(label for label, _, _ in told))
    memory = ['persistent: memory'] if TRACED else []
    expected = ['persistent: time', 'wrong: time', *memory, 'persistent: objects']
    assert labels[: len(expected)] == expected
    assert [done for label, _, done in told if label == 'persistent: objects'] == [0, 120]
