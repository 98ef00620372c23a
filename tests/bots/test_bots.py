"""Bots as values and as functions: random, tree search, levels, alpha-beta."""

import importlib
import pickle

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import (
    EngineError,
    FinishedGameError,
    IllegalMoveError,
    Search,
    SplitMix,
    StdGen,
    alphabeta,
    analyse,
    mcts,
    perfect,
    random_bot,
)
from fmcts.bots import AnalysingBot, AtTemperature, Level, MctsBot, monte_carlo, parse_bot
from fmcts.bots._bot import checked_answer
from fmcts.bots._solving import AlphaBetaBot, playing
from fmcts.games import connect4, tictactoe
from fmcts.games.chance import mnk3
from fmcts.matches import match
from fmcts.selfplay.draws import by_visits
from fmcts.solve import AlphaBeta, MoveValue, move_values
from fmcts.testing import generators, positions, searches

running = positions(connect4.start, running=True)
BOTS = [random_bot, monte_carlo(40), mcts(Search(40)), perfect()]


@given(state=running, rng=generators())
def test_the_random_bot_plays_the_move_it_draws(state, rng):
    index, after = rng.uniform(0, len(state.moves) - 1)
    assert random_bot(state, rng) == (state.moves[index], after)


@given(state=running, rng=generators(), search=searches(max_iterations=40))
def test_mcts_plays_the_analysis_s_move(state, rng, search):
    analysis, after = analyse(state, rng, search)
    assert mcts(search)(state, rng) == (analysis.move, after)


@pytest.mark.parametrize('bot', BOTS[1:], ids=['mc', 'mcts', 'perfect'])
def test_bots_are_values(bot):
    assert pickle.loads(pickle.dumps(bot)) == bot  # noqa: S301 - our own bytes
    assert hash(pickle.loads(pickle.dumps(bot))) == hash(bot)  # noqa: S301
    assert isinstance(bot, AnalysingBot) == (bot != perfect())


@pytest.mark.parametrize('bot', BOTS, ids=['random', 'mc', 'mcts', 'perfect'])
def test_a_finished_game_is_refused(bot):
    with pytest.raises(FinishedGameError, match='the game is over: there is no move to'):
        bot(tictactoe.parse('XXXOO....').unwrap(), SplitMix.from_seed(1))


def test_arguments_of_a_tree_search_bot():
    """The search may be named, the engine must be; and nothing else is a search."""
    search, rng = Search(40), SplitMix.from_seed(1)
    bot = mcts(search=search, engine='inplace')
    assert bot == MctsBot(search, engine='inplace') != mcts(search)
    with pytest.raises(TypeError, match='positional'):
        MctsBot(search, 'inplace')
    with pytest.raises(TypeError, match='Search'):
        MctsBot(5)
    with pytest.raises(EngineError, match="unknown engine 'fast': accepted are auto, "):
        mcts(engine='fast')
    found = bot.analyse(state=tictactoe.start, rng=rng, root_moves=[0, 4])
    assert found == analyse(tictactoe.start, rng, search, root_moves=[0, 4])


# What a bot answers.


class Numbers:
    """A generator of another kind."""

    def uniform(self, low, _high):
        return low, self

    def split(self):
        return self, self

    def child(self, _index):
        return self


RNG = SplitMix.from_seed(1)
X_PLAYED = tictactoe.start.play(4)


@pytest.mark.parametrize('after', [RNG, StdGen(1, 1), Numbers()], ids=['own', 'other', 'any'])
def test_any_pair_of_a_legal_move_and_a_generator_is_accepted(after):
    for pair in ((8, after), [8, after], iter((8, after))):
        assert checked_answer(pair, X_PLAYED, RNG) == (8, after)


@pytest.mark.parametrize('same', [8.0, 8 + 0j])
def test_moves_are_replaced_by_the_game_s_own(same):
    """What is equal to it may have another text, or none, and be no index."""
    move, _ = checked_answer((same, RNG), X_PLAYED, RNG)
    assert (move, type(move)) == (8, int)


@pytest.mark.parametrize(
    ('answer', 'wrong'),
    [
        (8, 'expected a move and a generator, not 8'),
        ((8,), r'expected a move and a generator, not \(8,\)'),
        (None, 'expected a move and a generator, not None'),
        ((8, None), 'expected a generator after its move, not None'),
        ((8, Numbers), 'expected a generator after its move, not <class '),
        ((4, RNG), 'illegal move 4: the legal moves are 0, 1, 2, 3, 5, 6, 7, 8'),
        ((4, None), 'expected a generator'),
    ],
    ids=range(7),
)
def test_other_answers_are_refused(answer, wrong):
    with pytest.raises(IllegalMoveError, match=f'^the bot of O: {wrong}'):
        checked_answer(answer, X_PLAYED, RNG)
    with pytest.raises(IllegalMoveError, match=f'^O at 7: {wrong}'):
        checked_answer(answer, X_PLAYED, RNG, lambda player, plies: f'{player} at {plies}', 7)


def test_the_typed_compositions_run():
    """Their types are checked by `tests/snippets.py`."""
    assert importlib.import_module('typed_bots').move in (1, 2, 3)


# ---- levels ----


@pytest.mark.parametrize('temperature', [0, 0.5, 3])
def test_a_move_is_drawn_by_the_visits_of_the_search(temperature):
    search = Search(60)
    analysis, after = analyse(connect4.start, RNG, search)
    found = AtTemperature(search, temperature)(connect4.start, RNG)
    assert found == by_visits(analysis.stats, after, temperature)
    assert (found == (analysis.move, after)) == (temperature == 0)


def test_a_level_is_a_number_of_iterations_and_a_temperature():
    for level, iterations, temperature in ((1, 20, 0.9), (7, 1_280, 0.3), (10, 10_240, 0.0)):
        alike = AtTemperature(Search(iterations), temperature)
        assert Level(level)(tictactoe.start, RNG) == alike(tictactoe.start, RNG)
        assert parse_bot(f'level:{level}').unwrap() == Level(level)
    assert parse_bot('level:11').failure().endswith('level must be at most 10, not 11')
    assert Level(3)(mnk3.start(), RNG)[0] in mnk3.start().moves


def test_a_level_wins_against_a_lower_one():
    for better, worse in ((Level(6), Level(1)), (Level(4), random_bot)):
        found = match(better, worse, tictactoe.start, games=30, rng=RNG, opening_plies=1)
        assert found.score > 0.6


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        (lambda: Level(0), 'level must be a whole number of at least 1, not 0'),
        (lambda: Level(11), 'level must be at most 10, not 11'),
        (lambda: AtTemperature(Search(), -1), 'temperature must be 0 or a number'),
    ],
)
def test_bad_levels_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ---- alpha-beta ----


unfinished = positions(tictactoe.start, running=True)


@settings(max_examples=30)
@given(state=unfinished, depth=st.none() | st.integers(1, 9), distance=st.booleans())
def test_the_first_move_of_the_best_value_is_played(state, depth, distance):
    values = move_values(state, AlphaBeta(depth, distance=distance))
    assert alphabeta(depth, distance=distance)(state, RNG) == (playing(values), RNG)


def test_ties_between_values_and_distances():
    rows = [
        MoveValue(0, 0.0, 2), MoveValue(1, 0.0, 6), MoveValue(2, 0.5, None),
        MoveValue(3, 0.5, None), MoveValue(4, 1.0, 5), MoveValue(5, 1.0, 3), MoveValue(6, 1.0, 3),
    ]  # fmt: skip
    assert [playing(tuple(rows[:count])) for count in range(1, 8)] == [0, 1, 2, 2, 4, 5, 5]


def test_alpha_beta_bots_are_values():
    assert perfect() == alphabeta() == AlphaBetaBot()
    assert perfect() != alphabeta(distance=False)


def test_invalid_options_are_refused():
    with pytest.raises(EngineError, match="unknown engine 'fast'"):
        perfect(engine='fast')
    with pytest.raises(
        TypeError, match=r'search must be an AlphaBeta, not Search\(iterations=1000'
    ):
        AlphaBetaBot(Search())


def test_arguments_of_an_alpha_beta_bot():
    """Positions and depth may be named, the engine must be."""
    state = tictactoe.parse('XX.OO....').unwrap()
    bot = alphabeta(depth=2, evaluate=None, engine='inplace')
    assert bot == AlphaBetaBot(AlphaBeta(2), engine='inplace')
    with pytest.raises(TypeError, match='positional'):
        AlphaBetaBot(AlphaBeta(2), 'inplace')
    assert bot(state=state, rng=RNG) == (2, RNG)
