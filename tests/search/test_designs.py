"""The engines as designs: short files, comparable side by side, that name no kind of search.

That they find the same is shown in `test_engines.py`; here is what is particular to each.
"""

import ast
import inspect
import math
import operator
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, StdGen
from fmcts._engines import inplace, monadic, persistent
from fmcts._engines.expansion import EXPANSIONS
from fmcts._engines.plan import plan_of
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import MutableNode, Node, plant, walk
from fmcts.search.methods import METHODS
from fmcts.search.policies import POLICIES
from fmcts.search.resolution import RESOLUTIONS
from fmcts.state import from_state
from fmcts.testing import generators, positions, searches
from toy_games import mazes

PAGE = (Path(__file__).parents[2] / 'docs/engines.md').read_text(encoding='utf-8')
PAGES = {'persistent': persistent, 'monadic': monadic, 'inplace': inplace}
VERBS = ('select', 'expand', 'simulate', 'backup')
LOOPS = {'persistent': persistent.grow, 'monadic': monadic.grow, 'inplace': inplace.InPlace.advance}
KINDS = {*METHODS, *POLICIES, *RESOLUTIONS, *EXPANSIONS, 'selected'} - {'uniform'}  # also of `Rng`
STEMS = ('jump', 'chain', 'rollout', 'memor', 'solve', 'resol', 'prior', 'halving')


@pytest.mark.parametrize('name', PAGES)
def test_an_engine_is_a_short_file(name):
    assert len(inspect.getsource(PAGES[name]).splitlines()) <= 200


@pytest.mark.parametrize('name', PAGES)
def test_an_engine_names_no_kind_of_search(name):
    named = re.compile(
        rf'\b(?:{"|".join(map(re.escape, sorted(KINDS)))})\b|{"|".join(STEMS)}', re.IGNORECASE
    )
    assert named.findall(inspect.getsource(PAGES[name])) == []
    assert named.findall('a jump, or PUCT by `in-order`') == ['jump', 'PUCT', 'in-order']


@pytest.mark.parametrize('name', PAGES)
def test_an_engine_has_one_loop_over_iterations(name):
    """It calls each verb once, in their order."""
    tree = ast.parse(inspect.cleandoc('\n' + inspect.getsource(LOOPS[name])))
    calls = [
        (node.lineno, node.col_offset, node.func.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert [called for *_, called in sorted(calls) if called in VERBS] == list(VERBS)


@pytest.mark.parametrize('name', PAGES)
def test_the_docs_page_quotes_each_verb_and_the_loop(name):
    """As it is in the source, which is what `test_quoted_code_equals_the_source` compares."""
    module = PAGES[name]
    parts = [getattr(module, verb) for verb in VERBS] + [LOOPS[name]]
    for part in parts:
        if part not in (monadic.select, inplace.select):  # the page shows where they differ
            assert inspect.getsource(part).rstrip() in PAGE


# Short enough that no game is over.
running = st.one_of(
    positions(tictactoe.start, max_plies=4), positions(connect4.start, max_plies=6), mazes
)


def grow(root, search, iterations, room=math.inf):
    """The tree only."""
    plan = plan_of(search, root.state)
    return monadic.grow(root, room, plan, iterations, None).map(operator.itemgetter(0))


def test_an_unrun_action_draws_nothing():
    class Untouchable:
        def __getattr__(self, name):
            raise AssertionError(name)

    action = grow(plant(connect4.start), Search(), 10)
    with pytest.raises(AssertionError, match='thaw'):
        action.run(Untouchable())


def test_an_action_converts_to_a_pure_function():
    root, rng = plant(tictactoe.start), StdGen(43, 1)
    pure = from_state(lambda root: grow(root, Search(), 50))
    assert pure(root, rng) == ENGINES['persistent'](root, rng, Search(50), lambda _: None)


def assert_frozen(tree):
    """Nodes and tuples only, and every value follows from reward and visits."""
    for node in walk(tree):
        assert type(node) is Node
        assert type(node.places) is tuple
        assert node.value == (node.reward / node.visits if node.visits else 0.0)


@given(running, generators(), searches(max_iterations=40))
def test_thaw_copies_and_freeze_restores_the_tree(state, rng, search):
    tree, _ = ENGINES['persistent'](plant(state), rng, search, lambda _: None)
    copy = inplace.thaw(tree)
    drafts = [copy]
    for draft in drafts:
        assert type(draft) is MutableNode
        assert type(draft.places) is list
        drafts.extend(draft.children)
    assert len(drafts) == len(list(walk(tree)))
    assert_frozen(tree)
    frozen = inplace.freeze(copy)
    assert frozen is copy
    assert frozen == tree
    assert_frozen(frozen)
