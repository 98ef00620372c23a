"""A network for Connect Four on 5 columns and 4 rows, trained by self-play in some minutes.

Each generation plays games against itself, all at the same time, and learns from them: the priors
from the visits, the values from the outcomes. All that is drawn comes from one seed, so two runs on
one machine end with the same weights (printed as a digest). Last the network plays a match against
the one that it began as, until a sequential test (SPRT) says whether it is stronger.

    python benchmarks/train_network.py [generations]
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np
from attrs import frozen

from fmcts import Search, SplitMix, mcts
from fmcts.games.families import connect
from fmcts.matches import Sprt, match
from fmcts.rules import OnPositions
from fmcts.selfplay import Arrays, Noise, as_arrays, self_play

GAME = connect.game(5, 4, 4)
KEYS = 25  # five for each column, of which one is never used
CELLS = np.arange(KEYS)
HIDDEN = 64
RATE = 0.5
SEARCH = {'iterations': 64, 'batch': 8}

Weights = tuple[Any, ...]


@frozen(eq=False)
class Network:
    """Its weights, and what they say of positions: priors of keys, and values."""

    weights: Weights

    def layers(self, positions: Any) -> tuple[Any, ...]:
        """The features, the hidden numbers, the priors and the values."""
        cells = (positions[:, :, None] >> CELLS & 1).reshape(len(positions), 2 * KEYS)
        features = cells.astype(np.float64)
        first, second, third = self.weights
        hidden = np.maximum(features @ first, 0.0)
        scores = hidden @ second
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        values = 1.0 / (1.0 + np.exp(-(hidden @ third)))
        return features, hidden, weights / weights.sum(axis=1, keepdims=True), values

    def __call__(self, positions: Any) -> tuple[Any, Any]:
        """As `Search.network` wants it, under `OnPositions`."""
        return self.layers(positions)[2:]

    def learnt(self, games: Arrays, random: Any) -> Network:
        """The network after some passes over these positions."""
        first, second, third = (each.copy() for each in self.weights)
        now = Network((first, second, third))
        for _ in range(10):
            order = random.permutation(len(games.positions))
            for begin in range(0, len(order), 64):
                some = order[begin : begin + 64]
                features, hidden, priors, values = now.layers(games.positions[some])
                # The gradients of cross-entropy and of the logistic loss.
                wrong = (priors - games.policies[some]) / len(some)
                missed = (values - games.outcomes[some]) / len(some)
                back = wrong @ second.T + missed[:, None] * third
                first -= RATE * features.T @ (back * (hidden > 0.0))
                second -= RATE * hidden.T @ wrong
                third -= RATE * hidden.T @ missed
        return now

    @property
    def digest(self) -> str:
        """The beginning of a hash of the weights."""
        data = b''.join(np.ascontiguousarray(each).tobytes() for each in self.weights)
        return hashlib.blake2b(data, digest_size=8).hexdigest()


def fresh(random: Any) -> Network:
    """A network that has learnt nothing."""
    shapes = (2 * KEYS, HIDDEN), (HIDDEN, KEYS), (HIDDEN,)
    return Network(tuple(random.normal(0.0, 0.1, shape) for shape in shapes))


def search_by(network: Network) -> Search:
    """The search that plays by a network."""
    return Search(**SEARCH, network=OnPositions(network))


def main(generations: int) -> None:
    """Train, and play the match."""
    random = np.random.RandomState(1)
    rng = SplitMix.from_seed(1)
    begun = network = fresh(random)
    for generation in range(generations):
        games = self_play(
            GAME.start,
            rng.child(generation),
            search_by(network),
            games=64,
            noise=Noise(alpha=1.0),
            drawn_plies=8,
        )
        network = network.learnt(as_arrays(games), random)
        plies = sum(len(game.moves) for game in games) / len(games)
        print(f'generation {generation + 1}: {plies:.1f} plies a game, weights {network.digest}')
    result = match(
        mcts(search_by(network)),
        mcts(search_by(begun)),
        GAME.start,
        games=400,
        rng=rng.child(generations),
        opening_plies=4,
        sprt=Sprt(0, 100),
    )
    print(f'{result.wins} wins, {result.draws} draws, {result.losses} losses')
    print(f'Elo {result.elo:+.0f}; accepted: {result.accepted}')


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
