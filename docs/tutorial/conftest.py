"""Each page of the tutorial runs in a folder with the game that the second page writes."""

import doctest
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).with_name('2_your_game.md')
GAME = 'kayles'


@pytest.fixture(autouse=True)
def _folder_of_the_reader(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    if request.node.path.name > PAGE.name:
        first, second, *_ = doctest.DocTestParser().get_examples(PAGE.read_text(encoding='utf-8'))
        exec(first.source + second.source, {})  # noqa: S102 - the page's own code
    yield
    sys.modules.pop(GAME, None)
