"""Receipts: written by `fmcts move`, checked by `fmcts verify`."""

import json

import pytest
from attrs import evolve

from fmcts import Search, SplitMix, analyse
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4, tictactoe
from fmcts.history import history, parting
from fmcts.history.receipts import LONGEST, history_of, parse, receipt
from fmcts.rng import format as format_rng
from naive_batches import network

from .conftest import run_here

BOT = 'mcts:150,solver=on,c=0.7'


@pytest.fixture
def written(tmp_path):
    """The file of a receipt, and what it says."""
    file = tmp_path / 'receipt.json'
    words = 'connect4', '--moves', '3,3,2', '--bot', BOT, '--seed', '42'
    assert run_here('move', *words, '--receipt', str(file)).code == 0
    return file, json.loads(file.read_text())


@pytest.mark.parametrize(
    ('words', 'name'),
    [
        ('move tictactoe --bot mcts:9 --receipt', 'receipt'),
        ('tree tictactoe --bot mcts:9 --out', 'there.svg'),
        ('match tictactoe random random --games 2 --plot', 'there.svg'),
        ('explore tictactoe --bot mcts:9 --export', 'there.html'),
    ],
)
def test_existing_files_are_not_overwritten(words, name, refused, tmp_path):
    there = tmp_path / name
    there.write_text('precious')
    assert 'the file exists: name a new one' in refused(*words.split(), str(there))
    assert there.read_text() == 'precious'


def test_a_receipt_records_the_search_and_its_result(written):
    file, found = written
    state = connect4.start.play(3).play(3).play(2)
    rng = SplitMix.from_seed(42)
    analysis, after = analyse(state, rng, parse_bot(BOT).unwrap().search)
    assert found == {
        'format': 'fmcts-receipt-1',
        'fmcts': found['fmcts'],
        'game': 'connect4',
        'rules': 'connect4',
        'moves': ['3', '3', '2'],
        'board': None,
        'bot': BOT,
        'root_moves': None,
        'rng': format_rng(rng),
        'move': str(analysis.move),
        'iterations': analysis.iterations,
        'digest': analysis.digest,
        'after': format_rng(after),
    }
    assert file.stat().st_size < 600
    again = receipt(connect4, BOT, rng, analysis, after, moves=(3, 3, 2))
    assert parse(file.read_bytes()).unwrap() == again
    assert again.to_json() + '\n' == file.read_text()


@pytest.mark.parametrize('engine', ['auto', 'persistent', 'monadic', 'inplace', 'compiled'])
def test_a_receipt_holds_on_every_engine(written, engine):
    file, found = written
    done = run_here('verify', str(file), '--engine', engine)
    assert done.out == f'the receipt holds, digest {found["digest"]}\n'
    assert done.code == 0
    assert done.err == ''


@pytest.mark.parametrize(
    ('words', 'name'),
    [
        (('tictactoe', '--bot', 'mc:60', '--root-moves', '0,4'), 'mc'),
        (('othello', '--bot', 'mcts:20', '--rng', 'stdgen:5:6'), 'stdgen'),
        (('mnk:4,4,3', '--bot', 'mehat-rave:50'), 'family'),
        (('connect4', '--bot', 'mcts:2000', '--time', '0.01'), 'time'),
    ],
)
def test_receipts_of_other_games_bots_and_generators(words, name, tmp_path):
    file = tmp_path / name
    assert run_here('move', *words, '--receipt', str(file)).code == 0
    assert run_here('verify', str(file), '--engine', 'inplace').code == 0


@pytest.mark.parametrize(
    ('changes', 'complaint'),
    [
        ({'move': '6'}, "move: '6' in the receipt, '"),
        ({'digest': 'f' * 64}, "digest: 'ffff"),
        ({'iterations': 3}, 'iterations: 3 in the receipt, 150 searched again'),
        ({'after': 'splitmix:1:3'}, "after: 'splitmix:1:3' in the receipt"),
        ({'rng': 'splitmix:1:3'}, 'digest: '),
        ({'bot': 'mcts:150'}, 'digest: '),
        ({'moves': ['3', '3']}, 'digest: '),
        ({'moves': ['3', '3'], 'fmcts': '0.0.1'}, "; the receipt is from fmcts '0.0.1', this is "),
        ({'moves': ['3', '3'], 'rules': 'other'}, '; the rules of the game have changed'),
        ({'moves': ['3', '3'], 'rules': 'other', 'fmcts': '0.0.1'}, '; the receipt is from fmcts '),
        ({'game': 'tictactoe', 'moves': []}, 'digest: '),
    ],
)
def test_differences_exit_with_1(written, changes, complaint):
    file, found = written
    file.write_text(json.dumps({**found, **changes}))
    done = run_here('verify', str(file))
    (told,) = done.err.splitlines()
    assert told.startswith(f'fmcts: {file}: ')
    assert complaint in told
    assert done.code == 1


@pytest.mark.parametrize(
    ('changes', 'complaint'),
    [
        ({'game': 'chess'}, "unknown game 'chess'"),
        ({'moves': ['3', '9']}, 'its moves: ply 2: '),
        ({'bot': 'random'}, 'its bot has no analysis'),
        ({'bot': 'mtcs'}, "unknown bot 'mtcs'"),
        ({'rng': 'x'}, "generator 'x': expected"),
        ({'root_moves': ['9']}, 'its root moves: '),
        ({'iterations': 0}, "'iterations' must be > 0: 0"),
        ({'iterations': '150'}, "'iterations' must be <class 'int'>"),
        ({'moves': None}, 'it must have either moves or a board'),
        ({'board': 'x'}, 'it must have either moves or a board'),
        ({'more': 1}, "'more' is not known"),
        ({'format': 'fmcts-receipt-2'}, 'is a receipt of another version of fmcts'),
    ],
)
def test_invalid_receipts_are_bad_input(refused, written, changes, complaint):
    file, found = written
    file.write_text(json.dumps({**found, **changes}))
    assert complaint in refused('verify', str(file))


def test_missing_fields_and_other_text(written):
    file, found = written
    del found['rules']
    file.write_text(json.dumps(found))
    assert "'rules' is missing" in run_here('verify', str(file)).err
    file.write_text(json.dumps(found)[:-9])
    assert 'is not a match file or a receipt: it has no comp' in run_here('verify', str(file)).err
    for content in (b'[]', b'{"format": "fmcts-receipt-1"' * 9000, b'x' * (LONGEST + 1)):
        assert 'expected an object of JSON' in parse(content).failure()


def test_only_searches_have_receipts(refused, tmp_path):
    words = 'move', 'connect4', '--bot', 'random', '--receipt', str(tmp_path / 'x')
    assert refused(*words) == '--receipt needs a bot with an analysis, such as mcts'
    assert not (tmp_path / 'x').exists()
    done = run_here('move', 'connect4', '--receipt', str(tmp_path / 'no' / 'x'))
    assert 'there is no folder' in done.err


def written_by(tmp_path, name, *words):
    file = tmp_path / name
    assert run_here('move', *words, '--receipt', str(file)).code == 0
    return str(file)


def test_where_two_receipts_diverge(tmp_path):
    words = 'connect4', '--moves', '3,3,2', '--seed', '42', '--bot'
    one = written_by(tmp_path, 'one', *words, 'mcts:150,c=0.7')
    two = written_by(tmp_path, 'two', *words, 'mcts:150,c=0.75')
    state = connect4.start.play(3).play(3).play(2)
    a, b = (history(state, SplitMix.from_seed(42), Search(150, c=c)) for c in (0.7, 0.75))
    done = run_here('verify', one, two, '--parting')
    assert (done.code, done.out) == (1, f'{parting(a, b)}\n')
    done = run_here('verify', one, one, '--parting')
    assert (done.code, done.out) == (0, 'the two searches are the same\n')


def test_receipts_that_cannot_be_compared(refused, tmp_path, written):
    file, found = written
    mc = written_by(tmp_path, 'mc', 'connect4', '--moves', '3,3,2', '--bot', 'mc:20')
    other = written_by(tmp_path, 'other', 'tictactoe', '--bot', 'mcts:20')
    wrong = tmp_path / 'wrong'
    wrong.write_text(json.dumps({**found, 'digest': 'f' * 64}))
    older = tmp_path / 'older'
    older.write_text(json.dumps({**found, 'digest': 'f' * 64, 'fmcts': '0.0.1'}))
    dice = written_by(tmp_path, 'dice', 'pig', '--moves', 'roll,3', '--bot', 'mcts:20')
    for words, complaint in (
        ([file], '--parting needs two files, and both must be receipts'),
        ([file, mc], "its bot 'mc:20' is not a tree search"),
        ([file, other], 'the two searches start in different positions'),
        ([file, wrong], f"{wrong}: digest: 'ffffffff"),
        ([wrong, file], f"in the receipt, '{found['digest']}' searched again"),
        ([file, older], f"; the receipt is from fmcts '0.0.1', this is {found['fmcts']}"),
        ([dice, file], 'the two searches start in different positions'),
    ):
        assert complaint in refused('verify', *map(str, words), '--parting')


def test_history_of_a_receipt(tmp_path):
    board, file = tmp_path / 'board', tmp_path / 'receipt'
    board.write_text(connect4.format(connect4.start.play(3)))
    words = 'connect4', '--board', str(board), '--bot', 'mcts:50', '--root-moves', '0,4'
    assert run_here('move', *words, '--receipt', str(file)).code == 0
    read = parse(file.read_bytes()).unwrap()
    h = history_of(read, connect4, 'inplace')
    assert (h.digest, h.root.moves, h.engine) == (read.digest, (0, 4), 'inplace')
    with pytest.raises(ValueError, match="the receipt is of 'connect4', not of tictactoe"):
        history_of(read, tictactoe)
    for changes, complaint in (
        ({'rng': 'dice'}, 'its generator: '),
        ({'bot': 'magic'}, 'its bot: '),
        ({'root_moves': ['9']}, 'its root moves: '),
        ({'board': 'x'}, 'its board: '),
    ):
        with pytest.raises(ValueError, match=complaint):
            history_of(evolve(read, **changes), connect4)


def test_a_receipt_contains_a_network_s_answers(tmp_path):
    search = Search(60, network=network, batch=8, selection='puct')
    rng = SplitMix.from_seed(3)
    h = history(connect4.start, rng, search)
    plain = receipt(connect4, 'mcts:60,selection=puct', rng, h.at(h.last), h.after)
    made = plain.with_network(h)
    file = tmp_path / 'receipt'
    file.write_text(made.to_json())
    assert parse(file.read_bytes()).unwrap() == made
    done = run_here('verify', str(file))
    assert (done.code, done.out) == (0, f'the receipt holds, digest {h.digest}\n')
    assert history_of(made, connect4).log == h.log
    kept = made.network['answers']
    for changes, complaint in (
        ({'batch': 7}, 'digest: '),
        ({'answers': kept[4:]}, 'its network: '),
        ({'answers': '!'}, 'its network: '),
        ({'batch': 0}, 'its network: batch must be'),
    ):
        other = evolve(made, network=made.network | changes)
        file.write_text(other.to_json())
        done = run_here('verify', str(file))
        assert done.code in {1, 2}
        assert complaint in done.err
    for other in (plain, evolve(plain, root_moves=['3'], digest=h.at(50).digest)):
        with pytest.raises(ValueError, match='must be of the search in the receipt'):
            other.with_network(history(connect4.start, rng, evolve(search, iterations=50)))
