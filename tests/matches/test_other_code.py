"""Bots that are others in other processes, which import their modules anew."""

import importlib
import sys

import pytest

from fmcts import SplitMix, random_bot
from fmcts._content import elsewhere
from fmcts._content.elsewhere import OtherCodeError, texts_of
from fmcts.errors import FmctsWarning
from fmcts.games import tictactoe
from fmcts.matches import match
from fmcts.matches._batches import compared, play_batch
from played import small

MODULE = """
PLACE = 0
SEEN = {}
def bot(state, rng):
    SEEN[state] = True
    return state.moves[PLACE], rng
"""


@pytest.fixture
def other(tmp_path, monkeypatch):
    (tmp_path / 'of_another_process.py').write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, 'of_another_process', raising=False)
    importlib.invalidate_caches()
    return importlib.import_module('of_another_process')


def played(bot, jobs, games=400):
    rng = SplitMix.from_seed(1)
    return match(bot, random_bot, tictactoe.start, games=games, rng=rng, jobs=jobs).games


def test_games_of_a_bot_changed_in_this_process_are_played_here(other, monkeypatch):
    monkeypatch.setattr(other, 'PLACE', -1)
    alone = played(other.bot, 1)
    monkeypatch.setattr(other, 'SEEN', {})
    with pytest.warns(FmctsWarning, match='the first bot is different in other processes'):
        assert played(other.bot, 2) == alone


def test_the_memory_of_a_bot_is_compared_once(other, monkeypatch):
    monkeypatch.setattr(elsewhere, '_same', set())
    described = small(first=other.bot)
    sent = texts_of(compared(described))
    play_batch(described, range(1), None, sent)
    assert other.SEEN
    play_batch(described, range(1), None, sent)
    other.PLACE = -1
    with pytest.raises(OtherCodeError, match='the first bot is different in other processes'):
        play_batch(described, range(1), None, (('the first bot', 'another'), *sent[1:]))
