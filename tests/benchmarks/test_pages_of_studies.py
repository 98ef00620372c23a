"""The pages of studies equal the output of their programs, including all figures."""

import importlib
import pathlib
import re
import sys
from importlib.util import find_spec

import pytest

from tiers import usually

ROOT = pathlib.Path(__file__).parents[2]
STUDIES = ROOT / 'benchmarks/studies'
PAGES = ROOT / 'docs/studies'

if not STUDIES.is_dir():
    pytest.skip('benchmarks/studies is not part of this copy', allow_module_level=True)
NEEDED = {'matplotlib': 'plot', 'scipy': 'matches', 'jinja2': 'bench'}
for name, extra in NEEDED.items():
    if find_spec(name) is None:
        pytest.skip(f'{name} is missing: fmcts[{extra}]', allow_module_level=True)

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


# ---- no number is typed by hand ----

NUMBERS = (
    'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|'
    'hundreds?|thousands?|millions?|half|halves|thirds?|fourths?|quarters?|fifths?|sixths?|'
    'sevenths?|eighths?|ninths?|tenths?|twice|thrice|dozens?'
)
# What may have digits: files, targets of links, and code that names something (no bare number).
NAMES_OF_FILES = re.compile(r'\]\([^)]*\)|[\w./*-]+\.(?:csv|svg|md|py|c)\b')
RULES = re.compile('a draw is half a point|Connect Four')  # of a score, and a name
DIRECTIVES = re.compile(r'%[-+]?\d*(?:\.\d+)?[df]')


def typed_by_hand(source, environment):
    """The numbers of a template that come from nowhere: in its text, or as constants put out."""
    nodes = importlib.import_module('jinja2').nodes
    tree = environment.parse(source)
    text, found = [], []
    for output in tree.find_all(nodes.Output):
        for node in output.nodes:
            if isinstance(node, nodes.TemplateData):
                text.append(node.data)
            else:
                text.append('\0')
                found += constants(node, nodes)
    for assigned in tree.find_all(nodes.Assign):
        found += constants(assigned.node, nodes)
    for loop in tree.find_all(nodes.For):
        found += constants(loop.iter, nodes)
    prose = re.sub(r'`[^`\n]*`', code, ''.join(text))
    for may in (NAMES_OF_FILES, RULES):
        prose = may.sub('', prose)
    found += re.findall(r'[^\s|]*\d[^\s|]*', prose)
    return found + re.findall(rf'\b(?:{NUMBERS})\b', prose, re.IGNORECASE)


def code(span):
    """Nothing for code that names something; a bare number stays."""
    return '' if re.search('[A-Za-z]{2}', span[0]) else span[0]


def constants(node, nodes):
    """The numbers that an expression may put out itself; not its keys, conditions, arguments."""
    if isinstance(node, nodes.Const):
        value = DIRECTIVES.sub('', str(node.value))
        return [value] if re.search(r'\d', value) else []
    if isinstance(node, nodes.TemplateData):
        return []
    if isinstance(node, nodes.CondExpr):
        return constants(node.expr1, nodes) + (constants(node.expr2, nodes) if node.expr2 else [])
    if isinstance(node, nodes.Filter):
        return constants(node.node, nodes) if node.node else []
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return [it for item in node.items for it in constants(item, nodes)]
    return []


@pytest.mark.parametrize('name', STUDY)
def test_no_number_is_typed_by_hand(name, imported):
    """Settings, results and the texts' figures come from data and programs, in words too."""
    source = (STUDIES / f'pages/{name}.md').read_text(encoding='utf-8')
    assert typed_by_hand(source, imported('tables').environment()) == []


@pytest.mark.parametrize(
    ('source', 'typed'),
    [
        ('lost 7 of {{ games }}', ['7']),
        ('with c = 0.2, 95 %', ['0.2,', '95']),
        ('about a Third', ['Third']),
        ('`0.5` or `-2^31`', ['`0.5`', '`-2^31`']),
        ('{{ 7 }} {{ 1000 | n }} {{ "4 of 5" | when(x) }}', ['7', '1000', '4 of 5']),
        ('{% set games = 500 %}{{ games }}', ['500']),
        ('{{ 3 if x else 4 }}{% for it in x %}|8|{% endfor %}', ['3', '4', '8']),
        ('{% set a, b = 5, x %}{% for it in (6, x) %}{{ it }}{% endfor %}', ['5', '6']),
        ('`n` of `m`: 7, {{ "%4d is 3" | format(x) }}', ['7,', ' is 3']),
        ('[tail_960.csv](tail_960.csv), `mcts:20`, {{ row(7) }} {{ x[0] }}', []),
        ('{{ x if y > 3 }} {{ x | percent(2) }} {{ "more" | when(x > 3) }}', []),
    ],
)
def test_a_typed_number_is_detected(source, typed, imported):
    assert sorted(typed_by_hand(source, imported('tables').environment())) == sorted(typed)


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
