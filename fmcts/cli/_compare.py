"""`fmcts compare`: run one search in several designs and compare results and costs."""

from __future__ import annotations

from typing import Final

from attrs import evolve
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
from fmcts.compare import Comparison, Design, Difference, compare_designs, find_engines
from fmcts.games import GameModule
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
    game, difference = position.game, comparison.difference
    return {
        'game': game.name,
        'moves': moves_in_json(game, position.moves),
        'iterations': comparison.iterations,
        'agree': comparison.agree,
        'difference': None if difference is None else _difference_in_json(game, difference),
        'designs': [_design_in_json(game, design) for design in comparison.designs],
        'refused': [{'engine': it.engine, 'why': it.why} for it in comparison.refused],
    }


def _design_in_json(game: GameModule, design: Design[int]) -> dict[str, object]:
    analysis = design.analysis
    move: int | None = analysis.move  # a faulty design may leave a tree without a choice
    return {
        'engine': design.engine,
        'iterations': analysis.iterations,
        'seconds': design.seconds,
        'iterations_per_second': design.iterations_per_second,
        'peak_bytes': design.peak_bytes,
        'objects': design.objects,
        'digest': analysis.digest,
        'move': None if move is None else move_in_json(game, move),
        'rng': format_rng(design.rng),
    }


def _difference_in_json(game: GameModule, difference: Difference) -> dict[str, object]:
    path = difference.path
    values = difference.values
    return {
        'engines': list(difference.engines),
        'iteration': difference.iteration,
        'node': None if path is None else moves_in_json(game, path),
        'field': difference.field,
        'values': list(
            values if difference.field in NUMBERS else values_in_words(difference, game)
        ),
    }
