"""Uniformly random play: playouts, and the exact probabilities of results."""

from fractions import Fraction

import pytest
from attrs import field, frozen
from hypothesis import given, strategies as st

from fmcts import EndlessGameError, GameError, Player, SplitMix, playout, probabilities, throw
from fmcts.games import GAMES, tictactoe
from fmcts.games.chance import bearoff, pig, tiles
from fmcts.simulation import simulator_of, uniform_playout
from fmcts.testing import generators, positions


@given(data=st.data(), rng=generators())
@pytest.mark.parametrize('game', GAMES)
def test_the_generic_playout_draws_once_per_ply(game, data, rng):
    state = data.draw(positions(GAMES[game].start))
    after, expected = state, rng
    while not after.over:
        index, expected = expected.uniform(0, len(after.moves) - 1)
        after = after.play(after.moves[index])
    assert playout(state, rng) == (after.winner, expected)


@frozen
class Coin:
    """A game without a playout of its own."""

    over: bool = False
    winner: Player | None = None
    player: Player = Player.X

    moves = property(lambda self: () if self.over else ('heads', 'tails'))

    def play(self, move):
        return Coin(over=True, winner=Player.X if move == 'heads' else Player.O)


def test_games_without_a_playout_use_the_generic_one():
    assert simulator_of(Coin())(Coin(), lambda _: 1) is Player.O
    assert simulator_of(Coin()).func is uniform_playout
    assert simulator_of(tictactoe.start) is tictactoe.TicTacToe.playout


# ---- probabilities ----


def ends(state, share=Fraction(1)):
    """Every line, by recursion: who wins it, and how likely it is."""
    if state.over:
        yield state.winner, share
    for move in state.moves:
        yield from ends(state.play(move), share / len(state.moves))


@given(state=positions(tictactoe.start).filter(lambda it: len(it.moves) < 7))
def test_probabilities_equal_the_sum_over_all_lines(state):
    expected = dict.fromkeys((Player.X, Player.O, None), 0)
    for winner, share in ends(state):
        expected[winner] += share
    found = probabilities(state)
    assert found == expected
    assert sum(found.values()) == 1
    assert all(isinstance(share, Fraction) for share in found.values())


def test_probabilities_of_the_start():
    """The known ones of tic-tac-toe, from all of its 5,478 positions."""
    shares = Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63)
    expected = dict(zip((Player.X, Player.O, None), shares, strict=True))
    assert probabilities(tictactoe.start, max_positions=5478) == expected
    with pytest.raises(ValueError, match=r'^more than 5,477 positions can be reached: estimate by'):
        probabilities(tictactoe.start, max_positions=5477)
    with pytest.raises(ValueError, match='more than 100 positions'):
        probabilities(GAMES['connect4'].start, max_positions=100)
    with pytest.raises(ValueError, match='max_positions must be a whole number of at least 1'):
        probabilities(tictactoe.start, max_positions=0)


@frozen
class Walk:
    """A walk along places: `there` says where one gets from each; the last player to move wins."""

    there: dict = field(eq=False, repr=False)
    place: int = 0

    player = property(lambda _self: Player.X)
    moves = property(lambda self: self.there[self.place])
    over = property(lambda self: not self.moves)
    winner = property(lambda self: Player.X if self.place % 2 else None)

    def play(self, move):
        return Walk(self.there, move)


def test_probabilities_with_repeated_positions():
    """By hand: 1 directly in a half, 1 after 2 in a quarter, 4 in a quarter."""
    walk = Walk({0: (1, 2), 1: (), 2: (1, 4), 4: ()})
    assert probabilities(walk) == {Player.X: Fraction(3, 4), Player.O: 0, None: Fraction(1, 4)}


def test_long_games_do_not_recurse():
    walk = Walk({place: (place + 1,) if place < 5_001 else () for place in range(5_002)})
    assert probabilities(walk)[Player.X] == 1


def test_a_game_with_cycles_is_refused():
    with pytest.raises(EndlessGameError, match=r'^a position of Walk can come again: '):
        probabilities(Walk({0: (1,), 1: (2, 3), 2: (0,), 3: ()}))


def test_an_invalid_game_is_refused():
    with pytest.raises(GameError):
        probabilities(Walk({0: (1, 1), 1: ()}))


def test_outcomes_are_thrown_by_their_weights():
    state = bearoff.start()
    total = sum(weight for _, weight in state.chances)
    rng, thrown = SplitMix.from_seed(3), []
    for _ in range(total * 40):
        outcome, after = throw(state, rng)
        assert after == rng.uniform(0, total - 1)[1]
        thrown.append(outcome)
        rng = after
    for outcome, weight in state.chances:
        assert 20 * weight < thrown.count(outcome) < 60 * weight
    with pytest.raises(GameError, match='chance does not move here'):
        throw(pig.start(), rng)


def test_rewards_are_not_told_as_a_draw():
    with pytest.raises(GameError, match=r'^a winner \(use .*\) is not supported .*Tiles$'):
        playout(tiles.start(2), SplitMix.from_seed(1))
