"""The engines as designs: short files, comparable side by side, that name no kind of search."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from fmcts._engines import inplace, monadic, persistent
from fmcts._engines.expansion import EXPANSIONS
from fmcts.search.methods import METHODS
from fmcts.search.policies import POLICIES
from fmcts.search.resolution import RESOLUTIONS

PAGE = (Path(__file__).parents[2] / 'docs/engines.md').read_text(encoding='utf-8')
ENGINES = {'persistent': persistent, 'monadic': monadic, 'inplace': inplace}
VERBS = ('select', 'expand', 'simulate', 'backup')
LOOPS = {'persistent': persistent.grow, 'monadic': monadic.grow, 'inplace': inplace.InPlace.advance}
KINDS = {*METHODS, *POLICIES, *RESOLUTIONS, *EXPANSIONS, 'selected'} - {'uniform'}  # also of `Rng`
STEMS = ('jump', 'chain', 'rollout', 'memor', 'solve', 'resol', 'prior', 'halving')


@pytest.mark.parametrize('name', ENGINES)
def test_an_engine_is_a_short_file(name):
    assert len(inspect.getsource(ENGINES[name]).splitlines()) <= 200


@pytest.mark.parametrize('name', ENGINES)
def test_an_engine_names_no_kind_of_search(name):
    named = re.compile(
        rf'\b(?:{"|".join(map(re.escape, sorted(KINDS)))})\b|{"|".join(STEMS)}', re.IGNORECASE
    )
    assert named.findall(inspect.getsource(ENGINES[name])) == []
    assert named.findall('a jump, or PUCT by `in-order`') == ['jump', 'PUCT', 'in-order']


@pytest.mark.parametrize('name', ENGINES)
def test_an_engine_has_one_loop_over_iterations(name):
    """It calls each verb once, in their order."""
    tree = ast.parse(inspect.cleandoc('\n' + inspect.getsource(LOOPS[name])))
    calls = [
        (node.lineno, node.col_offset, node.func.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert [called for *_, called in sorted(calls) if called in VERBS] == list(VERBS)


@pytest.mark.parametrize('name', ENGINES)
def test_the_docs_page_quotes_each_verb_and_the_loop(name):
    """As it is in the source, which is what `test_quoted_code_equals_the_source` compares."""
    module = ENGINES[name]
    parts = [getattr(module, verb) for verb in VERBS] + [LOOPS[name]]
    for part in parts:
        if part not in (monadic.select, inplace.select):  # the page shows where they differ
            assert inspect.getsource(part).rstrip() in PAGE
