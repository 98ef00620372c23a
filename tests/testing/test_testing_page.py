"""The zoo's page lists all wrong games, with their laws."""

from pathlib import Path

from fmcts.testing import GAME_LAWS, SAME_LAWS
from zoo_games import ZOO

PAGE = (Path(__file__).parent.parent.parent / 'docs/zoo.md').read_text(encoding='utf-8')


def rows(heading):
    """The rows of the table that is headed so."""
    lines = PAGE.partition(f'| {heading} |')[2].splitlines()[2:]
    return lines[: lines.index('')]


def test_the_table_matches_the_zoo():
    assert rows('game') == [
        f'| `{wrong.name}` | {wrong.why} | {wrong.law} | {wrong.line} |' for wrong in ZOO
    ]
    assert len(ZOO) >= 25


def test_every_law_has_a_wrong_game():
    told = {wrong.law for wrong in ZOO}
    named = {law.name for law in (*GAME_LAWS, *SAME_LAWS)}
    assert named == told
