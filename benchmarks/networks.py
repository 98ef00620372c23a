"""A small network in a search: batches beside one state at a time, and beside OpenSpiel's bot.

One network of 84, 64 and 8 numbers judges positions of Connect Four. Measured in turn in one
process are PUCT that asks for a prior and an evaluation of each state (as without batches),
OpenSpiel's Python `MCTSBot` with the same weights, and batches by two engines; last comes the
library's own time for an iteration, without the network. All by processor time. Run it from a
clone with `pip install '.[bench]'`:

    python benchmarks/networks.py [rounds]
    python benchmarks/networks.py [rounds] --mctx

The second compares the processor time for an iteration with that of mctx (`muzero_policy` over
pgx's Connect Four, one jit-compiled call of 200 iterations, for 1, 16 or 256 roots at once).
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as theirs
from timing import in_turn, rate_of

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import connect4
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT

ITERATIONS = 2_000
BATCH = 64
TO_REACH = {'one at a time': 8.0, 'OpenSpiel': 4.0}

RANDOM = np.random.RandomState(0)
HIDDEN = RANDOM.normal(0.0, 0.2, (84, 64))
OUTPUT = RANDOM.normal(0.0, 0.2, (64, 8))
BITS = np.array([7 * column + row for column in range(7) for row in range(6)])
COLUMN_OF_KEY = np.arange(48) // 7


def judged(features: Any) -> tuple[Any, Any]:
    """The priors of the columns and the values of positions with these features."""
    out = np.maximum(features @ HIDDEN, 0.0) @ OUTPUT
    weights = np.exp(out[:, :7] - out[:, :7].max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True), 1.0 / (1.0 + np.exp(-out[:, 7]))


def network(positions: Any) -> tuple[Any, Any]:
    """The same for an array of positions, with a prior for each key of a move."""
    cells = positions[:, :, None] >> BITS & 1
    priors, values = judged(cells.reshape(len(positions), 84).astype(np.float64))
    return priors[:, COLUMN_OF_KEY], values


def single(state: Any) -> tuple[Any, float]:
    """What the network says of one state."""
    position = np.array([connect4.Connect4.compiled.pack(state)])
    cells = (position[:, :, None] >> BITS & 1).reshape(1, 84).astype(np.float64)
    priors, values = judged(cells)
    return priors[0], float(values[0])


def prior(state: Any) -> list[float]:
    """The prior of each move, for PUCT."""
    return [float(single(state)[0][move]) for move in state.moves] if state.moves else []


def evaluate(state: Any) -> float:
    """The value for X."""
    value = single(state)[1]
    return value if state.player is Player.X else 1.0 - value


class Evaluator(theirs.Evaluator):  # type: ignore[misc] # untyped
    """The same network for OpenSpiel."""

    def _of(self, state: Any) -> tuple[Any, float]:
        planes = np.array(state.observation_tensor(state.current_player())).reshape(3, 6, 7)
        first = state.current_player()
        cells = planes[[1 + first, 2 - first]].transpose(0, 2, 1).reshape(1, 84)
        priors, values = judged(cells)
        return priors[0], float(values[0])

    def evaluate(self, state: Any) -> Any:
        """The returns that the players may expect."""
        mine = 2.0 * self._of(state)[1] - 1.0
        return np.array([mine, -mine] if state.current_player() == 0 else [-mine, mine])

    def prior(self, state: Any) -> Any:
        """Pairs of an action and its prior."""
        priors, _ = self._of(state)
        return [(action, priors[action]) for action in state.legal_actions()]


def openspiel(seed: int) -> None:
    """One search by OpenSpiel's bot."""
    game = pyspiel.load_game('connect_four')
    bot = theirs.MCTSBot(
        game,
        1.25,
        ITERATIONS,
        Evaluator(),
        solve=False,
        random_state=np.random.RandomState(seed),
        child_selection_fn=theirs.SearchNode.puct_value,
    )
    bot.mcts_search(game.new_initial_state())


def ours(search: Search, engine: str, seed: int) -> None:
    """One search by this library."""
    analyse(connect4.start, SplitMix.from_seed(seed), search, engine=engine)


def own_share(rounds: int) -> float:
    """The microseconds of an iteration that are not the network's, compiled."""
    asked = [0.0]

    def timed(positions: Any) -> tuple[Any, Any]:
        begin = time.thread_time()
        answer = network(positions)
        asked[0] += time.thread_time() - begin
        return answer

    search = Search(10 * ITERATIONS, network=OnPositions(timed), batch=BATCH)
    found = []
    for _ in range(rounds + 1):
        asked[0] = 0.0
        begin = time.thread_time()
        ours(search, 'compiled', 1)
        found.append((time.thread_time() - begin - asked[0]) / search.iterations * 1e6)
    return statistics.median(found[1:])


def searched_by_mctx(roots: int, iterations: int) -> Callable[[int], object]:
    """Searches by mctx of so many roots at once with the same network; compiled, untimed."""
    jax, mctx, pgx = map(importlib.import_module, ('jax', 'mctx', 'pgx'))
    jnp, env = jax.numpy, pgx.make('connect_four')
    hidden, output = jnp.array(HIDDEN), jnp.array(OUTPUT)

    def judged_by_jax(state: Any) -> tuple[Any, Any]:
        out = jnp.maximum(state.observation.transpose(2, 1, 0).ravel() @ hidden, 0.0) @ output
        return jnp.where(state.legal_action_mask, out[:7], -1e9), jnp.tanh(out[7] / 2.0)

    def recurrent(_params: Any, _key: Any, action: Any, states: Any) -> Any:
        def one(state: Any, action: Any) -> Any:
            after = env.step(state, action)
            logits, value = judged_by_jax(after)
            kept = jnp.where(after.terminated, 0.0, 1.0)
            return (after.rewards[state.current_player], -kept, logits, kept * value), after

        (reward, discount, logits, value), after = jax.vmap(one)(states, action)
        told = {'reward': reward, 'discount': discount, 'prior_logits': logits, 'value': value}
        return mctx.RecurrentFnOutput(**told), after

    @jax.jit
    def searched(key: Any) -> Any:
        states = jax.vmap(env.init)(jax.random.split(key, roots))
        logits, values = jax.vmap(judged_by_jax)(states)
        return mctx.muzero_policy(
            params=(),
            rng_key=key,
            root=mctx.RootFnOutput(prior_logits=logits, value=values, embedding=states),
            recurrent_fn=recurrent,
            num_simulations=iterations,
            dirichlet_fraction=0.0,
        ).action

    searched(jax.random.PRNGKey(0)).block_until_ready()
    return lambda seed: searched(jax.random.PRNGKey(seed)).block_until_ready()


def beside_mctx(rounds: int) -> None:
    """Print the microseconds of processor time for an iteration, in turn."""
    works: dict[str, tuple[int, Callable[[int], object]]] = {}
    for engine in ('inplace', 'compiled'):
        search = Search(ITERATIONS, network=OnPositions(network), batch=BATCH)
        works[f'fmcts, {engine}'] = ITERATIONS, partial(ours, search, engine)
        ours(search, engine, 0)
    for roots in (1, 16, 256):
        works[f'mctx, roots: {roots}'] = 200 * roots, searched_by_mctx(roots, 200)
    found: dict[str, list[float]] = {name: [] for name in works}
    for seed in range(rounds):
        for name, (count, work) in works.items():
            begin = time.process_time()
            work(seed)
            found[name].append((time.process_time() - begin) / count * 1e6)
    for name, times in found.items():
        print(f'{name:20}{statistics.median(times):8.2f} microseconds an iteration')


def main(rounds: int) -> None:
    """Print the ratios."""
    batches = Search(ITERATIONS, network=OnPositions(network), batch=BATCH)
    one_at_a_time = Search(ITERATIONS, selection=PUCT(prior=prior), evaluate=evaluate)
    ours(batches, 'compiled', 0)  # machine code is made before the clock starts
    timed = partial(rate_of, ITERATIONS, clock=time.process_time)
    others = {
        'one at a time': timed(partial(ours, one_at_a_time, 'inplace')),
        'OpenSpiel': timed(openspiel),
    }
    print('batches of 64   beside          it/s   its it/s   ratio  to reach')
    for engine in ('inplace', 'compiled'):
        for name, other in others.items():
            own, its, ratio = in_turn(timed(partial(ours, batches, engine)), other, rounds)
            print(f'{engine:16}{name:14}{own:7,.0f}{its:11,.0f}{ratio:8.1f}{TO_REACH[name]:10.1f}')
    print(f'compiled, without the network: {own_share(rounds):.2f} microseconds an iteration')


if __name__ == '__main__':
    arguments = [it for it in sys.argv[1:] if it != '--mctx']
    run = main if arguments == sys.argv[1:] else beside_mctx
    run(int(arguments[0]) if arguments else 5)
