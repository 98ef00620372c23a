"""A network for Connect Four, trained by self-play in some minutes, and its strength by generation.

Each generation plays games against itself, all at the same time, by Gumbel's search with few
simulations, and learns from those of the last generations: the priors from the improved policies,
the values from what the searches found and how the games ended. All that is drawn comes from one
seed, so two runs on one machine end with the same weights (printed as a digest). Every few
generations it plays a match against `mcts`, with as many iterations each.

    python benchmarks/train_network.py [generations] [--plot FILE]
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from matplotlib.figure import Figure

from fmcts import Search, SplitMix, mcts
from fmcts.games import connect4
from fmcts.matches import match
from fmcts.matches.plots import saved
from fmcts.rules import OnPositions
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.selfplay import Arrays, as_arrays, self_play

CELLS = np.arange(49)  # bits of a word: seven for each column, of which the highest is never set
KEYS = 48
HIDDEN = 128
RATE, MOMENTUM = 0.05, 0.9
GAMES, SIMULATIONS = 256, 32
KEPT = 6  # generations to learn from
EVERY = 4  # generations from match to match
ITERATIONS = 200  # of both players of a match
PLAYED = 40  # games of a match

Weights = tuple[Any, ...]


def features_of(positions: Any) -> Any:
    """The discs of the side to move, then those of the other, as numbers."""
    return (positions[:, :, None] >> CELLS & 1).reshape(len(positions), 98).astype(np.float64)


def mirrored(features: Any, policies: Any) -> tuple[Any, Any]:
    """The same positions with the columns from right to left."""
    wide = np.pad(policies, ((0, 0), (0, 1)))
    there = wide.reshape(-1, 7, 7)[:, ::-1].reshape(-1, 49)[:, :KEYS]
    return features.reshape(-1, 2, 7, 7)[:, :, ::-1].reshape(-1, 98), there


@frozen(eq=False)
class Network:
    """Its weights, and what they say of positions: priors of keys, and values."""

    weights: Weights

    def layers(self, features: Any) -> tuple[Any, ...]:
        """The hidden numbers of both layers, the priors and the values."""
        first, second, third, fourth = self.weights
        one = np.maximum(features @ first, 0.0)
        two = np.maximum(one @ second, 0.0)
        scores = two @ third
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        values = 1.0 / (1.0 + np.exp(-(two @ fourth)))
        return one, two, weights / weights.sum(axis=1, keepdims=True), values

    def __call__(self, positions: Any) -> tuple[Any, Any]:
        """As `Search.network` wants it, under `OnPositions`."""
        return self.layers(features_of(positions))[2:]

    def learnt(self, seen: tuple[Any, Any, Any], random: Any) -> Network:
        """The network after two passes over features, policies and values."""
        now = [each.copy() for each in self.weights]
        speed = [np.zeros_like(each) for each in now]
        features, policies, values = seen
        for _ in range(2):
            order = random.permutation(len(features))
            for begin in range(0, len(order) - 127, 128):
                some = order[begin : begin + 128]
                x = features[some]
                one, two, priors, found = Network(tuple(now)).layers(x)
                # The gradients of cross-entropy and of the logistic loss.
                wrong = (priors - policies[some]) / len(some)
                missed = (found - values[some]) / len(some)
                back = (wrong @ now[2].T + missed[:, None] * now[3]) * (two > 0.0)
                further = (back @ now[1].T) * (one > 0.0)
                slopes = x.T @ further, one.T @ back, two.T @ wrong, two.T @ missed
                for weight, moving, slope in zip(now, speed, slopes, strict=True):
                    moving[...] = MOMENTUM * moving - RATE * slope
                    weight[...] = weight + moving
        return Network(tuple(now))

    @property
    def digest(self) -> str:
        """The beginning of a hash of the weights."""
        data = b''.join(np.ascontiguousarray(each).tobytes() for each in self.weights)
        return hashlib.blake2b(data, digest_size=8).hexdigest()


def fresh(random: Any) -> Network:
    """A network that has learnt nothing."""
    shapes = (98, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, KEYS), (HIDDEN,)
    weights = (random.normal(0.0, (2.0 / it[0]) ** 0.5, it) for it in shapes)
    first, second, third, fourth = weights
    return Network((first, second, 0.1 * third, 0.1 * fourth))


def search_by(network: Network, simulations: int = SIMULATIONS) -> Search:
    """The search that plays by a network."""
    return Search(
        simulations,
        network=OnPositions(network),
        selection=Gumbel(),
        schedule=GumbelHalving(considered=7),
    )


def examples(games: Arrays) -> tuple[Any, Any, Any]:
    """What to learn from: each position, and its mirror image."""
    features = features_of(games.positions)
    values = (games.values + games.outcomes) / 2.0
    pairs = zip((features, games.policies), mirrored(features, games.policies), strict=True)
    return *map(np.concatenate, pairs), np.concatenate((values, values))  # type: ignore[return-value]


def main(generations: int, plot: str | None) -> None:
    """Train, and play the matches."""
    random, rng = np.random.RandomState(1), SplitMix.from_seed(1)
    network, kept, scores = fresh(random), [], []
    for generation in range(generations + 1):
        if generation % EVERY == 0 or generation == generations:
            result = match(
                mcts(search_by(network, ITERATIONS)),
                mcts(Search(ITERATIONS)),
                connect4.start,
                games=PLAYED,
                rng=SplitMix.from_seed(2),
                opening_plies=2,
            )
            score, (low, high) = result.score, result.interval
            scores.append((generation, 100 * score, 100 * low, 100 * high))
            print(f'generation {generation}: {score:.0%} of the points, {network.digest}')
        if generation < generations:
            games = self_play(
                connect4.start, rng.child(generation), search_by(network), games=GAMES
            )
            kept = [*kept, examples(as_arrays(games))][-KEPT:]
            seen = tuple(np.concatenate(each) for each in zip(*kept, strict=True))
            network = network.learnt(seen, random)
    if plot:
        figure = Figure(figsize=(7, 4), layout='constrained')
        axes = figure.subplots()
        at, middle, low, high = zip(*scores, strict=True)
        axes.plot(at, middle, 'o-', markersize=4, label=f'{PLAYED} games, 95 % interval')
        axes.fill_between(at, low, high, alpha=0.15, linewidth=0)
        up = f'% of the points against mcts:{ITERATIONS}'
        axes.set(xlabel='generation', ylabel=up, xticks=at, ylim=(0, 100))
        axes.legend(frameon=False)
        saved(figure, Path(plot))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='Train a network for Connect Four.')
    parser.add_argument('generations', type=int, nargs='?', default=20)
    parser.add_argument('--plot', help='a file for a picture of the strength by generation')
    given = parser.parse_args()
    main(given.generations, given.plot)
