"""`import fmcts` has no side effects, and its names load only attrs and returns."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import fmcts

FOLDER = Path(fmcts.__file__).parent
HEAVY = ['click', 'hypothesis', 'matplotlib', 'numba', 'numpy', 'pytest', 'rich']


@pytest.fixture
def run(run_python):
    return lambda script: run_python('-c', script)


@pytest.fixture
def loaded_after(run):
    def loaded(statement):
        finished = run(f'import sys; {statement}; print(*sys.modules)')
        assert finished.returncode == 0, finished.stderr
        return set(finished.stdout.split())

    return loaded


@pytest.mark.parametrize(
    'statement',
    [
        'from fmcts import *',
        'import fmcts, fmcts.games, fmcts.cli, fmcts.view',
        'import fmcts.testing',
        'import fmcts.view._notebook',
    ],
)
def test_nothing_heavy_is_imported(loaded_after, statement):
    loaded = loaded_after(statement)
    assert not loaded & set(HEAVY)
    assert {'attrs', 'returns', 'fmcts'} <= loaded


def test_importing_the_package_loads_none_of_its_modules(loaded_after):
    assert {name for name in loaded_after('import fmcts') if 'fmcts' in name} == {'fmcts'}


def test_importing_has_no_side_effects(run):
    done = run("""
import sys, signal
sys.argv[0] = '/usr/bin/fmcts'
def ways():
    return [signal.getsignal(each) for each in signal.valid_signals()], sys.excepthook
before = ways()
from fmcts import *
import fmcts.cli
assert ways() == before
""")
    assert done.returncode == 0, done.stderr


def declared():
    """Return the names that type checkers see, with their modules."""
    tree = ast.parse(inspect.getsource(fmcts))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {name.asname: each.module for each in block.body for name in each.names}


def test_type_checkers_see_every_name():
    assert declared() == fmcts._HOME
    assert fmcts.__all__ == sorted(fmcts.__all__)
    assert set(fmcts.__all__) < set(dir(fmcts))
    for name, module in fmcts._HOME.items():
        assert getattr(fmcts, name) is getattr(importlib.import_module(module), name)


@pytest.mark.parametrize('file', sorted(FOLDER.rglob('__init__.py')), ids=lambda it: it.parent.name)
def test_no_exported_name_hides_a_module(file):
    """So `import package.name as module` gives the module."""
    folder = file.parent
    package = importlib.import_module('.'.join(folder.relative_to(FOLDER.parent).parts))
    modules = {path.stem for path in folder.glob('*.py')} - {'__init__', '__main__'}
    modules |= {path.parent.name for path in folder.glob('*/__init__.py')}
    hidden = [name for name in modules if not inspect.ismodule(getattr(package, name, package))]
    assert hidden == []


@pytest.mark.parametrize('module', ['fmcts.view', 'fmcts.testing'])
def test_names_that_are_loaded_on_use_are_listed(run, module):
    """As editors complete them; in a process of its own, where nothing is loaded yet."""
    done = run(f'import {module} as it; print(*{{*it.__all__}} - {{*dir(it)}}, "listed")')
    assert (done.stdout, done.stderr) == ('listed\n', '')


def test_a_search_needs_no_clock_of_threads(run):
    """WebAssembly has none."""
    done = run('import time; del time.thread_time; from fmcts import analyse')
    assert done.returncode == 0, done.stderr


def test_a_missing_name_raises_the_usual_error():
    with pytest.raises(AttributeError, match="module 'fmcts' has no attribute 'serch'"):
        fmcts.serch  # noqa: B018 - looking it up is the test


@pytest.mark.parametrize('name', ['positions', 'game_machine'])
def test_this_test_can_fail(loaded_after, name):
    assert 'hypothesis' in loaded_after(f'from fmcts.testing import {name}')


@pytest.mark.parametrize('name', ['positions', 'games', 'game_machine'])
def test_without_hypothesis_the_extra_is_named(run, name):
    done = run(f'import sys; sys.modules["hypothesis"] = None; from fmcts.testing import {name}')
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f'ImportError: fmcts.testing.{name} needs hypothesis, which is not installed: '
        "pip install 'fmcts[testing]'"
    )


def test_missing_names_raise_the_usual_error(run):
    done = run('from fmcts.testing import check_gme')
    assert "cannot import name 'check_gme' from 'fmcts.testing'" in done.stderr
