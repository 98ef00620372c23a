"""Faults of MAST, each detected by the transcription."""

import functools

import pytest

from fmcts import Player, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.formulas import where
from fmcts.search.memory import Learning, learning
from fmcts.search.policies import HighestMean, epsilon
from naive_mast import Naive, agrees
from remembering import Stairs, search as naive_search
from tiers import usually

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']


# ---- named traps: each is a wrong memory or choice, and the law above finds it ----


class Both(Learning):
    """Each player is credited for the other's moves as well."""

    def learn(self, entries, line, for_x):
        others = [(player.other, key) for player, key in line]
        super().learn(entries, [*line, *others], for_x)


class ForTheFirst(Learning):
    """Rewards are X's for both."""

    def learn(self, entries, line, for_x):
        super().learn(entries, [move for move in line if move[0] is X], for_x)
        super().learn(entries, [move for move in line if move[0] is O], 1 - for_x)


class EachTime(Learning):
    """A move that was played twice in an iteration counts twice."""

    def learn(self, entries, line, for_x):
        for place in line:
            super().learn(entries, [place], for_x)


class PlayoutAlone(Learning):
    """The first move, which is in the tree, is left out."""

    def learn(self, entries, line, for_x):
        super().learn(entries, line[1:], for_x)


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
    return agrees(found, after, naive_search(Stairs(30), RNG, 60, Naive(0.1)))


@functools.cache
def is_right_unchanged(name):
    return is_right(HighestMean(), name)


@pytest.mark.parametrize('mutant', [LastOfEquals, UnseenIsPoor, OfTheOther])
@pytest.mark.parametrize('name', usually(['inplace'], PYTHON))
def test_faulty_choices_are_detected(name, mutant):
    assert is_right_unchanged(name)
    assert not is_right(mutant(), name)


@pytest.mark.parametrize('mutant', [Both, ForTheFirst, EachTime, PlayoutAlone])
@pytest.mark.parametrize('name', PYTHON)
def test_faulty_updates_are_detected(monkeypatch, name, mutant):
    def learning_wrongly(table):
        right = learning(table)
        return mutant(right.table, right.new)

    assert is_right_unchanged(name)
    monkeypatch.setattr('fmcts._engines.plan.learning', learning_wrongly)
    assert not is_right(HighestMean(), name)
