"""Gymnasium's environments as games of one player. See https://gymnasium.farama.org.

A reward on the way is what a state `gained`. An environment is changed by every step; states never
are, so searches may go back and forth. There are three ways to do so:

- An environment with its table `P` (FrozenLake, Taxi, CliffWalking) is the table: where a step has
  several outcomes, chance moves, by their probabilities. With wrappers that may change actions or
  rewards it is treated as any other.
- Of an environment that can be copied each state keeps a copy, or what the functions `saved` save.
- Of any other, the moves are replayed from the seed, and what is seen is compared with before.

>>> lake = start('FrozenLake-v1')
>>> lake.moves, lake.play(1).chances
((0, 1, 2, 3), ((0, 1), (4, 1), (1, 1)))
>>> pole = start('CartPole-v1', seed=3).play(1)
>>> pole.gained, pole == start('CartPole-v1', seed=3).play(1)
(1.0, True)
"""

from __future__ import annotations

import copy
import functools
import pickle
import threading
from collections.abc import Callable, Hashable
from typing import Any, Final, Self, TypeAlias

from attrs import evolve, field, frozen

from fmcts._arguments import shown, whole_number
from fmcts._extras import loaded
from fmcts.errors import GameError, IllegalMoveError
from fmcts.game import whole_move
from fmcts.interop._tables import AGENT, Table, TableState, marked, table_of
from fmcts.interop.replayed import Replayed, alike, environment
from fmcts.rng import Rng, SplitMix, thaw

gymnasium, np = (
    loaded(module, f'{__name__} needs', 'fmcts[interop]', called='Gymnasium')
    for module in ('gymnasium', 'numpy')
)

__all__ = ['EnvState', 'Table', 'TableState', 'propose', 'simulator', 'start', 'state_of']

PASSING: Final = (
    *(gymnasium.wrappers.TimeLimit, gymnasium.wrappers.OrderEnforcing),
    *(gymnasium.wrappers.PassiveEnvChecker, gymnasium.wrappers.RecordEpisodeStatistics),
)  # the wrappers below which a step is the environment's own
TRIED: Final = 8  # steps in which a copy is compared with the original; samples of actions
FINE: Final = 1000  # parts of a range of real numbers
Make: TypeAlias = str | Callable[..., Any]


@frozen
class _Setup:
    """The ways to make an environment, to start it, and to return to one of its states."""

    game: Any  # what `start` takes, or an environment that is held
    options: tuple[tuple[str, Any], ...] = ()
    seed: int | None = None
    samples: int | None = None
    saved: tuple[Callable[[Any], Any], Callable[[Any, Any], Any]] | None = None

    def fresh(self) -> tuple[Any, Any]:
        """Return a new environment at its beginning, and the first observation."""
        if isinstance(self.game, _Held):
            return _copy(self.game.env), None
        env = _made(self.game, dict(self.options))
        return env, env.reset(seed=self.seed)[0]


@frozen(eq=False)
class _Held:
    """An environment that somebody has, copied; in place of what makes one."""

    env: Any


@frozen(eq=False)
class EnvState(Replayed):
    """A state of an environment without a table. Moves are its actions.

    Actions that are not `Discrete` are tuples of numbers, and not listed; `propose` draws some.
    After an action whose step draws from the environment's generator, chance moves: each outcome is
    the seed of another generator.

    :param gained: the reward of the step that led here.
    :param chances: the outcomes, if `samples` says how many; else a function that draws one.
    :param space: the space of the actions.
    """

    gained: float
    over: bool = field(repr=False)
    chances: Any = field(default=(), repr=False)
    observation: Any = field(default=None, repr=False)
    space: Any = field(default=None, repr=False)
    _kept: Any = field(default=None, repr=False)
    """A copy of the environment, or what was saved; `None` if its moves are replayed."""
    _steps: tuple[tuple[Any, int | None, bytes], ...] = field(default=(), repr=False)
    """Each step: the action, the outcome of chance, and what was seen, if moves are replayed."""
    _chosen: Any = field(default=None, repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """The agent."""
        return (AGENT,)

    @property
    def identity(self) -> Any:
        """The saved state, if that has a hash; else the moves."""
        if self.origin[1].saved is not None and isinstance(self._kept, Hashable):  # type: ignore[attr-defined] # a setup
            return self._kept, len(self._steps), self._chosen, self.gained, self.over
        return self.history

    def play(self, move: Any, /) -> Self:
        """Return the state after an action, or after an outcome where chance moves.

        :raises IllegalMoveError: it is not legal.
        :raises GameError: the environment cannot be brought back to this state.
        """
        # Outcomes that are drawn are any whole numbers, which no list has.
        if callable(self.chances):
            return self.after(whole_move(self, move))
        if self.moves or self.chances or self.over:
            return super().play(move)
        try:
            fits = self.space.contains(_action(self.space, move))
        except (TypeError, ValueError):
            fits = False
        if not fits:
            raise IllegalMoveError(
                f'illegal move {shown(move)}: accepted is a tuple in {self.space}'
            )
        return self.after(move)

    def after(self, move: Any) -> Self:
        """Return the state after a legal action, or after an outcome where chance moves."""
        setup: Any = self.origin[1]
        action, outcome = (self._chosen, move) if self.chances else (move, None)
        stage = _Stage.of(self)
        env = stage.env
        # A step says nothing of chance; that it drew can only be seen by its generator.
        before = env.unwrapped.np_random.bit_generator.state
        seen = stage.step(setup, action, outcome)
        history = (*self.history, move)
        # The step has drawn: it is chance's turn, and the step is made again for each outcome.
        if outcome is None and not alike(before, env.unwrapped.np_random.bit_generator.state):
            stage.forget(setup)
            count = setup.samples
            chances = _drawn if count is None else tuple((number, 1) for number in range(count))
            return evolve(self, history=history, moves=(), chances=chances, gained=0.0, chosen=move)
        observation, gained, terminated, truncated = seen
        over = bool(terminated or truncated)
        return evolve(
            self,
            history=history,
            moves=() if over else _listed(self.space),
            chances=(),
            gained=float(gained),
            over=over,
            observation=observation,
            kept=_keep(setup, env, self._kept),
            steps=stage.steps,
            chosen=None,
        )

    def __str__(self) -> str:
        """Return the environment's text of the state (`render_mode='ansi'`), or what it shows."""
        env = self._kept if isinstance(self._kept, gymnasium.Env) else None
        text = marked(env.render()) if env and env.render_mode == 'ansi' else f'{self.observation}'
        return text if self._chosen is None else f'{text}\naction {self._chosen}'


def _drawn(rng: Rng) -> tuple[int, Rng]:
    """Return the seed of what an environment draws in a step, and the next generator."""
    return rng.uniform(0, (1 << 31) - 1)


def propose(state: Any, rng: Rng) -> tuple[tuple[float, ...], Rng]:
    """Return an action from a space that is not `Discrete`, and the next generator.

    For `Search(proposals=propose)`. Real numbers are drawn among 1001 from the least to the most.
    """
    move = []
    for low, high, fine in _ranges(state.space):
        number, rng = rng.uniform(0, FINE) if fine else rng.uniform(low, high)
        move.append((low * (FINE - number) + high * number) / FINE if fine else number)
    return tuple(move), rng


class _Stage:
    """An environment that may be stepped, at a state; the steps that led there."""

    def __init__(
        self, env: Any, steps: tuple[tuple[Any, int | None, bytes], ...] = (), *, noted: bool = True
    ) -> None:
        self.env, self.steps, self.noted = env, steps, noted

    @classmethod
    def of(cls, state: EnvState) -> _Stage:
        """Return a stage at a state: a copy, or one of the thread's own."""
        setup: Any = state.origin[1]
        if isinstance(state._kept, gymnasium.Env):  # noqa: SLF001 - of its own state
            return cls(_copy(state._kept), state._steps, noted=False)  # noqa: SLF001 - as above
        # Taken out, and put back below when it is right: after an error nobody steps an environment
        # in an unknown state.
        own = OWN.stages.pop(setup, None)
        steps = state._steps  # noqa: SLF001 - as above
        if setup.saved is not None:
            own = own or cls(setup.fresh()[0], noted=False)
            setup.saved[1](own.env, state._kept)  # noqa: SLF001 - as above
            _set_clock(own.env, len(steps))
            own.steps = steps
        else:
            # The environment at hand is on another line: it begins anew, else it goes on from where
            # it is.
            if own is None or own.steps != steps[: len(own.steps)]:
                env, begin = (own.env, own.env.reset(seed=setup.seed)[0]) if own else setup.fresh()
                if not alike(begin, _begin(setup).observation):
                    raise GameError(
                        f'{_name_of(env)} cannot be replayed: with the seed {setup.seed} its reset '
                        f'gave {shown(begin)}, and {shown(_begin(setup).observation)} before'
                    )
                own = cls(env)
            for ply, (action, outcome, was) in enumerate(steps[len(own.steps) :], len(own.steps)):
                own.step(setup, action, outcome)
                if own.steps[-1][2] != was:
                    raise GameError(
                        f'{_name_of(own.env)} cannot be replayed: step {ply + 1}, the action '
                        f'{action}, gave something else than before (the seed is {setup.seed})'
                    )
        OWN.stages[setup] = own
        return own

    def step(self, setup: _Setup, action: Any, outcome: int | None) -> Any:
        """Take a step, with the generator of an outcome; return the first four things it gives."""
        if outcome is not None:
            # The outcome is a seed: the same number at the same step draws the same.
            words = (setup.seed or 0, len(self.steps), outcome)
            # In place, because parts of the environment may hold the generator too.
            self.env.unwrapped.np_random.bit_generator.state = np.random.PCG64(words).state
        seen = self.env.step(_action(self.env.action_space, action))[:4]
        self.steps = (*self.steps, (action, outcome, pickle.dumps(seen) if self.noted else b''))
        return seen

    @staticmethod
    def forget(setup: _Setup) -> None:
        """Use another environment next time, as this one's generator was drawn from."""
        OWN.stages.pop(setup, None)


class _Own(threading.local):
    """The environments of a thread, for states that keep none themselves."""

    def __init__(self) -> None:
        self.stages: dict[_Setup, _Stage] = {}


OWN: Final = _Own()


def _copy(env: Any) -> Any:
    """Return a copy of an environment, without copying what no step changes.

    Spaces, its spec and its table would take most of the time.
    """
    shared, layer = {}, env
    while layer is not None:
        for name, value in vars(layer).items():
            if name == 'P' or isinstance(
                value, gymnasium.Space | gymnasium.envs.registration.EnvSpec
            ):
                shared[id(value)] = value
        layer = layer.env if isinstance(layer, gymnasium.Wrapper) else None
    return copy.deepcopy(env, shared)


def _keep(setup: _Setup, env: Any, like: Any) -> Any:
    """Return what a state keeps of an environment, as the state before it does."""
    if setup.saved is not None:
        return setup.saved[0](env)
    return env if isinstance(like, gymnasium.Env) else None


def start(
    game: Make,
    *,
    seed: int = 0,
    samples: int | None = None,
    saved: tuple[Callable[[Any], Any], Callable[[Any, Any], Any]] | None = None,
    **options: Any,
) -> AnyState:
    """Return the first state of an environment, such as `FrozenLake-v1`.

    :param game: a name of Gymnasium's registry, or a function that makes an environment.
    :param seed: of `reset`; it decides where the environment begins, and nothing that is drawn
        later (see `samples`).
    :param samples: the number of outcomes among which chance moves where a step draws from the
        environment's generator; without it outcomes are drawn one by one, for a search with
        `Proposals(outcomes=Width())`.
    :param saved: two functions, `save(env)`, which returns a value, and `restore(env, value)`, for
        environments that can do this faster than be copied. States are equal if these are.
    :param options: of the environment, such as `map_name='8x8'` or `max_episode_steps=20`.
    :raises ValueError: Gymnasium has no environment of that name; or its actions are neither
        listed (`Discrete`) nor numbers within bounds.
    """
    if samples is not None:
        whole_number('samples', samples)
    setup = _Setup(game, tuple(sorted(options.items())), seed, samples, saved)
    try:
        # It is a key: of the cache of beginnings, and of the environments of a thread.
        hash(setup)
    except TypeError:
        raise ValueError(f'options must have hashes (tuples, no lists): {shown(options)}') from None
    env, _ = setup.fresh()
    _check_actions(env)
    return _at_table(env) if _has_table(env) and saved is None else _begin(setup)


def state_of(env: Any, *, samples: int | None = None) -> AnyState:
    """Return the state of an environment that was reset, of which a copy is made.

    It is over if the environment is seen to have ended: by its time limit, its table and last
    action, or as CartPole notes it. Others tell nobody but who made their last step.

    :param samples: as in `start`.
    :raises ValueError: it is not an environment, or was not reset; its actions are neither listed
        nor numbers within bounds; or a copy of it would begin anew.
    """
    if not isinstance(env, gymnasium.Env):
        raise ValueError(f'env must be an environment of Gymnasium, not {shown(env)}')  # noqa: TRY004 - as for any wrong argument
    _check_actions(env)
    table = _has_table(env)
    if (table and not hasattr(env.unwrapped, 's')) or (
        env.has_wrapper_attr('has_reset') and not env.get_wrapper_attr('has_reset')
    ):
        raise ValueError(f'{_name_of(env)} was not reset: call reset first')
    if table:
        return _at_table(env)
    if isinstance(env.unwrapped, gymnasium.utils.EzPickle):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'a copy of {_name_of(env)} would begin anew: use start, which replays the moves'
        )
    return _begin(_Setup(_Held(_copy(env)), samples=samples))


def simulator(game: Make, **options: Any) -> dict[str, Any]:
    """Return `reset`, `step` and `actions` of an environment, for `fmcts.testing.check_simulator`.

    If the actions cannot be listed, they are eight of the space's samples.

    >>> from fmcts.testing import check_simulator
    >>> str(check_simulator(**simulator('Blackjack-v1')).failure())[:62]
    'the end stays the end, after seed 0, 0: after the end a step w'
    """
    actions = _some(_made(game, options).action_space)
    return {'reset': functools.partial(_reset, game, options), 'step': _step, 'actions': actions}


def _some(space: Any) -> tuple[Any, ...]:
    """Return the actions of a space, or eight samples if they are not listed."""
    space = copy.deepcopy(space)
    space.seed(0)
    return _listed(space) or tuple(space.sample() for _ in range(TRIED))


def _reset(game: Make, options: dict[str, Any], seed: int) -> Any:
    env = _made(game, options)
    env.reset(seed=seed)
    return env


def _step(env: Any, action: Any) -> tuple[Any, Any, bool]:
    observation, reward, terminated, truncated, info = env.step(action)
    return env, (observation, reward, terminated, truncated, info), bool(terminated or truncated)


def _made(game: Make, options: dict[str, Any]) -> Any:
    """Return a new environment."""
    if callable(game):
        return environment('Gymnasium', lambda: game(**options), (), game, 'action_space')
    make = functools.partial(gymnasium.make, disable_env_checker=True, **options)
    return environment('Gymnasium', game, gymnasium.registry, make, 'action_space')


def _name_of(env: Any) -> str:
    return env.spec.id if env.spec else type(env.unwrapped).__name__


def _listed(space: Any) -> tuple[int, ...]:
    """Return the actions of a space, `()` if they are not listed."""
    if not isinstance(space, gymnasium.spaces.Discrete):
        return ()
    return tuple(range(int(space.start), int(space.start + space.n)))


def _ranges(space: Any) -> list[tuple[Any, Any, bool]]:
    """Return the bounds of each number of an action that is not listed, and whether it is real."""
    if isinstance(space, gymnasium.spaces.Box):
        bounds = zip(space.low.ravel().tolist(), space.high.ravel().tolist(), strict=True)
        return [(low, high, True) for low, high in bounds]
    if isinstance(space, gymnasium.spaces.MultiBinary):
        return [(0, 1, False)] * int(np.prod(space.shape))
    if isinstance(space, gymnasium.spaces.MultiDiscrete):
        counts, least = space.nvec.ravel().tolist(), space.start.ravel().tolist()
        return [(low, low + count - 1, False) for low, count in zip(least, counts, strict=True)]
    return []


def _action(space: Any, move: Any) -> Any:
    """Return a move as the environment takes it."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return move
    return np.array(move, space.dtype).reshape(space.shape)


def _check_actions(env: Any) -> None:
    """Raise `ValueError` if the actions are neither listed nor numbers within bounds."""
    space = env.action_space
    ranges = _ranges(space)
    if not _listed(space) and not (ranges and np.isfinite(np.array(ranges, float)).all()):
        raise ValueError(
            f'{_name_of(env)} cannot be searched: its actions are {space}; expected are Discrete, '
            'MultiDiscrete, MultiBinary, or a Box with bounds'
        )


def _time_limit(env: Any) -> Any:
    """Return the wrapper that ends an environment after a number of steps, or `None`."""
    while isinstance(env, gymnasium.Wrapper):
        if isinstance(env, gymnasium.wrappers.TimeLimit):
            return env
        env = env.env
    return None


def _left(env: Any) -> Any:
    """Return the number of steps until a limit ends an environment; `None` without a limit."""
    limit = _time_limit(env)
    return limit and limit._max_episode_steps - (limit._elapsed_steps or 0)  # noqa: SLF001 - as above


def _set_clock(env: Any, steps: int) -> None:
    limit = _time_limit(env)
    if limit is not None:
        limit._elapsed_steps = steps  # noqa: SLF001 - it has no other way


def _has_table(env: Any) -> bool:
    """Return whether an environment has a table `P`, and each step is as the table says."""
    inner = env.unwrapped
    while isinstance(env, PASSING):
        env = env.env
    # Another wrapper may change actions or rewards. The table of Taxi leaves out the fickleness.
    return env is inner and hasattr(env, 'P') and not getattr(env, 'fickle_passenger', False)


def _at_table(env: Any) -> TableState:
    """Return the state of an environment with a table, which was reset."""
    inner, left = env.unwrapped, _left(env)
    table = table_of(_name_of(env), _listed(env.action_space), inner)
    at, last = int(inner.s), getattr(inner, 'lastaction', None)
    return TableState(
        table, at, left, over=left == 0 or (last is not None and table.ends(at, last))
    )


@functools.lru_cache(maxsize=1 << 6)  # a state that nobody changes; copies are replayed from it
def _begin(setup: _Setup) -> EnvState:
    """Return the first state of an environment without a table."""
    env, observation = setup.fresh()
    kept = env if setup.saved is None and _copies(setup) else None
    fallen = getattr(env.unwrapped, 'steps_beyond_terminated', None) is not None
    over = fallen or _left(env) == 0
    return EnvState(
        origin=(_begin, setup),
        history=(),
        moves=() if over else _listed(env.action_space),
        space=env.action_space,
        player=AGENT,
        winner=None,
        gained=0.0,
        over=over,
        observation=observation,
        kept=_keep(setup, env, kept),
    )


def _copies(setup: _Setup) -> bool:
    """Return whether a copy that is made on the way continues as the original does.

    A copy of some environments is a new one (Gymnasium's `EzPickle`), or shares what changes.
    """
    if isinstance(setup.fresh()[0].unwrapped, gymnasium.utils.EzPickle):
        return False
    # Compared after none, one and two steps, as what is shared may show only later.
    for tried in range(3):
        (env, _), dice = setup.fresh(), thaw(SplitMix.from_seed(tried))
        actions = _some(env.action_space)
        line = [actions[dice.draw(len(actions))] for _ in range(tried + TRIED)]
        if any(seen[2] or seen[3] for seen in map(env.step, line[:tried])):
            continue
        try:
            other = _copy(env)
            one, two = ([each.step(action)[:4] for action in line[tried:]] for each in (env, other))
        except Exception:  # noqa: BLE001 - whatever the library below raises: moves are replayed
            return False
        if not alike(one, two):
            return False
    return True


AnyState: TypeAlias = TableState | EnvState
"""A state of an environment of Gymnasium."""
