"""`fmcts sweep` and `fmcts curve`: a bot by its options or budgets against the same opponent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
from attrs import frozen

from fmcts._arguments import shown
from fmcts.bots import with_number
from fmcts.cli import _types as types
from fmcts.cli._many import IN_FOLDER, Run, many_games
from fmcts.cli._types import Spec, usage
from fmcts.matches import SweepResult, cells_of
from fmcts.view import Listing

GROUP: Final = re.compile(r'(?:(\w+)\s*=\s*)?\{([^{}]*)\}')
NUMBER: Final = 'budget'
"""The name of the parameter without a name in the spec: the bot's number."""

AGAINST: Final = types.option('--against', types.BOT, 'The opponent.', required=True)


@frozen
class Pattern:
    """A spec with lists of values in braces: its text, the parameters, and the bot of each cell."""

    text: str
    parameters: Mapping[str, Sequence[Any]]
    bots: Mapping[tuple[Any, ...], Spec]

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Return the pattern.

        :raises ValueError: the text is not one, or one of its bots is not accepted.
        """
        found = list(GROUP.finditer(text))
        rest = GROUP.sub('', text)
        if not found or '{' in rest or '}' in rest:
            raise ValueError(
                f'SPEC must have the values of one or two options in braces, such as '
                f"'mcts:500,c={{0.2,0.4}}', not {shown(text)}"
            )
        names = [it[1] or NUMBER for it in found]
        if len(set(names)) < len(names):
            raise ValueError(f'{shown(text)} has two lists of values for {names[0]}')
        values = [[word.strip() for word in it[2].split(',')] for it in found]
        parameters = dict(zip(names, values, strict=True))
        form = GROUP.sub(lambda it: f'{it[1]}={{}}' if it[1] else '{}', text.strip())
        bots = {cell: types.to_bot(form.format(*cell)) for cell in cells_of(parameters)}
        return cls(text.strip(), parameters, bots)

    @classmethod
    def by_budgets(cls, spec: Spec, text: str) -> Pattern:
        """Return the pattern of a bot at comma-separated budgets.

        :raises ValueError: a budget or the bot is not accepted.
        """
        words = [word.strip() for word in text.split(',')]
        if not all(word.isascii() and word.isdecimal() and len(word) < 18 for word in words):
            raise ValueError(f'--budgets must be whole numbers such as 10,100, not {shown(text)}')
        parameters = {NUMBER: [int(word) for word in words]}
        bots = {it: types.to_bot(with_number(spec.text, *it)) for it in cells_of(parameters)}
        return cls(spec.text, parameters, bots)


@types.command(
    'sweep',
    'Play one bot by one or two parameters.',
    "fmcts sweep connect4 'mcts:500,c={0.2,0.4,0.8}' --against mcts:500 --games 200",
    "fmcts sweep tictactoe 'mcts:{50,100},c={0.5,1}' --against random --games 40 --table latex",
    "fmcts sweep connect4 'mcts:200,selection={ucb1,rave}' --against mc:200 --out rules",
    lists='bots',
)
@many_games(*IN_FOLDER)
@click.argument('pattern', metavar='SPEC', type=types.Parsed('SPEC', Pattern.of))
@AGAINST
def sweep_command(run: Run, pattern: Pattern, against: Spec) -> int:
    """Play a match of N games of GAME for each value of a bot's options, given in braces.

    The opponent is always the same. With two lists of values every combination is played. An
    interrupted run resumes when started again with the same --out, a folder with one file for each
    match.
    """
    return play_each(run, pattern, against)


@types.command(
    'curve',
    'Play one bot at several budgets.',
    'fmcts curve tictactoe mcts --budgets 10,30,100,300 --against perfect --games 200',
    'fmcts curve connect4 mcts:c=0.5 --budgets 64,256,1024 --against mcts:512 --plot curve.svg',
    'fmcts curve othello mc --budgets 10,100 --against random --games 20 --json',
    lists='bots',
)
@many_games(*IN_FOLDER, by_time=False)
@click.argument('spec', metavar='SPEC', type=types.BOT)
@types.option('--budgets', types.WORDS, 'The numbers to give to SPEC.', required=True)
@AGAINST
def curve_command(run: Run, spec: Spec, budgets: str, against: Spec) -> int:
    """Play a match of N games of GAME at each budget of a bot, always against the same opponent.

    An interrupted run resumes when started again with the same --out, a folder with one file per
    match.
    """
    with usage():
        pattern = Pattern.by_budgets(spec, budgets)
    types.tell_of_number('--budgets', spec.text, spec.player)
    return play_each(run, pattern, against, curve=True)


def play_each(run: Run, pattern: Pattern, against: Spec, *, curve: bool = False) -> int:
    """Play a match for each bot of a pattern, print one row for each, and draw the scores."""
    matches = [
        # Each match by its own generator: one more value changes none of the others.
        run.match(spec, against, rng=run.rng.child(number))
        for number, spec in enumerate(pattern.bots.values())
    ]
    results, names = run.play(matches), tuple(pattern.parameters)
    table = SweepResult(names, tuple(pattern.bots), results).table()
    across, form = ', '.join(names), '{{{}:,}}' if curve else '{{{}}}'
    counts = {'won': 'wins', 'drawn': 'draws', 'lost': 'losses'}
    counts |= {} if curve else {'distinct': 'distinct'}
    columns = {across: ', '.join(map(form.format, names))}
    columns |= {heading: f'{{{name}}}' for heading, name in counts.items()}
    columns |= {'score': '{score:.1%}', '95 %': '{low:.1%} to {high:.1%}'}
    page, points = Listing.of(table.to_dicts(), columns), []
    for cell, result in zip(pattern.bots, results, strict=True):
        at, values = dict(zip(names, cell, strict=True)), result.to_dict()
        figures = {name: values[name] for name in (*counts.values(), 'score', 'interval')}
        points.append({**(at if curve else {'parameters': at}), **figures})
    labels, title = [row[0] for row in page.rows], f'{pattern.text} against {against.text}'
    return run.show(
        page,
        {'bot': pattern.text, 'against': against.text, 'points': points},
        table,
        picture=lambda plots: plots.bars(
            results, labels, f'{run.game.name}, {title}', across=across
        ),
    )
