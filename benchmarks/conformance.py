"""What other implementations of MCTS do with scripted playouts: the table of docs/conformance.md.

python benchmarks/conformance.py [mcts] [mctspy] [open_spiel] [mctx]

Needs mcts, mctspy, open_spiel and mctx (extra `bench`); what is not installed is left out. Each
adapter gives the trace of one implementation, whose playouts give the results of the tree.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path as File
from types import SimpleNamespace
from typing import Any
from unittest import mock

from attrs import evolve, frozen
from returns.pipeline import is_successful

sys.path.insert(0, str(File(__file__).parents[1]))
from fmcts import Player
from fmcts.conformance import Dialect, Step, Tree, check, from_snapshots, to_json

SIDES = {Player.X: 1, Player.O: -1}
Path = tuple[str, ...]


def for_x(tree: Tree) -> float:
    """Return the result for X from -1 to 1."""
    return 2.0 * tree.result - 1.0


# ---- mcts 1.0.4 ----


@frozen
class OfMcts:
    """A state for the package mcts."""

    tree: Tree

    def getCurrentPlayer(self) -> int:  # noqa: N802, D102 - as mcts calls it, and the following
        return SIDES[self.tree.player]

    def getPossibleActions(self) -> tuple[str, ...]:  # noqa: N802, D102
        return self.tree.moves

    def takeAction(self, action: str) -> OfMcts:  # noqa: N802, D102
        return OfMcts(self.tree.play(action))

    def isTerminal(self) -> bool:  # noqa: N802, D102
        return self.tree.over


def by_mcts(tree: Tree, iterations: int) -> list[Step]:
    """Return the trace of the package mcts."""
    from mcts import mcts, treeNode

    searcher = mcts(iterationLimit=1, rolloutPolicy=lambda state: for_x(state.tree))
    searcher.root = treeNode(OfMcts(tree), None)

    def counts(node: Any, path: Path) -> Iterator[tuple[Path, tuple[int, float]]]:
        yield path, (node.numVisits, node.totalReward)
        for move, child in node.children.items():
            yield from counts(child, (*path, move))

    def snapshots() -> Iterator[Any]:
        for _ in range(iterations):
            searcher.executeRound()
            yield dict(counts(searcher.root, ()))

    return from_snapshots(snapshots())


# ---- mctspy 0.1.1 ----


@frozen
class OfMctspy:
    """A state for mctspy."""

    tree: Tree
    line: Path = ()

    @property
    def next_to_move(self) -> int:  # noqa: D102
        return SIDES[self.tree.player]

    def get_legal_actions(self) -> list[str]:  # noqa: D102
        return [*self.tree.moves]

    def move(self, action: str) -> OfMctspy:  # noqa: D102
        return OfMctspy(self.tree.play(action), (*self.line, action))

    def is_game_over(self) -> bool:  # noqa: D102
        return self.tree.over


def by_mctspy(tree: Tree, iterations: int) -> list[Step]:
    """Return the trace of mctspy."""
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode as Node
    from mctspy.tree.search import MonteCarloTreeSearch

    root = Node(OfMctspy(tree))
    searcher = MonteCarloTreeSearch(root)

    def counts(node: Any) -> Iterator[tuple[Path, tuple[int, float]]]:
        results = node._results  # noqa: SLF001 - it has no other name
        yield node.state.line, (int(node.n), results[1] - results[-1])
        for child in node.children:
            yield from counts(child)

    def snapshots() -> Iterator[Any]:
        for _ in range(iterations):
            searcher.best_action(1)
            yield dict(counts(root))

    with mock.patch.object(Node, 'rollout', lambda self: int(for_x(self.state.tree))):
        return from_snapshots(snapshots())


# ---- OpenSpiel's bot in Python, and its bot in C++ ----


class OfOpenSpiel:
    """A state for OpenSpiel's bot in Python, which needs no more of its own classes than this."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def clone(self) -> OfOpenSpiel:  # noqa: D102
        return OfOpenSpiel(self.tree)

    def is_terminal(self) -> bool:  # noqa: D102
        return self.tree.over

    def is_chance_node(self) -> bool:  # noqa: D102
        return False

    def current_player(self) -> int:  # noqa: D102
        return 0 if self.tree.player is Player.X else 1

    def legal_actions(self, _player: int | None = None) -> list[int]:  # noqa: D102
        return [*range(len(self.tree.moves))]

    def apply_action(self, action: int) -> None:  # noqa: D102
        self.tree = self.tree.moves_to[action][1]

    def returns(self) -> list[float]:  # noqa: D102
        return [for_x(self.tree), -for_x(self.tree)]


def by_openspiel(tree: Tree, iterations: int) -> list[Step]:
    """Return the trace of OpenSpiel's bot in Python, by searches of 1, 2, 3... simulations."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    kinds = pyspiel.GameType
    kind = SimpleNamespace(
        reward_model=kinds.RewardModel.TERMINAL, dynamics=kinds.Dynamics.SEQUENTIAL
    )
    game = SimpleNamespace(get_type=lambda: kind, max_utility=lambda: 1.0)
    evaluator = mcts.RandomRolloutEvaluator()
    evaluator.evaluate = lambda state: state.returns()

    def root_after(simulations: int) -> Any:
        seed = np.random.RandomState(1)
        bot = mcts.MCTSBot(
            game, math.sqrt(2), simulations, evaluator, solve=False, random_state=seed
        )
        return bot.mcts_search(OfOpenSpiel(tree))

    return from_snapshots(_snapshots(tree, root_after, iterations))


def _snapshots(tree: Tree, root_after: Callable[[int], Any], iterations: int) -> Iterator[Any]:
    """Yield the whole trees of either bot, until it has proven the root."""

    def counts(node: Any, tree: Tree, path: Path, chooser: int) -> Iterator[Any]:
        if node.explore_count:  # the reward of a node is that of the player who chose it
            yield path, (node.explore_count, node.total_reward * chooser)
        for child in node.children:
            move, after = tree.moves_to[child.action]
            yield from counts(child, after, (*path, move), SIDES[tree.player])

    done = 0
    for simulations in range(1, iterations + 1):
        root = root_after(simulations)
        if root.explore_count == done:  # it ended since the root is proven
            return
        done = root.explore_count
        yield dict(counts(root, tree, (), SIDES[tree.player]))


@frozen
class Copies:
    """How often a state was copied: it is copied with the attributes of the state."""

    number: int

    def __deepcopy__(self, memo: Any) -> Copies:
        """Return one copy more."""
        return Copies(self.number + 1)


def scripted_game(tree: Tree) -> Any:
    """Return a tree as a game of OpenSpiel whose playouts give the results of the tree.

    The bot plays on a copy of its state, a playout on a copy of that, where the game is over.
    """
    import pyspiel

    class State(pyspiel.State):
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.tree, self.copies = tree, Copies(0)

        def current_player(self) -> int:
            over = self.is_terminal()
            return int(pyspiel.PlayerId.TERMINAL) if over else (SIDES[self.tree.player] == -1)

        def _legal_actions(self, _player: int) -> list[int]:
            return [*range(len(self.tree.moves))]

        def _apply_action(self, action: int) -> None:
            self.tree = self.tree.moves_to[action][1]

        def is_terminal(self) -> bool:
            return self.tree.over or self.copies.number >= 2

        def returns(self) -> list[float]:
            return [for_x(self.tree), -for_x(self.tree)]

    class Game(pyspiel.Game):
        def __init__(self, parameters: Any = None) -> None:
            kind = pyspiel.GameType(
                short_name='script',
                long_name='script',
                dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
                chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
                information=pyspiel.GameType.Information.PERFECT_INFORMATION,
                utility=pyspiel.GameType.Utility.ZERO_SUM,
                reward_model=pyspiel.GameType.RewardModel.TERMINAL,
                max_num_players=2,
                min_num_players=2,
                provides_information_state_string=False,
                provides_information_state_tensor=False,
                provides_observation_string=False,
                provides_observation_tensor=False,
                parameter_specification={},
            )
            info = pyspiel.GameInfo(
                num_distinct_actions=4,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=64,
            )
            super().__init__(kind, info, parameters or {})

        def new_initial_state(self) -> Any:
            return State(self)

    return Game()


def by_openspiel_in_c(tree: Tree, iterations: int) -> list[Step]:
    """Return the trace of OpenSpiel's bot in C++, by searches of 1, 2, 3... simulations."""
    import pyspiel

    game, c = scripted_game(tree), math.sqrt(2)

    def root_after(simulations: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        how: dict[str, Any] = {'max_memory_mb': 100, 'solve': False, 'seed': 1, 'verbose': False}
        bot = pyspiel.MCTSBot(game, evaluator, c, simulations, **how)
        return bot.mcts_search(game.new_initial_state())

    return from_snapshots(_snapshots(tree, root_after, iterations))


# ---- mctx ----

ROWS = 32  # the most positions of a tree


@cache
def muzero(simulations: int, *, normalised: bool) -> Callable[..., Any]:
    """Return mctx's policy on positions as rows of arrays, compiled once.

    What follows a finished game is that game again, since mctx does not know of ends.
    """
    import jax
    import jax.numpy as jnp
    import mctx

    def recurrent(game: Any, _key: Any, action: Any, row: Any) -> Any:
        new = game['after'][row, action]
        over, turn = game['over'][new], game['side'][new] * game['side'][row]
        ended = over & ~game['over'][row]
        return mctx.RecurrentFnOutput(
            reward=jnp.where(ended, game['value'][new] * turn, 0.0),
            discount=jnp.where(over, 0.0, turn),
            prior_logits=game['logits'][new],
            value=jnp.where(over, 0.0, game['value'][new]),
        ), new

    def policy(game: Any) -> Any:
        root = mctx.RootFnOutput(
            prior_logits=game['logits'][:1],
            value=game['value'][:1],
            embedding=jnp.zeros(1, int),
        )
        fixed = partial(mctx.qtransform_by_min_max, min_value=-1.0, max_value=1.0)
        transform = mctx.qtransform_by_parent_and_siblings if normalised else fixed
        key = jax.random.PRNGKey(1)
        return mctx.muzero_policy(
            game, key, root, recurrent, simulations, dirichlet_fraction=0.0, qtransform=transform
        ).search_tree

    return jax.jit(policy)


def by_mctx(tree: Tree, iterations: int, *, normalised: bool = False) -> list[Step]:
    """Return the trace of mctx's MuZero policy: PUCT with equal priors.

    Results are put on a scale from 0 to 1, as its scores have them. A path is cut at the end of the
    game, and only the last step has the values that mctx reports.

    :param normalised: whether values are normalised among siblings, as by default.
    """
    import numpy as np

    rows: list[Tree] = [tree]
    after = np.arange(ROWS)[:, None].repeat(4, axis=1)
    for number, row in enumerate(rows):  # grows meanwhile
        after[number, : len(row.moves)] = np.arange(len(rows), len(rows) + len(row.moves))
        rows.extend(each for _, each in row.moves_to)
    padded = rows + [rows[0]] * (ROWS - len(rows))
    logits = [
        [0.0 if it.over or at < len(it.moves) else -np.inf for at in range(4)] for it in padded
    ]
    game = {
        'after': after,
        'logits': np.array(logits),
        'over': np.array([it.over for it in padded]),
        'side': np.array([SIDES[it.player] for it in padded]),
        'value': np.array([for_x(it) * SIDES[it.player] for it in padded]),
    }
    found = muzero(iterations - 1, normalised=normalised)(game)
    parents, actions = found.parents[0].tolist(), found.action_from_parent[0].tolist()

    def path_to(index: int) -> Path:
        line: list[int] = []
        while index > 0:
            line.insert(0, actions[index])
            index = parents[index]
        path: Path = ()
        while line and not tree.at(path).over:
            path = (*path, tree.at(path).moves[line.pop(0)])
        return path

    paths = [path_to(index) for index in range(iterations)]
    steps = [Step(path, tree.at(path).result) for path in paths]
    visits = found.children_visits[0][0].tolist()
    counted = [sum(1 for path in paths if path[:1] == (move,)) for move in tree.moves]
    if visits[: len(counted)] != counted:
        raise AssertionError('mctx reports other visits than its nodes have')
    value = (float(found.node_values[0][0]) * SIDES[tree.player] + 1.0) / 2.0
    return [*steps[:-1], evolve(steps[-1], visits=(iterations,), values=(value,))]


# ---- the table ----

USUAL = Dialect(rewards=(-1.0, 1.0))
OPENSPIEL = evolve(USUAL, expansion='selected', ties='any')
MCTX = Dialect('puct', 1.25, base=19652.0, expansion='selected', first_play=0.0, ties='any')
Row = tuple[str, Callable[[Tree, int], list[Step]], Dialect]
ROWS_OF: dict[str, tuple[Row, ...]] = {
    'mcts': (('mcts', by_mcts, evolve(USUAL, c=1.0, ties='any')),),
    'mctspy': (
        ('mctspy', by_mctspy, evolve(USUAL, c=1.4 * math.sqrt(2))),
        ('mctspy', by_mctspy, evolve(USUAL, c=1.4 * math.sqrt(2), expansion='last', ties='last')),
    ),
    'open_spiel': (
        ('OpenSpiel, Python', by_openspiel, OPENSPIEL),
        ('OpenSpiel, Python', by_openspiel, evolve(OPENSPIEL, finished='exact')),
        ('OpenSpiel, C++', by_openspiel_in_c, OPENSPIEL),
        ('OpenSpiel, C++', by_openspiel_in_c, evolve(OPENSPIEL, finished='exact')),
    ),
    'mctx': (
        ('mctx', partial(by_mctx, normalised=True), MCTX),
        ('mctx', partial(by_mctx, normalised=True), evolve(MCTX, scale='siblings')),
        ('mctx, qtransform_by_min_max', by_mctx, MCTX),
    ),
}


def main(wanted: Sequence[str]) -> None:
    """Print what is found in each implementation, and the traces that differ as JSON."""
    for package, rows in ROWS_OF.items():
        if not find_spec(package) or (wanted and package not in wanted):
            continue
        for name, run, dialect in rows:
            print(f'{name}: {dialect}', flush=True)
            found = check(run, dialect)
            if is_successful(found):
                print(f'  {found.unwrap()} trees as declared')
                continue
            tree, difference = found.failure().tree, found.failure().difference
            trace = to_json(tree, dialect, run(tree, difference.iteration))
            print(f'  {difference}\n  {json.dumps(trace)}')


if __name__ == '__main__':
    main(sys.argv[1:])
