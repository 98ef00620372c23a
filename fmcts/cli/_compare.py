"""`fmcts compare`: run one search in several designs and compare results and costs."""

from __future__ import annotations

from typing import Final

from attrs import asdict, evolve
from returns.unsafe import unsafe_perform_io

from fmcts._running import ENGINES
from fmcts.cli import _types as types
from fmcts.cli._progress import Progress
from fmcts.cli._screen import answer, move_in_json, moves_in_json
from fmcts.cli._types import (
    COUNT,
    DONE,
    NEGATIVE,
    Generator,
    Spec,
    StartPosition,
    to_running,
)
from fmcts.compare import Comparison, compare_designs, find_engines
from fmcts.rng import format as format_rng
from fmcts.view import figures, values_in_words, verdict

NUMBERS: Final = ('visits', 'reward', 'value')


REPEATS: Final = 'How often to measure the time of each, in turn; the shortest counts.'
DESIGNS: Final = types.Parsed(
    'A,B,...', lambda text: tuple(find_engines(name.strip() for name in text.split(',')))
)


@types.command(
    'compare',
    'Run one search in several designs; compare results and costs.',
    'fmcts compare connect4 --iterations 20000',
    'fmcts compare othello --moves d3,c3 --iterations 5000 --engines inplace,persistent',
    'fmcts compare tictactoe --bot mcts:2000,expansion=random,c=0.7 --seed 42 --json',
    lists='games',
)
@types.position
@types.option('--iterations', COUNT, 'Iterations, instead of the number in SPEC.')
@types.option(
    '--bot',
    types.SEARCH,
    'The tree search to run; `fmcts move --help` lists its options.',
    default='mcts:1000',
)
@types.generator
@types.option('--engines', DESIGNS, f'Two designs or more.  [default: all: {", ".join(ENGINES)}]')
@types.option('--repeats', COUNT, REPEATS, default=3)
@types.json
def compare_command(
    position: StartPosition,
    iterations: int | None,
    bot: Spec,
    rng: Generator,
    engines: tuple[str, ...] | None,
    repeats: int,
    *,
    as_json: bool,
) -> int:
    """Run one search of GAME in several designs, and compare results and costs.

    The designs agree if move, statistics, digest and the generator returned are equal to the bit.
    Otherwise the first iteration and node at which they differ are named.

    Processor time, peak memory and objects (nodes, game states, generators and actions created,
    kept or not) are each measured in a separate run.

    Exit code: 0 when they agree, 1 when they differ.
    """
    to_running(position)
    search = bot.search if iterations is None else evolve(bot.search, iterations=iterations)
    with Progress() as progress:
        found = unsafe_perform_io(
            compare_designs(
                *(position.state, rng, search),
                engines=engines,
                repeats=repeats,
                watching=progress.watching,
            )
        )
    return answer(
        lambda: in_json(position, found),
        lambda: (figures(found), verdict(found, position.game)),
        as_json=as_json,
        code=DONE if found.agree else NEGATIVE,
    )


def in_json(position: StartPosition, comparison: Comparison[int]) -> dict[str, object]:
    """Return the comparison as values for JSON."""
    game, it = position.game, comparison.difference
    designs = []
    for design in comparison.designs:
        found = design.analysis
        move: int | None = found.move  # a faulty design may leave a tree without a choice
        costs = ('seconds', 'iterations_per_second', 'peak_bytes', 'objects')
        designs.append(
            {
                'engine': design.engine,
                'iterations': found.iterations,
                **{name: getattr(design, name) for name in costs},
                'digest': found.digest,
                'move': None if move is None else move_in_json(game, move),
                'rng': format_rng(design.rng),
            }
        )
    difference = it and {
        'engines': it.engines,
        'iteration': it.iteration,
        'node': None if it.path is None else moves_in_json(game, it.path),
        'field': it.field,
        'values': it.values if it.field in NUMBERS else values_in_words(it, game),
    }
    return {
        'game': game.name,
        'moves': moves_in_json(game, position.moves),
        'iterations': comparison.iterations,
        'agree': comparison.agree,
        'difference': difference,
        'designs': designs,
        'refused': [asdict(refusal) for refusal in comparison.refused],
    }
