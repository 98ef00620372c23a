"""The tables that are made from the code show it as it is."""

from pathlib import Path

import pytest

import page_tables

DOCS = Path(__file__).parents[1] / 'docs'
if not DOCS.is_dir():
    pytest.skip('docs is not part of this copy', allow_module_level=True)


@pytest.mark.parametrize('name', dict.fromkeys(where for where, *_ in page_tables.TABLES))
def test_the_pages_are_current(name):
    text = (DOCS / name).read_text('utf-8')
    assert text == page_tables.page(name), 'run python tests/page_tables.py'
