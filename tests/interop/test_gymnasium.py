"""Gymnasium's environments as states, in step with the environments themselves."""

import copy
import functools
import itertools
from fractions import Fraction

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.utils import EzPickle
from returns.pipeline import is_successful

from fmcts import Search, SplitMix, analyse
from fmcts.errors import FinishedGameError, GameError, IllegalMoveError
from fmcts.game import chances_of, options_of
from fmcts.interop import gymnasium as interop
from fmcts.solve import expectation
from fmcts.testing import check_game
from fmcts.testing._laws.watching import parts
from toy_games import play_line

RNG = SplitMix.from_seed(1)
TABLES = {
    'lake': ('FrozenLake-v1', {}),
    'big lake': ('FrozenLake-v1', {'map_name': '8x8', 'is_slippery': False}),
    'cliff': ('CliffWalkingSlippery-v1', {'max_episode_steps': 30}),
    'taxi': ('Taxi-v4', {'is_rainy': True, 'max_episode_steps': 30}),
}


class Walk(gymnasium.Env):
    """Go left or right on a line from where the seed says, to an end that pays."""

    def __init__(self, *, noisy=False, size=4):
        self.action_space = gymnasium.spaces.Discrete(2, start=-1)
        self.observation_space = gymnasium.spaces.Discrete(2 * size + 1)
        self.noisy, self.size = noisy, size

    def reset(self, *, seed=None, options=None):  # noqa: ARG002 - has none
        super().reset(seed=seed)
        self.at = int(self.np_random.integers(-1, 2))
        self.wind = self.np_random
        return self.at + self.size, {}

    def step(self, action):
        self.at += 1 if action == 0 else -1
        if self.noisy:
            self.at += int(self.wind.integers(0, 2))
        over = abs(self.at) >= self.size
        return self.at + self.size, self.at / self.size if over else -0.125, over, False, {}


class Stiff(Walk):
    """It cannot be copied."""

    def __deepcopy__(self, memo):
        raise TypeError('a handle of the system')


class Anew(Walk, EzPickle):
    """A copy of it is a new one, which begins in the middle."""

    at = 0

    def __init__(self, **options):
        EzPickle.__init__(self, **options)
        super().__init__(**options)


class Shared(Walk):
    """All copies share where they are."""

    def __init__(self):
        super().__init__()
        self.place = [0]

    def __deepcopy__(self, memo):
        made = Shared()
        made.place = self.place
        return made

    at = property(lambda self: self.place[0], lambda self, at: self.place.__setitem__(0, at))


class Drifts(Stiff):
    """Each that is made or reset starts elsewhere."""

    times = itertools.count()

    def reset(self, **given):
        super().reset(**given)
        self.at = next(self.times) % 3 - 1
        return self.at + self.size, {}


class Tires(Stiff):
    """It pays less from step to step, over all games."""

    times = itertools.count()

    def step(self, action):
        at, _, *others = super().step(action)
        return at, -float(next(self.times)), *others


def place_of(env):
    return env.unwrapped.at


def put(env, at):
    env.unwrapped.at = at


SAVED = {'saved': (place_of, put)}


def walked(state, number, plies=30):
    """A random line of play: each state with the move or outcome that comes next."""
    rng = SplitMix.from_seed(number)
    for _ in range(plies):
        options = options_of(state)
        if not options:
            return
        index, rng = rng.uniform(0, len(options) - 1)
        yield state, options[index]
        state = state.play(options[index])
    yield state, None


@pytest.mark.parametrize('name', TABLES)
def test_a_table_is_what_the_environment_does(name):
    """Each step of the environment is among the outcomes of the state, with its reward and end."""
    kind, options = TABLES[name]
    env = gymnasium.make(kind, **options)
    for seed in range(4):
        env.reset(seed=seed)
        state = interop.start(kind, seed=seed, **options)
        assert state == interop.state_of(env)
        draws = np.random.default_rng(seed)
        while not state.over:
            action = int(draws.choice(state.moves))
            at, gained, terminated, truncated, _ = env.step(action)
            state = state.play(action)
            if state.chances:
                assert (state.moves, state.gained) == ((), 0.0)
                unique = at in dict(state.chances)
                state = state.play(at if unique else (at, gained, terminated))
            assert (state.at, state.gained, state.over) == (at, gained, terminated or truncated)
            same = interop.state_of(env)
            assert (same.at, same.left) == (state.at, state.left)
        assert state.moves == state.chances == ()


def by_induction(kind, steps, discount, **options):
    """The value of each state with so many steps left, by the table alone."""
    table = gymnasium.make(kind, **options).unwrapped.P
    value = dict.fromkeys(table, Fraction(0))
    for _ in range(steps):
        value = {
            at: max(
                sum(
                    Fraction(p).limit_denominator(100)
                    * (Fraction(gained) + discount * (not over) * value[after])
                    for p, after, gained, over in listed
                )
                for listed in actions.values()
            )
            for at, actions in table.items()
        }
    return value


@pytest.mark.parametrize(
    ('kind', 'steps', 'discount', 'options'),
    [
        ('FrozenLake-v1', 14, Fraction(1), {}),
        ('FrozenLake-v1', 9, Fraction(19, 20), {'map_name': '8x8', 'success_rate': 0.8}),
        ('CliffWalkingSlippery-v1', 6, Fraction(1, 2), {}),
        ('Taxi-v4', 5, Fraction(9, 10), {'is_rainy': True}),
    ],
)
def test_exact_values_are_those_of_dynamic_programming(kind, steps, discount, options):
    value = by_induction(kind, steps, discount, **options)
    state = interop.start(kind, seed=3, max_episode_steps=-1, **options)
    assert state.left is None
    found = expectation(state, discount=discount, horizon=steps)
    assert found.values == (value[state.at],)
    limited = interop.start(kind, seed=3, max_episode_steps=steps, **options)
    assert expectation(limited, discount=discount).values == found.values


def test_outcomes_that_share_a_state_are_told_apart():
    class Coin(Walk):
        """One state; a step pays 1 or nothing, and may end."""

        s = 0

    tosses = [(0.5, 0, 1.0, True), (0.25, 0, 0.0, False), (0.25, 0, 0.0, True)]
    Coin.P = {0: {0: tosses, 1: [(1.0, 0, 0.5, True)]}}
    state = interop.start(Coin)
    assert state.moves == (-1, 0)
    tossed = state.play(-1)
    assert tossed.chances == (((0, 1.0, True), 2), ((0, 0.0, False), 1), ((0, 0.0, True), 1))
    again = tossed.play((0, 0.0, False))
    assert (again, again.gained, again.over) == (state, 0.0, False)
    assert str(tossed) == 'state 0\naction -1'
    Coin.P[0][0] = [(0.5, 0, 1.0, True), (0.4, 0, 0.0, False)]
    with pytest.raises(ValueError, match=r'^Coin has probabilities that are not fractions of a '):
        interop.start(Coin)


WAYS = {
    'copied': (Walk, {}, True),
    'stiff': (Stiff, {}, False),
    'anew': (Anew, {}, False),
    'shared': (Shared, {}, False),
    'saved': (Stiff, SAVED, None),
    'pole': ('CartPole-v1', {'max_episode_steps': 12}, True),
}


@pytest.mark.parametrize('name', WAYS)
def test_states_follow_the_environment_and_go_back(name):
    kind, options, copied = WAYS[name]
    made = {it: options[it] for it in options if it != 'saved'}
    env = gymnasium.make(kind, **made) if isinstance(kind, str) else kind(**made)
    for seed in range(4):
        observation, _ = env.reset(seed=seed)
        begin = interop.start(kind, seed=seed, **options)
        assert copied is None or (begin._kept is not None) is copied
        passed = [*walked(begin, seed)]
        for state, action in passed:
            assert np.array_equal(state.observation, observation)
            if action is None or state.over:
                break
            observation, gained, terminated, truncated, _ = env.step(action)
            after = state.play(action)
            assert (after.gained, after.over) == (gained, terminated or truncated)
        for state, action in passed[::-2]:  # from any state again, in any order
            if action is not None:
                one, two = state.play(action), play_line(begin, (*state.history, action))
                assert one == two
                assert (one.gained, str(one)) == (two.gained, str(two))


def test_what_was_saved_says_when_states_are_equal():
    begin = interop.start(Stiff, **SAVED)
    there, back = begin.play(0).play(-1), begin.play(-1).play(0)
    assert there == back
    assert there.history != back.history
    begin = interop.start(Stiff)
    assert begin.play(0).play(-1) != begin.play(-1).play(0)


def test_a_saved_state_has_its_own_time_limit():
    def restore(env, value):
        env.unwrapped.state = np.array(value)

    saved = (lambda env: tuple(map(float, env.unwrapped.state))), restore
    limited = {'max_episode_steps': 5}
    begin = interop.start('CartPole-v1', saved=saved, **limited)
    other = interop.start('CartPole-v1', **limited)
    for line in itertools.product((0, 1), repeat=3):
        one, two = play_line(begin, line), play_line(other, line)
        assert np.allclose(one.observation, two.observation)
        assert (one.over, one.play(0).play(1).over) == (two.over, True)


@pytest.mark.parametrize(
    ('kind', 'words'),
    [
        (Drifts, r'Drifts cannot be replayed: with the seed 0 its reset gave \d, and \d before'),
        (Tires, r'Tires cannot be replayed: step 1, the action 0, gave something else than before'),
    ],
)
def test_an_environment_that_cannot_be_replayed_is_named(kind, words):
    begin = interop.start(kind)

    def go_back():
        there = begin.play(0)
        begin.play(-1)
        return there.play(0)

    with pytest.raises(GameError, match=f'^{words}'):
        [go_back() for _ in range(5)]


def test_where_a_step_draws_chance_moves():
    """With the generator of the environment the search would see what comes."""
    for kind in (Walk, Stiff):
        begin = interop.start(kind, noisy=True, samples=8, size=9)
        thrown = begin.play(0)
        assert (thrown.chances, thrown.moves) == (tuple((it, 1) for it in range(8)), ())
        ends = {thrown.play(outcome).observation for outcome in range(8)}
        assert ends == {begin.observation + 1, begin.observation + 2}
        assert thrown.play(3) == begin.play(0).play(3)
        lines = [[*walked(begin, number)] for number in range(3)]
        assert [*walked(begin, 1)] == lines[1]
        assert any(chances_of(state) for state, _ in lines[2])
        drawing = interop.start(kind, noisy=True, size=9).play(0)
        outcome, _ = drawing.chances(RNG)
        assert drawing.play(outcome).observation in ends
        assert drawing.play(3).observation == thrown.play(3).observation
        with pytest.raises(IllegalMoveError, match=r'^illegal move 0\.5'):
            drawing.play(0.5)


def test_a_search_that_lists_outcomes_says_what_is_missing():
    with pytest.raises(GameError, match=r'outcomes that it draws and does not list: say how many '):
        analyse(interop.start(Walk, noisy=True), RNG, Search(50))


class Plane(gymnasium.Env):
    """Two numbers are pushed around."""

    def __init__(self, space):
        self.action_space = space

    def reset(self, *, seed=None, options=None):  # noqa: ARG002 - has none
        super().reset(seed=seed)
        self.at = 0.0
        return self.at, {}

    def step(self, action):
        assert action.dtype == self.action_space.dtype
        assert action.shape == self.action_space.shape
        self.at += float(action.sum())
        return self.at, self.at, False, False, {}


@pytest.mark.parametrize(
    ('space', 'legal', 'illegal'),
    [
        (gymnasium.spaces.Box(-1, 2, (2, 1), np.float32), (0.5, 2.0), (0.5, 3.0)),
        (gymnasium.spaces.MultiDiscrete([3, 2], start=[1, 0]), (3, 1), (0, 1)),
        (gymnasium.spaces.MultiBinary(3), (1, 0, 1), (1, 2, 0)),
    ],
)
def test_actions_of_several_numbers_are_proposed(space, legal, illegal):
    begin = interop.start(functools.partial(Plane, space))
    assert (begin.moves, begin.over) == ((), False)
    after = begin.play(legal)
    assert (after.gained, after.history) == (sum(legal), (legal,))
    for wrong in (illegal, legal[:1], 'all', None):
        with pytest.raises(IllegalMoveError, match='accepted is a tuple in '):
            after.play(wrong)
    rng, drawn = RNG, set()
    for _ in range(200):
        move, rng = interop.propose(begin, rng)
        drawn.add(move)
        begin.play(move)
    columns = [*zip(*drawn, strict=True)]
    if space.dtype == np.float32:
        assert all(min(column) < -0.8 and max(column) > 1.8 for column in columns)
    else:
        assert len(drawn) == {2: 6, 3: 8}[len(legal)]


def test_a_pendulum_is_pushed_as_the_environment_does():
    env = gymnasium.make('Pendulum-v1', max_episode_steps=9)
    observation, _ = env.reset(seed=2)
    begin = state = interop.start('Pendulum-v1', seed=2, max_episode_steps=9)
    while not state.over:
        assert np.array_equal(state.observation, observation)
        (push,), _ = interop.propose(state, SplitMix.from_seed(len(state.history)))
        observation, gained, _, truncated, _ = env.step(np.array([push], np.float32))
        state = state.play((push,))
        assert (state.gained, state.over) == (gained, truncated)
    assert len(state.history) == 9
    search = Search(40, proposals=interop.propose, normalised=True, horizon=5)
    found = [analyse(begin, RNG, search, engine=it)[0] for it in ('persistent', 'inplace')]
    assert found[0] == found[1]
    assert len(found[0].stats) == 7


@pytest.mark.parametrize('name', ['FrozenLake-v1', 'CartPole-v1'])
def test_an_environment_at_its_time_limit_is_over(name):
    env = gymnasium.make(name, max_episode_steps=2)
    env.reset(seed=1)
    for left in (2, 1, 0):
        state = interop.state_of(env)
        assert (state.over, state.moves == ()) == (left == 0, left == 0)
        env.step(0)


@pytest.mark.parametrize('name', ['FrozenLake-v1', 'CliffWalking-v1', 'Taxi-v4'])
def test_an_environment_that_its_table_has_ended_is_over(name):
    env, seen = gymnasium.make(name), set()
    table = env.unwrapped.P
    last = [at for at in table if any(step[3] for row in table[at].values() for step in row)]
    for at, action in itertools.product(last, table[0]):
        env.reset(seed=1)
        env.unwrapped.s = at
        seen.add(ended := env.step(action)[2])
        assert interop.state_of(env).over == ended
    assert seen == {False, True}
    env.reset()
    assert not interop.state_of(env).over


def test_a_pole_that_has_fallen_is_over():
    env = gymnasium.make('CartPole-v1')
    env.reset(seed=1)
    while not env.step(0)[2]:
        assert not interop.state_of(env).over
    with pytest.raises(FinishedGameError, match='the game is over: there is no move to search'):
        analyse(interop.state_of(env), RNG, Search(9))


def turned():
    """A lake without slipping, whose actions and rewards a wrapper changes."""
    lake = gymnasium.make('FrozenLake-v1', is_slippery=False)
    turn = wrappers.TransformAction(lake, lambda action: 3 - action, lake.action_space)
    return wrappers.TransformReward(turn, lambda reward: reward - 0.5)


def test_a_table_below_wrappers_that_change_steps_is_not_the_state():
    state = play_line(interop.start(turned, samples=1), (2, 0))  # down, and an outcome
    assert (state.gained, state.observation) == (-0.5, 4)
    counting = wrappers.RecordEpisodeStatistics(gymnasium.make('FrozenLake-v1'))
    counting.reset()
    assert interop.state_of(counting).at == 0


def test_a_fickle_passenger_changes_the_destination():
    state = interop.start('Taxi-v4', seed=3, fickle_passenger=True, samples=9)
    for action in (0, 0, 3, 3, 1, 1, 4):  # fetch the passenger
        state = play_line(state, (action, 0))
    found = {state.play(0).play(outcome).observation % 4 for outcome in range(9)}
    assert found == {0, 1, 3}  # all but 2, where they wanted to go


def test_a_bot_plays_an_environment():
    """Which has no table and was begun by somebody else."""
    env = gymnasium.make('CartPole-v1', max_episode_steps=6, render_mode=None)
    env.reset(seed=5)
    state = interop.state_of(env)
    for action in (1, 0, 1):
        seen = env.step(action)
        state = state.play(action)
        assert np.array_equal(seen[0], state.observation)
        following = interop.state_of(env).play(0)
        assert np.array_equal(following.observation, state.play(0).observation)
    assert [play_line(state, line).over for line in ((0, 1), (0, 1, 0))] == [False, True]


@pytest.mark.parametrize('name', ['lake', 'cliff', 'taxi', 'copied', 'anew', 'saved'])
def test_the_laws_of_games_hold(name):
    kind, options, *_ = {**TABLES, **WAYS}[name]
    start = interop.start(kind, seed=1, **options)
    without = [] if name == 'lake' else ['the same in another process']
    found = check_game(start, positions=5, games=1, without=without)
    assert is_successful(found), found


def test_laws_take_the_table_of_a_state_as_one_part_of_it():
    state = interop.start('Taxi-v4')
    assert copy.deepcopy(state).table is state.table
    assert {path for path, _ in parts(state, 'it')} == {
        *('it', 'it.table', 'it.at', 'it.left', 'it.action', 'it.gained', 'it.over', 'it.chances')
    }


def test_texts_show_where_the_agent_is():
    state = interop.start('FrozenLake-v1').play(1).play(4)
    assert str(state).splitlines() == [' S  F  F  F', '[F] H  F  H', ' F  F  F  H', ' H  F  F  G']
    assert str(state.play(2)).endswith('\naction 2')
    assert str(interop.start('Blackjack-v1', seed=1, samples=2)) == '(20, 7, 0)'


@pytest.mark.parametrize(
    ('call', 'complaint'),
    [
        (lambda: interop.start('Taxi'), r'^Gymnasium has no game .Taxi. \(did you mean Taxi-v4'),
        (
            lambda: interop.start(
                functools.partial(Plane, gymnasium.spaces.Box(-np.inf, 1, (1,), np.float32))
            ),
            r'^Plane cannot be searched: its actions are Box.*; expected are Discrete, Mult',
        ),
        (lambda: interop.start(3), r'^game must be a name in Gymnasium, or a function that makes'),
        (lambda: interop.start(dict), r'^<function .* gives {}, which is not an environment$'),
        (lambda: interop.start('FrozenLake-v1', desc=['SG']), r'^options must have hashes'),
        (lambda: interop.start('Blackjack-v1', samples=0), r'^samples must be a whole number'),
        (lambda: interop.state_of(7), r'^env must be an environment of Gymnasium, not 7$'),
        (
            lambda: interop.state_of(gymnasium.make('FrozenLake-v1').unwrapped),
            '^FrozenLake-v1 was not reset: call reset first$',
        ),
        (
            lambda: interop.state_of(gymnasium.make('CartPole-v1')),
            '^CartPole-v1 was not reset: call reset first$',
        ),
        (lambda: interop.state_of(Anew()), r'^a copy of Anew would begin anew: use start, which'),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_line(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
