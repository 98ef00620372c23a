"""The rooms of the package: imports run one way, and no room is too large."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import architecture

ROOT = Path(__file__).parents[1]
PAGE = ROOT / 'docs' / 'architecture.md'

MODULES = architecture.modules(ROOT)


@cache
def imports():
    return architecture.imports(MODULES)


def test_every_room_has_a_place_in_the_order():
    assert {architecture.room_of(name) for name in MODULES} == set(architecture.ORDER)


def test_no_module_imports_from_a_room_above_its_own():
    place = {room: index for index, room in enumerate(architecture.ORDER)}
    assert not [
        f'{name} imports {there}'
        for name, found in imports().items()
        for there in found
        if place[architecture.room_of(there)] > place[architecture.room_of(name)]
    ]


def test_no_circular_imports():
    left = {name: set(found) for name, found in imports().items()}
    while left:
        free = [name for name, found in left.items() if not found & left.keys()]
        assert free, sorted(left)
        for name in free:
            del left[name]


def named(room):
    """Return the names that the face of a room imports."""
    face = MODULES.get(f'fmcts.{room}')
    nodes = ast.parse(face.read_text()).body if face else ()
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in imports for alias in node.names}


def reaches(name, source):
    """Return what a module imports past the faces of other rooms.

    That is what has an underscore below a room, and anything below a room that has one itself.
    """
    own, found = architecture.room_of(name), []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            paths = [f'{node.module}.{alias.name}' for alias in node.names]
        elif isinstance(node, ast.Import):
            paths = [f'{alias.name}.' for alias in node.names]
        else:
            continue
        for package, room, *inside in (path.split('.') for path in paths if path.count('.') > 1):
            if package != 'fmcts' or room == own:
                continue
            unnamed = f'fmcts.{room}.{inside[0]}' in MODULES and inside[0] not in named(room)
            if any(part.startswith('_') for part in inside) or (
                room.startswith('_') and (unnamed or len(inside) > 1)
            ):
                found.append('.'.join((room, *inside)))
    return found


def test_no_module_reaches_past_the_face_of_another_room():
    found = {name: reaches(name, path.read_text()) for name, path in MODULES.items()}
    assert not {name: past for name, past in found.items() if past}


@pytest.mark.parametrize(
    ('source', 'past'),
    [
        ('from fmcts.search import Node, paired_children, methods', []),
        ('from fmcts.search.networks import outputs_of', []),
        ('from fmcts.search._tree import Node', ['search._tree.Node']),
        ('from fmcts.search.methods.ucb1 import _bonus', ['search.methods.ucb1._bonus']),
        ('from fmcts.search import _tree', ['search._tree']),
        ('def late():\n    import fmcts.search._tree', ['search._tree.']),
        ('from fmcts._engines import batched, plan', ['_engines.plan']),
        ('from fmcts._engines.plan import Plan', ['_engines.plan.Plan']),
        ('from fmcts._engines.inplace import thaw', ['_engines.inplace.thaw']),
        ('import fmcts._engines.plan', ['_engines.plan.']),
        ('from fmcts import __version__, _linked\nfrom fmcts.view._parts import Board', []),
    ],
)
def test_what_reaches_past_a_face(source, past):
    assert reaches('fmcts.view._drawing', source) == past


def test_the_largest_room_is_at_most_15_percent_of_the_package():
    lines = Counter()
    for name, path in MODULES.items():
        lines[architecture.room_of(name)] += len(path.read_text().splitlines())
    (room, most), *_ = lines.most_common(1)
    assert most <= 0.15 * lines.total(), room


def test_no_file_is_longer_than_600_lines():
    assert not [path for path in MODULES.values() if len(path.read_text().splitlines()) > 600]


def test_imports_inside_functions_count_too():
    known = {'fmcts.one', 'fmcts.one.two', 'fmcts.three'}
    source = 'def late():\n    from fmcts.one import two\n    import fmcts.three\n'
    assert architecture.imported(ast.parse(source), known) == {'fmcts.one.two', 'fmcts.three'}


def test_the_command_on_the_page_writes_it(run_python, tmp_path):
    written = run_python(architecture.__file__, check=True, cwd=tmp_path)
    assert written.stdout == PAGE.read_text()
