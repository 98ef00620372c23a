"""Every cache of the process is bounded."""

import ast
import gc
import weakref
from pathlib import Path

import pytest

import fmcts
from fmcts import Search, SplitMix, analyse
from fmcts._linked import codes
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT

PACKAGE = Path(fmcts.__file__).parent

BOUNDS = {
    'interop/_tables.KNOWN': 'one for each environment that is alive',
    'interop/commands._servers': 'one for each command that a game is named by',
    '_content/described._version': 'one for each package that bots reach',
    '_declared.STRATEGIES': 'one for each class that is marked',
    '_content/user_code._holds_packages': 'one for each folder where modules are looked for',
    '_arithmetic.notice_double_rounding': 'one',
    '_arithmetic.rounds_twice': 'one',
    '_running/automatic._spent': 'KINDS',
    '_linked/tree/arena.without_game': 'one for each function',
    '_linked/__init__.installed': 'one',
    '_linked/__init__.compiles': 'one',
    '_linked/engine._prepared': 'MOST',
    '_linked/layout.declared': 'one for each structure of C',
    '_linked/layout.constants': 'one for each file of C',
    '_linked/layout.source': 'one for each file of C',
    '_linked/layout.functions': 'one',
    '_linked/codes._codes': 'MOST',
    '_linked/codes._rules': 'MOST',
    '_linked/codes.folder': 'one',
    '_linked/link.target': 'one',
    '_linked/link.features': 'one',
    '_linked/link.loop_of': 'one for each file of bitcode',
}
"""All that has no bound where it is made, and what bounds it: a number by its name, or in words."""


def _called(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, 'id', None)


def _is_without_bound(decorator):
    if isinstance(decorator, ast.Call) and _called(decorator.func) == 'lru_cache':
        return all(
            isinstance(each.value, ast.Constant) and each.value.value is None
            for each in decorator.keywords
            if each.arg == 'maxsize'
        )
    return _called(decorator) in ('cache', 'lru_cache')


def _is_container(value):
    if isinstance(value, ast.Call):
        func = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        names = ('dict', 'set', 'list', 'WeakSet', 'WeakKeyDictionary', 'defaultdict', 'Counter')
        return _called(func) in names and not value.args
    return isinstance(value, ast.Dict | ast.List) and not (
        value.keys if isinstance(value, ast.Dict) else value.elts
    )


def caches():
    for path in PACKAGE.rglob('*.py'):
        module = path.relative_to(PACKAGE).with_suffix('')
        tree = ast.parse(path.read_text('utf-8'))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any(
                map(_is_without_bound, node.decorator_list)
            ):
                yield f'{module.as_posix()}.{node.name}'
        for node in tree.body:
            targets = getattr(node, 'targets', [getattr(node, 'target', None)])
            if isinstance(node, ast.Assign | ast.AnnAssign) and _is_container(node.value):
                yield f'{module.as_posix()}.{targets[0].id}'


def test_every_cache_is_bounded():
    assert sorted(caches()) == sorted(BOUNDS)


@pytest.mark.parametrize('engine', ['auto', 'inplace', 'persistent'])
def test_a_prior_can_be_garbage_collected(engine):
    def prior(_position, move):
        return 0.125 * move

    gone = weakref.ref(prior)
    search = Search(20, selection=PUCT(prior=OnPositions(prior)))
    analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)
    del prior, search
    gc.collect()
    assert gone() is None


@pytest.mark.needs_numba
def test_machine_code_that_no_search_uses_is_let_go(monkeypatch):
    monkeypatch.setattr(codes, '_codes', {})
    monkeypatch.setattr('fmcts._linked.engine._prepared', {})
    monkeypatch.setattr(codes, 'MOST', 1)
    made = []
    for selection in ('ucb1', 'puct'):
        analyse(
            tictactoe.start,
            SplitMix.from_seed(1),
            Search(9, selection=selection),
            engine='compiled',
        )
        made.append(weakref.ref(*codes._codes.values()))
        gc.collect()
    assert [code() is not None for code in made] == [False, True]


@pytest.mark.needs_numba
def test_another_search_of_a_known_structure_collects_no_parts(monkeypatch):
    def found(iterations):
        search = Search(iterations, selection='rave')
        return analyse(tictactoe.start, SplitMix.from_seed(1), search, engine='compiled')

    found(9)
    monkeypatch.setattr('fmcts._linked.engine.parts_of', None)
    assert found(8)[0].iterations == 8
