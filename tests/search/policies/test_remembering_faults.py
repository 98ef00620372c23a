"""Faults of MAST and of last good reply, each detected by the transcription."""

import functools
import math

import pytest
from attrs import frozen

import naive_mast
import naive_replies
from fmcts import Player, Search, SplitMix, analyse
from fmcts.formulas import where
from fmcts.search.memory import Learning, learning
from fmcts.search.policies import HighestMean, LastGoodReply, epsilon
from fmcts.search.policies.replies import Replies
from remembering import PYTHON, Stairs, search as naive_search
from tiers import usually

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name


class PlayoutAlone(Learning):
    """The first move, which is in the tree, is left out."""

    def learn(self, entries, line, for_x):
        super().learn(entries, line[1:], for_x)


@pytest.fixture
def learn_as(monkeypatch):
    """`learn_as(mutant)`: tables learn as that class does."""

    def learn(mutant):
        def learning_wrongly(table):
            right = learning(table)
            return mutant(right.table, right.new)

        monkeypatch.setattr('fmcts._engines.plan.learning', learning_wrongly)

    return learn


# ---- MAST ----


class Both(Learning):
    """Each player is credited for the other's moves as well."""

    def learn(self, entries, line, for_x):
        others = [(player.other, key) for player, key in line]
        super().learn(entries, [*line, *others], for_x)


class FirstsReward(Learning):
    """Rewards are X's for both."""

    def learn(self, entries, line, for_x):
        super().learn(entries, [move for move in line if move[0] is X], for_x)
        super().learn(entries, [move for move in line if move[0] is O], 1 - for_x)


class EachTime(Learning):
    """A move that was played twice in an iteration counts twice."""

    def learn(self, entries, line, for_x):
        for place in line:
            super().learn(entries, [place], for_x)


class LastOfEquals(HighestMean):
    def choose_knowing(self, recalled, state, moves, draw):
        return super().choose_knowing(recalled, state, moves[::-1], draw)


class UnseenIsPoor(HighestMean):
    def weigh(self, move):
        return where(move.visits > 0.0, super().weigh(move), 0.0)


class OfTheOther(HighestMean):
    def choose_knowing(self, recalled, state, moves, draw):
        known = {
            name: {(player.other, key): numbers for (player, key), numbers in entries.items()}
            for name, entries in recalled.known.items()
        }
        return super().choose_knowing(recalled._replace(known=known), state, moves, draw)


def is_right(policy, name):
    search = Search(60, playout=epsilon(policy, 0.1))
    found, after = analyse(Stairs(30), RNG, search, engine=name)
    expected = naive_search(Stairs(30), RNG, 60, naive_mast.Naive(0.1))
    return naive_mast.agrees(found, after, expected)


@functools.cache
def is_right_unchanged(name):
    return is_right(HighestMean(), name)


@pytest.mark.parametrize('mutant', [LastOfEquals, UnseenIsPoor, OfTheOther])
@pytest.mark.parametrize('name', usually(['inplace'], PYTHON))
def test_faulty_choices_are_detected(name, mutant):
    assert is_right_unchanged(name)
    assert not is_right(mutant(), name)


@pytest.mark.parametrize('mutant', [Both, FirstsReward, EachTime, PlayoutAlone])
@pytest.mark.parametrize('name', PYTHON)
def test_faulty_updates_of_means_are_detected(learn_as, name, mutant):
    assert is_right_unchanged(name)
    learn_as(mutant)
    assert not is_right(HighestMean(), name)


# ---- last good reply ----


class OfLosers(Learning):
    """What lost is kept."""

    def learn(self, entries, line, for_x):
        super().learn(entries, line, 1 - for_x)


class FirstsWin(Learning):
    """A win of X's is taken for one of both."""

    def learn(self, entries, line, for_x):
        if for_x == 1:
            super().learn(entries, line, 1 - for_x)
        super().learn(entries, line, for_x)


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


def replies_are_right(policy):
    def agreed(name):
        forgets = name.endswith('forgetting')
        search = Search(60, playout=policy(forgetting=forgets))
        found, after = analyse(Stairs(30), RNG, search, engine='inplace')
        expected = naive_search(Stairs(30), RNG, 60, naive_replies.Naive(forgets=forgets))
        return naive_replies.agrees(found, after, expected, name)

    return agreed('last-good-reply') and agreed('last-good-reply-with-forgetting')


@pytest.mark.parametrize('mutant', [DrawsToo, FirstWin, ForgetsAll])
def test_faulty_tables_are_detected(mutant):
    assert replies_are_right(replying(Replies))
    assert not replies_are_right(replying(mutant))


@pytest.mark.parametrize('mutant', [OfLosers, FirstsWin, PlayoutAlone])
def test_faulty_updates_of_replies_are_detected(learn_as, mutant):
    assert replies_are_right(LastGoodReply)
    learn_as(mutant)
    assert not replies_are_right(LastGoodReply)


def test_replies_to_oneself_are_detected(monkeypatch):
    assert replies_are_right(LastGoodReply)
    monkeypatch.setattr('fmcts.search.memory.changed_by', lambda _index, before, _move: before)
    assert not replies_are_right(LastGoodReply)
