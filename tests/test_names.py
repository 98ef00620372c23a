"""One name, one meaning: what a package exports does not hide a module of the same name."""

import ast
import importlib.metadata
import pathlib

import pytest

import fmcts

ROOT = pathlib.Path(__file__).parent.parent
PACKAGES = sorted(file.parent for file in (ROOT / 'fmcts').rglob('__init__.py'))


def module_level(node):
    """The nodes outside of functions and classes, whose own names stay inside."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from module_level(child)


def bound_names(package, folder):
    """The names that a package's `__init__` binds, and whether each is its own submodule."""
    for node in module_level(ast.parse((folder / '__init__.py').read_text(encoding='utf-8'))):
        match node:
            case ast.ImportFrom(module=source, names=names, level=level):
                # `from package import module` and `from . import module` bind the module itself.
                own = (level, source) in {(0, package), (1, None)}
                for alias in names:
                    yield alias.asname or alias.name, own and alias.asname in {None, alias.name}
            case ast.Import(names=names):
                for alias in names:
                    name = alias.asname or alias.name.partition('.')[0]
                    yield name, alias.name == f'{package}.{name}'
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, False
            case ast.Name(id=name, ctx=ast.Store()):
                yield name, False


def hidden(package, folder):
    """The submodules of which `import package.name as module` would give something else."""
    modules = {file.stem for file in folder.glob('*.py')} - {'__init__', '__main__'}
    modules |= {file.parent.name for file in folder.glob('*/__init__.py')}
    return {name for name, own in bound_names(package, folder) if name in modules and not own}


@pytest.mark.parametrize('folder', PACKAGES, ids=lambda folder: folder.name)
def test_no_exported_name_hides_a_module(folder):
    package = '.'.join(folder.relative_to(ROOT).parts)
    assert hidden(package, folder) == set()


@pytest.mark.parametrize(
    ('line', 'found'),
    [
        ('from package.play import play', {'play'}),
        ('from package.other import work as play', {'play'}),
        ('import json as play', {'play'}),
        ('import package.play as play', set()),
        ('import package.play', set()),
        ('def play(): ...', {'play'}),
        ('play: int = 3', {'play'}),
        ('class rooms: ...', {'rooms'}),
        ('def work():\n    play = 1', set()),
        ('from package import play, rooms', set()),
        ('from package.play import play as played', set()),
        ('from package import rooms as play', {'play'}),
    ],
)
def test_this_test_can_fail(tmp_path, line, found):
    for path in ('package', 'package/rooms'):
        (tmp_path / path).mkdir()
        (tmp_path / path / '__init__.py').write_text('')
    (tmp_path / 'package/play.py').write_text('')
    (tmp_path / 'package/__init__.py').write_text(line)
    assert hidden('package', tmp_path / 'package') == found


def test_playout_is_a_function_distinct_from_its_module(run_python):
    code = (
        'import fmcts.simulation as module, fmcts; from fmcts import playout;'
        'print(type(module).__name__, fmcts.playout is playout is module.playout)'
    )
    done = run_python('-c', code, check=True, cwd=ROOT)
    assert done.stdout == 'module True\n'


def test_the_version_equals_the_distribution_s():
    assert fmcts.__version__ == importlib.metadata.version('fmcts')
