"""Charts over the iterations of a search: visits, share and value of each move of the root."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import amount, shown, whole_number
from fmcts.history import History, Lead, Moment
from fmcts.search._analysis import MoveStats
from fmcts.view._board import notation_of
from fmcts.view._svg import COLOURS, INK, NEUTRAL, Svg, document, element, width_of, words

"""Of the palette that `_svg` names, without its yellow, which white ground swallows."""

LEFT, RIGHT, TOP, BOTTOM = 58, 74, 34, 62
WIDE, HIGH, BETWEEN = 520, 150, 34
LABEL: Final = 13  # from one label to the next
EARLY: Final = 20  # of this many parts the first, where values jump, does not set the scale


@frozen
class _Measure:
    """A quantity in a panel: its number for a move, its format, and where the scale starts."""

    title: str
    of: Callable[[MoveStats[Any], int], float | None]
    write: Callable[[float], str]
    from_zero: bool


MEASURES: Final = {
    'visits': _Measure(
        'visits', lambda row, _: float(row.visits), '{:,.0f}'.format, from_zero=True
    ),
    'share': _Measure(
        'share of the visits',
        lambda row, total: row.visits / total if total else None,
        '{:.0%}'.format,
        from_zero=True,
    ),
    'value': _Measure('value', lambda row, _: row.value, '{:.2f}'.format, from_zero=False),
}


def draw_history(
    history: History[Any],
    measures: str | Sequence[str] = ('visits', 'share', 'value'),
    *,
    moves: int = 6,
    points: int = 200,
    game: Any = None,
) -> Svg:
    """Return charts of a search over its iterations as SVG: how it came to its choice.

    Each measure has a panel: the `visits` of each move of the root, its `share` of all visits, its
    mean `value` for the side to move. Each curve is labelled with its move at the end. A dashed
    line marks where another move took the lead, labelled with that move if there is room.

    :param measures: the panels from top to bottom, or the name of one.
    :param moves: how many moves, those with the most visits, have a colour and a label; the others
        are grey.
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
    last = timeline[-1].stats
    shown_moves = sorted(range(len(last)), key=lambda index: -last[index].visits)[:moves]
    looks = {
        index: COLOURS[place % len(COLOURS)] for place, index in enumerate(sorted(shown_moves))
    }
    across = _Across(max(history.first, 1), history.last)
    inside: list[str] = []
    top = float(TOP)
    for name in measures:
        inside += _panel(MEASURES[name], top, across, timeline, looks, write)
        top += HIGH + BETWEEN
    bottom = top - BETWEEN
    inside += _marks(leads, across, bottom, MEASURES[measures[0]].title, write)
    inside += _ticks_below(across, bottom)
    others = len(last) - len(looks)
    title = (
        f'{notation.name}, {state.player} to move: {amount(history.last, "iteration")}, '
        f'{write(history.move)} is chosen'
    )
    note = f'{title}; {others} more in grey' if others else title
    room = LEFT + WIDE + RIGHT - 20
    inside.append(words(10, bottom + 52, note, 11, room=room, text_anchor='start'))
    return document(
        LEFT + WIDE + RIGHT,
        bottom + BOTTOM,
        inside,
        title=title,
        about='\n'.join(_about(leads, timeline[-1], write)),
    )


@frozen
class _Across:
    """The axis of iterations."""

    first: int
    last: int

    def at(self, iteration: float) -> float:
        """Return where an iteration is drawn."""
        long = max(1, self.last - self.first)
        return LEFT + WIDE * (iteration - self.first) / long


def _panel(
    measure: _Measure,
    top: float,
    across: _Across,
    timeline: Sequence[Moment],
    looks: dict[int, str],
    write: Callable[[Any], str],
) -> Iterator[str]:
    """Yield the panel of one measure."""
    totals = [sum(row.visits for row in moment.stats) for moment in timeline]
    lines = [
        [
            measure.of(moment.stats[index], total)
            for moment, total in zip(timeline, totals, strict=True)
        ]
        for index in range(len(timeline[0].stats))
    ]
    low, high = _scale(lines, len(timeline), from_zero=measure.from_zero)

    def up(number: float) -> float:
        return HIGH * (high - number) / (high - low)

    yield words(LEFT, top - 8, measure.title, 12, text_anchor='start')
    for tick in _ticks(low, high, 4):
        y = top + up(tick)
        yield element(
            'path', d=f'M{LEFT} {y:.2f}h{WIDE}', stroke=NEUTRAL, stroke_width=0.5, opacity=0.5
        )
        yield words(LEFT - 6, y + 4, measure.write(tick), 11, text_anchor='end')
    drawn = []
    for index in sorted(range(len(lines)), key=lambda it: it in looks):
        path = _path(
            (across.at(moment.iterations) - LEFT, up(number)) if number is not None else None
            for moment, number in zip(timeline, lines[index], strict=True)
        )
        colour = looks.get(index, NEUTRAL)
        width = 2 if index in looks else 1
        drawn.append(element('path', d=path, stroke=colour, stroke_width=width))
    # An inner picture cuts off what leaves the scale.
    yield element(
        'svg', *drawn, x=LEFT, y=top, width=WIDE, height=HIGH, viewBox=f'0 0 {WIDE} {HIGH}'
    )
    ends = {
        index: up(min(max(number, low), high))
        for index in looks
        if (number := lines[index][-1]) is not None
    }
    for index, y in _apart(ends).items():
        name = write(timeline[0].stats[index].move)
        place: dict[str, Any] = {'text_anchor': 'start', 'fill': looks[index], 'font_weight': 600}
        yield words(LEFT + WIDE + 6, top + y + 4, name, 12, room=RIGHT - 10, **place)


def _scale(
    lines: Sequence[Sequence[float | None]], points: int, *, from_zero: bool
) -> tuple[float, float]:
    """Return the least and the greatest number that a panel shows."""
    late = [it for line in lines for it in line[points // EARLY :] if it is not None]
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
    first, last = round(low / step), round(high / step)
    return [
        step * number
        for number in range(first, last + 1)
        if low <= step * number <= high + step / 9
    ]


def _ticks_below(across: _Across, bottom: float) -> Iterator[str]:
    """Yield the numbers of iterations."""
    for tick in _ticks(0, across.last, 6):
        if tick >= across.first:
            yield words(across.at(tick), bottom + 16, f'{tick:,.0f}', 11)
    yield words(LEFT + WIDE / 2, bottom + 32, 'iterations', 11)


def _path(places: Iterator[tuple[float, float] | None]) -> str:
    """Return the path through places, interrupted where there is none."""
    parts, verb = [], 'M'
    for place in places:
        if place is not None:
            parts.append(f'{verb}{place[0]:.1f} {place[1]:.1f}')
        verb = 'M' if place is None else 'L'
    return ''.join(parts)


def _apart(places: dict[int, float]) -> dict[int, float]:
    """Return places of labels, moved so far that none covers another."""
    found: dict[int, float] = {}
    least = -LABEL / 2
    for index in sorted(places, key=places.__getitem__):
        least = found[index] = max(places[index], least)
        least += LABEL
    most = HIGH + LABEL / 2
    for index in reversed(found):
        most = found[index] = min(found[index], most)
        most -= LABEL
    return found


def _marks(
    leads: Sequence[Lead], across: _Across, bottom: float, title: str, write: Callable[[Any], str]
) -> Iterator[str]:
    """Yield where the lead changed, the latest first: of what is too near the label is left out."""
    free = float(LEFT + WIDE + RIGHT)
    for lead in reversed(leads):
        x = across.at(lead.iteration)
        yield element(
            'path',
            d=f'M{x:.2f} {TOP}V{bottom:.2f}',
            stroke=INK,
            stroke_width=1,
            stroke_dasharray='3 3',
            opacity=0.45,
        )
        name = write(lead.move)
        room = 4 + 7 * len(name)
        if x + room / 2 <= free and x - room / 2 >= LEFT + width_of(title, 12) + 10:
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
