"""Self-play of Connect Four by one residual network: this library beside mctx over pgx.

Both use JAX and the same weights, so each figure may be compared with the rate of the network alone
(with an accelerator: the device's). Printed are simulations a second, the share of the time in the
network, and the mean batch. Run it from a clone in an environment with jax, mctx and pgx:

    python benchmarks/accelerator.py [games] [simulations] [blocks] [channels]
"""

from __future__ import annotations

import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pgx

from fmcts import Search, SplitMix
from fmcts.games import connect4
from fmcts.rules import OnPositions
from fmcts.selfplay import Noise, self_play

GIVEN = [int(it) for it in sys.argv[1:]]
GAMES, SIMULATIONS, BLOCKS, CHANNELS = GIVEN + [1024, 32, 5, 64][len(GIVEN) :]
ROUNDS = 3

# Cell (row, column) is bit 7 * column + row of each of the two words of a position.
BITS = (7 * np.arange(7)[None, :] + np.arange(6)[:, None]).ravel()
COLUMN_OF_KEY = np.arange(48) // 7


def weights() -> dict[str, Any]:
    """The weights of the network, drawn."""
    keys = iter(jax.random.split(jax.random.PRNGKey(0), 2 * BLOCKS + 3))

    def filters(channels: int) -> Any:
        shape = 3, 3, channels, CHANNELS
        return jax.random.normal(next(keys), shape) * (2 / (9 * channels)) ** 0.5

    return {
        'first': filters(2),
        'blocks': [(filters(CHANNELS), 0.5 * filters(CHANNELS)) for _ in range(BLOCKS)],
        'priors': jax.random.normal(next(keys), (42 * CHANNELS, 7)) * 0.01,
        'value': jax.random.normal(next(keys), (42 * CHANNELS,)) * 0.01,
    }


def judged(weights: dict[str, Any], cells: Any) -> tuple[Any, Any]:
    """The logits of the columns, and the values from -1 to 1, of boards of 6 x 7 x 2 cells."""

    def layer(x: Any, filters: Any) -> Any:
        numbers = 'NHWC', 'HWIO', 'NHWC'
        return jax.lax.conv_general_dilated(x, filters, (1, 1), 'SAME', dimension_numbers=numbers)

    x = jax.nn.relu(layer(cells, weights['first']))
    for one, two in weights['blocks']:
        x = jax.nn.relu(x + layer(jax.nn.relu(layer(x, one)), two))
    flat = x.reshape(len(x), -1)
    return flat @ weights['priors'], jnp.tanh(flat @ weights['value'])


@jax.jit
def judged_words(weights: dict[str, Any], words: Any) -> tuple[Any, Any]:
    """The priors of the keys and the values from 0 to 1 of positions, as halves of their words."""
    halves = words.reshape(-1, 2, 2)[:, :, BITS // 32]
    cells = halves >> (BITS % 32).astype(np.uint32) & 1
    boards = cells.reshape(-1, 2, 6, 7).transpose(0, 2, 3, 1).astype(jnp.float32)
    logits, values = judged(weights, boards)
    return jax.nn.softmax(logits)[:, COLUMN_OF_KEY], (values + 1.0) / 2.0


class Timed:
    """The network for `Search`, padded to one size; it counts what it was asked."""

    def __init__(self, weights: dict[str, Any], size: int) -> None:
        self.weights, self.size = weights, size
        self.calls = self.positions = 0
        self.seconds = 0.0

    def __call__(self, positions: Any) -> tuple[Any, Any]:
        """The answers, which are copied from the device at once."""
        begin, count = time.perf_counter(), len(positions)
        padded = np.zeros((self.size, 2), np.int64)
        padded[:count] = positions
        answers = judged_words(self.weights, padded.view(np.uint32))
        priors, values = (np.asarray(each)[:count] for each in answers)
        self.calls, self.positions = self.calls + 1, self.positions + count
        self.seconds += time.perf_counter() - begin
        return priors, values


def network_alone(weights: dict[str, Any], size: int) -> float:
    """Positions a second."""
    words = jnp.zeros((size, 4), jnp.uint32)
    jax.block_until_ready(judged_words(weights, words))
    begin = time.perf_counter()
    for _ in range(30):
        found = judged_words(weights, words)
    jax.block_until_ready(found)
    return 30 * size / (time.perf_counter() - begin)


def ours(weights: dict[str, Any], seed: int, *, overlap: bool) -> str:
    """One round of games: simulations a second, and what the network took."""
    network = Timed(weights, -(-GAMES // 2) if overlap else GAMES)
    search = Search(SIMULATIONS, network=OnPositions(network))
    begin = time.perf_counter()
    played = self_play(
        connect4.start,
        SplitMix.from_seed(seed),
        search,
        games=2 * GAMES,  # so that others begin when the first are over, and batches stay full
        together=GAMES,
        noise=Noise(alpha=0.5),
        drawn_plies=10,
        overlap=overlap,
    )
    seconds = time.perf_counter() - begin
    simulations = SIMULATIONS * sum(len(game.moves) for game in played)
    return (
        f'{simulations / seconds:12,.0f} simulations a second, {network.seconds / seconds:4.0%} in '
        f'the network, mean batch {network.positions / network.calls:,.0f}'
    )


def searched_by_mctx(weights: dict[str, Any]) -> Any:
    """A function of a key: one move of all games by mctx, after which the states stay."""
    env = pgx.make('connect_four')
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES))

    def recurrent(weights: Any, _key: Any, action: Any, states: Any) -> Any:
        mover = states.current_player
        after = jax.vmap(env.step)(states, action)
        logits, values = judged(weights, after.observation.astype(jnp.float32))
        known = jnp.where(after.terminated, 0.0, 1.0)
        told = {
            'reward': after.rewards[jnp.arange(GAMES), mover],
            'discount': -known,
            'prior_logits': jnp.where(after.legal_action_mask, logits, -1e9),
            'value': known * values,
        }
        return mctx.RecurrentFnOutput(**told), after

    @jax.jit
    def searched(weights: Any, key: Any) -> Any:
        logits, values = judged(weights, states.observation.astype(jnp.float32))
        return mctx.muzero_policy(
            params=weights,
            rng_key=key,
            root=mctx.RootFnOutput(prior_logits=logits, value=values, embedding=states),
            recurrent_fn=recurrent,
            num_simulations=SIMULATIONS,
            invalid_actions=~states.legal_action_mask,
            dirichlet_alpha=0.5,
        ).action

    return lambda seed: jax.block_until_ready(searched(weights, jax.random.PRNGKey(seed)))


def main() -> None:
    """Print the rates, in turn."""
    given, device = weights(), jax.devices()[0]
    print(f'{device.device_kind}: {GAMES} games, {SIMULATIONS} simulations, {BLOCKS} x {CHANNELS}')
    print(f'{"network alone":16}{network_alone(given, GAMES):12,.0f} positions a second')
    move = searched_by_mctx(given)
    for seed in range(ROUNDS + 1):
        if seed == 0:  # makes machine code
            move(seed), ours(given, seed, overlap=False), ours(given, seed, overlap=True)
            continue
        for overlap in (False, True):
            name = 'fmcts, overlap' if overlap else 'fmcts'
            print(f'{name:16}{ours(given, seed, overlap=overlap)}', flush=True)
        begin = time.perf_counter()
        for each in range(5):
            move(5 * seed + each)
        rate = 5 * GAMES * SIMULATIONS / (time.perf_counter() - begin)
        print(f'{"mctx":16}{rate:12,.0f} simulations a second', flush=True)


if __name__ == '__main__':
    main()
