"""Bad input: one line that says what was wrong and what is accepted, exit code 2, no traceback."""

import pytest

from fmcts.bots._spec import RECIPES

BOTS = ', '.join(RECIPES)
BOTS_ONLY = BOTS.replace('human, ', '')
MCTS_TAKES = f'mcts takes a number and the options {", ".join(RECIPES["mcts"].settings[1:])}'
SEEDS = '--seed: a seed must lie in -2**63 .. 2**64 - 1, not'
GENERATORS = 'splitmix:SEED, splitmix:STATE:GAMMA, stdgen:SEED or stdgen:S1:S2'
OWN = 'use MODULE:NAME for a game of your own'
EXACT = 'use fmcts.solve.expectation for exact values'
CHANCY = 'a game with chance (a member `chances`)'
IN_SUCH_GAMES = 'supported in a game with chance, rewards or other players'
KNOWN = (
    'tictactoe, connect4 or othello, or sizes after mnk:, connect:, othello:, hex:, breakthrough: '
    'or nim:; with dice or for one or three players: pig, bearoff, 2048 or mnk3'
)

CASES = [
    ('tournament tictactoe random mcts:3 --out=', 'expected a file'),
    ('', 'Missing command.'),
    ('mvoe', "No such command 'mvoe'."),
    ('move', "Missing argument 'GAME'."),
    (
        'move conect4',
        f"unknown game 'conect4': expected {KNOWN}; did you mean connect4?; {OWN}",
    ),
    (
        'play nim:3,100 --first random --second random',
        "game 'nim:3,100': a pile: expected 0 to 99, not 100",
    ),
    (
        'play othello --first random',
        'missing --second: expected a bot such as mcts:1000, or human',
    ),
    (
        'move connect4 --bot mcts:10,max_nodes=1',
        'max_nodes 1 leaves no room for the first iteration',
    ),
    (
        'move connect4 --moves 3,3,7',
        "move 3: unknown column '7': expected a number from 0 to 6",
    ),
    (
        'show othello --moves d3,c4',
        'move 2: c4 is illegal: the legal moves are c3, e3, c5',
    ),
    (
        'move othello --root-moves d3,e3',
        '--root-moves: e3 is illegal: the legal moves are d3, c4, f5, e6',
    ),
    (
        'move connect4 --root-moves 3 --bot random',
        '--root-moves needs a bot that compares moves, such as mc, mcts or perfect',
    ),
    (
        'show tictactoe --moves 0,3,1,4,2,5',
        'move 6: 5 is illegal: the game is over, X wins',
    ),
    (
        'move tictactoe --moves 0,3,1,4,2',
        'the game is over, X wins: there is no move to search for',
    ),
    (
        'move tictactoe --moves 0 --board x.txt',
        '--moves and --board exclude each other: give one of them',
    ),
    (
        'move tictactoe --seed 1 --rng stdgen:1:1',
        '--seed and --rng exclude each other: give one of them',
    ),
    ('move tictactoe --seed 1.5', "'1.5' is not a valid integer."),
    ('move tictactoe --seed 18446744073709551616', f'{SEEDS} 18446744073709551616'),
    ('move tictactoe --rng mt:5', f"generator 'mt:5': expected {GENERATORS}"),
    (
        'move tictactoe --bot mtcs:10',
        f"unknown bot 'mtcs' (did you mean mcts?): accepted are {BOTS}",
    ),
    (
        'move tictactoe --bot mcts:10,d=3',
        f"bot 'mcts:10,d=3': unknown option 'd'; {MCTS_TAKES}",
    ),
    (
        'move tictactoe --bot mcts:0',
        "bot 'mcts:0': iterations must be a whole number of at least 1, not 0",
    ),
    (
        'move tictactoe --bot human',
        f"bot 'human' is a person, who can only play in `fmcts play`: use one of: {BOTS_ONLY}",
    ),
    (
        'play tictactoe --first human --second random --board -',
        '--board - and human both read standard input: give the board in a file',
    ),
    # what only the search refuses, in a game with dice, for one or for three players
    (
        'move pig:10 --bot mcts:20,solver=on',
        f'solver is not supported in {CHANCY}, rewards or other players: {EXACT}',
    ),
    (
        'prepare pig:10 mcts:5,transpositions=sound',
        (
            'the engine compiled does not support transpositions: its tree has one place for each '
            'child and no table of positions'
        ),
    ),
    (
        'move pig:10 --bot first-part:5,as_printed=on',
        f'as_printed is not {IN_SUCH_GAMES}, such as Pig',
    ),
    ('show tictactoe --board nowhere', 'nowhere: cannot be read: No such file or directory'),
    ('show tictactoe --board .', '.: cannot be read: Is a directory'),
]


@pytest.mark.parametrize(('words', 'complaint'), CASES)
def test_bad_input_is_one_line_and_exit_code_2(refused, words, complaint):
    assert refused(*words.split()) == complaint


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        ('show othello --moves d3,c4', "Invalid value for '--moves': move 2: c4 is illegal: "),
        ('show nothing', "Invalid value for 'GAME': unknown game 'nothing': "),
        ('move othello --engine x', "Invalid value for '--engine': 'x' is not one of 'auto', "),
        ('move othello --seed', "Option '--seed' requires an argument"),
        ('show othello --sed 1', 'No such option'),
    ],
)
def test_the_option_is_named_by_click(here, words, complaint):
    done = here(*words.split())
    assert (done.code, done.err.count('\n')) == (2, 1)
    assert done.err.startswith(f'fmcts: {complaint}')


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
