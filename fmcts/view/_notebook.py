"""HTML of analyses, results and comparisons for notebooks, without scripts.

Classes elsewhere call these functions from their `_repr_html_`, and import them only then.
"""

from __future__ import annotations

from typing import Any

from fmcts._arguments import amount
from fmcts.compare import Comparison
from fmcts.matches._result import MatchResult
from fmcts.matches._tournaments import TournamentResult
from fmcts.search._analysis import Analysis
from fmcts.view._board import board_svg, notation_of
from fmcts.view._designs import figures, verdict
from fmcts.view._html import bar, draw, image, page, table
from fmcts.view._parts import Facts, Listing, statistics


def analysis_html(analysis: Analysis[Any]) -> str:
    """Return the board with the share of each move, the table of moves, and what was found."""
    state = analysis.tree.state
    game = notation_of(state)
    write = game.format_move
    words = f'{game.name}, {state.player} to move: {write(analysis.move)} was chosen'
    line = ' '.join(map(write, analysis.principal_variation))
    facts = Facts(
        (
            ('move', write(analysis.move)),
            ('line', line),
            ('iterations', f'{analysis.iterations:,}'),
            ('digest', analysis.digest),
        )
    )
    board = image(board_svg(state, analysis), words)
    return page(board, draw(statistics(analysis, write)), draw(facts))


def match_html(result: MatchResult) -> str:
    """Return how many games the first bot won, drew and lost, and its score."""
    one, two = result.match.names
    game = notation_of(result.match.start)
    played = len(result.games)
    counts = (('won', result.wins), ('drawn', result.draws), ('lost', result.losses))
    rows = [
        (name, str(count), f'{count / played:.1%}' if played else '-', bar(count / max(played, 1)))
        for name, count in counts
    ]
    caption = f'{game.name}: {one} against {two}, {amount(played, "game")}'
    shown = table((one, 'games', 'share', ''), rows, caption)
    return page(shown, draw(Facts((('score', _score(result)),)))) if played else page(shown)


def _score(result: MatchResult) -> str:
    low, high = result.interval
    return f'{result.score:.1%} ({low:.1%} to {high:.1%} with a confidence of 95 %)'


def tournament_html(result: TournamentResult) -> str:
    """Return the standings."""
    columns, rows = result.table().columns, result.table().rows
    words = [[f'{it:.1f}' if isinstance(it, float) else str(it) for it in row] for row in rows]
    return draw(Listing(tuple(columns), tuple(map(tuple, words)), 'elo: 0 for the mean; 95 %'))


def comparison_html(comparison: Comparison[Any]) -> str:
    """Return what each design cost, and whether they agree."""
    if not comparison.designs:
        return draw(Facts(tuple((it.engine, it.why) for it in comparison.refused)))
    game = notation_of(comparison.designs[0].analysis.tree.state)
    return page(draw(figures(comparison)), draw(verdict(comparison, game)))
