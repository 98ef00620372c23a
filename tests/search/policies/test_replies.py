"""Last good reply, with and without forgetting, against a naive transcription."""

import re

import pytest
from hypothesis import given, settings, strategies as st

from drawn import games
from fmcts import Player, Search, SplitMix, analyse, mcts
from fmcts._running.registry import ENGINES
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.memory import learning
from fmcts.search.policies import Decisive, LastGoodReply, Mixture, Uniform, epsilon
from fmcts.search.policies.replies import Replies
from fmcts.testing import generators, positions
from naive_replies import Naive, agrees
from remembering import Stairs, search as naive_search
from tiers import is_interpreted, usually

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


@pytest.mark.exhaustive  # test_shapes has it compiled
@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('start', 'forgets'),
    usually(
        [(Stairs(300), True)],
        [
            (tictactoe.start, False),
            (connect4.start, True),
            (othello.start, True),
            (Stairs(300), True),
        ],
    ),
)
def test_compiled_code_matches_the_transcription(start, forgets):
    """Sides move twice in a row in Othello, by passes, and on the stairs."""
    for seed, iterations in enumerate((1, 2, 30, 150)):
        rng = SplitMix.from_seed(seed)
        search = Search(iterations, playout=FORGETS[forgets])
        found, after = analyse(start, rng, search, engine='compiled')
        expected = naive_search(start, rng, iterations, Naive(forgets=forgets))
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


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
@pytest.mark.parametrize('name', COMPOSED)
def test_engines_agree_in_combinations(engine, name):
    start, options = COMPOSED[name]
    search = Search(120, **options)
    one, after = analyse(start, RNG, search, engine='persistent')
    two, other_after = analyse(start, RNG, search, engine=engine)
    assert (one.digest, one.move, after) == (two.digest, two.move, other_after)
    assert one.tree == two.tree


@given(running, generators(), st.integers(1, 40))
@settings(max_examples=20)
def test_epsilon_1_is_uniform(state, rng, iterations):
    def found(playout):
        analysis, after = analyse(state, rng, Search(iterations, playout=playout), engine='inplace')
        return analysis.digest, after

    assert found(epsilon(LastGoodReply(), 1)) == found('uniform')


# ---- what is refused ----


@pytest.mark.parametrize('given_', [1, 'on', None])
def test_forgetting_must_be_true_or_false(given_):
    with pytest.raises(ValueError, match='forgetting must be True or False, not '):
        LastGoodReply(forgetting=given_)


def test_last_good_reply_by_name():
    search = Search(50, playout='last-good-reply')
    assert parse_bot('mcts:50,playout=last-good-reply').unwrap() == mcts(search)
    assert search.policy == Search(playout=LastGoodReply()).policy
    message = re.escape("not 'last-god-reply' (did you mean last-good-reply?)")
    with pytest.raises(ValueError, match=message):
        Search(playout='last-god-reply')
