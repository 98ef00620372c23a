"""`fmcts sweep`: a bot by one or two parameters against the same opponent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots._presets import AnyBot
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, accepted
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run
from fmcts.cli._matches import by_time, figures, games, score_in_words, to_match
from fmcts.matches import MatchResult, SweepResult
from fmcts.matches._sweeps import cells_of
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
    run = Run.of(game, given)
    names = spec.strip(), against.strip()
    pattern = accepted(Pattern.of(names[0]))
    cells = cells_of(pattern.parameters)
    specs = [*map(pattern.spec, cells)]
    bots = [accepted(to_bot(it, run.engine)) for it in specs]
    results, seconds = play_each(run, specs, bots, names[1])
    found = SweepResult(tuple(pattern.parameters), cells, results)
    parameters = [{'parameters': dict(zip(found.parameters, cell, strict=True))} for cell in cells]
    labels = [*map(', '.join, cells)]
    return show_each(run, found, names, labels, parameters, seconds, ('distinct',))


def play_each(
    run: Run, specs: Sequence[str], bots: Sequence[AnyBot], against: str
) -> tuple[tuple[MatchResult, ...], float]:
    """Play each bot against the opponent that `against` names; return results and seconds."""
    opponent = accepted(to_bot(against, run.engine).alt('--against: {}'.format))
    matches = [
        accepted(
            to_match(
                first=bot,
                second=bot if spec == against else opponent,  # equal specs are one bot
                start=run.game.start,
                rng=run.rng.child(number),
                names=(spec, against),
                **run.options,
            )
        )
        for number, (spec, bot) in enumerate(zip(specs, bots, strict=True))
    ]
    return run.play(matches)


def show_each(
    run: Run,
    found: SweepResult,
    names: tuple[str, str],
    labels: Sequence[str],
    parameters: Sequence[Mapping[str, object]],
    seconds: float,
    more: tuple[str, ...] = (),
) -> int:
    """Print one row for each match, and draw the scores.

    `labels` and `parameters` say for a page and for JSON what the matches differ by; `more` are
    further attributes of the results to show.
    """
    counts = ('wins', 'draws', 'losses', *more)
    across = ', '.join(found.parameters)
    rows = tuple(
        (label, *(str(getattr(it, name)) for name in counts), *score_in_words(it))
        for label, it in zip(labels, found.results, strict=True)
    )
    points = [
        {**values, **figures(it, *counts, 'score', 'interval')}
        for values, it in zip(parameters, found.results, strict=True)
    ]
    run.show(
        lambda: Listing((across, 'won', 'drawn', 'lost', *more, 'score', '95 %'), rows),
        found.table,
        lambda: {'bot': names[0], 'against': names[1], 'points': points},
        seconds,
    )
    title = f'{run.game.name}, {names[0]} against {names[1]}'
    run.draw(lambda plots: plots.bars(found.results, labels, title, across=across))
    return DONE
