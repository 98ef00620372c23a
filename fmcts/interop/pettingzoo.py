"""PettingZoo's board games as states, and games of this library as its environments.

See https://pettingzoo.farama.org. An environment is changed by every step; a state holds one of its
own that is never stepped again, so searches may go back and forth.

>>> from fmcts import Search, SplitMix, analyse
>>> state = start('classic/tictactoe-v3').play(0).play(1).play(4)
>>> analysis, rng = analyse(state, SplitMix.from_seed(1), Search(iterations=200))
>>> analysis.move  # the end of X's diagonal
8

And the other way round, for whatever plays PettingZoo's environments:

>>> from fmcts.games import connect4
>>> env = GameEnv(connect4.start, actions_of(connect4.start))
>>> env.reset()
>>> env.step(3)
>>> env.agent_selection, env.last()[0]['action_mask'].tolist()
('player_1', [1, 1, 1, 1, 1, 1, 1])
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, Self, TypeAlias

from attrs import evolve, field, frozen

from fmcts._arguments import shown, whole_number
from fmcts._extras import loaded
from fmcts._promises import added, checked_moves, checked_players, gained_of, rewards_of
from fmcts.errors import IllegalMoveError
from fmcts.game import GameState, Player, gains, has_rewards, is_legal
from fmcts.interop.replayed import RANDOM_START, Replayed, alike, environment, unfit
from fmcts.rng import SplitMix, thaw
from fmcts.rules import rules_of
from fmcts.simulation import chance_playout

pettingzoo, np, spaces = (
    loaded(module, f'{__name__} needs', 'fmcts[interop]', called='PettingZoo')
    for module in ('pettingzoo', 'numpy', 'gymnasium.spaces')
)

__all__ = ['GameEnv', 'PettingZooState', 'actions_of', 'start']

PLAYERS: Final = tuple(Player)
SEEDS: Final = range(8)  # with which an environment without chance starts in the same state


@frozen(eq=False)
class PettingZooState(Replayed):
    """A state of an environment of PettingZoo. Moves are its actions; its first agent is X.

    In a finished game the side to move is the opponent of the player who moved last. The agent who
    received more in the whole game has won.
    """

    _env: Any = field(repr=False)
    _lead: float = field(repr=False)  # what the first agent received more than the second so far

    def after(self, move: int) -> Self:
        """Return the state after a legal move."""
        env = _copied(self._env)
        env.step(move)
        first, second = env.possible_agents
        # Added up here: an environment has only the rewards of its last step.
        lead = self._lead + float(env.rewards[first]) - float(env.rewards[second])
        return evolve(self, history=(*self.history, move), **_facts(env, self.player, lead))


Make: TypeAlias = str | Callable[[], Any]


def start(game: Make) -> PettingZooState:
    """Return the start of a game in PettingZoo's registry, such as `classic/connect_four-v3`.

    Instead of a name, `game` may be a function that makes an environment, such as its class.

    :raises ValueError: PettingZoo has no game of that name; the game is not for two players in turn
        whose observations or infos have an `action_mask`; or its start is random. (An environment
        does not say whether there is chance later, or hidden information.)
    """
    env = _made(game)
    agents, name = env.possible_agents, env.metadata['name']
    if len(agents) != len(PLAYERS):
        raise unfit('PettingZoo', name, f'it has {len(agents)} agents, not 2')
    seen = []
    for seed in SEEDS:
        env.reset(seed=seed)
        if _mask_of(env) is None:
            why = 'neither its observations nor its infos have an action_mask'
            raise unfit('PettingZoo', name, why)
        # An environment may hand out the array that it writes to.
        seen.append([copy.deepcopy(env.observe(agent)) for agent in agents])
    if any(not alike(seen[0], other) for other in seen):
        raise unfit('PettingZoo', name, RANDOM_START)
    return _begin(game)


def _mask_of(env: Any) -> Any:
    """Return the mask of the legal actions of the agent to move, or `None`."""
    observed = env.observe(env.agent_selection)
    if isinstance(observed, dict) and 'action_mask' in observed:
        return observed['action_mask']
    return env.infos[env.agent_selection].get('action_mask')


def _made(game: Make) -> Any:
    """Return a new environment without its wrappers."""
    make = functools.partial(pettingzoo.make, 'aec')
    return environment('PettingZoo', game, pettingzoo.aec_registry, make, 'unwrapped').unwrapped


def _begin(game: Make) -> PettingZooState:
    env = _made(game)
    env.reset(seed=SEEDS[0])
    return PettingZooState(origin=(_begin, game), history=(), **_facts(env, Player.O, 0.0))


def _copied(env: Any) -> Any:
    """Return a copy of an environment in its current state.

    Python's `deepcopy` would call the class, which makes a new environment. Spaces, whose copies
    would take most of the time, are shared: no step changes them.
    """
    rows = (row.values() for row in vars(env).values() if isinstance(row, dict))
    shared = {id(it): it for row in rows for it in row if isinstance(it, spaces.Space)}
    new = object.__new__(type(env))
    new.__dict__.update(copy.deepcopy(env.__dict__, shared))
    return new


def _facts(env: Any, mover: Player, lead: float) -> dict[str, Any]:
    """Return the fields of the state of an environment in which `mover` has just moved."""
    first, second = env.possible_agents
    if env.terminations[first] or env.truncations[first]:
        winner = None if lead == 0 else PLAYERS[lead < 0]
        return {'moves': (), 'player': mover.other, 'winner': winner, 'env': env, 'lead': lead}
    moves = tuple(int(action) for action in np.flatnonzero(_mask_of(env)))
    player = PLAYERS[env.agent_selection == second]
    return {'moves': moves, 'player': player, 'winner': None, 'env': env, 'lead': lead}


class GameEnv(pettingzoo.AECEnv):  # type: ignore[name-defined,misc] # loaded when needed
    """A game of this library as an environment of PettingZoo.

    `player_0` is the first of the game's players (X), `player_1` the second, and so on. Where
    chance moves, the environment draws an outcome and plays it. At the end the winner of a game for
    two receives 1 and the loser -1; in a game with `rewards` or other `players` each receives what
    the game gives, 0 to 1. In a game with `gained` each receives that with every step.

    :param start: the state where every game starts.
    :param actions: every possible move, each once, in the order of the environment's actions;
        `actions_of` finds them.
    :param observe: a function from a state to an array; by default, the bits of the game's position
        as in its rules on integers, 64 for each number, the lowest first.
    :raises ValueError: there is no `observe`, and the game has no rules on integers; or `actions`
        lacks a move that is legal at the start.
    """

    metadata: ClassVar[dict[str, Any]] = {
        'name': 'fmcts_v0',
        'render_modes': ['ansi'],
        'is_parallelizable': False,
    }

    def __init__(
        self,
        start: GameState[Any],
        actions: Sequence[Any],
        observe: Callable[[Any], Any] | None = None,
    ) -> None:
        """Set up the environment; `reset` starts a game."""
        super().__init__()
        self.start = start
        self._agent_of = {
            player: f'player_{place}' for place, player in enumerate(checked_players(start))
        }
        self._dice = thaw(SplitMix.from_seed(0))
        self.actions = tuple(actions)
        self._check_all_are_there(start)
        self.array_of = observe or _bits_of(start)
        self.render_mode = 'ansi'
        self.possible_agents = [*self._agent_of.values()]
        seen = np.asarray(self.array_of(start))
        least, most = 0, 1
        if observe is not None and seen.dtype.kind in 'fi':
            least, most = -np.inf, np.inf  # which Gymnasium makes the limits of integers
        elif observe is not None and seen.dtype.kind == 'u':
            most = np.iinfo(seen.dtype).max
        boards = spaces.Box(least, most, seen.shape, seen.dtype)
        masks = spaces.Box(0, 1, (len(self.actions),), np.int8)
        space = spaces.Dict({'observation': boards, 'action_mask': masks})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        moves = spaces.Discrete(len(self.actions))
        self.action_spaces = dict.fromkeys(self.possible_agents, moves)

    def _check_all_are_there(self, state: GameState[Any]) -> None:
        """Raise `ValueError` if a legal move is not an action."""
        for move in state.moves:
            if not is_legal(move, self.actions):
                raise ValueError(
                    f'actions lacks the move {shown(move)}, which is legal in the game: give every '
                    'possible move, each once (actions_of finds them)'
                )

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions: indices of `actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002 - has none
        """Start a game.

        :param seed: of the dice; without it the dice of one game follow those of the game before.
        """
        if seed is not None:
            self._dice = thaw(SplitMix.from_seed(seed))
        self.agents = [*self.possible_agents]
        self._arrive(self.start, [])
        self._cumulative_rewards = {**self.rewards}
        self.terminations = dict.fromkeys(self.agents, self.state_of_game.over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_of[self.state_of_game.player]

    def _arrive(self, state: Any, reached: list[Any]) -> None:
        """Throw the dice until a player moves next, and set what each agent receives by it.

        :param reached: `state`, if it was reached by a move; the states after it are added.
        """
        after = chance_playout(
            state, self._dice.draw, stop_after=0, each=lambda _, state: reached.append(state)
        )
        self._check_all_are_there(after)
        self.state_of_game = after
        given = (0.0,) * len(self.possible_agents)
        if after.over:
            given = rewards_of(after)
            # PettingZoo's rewards add up to 0.
            if not has_rewards(after):
                given = tuple(2 * reward - 1 for reward in given)
        for each in reached if gains(after) else ():
            given = added(given, gained_of(each, len(given)))
        self.rewards = dict(zip(self.possible_agents, given, strict=True))

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position, and the mask of the agent's legal actions."""
        state = self.state_of_game
        legal = state.moves if agent == self._agent_of[state.player] else ()
        mask = np.array([move in legal for move in self.actions], np.int8)
        return {'observation': np.asarray(self.array_of(state)), 'action_mask': mask}

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move; `None` after the end.

        :raises IllegalMoveError: `action` is not an action, or its move is not legal.
        :raises ValueError: a move that becomes legal is not among the actions.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action not in range(len(self.actions)):
            last = len(self.actions) - 1
            raise IllegalMoveError(
                f'no action {shown(action)}: expected an integer from 0 to {last}'
            )
        move = self.actions[operator.index(action)]  # type: ignore[arg-type] # it is no `None`
        state = self.state_of_game.play(move)
        self._arrive(state, [state])
        self._cumulative_rewards[agent] = 0.0
        if self.state_of_game.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = next((it for it in self.agents if it != agent), agent)
        else:
            self.agent_selection = self._agent_of[self.state_of_game.player]
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the position as text."""
        return str(self.state_of_game)

    def close(self) -> None:
        """Do nothing, as there is nothing to close; PettingZoo's tests ask for it."""


def actions_of(start: GameState[Any], games: int = 500) -> tuple[Any, ...]:
    """Return the moves of a game for `GameEnv`: those that occur in random games from `start`.

    Outcomes of chance are not among them: the environment draws these. If all moves are integers of
    at least 0, the result is every integer up to the greatest. A move that does not occur in these
    `games` games is missing; the environment raises an error if it becomes legal.

    :raises EndlessGameError: a game does not end.
    :raises GameError: the game breaks a promise of `GameState`.

    >>> from fmcts.games import tictactoe
    >>> actions_of(tictactoe.start)
    (0, 1, 2, 3, 4, 5, 6, 7, 8)
    """
    found: dict[Any, None] = {}

    def choose(state: GameState[Any], moves: tuple[Any, ...], draw: Callable[[int], int]) -> Any:
        found.update(dict.fromkeys(checked_moves(state)))
        return moves[draw(len(moves))]

    for number in range(whole_number('games', games)):
        dice = thaw(SplitMix.from_seed(1).child(number))
        chance_playout(start, dice.draw, choose=choose)
    # Integers are most likely places on a board, of which random games may have missed some.
    if found and all(type(move) is int and move >= 0 for move in found):
        return tuple(range(max(found) + 1))
    return tuple(found)


def _bits_of(start: GameState[Any]) -> Callable[[Any], Any]:
    """Return a function from a position to the bits of its numbers."""
    rules = rules_of(start)
    if rules is None:
        raise ValueError(
            f'{type(start).__name__} declares no rules on integers: give observe, a function from '
            'a state to an array'
        )
    pack = rules.pack

    def bits(state: Any) -> Any:
        # Little-endian whatever the machine: an observation that was learned on one is read on
        # another.
        numbers = np.array([number & (1 << 64) - 1 for number in pack(state)], '<u8')
        return np.unpackbits(numbers.view(np.uint8), bitorder='little').astype(np.int8)

    return bits
