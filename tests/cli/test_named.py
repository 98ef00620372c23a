"""`MODULE:NAME`: a user's own games and bots, in every command."""

import json
from pathlib import Path

import pytest

from fmcts.cli._named import load_named

pytestmark = pytest.mark.usefixtures('own_modules')


def in_json(here, *words):
    """Searches in Python: what other tests have loaded would compile these games here."""
    engine = ('--engine', 'inplace') if words[0] in {'move', 'play'} else ()
    code, out, err = here(*words, *engine, '--json')
    assert (code, err) == (0, '')
    return json.loads(out)


def test_every_command_accepts_a_user_s_game(here):
    assert in_json(here, 'show', 'owngame:game', '--moves', '3,2')['legal'] == [1, 2, 3]
    assert in_json(here, 'move', 'owngame:game', '--bot', 'mcts:80')['iterations'] == 80
    played = in_json(here, 'play', 'owngame:game', '--first', 'perfect', '--second', 'random')
    assert played['winner'] == 'X'
    compared = in_json(
        here, 'compare', 'owngame:game', '--iterations', '40', '--engines', 'inplace,persistent'
    )
    assert compared['agree']


def test_files_name_a_game_by_where_it_is_found(here):
    files = ('games.jsonl', 'games.zip', 'receipt.json')
    words = ('match', 'owngame:game', 'mc:2', 'random', '--games', '2', '--engine', 'inplace')
    assert here(*words, '--out', files[0], '--bundle', files[1]).code == 0
    assert here('move', 'owngame:game', '--bot', 'mcts:9', '--receipt', files[2]).code == 0
    for file in (files[0], files[2]):
        assert here('verify', file, '--engine', 'inplace').code == 0
    assert json.loads(Path(files[0]).read_text().partition('\n')[0])['game'] == 'owngame:game'


def test_a_user_s_search_takes_numbers_of_its_method(here):
    """Each search equals that of a recipe with the same method and numbers."""
    for own, known in (
        ('owngame:search,c=0.3', 'mcts:60,c=0.3'),
        ('owngame:rave:40,k=7, c=0.5', 'mcts:40,selection=rave,c=0.5,k=7'),
    ):
        one, two = (in_json(here, 'move', 'tictactoe', '--bot', it) for it in (own, known))
        assert one['digest'] == two['digest']
    options = ('--against', 'random', '--games', '2', '--engine', 'inplace')
    found = here('sweep', 'tictactoe', 'owngame:rave:{3,4},k={1,2}', *options, '--json')
    assert [it['parameters'] for it in json.loads(found.out)['points']] == [
        {'budget': budget, 'k': k} for budget in '34' for k in '12'
    ]


def test_every_command_accepts_a_family_member(here):
    assert in_json(here, 'show', 'mnk:4,4,3', '--moves', 'b2,a1')['legal'][0] == 'b1'
    assert in_json(here, 'move', 'nim:3,4,5', '--bot', 'perfect')['move'] == 'a2'
    played = in_json(here, 'play', 'hex:3', '--first', 'perfect', '--second', 'random')
    assert played['winner'] == 'X'
    compared = in_json(
        here, 'compare', 'othello:4', '--iterations', '40', '--engines', 'inplace,monadic'
    )
    assert (compared['game'], compared['agree']) == ('othello:4', True)


def test_a_state_without_text(here):
    shown = in_json(here, 'show', 'owngame:start', '--moves', '1:2')
    assert (shown['game'], shown['legal'], shown['player']) == ('owngame:start', ['3:4'], 'O')
    assert here('show', 'owngame:start').out.endswith('\nX to move\n')
    moved = in_json(here, 'move', 'owngame:start', '--bot', 'perfect', '--root-moves', '1:2,all')
    assert moved['move'] in {'all', '1:2'}
    code, out, _ = here(
        'play', 'owngame:start', '--first', 'human', '--second', 'random', stdin=b'hint\n5\n3:4\n'
    )
    assert code == 0
    assert "unknown move '5': the legal moves are 1:2, 3:4, all" in out


@pytest.mark.parametrize('bot', ['search', 'recipe', 'spec', 'perfect', 'inner.bot'])
def test_every_kind_of_user_bot(here, bot):
    moved = in_json(here, 'move', 'tictactoe', '--bot', f'owngame:{bot}', '--moves', '0,3,1,4')
    played = in_json(here, 'play', 'tictactoe', '--first', f'owngame:{bot}', '--second', 'random')
    assert moved['move'] == (8 if bot == 'inner.bot' else 2)
    assert played['moves']


def test_a_user_s_search_accepts_a_number(here):
    moved = in_json(here, 'move', 'tictactoe', '--bot', 'owngame:search:70')
    assert (moved['iterations'], moved['bot']) == (70, 'owngame:search:70')
    timed = in_json(here, 'move', 'tictactoe', '--bot', 'owngame:search', '--time', '0.02')
    again = in_json(here, 'move', 'tictactoe', '--bot', timed['bot'])
    assert timed['bot'] == f'owngame:search:{timed["iterations"]}'
    assert (again['digest'], again['rng']) == (timed['digest'], timed['rng'])
    compared = in_json(
        here, 'compare', 'tictactoe', '--bot', 'owngame:search', '--engines', 'inplace,persistent'
    )
    assert compared['iterations'] == 60


def test_modules_are_found_in_the_current_folder(process):
    shown = process('show', 'owngame:game')
    assert (shown.code, shown.out) == (0, 'left 13\nturn 0\nX to move\n')


def test_names_are_loaded_from_modules():
    assert load_named('owngame:number') == 7
    assert load_named(' owngame:inner.bot ').__name__ == '<lambda>'
    assert load_named('math:pi') > 3
    for text in ('owngame', 'owngame:', ':game', 'own game:x', 'owngame:game:3', 'a:b c', ''):
        with pytest.raises(ValueError, match='expected MODULE:NAME, such as mygame:game'):
            load_named(text)


def test_receipts_of_a_state_without_text_can_be_compared(here, tmp_path):
    files = [str(tmp_path / name) for name in 'ab']
    for file, bot in zip(files, ('mcts:9', 'mcts:9,c=0.1'), strict=True):
        words = 'move', 'owngame:start', '--moves', '1:2', '--bot', bot, '--engine', 'inplace'
        assert here(*words, '--receipt', file).code == 0
    done = here('verify', *files, '--parting', '--engine', 'inplace')
    assert (done.code, done.err) in {(0, ''), (1, '')}
