"""Last good reply, with and without forgetting, against a naive transcription."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.search.memory import learning
from fmcts.search.policies import LastGoodReply, Mixture, Uniform
from fmcts.search.policies.replies import Replies
from fmcts.testing import generators
from naive_replies import Naive, agrees
from remembering import PYTHON, running, search as naive_search

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
FORGETS = {False: LastGoodReply(), True: LastGoodReply(forgetting=True)}
NAMES = {False: 'last-good-reply', True: 'last-good-reply-with-forgetting'}


# ---- the transcription ----


@pytest.mark.parametrize('forgets', FORGETS)
@pytest.mark.parametrize('name', PYTHON)
@given(running, generators(), st.integers(1, 60))
@settings(max_examples=40)
def test_matches_the_transcription(name, forgets, state, rng, iterations):
    search = Search(iterations, playout=FORGETS[forgets])
    found, after = analyse(state, rng, search, engine=name)
    expected = naive_search(state, rng, iterations, Naive(forgets=forgets))
    assert agrees(found, after, expected, NAMES[forgets])


# ---- one iteration, by hand ----


def test_update_after_one_iteration():
    line = [(X, 1), (O, 2), (X, 3), (X, 4), (O, 5), (X, 1)]
    by_x, by_o = {(O, 2): (3.0,), (O, 5): (1.0,)}, {(X, 1): (2.0,), (X, 4): (5.0,)}
    for forgetting in (False, True):
        memory = learning(Replies(forgetting=forgetting))
        assert memory.after({}, line, 1.0) == by_x
        assert memory.after({}, line, 0.25) == by_o
        assert memory.after({(X, 9): (8.0,)}, line, 0.5) == {(X, 9): (8.0,)}
        assert memory.after(by_x, line, 0.75) == by_x
    known = by_o | {(X, 4): (6.0,), (X, 9): (8.0,)}
    assert learning(Replies()).after(known, line, 1.0) == known | by_x
    forgotten = {(X, 4): (6.0,), (X, 9): (8.0,)} | by_x
    assert learning(Replies(forgetting=True)).after(known, line, 1.0) == forgotten
    assert known[X, 1] == (2.0,)


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
