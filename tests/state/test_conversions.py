"""`to_state` and `from_state` are inverse to each other."""

from hypothesis import given, strategies as st

from fmcts import mcts, random_bot
from fmcts.bots import MonteCarlo
from fmcts.games import tictactoe
from fmcts.search._description import Search
from fmcts.state import State, do, from_state, get, put, to_state
from fmcts.testing import generators, positions

running = positions(tictactoe.start, max_plies=4)  # too short a game to be over
bots = st.sampled_from([random_bot, MonteCarlo(20), mcts(Search(15))])


@do
def drawn(position):
    rng = yield get()
    index, rng = rng.uniform(0, len(position.moves) - 1)
    yield put(rng)
    return position.moves[index]


state_bots = st.sampled_from([drawn, to_state(MonteCarlo(20))])


@given(bots, running, generators())
def test_round_trips_keep_a_bot_s_play(bot, position, rng):
    assert from_state(to_state(bot))(position, rng) == bot(position, rng)
    assert to_state(bot)(position).run(rng) == bot(position, rng)


@given(state_bots, running, generators())
def test_round_trips_change_nothing(bot, position, rng):
    assert to_state(from_state(bot))(position).run(rng) == bot(position).run(rng)
    assert from_state(bot)(position, rng) == bot(position).run(rng)


@given(st.integers(), st.integers())
def test_any_function_of_that_shape_is_accepted(item, state):
    def pure(item, state):
        return (item, state), item - state

    assert to_state(pure)(item).run(state) == pure(item, state)
    assert from_state(lambda item: State(lambda state: pure(item, state)))(item, state) == pure(
        item, state
    )
