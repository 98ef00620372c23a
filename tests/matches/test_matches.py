"""Matches: reproducible games, kept trees, and results."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, analyse, mcts, monte_carlo, play_game, random_bot
from fmcts.errors import IllegalMoveError
from fmcts.games import connect4, tictactoe
from fmcts.matches import _game as game, match, play_match, play_number
from fmcts.matches._running import games_of
from fmcts.matches.plots import bars, saved
from played import MATCH, RNG, fmcts, small

# ---- games by number ----


def test_a_game_depends_only_on_its_number():
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
def test_games_are_independent(numbers):
    described = small()
    played = {number: play_number(described, number) for number in numbers}
    again = list(games_of(described, range(12)))
    assert all(again[number] == game for number, game in played.items())


def test_given_openings_are_used_in_turn():
    described = small(openings=[[4], [0, 8]], opening_plies=0)
    found = [game.opening for game in play_match(described).games]
    assert found == 3 * [(4,), (4,), (0, 8), (0, 8)]


def test_openings_on_the_command_line_may_contain_spaces():
    words = ('match', 'tictactoe', 'mc:5', 'random', '--games', '8', '--csv', '--opening')
    told = [fmcts(*words, text, '--opening', '0').stdout for text in ('4,0', ' 4, 0 ')]
    assert told[0] == told[1]
    assert [line.split(',')[4] for line in told[0].splitlines()[1:]] == 2 * ['4 0', '4 0', '0', '0']


def test_random_openings_stop_before_the_end():
    played = play_match(small(opening_plies=50)).games
    assert all(game.moves for game in played)


# ---- told, and played before ----


def test_watch_receives_games_in_order():
    heard = []
    with ThreadPoolExecutor(2) as threads:
        result = play_match(small(games=30), executor=threads, watch=heard.append)
    assert tuple(heard) == result.games
    assert [game.number for game in heard] == list(range(30))


def test_games_played_before_are_not_replayed():
    described = small()
    whole = play_match(described)
    heard = []
    rest = play_match(described, before=whole.games[:7], watch=heard.append)
    assert rest == whole
    assert heard == list(whole.games[7:])


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


def test_kept_trees_are_topped_up_only(monkeypatch):
    made = []

    def counted(state, rng, search, *, tree, **more):
        known = 0 if tree is None else tree.visits
        found, rng = analyse(state, rng, search, tree=tree, **more)
        made.append((found.tree.visits, known))
        assert found.iterations == known + search.iterations
        return found, rng

    monkeypatch.setattr(game, 'analyse', counted)
    bots = mcts(Search(60)), random_bot
    games = match(*bots, connect4.start, games=4, rng=RNG, keep_trees=True).games
    assert len(made) == sum(len(it.moves[it.number % 2 :: 2]) for it in games)
    assert {visits for visits, known in made if known < 60} == {60}
    assert all(visits == known + 1 for visits, known in made if known >= 60)
    assert sum(known > 0 for _, known in made) > len(made) / 2


# ---- what games say ----


def test_results_are_for_the_first_bot():
    result = match(mcts(Search(200)), random_bot, tictactoe.start, games=20, rng=RNG)
    assert result.wins + result.draws + result.losses == 20
    assert result.score == (result.wins + result.draws / 2) / 20
    assert result.score > 0.8
    swapped = match(random_bot, mcts(Search(200)), tictactoe.start, games=20, rng=RNG)
    assert swapped.score < 0.2
    assert result.elo > 0 > swapped.elo
    low, high = result.interval
    assert low < result.score < high


# ---- bad input ----


def test_a_bot_s_illegal_move_is_reported():
    with pytest.raises(
        IllegalMoveError, match=r'^game 0: ply 1: first \(X\) against second: illegal move 9'
    ):
        match(lambda _state, rng: (9, rng), random_bot, tictactoe.start, rng=RNG)


def test_flat_monte_carlo_against_random():
    result = match(monte_carlo(20), random_bot, tictactoe.start, games=4, rng=RNG)
    assert len(result.games) == 4


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
