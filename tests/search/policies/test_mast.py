"""MAST: against a naive transcription, in every engine, and where it is uniform."""

import math
import re
import sys
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import EngineError, Player, Search, SplitMix, analyse, mcts
from fmcts.bots.spec import parse_bot
from fmcts.game import key_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.engines import ENGINES
from fmcts.search.memory import Remembered
from fmcts.search.policies import (
    MAST,
    Decisive,
    HighestMean,
    LastGoodReply,
    Mixture,
    Uniform,
    epsilon,
)
from fmcts.search.policies.mast import Means
from fmcts.search.policies.mixture import SCALE
from fmcts.search.policies.recalling import Recalling
from fmcts.search.tree import freeze_in_place
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
    """The papers' MAST: a dictionary of means, read before each move with probability 1 - share."""

    def __init__(self, share):
        self.limit = round(share * 2**20)

    def choose(self, memory, _before, state, rng):
        moves = state.moves
        if 0 < self.limit < 2**20:
            number, rng = rng.uniform(0, 2**20 - 1)
        else:
            number = 0 if self.limit else 1
        if number < self.limit:
            index, rng = rng.uniform(0, len(moves) - 1)
            return moves[index], rng
        means = []
        for move in moves:
            played, won = memory.get((state.player, key_of(state, move)), (0, 0.0))
            means.append(won / played if played else 1.0)
        return moves[means.index(max(means))], rng

    def learn(self, memory, line, winner):
        for player, key in {*line}:
            played, won = memory.get((player, key), (0, 0.0))
            mine = 0.5 if winner is None else float(winner is player)
            memory[player, key] = played + 1, won + mine


def agrees(analysis, after, expected):
    """Whether a search found what the transcription did: tree, memory and generator."""
    root, memory, rng = expected
    return same_tree(root, analysis.tree) and kept(analysis.tree, 'mast') == memory and after == rng


# ---- the transcription ----


@pytest.mark.parametrize('name', PYTHON)
@given(running, generators(), st.integers(1, 60), st.sampled_from([0.0, 0.1, 0.25, 0.75]))
@settings(max_examples=40)
def test_it_is_the_transcription(name, state, rng, iterations, share):
    search = Search(iterations, playout=MAST(share))
    found, after = analyse(state, rng, search, engine=name)
    assert agrees(found, after, naive_search(state, rng, iterations, Naive(share)))


@pytest.mark.needs_numba
@pytest.mark.parametrize('start', [tictactoe.start, connect4.start, othello.start, Stairs(300)])
def test_compiled_it_is_the_transcription(start):
    """Stairs of so many steps have playouts of more moves than there is room for at first."""
    for seed, iterations in enumerate((1, 2, 30, 150)):
        rng = SplitMix.from_seed(seed)
        found, after = analyse(start, rng, Search(iterations, playout='mast'), engine='compiled')
        assert agrees(found, after, naive_search(start, rng, iterations, Naive(0.1)))


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


# ---- where it is another search ----


@given(running, generators(), st.integers(1, 40))
@settings(max_examples=30)
def test_with_epsilon_one_it_is_uniform(state, rng, iterations):
    """To the digest: nothing is remembered that nothing depends on."""

    def found(playout):
        analysis, after = analyse(state, rng, Search(iterations, playout=playout), engine='inplace')
        return analysis.digest, after

    assert found(MAST(1)) == found(epsilon(MAST(), 1)) == found('uniform')
    assert found(Mixture((MAST(1), Uniform()), (0.5, 0.5))) != found(MAST(0.5))


@frozen
class Watching(Recalling):
    """Remembers means, and draws as uniform playouts do."""

    memory = Means()

    def choose_knowing(self, _recalled, _state, moves, draw):
        return moves[draw(len(moves))]


@given(running, generators(), st.integers(1, 40), st.sampled_from(PYTHON))
@settings(max_examples=30)
def test_a_memory_that_is_not_used_changes_nothing_else(state, rng, iterations, name):
    watched, after = analyse(state, rng, Search(iterations, playout=Watching()), engine=name)
    plain, other_after = analyse(state, rng, Search(iterations), engine=name)
    draft = watched.tree.mutable_copy(watched.tree.children)
    draft.columns = draft.columns._replace(memory=())
    assert (freeze_in_place(draft), after) == (plain.tree, other_after)
    assert watched.digest != plain.digest
    assert watched.tree != plain.tree


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start, Stairs(20)])
def test_with_epsilon_nought_nothing_is_drawn(start):
    for engine in PYTHON:
        analysis, after = analyse(start, RNG, Search(50, playout=MAST(0)), engine=engine)
        assert after == RNG
        search = Search(50, playout=HighestMean())
        assert analysis.digest == analyse(start, RNG, search, engine=engine)[0].digest


def test_epsilon_is_that_of_a_mixture():
    assert MAST(0.25).simplified == epsilon(HighestMean(), 0.25)
    assert MAST(0.25).simplified.limits == (SCALE // 4,)
    assert MAST(1).simplified == MAST(1 - 2**-30).simplified == Uniform()
    assert MAST(0).simplified == MAST(2**-30).simplified == HighestMean()
    assert MAST() == MAST(0.1)
    assert (MAST(1).memories, MAST().memories) == ((), (Means(),))


# ---- one iteration, by hand ----


def test_one_iteration_more():
    before = {(X, 3): (2.0, 1.5)}
    line = [(X, 3), (O, 3), (X, 4), (X, 3)]
    found = Means().after(before, line, 1.0)
    assert found == {(X, 3): (3.0, 2.5), (O, 3): (1.0, 0.0), (X, 4): (1.0, 1.0)}
    assert before == {(X, 3): (2.0, 1.5)}
    assert Means().after({}, [(O, 0)], 0.25) == {(O, 0): (1.0, 0.75)}


def test_alone_it_chooses_as_before_the_first_iteration():
    def draw(_count):
        raise AssertionError('no draw')

    assert MAST(0).choose(tictactoe.start, (5, 2, 7), draw) == 5
    assert HighestMean().choose(tictactoe.start, (5, 2, 7), draw) == 5
    numbers = iter((SCALE // 2 - 1, 2, SCALE // 2))
    assert MAST(0.5).choose(tictactoe.start, (5, 2, 7), lambda _: next(numbers)) == 7
    assert MAST(0.5).choose(tictactoe.start, (5, 2, 7), lambda _: next(numbers)) == 5


# ---- with other policies, methods and evaluators; compiled ----


def field_of(position):
    return (position[0] % 16) / 16.0


COMPOSED = {
    'amaf': (connect4.start, {'playout': MAST(0.25), 'selection': 'amaf'}),
    'mixture': (
        tictactoe.start,
        {
            'playout': Mixture(
                (MAST(), Decisive(), LastGoodReply(forgetting=True)), (0.5, 0.25, 0.25)
            ),
            'solver': True,
        },
    ),
    'evaluator': (
        connect4.start,
        {
            'playout': epsilon(MAST(), 0.5),
            'evaluate': OnPositions(field_of),
            'evaluate_after': 3,
            'selection': 'puct',
        },
    ),
    'closing': (Stairs(9), {'playout': MAST(0), 'closing': True, 'expansion': 'full'}),
}


@pytest.mark.parametrize('name', COMPOSED)
def test_composed_it_is_the_same_in_every_engine(engine, name):
    start, options = COMPOSED[name]
    search = Search(120, **options)
    one, after = analyse(start, RNG, search, engine='persistent')
    two, other_after = analyse(start, RNG, search, engine=engine)
    assert (one.digest, one.move, after) == (two.digest, two.move, other_after)
    assert one.tree == two.tree
    assert one.tree.columns.memory == two.tree.columns.memory


@pytest.mark.needs_numba
@pytest.mark.parametrize('start', [connect4.start, tictactoe.start])
@given(st.data(), st.integers(0, 99), st.integers(1, 200), st.floats(0.01, 0.99))
@settings(max_examples=15)
def test_compiled_it_is_the_same_from_anywhere(start, data, seed, iterations, share):
    state = data.draw(positions(start, running=True))
    search, rng = Search(iterations, playout=MAST(share)), SplitMix.from_seed(seed)
    one, after = analyse(state, rng, search, engine='inplace')
    two, other_after = analyse(state, rng, search, engine='compiled')
    assert (one.digest, one.tree, after) == (two.digest, two.tree, other_after)


# ---- what is refused ----


@pytest.mark.parametrize('share', [-0.1, 1.1, math.nan, 'x', None, True])
def test_epsilon_is_a_share(share):
    with pytest.raises(ValueError, match='epsilon must be a number from 0 to 1, not '):
        MAST(share)


def test_with_an_evaluation_in_place_of_playouts_it_means_nothing():
    with pytest.raises(ValueError, match='playout and evaluate exclude each other: an evaluation'):
        Search(playout='mast', evaluate=lambda _state: 0.5)


@pytest.mark.needs_numba
def test_a_memory_of_one_s_own_is_not_compiled():
    with pytest.raises(EngineError, match='the engine compiled lacks playout=Watching, of its own'):
        analyse(tictactoe.start, RNG, Search(3, playout=Watching()), engine='compiled')


def test_by_name(engine):
    assert parse_bot('mcts:50,playout=mast').unwrap() == mcts(Search(50, playout='mast'))
    one, _ = analyse(tictactoe.start, RNG, Search(50, playout='mast'), engine=engine)
    two, _ = analyse(tictactoe.start, RNG, Search(50, playout=MAST(0.1)), engine=engine)
    assert one == two
    assert [type(each) for each in one.tree.columns.memory] == [Remembered]
    message = re.escape("not 'mats' (did you mean mast?)")
    with pytest.raises(ValueError, match=message):
        Search(playout='mats')
