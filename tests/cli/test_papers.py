"""Features for papers: sweeps, tables, matches by time, distinct games, and bundles."""

import errno
import json
import sys
import zipfile
from unittest.mock import Mock

import pytest

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.cli import main
from fmcts.cli._bundle import sources_of
from fmcts.games import connect4, tictactoe
from fmcts.matches import Match, match, play_number, summary, sweep, tournament

RNG = SplitMix.from_seed(1)
BOT = 'def bot(state, rng):\n    return state.moves[-1], rng\n'


def last(state, rng):
    return state.moves[-1], rng


def told(capsys, *words, code=0):
    """What a command prints, or its complaint of one line."""
    assert main(words) == code
    out, err = capsys.readouterr()
    if code:
        assert err.count('\n') == 1
    return err if code else out


# ---- sweeps ----


def bot(c, iterations=10):
    return mcts(Search(iterations, c=c))


def test_a_sweep_is_a_match_per_combination():
    values = {'iterations': (5, 10), 'c': (0.5, 2)}
    options = {'games': 2, 'opening_plies': 1}
    named = {'names': ('mine', 'last'), **options}
    found = sweep(bot, values, last, tictactoe.start, rng=RNG, **named)
    assert found.cells == ((5, 0.5), (5, 2), (10, 0.5), (10, 2))
    for number, ((iterations, c), result) in enumerate(
        zip(found.cells, found.results, strict=True)
    ):
        rng = RNG.child(number)
        alone = match(bot(c, iterations), last, tictactoe.start, rng=rng, **options)
        assert [game.moves for game in result.games] == [game.moves for game in alone.games]
    assert found.results[3].match.names == ('mine:iterations=10,c=2', 'last')
    rows = found.table().to_dicts()
    assert [*rows[0]] == [
        *('iterations', 'c', 'wins', 'draws', 'losses', 'score', 'low', 'high', 'distinct')
    ]
    assert [row['wins'] for row in rows] == [it.wins for it in found.results]


@pytest.mark.parametrize(
    ('parameters', 'message'),
    [
        ({}, 'one or two parameters, not 0'),
        ({'c': ()}, 'the parameter c needs at least one value'),
        ({'c': (1, 1)}, 'the parameter c has 1 twice'),
    ],
)
def test_invalid_sweeps_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        sweep(bot, parameters, last, tictactoe.start, games=2, rng=RNG)


def test_the_sweep_command_expands_braces(capsys, tmp_path):
    words = ['sweep', 'tictactoe', 'mc:{3,6},count={wins,scores}', '--against', 'random']
    words += ['--games', '2', '--out', str(tmp_path / 'games')]
    found = json.loads(told(capsys, *words, '--json'))
    cells = [{'budget': b, 'count': w} for b in '36' for w in ('wins', 'scores')]
    assert [it['parameters'] for it in found['points']] == cells
    head = json.loads((tmp_path / 'games/3.jsonl').read_text().partition('\n')[0])
    assert head['first'] == 'mc:6,count=wins'
    page = told(capsys, *words).splitlines()
    assert page[0].split() == [
        *('budget,', 'count', 'won', 'drawn', 'lost', 'distinct', 'score', '95', '%')
    ]
    assert len(page) == 5
    assert told(capsys, 'verify', str(tmp_path / 'games')).count('2 games hold') == 4


# ---- tables ----


def test_tables_in_markdown_and_latex(capsys):
    words = ['match', 'tictactoe', 'random', 'mc:2', '--games', '2']
    values = json.loads(told(capsys, *words, '--json'))
    numbers = [values[name] for name in ('wins', 'draws', 'losses')]
    shares = [f'{it:.3f}' for it in (values['score'], *values['interval'])]
    cells = ['random', 'mc:2', *map(str, numbers), *shares, str(values['distinct'])]
    rows = [
        [cell.strip() for cell in line.strip('|').split('|')]
        for line in told(capsys, *words, '--table', 'markdown').splitlines()
    ]
    assert rows[2] == cells
    latex = told(capsys, *words, '--table', 'latex').splitlines()
    assert latex[0] == r'\begin{tabular}{llrrrrrrr}'
    assert [cell.strip() for cell in latex[4].removesuffix(r'\\').split('&')] == cells


def cells(line):
    """The cells of a line of Markdown."""
    return [cell.strip() for cell in line.strip('|').split('|')]


def test_tables_as_text_say_the_level_of_their_intervals():
    found = sweep(bot, {'c': (1.0,)}, last, tictactoe.start, games=2, rng=RNG).table()
    assert cells(found.to_markdown().splitlines()[0])[-3:-1] == ['low (95 %)', 'high (95 %)']
    assert r'low (95 \%)' in found.to_latex()
    assert 'low,high' in found.to_csv()
    standings = tournament({'a': last, 'b': random_bot}, tictactoe.start, games=2, rng=RNG).table()
    assert cells(standings.to_markdown().splitlines()[0])[-2:] == ['low (95 %)', 'high (95 %)']


def test_matches_of_several_games_have_one_table():
    starts = tictactoe.start, connect4.start
    found = [
        match(last, random_bot, start, games=2, rng=RNG, names=('last', 'any')) for start in starts
    ]
    rows = summary(found).to_dicts()
    assert [(row['game'], row['bot'], row['against']) for row in rows] == [
        ('tictactoe', 'last', 'any'),
        ('connect4', 'last', 'any'),
    ]
    assert [row['score'] for row in rows] == [it.score for it in found]
    assert summary([]).to_dicts() == []


def test_bots_are_named_on_the_command_line(capsys, tmp_path):
    words = ['match', 'tictactoe', 'Tuned = mcts:5,c=2', 'random', '--games', '2']
    table = told(capsys, *words, '--table', 'markdown')
    assert cells(table.splitlines()[2])[:2] == ['Tuned', 'random']
    file = str(tmp_path / 'games.jsonl')
    found = json.loads(told(capsys, *words, '--json', '--out', file))
    assert (found['first'], found['second']) == ('Tuned', 'random')
    assert '2 games hold' in told(capsys, 'verify', file)
    words = ['tournament', 'tictactoe', 'A=mc:2', 'B=random', 'mc:3', '--games', '2']
    found = json.loads(told(capsys, *words, '--json'))
    assert {row['bot'] for row in found['standings']} == {'A', 'B', 'mc:3'}
    assert (found['matches'][0]['first'], found['matches'][1]['second']) == ('A', 'mc:3')
    seated = ['match', 'mnk3:3,3,3', 'A=random', 'B=random', 'random', '--games', '6', '--json']
    assert [row['bot'] for row in json.loads(told(capsys, *seated))['standings']] == [
        *('A', 'B', 'random')
    ]


# ---- distinct games ----


def test_deterministic_bots_repeat_two_games(capsys):
    found = match(last, random_bot, tictactoe.start, games=6, rng=RNG)
    assert found.distinct == len({game.moves for game in found.games}) > 2
    assert match(last, last, tictactoe.start, games=6, rng=RNG).distinct == 1
    words = ['match', 'nim:1,2', 'perfect', 'perfect', '--games', '6']
    assert 'distinct  1 of 6 games' in told(capsys, *words)


# ---- matches by time ----


def timed(**more):
    bots = {'first': mcts(Search(5)), 'second': last}
    return Match(**{**bots, 'start': tictactoe.start, 'games': 2, 'rng': RNG, **more})


def test_a_game_by_time_is_replayed_by_its_counts():
    limited = timed(seconds=0.001)
    game = play_number(limited, 1)
    assert len(game.iterations) == len(game.moves) // 2 + len(game.moves) % 2 * (
        game.first_plays.name == 'X'
    )
    assert min(game.iterations) >= 1
    assert play_number(limited, 1, game.iterations) == game
    for wrong in (game.iterations[:-1], (*game.iterations, 5)):
        with pytest.raises(ValueError, match='searches'):
            play_number(limited, 1, wrong)


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        ({'seconds': 0}, 'seconds must be a finite number above 0'),
        ({'seconds': 1, 'first': last}, 'seconds needs a tree search'),
        ({'seconds': 1, 'keep_trees': True}, 'seconds and keep_trees exclude each other'),
        (
            {'seconds': 1, 'first': mcts(Search(schedule='halving'))},
            'seconds and a schedule exclude each other',
        ),
    ],
)
def test_bots_without_a_time_limit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        timed(**options)


def test_records_by_time_are_verified_and_resumed(capsys, tmp_path):
    path = tmp_path / 'games.jsonl'
    words = ['match', 'tictactoe', 'mcts', 'random', '--games', '2', '--out', str(path)]
    told(capsys, *words, '--time', '0.001')
    held = '2 games hold, move by move; the time of a move cannot be verified\n'
    assert told(capsys, 'verify', str(path)) == held
    whole = path.read_bytes()
    told(capsys, *words, '--time', '0.001')
    assert path.read_bytes() == whole
    assert 'with seconds 0.001, not None' in told(capsys, *words, code=2)
    head, line, more = path.read_text().splitlines()
    altered = json.loads(line)
    altered['iterations'][0] += 1
    path.write_text(f'{head}\n{json.dumps(altered)}\n{more}\n')
    assert 'game 0: ' in told(capsys, 'verify', str(path), code=1)
    altered['iterations'] = ['many']
    path.write_text(f'{head}\n{json.dumps(altered)}\n{more}\n')
    assert 'iterations must be a whole number' in told(capsys, 'verify', str(path), code=1)


# ---- bundles ----


@pytest.fixture
def bundle(capsys, tmp_path, monkeypatch):
    """A bundle of a match with a bot whose module is gone by now."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', [*sys.path])
    (tmp_path / 'bundled_bot.py').write_text('from bundled_part import bot\n')
    (tmp_path / 'bundled_part.py').write_text(BOT)
    words = ['match', 'tictactoe', 'bundled_bot:bot', 'mc:2', '--games', '2']
    told(capsys, *words, '--bundle', 'games.zip')
    first = (tmp_path / 'games.zip').read_bytes()
    told(capsys, *words, '--bundle', 'games.zip')
    assert (tmp_path / 'games.zip').read_bytes() == first
    for name in ('bundled_bot', 'bundled_part'):
        del sys.modules[name]
        (tmp_path / f'{name}.py').write_text(BOT.replace('-1', '0'))
    yield tmp_path / 'games.zip'
    for name in ('bundled_bot', 'bundled_part'):
        sys.modules.pop(name, None)


IMPORTING = """
from . import other
def bot(state, rng):
    from far_part import deep
    return deep.bot(state, rng)
"""


def test_a_bundle_has_what_its_modules_import_from_anywhere(tmp_path, monkeypatch):
    files = {
        'here/pack/__init__.py': '',
        'here/pack/bot.py': IMPORTING,
        'here/pack/other.py': 'import sys, json.decoder, attrs, pack.bot.none, bot',
        'there/far_part/__init__.py': 'import missing_part',
        'there/far_part/deep.py': BOT,
        'there/unused.py': '',
        'here/other.py': '',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for folder in ('here', 'there'):
        monkeypatch.syspath_prepend(tmp_path / folder)
    found = sources_of(['pack.bot:bot', 'mcts:100', 'tictactoe'])
    left_out = {'there/unused.py', 'here/other.py'}
    assert {name: text.decode() for name, text in found.items()} == {
        name.partition('/')[2]: text for name, text in files.items() if name not in left_out
    }


def rewritten(path, **changes):
    """Write the bundle with other contents of some files; `None`: without that file."""
    with zipfile.ZipFile(path) as archive:
        files = {it: archive.read(it) for it in archive.namelist()} | changes
    with zipfile.ZipFile(path, 'w') as archive:
        for name, content in files.items():
            if content is not None:
                archive.writestr(name, content)


def test_a_bundle_is_verified_with_its_own_modules(capsys, bundle, monkeypatch):
    assert sorted(zipfile.ZipFile(bundle).namelist()) == [
        *('bundle.json', 'modules/bundled_bot.py', 'modules/bundled_part.py', 'records/1.jsonl')
    ]
    assert told(capsys, 'verify', str(bundle)) == '2 games hold, move by move\n'
    assert not {'bundled_bot', 'bundled_part'} & {*sys.modules}
    monkeypatch.setitem(sys.modules, 'bundled_bot', sys)
    loaded = 'the module bundled_bot is loaded already: verify it by itself'
    assert loaded in told(capsys, 'verify', str(bundle), code=2)


@pytest.mark.parametrize(
    ('changes', 'message'),
    [
        ({'modules/bundled_part.py': b'bot = None'}, 'bundled_part.py was altered or added'),
        ({'modules/bundled_part.py': None}, 'modules/bundled_part.py is missing'),
        ({'records/2.jsonl': b'{}'}, 'records/2.jsonl was altered or added'),
        ({'bundle.json': b'{}'}, 'it has no bundle.json as fmcts writes it'),
        ({'bundle.json': b'[' * 10**5}, 'it has no bundle.json as fmcts writes it'),
        (
            {'bundle.json': b'{"format": 2, "files": {}, "versions": {}}'},
            'its format is 2, and this version of fmcts reads 1',
        ),
        ({'../evil.py': b''}, '../evil.py was altered or added'),
    ],
)
def test_an_altered_bundle_is_reported(capsys, bundle, changes, message):
    rewritten(bundle, **changes)
    assert message in told(capsys, 'verify', str(bundle), code=2)


def test_invalid_bundles_are_reported(capsys, tmp_path):
    (tmp_path / 'no.zip').write_text('nothing')
    assert 'no.zip: is not a bundle' in told(capsys, 'verify', str(tmp_path / 'no.zip'), code=2)
    words = ['match', 'tictactoe', 'random', 'random', '--bundle']
    assert main([*words, str(tmp_path / 'no.zip')]) == 1
    assert capsys.readouterr() == (
        '',
        f'fmcts: {tmp_path}/no.zip: is not a bundle; nothing was written\n',
    )


def test_results_are_shown_if_the_bundle_cannot_be_written(capsys, tmp_path, monkeypatch):
    full = Mock(side_effect=OSError(errno.ENOSPC, 'No space left on device', 'a.zip'))
    monkeypatch.setattr('fmcts.cli._bundle.write_whole', full)
    words = ['match', 'tictactoe', 'random', 'mc:2', '--games', '2', '--bundle']
    assert main([*words, str(tmp_path / 'a.zip')]) == 1
    out, err = capsys.readouterr()
    assert out.startswith('random    ')
    assert err == 'fmcts: cannot write a.zip: No space left on device\n'
