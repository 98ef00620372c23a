"""The compiled engine beside other libraries at equal iterations: rates and ratios in one run.

- OpenSpiel's C++ `MCTSBot` (through pyspiel), one random playout an iteration, no solver;
- mctx with pgx's games on the CPU: `muzero_policy` with uniform priors, one random playout to the
  end of the game an expansion;
- the packages `mcts` and `mctspy` in pure Python, on this library's own states.

Run it with `pip install '.[bench]'`; a library that is not installed is named and left out:

    python benchmarks/compiled_vs_others.py [rounds]
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable
from typing import Any

from timing import Rate, in_turn, rate_of

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import GAMES

OPENSPIEL = {'tictactoe': 'tic_tac_toe', 'connect4': 'connect_four', 'othello': 'othello'}
PGX = {'tictactoe': 'tic_tac_toe', 'connect4': 'connect_four', 'othello': 'othello'}


def compiled(game: str, iterations: int) -> Rate:
    """The compiled engine."""
    state, search = GAMES[game].start, Search(iterations)
    return rate_of(
        iterations,
        lambda seed: analyse(state, SplitMix.from_seed(seed), search, engine='compiled'),
    )


def openspiel(game: str, iterations: int) -> Rate:
    """OpenSpiel's C++ bot."""
    pyspiel = importlib.import_module('pyspiel')
    board = pyspiel.load_game(OPENSPIEL[game])

    def work(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            board, evaluator, math.sqrt(2), iterations, 1000, solve=False, seed=seed, verbose=False
        )
        bot.mcts_search(board.new_initial_state())

    return rate_of(iterations, work)


def mctx_pgx(game: str, iterations: int) -> Rate:
    """The library mctx over pgx, compiled by jax for the CPU, which is not timed."""
    jax = importlib.import_module('jax')
    mctx = importlib.import_module('mctx')
    pgx = importlib.import_module('pgx')
    jnp = jax.numpy
    env = pgx.make(PGX[game])

    def legal_logits(state: Any) -> Any:
        return jnp.where(state.legal_action_mask, 0.0, -1e9)

    def value_of_playout(state: Any, key: Any) -> Any:
        """The reward of one random game for the side to move."""
        player = state.current_player

        def step(carry: tuple[Any, Any]) -> tuple[Any, Any]:
            state, key = carry
            key, drawn, stepped = jax.random.split(key, 3)
            action = jax.random.categorical(drawn, legal_logits(state))
            return env.step(state, action, stepped), key

        end, _ = jax.lax.while_loop(lambda c: ~c[0].terminated, step, (state, key))
        return end.rewards[player]

    def recurrent(_params: Any, key: Any, action: Any, states: Any) -> Any:
        def one(state: Any, action: Any, key: Any) -> Any:
            player = state.current_player
            after = env.step(state, action, key)
            value = jnp.where(after.terminated, 0.0, value_of_playout(after, key))
            discount = jnp.where(after.current_player == player, 1.0, -1.0)
            discount = jnp.where(after.terminated, 0.0, discount)
            return (after.rewards[player], discount, legal_logits(after), value), after

        keys = jax.random.split(key, action.shape[0])
        (reward, discount, logits, value), after = jax.vmap(one)(states, action, keys)
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits, value=value
        )
        return output, after

    @jax.jit
    def searched(key: Any) -> Any:
        states = jax.vmap(env.init)(jax.random.split(key, 1))
        root = mctx.RootFnOutput(
            prior_logits=legal_logits(states), value=jnp.zeros(1), embedding=states
        )
        policy = mctx.muzero_policy(
            params=(),
            rng_key=key,
            root=root,
            recurrent_fn=recurrent,
            num_simulations=iterations,
            invalid_actions=~states.legal_action_mask,
            dirichlet_fraction=0.0,
        )
        return policy.action

    searched(jax.random.PRNGKey(0)).block_until_ready()
    return rate_of(iterations, lambda seed: searched(jax.random.PRNGKey(seed)).block_until_ready())


class ForMcts:
    """A state as the package `mcts` wants it."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def getCurrentPlayer(self) -> int:  # noqa: N802 - the package's name
        """1 for X, -1 for O."""
        return 1 if self.state.player is Player.X else -1

    def getPossibleActions(self) -> list[Any]:  # noqa: N802
        """The legal moves."""
        return list(self.state.moves)

    def takeAction(self, action: Any) -> ForMcts:  # noqa: N802
        """The state after a move."""
        return ForMcts(self.state.play(action))

    def isTerminal(self) -> bool:  # noqa: N802
        """Whether the game is over."""
        return self.state.over

    def getReward(self) -> int:  # noqa: N802
        """1 when X has won, -1 when O has."""
        return {Player.X: 1, Player.O: -1, None: 0}[self.state.winner]


def mcts_package(game: str, iterations: int) -> Rate:
    """The package `mcts`."""
    package = importlib.import_module('mcts')
    start = ForMcts(GAMES[game].start)
    return rate_of(iterations, lambda _seed: package.mcts(iterationLimit=iterations).search(start))


class ForMctspy:
    """A state as the package `mctspy` wants it."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.next_to_move = 1 if state.player is Player.X else -1

    @property
    def game_result(self) -> int:
        """1 when X has won, -1 when O has, 0 for a draw."""
        return {Player.X: 1, Player.O: -1, None: 0}[self.state.winner]

    def is_game_over(self) -> bool:
        """Whether the game is over."""
        return self.state.over

    def get_legal_actions(self) -> list[Any]:
        """The legal moves."""
        return list(self.state.moves)

    def move(self, action: Any) -> ForMctspy:
        """The state after a move."""
        return ForMctspy(self.state.play(action))


def mctspy_package(game: str, iterations: int) -> Rate:
    """The package `mctspy`."""
    nodes = importlib.import_module('mctspy.tree.nodes')
    search = importlib.import_module('mctspy.tree.search')

    def work(_seed: int) -> None:
        root = nodes.TwoPlayersGameMonteCarloTreeSearchNode(state=ForMctspy(GAMES[game].start))
        search.MonteCarloTreeSearch(root).best_action(iterations)

    return rate_of(iterations, work)


Case = tuple[str, Callable[[str, int], Rate], dict[str, int], dict[str, float]]
CASES: list[Case] = [
    (
        'OpenSpiel C++',
        openspiel,
        {'tictactoe': 200_000, 'connect4': 50_000, 'othello': 3_000},
        {'tictactoe': 2.0, 'connect4': 9.0, 'othello': 40.0},
    ),
    ('mctx + pgx', mctx_pgx, {'tictactoe': 2_000, 'connect4': 1_000, 'othello': 200}, {}),
    ('mcts', mcts_package, {'tictactoe': 3_000, 'connect4': 1_000, 'othello': 100}, {}),
    ('mctspy', mctspy_package, {'tictactoe': 3_000, 'connect4': 1_000, 'othello': 100}, {}),
]


def main(rounds: int) -> None:
    """Print a line a library and game."""
    print(f'{"library":15}{"game":11}{"compiled it/s":>14}{"its it/s":>12}{"ratio":>10}  to reach')
    for name, library, counts, bounds in CASES:
        for game, iterations in counts.items():
            try:
                theirs = library(game, iterations)
            except ModuleNotFoundError as missing:
                print(f"{name:15}not installed: {missing.name}; pip install '.[bench]'")
                break
            ours = compiled(game, iterations)
            ours(0)
            one, other, ratio = in_turn(ours, theirs, rounds)
            bound = f'{bounds[game]:10.0f}' if game in bounds else ''
            print(f'{name:15}{game:11}{one:14,.0f}{other:12,.0f}{ratio:10,.1f}{bound}')


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
