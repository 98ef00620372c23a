import pytest
from returns.io import IOFailure, IOSuccess

from fmcts import SplitMix, StdGen, alphabeta, mcts, monte_carlo, perfect
from fmcts._running.registry import ENGINES
from fmcts.bots._spec import Human
from fmcts.cli._inputs import (
    Position,
    check_legal,
    read_board,
    read_position,
    to_bot,
    to_engine,
    to_generator,
    to_player,
    to_running,
)
from fmcts.games import othello, tictactoe


def test_a_position_has_its_moves_and_previous_state():
    state = tictactoe.start.play(4)
    position = Position(tictactoe, state.play(0), (4, 0), state)
    assert read_position('tictactoe', ' 4, 0 ', None) == IOSuccess(position)
    assert to_running(position).unwrap() is position


def test_a_board_file_is_read(tmp_path):
    file = tmp_path / 'board.txt'
    file.write_text('X........')
    assert read_board(str(file)) == IOSuccess('X........')
    assert read_position('tictactoe', None, str(file)) == IOSuccess(
        Position(tictactoe, tictactoe.start.play(0))
    )
    assert read_board(str(tmp_path / 'none')) == IOFailure(
        'cannot be read: No such file or directory'
    )


def test_an_illegal_move_is_reported_in_the_game_s_notation():
    assert check_legal(othello, othello.start, 19).unwrap() == 19
    assert check_legal(othello, othello.start, 0).failure() == (
        'a1 is illegal: the legal moves are d3, c4, f5, e6'
    )


@pytest.mark.parametrize(
    ('seed', 'rng', 'generator'),
    [
        (None, None, SplitMix.from_seed(0)),
        ('42', None, SplitMix.from_seed(42)),
        ('-1', None, SplitMix.from_seed(-1)),
        (str(2**64 - 1), None, SplitMix.from_seed(2**64 - 1)),
        (str(-(2**63)), None, SplitMix.from_seed(2**63)),
        (None, 'stdgen:43:1', StdGen(43, 1)),
    ],
)
def test_seeds_and_generators_are_parsed(seed, rng, generator):
    assert to_generator(seed, rng).unwrap() == generator


@pytest.mark.parametrize('engine', ['auto', *ENGINES])
def test_the_engine_is_passed_to_the_bot(engine):
    assert to_engine(engine).unwrap() == engine
    assert to_bot('mcts', engine).unwrap() == mcts(engine=engine)
    assert to_bot('mc:5', engine).unwrap() == monte_carlo(5, engine=engine)
    assert to_bot('perfect', engine).unwrap() == perfect(engine=engine)
    assert to_bot('alphabeta:5', engine).unwrap() == alphabeta(5, engine=engine)


def test_human_is_a_player_but_not_a_bot():
    assert to_player('human', 'auto').unwrap() == Human()
    assert 'fmcts play' in to_bot('human', 'auto').failure()
