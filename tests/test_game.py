"""Functions of the game protocol that hold for every game; games between bots."""

import pytest
from hypothesis import given, settings, strategies as st
from returns.maybe import Nothing, Some
from returns.result import Success

from fmcts import (
    IllegalMoveError,
    Player,
    SplitMix,
    checked_play,
    monte_carlo,
    play_game,
    random_bot,
    reward,
    winner_of,
)
from fmcts.games import GAMES, othello, tictactoe
from fmcts.testing import generators, positions
from toy_games import play_line


@given(st.sampled_from([*Player, None]), st.sampled_from(Player))
def test_rewards_of_the_two_players_add_up_to_one(winner, player):
    assert reward(winner, player) + reward(winner, player.other) == 1
    assert player.other.other is player
    assert player.other is not player


def test_a_win_is_worth_more_than_a_draw_and_a_draw_more_than_a_loss():
    worth = [reward(outcome, Player.X) for outcome in (Player.X, None, Player.O)]
    assert worth == [1, 0.5, 0]


@given(data=st.data(), move=st.one_of(st.integers(-3, 70), st.text(max_size=2), st.none()))
@pytest.mark.parametrize('game', GAMES)
def test_checked_play_refuses_illegal_moves(game, data, move):
    state = data.draw(positions(GAMES[game].start))
    result = checked_play(state, move)
    if move in state.moves:
        assert result == Success(state.play(move))
    else:
        why = str(result.failure())
        assert why.startswith(f'illegal move {move!r}')
        assert why.endswith(('the game is over', ', '.join(map(repr, state.moves))))
        assert ('did you mean' in why) == (move in {str(legal) for legal in state.moves})
        with pytest.raises(IllegalMoveError):
            state.play(move)


def test_winner_of():
    assert winner_of(tictactoe.parse('XXXOO....').unwrap()) == Some(Player.X)
    assert winner_of(tictactoe.parse('XOXXOOOXX').unwrap()) == Nothing
    assert winner_of(tictactoe.start) == Nothing


# ---- records of games ----


@settings(max_examples=40)
@given(data=st.data(), rng=generators())
@pytest.mark.parametrize('game', GAMES)
def test_a_record_can_be_replayed(game, data, rng):
    start = data.draw(positions(GAMES[game].start))
    record, after = play_game(start, random_bot, random_bot, rng)
    again = play_line(record.start, record.moves)
    assert again == record.final
    assert record.final.over
    assert (record.winner, record.rng_in, record.rng_out) == (again.winner, rng, after)
    assert play_game(start, random_bot, random_bot, rng) == (record, after)


def test_the_first_bot_plays_x_even_when_o_is_to_move():
    def lowest(state, rng):
        return state.moves[0], rng

    def highest(state, rng):
        return state.moves[-1], rng

    record, _ = play_game(tictactoe.start.play(4), lowest, highest, SplitMix.from_seed(0))
    assert record.moves == (8, 0, 7, 1, 6)
    assert record.winner is Player.O


def test_the_side_to_move_plays_after_a_pass():
    asked = []

    def seen(player):
        def bot(state, rng):
            asked.append((player, state.player))
            return random_bot(state, rng)

        return bot

    passes = 0
    for seed in range(5):
        record, _ = play_game(
            othello.start, seen(Player.X), seen(Player.O), SplitMix.from_seed(seed)
        )
        passes += record.moves.count(othello.PASS)
    assert passes
    assert all(bot is player for bot, player in asked)


def test_an_illegal_move_names_its_player():
    def stubborn(_state, rng):
        return 4, rng

    with pytest.raises(
        IllegalMoveError, match='the bot of O: illegal move 4: the legal moves are 0'
    ):
        play_game(tictactoe.start, stubborn, stubborn, SplitMix.from_seed(0))


def test_watch_receives_every_state_before_its_move():
    seen = []
    record, _ = play_game(
        tictactoe.start,
        monte_carlo(20),
        random_bot,
        SplitMix.from_seed(0),
        watch=lambda state, move: seen.append((state, move)),
    )
    assert tuple(move for _, move in seen) == record.moves
    assert seen[0][0] == tictactoe.start


def test_who_receives_the_side_and_the_moves_played():
    with pytest.raises(IllegalMoveError, match=r'^O after 3: illegal move 9: the legal'):
        play_game(
            tictactoe.start,
            random_bot,
            lambda state, rng: (9 if len(state.moves) < 8 else state.moves[0], rng),
            SplitMix.from_seed(1),
            who=lambda player, plies: f'{player.name} after {plies}',
        )
