"""`fmcts sweep`: a bot by one or two parameters against the same opponent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import click
from attrs import frozen
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, carry_out
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run, all_kept
from fmcts.cli._matches import by_time, figures, games, planned, score_in_words
from fmcts.cli._recorded import with_names
from fmcts.matches import Match, SweepResult
from fmcts.matches._sweeps import cells_of, points_of_sweep
from fmcts.view._parts import Listing

GROUP: Final = re.compile(r'(?:(\w+)\s*=\s*)?\{([^{}]*)\}')
NUMBER: Final = 'budget'
"""The name of the parameter without a name in the spec: the bot's number."""

EXAMPLES = options.examples(
    "fmcts sweep connect4 'mcts:500,c={0.2,0.4,0.8}' --against mcts:500 --games 200",
    "fmcts sweep tictactoe 'mcts:{50,100},c={0.5,1}' --against random --games 40 --table latex",
    "fmcts sweep connect4 'mcts:200,selection={ucb1,rave}' --against mc:200 --out rules",
)


@frozen
class Pattern:
    """A spec with lists of values in braces: the text between them, and the parameters."""

    pieces: tuple[str, ...]
    parameters: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, text: str) -> Result[Pattern, str]:
        """Return the pattern, or what is wrong with it."""
        found = list(GROUP.finditer(text))
        rest = GROUP.sub('', text)
        if not found or '{' in rest or '}' in rest:
            return Failure(
                f'SPEC must have the values of one or two options in braces, such as '
                f"'mcts:500,c={{0.2,0.4}}', not {shown(text)}"
            )
        names = [it[1] or NUMBER for it in found]
        if len(set(names)) < len(names):
            return Failure(f'{shown(text)} has two lists of values for {names[0]}')
        values = [[word.strip() for word in it[2].split(',')] for it in found]
        ends = [0, *(place for it in found for place in it.span(2)), len(text)]
        pieces = tuple(text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True))
        parameters = dict(zip(names, values, strict=True))
        try:
            cells_of(parameters)
        except ValueError as error:
            return Failure(str(error))
        return Success(cls(pieces, parameters))

    def spec(self, cell: Sequence[str]) -> str:
        """Return the spec with these values."""
        first, *rest = self.pieces
        text = first + ''.join(f'{value}{piece}' for value, piece in zip(cell, rest, strict=True))
        return text.replace('{', '').replace('}', '')


@click.command(
    'sweep',
    short_help='Play one bot by one or two parameters.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('spec', metavar='SPEC')
@click.option('--against', metavar='SPEC', required=True, help='The opponent.')
@games
@by_time
@options.generator
@click.option('--out', metavar='FOLDER', help='Keep one file per match; resume an interrupted run.')
@options.engine
def command(game: str, spec: str, against: str, **given: Any) -> int:
    """Play a match of N games of GAME for each value of a bot's options, given in braces.

    The opponent is always the same. With two lists of values every combination is played. An
    interrupted run resumes when started again with the same --out, a folder with one file for each
    match.
    """
    name = against.strip()
    request = Result.do(
        (run, pattern, (spec.strip(), name), matches)
        for run in Run.of(game, given)
        for pattern in Pattern.of(spec.strip())
        for bots in bots_of(pattern, run.engine)
        for other in to_bot(name, run.engine).alt('--against: {}'.format)
        for matches in planned(
            points_of_sweep,
            partial(_bot_of, bots),
            pattern.parameters,
            other,
            run.game.start,
            rng=run.rng,
            **run.options,
        )
    )
    return carry_out(IOResult.from_result(request), act)


def _bot_of(bots: Mapping[tuple[str, ...], Any], **cell: str) -> Any:
    return bots[tuple(cell.values())]


def bots_of(pattern: Pattern, engine: str) -> Result[Mapping[tuple[str, ...], Any], str]:
    """Return the bot of each combination of values."""
    found = {}
    for cell in cells_of(pattern.parameters):
        bot = to_bot(pattern.spec(cell), engine)
        if not is_successful(bot):
            return Failure(bot.failure())
        found[cell] = bot.unwrap()
    return Success(found)


def act(request: tuple[Run, Pattern, tuple[str, str], tuple[Match, ...]]) -> int:
    """Play the matches, and print one row for each."""
    run, pattern, (spec, other), plain = request
    cells = cells_of(pattern.parameters)
    pairs = [(pattern.spec(cell), other) for cell in cells]
    matches = [*map(with_names, plain, pairs)]
    results, seconds = run.played(
        lambda: all_kept(matches, run.game, run.out), pairs, len(pairs) * run.options['games']
    )
    found = SweepResult(tuple(pattern.parameters), cells, results)
    run.show(
        lambda: listing(found),
        found.table,
        lambda: {'bot': spec, 'against': other, 'points': in_json(found)},
        seconds,
    )
    labels = [', '.join(cell) for cell in cells]
    title = f'{run.game.name}, {spec} against {other}'
    across = ', '.join(found.parameters)
    run.draw(lambda plots: plots.bars(results, labels, title, across=across))
    return DONE


def in_json(found: SweepResult) -> list[dict[str, object]]:
    """Return the results as values for JSON."""
    return [
        {
            'parameters': dict(zip(found.parameters, cell, strict=True)),
            **figures(it, 'wins', 'draws', 'losses', 'distinct', 'score', 'interval'),
        }
        for cell, it in zip(found.cells, found.results, strict=True)
    ]


def listing(found: SweepResult) -> Listing:
    """Return one row for each match, for reading."""
    rows = tuple(
        (
            ', '.join(cell),
            *map(str, (it.wins, it.draws, it.losses, it.distinct)),
            *score_in_words(it),
        )
        for cell, it in zip(found.cells, found.results, strict=True)
    )
    headings = ', '.join(found.parameters), 'won', 'drawn', 'lost', 'distinct', 'score', '95 %'
    return Listing(headings, rows)
