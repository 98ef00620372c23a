"""The site: every public name and every method is in the reference, pages are short and linked."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

import page_tables
from fmcts import Search, testing
from fmcts._linked.structure import unable
from fmcts.bots import RECIPES
from fmcts.rules import OnPositions
from fmcts.search.methods import METHODS
from fmcts.search.policies import POLICIES
from fmcts.view.formulas import method_lines

ROOT = Path(__file__).parents[1]
DOCS = ROOT / 'docs'
if not DOCS.is_dir():
    pytest.skip('docs is not part of this copy', allow_module_level=True)

PAGES = sorted(path for path in DOCS.rglob('*.md') if 'reference' not in path.parent.parts)
LINK = re.compile(r'\]\(([^)\s]*)\)')
CODE = re.compile(r'```.*?```|`[^`\n]*`', re.DOTALL)


@pytest.fixture(scope='module')
def reference(tmp_path_factory):
    """The pages as another process writes them: there, empty modules stand in for missing ones."""
    folder = tmp_path_factory.mktemp('reference')
    program = (
        'import sys, pathlib; sys.path.insert(0, sys.argv[1])\n'
        'import reference_pages; reference_pages.write(pathlib.Path(sys.argv[2]))\n'
    )
    subprocess.run([sys.executable, '-c', program, DOCS, folder], check=True)
    return {
        str(path.relative_to(folder)): path.read_text(encoding='utf-8')
        for path in folder.rglob('*.*')
    }


def test_the_site_is_built_without_a_warning(tmp_path):
    """Of markup in docstrings, in the reference or in the pages."""
    pytest.importorskip('myst_parser', reason='Sphinx comes with the extra fmcts[docs]')
    build = [sys.executable, '-m', 'sphinx', '-q', '-W', str(DOCS), str(tmp_path)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, '')


def test_every_public_name_is_in_the_reference_once(reference):
    described = re.compile(r'^(?:\.\. [\w:]+:: |\* :doc:`)(fmcts[\w.]+)', re.MULTILINE)
    modules = {name: text for name, text in reference.items() if name.startswith('modules/')}
    found = [
        name
        for text in modules.values()
        for name in described.findall(re.sub(r'.. automodule:: .*', '', text))
    ]
    listed = (ROOT / 'tests/public_names.txt').read_text().split()
    assert sorted(found) == sorted(listed)
    for module in modules:
        assert f'   {module.removesuffix(".rst")}\n' in reference['names.rst'] + '\n'


def test_every_page_of_the_reference_begins_with_a_sentence(reference):
    heads = {
        name: [part for part in text.split('\n\n') if part] for name, text in reference.items()
    }
    assert len(heads) > 60
    assert [
        name
        for name, (_, head, *_) in heads.items()
        if not re.match('[A-Z`]', head.strip()) or head.startswith('For people')
    ] == []


def test_every_method_policy_bot_and_law_is_in_the_reference(reference):
    for name, kind in METHODS.items():
        assert f'\n{name}\n--' in reference['methods.rst']
        for line in method_lines(kind()):
            assert line in reference['methods.rst']
    for name in POLICIES:
        assert f'\n{name}\n--' in reference['policies.rst']
    for name in RECIPES:
        assert f'\n{name}\n--' in reference['bots.rst']
    for group in (name for name in testing.__all__ if name.endswith('_LAWS')):
        for law in getattr(testing, group):
            assert f'* - {law.name}\n     - {law.sentence}\n' in reference['laws.rst']


def test_every_option_of_a_search_is_described(reference):
    rows = re.findall(
        r'\* - ``(\w+)``\n     - (.*)\n     - (.*)\n     - (.*)', reference['options.rst']
    )
    assert [name for name, *_ in rows] == [field.name for field in attrs.fields(Search)]
    assert [name for name, said, _, _ in rows if len(said) < 20] == []
    assert '0x' not in ' '.join(default for _, _, default, _ in rows)


def first_move(state):
    return state.moves[:1]


def even(_state):
    return 0.5


REFUSED = [
    {'network': even},
    {'playout': first_move},
    {'evaluate': even},
    {'reward': even},
    {'schedule': 'shot'},
    {'network': OnPositions(even), 'sliding': True},
    {'network': OnPositions(even), 'normalised': True},
    {'solver': 'exact'},
    {'proposals': even},
    {'transpositions': 'naive'},
]
SUPPORTED = [
    {'c': 0.5, 'expansion': 'jump', 'final': 'max', 'max_nodes': 9, 'max_plies': 50, 'stop': len},
    {'schedule': 'halving'},
    {'solver': True, 'bounds': True},
    {'closing': True},
    {'playout': 'mast'},
]


@pytest.mark.needs_numba
def test_the_reference_states_what_the_compiled_engine_refuses(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    stated = importlib.import_module('reference_pages').COMPILED
    refused = {
        name
        for options in (*REFUSED, *SUPPORTED)
        if unable(Search(**options)) is not None
        for name in options
    }
    assert refused == {name for options in REFUSED for name in options}
    assert refused == {*stated} - {'selection'}


@pytest.mark.parametrize('name', dict.fromkeys(where for where, *_ in page_tables.TABLES))
def test_tables_show_the_current_code(name):
    text = (DOCS / name).read_text('utf-8')
    assert text == page_tables.page(name), 'run python tests/page_tables.py'


@pytest.mark.parametrize('path', PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_each_page_says_first_what_it_is_for_and_is_short(path):
    text = path.read_text(encoding='utf-8')
    title, first, *_ = re.sub(r'<!--.*?-->\n*', '', text).split('\n\n')
    assert title.startswith('# ')
    assert re.match(r'[A-Z`"*[]', first)
    assert not first.startswith('For people')
    assert len(text.split()) <= 2500 or path.parent.name == 'studies'


@pytest.mark.parametrize('path', PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_examples_fit_the_column_of_the_site(path):
    """What is typed; what is printed is as long as it is."""
    examples = doctest.DocTestParser().get_examples(path.read_text(encoding='utf-8'))
    lines = [line for example in examples for line in example.source.splitlines()]
    assert [line for line in lines if len(line) > 80] == []


def test_the_pages_have_the_words_of_a_small_book():
    """What a reader meets: prose, tables and examples, without the targets of links and the source.

    The page on the engines quotes the source, which is nobody's prose.
    """
    texts = [path.read_text(encoding='utf-8') for path in (*PAGES, ROOT / 'README.md')]
    left_out = r'<!-- from .*?-->\n```.*?```|<!--.*?-->|\]\([^)]*\)|</?picture>|<source .*?>'
    bare = [re.sub(left_out, '', text, flags=re.DOTALL) for text in texts]
    assert sum(bool(re.search(r'\w', word)) for text in bare for word in text.split()) <= 40_000


def test_synonyms_belong_to_pages(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    synonyms = importlib.import_module('conf').SYNONYMS
    assert {name for name in synonyms if not (DOCS / f'{name}.md').is_file()} == set()


@pytest.mark.parametrize('path', PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_the_site_has_both_pictures_of_a_page_and_its_frames(path, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    conf, text = importlib.import_module('conf'), path.read_text(encoding='utf-8')
    places = [place for name, place in conf.FRAMES if name == path.stem]
    assert all(re.search(place, text, re.MULTILINE) for place in places)
    conf._by_theme(None, '', made := [text])
    images = re.findall(r'```{image} (.+)\n:class: only-(?:light|dark)', made[0])
    assert len(images) == text.count('<img') + text.count('<source')
    assert all((path.parent / image).is_file() for image in images)


def anchors(path):
    """What headings of a page are called in links to them."""
    text = re.sub(r'```.*?```', '', path.read_text(encoding='utf-8'), flags=re.DOTALL)
    titles = re.findall(r'^#+ (.*)$', text, re.MULTILINE)
    return {re.sub(r'[^\w -]', '', title).lower().replace(' ', '-') for title in titles}


OTHERS = ('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md')


@pytest.mark.parametrize(
    'path',
    [*PAGES, *(ROOT / name for name in OTHERS)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_links_resolve(path):
    for link in LINK.findall(CODE.sub('', path.read_text(encoding='utf-8'))):
        if link.startswith(('https://', 'http://', 'mailto:')):
            continue
        file, _, anchor = link.partition('#')
        target = path.parent / file if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_index():
    entries = re.findall(r'^[\w/]+$', (DOCS / 'index.md').read_text(encoding='utf-8'), re.MULTILINE)
    pages = {str(path.relative_to(DOCS).with_suffix('')) for path in PAGES} - {'index'}
    assert pages - {*entries} == set()


FILE = re.compile(r'(?<![\w/.])(?:fmcts|tests|benchmarks|docs|\.ci)/\w[\w/.-]*')
PAGES_FOR_USERS = [path for path in PAGES if path.name not in {'architecture.md', 'mutation.md'}]


@pytest.mark.parametrize('path', PAGES_FOR_USERS, ids=lambda path: str(path.relative_to(DOCS)))
def test_a_file_of_the_repository_is_a_link_or_said_to_be_in_a_clone(path):
    """Readers with the wheel alone do not have it; the section or the head of the page says so."""
    text = re.sub(r'<!--.*?-->|\[[^][]*\]\([^)]*\)', '', path.read_text('utf-8'), flags=re.DOTALL)
    head, *sections = re.split(r'^## ', text, flags=re.MULTILINE)
    unclear = [part for part in (head, *sections) if 'clone' not in head + part]
    assert [file for part in unclear for file in FILE.findall(part)] == []
