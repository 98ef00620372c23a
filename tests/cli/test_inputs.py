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


def test_a_position_remembers_its_moves_and_what_was_before():
    state = tictactoe.start.play(4)
    position = Position(tictactoe, state.play(0), (4, 0), state)
    assert read_position('tictactoe', ' 4, 0 ', None) == IOSuccess(position)
    assert to_running(position).unwrap() is position


def test_a_file_is_read_as_it_is(tmp_path):
    file = tmp_path / 'board.txt'
    file.write_text('X........')
    assert read_board(str(file)) == IOSuccess('X........')
    assert read_position('tictactoe', None, str(file)) == IOSuccess(
        Position(tictactoe, tictactoe.start.play(0))
    )
    assert read_board(str(tmp_path / 'none')) == IOFailure(
        'cannot be read: No such file or directory'
    )


def test_an_illegal_move_is_told_in_the_notation_of_its_game():
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
def test_generators(seed, rng, generator):
    assert to_generator(seed, rng).unwrap() == generator


@pytest.mark.parametrize('engine', ['auto', *ENGINES])
def test_a_search_runs_on_the_engine_asked_for(engine):
    assert to_engine(engine).unwrap() == engine
    assert to_bot('mcts', engine).unwrap() == mcts(engine=engine)
    assert to_bot('mc:5', engine).unwrap() == monte_carlo(5, engine=engine)
    assert to_bot('perfect', engine).unwrap() == perfect(engine=engine)
    assert to_bot('alphabeta:5', engine).unwrap() == alphabeta(5, engine=engine)


def test_a_person_plays_but_is_no_bot():
    assert to_player('human', 'auto').unwrap() == Human()
    assert 'fmcts play' in to_bot('human', 'auto').failure()
