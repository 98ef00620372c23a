"""The study of the C course's tail, at a tiny size."""

import math
import shutil

import pytest

from fmcts.games import tictactoe

from .conftest import programs

pytest.importorskip('scipy', reason='scipy is missing here: fmcts[matches] has it')

tail, tail_likelihood, tail_search = programs('studies', 'tail', 'tail_likelihood', 'tail_search')


@pytest.fixture(scope='module')
def program(tmp_path_factory):
    if not any(map(shutil.which, ('cc', 'gcc', 'clang'))):
        pytest.skip('a C compiler is missing here: none of cc, gcc, clang is on the path')
    return tail.build(str(tmp_path_factory.mktemp('tail')))


def test_the_c_program_makes_the_library_s_searches(program):
    tail.check_equal(program, range(1))

    class Other:
        def lines(self, *words):
            return program.lines(*words, 'ties=last')

    with pytest.raises(SystemExit, match='searches otherwise with seed 0'):
        tail.check_equal(Other(), range(1))


def test_all_games_of_the_course_are_counted(program):
    cells, board = tail.cells_of(program, ('c=0.2',), 3)
    assert [cell.name for cell in cells] == list(tail.NAMES)
    assert sum(cell.theirs for cell in cells) == sum(tail.LOST.values()) == 293 + 10 + 5 + 7
    assert sum(cell.of for cell in cells) == 100 * 200
    assert {cell.games for cell in cells[:10]} == {3}
    assert tictactoe.parse(board).unwrap().player is tictactoe.start.player


def test_deviance_and_probability():
    cell = tail_likelihood.Cell('10', 499, 999, 5, 20)  # here (499 + 1/2) / 1000
    best = 5 * math.log(5 / 20) + 15 * math.log(15 / 20)
    ours = 5 * math.log(0.4995) + 15 * math.log(0.5005)
    assert tail_likelihood.deviance([cell]) == pytest.approx(2 * (best - ours), rel=1e-12)
    none = tail_likelihood.Cell('10', 0, 999, 0, 200)
    assert tail_likelihood.deviance([none]) == pytest.approx(-400 * math.log(0.9995), rel=1e-12)
    assert tail_likelihood.chance([none], 50) > 0.5
    assert tail_likelihood.chance([cell], 50) < 0.2


def test_which_moves_lose():
    """By hand: X 2 is met by 3 or 6, X 5 by 6 and X 7 by 4, each with two threats to come."""
    assert tail_search.losing(tail_search.position()) == {2, 5, 7}
    assert tictactoe.parse(tail.BOARD).unwrap() == tail_search.position()
