"""Texts about the source: quotes are literal, and named files and tests exist."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parent.parent
QUOTED = re.compile(r'<!-- from (\S+) -->\n```(?:python|c|javascript|perl)\n(.*?)\n```', re.DOTALL)
QUOTES = [
    pytest.param(path, code, id=f'{document.name}-{path}-{number}')
    for document in sorted((ROOT / 'docs').glob('*.md'))
    for number, (path, code) in enumerate(QUOTED.findall(document.read_text(encoding='utf-8')))
]


@pytest.mark.parametrize(('path', 'code'), QUOTES)
def test_quoted_code_equals_the_source(path, code):
    assert code in (ROOT / path).read_text(encoding='utf-8')


def test_every_marker_is_followed_by_a_quote():
    documents = [file.read_text(encoding='utf-8') for file in (ROOT / 'docs').glob('*.md')]
    assert len(QUOTES) == sum(text.count('<!-- from ') for text in documents) >= 5


TEXTS = [*(ROOT / 'fmcts').rglob('*.py'), *(ROOT / 'docs').glob('*.md'), ROOT / 'README.md']
FILE = re.compile(r'\b(?:fmcts|tests|benchmarks|docs)/[\w/-]+\.(?:py|c|h|ll|md|json|toml|svg)\b')
TEST = re.compile(r'`(test_\w+)`')


def named(pattern):
    """What the texts name, each with the first that does."""
    return {
        name: str(file.relative_to(ROOT))
        for file in reversed(TEXTS)
        for name in pattern.findall(file.read_text(encoding='utf-8'))
    }


def test_named_files_exist():
    files = named(FILE)
    assert {name: by for name, by in files.items() if not (ROOT / name).is_file()} == {}
    assert files['tests/search/test_engines.py'] == 'docs/designs.md'


def test_named_tests_exist():
    """As the law that holds states to the rules."""
    written = '\n'.join(file.read_text('utf-8') for file in (ROOT / 'tests').rglob('test_*.py'))
    tests = named(TEST)
    assert {name: by for name, by in tests.items() if f'def {name}(' not in written} == {}
    assert 'fmcts/games/__init__.py' in tests.values()


DOTTED = re.compile(r'`(fmcts(?:\.\w+)+)`')


def is_there(words):
    """Whether a module has the name, or is mentioned by the module above."""
    for end in range(len(words), 0, -1):
        path = ROOT.joinpath(*words[:end])
        for file in (path.with_suffix('.py'), path / '__init__.py'):
            if file.is_file():
                return {*words[end : end + 1]} <= {*re.findall(r'\w+', file.read_text('utf-8'))}
    return False


def test_named_modules_and_their_names_exist():
    names = named(DOTTED)
    assert {name: by for name, by in names.items() if not is_there(name.split('.'))} == {}
    assert len(names) > 100


def test_workflows_have_each_key_once():
    """Of two jobs with one name a reader of YAML takes the last, and GitHub refuses the file."""
    for file in (ROOT / '.github/workflows').glob('*.yml'):
        keys = re.findall(r'^ {,2}(\w+):', file.read_text('utf-8'), re.MULTILINE)
        assert [key for key in keys if keys.count(key) > 1] == [], file.name


def test_workflows_name_actions_by_commit():
    """A tag can be moved to other code; the comment has the version, which dependabot renews."""
    files = sorted((ROOT / '.github/workflows').glob('*.yml'))
    used = [
        line for file in files for line in file.read_text('utf-8').splitlines() if 'uses:' in line
    ]
    assert len(used) > 10
    pinned = re.compile(r'uses: [\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$')
    assert [line for line in used if not pinned.search(line)] == []
