"""PettingZoo's board games compared with ours, and our games as its environments."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import define, field
from pettingzoo.classic.connect_four import connect_four

from fmcts import Player, Search, SplitMix, analyse
from fmcts.errors import IllegalMoveError
from fmcts.games import connect4, find_game, othello, tictactoe
from fmcts.interop import openspiel, pettingzoo

with warnings.catch_warnings():  # its own names for its games are deprecated
    warnings.simplefilter('ignore')
    from pettingzoo.test import api_test, seed_test

RNG = SplitMix.from_seed(1)


def by_rows(state):
    """An array for a state without rules on integers."""
    return np.array([state.x, state.o], np.int64)


@pytest.mark.parametrize(
    ('make', 'mine'),
    [('classic/tictactoe-v3', tictactoe.start), (connect_four.env, connect4.start)],
    ids=['tictactoe', 'connect4 in its wrappers'],
)
def test_the_same_game_gives_the_same_search(make, mine):
    """Whose steps change an environment; the digest names every node."""
    state = pettingzoo.start(make)
    one, two = (analyse(it, RNG, Search(60))[0] for it in (state, mine))
    assert (one.digest, one.move) == (two.digest, two.move)


@pytest.mark.parametrize(
    ('make', 'complaint'),
    [
        (
            'classic/tictactoe',
            r'no game .classic/tictactoe. \(did you mean classic/tictactoe-v3',
        ),
        ('classic/leduc_holdem-v4', 'leduc_holdem_v4 cannot be searched: it does not always start'),
        (
            'classic/rps-v2',
            'rps_v2 cannot be searched: neither its observations nor its infos',
        ),
        (3, '^game must be a name in PettingZoo, or a function that makes an environment, not 3'),
        (int, "^<class 'int'> gives 0, which is not an environment"),
    ],
)
def test_unsupported_games_are_refused(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        pettingzoo.start(make)


@define(slots=False)
class Stub:
    """An environment of one ply, whose second agent's name stands before the first's."""

    possible_agents: list = field(factory=lambda: ['white', 'black'])
    observed: list = field(factory=list)
    rewards: dict = field(factory=lambda: {'white': 0, 'black': 0})
    agent_selection: str = 'white'
    infos: dict = field(factory=lambda: {'white': {}, 'black': {}})
    metadata = {'name': 'stub'}  # noqa: RUF012 - as PettingZoo has it
    unwrapped = property(lambda self: self)

    def reset(self, seed):
        self.terminations = self.truncations = dict.fromkeys(self.possible_agents, False)
        self.seed = seed

    def observe(self, _agent):
        return self.observed[min(self.seed, len(self.observed) - 1)]

    def step(self, _action):
        self.terminations = dict.fromkeys(self.possible_agents, True)


PLAIN = {'action_mask': np.array([0, 1, 1])}


def test_masks_may_be_in_the_infos():
    """PettingZoo's own `api_test` accepts these too."""
    infos = {agent: {'action_mask': np.array([1, 0, 1])} for agent in ('white', 'black')}
    for observed in ([np.zeros(3)], [{'observation': 1}]):
        state = pettingzoo.start(lambda seen=observed: Stub(observed=seen, infos=infos))
        assert state.moves == (0, 2)
        assert state.play(2).over


@pytest.mark.parametrize(
    ('given', 'why'),
    [
        ({'possible_agents': ['a', 'b', 'c']}, 'it has 3 agents, not 2'),
        ({'observed': [{'observation': 1}]}, 'neither its observations nor its infos have an act'),
        ({'observed': [PLAIN['action_mask']]}, 'neither its observations nor its infos have an ac'),
        ({'observed': [PLAIN, {**PLAIN, 'more': 1}]}, 'it does not always start in the same state'),
        ({'observed': [PLAIN] * 7 + [{'action_mask': np.ones(3)}]}, 'it does not always start'),
    ],
    ids=range(5),
)
def test_games_not_for_two_players_are_refused(given, why):
    with pytest.raises(ValueError, match=f"^PettingZoo's game stub cannot be searched: {why}"):
        pettingzoo.start(lambda: Stub(**given))


class Points(Stub):
    """An action gives the agent as many points, and there are four of them, in turn."""

    def reset(self, seed):
        super().reset(seed)
        self.rewards, self.steps = dict.fromkeys(self.possible_agents, 0.0), 0

    def step(self, action):
        first, second = self.possible_agents
        self.rewards = {first: 0.0, second: 0.0, self.agent_selection: float(action)}
        self.agent_selection = first if self.agent_selection == second else second
        self.steps += 1
        self.terminations = dict.fromkeys(self.possible_agents, self.steps == 4)


@pytest.mark.parametrize(('actions', 'winner'), [
    ((2, 1, 1, 1), Player.X), ((1, 2, 2, 2), Player.O), ((2, 1, 1, 2), None),
])  # fmt: skip
def test_rewards_of_all_steps_count(actions, winner):
    state = pettingzoo.start(lambda: Points(observed=[PLAIN]))
    for action in actions:
        assert state.winner is None
        state = state.play(action)
    assert (state.over, state.winner) == (True, winner)


class Truncated(Stub):
    """The game is broken off, which only `truncations` say."""

    def step(self, _action):
        self.truncations = dict.fromkeys(self.possible_agents, True)


def test_a_truncated_game_is_over():
    rewards = {'white': 0, 'black': 1}
    state = pettingzoo.start(lambda: Truncated(observed=[PLAIN], rewards=rewards))
    assert (state.over, state.winner) == (False, None)
    after = state.play(1)
    assert (after.over, after.moves, after.winner) == (True, (), Player.O)


# Our games as environments.


def test_bits_of_negative_and_large_numbers(monkeypatch):
    numbers = (-1, 5, 2**64 + 2)
    rules = SimpleNamespace(pack=lambda _state: numbers)
    monkeypatch.setattr(pettingzoo, 'rules_of', lambda _state: rules)
    env = pettingzoo.GameEnv(tictactoe.start, range(9))
    env.reset()
    bits = env.observe('player_0')['observation'].tolist()
    assert bits == [1] * 64 + [1, 0, 1] + [0] * 61 + [0, 1] + [0] * 62


@pytest.mark.parametrize(('game', 'actions'), [(tictactoe, 9), (connect4, 7), (othello, 65)])
@pytest.mark.filterwarnings('ignore:Observation')  # of spaces with masks, which their own have
def test_pettingzoo_s_api_test_passes(game, actions):
    api_test(pettingzoo.GameEnv(game.start, range(actions)), num_cycles=100)


def test_an_environment_plays_the_game():
    """Moves, masks and rewards are the state's; what is left over is nothing."""
    env, state = pettingzoo.GameEnv(othello.start, range(65)), othello.start
    env.reset()
    rng = RNG
    for agent in env.agent_iter():
        observed, reward, terminated, truncated, _ = env.last()
        assert terminated == state.over
        assert not truncated
        if terminated:
            ours = {'player_0': Player.X, 'player_1': Player.O}[agent]
            assert reward == (0 if state.winner is None else 1 if state.winner is ours else -1)
            env.step(None)
            continue
        assert reward == 0
        assert agent == {Player.X: 'player_0', Player.O: 'player_1'}[state.player]
        assert tuple(observed['action_mask'].nonzero()[0]) == state.moves
        bits = observed['observation'].reshape(-1, 64)
        numbers = [sum(int(bit) << n for n, bit in enumerate(row)) for row in bits]
        assert tuple(numbers) == tuple(type(state).compiled.pack(state))
        index, rng = rng.uniform(0, len(state.moves) - 1)
        move = state.moves[index]
        env.step(move)
        state = state.play(move)
    assert state.over
    assert env.agents == []
    assert env.render() == str(state)


def test_an_action_missing_at_the_start_is_named():
    with pytest.raises(ValueError, match=r'^actions lacks the move 8, which is legal in the game'):
        pettingzoo.GameEnv(tictactoe.start, range(8))


def test_an_action_found_missing_later_is_named():
    env = pettingzoo.GameEnv(othello.start, (19, 26, 37, 44, 18, 20))
    env.reset()
    with pytest.raises(ValueError, match=r'^actions lacks the move [0-9]+, which is legal'):
        env.step(0)


@pytest.mark.parametrize('action', [-1, 9, None, 'x'])
def test_illegal_actions_are_refused(action):
    env = pettingzoo.GameEnv(tictactoe.start, range(9))
    env.reset()
    with pytest.raises(IllegalMoveError, match=r'^no action .*: expected an integer from 0 to 8$'):
        env.step(action)
    assert env.state_of_game == tictactoe.start
    env.step(np.int64(1))
    assert env.state_of_game == tictactoe.start.play(1)


def test_actions_other_than_integers_keep_their_values():
    class Letters(tictactoe.TicTacToe):
        @property
        def moves(self):
            return tuple('abcdefghi'[cell] for cell in super().moves)

        def play(self, move):
            return super().play('abcdefghi'.index(move))

    assert pettingzoo.actions_of(Letters(), games=9) == tuple('abcdefghi')
    assert pettingzoo.actions_of(othello.start) == tuple(range(65))


@pytest.mark.filterwarnings('ignore:Observation')
def test_illegal_actions_and_games_without_an_array():
    env = pettingzoo.GameEnv(connect4.start, range(7))
    env.reset()
    for _ in range(6):
        env.step(0)
    with pytest.raises(IllegalMoveError, match='illegal move 0: the legal moves are 1, 2, 3'):
        env.step(0)

    class Bare(tictactoe.TicTacToe):
        pass

    with pytest.raises(ValueError, match='Bare declares no rules on integers: give observe'):
        pettingzoo.GameEnv(Bare(), range(9))
    env = pettingzoo.GameEnv(Bare(), range(9), observe=by_rows)
    api_test(env, num_cycles=20)
    env.reset()
    env.step(4)
    assert env.observe('player_1')['observation'].tolist() == [16, 0]
    assert env.observe('player_0')['action_mask'].sum() == 0


# Our games with dice, or with one player or three, as environments.


class Fixed:
    """Dice that fall as given; what is asked is noted."""

    def __init__(self, *faces):
        self.faces, self.sides = [*faces], []

    def draw(self, sides):
        self.sides.append(sides)
        return self.faces.pop(0)


def test_an_environment_throws_the_dice_by_weight():
    """Beside the state itself, with dice whose faces are known; the die of Pig has six."""
    pig = find_game('pig:20').unwrap().start
    assert pettingzoo.actions_of(pig, games=5) == ('roll', 'hold')
    env = pettingzoo.GameEnv(pig, ('roll', 'hold'))
    env.reset()
    env._dice = Fixed(3, 5, 0)  # the outcomes with these indices
    faces = [outcome for outcome, _ in pig.play('roll').chances]
    one = pig.play('roll').play(faces[3])
    env.step(0)
    assert (env.state_of_game, env.agent_selection) == (one, 'player_0')
    assert env.observe('player_0')['action_mask'].tolist() == [1, 1]
    env.step(0)
    assert env.state_of_game == one.play('roll').play(faces[5])
    env.step(1)
    assert env.agent_selection == 'player_1'
    env.step(0)
    assert env.agent_selection == 'player_0'  # a one
    assert env._dice.sides == [6, 6, 6]


def test_dice_begin_anew_with_a_seed():
    def boards(env, *seeds):
        for seed in seeds:
            env.reset(seed=seed)
            yield env.state_of_game

    tiles = find_game('2048:3').unwrap().start
    actions = pettingzoo.actions_of(tiles, games=1)
    assert sorted(actions) == ['down', 'left', 'right', 'up']
    env = pettingzoo.GameEnv(tiles, actions)
    one, two, again, other = boards(env, 1, 2, 1, None)
    assert one == again
    assert len({one, two, other}) == 3
    assert [sum(map(bool, state.cells)) for state in (one, two, other)] == [2, 2, 2]


def test_each_of_three_players_receives_what_the_game_gives():
    env = pettingzoo.GameEnv(find_game('mnk3:3,3,3').unwrap().start, range(9))
    assert env.possible_agents == ['player_0', 'player_1', 'player_2']
    env.reset()
    for turn, cell in enumerate((0, 3, 6, 1, 4, 7, 2)):  # the last makes a row of the first player
        assert env.agent_selection == f'player_{turn % 3}'
        masks = [env.observe(agent)['action_mask'].sum() for agent in env.possible_agents]
        assert masks == [9 - turn if agent == turn % 3 else 0 for agent in range(3)]
        env.step(cell)
    assert env.rewards == {'player_0': 1.0, 'player_1': 0.0, 'player_2': 0.0}
    assert all(env.terminations.values())


def test_rewards_on_the_way_are_received_step_by_step():
    """Their sum is what OpenSpiel returns in the end; in 2048 the merged tiles."""
    env = pettingzoo.GameEnv(
        openspiel.start('2048'), range(4), observe=lambda state: [int(state.over)]
    )
    env.reset(seed=1)
    received = []
    for _ in env.agent_iter():
        observed, reward, over, _, _ = env.last()
        received.append(reward)
        env.step(None if over else int(observed['action_mask'].argmax()))
    assert sum(received) == env.state_of_game._state.returns()[0]
    assert len({*received}) > 2


@pytest.mark.parametrize('name', ['pig:20', 'mnk3:3,3,3', '2048:2'])
@pytest.mark.filterwarnings('ignore:Observation')
def test_pettingzoo_s_tests_pass_with_dice_and_other_players(name):
    begin = find_game(name).unwrap().start
    actions = pettingzoo.actions_of(begin, games=20)
    api_test(pettingzoo.GameEnv(begin, actions), num_cycles=50)
    seed_test(lambda: pettingzoo.GameEnv(begin, actions), num_cycles=10)
