"""The rooms of the package: imports run one way, and no room is too large."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import architecture
from processes import run_python

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


def test_the_page_shows_the_current_rooms_and_imports():
    assert architecture.page(ROOT) == PAGE.read_text()


def test_the_command_on_the_page_writes_it(tmp_path):
    written = run_python(architecture.__file__, check=True, cwd=tmp_path)
    assert written.stdout == PAGE.read_text()
