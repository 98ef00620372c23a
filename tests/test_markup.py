"""What the site cannot be built from fails here: docstrings and pages that do not parse cleanly.

The site itself, `sphinx-build -W -j auto docs build/site`, takes a minute and more. This looks for
the mistakes that break it: markup in docstrings, in the reference and in the pages.
"""

import inspect
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / 'docs'
if not DOCS.is_dir():
    pytest.skip('docs is not part of this copy', allow_module_level=True)
for library in ('docutils', 'myst_parser'):
    pytest.importorskip(library, reason=f'{library} comes with the extra fmcts[docs]')

from docutils import nodes  # noqa: E402
from docutils.core import publish_doctree  # noqa: E402
from docutils.parsers.rst import Directive, directives, roles  # noqa: E402
from myst_parser.docutils_ import Parser  # noqa: E402

sys.path.insert(0, str(DOCS))
import conf  # noqa: E402
import reference_pages  # noqa: E402

OF_SPHINX = {
    'directives': ('toctree', 'click', 'py:data', 'automodule', 'autoclass', 'autoexception'),
    'roles': ('py:class', 'py:func', 'py:obj', 'py:meth', 'py:mod', 'doc', 'ref'),
}


class Anything(Directive):
    """A directive that Sphinx would carry out; its content is parsed."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = type('Every', (dict,), {'__missing__': lambda *_: directives.unchanged})()

    def run(self):
        part = nodes.container()
        if self.name.startswith('py:'):
            self.state.nested_parse(self.content, self.content_offset, part)
        return [part]


def named(_role, rawtext, text, *_, **__):
    """Return the text of a reference, wherever it would lead."""
    return [nodes.literal(rawtext, text)], []


@pytest.fixture(autouse=True)
def _as_sphinx(monkeypatch):
    monkeypatch.setattr(directives, '_directives', {})
    monkeypatch.setattr(roles, '_roles', {'': named})
    for name in (*OF_SPHINX['directives'], 'autofunction', 'autodata'):
        directives.register_directive(name, Anything)
    for name in OF_SPHINX['roles']:
        roles.register_local_role(name, named)


def complaints(text, parser='restructuredtext'):
    """Return what docutils has to say of a text."""
    settings = {'report_level': 2, 'halt_level': 6, 'warning_stream': False, 'raw_enabled': True}
    tree = publish_doctree(text, parser=parser, settings_overrides=settings)
    return [each.astext() for each in tree.findall(nodes.system_message) if each['level'] > 1]


def described():
    """Yield every public name whose docstring the site shows, also of a class's members."""
    home = reference_pages.homes()
    for name in reference_pages.public_names():
        thing = reference_pages.thing_of(name)
        kind = inspect.isclass(thing)
        if home[name] != name or not (kind or inspect.isroutine(thing)):
            continue
        yield name, thing.__doc__ or ''
        for short, member in vars(thing).items() if kind else ():
            text = getattr(member, '__doc__', None)
            if (
                not short.startswith('_')
                and text
                and (callable(member) or type(member) is property)
            ):
                yield f'{name}.{short}', text


def test_docstrings_have_valid_markup():
    found = {}
    for name, text in described():
        lines = inspect.cleandoc(text).splitlines()
        conf._described(None, 'object', name, None, None, lines)
        if said := complaints('\n'.join(lines)):
            found[name] = said
    assert found == {}


def test_the_reference_has_valid_markup():
    found = {}
    for name, text in reference_pages.pages().items():
        if said := complaints(text):
            found[name] = said
    assert found == {}


def test_mistakes_in_markup_are_detected():
    assert complaints('A list:\n\n* one\n  two\n three\n')
    assert complaints('No end of ``code.')
    assert complaints('# A\n\n```{nothing}\n```\n', Parser())
    assert not complaints('`Search` and :py:obj:`fmcts.Search`')


@pytest.mark.parametrize(
    'path',
    sorted(path for path in DOCS.rglob('*.md') if path.parent.name != 'reference'),
    ids=lambda path: str(path.relative_to(DOCS)),
)
def test_pages_have_valid_markup(path):
    assert complaints(path.read_text(encoding='utf-8'), Parser()) == []
