"""The public names are those in `tests/public_names.txt`: the surface changes only on purpose.

    python tests/test_public_names.py > tests/public_names.txt

A name is private that begins with an underscore, or is defined in a module or package that does.
"""

import ast
import sys
from pathlib import Path

import fmcts

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name('public_names.txt')


def public_modules(root=ROOT):
    for path in sorted((root / 'fmcts').rglob('*.py')):
        name = '.'.join(path.relative_to(root).with_suffix('').parts).removesuffix('.__init__')
        if not any(part.startswith('_') for part in name.split('.')):
            yield name, path


def offered(source):
    """Return the names in `__all__`; without it those defined at the top or imported `as` such."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            found |= {each.name for each in node.names if each.name == each.asname}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            if names == {'__all__'}:
                return {each.value for each in node.value.elts}
            found |= names
    return {name for name in found if not name.startswith('_')}


def public_names(root=ROOT):
    yield from (f'fmcts.{name}' for name in sorted(fmcts.__all__))
    for name, path in public_modules(root):
        if name != 'fmcts':
            yield from (f'{name}.{each}' for each in sorted(offered(path.read_text())))


def test_public_names_equal_the_list():
    assert [*public_names()] == LIST.read_text().split()


def test_names_without_all_count_too():
    source = 'A: int = 1\nb = _b = 2\ndef c(): pass\nclass D: pass\nimport e\n'
    source += 'from f import G as G, H, I as J\n'
    assert offered(source) == {'A', 'b', 'c', 'D', 'G'}
    assert offered(source + "__all__ = ['c']") == {'c'}


if __name__ == '__main__':
    sys.stdout.writelines(f'{name}\n' for name in public_names())
