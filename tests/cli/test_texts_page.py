"""`docs/texts.md` lists every preset of the texts, and all its commands run."""

import importlib
import pathlib
import re

import pytest

from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import choices

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / 'docs/texts.md'
if not PAGE.is_file():
    pytest.skip('docs is not part of this copy', allow_module_level=True)

TEXT = PAGE.read_text(encoding='utf-8')
CODE = re.findall(r'`([^`]+)`( \(an error\))?', TEXT)
COMMANDS = [
    (code, note) for code, note in CODE if code.startswith('fmcts ') and code != 'fmcts tree --each'
]


@pytest.mark.parametrize(
    ('file', 'heading'),
    [('texts.md', '## All their bots')],
)
def test_every_preset_is_listed_with_its_differences(file, heading):
    text = (PAGE.parent / file).read_text(encoding='utf-8')
    section = text.partition(heading)[2].partition('\n## ')[0]
    rows = [row.split(' | ') for row in section.splitlines() if row.startswith('| `')]
    said = {
        name: row[-1].removesuffix(' |')
        for row in rows
        for name in re.findall(r'`([\w-]+)`', row[0])
    }
    assert said == {
        name: recipe.differs + (' (`as_printed`)' if has_printed(name) else '')
        for name, recipe in RECIPES.items()
        if recipe.differs
    }


def has_printed(name):
    return 'as_printed' in dict(choices(name))


def test_every_preset_is_in_its_text_s_table():
    tables = TEXT.partition('## The Haskell article')[2]
    named = {name for name, it in RECIPES.items() if it.differs}
    assert {name for name in named if not re.search(rf'\b{name}\b', tables)} == set()


@pytest.mark.parametrize('command', COMMANDS, ids=lambda command: command[0])
def test_every_command_runs(command, here):
    words, note = command
    _, *words = words.split()
    done = here(*words, stdin=b'0 1 2 3 4 5 6 7 8 '.replace(b' ', b'\n'))  # what a person types
    wrong = note == ' (an error)'
    assert done.code == (2 if wrong else 0), done.err
    assert any(line.startswith('fmcts: ') for line in done.err.splitlines()) == wrong


def test_commands_are_found_on_the_page():
    assert len(COMMANDS) > 20
    assert {note for _, note in COMMANDS} == {'', ' (an error)'}


def test_named_objects_exist():
    names = {code for code, _ in CODE if re.fullmatch(r'fmcts(\.\w+)+', code)}
    assert len(names) > 5
    for name in names:
        module, _, attribute = name.rpartition('.')
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), attribute), name
