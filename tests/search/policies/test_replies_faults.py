"""Last good reply that is wrong in one way: the transcription tells each from the right one."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import frozen

from fmcts import Player, Search, SplitMix, analyse
from fmcts.search.policies import LastGoodReply
from fmcts.search.policies.replies import Replies

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
sys.path.insert(0, str(Path(__file__).parent.parent / 'settling'))
from naive_replies import Naive, agrees
from remembering import Stairs, search as naive_search

sys.path.pop(0)
sys.path.pop(0)

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
NAMES = {False: 'last-good-reply', True: 'last-good-reply-with-forgetting'}


# ---- named traps ----


class OfLosers(Replies):
    """What lost is kept."""

    def changes(self, entries, line, for_x):
        return super().changes(entries, line, 1 - for_x)


class ForTheFirst(Replies):
    """A win of X's is taken for one of both."""

    def changes(self, entries, line, for_x):
        won = super().changes(entries, line, for_x)
        return {**super().changes(entries, line, 1 - for_x), **won} if for_x == 1 else won


class ToOneself(Replies):
    """A side that moves twice replies to itself."""

    def changes(self, entries, line, for_x):
        found = super().changes(entries, line, for_x)
        for before, (player, key) in pairwise(line):
            if before[0] is player and for_x == (1.0 if player is X else 0.0):
                found[before] = (float(key),)
        return found


class DrawsToo(Replies):
    """A draw is taken for a win."""

    def changes(self, entries, line, for_x):
        both = [super(DrawsToo, self).changes(entries, line, of) for of in (0.0, 1.0)]
        return both[0] | both[1] if for_x == 0.5 else super().changes(entries, line, for_x)


class PlayoutAlone(Replies):
    """The reply to the first move, which is in the tree, is left out."""

    def changes(self, entries, line, for_x):
        return super().changes(entries, line[1:], for_x)


class FirstWin(Replies):
    """The first good reply stays."""

    def changes(self, entries, line, for_x):
        found = super().changes(entries, line, for_x)
        return {place: each for place, each in found.items() if place not in entries}


class ForgetsAll(Replies):
    """Whatever loses makes the reply to that move forgotten."""

    def changes(self, entries, line, for_x):
        found = super().changes(entries, line, for_x)
        if self.forgetting and for_x != 0.5:
            loser = O if for_x == 1.0 else X
            for before, (player, _) in pairwise(line):
                if before[0] is not player and player is loser:
                    found[before] = self.absent
        return found


def replying(kind):
    @frozen
    class Wrong(LastGoodReply):
        @property
        def memory(self):
            return kind(forgetting=self.forgetting)

    return Wrong


MUTANTS = [OfLosers, ForTheFirst, ToOneself, DrawsToo, PlayoutAlone, FirstWin, ForgetsAll]


@pytest.mark.parametrize('mutant', MUTANTS)
def test_mutants_are_found(mutant):
    def is_right(policy, forgets):
        search = Search(60, playout=policy(forgetting=forgets))
        found, after = analyse(Stairs(30), RNG, search, engine='inplace')
        expected = naive_search(Stairs(30), RNG, 60, Naive(forgets=forgets))
        return agrees(found, after, expected, NAMES[forgets])

    assert all(is_right(replying(Replies), forgets) for forgets in (False, True))
    assert not all(is_right(replying(mutant), forgets) for forgets in (False, True))
