"""MAST that is wrong in one way: the transcription tells each from the right one."""

import sys
from pathlib import Path

import pytest
from attrs import frozen

from fmcts import Player, Search, SplitMix, analyse
from fmcts.game import key_of
from fmcts.search.engines import ENGINES
from fmcts.search.policies import (
    HighestMean,
    epsilon,
)
from fmcts.search.policies.mast import Means

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
sys.path.insert(0, str(Path(__file__).parent.parent / 'settling'))
from naive_mast import Naive, agrees
from remembering import Stairs, search as naive_search

sys.path.pop(0)
sys.path.pop(0)

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']


# ---- named traps: each is a wrong memory or choice, and the law above finds it ----


class Both(Means):
    """Each player is credited for the other's moves as well."""

    def changes(self, entries, line, for_x):
        others = [(player.other, key) for player, key in line]
        return super().changes(entries, [*line, *others], for_x)


class ForTheFirst(Means):
    """Rewards are X's for both."""

    def changes(self, entries, line, for_x):
        right, wrong = (
            super(ForTheFirst, self).changes(entries, line, of) for of in (for_x, 1 - for_x)
        )
        return {place: (right if place[0] is X else wrong)[place] for place in right}


class EachTime(Means):
    """A move that was played twice in an iteration counts twice."""

    def changes(self, entries, line, for_x):
        found = {}
        for place in line:
            found.update(super().changes({**entries, **found}, [place], for_x))
        return found


class PlayoutAlone(Means):
    """The first move, which is in the tree, is left out."""

    def changes(self, entries, line, for_x):
        return super().changes(entries, line[1:], for_x)


def with_memory(memory_):
    @frozen
    class Wrong(HighestMean):
        @property
        def memory(self):
            return memory_

    return Wrong()


class LastOfEquals(HighestMean):
    def choose_knowing(self, recalled, state, moves, draw):
        return super().choose_knowing(recalled, state, moves[::-1], draw)


class UnseenIsPoor(HighestMean):
    def numbers_of(self, recalled, state, move):
        visits, reward = super().numbers_of(recalled, state, move)
        return (visits, reward) if visits else (1.0, 0.0)


class OfTheOther(HighestMean):
    def numbers_of(self, recalled, state, move):
        place = state.player.other, key_of(state, move)
        return self.entries(recalled).get(place, self.memory.absent)


MUTANTS = [
    *map(with_memory, (Both(), ForTheFirst(), EachTime(), PlayoutAlone())),
    LastOfEquals(),
    UnseenIsPoor(),
    OfTheOther(),
]


@pytest.mark.parametrize('mutant', MUTANTS, ids=lambda each: type(each.memory).__name__)
@pytest.mark.parametrize('name', PYTHON)
def test_mutants_are_found(name, mutant):
    def is_right(policy):
        search = Search(60, playout=epsilon(policy, 0.1))
        found, after = analyse(Stairs(30), RNG, search, engine=name)
        return agrees(found, after, naive_search(Stairs(30), RNG, 60, Naive(0.1)))

    assert is_right(HighestMean())
    assert not is_right(mutant)
