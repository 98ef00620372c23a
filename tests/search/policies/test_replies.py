"""Last good reply, with and without forgetting: against a naive transcription, in every engine."""

import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import Player, Search, SplitMix, analyse, mcts
from fmcts.bots.spec import parse_bot
from fmcts.game import key_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.engines import ENGINES
from fmcts.search.policies import Decisive, LastGoodReply, Mixture, Uniform, epsilon
from fmcts.search.policies.replies import Replies
from fmcts.testing import generators, positions

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
sys.path.insert(0, str(Path(__file__).parent.parent / 'settling'))
from drawn import games
from remembering import Stairs, kept, same_tree
from remembering import search as naive_search

sys.path.pop(0)
sys.path.pop(0)

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']
FORGETS = {False: LastGoodReply(), True: LastGoodReply(forgetting=True)}
NAMES = {False: 'last-good-reply', True: 'last-good-reply-with-forgetting'}
running = st.one_of(
    games(),
    st.builds(Stairs, st.integers(1, 40)),
    positions(tictactoe.start, running=True),
    positions(connect4.start, running=True),
)


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


class Naive:
    """The papers' tables: one for each player, from the opponent's move to the reply."""

    def __init__(self, *, forgets):
        self.forgets = forgets

    def choose(self, memory, before, state, rng):
        replies = memory.get(state.player, {})
        if before[0] != state.player and before[1] in replies:
            for move in state.moves:
                if key_of(state, move) == replies[before[1]]:
                    return move, rng
        index, rng = rng.uniform(0, len(state.moves) - 1)
        return state.moves[index], rng

    def learn(self, memory, line, winner):
        for number in range(1, len(line)):
            (opponent, key), (player, reply) = line[number - 1], line[number]
            if opponent != player and winner is not None:
                table = memory.setdefault(player, {})
                if player == winner:
                    table[key] = reply
                elif self.forgets and table.get(key) == reply:
                    del table[key]


def agrees(analysis, after, expected, name):
    """Whether a search found what the transcription did: tree, memory and generator."""
    root, memory, rng = expected
    entries = {
        (player.other, key): (reply,)
        for player, table in memory.items()
        for key, reply in table.items()
    }
    return same_tree(root, analysis.tree) and kept(analysis.tree, name) == entries and after == rng


# ---- the transcription ----


@pytest.mark.parametrize('forgets', FORGETS)
@pytest.mark.parametrize('name', PYTHON)
@given(running, generators(), st.integers(1, 60))
@settings(max_examples=40)
def test_it_is_the_transcription(name, forgets, state, rng, iterations):
    search = Search(iterations, playout=FORGETS[forgets])
    found, after = analyse(state, rng, search, engine=name)
    expected = naive_search(state, rng, iterations, Naive(forgets=forgets))
    assert agrees(found, after, expected, NAMES[forgets])


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('start', 'forgets'),
    [(tictactoe.start, False), (connect4.start, True), (othello.start, True), (Stairs(300), True)],
)
def test_compiled_it_is_the_transcription(start, forgets):
    """Sides move twice in a row in Othello, by passes, and on the stairs."""
    for seed, iterations in enumerate((1, 2, 30, 150)):
        rng = SplitMix.from_seed(seed)
        search = Search(iterations, playout=FORGETS[forgets])
        found, after = analyse(start, rng, search, engine='compiled')
        expected = naive_search(start, rng, iterations, Naive(forgets=forgets))
        assert agrees(found, after, expected, NAMES[forgets])


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


# ---- one iteration, by hand ----


def test_one_iteration_more():
    line = [(X, 1), (O, 2), (X, 3), (X, 4), (O, 5), (X, 1)]
    by_x, by_o = {(O, 2): (3.0,), (O, 5): (1.0,)}, {(X, 1): (2.0,), (X, 4): (5.0,)}
    for forgetting in (False, True):
        memory = Replies(forgetting=forgetting)
        assert memory.after({}, line, 1.0) == by_x
        assert memory.after({}, line, 0.25) == by_o
        assert memory.after({(X, 9): (8.0,)}, line, 0.5) == {(X, 9): (8.0,)}
        assert memory.after(by_x, line, 0.75) == by_x
    known = by_o | {(X, 4): (6.0,), (X, 9): (8.0,)}
    assert Replies().after(known, line, 1.0) == known | by_x
    forgotten = {(X, 4): (6.0,), (X, 9): (8.0,)} | by_x
    assert Replies(forgetting=True).after(known, line, 1.0) == forgotten
    assert known[X, 1] == (2.0,)


def test_alone_it_is_uniform():
    for policy in FORGETS.values():
        assert policy.choose(tictactoe.start, (5, 2, 7), lambda count: count - 1) == 7


def test_forgetting_is_another_memory():
    assert {each: FORGETS[each].memories[0].name for each in FORGETS} == NAMES
    both = Mixture((FORGETS[True], Uniform(), FORGETS[False]), (0.5, 0.25, 0.25))
    assert [each.name for each in both.memories] == [NAMES[False], NAMES[True]]


# ---- with other policies, methods and evaluators; compiled ----


def field_of(position):
    return (position[0] % 16) / 16.0


COMPOSED = {
    'both': (
        Stairs(25),
        {
            'playout': Mixture((FORGETS[True], Decisive(), FORGETS[False]), (0.5, 0.25, 0.25)),
            'selection': 'amaf',
        },
    ),
    'evaluator': (
        connect4.start,
        {
            'playout': epsilon(FORGETS[True], 0.25),
            'evaluate': OnPositions(field_of),
            'evaluate_after': 3,
            'solver': True,
        },
    ),
}


@pytest.mark.parametrize('name', COMPOSED)
def test_composed_it_is_the_same_in_every_engine(engine, name):
    start, options = COMPOSED[name]
    search = Search(120, **options)
    one, after = analyse(start, RNG, search, engine='persistent')
    two, other_after = analyse(start, RNG, search, engine=engine)
    assert (one.digest, one.move, after) == (two.digest, two.move, other_after)
    assert one.tree == two.tree


@given(running, generators(), st.integers(1, 40))
@settings(max_examples=20)
def test_with_epsilon_one_it_is_uniform(state, rng, iterations):
    def found(playout):
        analysis, after = analyse(state, rng, Search(iterations, playout=playout), engine='inplace')
        return analysis.digest, after

    assert found(epsilon(LastGoodReply(), 1)) == found('uniform')


# ---- what is refused ----


@pytest.mark.parametrize('given_', [1, 'on', None])
def test_forgetting_is_a_switch(given_):
    with pytest.raises(ValueError, match='forgetting must be True or False, not '):
        LastGoodReply(forgetting=given_)


def test_by_name(engine):
    search = Search(50, playout='last-good-reply')
    assert parse_bot('mcts:50,playout=last-good-reply').unwrap() == mcts(search)
    one, _ = analyse(tictactoe.start, RNG, search, engine=engine)
    two, _ = analyse(tictactoe.start, RNG, Search(50, playout=LastGoodReply()), engine=engine)
    assert one == two
    message = re.escape("not 'last-god-reply' (did you mean last-good-reply?)")
    with pytest.raises(ValueError, match=message):
        Search(playout='last-god-reply')
