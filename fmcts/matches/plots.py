"""Pictures of matches, by matplotlib (extra `plot`): to be read in grey and by colour-blind people.

Won, drawn and lost are told apart by lightness and by hatching; lines by markers and dashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from fmcts.matches.result import MatchResult
from fmcts.matches.tournaments import Standing

__all__ = ['bars', 'curves', 'elo', 'saved']

# Of the Okabe-Ito palette, from dark to light.
WON: Final = {'label': 'won', 'color': '#0072B2'}
DRAWN: Final = {'label': 'drawn', 'color': '#DDDDDD', 'hatch': '..', 'edgecolor': '#777777'}
LOST: Final = {'label': 'lost', 'color': '#E69F00', 'hatch': '//', 'edgecolor': '#8A5F00'}
LINES: Final = (
    ('#0072B2', 'o', '-'),
    ('#D55E00', 's', '--'),
    ('#009E73', '^', '-.'),
    ('#000000', 'D', ':'),
)


def _figure() -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - it takes a second
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'fmcts[plot]'") from error
    figure = Figure(figsize=(7, 4), layout='constrained')
    return figure, figure.subplots()


def bars(
    results: Sequence[MatchResult], labels: Sequence[str] | None = None, title: str | None = None
) -> Any:
    """A bar a match: the shares of games won, drawn and lost, one above the other.

    :param labels: what stands under each bar; left out, the first bots' names.
    :param title: left out, the second bot's name, if it is the same in all.
    :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    """
    figure, axes = _figure()
    names = list(labels) if labels else [result.match.names[0] for result in results]
    bottom = [0.0] * len(results)
    for worth, look in ((1.0, WON), (0.5, DRAWN), (0.0, LOST)):
        shares = [
            100 * sum(game.points == worth for game in result.games) / len(result.games)
            for result in results
        ]
        axes.bar(range(len(results)), shares, 0.8, bottom=bottom, linewidth=0.5, **look)
        bottom = [below + share for below, share in zip(bottom, shares, strict=True)]
    axes.set_xticks(range(len(results)), names)
    axes.set_ylabel('% of games')
    axes.set_ylim(0, 100)
    others = {result.match.names[1] for result in results}
    axes.set_title(title or (f'against {others.pop()}' if len(others) == 1 else ''))
    axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.12), ncols=3, frameon=False)
    return figure


def curves(
    lines: Mapping[str, Sequence[tuple[float, float, float, float]]],
    *,
    across: str,
    up: str,
    title: str = '',
) -> Any:
    """Lines with intervals.

    :param lines: for each name its points `(x, y, low, high)`.
    :param across: what `x` is.
    :param up: what `y` is.
    :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    """
    figure, axes = _figure()
    for (name, points), (colour, marker, dashes) in zip(lines.items(), cycle(LINES), strict=False):
        x, y, low, high = zip(*points, strict=True)
        axes.plot(x, y, dashes, color=colour, marker=marker, markersize=4, label=name)
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title)
    axes.grid(visible=True, linewidth=0.3)
    axes.legend(frameon=False)
    return figure


def elo(standings: Sequence[Standing]) -> Any:
    """The ratings of a tournament with their intervals, the highest above.

    :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    """
    figure, axes = _figure()
    rows = standings[::-1]
    middle = [row.rating.elo for row in rows]
    error = [
        [row.rating.elo - row.rating.low for row in rows],
        [row.rating.high - row.rating.elo for row in rows],
    ]
    axes.errorbar(middle, range(len(rows)), xerr=error, fmt='o', color='#0072B2', capsize=4)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_xlabel('Elo points, 0 for the mean')
    axes.grid(visible=True, axis='x', linewidth=0.3)
    return figure


def saved(figure: Any, path: Path) -> None:
    """Write the picture; the name tells whether it is PNG or SVG. The same figure, the same bytes.

    :raises OSError: it cannot be written.
    """
    import matplotlib as mpl  # noqa: PLC0415 - as above

    with mpl.rc_context({'svg.hashsalt': 'fmcts', 'svg.fonttype': 'none'}):
        date = {'Date': None} if path.suffix.lower() == '.svg' else {}
        figure.savefig(path, dpi=150, metadata=date)
