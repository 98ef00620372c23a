"""The figures of a study as comma-separated values, and the page and the curves made of them."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import jinja2
import texts

from fmcts.matches._statistics import CONFIDENCE

HERE: Final = Path(__file__).parents[2] / 'docs/studies'
PAGES: Final = Path(__file__).parent / 'pages'
LINES: Final = (  # Okabe's and Ito's, told apart by markers and dashes too
    ('#0072B2', 'o', '-'),
    ('#D55E00', 's', '--'),
    ('#009E73', '^', '-.'),
    ('#000000', 'D', ':'),
)


def written(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[list[str]]:
    """Write the rows to `docs/studies/NAME.csv` one by one, print them, and give them as texts."""
    lines = []
    with (HERE / f'{name}.csv').open('w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(columns)
        print(*columns, sep='  ')
        for row in rows:
            line = [f'{it:.6g}' if isinstance(it, float) else str(it) for it in row]
            writer.writerow(line)
            print(*line, sep='  ', flush=True)
            lines.append(line)
    return lines


def read(name: str) -> list[dict[str, str]]:
    """The rows of `docs/studies/NAME.csv`, by the names of their columns."""
    with (HERE / f'{name}.csv').open(encoding='utf-8') as file:
        return list(csv.DictReader(file))


def checked(words: str, holds: object) -> str:
    """Return the words of a page where the figures bear them out.

    :raises ValueError: they do not.
    """
    if not holds:
        raise ValueError(f'the figures no longer say what the page does: {words!r}')
    return words


def listed(items: Iterable[object], last: str = 'and') -> str:
    """Return the items in one phrase: "a, b and c"."""
    *some, final = map(str, items)
    return f'{", ".join(some)} {last} {final}' if some else final


def constant(c: float) -> str:
    """Return an exploration constant as pages write it."""
    return '√2' if math.isclose(c, math.sqrt(2)) else f'{c:g}'


def environment() -> jinja2.Environment:
    """Return what the templates are read with: figures of the texts, and filters.

    `words | when(condition)` is the words, checked against the figures; the other filters format
    numbers (`n`, with decimals `points`), shares (`percent`), intervals (`to`), lists (`listed`).
    """
    found = jinja2.Environment(  # noqa: S701 - the pages are Markdown
        loader=jinja2.FileSystemLoader(PAGES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.globals.update(
        haskell=texts.HASKELL,
        connect_four=texts.CONNECT_FOUR,
        java=texts.JAVA,
        course=texts.COURSE,
        confidence=f'{100 * CONFIDENCE:g} %',
    )
    found.filters.update(
        n='{:,}'.format,
        points=lambda number, digits=1: f'{number:,.{digits}f}',
        percent=lambda share, digits=1: f'{100 * share:.{digits}f} %',
        to=lambda ends, digits=1: ' to '.join(f'{100 * end:.{digits}f}' for end in ends),
        when=checked,
        listed=listed,
    )
    return found


def rendered(name: str, figures: Mapping[str, Any]) -> str:
    """Return the text of a study's page: `pages/NAME.md`, a Jinja template, with its figures."""
    return environment().get_template(f'{name}.md').render(**figures)


def page(name: str, figures: Mapping[str, Any]) -> None:
    """Write a study's page, `docs/studies/NAME.md`."""
    (HERE / f'{name}.md').write_text(rendered(name, figures), encoding='utf-8')


def curves(
    lines: Mapping[str, Sequence[tuple[float, float, float, float]]],
    *,
    across: str,
    up: str,
    title: str = '',
) -> Any:
    """Return a matplotlib figure of lines with intervals.

    :param lines: for each name its points `(x, y, low, high)`.
    :param across: the meaning of `x`, and `up` of `y`.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 - pages need no pictures

    figure = Figure(figsize=(7, 4), layout='constrained')
    axes = figure.subplots()
    for (name, points), (colour, marker, dashes) in zip(lines.items(), cycle(LINES), strict=False):
        x, y, low, high = zip(*points, strict=True)
        axes.plot(x, y, dashes, color=colour, marker=marker, markersize=4, label=name)
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel=across, ylabel=up, title=title)
    axes.grid(visible=True, linewidth=0.3)
    axes.legend(frameon=False)
    return figure
