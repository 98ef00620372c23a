"""Bad input: one line that says what was wrong and what is accepted, exit code 2, no traceback.

`refused.txt` has a line for a command and one for what it says. Of one that ends with ` ...` what
follows depends on the machine, or lists all that there is.
"""

import re
import shlex
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

LINES = (Path(__file__).parent / 'refused.txt').read_text('utf-8').splitlines()
REFUSED = [(line[1:].strip(), said) for line, said in pairwise(LINES) if line.startswith('$')]


@pytest.mark.parametrize(('words', 'said'), REFUSED)
def test_bad_input_is_one_line_and_exit_code_2(here, own_modules, words, said):
    """And nothing is written."""
    before = {*own_modules.iterdir()}
    done = here(*shlex.split(words))
    needed = re.match(r'fmcts: this needs (\w+): install ', done.err)
    if needed and find_spec(needed[1]) is None:
        pytest.skip(done.err)
    beginning = said.removesuffix(' ...')
    found = done.err[: len(beginning)] if said != beginning else done.err.removesuffix('\n')
    assert (done.code, done.out, done.err.count('\n'), found) == (2, '', 1, beginning)
    assert {*own_modules.iterdir()} == before


def test_each_command_has_a_line():
    assert 2 * len(REFUSED) == sum(line[:1] not in {'', '#'} for line in LINES) > 200


BOARDS = [
    (b'', 'the board is empty: expected 3 rows of 3 cells, or all 9 cells on one line'),
    (
        b'XO.\n.?.\n...\n',
        "line 2, cell 4: found '?', expected X, O or . for an empty cell",
    ),
    (b'XO.\n\xff..\n...\n', 'is not text: byte 5 is not UTF-8'),
]


@pytest.mark.parametrize(('board', 'complaint'), BOARDS)
def test_a_malformed_board_is_reported_with_its_place(here, tmp_path, board, complaint):
    file = tmp_path / 'board.txt'
    file.write_bytes(board)
    assert here('show', 'tictactoe', '--board', str(file)) == (
        2,
        '',
        f'fmcts: {file}: {complaint}\n',
    )
    assert here('show', 'tictactoe', '--board', '-', stdin=board) == (
        2,
        '',
        f'fmcts: standard input: {complaint}\n',
    )


def test_control_characters_in_a_file_name_are_escaped(refused):
    complaint = refused('show', 'tictactoe', '--board', 'no\nsuch\x1b[31mfile')
    assert complaint == 'no such\\x1b[31mfile: cannot be read: No such file or directory'


def test_a_process_ends_in_the_same_way(process, refused):
    complaint = refused('move', 'tictactoe', '--bot', 'mcts:0', run=process)
    assert complaint == "bot 'mcts:0': iterations must be a whole number of at least 1, not 0"
