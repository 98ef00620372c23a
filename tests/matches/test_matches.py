"""Matches: reproducible games, kept trees, and results."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, mcts, random_bot
from fmcts.games import connect4, tictactoe
from fmcts.matches import match, play_match, play_number
from fmcts.matches._running import games_of
from fmcts.matches.plots import bars, saved
from played import MATCH, RNG, fmcts, small

# ---- games by number ----


@given(st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True))
@settings(max_examples=10)
def test_games_are_independent(numbers):
    described = small()
    played = {number: play_number(described, number) for number in numbers}
    again = list(games_of(described, range(12)))
    assert all(again[number] == game for number, game in played.items())


def test_openings_on_the_command_line_may_contain_spaces():
    words = ('match', 'tictactoe', 'mc:5', 'random', '--games', '8', '--csv', '--opening')
    told = [fmcts(*words, text, '--opening', '0').stdout for text in ('4,0', ' 4, 0 ')]
    assert told[0] == told[1]
    assert [line.split(',')[4] for line in told[0].splitlines()[1:]] == 2 * ['4 0', '4 0', '0', '0']


# ---- told, and played before ----


def test_watch_receives_games_in_order():
    heard = []
    with ThreadPoolExecutor(2) as threads:
        result = play_match(small(games=30), executor=threads, watch=heard.append)
    assert tuple(heard) == result.games
    assert [game.number for game in heard] == list(range(30))


# ---- kept trees ----


@pytest.mark.parametrize('engine', ['inplace', 'monadic', 'compiled'])
def test_kept_trees_agree_on_every_engine(engine):
    def played(name):
        bots = mcts(Search(60), engine=name), mcts(Search(30), engine=name)
        return match(*bots, connect4.start, games=2, rng=RNG, keep_trees=True, opening_plies=3)

    assert played(engine).games == played('persistent').games


def test_kept_trees_change_the_result():
    """Else nothing would be kept."""
    bots = mcts(Search(60)), mcts(Search(30))
    one, two = (
        match(*bots, connect4.start, games=4, rng=RNG, keep_trees=keep) for keep in (True, False)
    )
    assert one.games != two.games


# ---- pictures ----


def test_plots_are_reproducible(tmp_path):
    result = match(mcts(Search(30)), random_bot, tictactoe.start, games=40, rng=RNG)
    for kind, begin in (('png', b'\x89PNG'), ('svg', b'<?xml')):
        paths = [tmp_path / f'{number}.{kind}' for number in range(2)]
        for path in paths:
            saved(bars([result, result], ['one', 'two']), path)
        assert paths[0].read_bytes().startswith(begin)
        assert paths[0].read_bytes() == paths[1].read_bytes()
    fmcts(*MATCH, '--plot', str(tmp_path / 'match.svg'))
    drawn = (tmp_path / 'match.svg').read_text()
    assert all(
        f'>{word}<' in drawn for word in ('won', 'drawn', 'lost', 'tictactoe, against random')
    )
