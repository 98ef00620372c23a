"""Replaying recorded games by the rules."""

import json
from types import SimpleNamespace

import pytest
from attrs import evolve

from fmcts import Player, Search, SplitMix, mcts, play_game, random_bot
from fmcts.cli import main
from fmcts.games import connect4, tictactoe
from fmcts.matches import match, replay
from fmcts.matches._files import Head, check_of, written
from fmcts.matches._lines import Replay, follow, in_text

RNG = SplitMix.from_seed(3)
BOTS = mcts(Search(20)), random_bot


def states(start, moves):
    found = [start]
    for move in moves:
        found.append(found[-1].play(move))
    return tuple(found)


def test_replay_of_a_game_from_a_match():
    result = match(*BOTS, connect4.start, games=6, rng=RNG, opening_plies=3)
    for game in result.games:
        again = replay(game).unwrap()
        moves = (*game.opening, *game.moves)
        assert (again.moves, again.states) == (moves, states(connect4.start, moves))
        assert (again.opening, again.winner) == (3, game.winner)
        assert again.states[-1].over


def test_replay_of_a_game_record():
    record, _ = play_game(tictactoe.start, *BOTS, RNG)
    again = replay(record).unwrap()
    assert again.states == states(tictactoe.start, record.moves)
    assert (again.states[-1], again.winner, again.opening) == (record.final, record.winner, 0)


WON = (4, 0, 2, 1, 6)  # by X
RECORD = play_game(tictactoe.start, *2 * [lambda _state, rng: (WON[rng], rng + 1)], 0)[0]


@pytest.mark.parametrize(
    ('altered', 'complaint'),
    [
        ({'moves': (4, 4)}, 'ply 2: illegal move 4: the legal moves are 0, 1, 2, 3, 5, 6, 7, 8'),
        ({'moves': (*WON, 8)}, 'ply 6: illegal move 8: the game is over'),
        ({'moves': WON[:4]}, 'after ply 4: the game is not over'),
        ({'winner': Player.O}, 'after ply 5: winner O recorded, X by the rules'),
        ({'winner': None}, 'after ply 5: winner nobody recorded, X by the rules'),
        ({'final': tictactoe.start}, 'after ply 5: the final state differs from the record'),
    ],
)
def test_altered_records_are_reported(altered, complaint):
    assert RECORD.winner is Player.X
    assert replay(evolve(RECORD, **altered)).failure() == complaint


def test_a_breach_names_the_game_of_the_match():
    game = match(*BOTS, tictactoe.start, games=6, rng=RNG, opening_plies=1).games[5]
    found = replay(evolve(game, opening=(9,)))
    assert found.failure().startswith('game 5: ply 1: illegal move 9')


@pytest.fixture
def path(tmp_path):
    path = tmp_path / 'games.jsonl'
    words = ['match', 'tictactoe', 'random', 'mc:9', '--games', '4', '--opening-plies', '1']
    assert main([*words, '--out', str(path)]) == 0
    return path


def test_replay_of_a_file(path, capsys):
    del capsys
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    again = replay(path).unwrap()
    assert [[str(move) for move in it.moves] for it in again] == [
        line['opening'] + line['moves'] for line in lines
    ]
    assert [it.winner and it.winner.name for it in again] == [line['winner'] for line in lines]
    assert replay(str(path)).unwrap() == again == replay(path, tictactoe).unwrap()


def test_replay_of_a_file_with_a_user_s_game(path, capsys):
    """The game is given, or only the state in which it begins, as `MODULE:NAME` may name one."""
    del capsys
    plain = replay(path)
    head, *lines = path.read_text().splitlines()
    head = Head(**{**json.loads(head), 'game': 'mygame:start'})
    lines = [{**it, 'check': check_of(head, it)} for it in map(json.loads, lines)]
    path.write_bytes(b''.join(map(written, [head.to_json(), *lines])))
    assert replay(path, tictactoe) == replay(path, tictactoe.start) == plain
    with pytest.raises(TypeError, match='game must be a game or its initial state, no'):
        replay(path, 'tictactoe')
    for name in ('start', 'format_move', 'moves', 'play'):
        with pytest.raises(TypeError, match='game must be a game'):
            replay(path, SimpleNamespace(**{name: None}))


def test_invalid_files_are_reported(path, capsys):
    del capsys
    head, *lines = path.read_text().splitlines()
    game = json.loads(lines[2])

    def complaint(changed, first=head):
        path.write_text('\n'.join([first, *lines[:2], json.dumps(changed), lines[3]]) + '\n')
        return replay(path).failure()

    assert 'games.jsonl: game 2: ply 2: ' in complaint({**game, 'moves': ['9']})
    own = json.dumps({**json.loads(head), 'game': 'mygame:start'})
    assert complaint(game, own).endswith('pass a game of your own as game=')
    assert replay(path.parent / 'none').failure().endswith('none: there is no such file')
    with pytest.raises(TypeError, match='record must be a recorded game or the path of a file'):
        replay(json.loads(head))


# ---- lines of moves ----


ONE, TWO = tictactoe.start.play(4), tictactoe.start.play(4).play(0)


def test_a_line_has_its_states_and_moves():
    assert follow(tictactoe.start, (4, 0)) == Replay((tictactoe.start, ONE, TWO), (4, 0))
    assert follow(ONE, []) == Replay((ONE,), ())


def test_moves_are_replaced_by_the_game_s_own():
    """A move that equals a legal one stands for it: a record holds one kind of them."""
    (move,) = follow(tictactoe.start, [4.0]).moves
    assert isinstance(move, int)


def test_the_ply_of_an_illegal_move_is_named():
    with pytest.raises(ValueError, match='ply 3: illegal move 4: the legal moves are 1, 2'):
        follow(tictactoe.start, (4, 0, 4, 1))
    with pytest.raises(ValueError, match='ply 1: illegal move 9'):
        follow(tictactoe.start, (9,))


def test_unknown_moves_are_refused():
    read = in_text(tictactoe)
    with pytest.raises(ValueError, match="'4' is not one of 1, 2, 3, 5, 6, 7, 8"):
        read(TWO, '4')
    with pytest.raises(ValueError, match='1 is not one of 1, 2, 3, 5, 6, 7, 8'):
        read(TWO, 1)
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(ValueError, match="'5' is not one of none"):
        read(over, '5')


def test_ambiguous_moves_are_refused():
    """A game whose texts are ambiguous has no records that can be read."""
    vague = SimpleNamespace(format_move=lambda _move: 'there')
    with pytest.raises(ValueError, match="'there' is not one of there, there"):
        in_text(vague)(TWO, 'there')
