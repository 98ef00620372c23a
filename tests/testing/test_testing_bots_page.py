"""The zoo's page lists all wrong bots, generators, searches and engines, with their laws."""

from pathlib import Path

import pytest

import zoo_bots
import zoo_generators
import zoo_methods
from fmcts.testing import BOT_LAWS, GENERATOR_LAWS, SEARCH_LAWS

PAGE = (Path(__file__).parent.parent.parent / 'docs/zoo.md').read_text(encoding='utf-8')
ENGINES = {name: law for name, (_, law, _) in zoo_methods.WRONG_ENGINES.items()}


def laws_of(zoo):
    return {name: case.law for name, case in zoo.items()}


def table(text, heading):
    """The rows of the first table that is headed so."""
    lines = text.partition(f'| {heading} |\n')[2].split('\n\n')[0].splitlines()
    return [tuple(line.strip('| ').split(' | ')) for line in lines[1:]]


@pytest.mark.parametrize(
    ('kind', 'zoo', 'least'),
    [
        ('bot', laws_of(zoo_bots.WRONG), 10),
        ('generator', laws_of(zoo_generators.WRONG), 8),
        ('search', laws_of(zoo_methods.WRONG), 6),
        ('engine', ENGINES, 6),
    ],
    ids=['bots', 'generators', 'searches', 'engines'],
)
def test_the_tables_match_the_zoo(kind, zoo, least):
    rows = table(PAGE, f'wrong {kind} | law')
    assert rows == [(name.replace('_', ' '), law) for name, law in zoo.items()]
    assert len(rows) >= least


def test_no_two_laws_share_a_name():
    laws = (*BOT_LAWS, *GENERATOR_LAWS, *SEARCH_LAWS[1:])  # the first is that of bots too
    assert len({law.name for law in laws}) == len(laws)
