import json

from hypothesis import given, settings, strategies as st

from fmcts.view import join_moves


def test_the_start(here):
    assert here('show', 'tictactoe') == (0, '. . .\n. . .\n. . .\nX to move\n', '')


def test_printed_boards_can_be_read_back(here, game, games_played, tmp_path_factory):
    file = tmp_path_factory.mktemp('boards') / 'board.txt'

    @settings(max_examples=40)
    @given(games_played(game))
    def round_trip(played):
        _, moves = played
        shown = here('show', game.name, '--moves', join_moves(game, moves))
        assert shown.code == 0
        file.write_text(shown.out)
        assert here('show', game.name, '--board', str(file)) == shown
        assert here('show', game.name, '--board', '-', stdin=shown.out.encode()) == shown

    round_trip()


def test_boards_can_be_piped(process, tmp_path):
    shown = process('show', 'othello', '--moves', 'd3,c3')
    assert shown.code == 0
    file = tmp_path / 'position.txt'
    file.write_text(shown.out)
    assert process('show', 'othello', '--board', str(file)) == shown
    assert process('show', 'othello', '--board', '-', stdin=shown.out) == shown


def test_json_describes_the_position(here, game, games_played):
    @settings(max_examples=20)
    @given(games_played(game))
    def told(played):
        state, moves = played
        shown = here('show', game.name, '--moves', join_moves(game, moves), '--json')
        position = json.loads(shown.out)
        assert position['game'] == game.name
        assert [str(move) for move in position['moves']] == [*map(game.format_move, moves)]
        assert [str(move) for move in position['legal']] == [*map(game.format_move, state.moves)]
        assert game.parse(position['board']).unwrap() == state
        assert position['player'] == str(state.player)
        assert position['over'] is state.over
        assert position['winner'] == (str(state.winner) if state.winner else None)

    told()


@settings(max_examples=20)
@given(st.sampled_from(['', ' ']))
def test_no_moves_give_the_start(here, nothing):
    assert here('show', 'connect4', '--moves', nothing) == here('show', 'connect4')


def test_a_byte_order_mark_is_ignored(here):
    assert here('show', 'tictactoe', '--board', '-', stdin='\ufeffXO.......'.encode()).out == (
        'X O .\n. . .\n. . .\nX to move\n'
    )
