"""Gumbel searches beside those of the library mctx: the same visits and the same move.

Games are drawn trees (`tests/search/drawn_games.py`), and mctx computes in double
precision. Both get the same priors, values and Gumbel numbers. The program prints every case where
visits or moves differ, and by how much improved policies differ at most. Run it from a clone with
`pip install '.[bench]'`:

    python benchmarks/gumbel.py [cases]
    python benchmarks/gumbel.py 40 --write tests/search/networks/mctx.json

The second writes what mctx found; `tests/search/networks/test_gumbel.py` compares with it.
"""

from __future__ import annotations

import json
import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np

TESTS = Path(__file__).parents[1] / 'tests/search'
sys.path.insert(0, str(TESTS))
from drawn_games import Hashed, ours, priors_of, value_of  # noqa: E402 - it lies with the tests

jax.config.update('jax_enable_x64', True)  # noqa: FBT003 - as JAX has it


def drawn_case(seed: int) -> dict[str, Any]:
    """A tree, a network and the numbers of a search."""
    source = random.Random(seed)  # noqa: S311 - no secret
    width = source.randint(2, 9)
    return {
        'seed': seed,
        'width': width,
        'depth': 3 if width > 5 else 5,
        'iterations': source.choice([1, 2, 5, 16, 33, 64, 150]),
        'considered': source.randint(1, 10),
        'scale': source.choice([0.0, 1.0, 1.0]),
        'c_visit': source.choice([50.0, 10.0]),
        'c_scale': source.choice([0.1, 1.0]),
        'rescale': source.choice([False, True]),
    }


def tables(case: dict[str, Any]) -> dict[str, Any]:
    """Arrays with a row for each node of the tree: what mctx asks a network and a game."""
    waiting, nodes = [Hashed(case['seed'], case['width'], case['depth'])], []
    while waiting:
        state = waiting.pop(0)
        nodes.append(state)
        if state.ply < case['depth']:  # below the end of a game too, where mctx goes on
            waiting += [state.play(move) for move in range(case['width'])]
    logits = np.log(np.array([priors_of(state) for state in nodes]))
    over = np.array([state.over for state in nodes])
    won = {None: 0.5}  # by who moved to the node
    ends = [won.get(it.winner, 1.0 if it.winner is not it.player else 0.0) for it in nodes]
    return {
        'logits': jnp.array(logits),
        'values': jnp.array([value_of(state) for state in nodes]),
        'over': jnp.array(over),
        'ends': jnp.array(ends),
    }


def step(width: int, params: Any, _key: Any, action: Any, index: Any) -> Any:
    """One move in the tree, for a batch of one: values are from 0 to 1, so a move gives 1 - v."""
    below = jnp.minimum(index * width + 1 + action, len(params['over']) - 1)
    over = params['over'][below]
    output = mctx.RecurrentFnOutput(
        reward=jnp.where(over, params['ends'][below], 1.0),
        discount=jnp.where(over, 0.0, -1.0),
        prior_logits=params['logits'][below],
        value=params['values'][below],
    )
    return output, below


def theirs(case: dict[str, Any]) -> dict[str, Any]:
    """What mctx finds, with the Gumbel numbers that it draws."""
    params, key = tables(case), jax.random.PRNGKey(case['seed'])
    root = mctx.RootFnOutput(
        prior_logits=params['logits'][:1],
        value=params['values'][:1],
        embedding=jnp.zeros(1, jnp.int64),
    )
    _, gumbel_key = jax.random.split(key)
    numbers = jax.random.gumbel(gumbel_key, (1, case['width']), jnp.float64)
    found = mctx.gumbel_muzero_policy(
        params,
        key,
        root,
        partial(step, case['width']),
        case['iterations'],
        max_num_considered_actions=case['considered'],
        gumbel_scale=case['scale'],
        qtransform=partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=case['c_scale'],
            maxvisit_init=case['c_visit'],
            rescale_values=case['rescale'],
        ),
    )
    visits = found.search_tree.summary().visit_counts[0]
    return {
        'numbers': [float(number) for number in numbers[0]],
        'visits': [int(count) for count in visits],
        'move': int(found.action[0]),
        'policy': [round(float(share), 9) for share in found.action_weights[0]],
    }


def main(cases: int, path: str | None) -> None:
    """Compare, and print or write what was found."""
    rows, differ, worst = [], 0, 0.0
    for seed in range(cases):
        case = drawn_case(seed)
        row = {**case, **theirs(case)}
        rows.append(row)
        visits, move, policy = ours(row)
        worst = max(worst, *(abs(a - b) for a, b in zip(policy, row['policy'], strict=True)))
        if (visits, move) != (row['visits'], row['move']):
            differ += 1
            print(f'case {seed}: mctx {row["visits"]}, {row["move"]}; fmcts {visits}, {move}')
    print(
        f'{cases - differ} of {cases} cases have the visits and the move of mctx {mctx.__version__}'
    )
    print(f'improved policies differ by {worst:.1e} at most')
    if path:
        lines = ',\n'.join(json.dumps(row) for row in rows)
        Path(path).write_text(f'[\n{lines}\n]\n', encoding='utf-8')


if __name__ == '__main__':
    arguments = sys.argv[1:]
    written = arguments.pop() if '--write' in arguments else None
    counts = [it for it in arguments if it != '--write']
    main(int(counts[0]) if counts else 40, written)
