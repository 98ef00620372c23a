"""Charts over the iterations of a search: visits, share and value of each move of the root.

They are SVG of our own, so that a notebook shows a history without any further library; pictures
of matches, which may be PNG and may be changed by their owner, are matplotlib's (`fmcts.matches`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from fmcts._arguments import amount, shown, whole_number
from fmcts.history import History, Lead, Moment
from fmcts.view._board import notation_of
from fmcts.view._svg import INK, NEUTRAL, Svg, colours_of_moves, document, element, width_of, words

LEFT, RIGHT, TOP, BOTTOM = 58, 74, 34, 62
WIDE, HIGH, BETWEEN = 520, 150, 34
LABEL: Final = 13  # from one label to the next
EARLY: Final = 20  # of this many parts the first, where values jump, does not set the scale

# How each measure is written on its scale, and its name above the panel.
MEASURES: Final[Mapping[str, tuple[str, Callable[[float], str]]]] = {
    'visits': ('visits', '{:,.0f}'.format),
    'share': ('share of the visits', '{:.0%}'.format),
    'value': ('value', '{:.2f}'.format),
}


class _Line(NamedTuple):
    """The course of a move: its name, its colour if it has one, and each measure at each moment."""

    name: str
    colour: str | None
    measures: Mapping[str, Sequence[float | None]]


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
    for name in measures:
        if name not in MEASURES:
            raise ValueError(f'measures must be of {", ".join(MEASURES)}, not {shown(name)}')
    if not measures:
        raise ValueError(f'measures must name at least one of {", ".join(MEASURES)}')
    whole_number('moves', moves)
    timeline, leads = history.timeline(points), history.leaders()
    if history.first == history.last:
        raise ValueError('the history has no iteration to draw')
    state = history.root.state
    notation = notation_of(state, game)
    write = notation.format_move
    first = max(history.first, 1)

    def across(iteration: float) -> float:
        return WIDE * (iteration - first) / max(1, history.last - first)

    lines = _lines(timeline, moves, write)
    at = [across(moment.iterations) for moment in timeline]
    tops = [TOP + (HIGH + BETWEEN) * number for number in range(len(measures))]
    bottom = tops[-1] + HIGH
    inside = [
        part
        for name, top in zip(measures, tops, strict=True)
        for part in _panel(name, top, at, lines)
    ]
    begins = [(LEFT + across(lead.iteration), write(lead.move)) for lead in leads]
    inside += _marks(begins, bottom, LEFT + width_of(MEASURES[measures[0]][0], 12) + 10)
    for tick in _ticks(0, history.last, 6):
        if tick >= first:
            inside.append(words(LEFT + across(tick), bottom + 16, f'{tick:,.0f}', 11))
    inside.append(words(LEFT + WIDE / 2, bottom + 32, 'iterations', 11))
    title = (
        f'{notation.name}, {state.player} to move: {amount(history.last, "iteration")}, '
        f'{write(history.move)} is chosen'
    )
    grey = sum(line.colour is None for line in lines)
    note = f'{title}; {grey} more in grey' if grey else title
    width = LEFT + WIDE + RIGHT
    inside.append(words(10, bottom + 52, note, 11, room=width - 20, text_anchor='start'))
    about = '\n'.join(_about(leads, timeline[-1], write))
    return document(width, float(bottom + BOTTOM), inside, title=title, about=about)


def _lines(timeline: Sequence[Moment], moves: int, write: Callable[[Any], str]) -> list[_Line]:
    """Return the course of each move, those with the most visits in colours."""
    totals = [sum(row.visits for row in moment.stats) for moment in timeline]
    last = timeline[-1].stats
    palette = colours_of_moves([row.visits for row in last])
    most = sorted(range(len(last)), key=lambda place: -last[place].visits)[:moves]
    colours = {place: palette[place] for place in most}
    lines = []
    for place, row in enumerate(last):
        course = [moment.stats[place] for moment in timeline]
        visits = [float(it.visits) for it in course]
        share = [
            count / total if total else None for count, total in zip(visits, totals, strict=True)
        ]
        value = [it.value for it in course]
        measures: dict[str, Sequence[float | None]]
        measures = {'visits': visits, 'share': share, 'value': value}
        lines.append(_Line(write(row.move), colours.get(place), measures))
    return lines


def _panel(name: str, top: float, across: Sequence[float], lines: Sequence[_Line]) -> Iterator[str]:
    """Yield the panel of one measure."""
    title, write = MEASURES[name]
    low, high = _scale([line.measures[name] for line in lines], from_zero=name != 'value')

    def up(number: float) -> float:
        return HIGH * (high - number) / (high - low)

    yield words(LEFT, top - 8, title, 12, text_anchor='start')
    for tick in _ticks(low, high, 4):
        y = top + up(tick)
        look: dict[str, Any] = {'stroke': NEUTRAL, 'stroke_width': 0.5, 'opacity': 0.5}
        yield element('path', d=f'M{LEFT} {y:.2f}h{WIDE}', **look)
        yield words(LEFT - 6, y + 4, write(tick), 11, text_anchor='end')
    drawn = []
    for line in sorted(lines, key=lambda it: it.colour is not None):
        places = [
            None if number is None else (x, up(number))
            for x, number in zip(across, line.measures[name], strict=True)
        ]
        look = {'stroke': line.colour or NEUTRAL, 'stroke_width': 2 if line.colour else 1}
        drawn.append(element('path', d=_path(places), **look))
    # An inner picture cuts off what leaves the scale.
    size: dict[str, Any] = {'width': WIDE, 'height': HIGH, 'viewBox': f'0 0 {WIDE} {HIGH}'}
    yield element('svg', *drawn, x=LEFT, y=top, **size)
    ends = [
        (up(min(max(number, low), high)), line)
        for line in lines
        if line.colour and (number := line.measures[name][-1]) is not None
    ]
    ends.sort(key=lambda it: it[0])
    for y, (_, line) in zip(_apart([y for y, _ in ends]), ends, strict=True):
        yield element(
            'rect', x=LEFT + WIDE + 6, y=top + y - 4.5, width=8, height=8, fill=line.colour
        )
        look = {'text_anchor': 'start', 'font_weight': 600}
        yield words(LEFT + WIDE + 18, top + y + 4, line.name, 12, room=RIGHT - 22, **look)


def _scale(courses: Sequence[Sequence[float | None]], *, from_zero: bool) -> tuple[float, float]:
    """Return the least and the greatest number that a panel shows."""
    late = [it for course in courses for it in course[len(course) // EARLY :] if it is not None]
    low, high = (0.0 if from_zero else min(late)), max(late)
    if high - low < 0.1 and not from_zero:
        low, high = max(0.0, low - 0.05), min(1.0, high + 0.05)
    step = _step(high - low, 4)
    low, high = step * (low // step), -step * (-high // step)
    return low, high if high > low else low + step


def _step(length: float, count: int) -> float:
    """Return a round step that divides a length into about this number of parts."""
    step = 1.0
    while step * count < length:
        step *= 10
    while step * count / 10 >= length > 0:
        step /= 10
    return next((step / part for part in (5, 2) if step / part * count >= length), step)


def _ticks(low: float, high: float, count: int) -> list[float]:
    step = _step(high - low, count)
    numbers = (step * number for number in range(round(low / step), round(high / step) + 1))
    return [number for number in numbers if low <= number <= high + step / 9]


def _path(places: Iterable[tuple[float, float] | None]) -> str:
    """Return the path through places, interrupted where there is none."""
    return ''.join(
        f'{"M" if before is None else "L"}{place[0]:.1f} {place[1]:.1f}'
        for before, place in pairwise([None, *places])
        if place is not None
    )


def _apart(places: Sequence[float]) -> list[float]:
    """Return ascending places of labels, moved so far that none covers another."""
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + LABEL if found else -LABEL / 2))
    most = HIGH + LABEL / 2
    for number in reversed(range(len(found))):
        most = found[number] = min(found[number], most)
        most -= LABEL
    return found


def _marks(leads: Sequence[tuple[float, str]], bottom: float, begin: float) -> Iterator[str]:
    """Yield where the lead changed, the latest first: of what is too near the label is left out."""
    free = float(LEFT + WIDE + RIGHT)
    dashed: dict[str, Any] = {'stroke_width': 1, 'stroke_dasharray': '3 3', 'opacity': 0.45}
    for x, name in reversed(leads):
        yield element('path', d=f'M{x:.2f} {TOP}V{bottom:.2f}', stroke=INK, **dashed)
        room = 4 + 7 * len(name)
        if x + room / 2 <= free and x - room / 2 >= begin:
            yield words(x, TOP - 8, name, 11, font_weight=600)
            free = x - room / 2


def _about(leads: Sequence[Lead], last: Moment, write: Callable[[Any], str]) -> Iterator[str]:
    """Yield the leads and the last figures in words."""
    for lead in leads:
        after = '' if lead.before is None else f' overtakes {write(lead.before)}'
        yield f'iteration {lead.iteration:,}: {write(lead.move)}{after or " leads first"}'
    for row in last.stats:
        value = '-' if row.value is None else f'{row.value:.3f}'
        yield f'{write(row.move)}: {amount(row.visits, "visit")}, value {value}'
