"""Strategies reach the cases that they are made for."""

import importlib.metadata

import pytest
from hypothesis import Phase, find, given, settings, strategies as st

from fmcts import Search, SplitMix, StdGen
from fmcts._declared import register
from fmcts.games import connect4, tictactoe
from fmcts.testing import Drawn, games, lines, words
from tiers import usually

WORD = 2**64 - 1
# Whatever the profile, since what is found is to be the smallest.
CERTAIN = settings(derandomize=True, database=None, max_examples=2000, phases=tuple(Phase))

EDGES = [0, 1, 2, 3, 2**31, 2**32 - 1, 2**62, 2**63 - 1, 2**63, WORD - 1, WORD]


@pytest.mark.parametrize('edge', usually(EDGES[::2], [*EDGES, WORD ^ 2**40, WORD ^ (2**40 - 1)]))
def test_words_reach_the_edges(edge):
    assert find(words(), lambda word: word == edge, settings=CERTAIN) == edge


def test_words_shrink_to_small_ones():
    assert find(words(), lambda word: word > 1000, settings=CERTAIN) == 1001


def drawn(strategy, number=1000):
    """So many values, the same ones every time."""
    values = []

    @settings(CERTAIN, max_examples=number)
    @given(strategy)
    def draw(value):
        values.append(value)

    draw()
    return values


def share(values, condition):
    return sum(map(condition, values)) / len(values)


def test_every_bit_of_a_word_is_often_set_and_often_clear():
    values = drawn(words())
    assert all(0 <= word <= WORD for word in values)
    for bit in range(64):
        assert 0.15 < share(values, lambda word, bit=bit: word >> bit & 1) < 0.85


def test_hypothesis_alone_rarely_draws_the_highest_bit():
    """What `words` is for; were it otherwise one day, plain integers would do."""
    assert share(drawn(st.integers(0, WORD)), lambda word: word >> 63) < 0.1


def test_lines_have_all_lengths_and_shrink():
    values = drawn(lines(tictactoe.start), 300)
    assert {len(line) for line in values} == set(range(10))
    assert find(lines(connect4.start), lambda line: 5 in line, settings=CERTAIN) == (5,)


def test_drawn_games_have_the_unusual_features():
    values = [Positions.of(game) for game in drawn(games(), 150)]
    for has in ('twice', 'wins of X', 'wins of O', 'draws', 'met again', 'short and long'):
        assert share(values, lambda found, has=has: has in found.kinds) > 0.1
    assert max(found.count for found in values) <= 16


class Positions:
    """What comes up in a game, by looking at all its positions."""

    @classmethod
    def of(cls, game):
        found = cls()
        found.count, found.kinds = len(game.graph.after), set()
        met, left, ends = {}, [(game, 0)], set()
        while left:
            state, plies = left.pop()
            if state in met:
                found.kinds.add('met again')
                continue
            met[state] = plies
            if state.over:
                ends.add(plies)
                winner = state.winner
                found.kinds.add(f'wins of {winner}' if winner else 'draws')
            for move in state.moves:
                after = state.play(move)
                if after.player is state.player:
                    found.kinds.add('twice')
                left.append((after, plies + 1))
        if len(ends) > 1:
            found.kinds.add('short and long')
        return found


@given(st.from_type(SplitMix), st.from_type(StdGen), st.from_type(Search), st.from_type(Drawn))
@settings(max_examples=20)
def test_types_have_strategies_by_the_entry_point(splitmix, stdgen, search, game):
    assert SplitMix.from_seed(splitmix.state).gamma % 2
    assert 1 <= stdgen.s1 < 2147483563
    assert search.iterations >= 1
    assert not game.over


def test_the_entry_point_is_register():
    (entry,) = importlib.metadata.entry_points(group='hypothesis', name='fmcts')
    assert entry.load() is register
