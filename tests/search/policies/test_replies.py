"""Last good reply, with and without forgetting, against a naive transcription."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, analyse
from fmcts.game import key_of
from fmcts.games import tictactoe
from fmcts.search.policies import LastGoodReply, Mixture, Uniform
from fmcts.testing import generators
from toy_games import remembered_positions
from transcription import kept, remembering, rows, rows_of

PYTHON = ('persistent', 'monadic', 'inplace')

FORGETS = {False: LastGoodReply(), True: LastGoodReply(forgetting=True)}
NAMES = {False: 'last-good-reply', True: 'last-good-reply-with-forgetting'}


# ---- the transcription ----


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
    return (
        rows(root) == rows_of(analysis.tree)
        and kept(analysis.tree, name) == entries
        and after == rng
    )


@pytest.mark.parametrize('forgets', FORGETS)
@pytest.mark.parametrize('name', PYTHON)
@given(remembered_positions, generators(), st.integers(1, 60))
@settings(max_examples=40)
def test_matches_the_transcription(name, forgets, state, rng, iterations):
    search = Search(iterations, playout=FORGETS[forgets])
    found, after = analyse(state, rng, search, engine=name)
    expected = remembering(state, rng, iterations, Naive(forgets=forgets))
    assert agrees(found, after, expected, NAMES[forgets])


# ---- one iteration, by hand ----


def test_choose_without_memory_is_uniform():
    for policy in FORGETS.values():
        assert policy.choose(tictactoe.start, (5, 2, 7), lambda count: count - 1) == 7


def test_forgetting_has_a_table_of_its_own():
    assert {each: FORGETS[each].memories[0].name for each in FORGETS} == NAMES
    both = Mixture((FORGETS[True], Uniform(), FORGETS[False]), (0.5, 0.25, 0.25))
    assert [each.name for each in both.memories] == [NAMES[False], NAMES[True]]


# ---- what is refused ----


@pytest.mark.parametrize('given_', [1, 'on', None])
def test_forgetting_must_be_true_or_false(given_):
    with pytest.raises(ValueError, match='forgetting must be True or False, not '):
        LastGoodReply(forgetting=given_)
