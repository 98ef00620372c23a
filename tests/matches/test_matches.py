"""Matches: the same games whoever plays them, and what they say."""

import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import distributed
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import Player, Search, SplitMix, mcts, monte_carlo, play_game, random_bot
from fmcts.game import FinishedGameError, IllegalMoveError
from fmcts.games import connect4, tictactoe
from fmcts.matches import Match, Sprt, match, play_match, play_number
from fmcts.matches.plots import bars, saved
from fmcts.matches.running import games_of
from fmcts.matches.sprt import score_of_elo
from fmcts.matches.statistics import elo_of_score, wilson

RNG = SplitMix.from_seed(3)


def small(**more):
    """A match of a few games of tic-tac-toe."""
    given = {'first': mcts(Search(20)), 'second': random_bot, 'games': 12, 'opening_plies': 1}
    return Match(start=tictactoe.start, rng=RNG, **(given | more))


# ---- games by number ----


def test_a_game_is_that_of_its_number_and_no_other():
    """From the definition: the pair's generator gives the opening and the play, sides swapped."""
    described = small()
    whole = play_match(described)
    for number, played in enumerate(whole.games):
        assert played == play_number(described, number)
        opening, play = (RNG.child(number // 2).child(which) for which in range(2))
        index, _ = opening.uniform(0, 8)
        assert played.opening == (index,)
        x, o = described.bots if number % 2 == 0 else described.bots[::-1]
        record, after = play_game(tictactoe.start.play(index), x, o, play)
        assert (played.moves, played.winner, played.rng_in, played.rng_out) == (
            record.moves,
            record.winner,
            play,
            after,
        )
        assert played.first_plays is (Player.X, Player.O)[number % 2]


@given(st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True))
@settings(max_examples=10)
def test_no_game_depends_on_another(numbers):
    described = small()
    played = {number: play_number(described, number) for number in numbers}
    again = list(games_of(described, range(12)))
    assert all(again[number] == game for number, game in played.items())


def test_openings_of_one_s_own_are_used_in_turn():
    described = small(openings=[[4], [0, 8]], opening_plies=0)
    found = [game.opening for game in play_match(described).games]
    assert found == 3 * [(4,), (4,), (0, 8), (0, 8)]


def test_random_openings_stop_before_the_end():
    played = play_match(small(opening_plies=50)).games
    assert all(game.moves for game in played)


# ---- executors ----


def test_threads_and_processes_play_the_same_games():
    described = small(games=20)
    alone = play_match(described).games
    with ThreadPoolExecutor(3) as threads:
        assert play_match(described, executor=threads).games == alone
    assert play_match(described, jobs=2).games == alone


def test_dask_s_workers_play_the_same_games():
    described = small(games=20)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    )
    with cluster, distributed.Client(cluster) as client:
        found = play_match(described, executor=client.get_executor(pure=False)).games
    assert found == play_match(described).games


def slow_and_deadly(folder, state, rng):
    """A random bot; the first process that comes to the folder is killed in its move."""
    mark = Path(folder) / 'killed'
    if state != tictactoe.start and not mark.exists():
        mark.write_text('')
        os.kill(os.getpid(), signal.SIGKILL)
    return random_bot(state, rng)


def test_a_killed_worker_is_made_up_for(tmp_path):
    from functools import partial  # noqa: PLC0415 - the bot must be found by its name elsewhere

    deadly = partial(slow_and_deadly, str(tmp_path))
    found = play_match(small(first=deadly, games=16, opening_plies=0), jobs=2).games
    assert (tmp_path / 'killed').exists()
    plain = play_match(small(first=random_bot, games=16, opening_plies=0)).games
    assert found == plain


def test_the_watch_is_told_in_order():
    heard = []
    with ThreadPoolExecutor(2) as threads:
        result = play_match(small(games=30), executor=threads, watch=heard.append)
    assert tuple(heard) == result.games
    assert [game.number for game in heard] == list(range(30))


def test_what_was_played_before_is_not_played_again():
    described = small()
    whole = play_match(described)
    heard = []
    rest = play_match(described, before=whole.games[:7], watch=heard.append)
    assert rest == whole
    assert heard == list(whole.games[7:])


# ---- kept trees ----


@pytest.mark.parametrize('engine', ['inplace', 'monadic', 'compiled'])
def test_kept_trees_are_the_same_on_every_engine(engine):
    def played(name):
        bots = mcts(Search(60), engine=name), mcts(Search(30), engine=name)
        return match(*bots, connect4.start, games=2, rng=RNG, keep_trees=True, opening_plies=3)

    assert played(engine).games == played('persistent').games


def test_kept_trees_change_what_is_found():
    """Else nothing would be kept."""
    bots = mcts(Search(60)), mcts(Search(30))
    one, two = (
        match(*bots, connect4.start, games=4, rng=RNG, keep_trees=keep) for keep in (True, False)
    )
    assert one.games != two.games


# ---- what games say ----


def test_results_are_told_from_the_first_bot_s_side():
    result = match(mcts(Search(200)), random_bot, tictactoe.start, games=20, rng=RNG)
    assert result.wins + result.draws + result.losses == 20
    assert result.score == (result.wins + result.draws / 2) / 20
    assert result.score > 0.8
    swapped = match(random_bot, mcts(Search(200)), tictactoe.start, games=20, rng=RNG)
    assert swapped.score < 0.2
    assert result.elo > 0 > swapped.elo
    low, high = result.interval
    assert low < result.score < high


@pytest.mark.parametrize(
    ('points', 'games', 'low', 'high'),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_s_interval_of_published_examples(points, games, low, high):
    assert tuple(round(end, 4) for end in wilson(points, games)) == (low, high)


def test_elo_points():
    assert [round(elo_of_score(score), 1) for score in (0.5, 0.75, 10 / 11)] == [0.0, 190.8, 400.0]
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    for elo in (-300, 0, 25):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


def test_sprt_errs_as_seldom_as_it_says():
    """By simulation: pairs of games with draws, true leads at either guess."""
    test, chance = Sprt(0, 40, alpha=0.05, beta=0.1), random.Random(1)  # noqa: S311 - simulation

    def pair(score):
        """Points of two games, of which two in five are drawn."""
        return sum(
            0.5 if chance.random() < 0.4 else float(chance.random() < (score - 0.2) / 0.6)
            for _ in range(2)
        )

    def wrong(elo, other):
        score, count = score_of_elo(elo), 0
        for _ in range(300):
            pairs = []
            while test.accepted(pairs) is None:
                pairs.append(pair(score))
            count += test.accepted(pairs) == other
        return count / 300

    assert wrong(0, 'elo1') <= 0.05 + 0.04  # three standard deviations of such a count
    assert wrong(40, 'elo0') <= 0.1 + 0.052


def test_sprt_ends_a_match_by_its_results_alone():
    bots = mcts(Search(100)), random_bot
    options = {'games': 200, 'rng': RNG, 'sprt': Sprt(0, 100)}
    alone = match(*bots, tictactoe.start, **options)
    assert alone.accepted == 'elo1'
    assert len(alone.games) < 200
    assert len(alone.games) % 2 == 0
    assert match(*bots, tictactoe.start, jobs=2, **options).games == alone.games
    assert evolve(alone, games=alone.games[:-2]).accepted is None


# ---- bad input ----


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        ({'games': 7}, 'games must be an even number, as each opening is played from both sides'),
        ({'games': 0}, 'games must be a whole number of at least 2, not 0'),
        ({'opening_plies': -1}, 'opening_plies must be a whole number of at least 0, not -1'),
        ({'openings': [], 'opening_plies': 0}, 'openings must hold at least one line of moves'),
        (
            {'openings': [[4, 4]], 'opening_plies': 0},
            r'opening \(4, 4\): ply 2: illegal move 4',
        ),
        ({'openings': [[4]]}, 'openings and opening_plies exclude each other'),
        ({'keep_trees': True, 'first': random_bot}, 'keep_trees needs a tree search'),
    ],
)
def test_what_is_no_match(given, complaint):
    with pytest.raises(ValueError, match=complaint):
        small(**given)


def test_a_finished_start_and_opening():
    end = (0, 3, 1, 4, 2)
    with pytest.raises(FinishedGameError, match='the game is over after it'):
        small(openings=[end], opening_plies=0)
    state = tictactoe.start
    for move in end:
        state = state.play(move)
    with pytest.raises(FinishedGameError, match='the game is over at the start'):
        match(random_bot, random_bot, state, rng=RNG)


def test_a_bot_s_illegal_move_is_told():
    with pytest.raises(IllegalMoveError, match='the bot of X: illegal move 9'):
        match(lambda _state, rng: (9, rng), random_bot, tictactoe.start, rng=RNG)


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        ({'elo0': 5, 'elo1': 5}, 'elo1 must be above elo0: 5 is not above 5'),
        ({'alpha': 0.5}, 'alpha must be a number between 0 and 0.5, not 0.5'),
        ({'beta': 0}, 'beta must be a number between 0 and 0.5, not 0'),
    ],
)
def test_what_is_no_test(given, complaint):
    with pytest.raises(ValueError, match=complaint):
        Sprt(**given)


def test_flat_monte_carlo_plays_too():
    result = match(monte_carlo(20), random_bot, tictactoe.start, games=4, rng=RNG)
    assert len(result.games) == 4


# ---- files, by the command line ----


def fmcts(*words, code=0):
    done = subprocess.run(
        [sys.executable, '-m', 'fmcts', *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done


MATCH = ('match', 'tictactoe', 'mcts:30', 'random', '--games', '40', '--opening-plies', '1')


@pytest.fixture(scope='module')
def whole(tmp_path_factory):
    """The file of a match that nothing interrupted."""
    path = tmp_path_factory.mktemp('matches') / 'whole.jsonl'
    told = json.loads(fmcts(*MATCH, '--out', str(path), '--json').stdout)
    return path, told


def test_the_command_tells_what_the_function_does(whole):
    path, told = whole
    bots = mcts(Search(30)), random_bot
    options = {'games': 40, 'rng': SplitMix.from_seed(0), 'opening_plies': 1}
    result = match(*bots, tictactoe.start, **options)
    assert (told['wins'], told['draws'], told['losses']) == (
        result.wins,
        result.draws,
        result.losses,
    )
    head, *lines = map(json.loads, path.read_text().splitlines())
    assert (head['first'], head['games'], len(lines)) == ('mcts:30', 40, 40)
    assert [line['moves'] for line in lines] == [list(map(str, g.moves)) for g in result.games]
    by_two = json.loads(fmcts(*MATCH, '--jobs', '2', '--json').stdout)
    for one in (told, by_two):
        del one['seconds'], one['jobs']
    assert told == by_two


def test_a_file_holds_and_every_altered_field_is_found(whole, tmp_path):
    path, _ = whole
    assert fmcts('verify', str(path), '--engine', 'inplace').stdout == (
        '40 games hold, move by move\n'
    )
    lines = path.read_text().splitlines()
    altered = tmp_path / 'altered.jsonl'
    from fmcts.cli.recorded import match_of  # noqa: PLC0415
    from fmcts.matches.files import read  # noqa: PLC0415
    from fmcts.matches.verification import verify  # noqa: PLC0415

    def found(changed):
        altered.write_text('\n'.join(changed) + '\n')
        recorded = read(altered)
        known = recorded.bind(lambda it: match_of(it.head, 'auto'))
        return known.bind(lambda both: verify(recorded.unwrap(), both[1], both[0]))

    assert found(lines).unwrap() == 40
    game = json.loads(lines[6])
    other = {
        'number': 6,
        'x': 'mc:30',
        'o': 'mc:30',
        'opening': [*game['opening'], '0'],
        'moves': game['moves'][:-1],
        'winner': {'X': 'O', 'O': None, None: 'X'}[game['winner']],
        'rng_in': game['rng_out'],
        'rng_out': game['rng_in'],
        'check': '0' * 16,
    }
    assert other.keys() == game.keys()
    for name, value in other.items():
        complaint = found([*lines[:6], json.dumps({**game, name: value}), *lines[7:]]).failure()
        assert complaint.startswith('game 5: '), name
        if name in ('opening', 'moves'):
            ply = 2 if name == 'opening' else 1 + len(game['moves'])
            assert f'ply {ply}: ' in complaint
    head = json.loads(lines[0])
    for name, value in {'fmcts': '0', 'second': 'mc:1', 'rng': 'splitmix:9', 'games': 42}.items():
        assert found([json.dumps({**head, name: value}), *lines[1:]]).failure(), name
    assert '39 are there' in found(lines[:-1]).failure()
    more = json.dumps({**json.loads(lines[-1]), 'more': 1})
    assert "game 39: 'more' is no field of a game" in found([*lines[:-1], more]).failure()
    done = fmcts('verify', str(altered), code=1)
    assert done.stderr.count('\n') == 1


def test_a_run_that_is_killed_goes_on(whole, tmp_path):
    """At any moment, also in the middle of a line: the same file, nothing lost, nothing twice."""
    path, told = whole
    content = path.read_bytes()
    chance = random.Random(5)  # noqa: S311 - moments
    broken = tmp_path / 'broken.jsonl'
    for size in [0, 5, *(chance.randrange(len(content)) for _ in range(2))]:
        broken.write_bytes(content[:size])
        again = json.loads(fmcts(*MATCH, '--out', str(broken), '--json').stdout)
        assert broken.read_bytes() == content
        assert again['wins'] == told['wins']


def test_a_process_killed_at_random_goes_on(tmp_path):
    path = tmp_path / 'killed.jsonl'
    words = ('match', 'tictactoe', 'mcts:300', 'mcts:200', '--games', '60', '--seed', '7')
    words = (*words, '--engine', 'inplace', '--out', str(path))
    chance = random.Random(6)  # noqa: S311 - moments
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, '-m', 'fmcts', *words], stdout=subprocess.DEVNULL
        )
        time.sleep(0.4 + chance.random())
        process.kill()
        process.wait()
    fmcts(*words)
    numbers = [json.loads(line)['number'] for line in path.read_text().splitlines()[1:]]
    assert numbers == list(range(60))
    assert fmcts('verify', str(path)).stdout.startswith('60 games hold')


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        ([*MATCH[:-3], '41'], 'games must be an even number'),
        ([*MATCH, '--opening', '9'], "opening 1: ply 1: '9' is not one of 0, 1, 2"),
        ([*MATCH, '--games', 'x'], "--games must be a whole number, not 'x'"),
        ([*MATCH, '--jobs', '0'], '--jobs must be at least 1, not 0'),
        ([*MATCH, '--jobs', '2', '--dask', 'local'], '--jobs and --dask exclude each other'),
        ([*MATCH, '--sprt', '5'], '--sprt must be two numbers such as 0,20'),
        ([*MATCH, '--plot', 'a.txt'], "--plot must name a .png or .svg file, not 'a.txt'"),
        (['match', 'tictactoe', 'mcts:30', 'human'], 'the second bot: '),
        (['match', 'tictactoe', 'mtcs', 'random'], "the first bot: unknown bot 'mtcs'"),
        (['verify', 'nothing.jsonl'], 'nothing.jsonl: there is no record'),
    ],
)
def test_bad_input_is_one_line(words, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = fmcts(*words, code=2)
    assert complaint in done.stderr
    assert done.stderr.count('\n') == 1
    assert not any(tmp_path.iterdir())


def test_another_match_s_file_is_left_alone(whole, tmp_path):
    path = tmp_path / 'mine.jsonl'
    for content, complaint in (
        (whole[0].read_bytes(), "holds another match, with second 'random', not 'mc:9'"),
        (whole[0].read_bytes().replace(b'"format": 1', b'"format": 2', 1), 'its format is 2'),
        (b'my notes\n', 'line 1 is no object of JSON'),
        (b'my notes', 'is no record of a match'),
    ):
        path.write_bytes(content)
        words = [*MATCH[:3], 'mc:9', *MATCH[4:], '--out', str(path)]
        assert complaint in fmcts(*words, code=2).stderr
        assert path.read_bytes() == content
    words = [*MATCH, '--out', str(tmp_path / 'no' / 'folder')]
    assert 'cannot write: No such file' in fmcts(*words, code=1).stderr


def test_a_full_disk_is_one_line(whole, tmp_path):
    """What was written stays, and the run goes on when there is room again."""
    path = tmp_path / 'full.jsonl'

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    command = [sys.executable, '-m', 'fmcts', *MATCH, '--out', str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=little_room
    )
    assert (done.returncode, done.stderr) == (1, 'fmcts: cannot write: File too large\n')
    kept, content = path.read_bytes(), whole[0].read_bytes()
    assert kept == content[: len(kept)]
    assert len(kept) > 2000
    fmcts(*MATCH, '--out', str(path))
    assert path.read_bytes() == content


def test_what_is_no_file_is_not_read():
    assert '/dev/full: is no file' in fmcts(*MATCH, '--out', '/dev/full', code=2).stderr


def test_an_address_without_a_scheduler():
    done = fmcts(*MATCH, '--dask', 'tcp://127.0.0.1:1', code=2)
    assert '--dask tcp://127.0.0.1:1: no scheduler answers there' in done.stderr


def test_pictures(tmp_path):
    result = match(mcts(Search(30)), random_bot, tictactoe.start, games=40, rng=RNG)
    for kind, begin in (('png', b'\x89PNG'), ('svg', b'<?xml')):
        paths = [tmp_path / f'{number}.{kind}' for number in range(2)]
        for path in paths:
            saved(bars([result, result], ['one', 'two']), path)
        assert paths[0].read_bytes().startswith(begin)
        assert paths[0].read_bytes() == paths[1].read_bytes()
    fmcts(*MATCH, '--plot', str(tmp_path / 'match.svg'))
    drawn = (tmp_path / 'match.svg').read_text()
    assert all(f'>{word}<' in drawn for word in ('won', 'drawn', 'lost', 'against random'))


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        (MATCH, 'this needs statsmodels: install fmcts[matches]'),
        (('tournament', 'tictactoe', 'random', 'mc:5'), 'install fmcts[matches]'),
        (('curve', 'tictactoe', 'mc', '--budgets', '5', '--against', 'random'), 'fmcts[matches]'),
        (('tree', 'tictactoe', '--out', 'a.svg'), 'this needs matplotlib: install fmcts[plot]'),
    ],
)
def test_a_library_that_is_missing_is_told_before_a_game_is_played(words, complaint):
    blocked = 'import sys; sys.modules["statsmodels"] = sys.modules["matplotlib"] = None; '
    code = f'{blocked}from fmcts.cli import main; sys.exit(main(sys.argv[1:]))'
    done = subprocess.run(
        [sys.executable, '-c', code, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, '')
    assert done.stderr.count('\n') == 1
    assert complaint in done.stderr
