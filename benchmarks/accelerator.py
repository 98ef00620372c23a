"""Self-play of Connect Four by one residual network: this library beside mctx over pgx.

The network has the same weights in JAX and in torch, where a CUDA graph runs it. Printed are
simulations a second, the share of the time that the device needs for the network alone at these
calls, and the mean batch; one machine's figures are in `docs/networks.md`. Run it from a clone in
an environment with jax, mctx, pgx and torch, on a machine with a GPU of NVIDIA's:

    python benchmarks/accelerator.py [games] [simulations] [blocks] [channels]
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

os.environ.setdefault('XLA_PYTHON_CLIENT_PREALLOCATE', 'false')  # leave memory for torch

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pgx
import torch
from torch.nn import functional

from fmcts import Search, SplitMix
from fmcts.games import connect4
from fmcts.rules import OnPositions
from fmcts.selfplay import Noise, self_play

GIVEN = [int(it) for it in sys.argv[1:]]
GAMES, SIMULATIONS, BLOCKS, CHANNELS = GIVEN + [1024, 32, 5, 64][len(GIVEN) :]
ROUNDS = 2

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


class ByJax:
    """The network in JAX, padded to one size. Its arrays are read when they are ready."""

    name = 'JAX'

    def __init__(self, weights: dict[str, Any], size: int) -> None:
        self.weights, self.size = weights, size
        self.padded = np.zeros((size, 2), np.int64)
        self.nothing = jnp.zeros((size, 4), jnp.uint32)

    def __call__(self, positions: Any) -> Any:
        """The answers, which are copied from the device meanwhile."""
        count = len(positions)
        self.padded[:count] = positions
        answers = judged_words(self.weights, self.padded.view(np.uint32).copy())
        for each in answers:
            each.copy_to_host_async()
        return answers if count == self.size else tuple(np.asarray(it)[:count] for it in answers)

    def on_the_device(self) -> None:
        """Judge nothing new, without waiting for it."""
        self.last = judged_words(self.weights, self.nothing)

    def wait(self) -> None:
        """Wait for the device."""
        jax.block_until_ready(self.last)


class Later:
    """An array that is read when the device has filled it."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        torch.cuda.synchronize()
        return self.array


class ByTorch:
    """The network in torch, as one CUDA graph with its copies to and from the device."""

    name = 'torch'

    def __init__(self, weights: dict[str, Any], size: int) -> None:
        self.size = size
        self.given = torch.zeros((size, 2), dtype=torch.int64).pin_memory()
        self.priors = torch.zeros((size, 48)).pin_memory()
        self.values = torch.zeros(size).pin_memory()
        self.weights = jax.tree.map(self._converted, weights)
        self.bits, self.columns = (torch.from_numpy(it).cuda() for it in (BITS, COLUMN_OF_KEY))
        aside = torch.cuda.Stream()
        with torch.inference_mode():
            with torch.cuda.stream(aside):  # libraries choose their algorithms before the capture
                for _ in range(3):
                    self._judge()
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self._judge()

    @staticmethod
    def _converted(weight: Any) -> Any:
        tensor = torch.from_numpy(np.array(weight)).cuda()
        if tensor.ndim < 4:
            return tensor
        return tensor.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)

    def _judge(self) -> None:
        words, weights = self.given.to('cuda', non_blocking=True), self.weights
        cells = (words[:, :, None] >> self.bits & 1).float().reshape(-1, 2, 6, 7)
        x = cells.contiguous(memory_format=torch.channels_last)
        x = functional.conv2d(x, weights['first'], padding=1).relu_()
        for one, two in weights['blocks']:
            inner = functional.conv2d(x, one, padding=1).relu_()
            x = (x + functional.conv2d(inner, two, padding=1)).relu_()
        flat = x.permute(0, 2, 3, 1).reshape(self.size, -1)  # the order of JAX
        priors = torch.softmax(flat @ weights['priors'], 1)[:, self.columns]
        self.priors.copy_(priors, non_blocking=True)
        values = (torch.tanh(flat @ weights['value']) + 1.0) / 2.0
        self.values.copy_(values, non_blocking=True)

    def __call__(self, positions: Any) -> Any:
        """The answers, in arrays that are used again, and read when they are ready."""
        count = len(positions)
        self.given[:count] = torch.from_numpy(positions)
        self.graph.replay()
        return Later(self.priors.numpy()[:count]), Later(self.values.numpy()[:count])

    def on_the_device(self) -> None:
        """Judge nothing new, without waiting for it."""
        self.graph.replay()

    def wait(self) -> None:
        """Wait for the device."""
        torch.cuda.synchronize()


def seconds_alone(network: Any) -> float:
    """How long the device needs for one call."""
    for calls in (3, 100):
        begin = time.perf_counter()
        for _ in range(calls):
            network.on_the_device()
        network.wait()
    return (time.perf_counter() - begin) / calls


def ours(network: Any, seed: int, games: int, threads: int, alone: float) -> str:
    """One round of games: simulations a second, and what the network took."""
    asked: list[int] = []

    def counted(positions: Any) -> Any:
        asked.append(len(positions))
        return network(positions)

    begin = time.perf_counter()
    played = self_play(
        connect4.start,
        SplitMix.from_seed(seed),
        Search(SIMULATIONS, network=OnPositions(counted)),
        games=games,
        together=GAMES,
        noise=Noise(alpha=0.5),
        drawn_plies=10,
        threads=threads,
    )
    seconds = time.perf_counter() - begin
    simulations = SIMULATIONS * sum(len(game.moves) for game in played)
    return (
        f'{simulations / seconds:12,.0f} simulations a second, device busy '
        f'{alone * len(asked) / seconds:4.0%}, mean batch {sum(asked) / len(asked):,.0f}'
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
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision('high')  # as JAX
    by_jax, by_torch = networks = ByJax(given, GAMES), ByTorch(given, GAMES)
    print(f'{device.device_kind}: {GAMES} games, {SIMULATIONS} simulations, {BLOCKS} x {CHANNELS}')
    drawn = np.random.RandomState(0).randint(0, 1 << 42, (GAMES, 2))
    pairs = zip(*(map(np.array, network(drawn)) for network in networks), strict=True)
    print('JAX and torch differ by', *(f'{np.abs(one - two).max():.1e}' for one, two in pairs))
    alone = {network: seconds_alone(network) for network in networks}
    for network, seconds in alone.items():
        print(f'{f"{network.name} alone":20}{GAMES / seconds:12,.0f} positions a second')
    move = searched_by_mctx(given)
    for seed in range(ROUNDS + 1):
        games = 12 * GAMES if seed else GAMES  # others begin when the first are over
        for network, threads in (by_torch, 1), (by_torch, 2), (by_torch, 4), (by_jax, 1):
            found = ours(network, seed, games, threads, alone[network])
            if seed:  # the first makes machine code
                print(f'{f"{network.name}, threads: {threads}":20}{found}', flush=True)
        begin = time.perf_counter()
        for each in range(10):
            move(10 * seed + each)
        rate = 10 * GAMES * SIMULATIONS / (time.perf_counter() - begin)
        if seed:
            print(f'{"mctx":20}{rate:12,.0f} simulations a second', flush=True)


if __name__ == '__main__':
    main()
