"""Last good reply, with and without forgetting, against a naive transcription."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, analyse
from fmcts.games import tictactoe
from fmcts.search.policies import LastGoodReply, Mixture, Uniform
from fmcts.testing import generators
from naive_replies import Naive, agrees
from remembering import PYTHON, running, search as naive_search

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
