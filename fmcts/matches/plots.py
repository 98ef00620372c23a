"""Pictures of matches, by matplotlib (extra `plot`), readable in grey and by colour-blind people.

Won, drawn and lost differ in lightness and hatching.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from fmcts._extras import loaded
from fmcts._saving import write_whole
from fmcts.matches._description import game_named
from fmcts.matches._result import MatchResult
from fmcts.matches._statistics import wilson
from fmcts.matches._tournaments import Standing

__all__ = ['bars', 'elo', 'saved', 'stacked']

# From the Okabe-Ito palette, from dark to light.
WON: Final = {'label': 'won', 'color': '#0072B2'}
DRAWN: Final = {'label': 'drawn', 'color': '#DDDDDD', 'hatch': '..', 'edgecolor': '#777777'}
LOST: Final = {'label': 'lost', 'color': '#E69F00', 'hatch': '//', 'edgecolor': '#8A5F00'}

WIDTH: Final = 7.0  # of a picture, in inches
LEAST: Final = 2.0  # its height
A_LINE: Final = 0.17  # of text
NAME: Final = 36  # characters per line of a name beside a picture
TITLE: Final = 64


def _named_rows(names: Sequence[str], title: str, around: float) -> tuple[Any, Any]:
    """Return a figure with a row for each name, the first at the top.

    :param around: the height of what is above and below the rows, in inches.
    """
    labels = [folded(name, NAME) for name in names]
    lines = sum(label.count('\n') + 2 for label in labels)
    figures = loaded('matplotlib.figure', 'pictures need', 'fmcts[plot]')
    size = WIDTH, max(LEAST, around + A_LINE * lines)
    figure = figures.Figure(figsize=size, layout='constrained')
    axes = figure.subplots()
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_title(folded(title, TITLE))
    return figure, axes


def folded(name: str, width: int) -> str:
    """Return a long name on several lines, broken after commas.

    >>> print(folded('mcts:1000,c=0.5,solver=on', 16))
    mcts:1000,c=0.5,
    solver=on
    """
    lines = ['']
    for part in re.split(r'(?<=,)(?=\D)', name):  # not within numbers such as 10,000
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append('')
        lines[-1] += part
    return '\n'.join(lines)


def _ends(intervals: Sequence[tuple[float, float, float]]) -> list[list[float]]:
    """Return the distances from the middles to the ends, which matplotlib wants, none below 0."""
    return [
        [max(0.0, middle - low) for middle, low, _ in intervals],
        [max(0.0, high - middle) for middle, _, high in intervals],
    ]


def bars(
    results: Sequence[MatchResult],
    labels: Sequence[str] | None = None,
    title: str | None = None,
    across: str = '',
) -> Any:
    """Return a figure with a bar per match: the shares of games won, drawn and lost, stacked.

    :param labels: the texts beside the bars; by default, the first bots' names.
    :param title: by default, the game, and the second bot's name if it is the same in all.
    :param across: the meaning of the labels.
    :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    :raises ValueError: a match has no game.
    """
    names = list(labels) if labels else [result.match.names[0] for result in results]
    others = {result.match.names[1] for result in results}
    games = {game_named(result.match.start) for result in results}
    against = f'against {others.pop()}' if len(others) == 1 else ''
    against = ', '.join(filter(None, (games.pop() if len(games) == 1 else '', against)))
    counts = [(result.wins, result.draws, result.losses) for result in results]
    intervals = [result.interval for result in results]
    title = against if title is None else title
    return stacked(counts, names, title=title, across=across, intervals=intervals)


def stacked(
    counts: Sequence[tuple[int, int, int]],
    labels: Sequence[str],
    *,
    title: str = '',
    across: str = '',
    intervals: Sequence[tuple[float, float]] = (),
) -> Any:
    """Return a figure with a bar per count of games won, drawn and lost, and the score's interval.

    :param labels: the texts beside the bars.
    :param across: the meaning of the labels.
    :param intervals: the intervals of the scores; by default Wilson's, of independent games.
    :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    :raises ValueError: a count has no game.
    """
    figure, axes = _named_rows(labels, title, 1.5)
    scores = []
    for number, (won, drawn, lost) in enumerate(counts):
        points, games = won + drawn / 2, won + drawn + lost
        low, high = intervals[number] if intervals else wilson(points, games)
        scores.append((100 * (points / games), 100 * low, 100 * high))
    rows, begin = range(len(counts)), [0.0] * len(counts)
    for place, look in enumerate((WON, DRAWN, LOST)):
        shares = [100 * count[place] / sum(count) for count in counts]
        axes.barh(rows, shares, 0.8, left=begin, linewidth=0.5, **look)
        begin = [before + share for before, share in zip(begin, shares, strict=True)]
    marks = axes.errorbar(
        [middle for middle, _, _ in scores],
        rows,
        xerr=_ends(scores),
        label='score (a draw is half a point), 95 %',
        fmt='D',
        color='black',
        markerfacecolor='white',
        markersize=5,
        capsize=4,
    )
    diamonds, caps, whiskers = marks.lines
    for mark in (diamonds, *caps, *whiskers):
        mark.set_clip_on(
            False
        )  # drawn in full at the edge of the axes, where a share is 0 or 100 %
    axes.set_xlim(0, 100)
    axes.set_xlabel('% of games')
    axes.set_ylabel(across)
    figure.legend(loc='outside lower center', ncols=4, frameon=False)
    return figure


def elo(standings: Sequence[Standing], title: str = '') -> Any:
    """Return a figure of a tournament's ratings with their intervals, the highest at the top.

    :param title: such as the game's name. :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    """
    figure, axes = _named_rows([row.name for row in standings], title, 1.0)
    ratings = [(row.rating.elo, row.rating.low, row.rating.high) for row in standings]
    look: dict[str, Any] = {'fmt': 'o', 'color': '#0072B2', 'capsize': 4}
    middles = [middle for middle, _, _ in ratings]
    axes.errorbar(middles, range(len(ratings)), xerr=_ends(ratings), **look)
    axes.set_xlabel('Elo points, 0 for the mean; 95 %')
    axes.grid(visible=True, axis='x', linewidth=0.3)
    return figure


def saved(figure: Any, path: str | Path) -> None:
    """Write the picture as PNG or SVG, depending on the file's suffix.

    Making the same figure again gives the same bytes.

    :raises OSError: it cannot be written.
    """
    path = Path(path)
    write_whole(path, written(figure, path.suffix.lower().removeprefix('.')))


def written(figure: Any, kind: str) -> bytes:
    """Return a PNG or SVG file (`png`, `svg`); the same figure gives the same bytes."""
    settings = {'svg.hashsalt': 'fmcts', 'svg.fonttype': 'none'}
    with loaded('matplotlib', 'pictures need', 'fmcts[plot]').rc_context(settings):
        picture = BytesIO()
        date = {'Date': None} if kind == 'svg' else {}
        figure.savefig(picture, format=kind, dpi=150, metadata=date)
    return picture.getvalue()
