"""Faults of last good reply, each detected by the transcription."""

import math

import pytest
from attrs import frozen

from fmcts import Search, SplitMix, analyse
from fmcts.formulas import where
from fmcts.search.memory import Learning, learning
from fmcts.search.policies import LastGoodReply
from fmcts.search.policies.replies import Replies
from naive_replies import Naive, agrees
from remembering import Stairs, search as naive_search

RNG = SplitMix.from_seed(1)
NAMES = {False: 'last-good-reply', True: 'last-good-reply-with-forgetting'}


# ---- named traps ----


class OfLosers(Learning):
    """What lost is kept."""

    def learn(self, entries, line, for_x):
        super().learn(entries, line, 1 - for_x)


class ForTheFirst(Learning):
    """A win of X's is taken for one of both."""

    def learn(self, entries, line, for_x):
        if for_x == 1:
            super().learn(entries, line, 1 - for_x)
        super().learn(entries, line, for_x)


class PlayoutAlone(Learning):
    """The reply to the first move, which is in the tree, is left out."""

    def learn(self, entries, line, for_x):
        super().learn(entries, line[1:], for_x)


class DrawsToo(Replies):
    """A draw is taken for a win."""

    def update(self, row, reward):
        return super().update(row, where(reward == 0.5, 1.0, reward))


class FirstWin(Replies):
    """The first good reply stays."""

    def update(self, row, reward):
        (reply,) = super().update(row, reward)
        return (where(row.reply == -math.inf, reply, row.reply),)


class ForgetsAll(Replies):
    """Whatever loses makes the reply to that move forgotten."""

    def update(self, row, reward):
        (reply,) = super().update(row, reward)
        return (where((reward < 0.5) & (self.forgetting > 0), -math.inf, reply),)


def replying(kind):
    @frozen
    class Wrong(LastGoodReply):
        @property
        def memories(self):
            return (kind(forgetting=self.forgetting),)

    return Wrong


def is_right(policy):
    def agreed(forgets):
        search = Search(60, playout=policy(forgetting=forgets))
        found, after = analyse(Stairs(30), RNG, search, engine='inplace')
        expected = naive_search(Stairs(30), RNG, 60, Naive(forgets=forgets))
        return agrees(found, after, expected, NAMES[forgets])

    return all(map(agreed, (False, True)))


@pytest.mark.parametrize('mutant', [DrawsToo, FirstWin, ForgetsAll])
def test_faulty_tables_are_detected(mutant):
    assert is_right(replying(Replies))
    assert not is_right(replying(mutant))


@pytest.mark.parametrize('mutant', [OfLosers, ForTheFirst, PlayoutAlone])
def test_faulty_updates_are_detected(monkeypatch, mutant):
    def learning_wrongly(table):
        right = learning(table)
        return mutant(right.table, right.new)

    assert is_right(LastGoodReply)
    monkeypatch.setattr('fmcts._engines.plan.learning', learning_wrongly)
    assert not is_right(LastGoodReply)


def test_replies_to_oneself_are_detected(monkeypatch):
    assert is_right(LastGoodReply)
    monkeypatch.setattr('fmcts.search.memory.changed_by', lambda _index, before, _move: before)
    assert not is_right(LastGoodReply)
