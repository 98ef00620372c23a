"""Optional libraries: missing, or present and not loadable."""

import ast
import importlib
import sys
import tomllib
from pathlib import Path

import pytest

from fmcts._extras import loaded
from fmcts.errors import MissingLibraryError
from fmcts.matches._statistics import Encounter, ratings

NO_MEMORY = 'libopenblas.so.0: failed to map segment from shared object'
BROKEN = f"""
try:
    raise ImportError({NO_MEMORY!r})
except ImportError as error:
    raise ImportError('IMPORTANT: PLEASE READ THIS\\n\\nfor advice') from error
"""


@pytest.fixture
def broken(tmp_path):
    """Put a library into the place of another, which is there and cannot be loaded."""

    def put(name, text=BROKEN):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / '__init__.py').write_text(text)
        return tmp_path

    return put


def test_an_unloadable_library_is_not_called_missing(broken, monkeypatch):
    monkeypatch.syspath_prepend(broken('unloadable'))
    with pytest.raises(ImportError, match='PLEASE READ') as raised:
        loaded('unloadable.part', 'roots need', 'fmcts')
    assert not isinstance(raised.value, MissingLibraryError)
    monkeypatch.syspath_prepend(broken('needing', 'import no_such_library'))
    with pytest.raises(ModuleNotFoundError, match="No module named 'no_such_library'"):
        loaded('needing', 'roots need', 'fmcts')


def test_a_missing_library_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.partition('.')[0] == 'scipy']:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, 'scipy', None)
    with pytest.raises(MissingLibraryError, match=r"scipy: pip install 'fmcts\[matches\]'"):
        ratings([Encounter(0, 1, 1, 2)], 2)


@pytest.mark.parametrize(
    ('module', 'library', 'called', 'extra'),
    [
        ('gymnasium', 'gymnasium', 'Gymnasium', 'interop'),
        ('openspiel', 'pyspiel', 'OpenSpiel', 'interop'),
        ('pettingzoo', 'pettingzoo', 'PettingZoo', 'interop'),
        ('pgx', 'pgx', 'pgx', 'pgx'),
        ('pythonchess', 'chess', 'python-chess', 'interop'),
    ],
)
def test_requirements_of_other_libraries_games_are_named(
    module, library, called, extra, monkeypatch
):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f'fmcts.interop.{module}', raising=False)
    with pytest.raises(MissingLibraryError) as raised:
        importlib.import_module(f'fmcts.interop.{module}')
    needs = f'fmcts.interop.{module} needs {called}'
    assert str(raised.value) == f"{needs}: pip install 'fmcts[{extra}]'"


def test_a_missing_library_is_in_the_extra_that_is_named():
    root = Path(__file__).parents[1]
    extras = tomllib.loads((root / 'pyproject.toml').read_text())['project']
    files = [ast.parse(file.read_text('utf-8')) for file in (root / 'fmcts').rglob('*.py')]
    checked = set()
    for call in (node for file in files for node in ast.walk(file) if isinstance(node, ast.Call)):
        match call:
            case ast.Call(
                func=ast.Name(id='loaded'),
                args=[ast.Constant(value=module), _, ast.Constant(value=extra), *_],
            ):
                library = {'pyspiel': 'open_spiel'}.get(module, module.partition('.')[0])
                needed = extras['optional-dependencies'][extra[len('fmcts[') : -1]]
                of_scipy = library == 'numpy' and any(it.startswith('scipy') for it in needed)
                assert of_scipy or any(it.startswith(library) for it in needed), (module, extra)
                checked.add(library)
    assert {'portalocker', 'matplotlib', 'tabulate', 'bottle', 'chess'} <= checked


def test_the_command_line_reports_an_unloadable_library_in_one_line(run_python, broken):
    """Not that SciPy is missing, and no traceback."""
    words = ('tournament', 'tictactoe', 'random', 'mc:5', '--games', '2')
    done = run_python(
        '-m',
        'fmcts',
        *words,
        env={'PYTHONPATH': str(broken('site-packages/scipy') / 'site-packages')},
    )
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr == f'fmcts: cannot load a library: {NO_MEMORY}\n'
