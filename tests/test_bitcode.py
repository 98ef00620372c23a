"""The bitcode in the package is what its sources give; rules of the library's games are shipped."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fmcts import _linked as linked
from fmcts.errors import RulesError
from fmcts.games import GAMES
from tiers import usually

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / 'fmcts' / '_linked'
LINKS = linked.installed() and linked.loaded('pages').linker()


@pytest.mark.skipif(not shutil.which('clang-15'), reason='clang 15 is missing here')
def test_the_bitcode_of_the_loops_is_made_from_the_c_beside_it(tmp_path):
    from fmcts._linked.build import build  # noqa: PLC0415 - where it is needed

    for file in (*FOLDER.glob('*.c'), *FOLDER.glob('*.h')):
        shutil.copy(file, tmp_path)
    made = build(tmp_path)
    version = re.search(
        r'\d+\.\d+\.\d+', subprocess.check_output(['clang-15', '--version'], text=True)
    )[0]
    if version.encode() not in (FOLDER / 'search.bc').read_bytes():
        pytest.skip(f'the bitcode was made by another version of clang than {version}')
    assert [path.name for path in made] == sorted(path.name for path in FOLDER.glob('*.bc'))
    assert [
        path.name for path in made if path.read_bytes() != (FOLDER / path.name).read_bytes()
    ] == []


@pytest.mark.needs_numba
def test_the_rules_of_the_library_s_games_are_shipped():
    from fmcts._linked import codes, ship  # noqa: PLC0415 - where there is numba
    from fmcts.rules import rules_of  # noqa: PLC0415 - the same

    names = set()
    for _, start in ship.games():
        rules = rules_of(start)
        if rules is not None:
            names.add(codes.name_of(rules, rules.pack(start)))
    assert names == {path.name for path in codes.SHIPPED.glob('*.bc')}


@pytest.mark.skipif(not LINKS, reason='there is no linker for WebAssembly')
@pytest.mark.parametrize('name', usually(['connect4'], GAMES))
def test_searches_in_pages_are_linked_from_the_bitcode(name):
    from fmcts._linked import pages, ship  # noqa: PLC0415 - where there is LLVM

    if ship.versions() != pages.MADE_BY:
        pytest.skip(f'the files were made by {pages.MADE_BY}')
    for search in pages.OFFERED.values():
        _, parts = pages.pieces_of(GAMES[name].start, search, stdgen=False)
        shipped = (pages.SHIPPED / pages.name_of(parts)).read_bytes()
        assert pages.linked(parts, pages.linker()) == shipped


@pytest.mark.needs_numba
def test_functions_of_another_process_may_have_the_names_of_functions_here():
    from fmcts._linked import link  # noqa: PLC0415 - where there is numba

    def part(number, name):
        return (
            f'define i64 @_ZN5entry() {{\n  ret i64 {number}\n}}\n'
            f'define i64 @{name}(ptr %p) {{\n  %r = call i64 @_ZN5entry()\n  ret i64 %r\n}}\n'
        )

    module = link.linked(
        'tree',
        [link.joined([part(1, 'rule_side')]), part(2, 'rule_chances')],
        ['walk', 'rule_side', 'rule_chances'],
    )
    for name, result in (('rule_side', 1), ('rule_chances', 2)):
        assert f'ret i64 {result}' in str(module.get_function(name))


@pytest.mark.needs_numba
def test_machine_code_that_needs_what_is_not_there_is_refused_by_name():
    from fmcts._linked import link  # noqa: PLC0415 - where there is LLVM

    declared = 'declare void @nowhere(ptr)\ndefine void @go(ptr %p) {\n'
    link.Code('tree', [f'{declared}  ret void\n}}\n'], ['go'])
    with pytest.raises(RulesError, match=r'what is not there: nowhere$'):
        link.Code('tree', [f'{declared}  call void @nowhere(ptr %p)\n  ret void\n}}\n'], ['go'])
