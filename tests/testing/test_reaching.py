"""Reaching states that a predicate names: lines lead there, and what is said of others is true."""

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Player, SplitMix
from fmcts.game import options_of
from fmcts.games import connect4, find_game, tictactoe
from fmcts.testing import games, positions, reach


def distances(start):
    """How many plies each position is from the start, by exhaustion."""
    found, here, plies = {}, {start}, 0
    while here:
        found |= dict.fromkeys(here, plies)
        plies += 1
        here = {state.play(move) for state in here for move in options_of(state)} - found.keys()
    return found


@given(start=games(), data=st.data())
@settings(max_examples=40)
def test_in_small_games_lines_are_shortest_and_refusals_are_proofs(start, data):
    known = distances(start)
    wanted = data.draw(st.sets(st.integers(0, 20), max_size=3))
    result = reach(start, lambda state: state.at in wanted)
    best = min((plies for state, plies in known.items() if state.at in wanted), default=None)
    if best is None:
        missed = result.failure()
        assert (missed.within, missed.positions) == (None, len(known))
        return
    found = result.unwrap()
    assert found.shortest
    assert len(found.line) == best
    assert found.state.at in wanted


KEYS = (3, 1, 4, 1, 0, 2, 0, 3, 3, 2)


@frozen
class Lock:
    """It opens to one line of ten of five keys; a wrong one is not seen until the end."""

    pressed: tuple[int, ...] = ()
    right: int = 0
    player = Player.X
    over = property(lambda self: len(self.pressed) == 10)
    moves = property(lambda self: () if self.over else (0, 1, 2, 3, 4))
    winner = property(lambda self: Player.X if self.over and self.right == 10 else None)

    def play(self, move):
        line = (*self.pressed, move)
        fits = self.right == len(self.pressed) and move == KEYS[self.right]
        return Lock(line, self.right + fits)


RARE = {
    'a lock of ten keys': (Lock(), lambda state: state.right == 10),
    'a draw': (connect4.start, lambda state: state.over and state.winner is None),
    '64': (find_game('2048').unwrap().start, lambda state: max(state.cells) == 6),
    'all taken': (
        find_game('breakthrough:5,5').unwrap().start,
        lambda state: not state.position.x or not state.position.o,
    ),
}


@pytest.mark.parametrize('name', RARE)
def test_the_line_leads_to_such_a_state(name):
    start, predicate = RARE[name]
    found = reach(start, predicate).unwrap()
    state = start
    for move in found.line:
        assert move in options_of(state)
        state = state.play(move)
    assert state == found.state
    assert predicate(state)
    assert found.plies <= 100_000 + len(found.line)
    assert reach(start, predicate) == reach(start, predicate)


def test_another_generator_finds_another_line():
    start, predicate = RARE['a draw']
    lines = {reach(start, predicate, rng=SplitMix.from_seed(n)).unwrap().line for n in range(4)}
    assert len(lines) > 1


def test_what_is_not_found_is_not_denied():
    missed = reach(connect4.start, lambda _state: False, plies=16_000).failure()
    assert missed.within == 3  # 1 + 7 + 49 + 238 positions within three plies
    assert 'nothing is proved there' in str(missed)
    assert str(reach(tictactoe.start, lambda _state: False).failure()) == (
        'no line reaches such a state: all 5,478 positions were looked at'
    )


def test_a_line_is_not_longer_than_asked():
    missed = reach(connect4.start, RARE['a draw'][1], longest=41, plies=30_000).failure()
    assert missed.within < 41


def test_parts_may_be_given():
    found = reach(Lock(), RARE['a lock of ten keys'][1], parts=lambda state: [state.right])
    assert found.unwrap().line == KEYS


@settings(max_examples=30)
@given(positions(connect4.start, where=RARE['a draw'][1]))
def test_positions_that_satisfy_a_predicate(state):
    assert state.over
    assert state.winner is None


@settings(max_examples=30)
@given(positions(find_game('pig:12').unwrap().start, near='end'))
def test_positions_near_an_end(state):
    """Three plies before the end are the roll, the die and the hold of who wins."""
    mine = state.points[state.player is Player.O]
    assert state.over or mine + state.turn >= 12 - 6


def test_positions_without_any_are_an_error():
    drawn = given(positions(tictactoe.start, where=lambda _state: False))
    with pytest.raises(ValueError, match='no line reaches such a state'):
        drawn(lambda _state: None)()


@pytest.mark.parametrize(
    ('given', 'why'),
    [({'predicate': 3}, 'must be a function of a state, not 3'), ({'plies': 0}, 'at least 1')],
)
def test_wrong_arguments_are_named(given, why):
    with pytest.raises(ValueError, match=why):
        reach(**{'start': tictactoe.start, 'predicate': bool, **given})
