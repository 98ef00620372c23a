"""Tournaments and curves with a folder of files: resumed, verified, and left alone."""

import json
from pathlib import Path

import pytest

from fmcts import SplitMix, random_bot
from fmcts.cli import main
from fmcts.cli._verify import files_of
from fmcts.games.chance import mnk3
from fmcts.matches import seatings

COMMANDS = {
    'tournament': ['tournament', 'tictactoe', 'mc:5', 'random', 'mc:2', '--games', '6'],
    'curve': ['curve', 'tictactoe', 'mc:count=wins', '--budgets', '9,3', '--against', 'random'],
}
OPTIONS = ['--games', '6', '--opening-plies', '1', '--json']


def told(capsys, *words, code=0):
    """What a command prints, JSON without the time it took; or its complaint."""
    assert main(words) == code
    out, err = capsys.readouterr()
    if code:
        assert err.count('\n') == 1
        return err
    values = json.loads(out)
    del values['seconds']
    return values


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(params=COMMANDS)
def words(request):
    return [*COMMANDS[request.param], *OPTIONS]


def test_a_run_is_resumed(words, tmp_path, capsys):
    """At the beginning, in mid-line of a match in the middle, and where nothing is left to do."""
    plain = told(capsys, *words)
    folder = tmp_path / 'games'
    assert told(capsys, *words, '--out', str(folder)) == plain
    whole = contents(folder)
    assert sorted(whole) == [f'{number}.jsonl' for number in range(1, len(whole) + 1)]
    assert len(whole) == (3 if words[0] == 'tournament' else 2)
    path = folder / '2.jsonl'
    for size in (0, 400, len(whole['2.jsonl'])):
        path.write_bytes(whole['2.jsonl'][:size])
        (folder / '3.jsonl').unlink(missing_ok=True)
        assert told(capsys, *words, '--out', str(folder)) == plain
        assert contents(folder) == whole


def test_each_file_is_a_match_that_can_be_verified(words, tmp_path, capsys):
    """Also where a curve's bots get their number in the middle of their specs."""
    folder = tmp_path / 'games'
    told(capsys, *words, '--out', str(folder))
    paths = sorted(map(str, folder.iterdir()))
    assert main(['verify', *paths]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f'{path}: 6 games hold, move by move' for path in paths
    ]
    assert main(['verify', str(folder), paths[0]]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f'{path}: 6 games hold, move by move' for path in [*paths, paths[0]]
    ]
    heads = [json.loads(Path(path).read_text().splitlines()[0]) for path in paths]
    pairs = [(head['first'], head['second']) for head in heads]
    if words[0] == 'curve':
        assert pairs == [('mc:9,count=wins', 'random'), ('mc:3,count=wins', 'random')]
    else:
        assert pairs == [('mc:5', 'random'), ('mc:5', 'mc:2'), ('random', 'mc:2')]
    assert len({head['rng'] for head in heads}) == len(heads)


def test_one_altered_file_does_not_hide_another(tmp_path, capsys):
    folder = tmp_path / 'games'
    told(capsys, *COMMANDS['tournament'], '--json', '--out', str(folder))
    paths = sorted(folder.iterdir())
    for path in (paths[0], paths[2]):
        lines = path.read_text().splitlines()
        game = json.loads(lines[3])
        lines[3] = json.dumps({**game, 'moves': game['moves'][:-1]})
        path.write_text('\n'.join(lines) + '\n')
    assert main(['verify', *map(str, paths)]) == 1
    out, err = capsys.readouterr()
    assert out == f'{paths[1]}: 6 games hold, move by move\n'
    one, three = err.splitlines()
    assert one.startswith(f'fmcts: {paths[0]}: game 2: after ply ')
    assert three.startswith(f'fmcts: {paths[2]}: game 2: after ply ')
    assert main(['verify', *map(str, paths), 'none.jsonl']) == 2
    assert capsys.readouterr() == ('', 'fmcts: none.jsonl: there is no such file\n')


def test_files_of_a_folder_are_sorted_by_number(tmp_path):
    for number in range(1, 12):
        (tmp_path / f'{number}.jsonl').touch()
    (tmp_path / 'a.svg').touch()
    assert [path.name for path in files_of(tmp_path)] == [f'{n}.jsonl' for n in range(1, 12)]
    assert files_of(tmp_path / 'a.svg') == [tmp_path / 'a.svg']
    (tmp_path / 'empty').mkdir()
    with pytest.raises(ValueError, match=r'empty: the folder has no \.jsonl file'):
        files_of(tmp_path / 'empty')


def test_foreign_folders_are_left_alone(tmp_path, capsys):
    """Nothing is played or written where one of the files is not what this run would write."""
    folder = tmp_path / 'games'
    told(capsys, *COMMANDS['tournament'], '--json', '--out', str(folder))
    (folder / '1.jsonl').unlink()
    before = contents(folder)
    other = [word.replace('mc:2', 'mc:4') for word in COMMANDS['tournament']]
    complaint = told(capsys, *other, '--json', '--out', str(folder), code=2)
    assert f"{folder / '2.jsonl'}: holds another match, with second 'mc:2', not" in complaint
    assert contents(folder) == before
    complaint = told(capsys, *other, '--out', str(folder / '2.jsonl'), code=2)
    assert (
        complaint
        == f'fmcts: {folder / "2.jsonl"}: is not a folder; each match needs a file in it\n'
    )
    complaint = told(capsys, *other, '--out', str(tmp_path / 'no' / 'such'), code=2)
    assert f'there is no folder {tmp_path / "no"}' in complaint


# ---- every bot on every seat ----


THREE = 'tournament', 'mnk3:3,3,3', 'random', 'random', 'random'


def test_rewards_equal_the_library_s(here):
    code, out, err = here(*THREE, '--games', '12', '--seed', '3', '--json')
    names = 'random', 'random (2)', 'random (3)'
    result = seatings(
        dict.fromkeys(names, random_bot),
        mnk3.start(3, 3, 3),
        rounds=2,
        rng=SplitMix.from_seed(3),
    )
    told = json.loads(out)
    assert (code, err, told['game'], told['games']) == (0, '', 'mnk3:3,3,3', 12)
    assert [row['bot'] for row in told['standings']] == list(names)
    for row, mean, error in zip(told['standings'], result.means, result.errors, strict=True):
        assert (row['games'], row['mean']) == (12, round(mean, 6))
        assert row['error'] == round(error, 6)


def test_a_match_has_all_seatings_too_and_whole_rounds(here):
    one, two = (here(name, *THREE[1:], '--json').out for name in ('match', 'tournament'))
    assert json.loads(one)['games'] == 96
    drop = {'seconds'}
    assert {k: v for k, v in json.loads(one).items() if k not in drop} == {
        k: v for k, v in json.loads(two).items() if k not in drop
    }
