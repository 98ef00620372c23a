"""The pages of studies equal the output of their programs, including all figures."""

import importlib
import pathlib
import re
import sys

import pytest

from tiers import usually

ROOT = pathlib.Path(__file__).parents[2]
STUDIES = ROOT / 'benchmarks/studies'
PAGES = ROOT / 'docs/studies'

if not STUDIES.is_dir():
    pytest.skip('benchmarks/studies is not part of this copy', allow_module_level=True)

pytestmark = pytest.mark.needs_numba  # a search of 10,000 descents, and 60,000 playouts

# Each study, and the figures of its page: from a module, perhaps out of the rows of a file.
STUDY = {
    'connect_four': ('connect_four', None),
    'estimates': ('estimates', 'estimates'),
    'levels': ('levels', None),
    'losses': ('losses', None),
    'second_part': ('second_part', 'second_part'),
    'tail': ('tail_page', None),
}


@pytest.fixture(scope='module')
def imported():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(STUDIES)
        known = set(sys.modules)
        yield importlib.import_module
        for name in {*sys.modules} - known:
            if (STUDIES / f'{name}.py').is_file():
                del sys.modules[name]


def test_every_page_belongs_to_a_study():
    assert {path.stem for path in PAGES.glob('*.md')} == {*STUDY}
    assert {path.stem for path in (STUDIES / 'pages').glob('*.md')} == {*STUDY}


@pytest.mark.parametrize('name', usually(lambda name: name != 'estimates', STUDY))
def test_each_page_equals_its_program_s_output(name, imported):
    tables = imported('tables')
    module, rows = STUDY[name]
    figures = imported(module).figures
    found = figures() if rows is None else figures(tables.read(rows))
    assert tables.rendered(name, found) == (PAGES / f'{name}.md').read_text(encoding='utf-8')


def test_words_contradicted_by_the_figures_are_refused(imported):
    words = imported('tables').environment().from_string("{{ 'it wins' | when(share > 0.5) }}")
    assert words.render(share=0.6) == 'it wins'
    with pytest.raises(ValueError, match="no longer say what the page does: 'it wins'"):
        words.render(share=0.5)


def test_this_test_can_fail(imported):
    tables = imported('tables')
    rows = tables.read('estimates')
    rows[0] = {**rows[0], 'error': '0.2'}
    page = tables.rendered('estimates', imported('estimates').figures(rows))
    assert page != (PAGES / 'estimates.md').read_text(encoding='utf-8')


def test_drawings_of_trees_are_up_to_date(imported, tmp_path, monkeypatch):
    """The same commands as on the pages."""
    levels, tail_search = imported('levels'), imported('tail_search')
    names = ['levels_tree.svg', *tail_search.TREES]
    (tmp_path / names[0]).write_text(levels.dry_picture().as_file, encoding='utf-8')
    tail = imported('tail')
    monkeypatch.setattr(tail, 'HERE', tmp_path)
    tail.draw_trees()
    assert {name for name in names if not same(tmp_path / name, PAGES / name)} == set()


def same(one, two):
    return one.read_bytes() == two.read_bytes()


def test_data_named_on_pages_exists():
    for path in PAGES.glob('*.md'):
        linked = re.findall(r'\]\(([\w./-]+)(?:#[\w-]+)?\)', path.read_text(encoding='utf-8'))
        assert [link for link in linked if not (PAGES / link).exists()] == []
