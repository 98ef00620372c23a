"""CartPole by simulations: how long the pole stands, here and with the searches of mctx.

All plan with the environment's own equations, a discount of 0.99 and random playouts of up to 30
steps, from the same 20 beginnings, up to 200 steps. Here the environment is Gymnasium's, saved and
restored; mctx has the same equations in JAX and averages nothing else either: its priors are equal,
its values those of one random playout. Both put values on a scale by what was seen. Run it from a
clone with `pip install '.[bench]'`:

    python benchmarks/one_agent.py [simulations...]

It prints the mean number of steps with a standard error, and the seconds.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any, Final

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from fmcts import Search, SplitMix, mcts
from fmcts.interop import gymnasium

EPISODES: Final = 20
STEPS: Final = 200
HORIZON: Final = 30
DISCOUNT: Final = 0.99


def save(env: Any) -> tuple[float, ...]:
    """What CartPole is: four numbers."""
    return tuple(map(float, env.unwrapped.state))


def restore(env: Any, state: tuple[float, ...]) -> None:
    """Put CartPole where it was."""
    env.unwrapped.state = np.array(state)
    env.unwrapped.steps_beyond_terminated = None


def begin(seed: int) -> Any:
    """The beginning of an episode."""
    return gymnasium.start('CartPole-v1', seed=seed, saved=(save, restore), max_episode_steps=STEPS)


def ours(simulations: int) -> list[int]:
    """The steps of each episode with this library."""
    search = Search(simulations, normalised=True, discount=DISCOUNT, horizon=HORIZON)
    bot, found = mcts(search), []
    for seed in range(EPISODES):
        state, rng = begin(seed), SplitMix.from_seed(seed)
        while not state.over:
            move, rng = bot(state, rng)
            state = state.play(move)
        found.append(len(state.history))
    return found


def step(state: Any, action: Any) -> tuple[Any, Any]:
    """CartPole's equations; the fifth number is 1 after the fall."""
    x, speed, angle, turn, fallen = state
    force = jnp.where(action == 1, 10.0, -10.0)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    push = (force + 0.05 * turn**2 * sin) / 1.1
    turned = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
    moved = push - 0.05 * turned * cos / 1.1
    x, speed = x + 0.02 * speed, speed + 0.02 * moved
    angle, turn = angle + 0.02 * turn, turn + 0.02 * turned
    now = (jnp.abs(x) > 2.4) | (jnp.abs(angle) > 12 * jnp.pi / 180)
    return jnp.stack([x, speed, angle, turn, jnp.maximum(fallen, now)]), 1.0 - fallen


def playout(state: Any, key: Any) -> Any:
    """What a random playout brings."""

    def one(carry: Any, it: Any) -> tuple[Any, None]:
        state, total, factor = carry
        state, reward = step(state, jax.random.bernoulli(it).astype(int))
        return (state, total + factor * reward, factor * DISCOUNT), None

    (_, total, _), _ = jax.lax.scan(one, (state, 0.0, 1.0), jax.random.split(key, HORIZON))
    return total


def recurrent(_params: Any, key: Any, action: Any, state: Any) -> Any:
    """A step of each episode, as mctx asks for it."""
    after, reward = jax.vmap(step)(state, action)
    output = mctx.RecurrentFnOutput(
        reward=reward,
        discount=DISCOUNT * (1.0 - after[:, 4]),
        prior_logits=jnp.zeros((len(state), 2)),
        value=jax.vmap(playout)(after, jax.random.split(key, len(state))),
    )
    return output, after


def theirs(policy: Any, simulations: int, **options: Any) -> list[int]:
    """The steps of each episode with a policy of mctx; all episodes are played at once."""

    @jax.jit
    def choose(state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        root = mctx.RootFnOutput(
            prior_logits=jnp.zeros((len(state), 2)),
            value=jax.vmap(playout)(state, jax.random.split(first, len(state))),
            embedding=state,
        )
        action = policy(
            params=(), rng_key=second, root=root, recurrent_fn=recurrent,
            num_simulations=simulations, **options,
        ).action  # fmt: skip
        return jax.vmap(step)(state, action)[0]

    starts = [[*begin(seed)._kept, 0.0] for seed in range(EPISODES)]  # noqa: SLF001 - what was saved
    state, key = jnp.array(starts), jax.random.PRNGKey(0)
    steps = np.zeros(EPISODES, int)
    for _ in range(STEPS):
        steps += np.asarray(state[:, 4]) == 0
        key, now = jax.random.split(key)
        state = choose(state, now)
    return steps.tolist()


def main() -> None:
    """Print a row for each number of simulations and each search."""
    searches = {
        'fmcts, ucb1 normalised': ours,
        'mctx, muzero_policy': lambda number: theirs(
            mctx.muzero_policy, number, dirichlet_fraction=0.0, temperature=0.0
        ),
        'mctx, gumbel_muzero_policy': lambda number: theirs(
            mctx.gumbel_muzero_policy, number, gumbel_scale=0.0
        ),
    }
    for number in map(int, sys.argv[1:] or (4, 8, 16, 32)):
        for name, search in searches.items():
            began = time.perf_counter()
            steps = search(number)
            error = statistics.stdev(steps) / EPISODES**0.5
            mean, seconds = statistics.mean(steps), time.perf_counter() - began
            print(f'{number:3} {name:27} {mean:6.1f} +- {error:.1f}  {seconds:.0f} s')


if __name__ == '__main__':
    main()
