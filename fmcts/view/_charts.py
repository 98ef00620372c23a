"""Charts over the iterations of a search: visits, share and value of each move of the root.

Matplotlib draws the panels, as it draws matches. The names of moves are words of our own: its font
may lack their characters, and it would read `$` as mathematics.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from fmcts._arguments import amount, shown, whole_number
from fmcts._extras import loaded
from fmcts.history import History, Lead, Moment
from fmcts.matches.plots import written
from fmcts.search import MoveStats
from fmcts.view._board import notation_of
from fmcts.view._svg import INK, NEUTRAL, Svg, colours_of_moves, document, element, width_of, words

LEFT, RIGHT, TOP, BOTTOM = 58, 74, 34, 40  # in matplotlib's points, which are units of its SVG
WIDE, HIGH, BETWEEN = 520, 150, 34
LABEL: Final = 13  # from one label to the next
EARLY: Final = 20  # of this many parts the first, where values jump, does not set the scale
STAND_IN: Final = '#010203'  # for the colour of the surrounding text, which matplotlib cannot name


def _shares(rows: Sequence[MoveStats[Any]]) -> list[float]:
    total = max(1, sum(row.visits for row in rows))
    return [row.visits / total for row in rows]


# The heading of each measure, how its scale is written, and the measure of each move.
MEASURES: Final[Mapping[str, tuple[str, str, Callable[[Sequence[MoveStats[Any]]], list[Any]]]]] = {
    'visits': ('visits', '{x:,.0f}', lambda rows: [row.visits for row in rows]),
    'share': ('share of the visits', '{x:.0%}', _shares),
    'value': ('value', '{x:.2f}', lambda rows: [row.value for row in rows]),
}


def draw_history(
    history: History[Any],
    measures: str | Sequence[str] = ('visits', 'share', 'value'),
    *,
    moves: int = 7,
    points: int = 200,
    game: Any = None,
) -> Svg:
    """Return charts of a search over its iterations as SVG: how it came to its choice.

    Each measure has a panel: the `visits` of each move of the root, its `share` of all visits, its
    mean `value` for the side to move. Each curve is labelled with its move at the end. A dashed
    line marks where another move took the lead, labelled with that move if there is room.

    :param measures: the panels from top to bottom, or the name of one.
    :param moves: how many moves, those with the most visits, have a colour and a label, at most
        seven; the others are grey. A move has the same colour in a page of `fmcts.explore`.
    :param points: about how many versions to draw.
    :param game: as for `board_svg`.
    :raises ImportError: matplotlib is not installed.
    :raises TypeError: `history` is something else.
    :raises ValueError: a measure is unknown, or there is none; `moves` or `points` is not a whole
        number of at least 1; the history has no iteration.

    >>> from fmcts import Search, SplitMix
    >>> from fmcts.games import tictactoe
    >>> from fmcts.history import history
    >>> h = history(tictactoe.start, SplitMix.from_seed(1), Search(iterations=300))
    >>> draw_history(h).count('stroke-dasharray') == len(h.leaders())
    True
    """
    if not isinstance(history, History):
        raise TypeError(
            f'draw_history draws a history (fmcts.history.history), not {shown(history)}'
        )
    measures = (measures,) if isinstance(measures, str) else measures
    if not measures or not MEASURES.keys() >= {*measures}:
        raise ValueError(f'measures must be of {", ".join(MEASURES)}, not {shown(measures)}')
    whole_number('moves', moves)
    timeline, leads = history.timeline(points), history.leaders()
    if history.first == history.last:
        raise ValueError('the history has no iteration to draw')
    state = history.root.state
    notation = notation_of(state, game)
    write = notation.format_move
    visits = [row.visits for row in timeline[-1].stats]
    most = sorted(range(len(visits)), key=lambda place: -visits[place])[:moves]
    palette = colours_of_moves(visits)
    looks = [
        (write(row.move), palette[place] if place in most else None)
        for place, row in enumerate(timeline[-1].stats)
    ]
    figures, style = (
        loaded(f'matplotlib.{name}', 'charts need', 'fmcts[plot]') for name in ('figure', 'style')
    )
    width, height = LEFT + WIDE + RIGHT, TOP + (HIGH + BETWEEN) * len(measures) - BETWEEN + BOTTOM
    with style.context('default'):  # not the user's: the same history gives the same bytes
        figure = figures.Figure((width / 72, height / 72), dpi=72)
        places = {'left': LEFT / width, 'right': 1 - RIGHT / width, 'hspace': BETWEEN / HIGH}
        places |= {'bottom': BOTTOM / height, 'top': 1 - TOP / height}
        panels = figure.subplots(len(measures), sharex=True, squeeze=False, gridspec_kw=places).flat
        labels = [
            label
            for axes, name in zip(panels, measures, strict=True)
            for label in _panel(axes, name, timeline, looks)
        ]
        labels += _marks(figure.axes, [(it.iteration, write(it.move)) for it in leads])
        drawing = _inside(written(figure, 'svg').decode())
    title = (
        f'{notation.name}, {state.player} to move: {amount(history.last, "iteration")}, '
        f'{write(history.move)} is chosen'
    )
    grey = sum(colour is None for _, colour in looks)
    note = f'{title}; {grey} more in grey' if grey else title
    about = '\n'.join(_about(leads, timeline[-1], write))
    return document(width, height, [drawing, *labels], title=title, about=about, below=[note])


def _panel(
    axes: Any, name: str, timeline: Sequence[Moment], looks: Sequence[tuple[str, str | None]]
) -> Iterator[str]:
    """Draw a measure of each move, and yield the labels at the ends of the coloured lines."""
    heading, form, measure = MEASURES[name]
    at = [moment.iterations for moment in timeline]
    courses = [*zip(*(measure(moment.stats) for moment in timeline), strict=True)]
    for course, (_, colour) in zip(courses, looks, strict=True):
        look = {'linewidth': 2, 'zorder': 2} if colour else {'linewidth': 1, 'zorder': 1}
        axes.plot(at, course, color=colour or NEUTRAL, **look)
    late = [it for course in courses for it in course[len(at) // EARLY :] if it is not None]
    low, high = (min(late) if name == 'value' else 0.0), max(late)
    room = 0.05 if name == 'value' and high - low < 0.1 else 0.0
    axes.set_ylim(low - room, high + room)
    axes.locator_params('y', nbins=4, steps=[1, 2, 5, 10], integer=name == 'visits')
    ticks = axes.get_yticks()  # from the last below the numbers to the first above them
    axes.set_yticks(ticks)
    axes.set(xlim=(at[0], max(at[-1], at[0] + 1)), ylim=(ticks[0], ticks[-1]))
    axes.locator_params('x', nbins=6, integer=True)
    axes.xaxis.set_major_formatter('{x:,.0f}')
    axes.yaxis.set_major_formatter(form)
    axes.set_title(heading, loc='left', fontsize=12, pad=8, color=STAND_IN)
    if axes.get_subplotspec().is_last_row():
        axes.set_xlabel('iterations', fontsize=11, color=STAND_IN)
    axes.grid(axis='y', color=NEUTRAL, linewidth=0.5, alpha=0.5)
    axes.tick_params(bottom=False, left=False, labelsize=11, labelcolor=STAND_IN)
    for part in (axes.patch, axes.figure.patch, axes.spines[:]):
        part.set_visible(False)
    top = axes.figure.bbox.height - axes.bbox.y1
    ends = []
    for course, (move, colour) in zip(courses, looks, strict=True):
        if colour and course[-1] is not None:
            share = (ticks[-1] - course[-1]) / (ticks[-1] - ticks[0])  # may be beyond the scale
            ends.append((top + HIGH * min(max(share, 0.0), 1.0), move, colour))
    ends.sort(key=lambda end: end[0])
    for y, (_, move, colour) in zip(_apart([end[0] for end in ends], top), ends, strict=True):
        yield element('rect', x=LEFT + WIDE + 6, y=y - 4.5, width=8, height=8, fill=colour)
        words_look: dict[str, Any] = {'text_anchor': 'start', 'font_weight': 600}
        yield words(LEFT + WIDE + 18, y + 4, move, 12, room=RIGHT - 22, **words_look)


def _apart(places: Sequence[float], top: float) -> list[float]:
    """Return ascending places of labels, moved so far that none covers another."""
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + LABEL if found else top - LABEL / 2))
    most = top + HIGH + LABEL / 2
    for number in reversed(range(len(found))):
        most = found[number] = min(found[number], most)
        most -= LABEL
    return found


def _marks(panels: Sequence[Any], leads: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Draw where the lead changed, and yield the moves that took it, as far as they have room."""
    free, begin = LEFT + WIDE + RIGHT, LEFT + width_of(panels[0].get_title('left'), 12) + 10
    bottom = 1 - len(panels) - (len(panels) - 1) * BETWEEN / HIGH  # in heights of the first panel
    dashed = {'color': STAND_IN, 'linewidth': 1, 'linestyle': (0, (3, 3)), 'alpha': 0.45}
    first, last = panels[0].get_xlim()
    for iteration, name in reversed(leads):  # of two that are close the later is named
        panels[0].axvline(iteration, bottom, 1, clip_on=False, **dashed)
        x, room = LEFT + WIDE * (iteration - first) / (last - first), 2 + 3.5 * len(name)
        if begin + room <= x <= free - room:
            yield words(x, TOP - 8, name, 11, font_weight=600)
            free = x - room


def _inside(picture: str) -> str:
    """Return what is within a picture of matplotlib, for a page that may have several."""
    inside = picture[picture.index('<g id="figure') : picture.rindex('</svg>')]
    inside = inside.replace(f': {STAND_IN}', f': {INK}')
    inside = re.sub(' *\n *', ' ', inside)
    own = hashlib.sha256(inside.encode()).hexdigest()[:8]  # else two pictures share identifiers
    named = re.sub(r'(id="|url\(#)', rf'\g<1>{own}-', inside)
    return element('g', named, stroke_linejoin='round')  # as its style sheet said, for all the page


def _about(leads: Sequence[Lead], last: Moment, write: Callable[[Any], str]) -> Iterator[str]:
    """Yield the leads and the last figures in words."""
    for lead in leads:
        after = '' if lead.before is None else f' overtakes {write(lead.before)}'
        yield f'iteration {lead.iteration:,}: {write(lead.move)}{after or " leads first"}'
    for row in last.stats:
        value = '-' if row.value is None else f'{row.value:.3f}'
        yield f'{write(row.move)}: {amount(row.visits, "visit")}, value {value}'
