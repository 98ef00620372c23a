"""The campaign of random differential tests: reproducible, and it finds and shrinks faults."""

import re
import runpy
from collections import Counter
from itertools import islice
from typing import get_args

import pytest
from attrs import evolve

from drawn_games import PASS, WIDEST, Maze
from fmcts import EngineError, Search, SplitMix, StdGen, analyse, rng as rngs
from fmcts._linked import compiles
from fmcts._running import registry
from fmcts.search._description import Expansion
from fmcts.search._tree import freeze_in_place, walk
from fmcts.testing import check_rules
from tiers import exhaustive

from .conftest import BENCHMARKS, programs

cases, compare, games, script, shrink = programs(
    '', *(f'campaign.{name}' for name in ('cases', 'compare', 'games', 'script', 'shrink'))
)
main = runpy.run_path(str(BENCHMARKS / 'campaign.py'), run_name='the_campaign')

INPLACE, MONADIC = registry.ENGINES['inplace'], registry.ENGINES['monadic']
INTERPRETED = ('persistent', 'inplace', 'monadic')

# Games with any rewards are drawn, and searches with none made for them.
pytestmark = pytest.mark.filterwarnings('ignore:moves of .* are worth')


@pytest.mark.exhaustive  # a campaign
def test_engines_agree_on_drawn_cases():
    counts = Counter()
    for case in islice(cases.draw_cases(1), 200):
        assert compare.first_difference(case, INTERPRETED, counts) is None
    assert counts['cases'] == 200
    # Everything that is to be compared was, more than once.
    for what in (
        'searches by inplace',
        'searches by monadic',
        'searches by persistent',
        'steps on an earlier tree',
        'steps on an older version',
        'steps with mixed engines',
        'steps on a re-rooted tree',
        'steps on a pickled tree',
        'steps with a drawn formula',
        'steps with max_nodes',
        'steps with a solver',
        'steps with bounds',
        'steps with closing',
        'steps with a schedule',
        'steps with a reward',
        'steps with an evaluator',
        'steps with a network',
        'steps with noise',
        'steps with a schedule that draws',
        'steps with a stop condition',
        'steps with transpositions',
        'steps with states of playouts in the tree',
        'steps with playouts that remember',
        'steps with nested mixtures',
        'steps ended from outside',
        'steps among some root moves',
        'steps from a finished position',
        'steps from a root to which its own side moved',
        'steps that ended early',
        'steps in which nothing is done',
        'searches refused (EndlessGameError)',
        'searches refused (NoRoomError)',
        *(f'steps with expansion {name}' for name in get_args(Expansion)),
        *(f'game {name}' for name in cases.STARTS),
        *(f'generator {name}' for name in ('SplitMix', 'StdGen')),
    ):
        assert counts[what] > 1, what


@pytest.mark.skipif(not compiles(), reason='numba is not installed')
def test_the_compiled_engine_takes_part():
    """Of one game, one expansion and one generator only: code is made for each of them."""
    counts = Counter()
    drawn = (case for case in cases.draw_cases(2) if case.game == 'Maze')
    for case in islice(drawn, 25):
        steps = tuple(
            evolve(step, search=Search(step.search.iterations, max_nodes=step.search.max_nodes))
            for step in case.steps
        )
        same = evolve(case, rng='splitmix:42:1', steps=steps)
        assert compare.first_difference(same, compare.able_engines(), counts) is None
    assert counts['searches by compiled'] > 20
    assert compare.able_engines()[0] == 'persistent'


@pytest.mark.skipif(not compiles(), reason='numba is not installed')
@pytest.mark.parametrize(
    'start', [Maze(7, 60, WIDEST), games.Heap(7, 3, 0), exhaustive(games.Heap(40, 9))]
)
def test_generated_games_keep_all_laws(start):
    assert check_rules(start, plies=3000).unwrap() == 3000


def test_generated_games_have_unusual_features():
    """Passes, sides that move twice in a row, draws, and positions reached in several ways."""
    nodes, winners = [], set()
    for seed in range(20):
        tree = analyse(Maze(seed, 9, 4), SplitMix(seed, 1), Search(400), engine='inplace')
        nodes += list(walk(tree[0].tree))
    winners = {node.state.winner for node in nodes if node.state.over}
    assert len(winners) == 3
    assert any(node.moves == (PASS,) for node in nodes)
    assert any(child.mover is node.mover for node in nodes for child in node.children)
    assert len({node.state for node in nodes}) < len(nodes)


def test_the_seed_determines_the_cases():
    one, again, other = (list(islice(cases.draw_cases(seed), 40)) for seed in (5, 5, 6))
    assert one == again
    assert not set(one) & set(other)
    assert len(set(one)) == 40
    assert {type(rngs.parse(case.rng).unwrap()) for case in one} == {SplitMix, StdGen}


def ends_too_soon(root, rng, search, watch):
    """Number one: no iteration at all on a tree that is already above the bound."""
    if search.max_nodes is not None and sum(1 for _ in walk(root)) > search.max_nodes:
        return root, rng
    return MONADIC(root, rng, search, watch)


def counts_twice(root, rng, search, watch):
    """A visit too many at the root, of searches of seven iterations and more."""
    tree, rng = INPLACE(root, rng, search, watch)
    if search.iterations >= 7:
        draft = tree.mutable_copy(tree.places)
        draft.visits += 1
        tree = freeze_in_place(draft)
    return tree, rng


def draws_once_more(root, rng, search, watch):
    """A generator that is one draw too far, where trees are full."""
    tree, rng = INPLACE(root, rng, search, watch)
    return tree, rng.uniform(0, 5)[1] if search.expansion == 'full' else rng


def refuses(root, rng, search, watch):
    """An error where there is none."""
    if search.c == 0:
        raise EngineError('no constant of 0')
    return INPLACE(root, rng, search, watch)


@pytest.mark.parametrize(
    ('engine', 'fault', 'steps', 'iterations'),
    [
        exhaustive(('monadic', ends_too_soon, 2, 2)),
        ('inplace', counts_twice, 1, 7),
        ('inplace', draws_once_more, 1, 1),
        ('monadic', refuses, 1, 1),
    ],
)
def test_a_planted_fault_is_found_and_shrunk(monkeypatch, engine, fault, steps, iterations):
    monkeypatch.setitem(registry.ENGINES, engine, registry.Engine(engine, fault))
    counts = Counter()
    found = main['campaign'](cases.draw_cases(6), counts, lambda: counts['cases'] < 150)
    assert found is not None
    assert found.difference.engines == ('persistent', engine)
    assert len(found.case.steps) == steps
    assert sum(step.search.iterations for step in found.case.steps) <= max(iterations, 12)
    plain = [evolve(step.search, iterations=1, max_nodes=None) for step in found.case.steps]
    wanted = {'refuses': 'c', 'draws_once_more': 'expansion'}.get(fault.__name__)
    for search in plain:
        changed = {
            name for name in ('c', 'expansion', 'final', 'max_plies')
            if getattr(search, name) != getattr(Search(), name)
        }  # fmt: skip
        assert changed == ({wanted} if wanted else set())
    assert not any(step.pickled or step.shift or step.reroot for step in found.case.steps)

    code = script.as_code(found.case, found.difference)
    monkeypatch.syspath_prepend(BENCHMARKS)
    with pytest.raises(EngineError if fault is refuses else AssertionError):
        exec(code, {})  # noqa: S102 - our own code
    monkeypatch.undo()
    monkeypatch.syspath_prepend(BENCHMARKS)
    exec(code, {})  # noqa: S102 - and without the fault all is well


def test_a_fault_in_a_formula_is_shrunk_to_its_part(monkeypatch):
    def no_parents(root, rng, search, watch):
        """A draw too many where the rule names the parent."""
        tree, rng = INPLACE(root, rng, search, watch)
        return tree, rng.uniform(0, 5)[1] if 'parent' in repr(search.selection) else rng

    monkeypatch.setitem(registry.ENGINES, 'inplace', registry.Engine('inplace', no_parents))
    # Before the compiled engine takes part.
    found = main['campaign'](islice(cases.draw_cases(2), main['QUICK']), Counter(), lambda: True)
    (step,) = found.case.steps
    assert re.fullmatch(r'parent\.\w+', step.search.selection.text)
    assert evolve(step.search, selection='ucb1') == Search(1)

    code = script.as_code(found.case, found.difference)
    assert f'Search(iterations=1, selection={step.search.selection!r})' in code
    monkeypatch.syspath_prepend(BENCHMARKS)
    with pytest.raises(AssertionError):
        exec(code, {})  # noqa: S102 - our own code


def test_code_is_printed_for_every_kind_of_step(monkeypatch):
    """Cases that are not shrunk, and hold all there is, run through to their end."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    shown = 0
    for case in islice(cases.draw_cases(8), 32):
        counts = Counter()
        compare.first_difference(case, ('persistent', 'inplace'), counts)
        if counts['steps'] < len(case.steps) or any('refused' in what for what in counts):
            continue
        end = compare.Difference(len(case.steps) - 1, ('persistent', 'inplace'), '', (0, 0))
        exec(script.as_code(case, end), {})  # noqa: S102 - our own code
        shown += 1
    assert shown > 15


def test_a_modified_tree_is_a_difference(monkeypatch):
    def spoils(root, rng, search, watch):
        tree, after = INPLACE(root, rng, search, watch)
        if root.children:
            object.__setattr__(root.children[0], 'visits', 100)
        return tree, after

    monkeypatch.setitem(registry.ENGINES, 'inplace', registry.Engine('inplace', spoils))
    step = cases.Step(Search(5))
    case = cases.Case('tictactoe', (), (), 'splitmix:1', (step, evolve(step, back=1)))
    found = compare.first_difference(case, ('persistent', 'inplace'))
    assert found.what == 'a tree that changed'


def test_the_command_prints_a_summary(run_python):
    done = run_python(str(BENCHMARKS / 'campaign.py'), '0.5', '--seed', '9')
    assert (done.returncode, done.stderr) == (0, '')
    assert 'searches by persistent' in done.stdout
    assert 'no difference in ' in done.stdout
    assert 'from seed 9' in done.stdout


def test_options_that_determine_columns_are_simplified_in_all_steps_at_once():
    """In one alone it would be another tree to go on from; and no search is made that cannot be."""

    def simpler(field, search):
        steps = cases.Step(search), cases.Step(search, back=1)
        case = cases.Case('tictactoe', (), (), 'splitmix:0:1', steps)
        others = [*shrink.simpler_cases(case)]
        return {tuple(getattr(step.search, field) for step in other.steps) for other in others}

    assert ('ucb1', 'ucb1') in simpler('selection', Search(20, selection='rave'))
    selected = Search(20, selection='rave', expansion='selected')
    assert ('ucb1', 'ucb1') not in simpler('selection', selected)
    assert (None, None) in simpler('expansion', selected)
