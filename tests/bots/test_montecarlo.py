"""The flat Monte-Carlo bots against GHC's output and exact probabilities.

docs/sessions.md has the article's sessions.
"""

import functools

import pytest
from hypothesis import given, strategies as st

from fmcts import (
    EndlessGameError,
    Player,
    SplitMix,
    StdGen,
    monte_carlo,
    play_game,
    random_bot,
)
from fmcts.bots import article_mc_pure, article_mc_state
from fmcts.bots.montecarlo import evaluate
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.search._watch import STOP, chunks_by_count
from fmcts.testing import generators, positions


def after(*moves):
    return functools.reduce(tictactoe.TicTacToe.play, moves, tictactoe.start)


JEU = after(4, 0, 2, 5, 3, 6)  # the article's jeu402536


def one_line(state):
    return tictactoe.format(state).replace(' ', '').replace('\n', '')[:9]


# GHC 9.0.2, random 1.2.1.1: position, botRandom's move and state after; jouerJeu's winner, board
# and state after; botMc 500's move and state after. The gamma stays the seed's.
GHC = {
    0: """
        - 8 16294208416658607535 X OXOXXOOXX 13215595919858718341 4 12871407590504353785
        4 0 16294208416658607535 X OXO.X..X. 9836601445505775292 6 16499711135755132314
        4,0,2 1 16294208416658607535 . OOXXXOOXX 5531530131403887130 3 5334505059636921304
        4,0,2,5,3,6 1 16294208416658607535 . OXXXXOOOX 14141672759607663454 7 16395143137493393006
        0,4,8 1 16294208416658607535 O XOXOOO.XX 5531530131403887130 6 5885407200563461918
        0,1,2 3 16294208416658607535 X XOXOXO..X 7684065788454831211 7 13819993152391779888
        8,4,0,1 2 16294208416658607535 X XOXOOX..X 11989137102556719373 7 14519269643381370511
    """,
    42: """
        - 0 4530528345362647137 X XXXXO..OO 12197895156948539955 8 233800921059742203
        4 0 4530528345362647137 X OXXXXOOXO 7430608615994263752 8 10272565060445962733
        4,0,2 1 4530528345362647137 X OOXXX.XO. 12820297247056093151 6 13770555535831511765
        4,0,2,5,3,6 1 4530528345362647137 X OXXXXOOXO 18209985878117922550 7 14819102999619532710
        0,4,8 1 4530528345362647137 X XOX.OXO.X 12820297247056093151 2 18100593267362594339
        0,1,2 3 4530528345362647137 X XOXOX.XO. 12820297247056093151 7 5228691105399231689
        8,4,0,1 2 4530528345362647137 O XOX.O..OX 18209985878117922550 7 14274746593309179889
    """,
}
CASES = [
    (seed, *line.split()) for seed, lines in GHC.items() for line in lines.strip().splitlines()
]


@pytest.mark.parametrize('case', CASES, ids=lambda case: f'{case[0]}/{case[1]}')
def test_ghc_output(case):
    seed, moves, drawn, drawn_state, winner, board, game_state, move, mc_state = case
    state = after(*([] if moves == '-' else map(int, moves.split(','))))
    rng = SplitMix.from_seed(seed)
    assert random_bot(state, rng) == (int(drawn), SplitMix(int(drawn_state), rng.gamma))
    record, end = play_game(state, random_bot, random_bot, rng)
    assert record.winner is (None if winner == '.' else Player[winner])
    assert one_line(record.final) == board
    assert end == SplitMix(int(game_state), rng.gamma)
    assert article_mc_pure(500)(state, rng) == (int(move), SplitMix(int(mc_state), rng.gamma))


def test_the_state_bot_evaluates_the_first_move_first():
    """Section I-D: as I-C with the moves in ascending order, so each meets other numbers."""
    rng = StdGen(529669860, 1)
    counts = []
    for move in JEU.moves:
        node, _, rng = evaluate(JEU, move, 3333, rng, count='wins')
        counts.append((node.reward, move))
    analysis, end = article_mc_state(10_000).analyse(JEU, StdGen(529669860, 1))
    assert [(child.reward, child.move) for child in analysis.tree.children] == counts
    assert (analysis.move, end) == (max(counts)[1], rng)


def test_ties_follow_the_option():
    nothing_won = after(0, 1, 2, 4, 3, 5, 7)  # cells 6 and 8 are left, and no line is possible
    for ties, move in (('first', 6), ('last', 8)):
        bot = monte_carlo(50, count='wins', ties=ties)
        assert bot(nothing_won, SplitMix.from_seed(1))[0] == move


@given(
    state=st.one_of(*(positions(game.start, running=True) for game in GAMES.values())),
    rng=generators(),
    playouts=st.integers(1, 60),
)
def test_the_budget_is_split_evenly_with_at_least_one_each(state, rng, playouts):
    analysis, _ = monte_carlo(playouts).analyse(state, rng)
    share = max(1, playouts // len(state.moves))
    assert [stats.visits for stats in analysis.stats] == [share] * len(state.moves)
    assert analysis.iterations == analysis.tree.visits == share * len(state.moves)
    assert analysis.tree.reward + sum(child.reward for child in analysis.tree.children) == (
        analysis.tree.visits
    )


@pytest.mark.parametrize(
    ('playouts', 'told'),
    [
        (70, [10 * move + more for move in range(7) for more in (1, 9, 10)]),
        (1050, [150 * move + more for move in range(7) for more in (1, 9, 73, 150)]),
    ],
)
def test_watch_is_called_after_every_move_and_in_between(playouts, told):
    seen = []
    bot = monte_carlo(playouts, engine='inplace')
    with chunks_by_count():
        watched = bot.analyse(connect4.start, StdGen(5, 5), watch=seen.append)
    assert seen == told
    assert watched == bot.analyse(connect4.start, StdGen(5, 5))


def test_invalid_options_are_refused():
    with pytest.raises(TypeError, match='positional'):
        monte_carlo(5, 'wins')
    with pytest.raises(ValueError, match='playouts must be a whole number of at least 1, not 0'):
        monte_carlo(0)
    with pytest.raises(ValueError, match=r"count must be one of scores, wins, not 'win' \(did you"):
        monte_carlo(count='win')


def test_watch_cannot_stop_it():
    complaint = (
        '^watch cannot end flat Monte-Carlo, which gives every move the same number of playouts$'
    )
    with pytest.raises(ValueError, match=complaint):
        monte_carlo(70).analyse(connect4.start, StdGen(5, 5), watch=lambda _: STOP)


def test_playouts_are_limited_to_max_plies():
    """In the article's position two plies are left after a move."""
    assert monte_carlo(30, max_plies=2).analyse(JEU, StdGen(5, 5)) == monte_carlo(30).analyse(
        JEU, StdGen(5, 5)
    )
    with pytest.raises(EndlessGameError, match='is not over after 1 ply'):
        monte_carlo(30, max_plies=1)(JEU, StdGen(5, 5))
