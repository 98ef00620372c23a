"""Methods: the same in every engine, and equal to the papers' formulas."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.search import _digest as digests
from fmcts.search._columns import ColumnNames
from fmcts.search._tree import walk
from fmcts.search.methods import AMAF, METHODS


@pytest.mark.parametrize('name', METHODS)
def test_every_method_is_compared_with_its_transcription(name):
    """By `naive.law`, in the test file of the module that defines it."""
    module = METHODS[name].__module__.rpartition('.')[2]
    tests = Path(__file__).with_name(f'test_{module}.py').read_text('utf-8')
    assert re.search(rf'= naive\.law\(\s*(naive\.)?{name.replace("-", "_")}\b', tests)


def test_columns_change_the_digest():
    rng = SplitMix.from_seed(1)
    plain, _ = analyse(tictactoe.start, rng, Search(30))
    kept, _ = analyse(tictactoe.start, rng, Search(30, selection=AMAF(alpha=0)))
    assert plain.digest != kept.digest
    names = ColumnNames((), ('amaf_visits', 'amaf_reward'))
    assert kept.tree.columns.names == names
    text = digests.serialise(kept.tree)
    header = b'fmcts-tree-columns-1 0\namaf_visits\namaf_reward\n'
    assert text.startswith(header)
    numbers = sum(6 + 2 * len(node.moves) for node in walk(kept.tree))
    assert len(text) == len(header) + 8 * numbers


def test_a_method_is_found_in_its_folder(tmp_path, monkeypatch):
    """A new method or policy is one file and its test: no list has to be changed."""
    folder = tmp_path / 'kinds_of_base'
    folder.mkdir()
    (folder / '__init__.py').write_text(
        'from fmcts._declared import named\n'
        'class Base:\n    name = ""\n'
        'class First(Base):\n    name = "first"\n'
        'FOUND = named(globals(), Base)\n'
    )
    (folder / 'second.py').write_text(
        'from kinds_of_base import Base, First\nclass Second(Base):\n    name = "second"\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert [*import_module('kinds_of_base').FOUND] == ['first', 'second']
