"""`fmcts show` and `fmcts bots`: positions, and every bot with its options and its source."""

import json

from hypothesis import given, settings

from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import choices, parse_bot
from fmcts.view import join_moves


def test_one_line_per_bot_and_option(here):
    code, out, err = here('bots')
    assert (code, err) == (0, '')
    bots, options, differences = out.split('\n\n')
    heading, *rows = bots.splitlines()
    assert ' '.join(heading.split()) == 'bot number by default description source'
    assert [row.split()[0] for row in rows] == [*RECIPES]
    for row, recipe in zip(rows, RECIPES.values(), strict=True):
        assert recipe.about in row
        assert row.endswith(recipe.source or '-')
        assert row.split()[2] == str(recipe.default or '-')
    heading, *rows = options.splitlines()
    assert heading.split() == ['bot', 'option', 'accepted']
    assert [tuple(row.split(maxsplit=2)) for row in rows] == [
        (name, option, words) for name in RECIPES for option, words in choices(name)
    ]
    heading, *rows = differences.splitlines()
    assert ' '.join(heading.split()) == 'bot how it differs from its text'
    assert [tuple(row.split(maxsplit=1)) for row in rows] == [
        (name, recipe.differs) for name, recipe in RECIPES.items() if recipe.differs
    ]
    assert not any(line.endswith(' ') for line in out.splitlines())


def test_json_has_the_same_content(here):
    code, out, err = here('bots', '--json')
    assert (code, err) == (0, '')
    (line,) = out.splitlines()
    (known,) = json.loads(line).values()
    assert [it['name'] for it in known] == [*RECIPES]
    for bot in known:
        recipe = RECIPES[bot['name']]
        assert bot == {
            'name': bot['name'],
            'about': recipe.about,
            'number': recipe.number or None,
            'default': recipe.default,
            'options': dict(choices(bot['name'])),
            'source': recipe.source or None,
            'differs': recipe.differs or None,
        }


def test_every_bot_accepts_its_default(here):
    for bot in json.loads(here('bots', '--json').out)['bots']:
        if bot['default'] is not None:
            assert parse_bot(f'{bot["name"]}:{bot["default"]}') == parse_bot(bot['name'])


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


def test_a_byte_order_mark_is_ignored(here):
    assert here('show', 'tictactoe', '--board', '-', stdin='\ufeffXO.......'.encode()).out == (
        'X O .\n. . .\n. . .\nX to move\n'
    )
