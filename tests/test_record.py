"""Games between bots, and their records."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import IllegalMoveError, Player, SplitMix, monte_carlo, play_game, random_bot
from fmcts.games import GAMES, othello, tictactoe
from fmcts.testing import generators, positions
from toy_games import play_line


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
