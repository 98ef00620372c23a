"""The article's section I-D in `State`: equal to the pure bots, draw for draw."""

import sys
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import (
    EndlessGameError,
    FinishedGameError,
    IllegalMoveError,
    Player,
    SplitMix,
    StdGen,
    play_game as pure_play_game,
    playout as pure_playout,
    random_bot as pure_random_bot,
)
from fmcts.bots import article_mc_state
from fmcts.bots.montecarlo import evaluate as pure_evaluate
from fmcts.bots.stateful import evaluate, monte_carlo, play_game, playout, random_bot
from fmcts.games import connect4, othello, tictactoe
from fmcts.state import State, do, for_each, from_state, replicate, to_state
from fmcts.testing import generators, positions
from lines import Corridor

# Short enough that no game is over, and near enough to the end that playouts are quick.
running = st.one_of(
    positions(tictactoe.start, max_plies=4),
    positions(connect4.start, max_plies=6),
    positions(othello.start, max_plies=8),
)
anywhere = st.one_of(positions(tictactoe.start, max_plies=9), running)
game402536 = tictactoe.parse('O.XXXOO..').unwrap()
finished = tictactoe.parse('XXXOO....').unwrap()


@given(running, generators())
def test_random_bot(state, rng):
    assert random_bot(state).run(rng) == pure_random_bot(state, rng)


@given(anywhere, generators())
def test_playout(state, rng):
    assert playout(state).run(rng) == pure_playout(state, rng)


@settings(max_examples=40)
@given(st.one_of(positions(tictactoe.start), positions(connect4.start)), generators())
def test_play_game(state, rng):
    record, after = pure_play_game(state, pure_random_bot, article_mc_state(9), rng)
    (winner, final), rng = play_game(state, random_bot, monte_carlo(9)).run(rng)
    assert (winner, final, rng) == (record.winner, record.final, after)


@given(running, generators(), st.integers(1, 6), st.data())
def test_evaluate(state, rng, playouts, data):
    move = data.draw(st.sampled_from(state.moves))
    node, _, after = pure_evaluate(state, move, playouts, rng, count='wins')
    assert evaluate(playouts, state, move).run(rng) == ((node.reward, move), after)


@settings(max_examples=50)
@given(running, generators(), st.integers(1, 15))
def test_flat_monte_carlo(state, rng, playouts):
    pure = article_mc_state(playouts)
    assert monte_carlo(playouts)(state).run(rng) == pure(state, rng)
    assert from_state(monte_carlo(playouts))(state, rng) == to_state(pure)(state).run(rng)


def test_a_move_that_ends_the_game_is_scored_by_its_result():
    """The article's program plays one random move more there."""
    state = tictactoe.parse('XX.OO....').unwrap()
    rng = StdGen(1, 1)
    assert evaluate(50, state, 2).run(rng) == ((50, 2), rng)
    assert playout(finished).run(rng) == (Player.X, rng)
    assert play_game(finished, random_bot, random_bot).run(rng) == ((Player.X, finished), rng)


def test_ties_go_to_the_last():
    state = tictactoe.parse('XXOOOXX..').unwrap()  # nobody can win any more
    rng = SplitMix.from_seed(1)
    assert for_each(state.moves, partial(evaluate, 10, state)).eval_state(rng) == ((0, 7), (0, 8))
    assert monte_carlo(20)(state).eval_state(rng) == 8


# The session of section I-D: every line of it begins with this generator, which is not printed.
SESSION = StdGen(3304847, 1)


@pytest.mark.exhaustive  # docs/sessions.md has its figures
def test_the_article_s_stateful_session():
    """Figure by figure, in its order; `docs/sessions.md` shows the same."""
    bot = random_bot(game402536)

    @do
    def two_moves():
        first = yield from bot
        second = yield from bot
        return first, second

    assert [bot.eval_state(SESSION) for _ in range(3)] == [7, 7, 7]
    assert two_moves().eval_state(SESSION) == (7, 8)
    assert replicate(2, bot).eval_state(SESSION) == (7, 8)
    winner, final = play_game(game402536, random_bot, random_bot).eval_state(SESSION)
    assert (winner, final) == (Player.X, tictactoe.parse('OXXXXOOXO').unwrap())
    evaluated = for_each([1, 7, 8], partial(evaluate, 10_000, game402536))
    assert evaluated.eval_state(SESSION) == ((5030, 1), (4898, 7), (0, 8))
    assert monte_carlo(10_000)(game402536).eval_state(SESSION) == 7


@pytest.mark.exhaustive  # docs/sessions.md has them
def test_the_article_s_pure_sessions():
    """I-C's figures, in `State`: the draws are the same."""
    rng = StdGen(1984310674, 1)
    assert random_bot(game402536).run(rng) == (7, StdGen(1297534637, 40692))
    assert replicate(2, random_bot(game402536)).eval_state(rng) == (7, 1)
    game = play_game(game402536, random_bot, random_bot)
    (winner, final), rng = game.run(StdGen(1314174216, 1))
    assert winner is None
    assert final == tictactoe.parse('OOXXXOOXX').unwrap()
    assert rng == StdGen(544765582, 2103410263)
    for move, wins in ((8, 0), (7, 4965), (1, 4965)):
        end = evaluate(10_000, game402536, move).run(StdGen(346137677, 1))
        assert end == ((wins, move), StdGen(826432801, 476680813))


def test_a_finished_game_is_refused_when_the_action_is_made():
    for bot in (random_bot, monte_carlo(10)):
        with pytest.raises(FinishedGameError, match='there is no move to choose'):
            bot(finished)


@pytest.mark.parametrize('playouts', [0, -3])
def test_too_few_playouts_are_refused(playouts):
    with pytest.raises(ValueError, match=f'whole number of at least 1, not {playouts}'):
        monte_carlo(playouts)


def test_a_bot_s_illegal_move_is_refused():
    def cheating(_state):
        return State.from_value(0)

    with pytest.raises(IllegalMoveError, match='illegal move 0'):
        play_game(game402536, cheating, cheating).run(StdGen(1, 1))


@pytest.mark.exhaustive  # test_monadic has one
def test_a_game_deeper_than_the_recursion_limit():
    plies = 50_000
    assert sys.getrecursionlimit() < plies // 10
    rng = SplitMix.from_seed(1)
    assert playout(Corridor(plies)).run(rng) == (Player.X, rng)  # a range of one draws nothing


def first_move(state):
    return State.from_value(state.moves[0])


def test_games_are_limited_to_max_plies():
    """X takes 0, 2, 4, 6 in turn, and has the diagonal after seven plies."""
    for most in (7, 8, 100):
        winner, end = play_game(tictactoe.start, first_move, first_move, max_plies=most).eval_state(
            SplitMix.from_seed(1)
        )
        assert (winner, end.x.bit_count(), end.o.bit_count()) == (Player.X, 4, 3)
    for most, plies in ((1, '1 ply'), (5, '5 plies'), (6, '6 plies')):
        game = play_game(tictactoe.start, first_move, first_move, max_plies=most)
        with pytest.raises(EndlessGameError, match=f'is not over after {plies}'):
            game.run(SplitMix.from_seed(1))
    with pytest.raises(TypeError, match='positional'):
        play_game(tictactoe.start, first_move, first_move, 7)
