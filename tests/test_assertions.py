"""Every assertion of the tests can fail: none is constant."""

import ast
import pathlib

import pytest

TESTS = sorted(pathlib.Path(__file__).parent.rglob('*.py'))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WRITTEN = (ast.Constant, ast.JoinedStr, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
COLLECTIONS = (ast.Tuple, ast.List, ast.Set)


def names_given(function):
    """The arguments that `parametrize` gives: what is written down there does not fail."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr='parametrize'), args=[names, *_]):
                for node in ast.walk(names):
                    if isinstance(node, ast.Constant):
                        yield from node.value.replace(' ', '').split(',')


def names_of(module):
    """What a module's own statements bind: constants, functions and classes."""
    for statement in module.body:
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            yield statement.name
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            stored = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            yield from (name.id for name in stored if isinstance(name.ctx, ast.Store))


def is_certain(test, names):
    """Whether an expression is a literal, or the name of something that is written down."""
    if isinstance(test, COLLECTIONS):
        return bool(test.elts) and not any(isinstance(part, ast.Starred) for part in test.elts)
    if isinstance(test, COMPREHENSIONS):  # true when there is anything to look at, whatever it is
        return not any(generator.ifs for generator in test.generators)
    return isinstance(test, WRITTEN) or (isinstance(test, ast.Name) and test.id in names)


def always_true(source):
    """The lines of assertions that nothing which the library does can make fail."""
    module = ast.parse(source)
    scopes = [(module, {*names_of(module)})]
    while scopes:
        scope, names = scopes.pop()
        if isinstance(scope, FUNCTIONS):
            names = names | {*names_given(scope)}
        elif isinstance(scope, ast.Assert) and is_certain(scope.test, names):
            yield scope.lineno
        scopes.extend((node, names) for node in ast.iter_child_nodes(scope))


def test_no_assertion_is_constant():
    found = {str(file): [*always_true(file.read_text(encoding='utf-8'))] for file in TESTS}
    assert {file: lines for file, lines in found.items() if lines} == {}


def test_all_test_files_are_checked():
    assert {'test_docs.py', 'conftest.py', 'naive.py'} <= {file.name for file in TESTS}


@pytest.mark.parametrize(
    ('code', 'lines'),
    [
        ('assert "text"', [1]),
        ('assert (found, "message")', [1]),
        ('assert lambda: found', [1]),
        ('LIMIT = 3\nassert LIMIT', [2]),
        ('def test_it(): ...\ndef test_other():\n    assert test_it', [3]),
        ('@pytest.mark.parametrize("one", [1])\ndef test_it(one):\n    assert one', [3]),
        ('@mark.parametrize(("one", "two"), [])\ndef test_it(one, two):\n    assert two', [3]),
        ('@mark.parametrize("one, two", [])\ndef test_it(one, two):\n    assert two', [3]),
        ('def test_it(found):\n    assert found', []),
        ('LIMIT = 3\nassert LIMIT == work()', []),
        ('assert [*folder.iterdir()]', []),
        ('assert found.text', []),
        ('assert [one < 2 for one in found]', [1]),
        ('assert [one for one in found if one < 2]', []),
    ],
)
def test_this_test_can_fail(code, lines):
    assert [*always_true(code)] == lines
