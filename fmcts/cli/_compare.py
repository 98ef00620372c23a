"""`fmcts compare`: run one search in several designs and compare results and costs."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import click
from attrs import evolve
from returns.result import Failure, Result, Success
from returns.unsafe import unsafe_perform_io

from fmcts._arguments import shown
from fmcts._running.registry import ENGINES
from fmcts.bots._presets import RECIPES
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, NEGATIVE, accepted
from fmcts.cli._inputs import (
    Position,
    read_position,
    to_count,
    to_generator,
    to_running,
    tree_search,
)
from fmcts.cli._named import named_player
from fmcts.cli._progress import Progress
from fmcts.cli._screen import answer, move_in_json, moves_in_json
from fmcts.compare import Comparison, Design, Difference, compare_designs, find_engines
from fmcts.errors import EngineError
from fmcts.games import GameModule
from fmcts.rng import format as format_rng
from fmcts.search._description import Search
from fmcts.view._designs import figures, values_in_words, verdict

NUMBERS: Final = ('visits', 'reward', 'value')
SEARCHES: Final = tuple(
    name for name, recipe in RECIPES.items() if isinstance(recipe.pattern, Search)
)


EXAMPLES = options.examples(
    'fmcts compare connect4 --iterations 20000',
    'fmcts compare othello --moves d3,c3 --iterations 5000 --engines inplace,persistent',
    'fmcts compare tictactoe --bot mcts:2000,expansion=random,c=0.7 --seed 42 --json',
)


@click.command(
    'compare',
    short_help='Run one search in several designs; compare results and costs.',
    epilog=f'{options.games_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.option('--iterations', metavar='N', help='Iterations, instead of the number in SPEC.')
@options.position
@click.option(
    '--bot',
    'spec',
    metavar='SPEC',
    default='mcts:1000',
    show_default=True,
    help='The tree search to run; `fmcts move --help` lists its options.',
)
@options.generator
@click.option(
    '--engines',
    metavar='A,B,...',
    help=f'Two designs or more.  [default: all: {", ".join(ENGINES)}]',
)
@click.option(
    '--repeats',
    metavar='N',
    default='3',
    show_default=True,
    help='How often to measure the time of each, in turn; the shortest counts.',
)
@options.json
def command(game: str, spec: str, *, as_json: bool, **given: Any) -> int:
    """Run one search of GAME in several designs, and compare results and costs.

    The designs agree if move, statistics, digest and the generator returned are equal to the bit.
    Otherwise the first iteration and node at which they differ are named.

    Processor time, peak memory and objects (nodes, game states, generators and actions created,
    kept or not) are each measured in a separate run.

    Exit code: 0 when they agree, 1 when they differ.
    """
    position = accepted(read_position(game, given['moves'], given['board']).bind_result(to_running))
    search = accepted(to_search(spec, given['iterations']))
    engines = accepted(to_engines(given['engines']))
    rng = accepted(to_generator(given['seed'], given['rng']))
    repeats = accepted(to_count('--repeats', given['repeats']))
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


def to_search(spec: str, iterations: str | None) -> Result[Search, str]:
    """Return the search of the bot that `spec` names, with `iterations` replaced if given."""
    refusal = (
        f'bot {shown(spec.strip())} is not a tree search, and only these have designs: use '
        f'one of: {", ".join(SEARCHES)}'
    )
    found = named_player(spec).bind(partial(tree_search, refusal=refusal))
    return Result.do(
        bot.search if count is None else evolve(bot.search, iterations=count)
        for bot in found
        for count in (Success(None) if iterations is None else to_count('--iterations', iterations))
    )


def to_engines(text: str | None) -> Result[tuple[str, ...] | None, str]:
    """Return the names given by --engines; `None` without it."""
    if text is None:
        return Success(None)
    try:
        return Success(tuple(find_engines(name.strip() for name in text.split(','))))
    except EngineError as error:
        return Failure(f'--engines: {error}')


def in_json(position: Position, comparison: Comparison[int]) -> dict[str, object]:
    """Return the comparison as values for JSON."""
    game = position.game
    difference = comparison.difference
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
    return {
        'engine': design.engine,
        'iterations': analysis.iterations,
        'seconds': design.seconds,
        'iterations_per_second': design.iterations_per_second,
        'peak_bytes': design.peak_bytes,
        'objects': design.objects,
        'digest': analysis.digest,
        'move': _move_in_json(game, analysis.move),
        'rng': format_rng(design.rng),
    }


def _move_in_json(game: GameModule, move: int | None) -> int | str | None:
    """Return the move; `None` if a faulty design left a tree without a choice."""
    return None if move is None else move_in_json(game, move)


def _difference_in_json(game: GameModule, difference: Difference) -> dict[str, object]:
    path = difference.path
    return {
        'engines': list(difference.engines),
        'iteration': difference.iteration,
        'node': None if path is None else moves_in_json(game, path),
        'field': difference.field,
        'values': (
            list(difference.values)
            if difference.field in NUMBERS
            else list(values_in_words(difference, game))
        ),
    }
