"""The documents show the library's own code: what is quoted stands in the source, word for word."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parent.parent
QUOTED = re.compile(r'<!-- from (\S+) -->\n```python\n(.*?)\n```', re.DOTALL)
QUOTES = [
    (document.name, path, code)
    for document in sorted((ROOT / 'docs').glob('*.md'))
    for path, code in QUOTED.findall(document.read_text(encoding='utf-8'))
]


@pytest.mark.parametrize(('document', 'path', 'code'), QUOTES)
def test_quoted_code_is_the_source(document, path, code):
    assert document
    assert code in (ROOT / path).read_text(encoding='utf-8')


def test_every_marker_is_followed_by_a_quote():
    documents = [file.read_text(encoding='utf-8') for file in (ROOT / 'docs').glob('*.md')]
    assert len(QUOTES) == sum(text.count('<!-- from ') for text in documents) >= 5
