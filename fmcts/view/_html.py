"""Parts of a page as HTML, for notebooks: readable without scripts and style sheets.

Bars are characters, because pages that show notebooks (such as GitHub's) may strip styles. Images
are in `img` elements, which isolate them from the page.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Final

from fmcts.view._parts import Board, Facts, Listing, Part, Sentence, Table
from fmcts.view._svg import DARK, INK, STYLE, element, plain

FULL: Final = 12  # characters of a bar
EIGHTHS: Final = ' ▏▎▍▌▋▊▉█'


def bar(share: float) -> str:
    """Return a bar for a share from 0 to 1.

    >>> bar(1.0), bar(0.26), bar(0.0)
    ('████████████', '███▏', '')
    """
    eighths = round(8 * FULL * min(max(share, 0.0), 1.0))
    return (EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8]).strip()


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str = '', best: int = -1
) -> str:
    """Return a table of words; the best row, if there is one, is bold.

    Columns are right-aligned, except the first and one of bars (without heading).
    """
    head = ''.join(f'<th scope="col">{plain(it)}</th>' for it in headings)
    body = ''.join(
        f'<tr>{_row(cells, headings, best=number == best)}</tr>'
        for number, cells in enumerate(rows)
    )
    above = f'<caption>{plain(caption)}</caption>' if caption else ''
    return f'<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(cells: Sequence[str], headings: Sequence[str], *, best: bool) -> str:
    drawn = []
    for column, text in enumerate(cells):
        side = 'right' if column and headings[column] else 'left'
        inside = f'<b>{plain(text)}</b>' if best else plain(text)
        drawn.append(f'<td style="text-align:{side}">{inside}</td>')
    return ''.join(drawn)


def image(picture: str, words: str) -> str:
    """Return an image as an `img` element, on white, as the colours of the page are unknown."""
    paper = element('rect', width='100%', height='100%', rx=6, fill='#ffffff')
    drawn = picture.replace(STYLE, paper, 1).replace(f'"{INK}"', f'"{DARK}"')
    data = base64.b64encode(drawn.encode('utf-8')).decode('ascii')
    return f'<img alt="{plain(words)}" src="data:image/svg+xml;base64,{data}"/>'


def page(*parts: str) -> str:
    """Return parts below each other."""
    return ''.join(f'<div>{part}</div>' for part in parts)


def draw(part: Part) -> str:
    """Return the part as HTML."""
    match part:
        case Board(text=text):
            return f'<pre>{plain(text)}</pre>'
        case Table():
            return _statistics(part)
        case Listing(headings=headings, rows=rows, caption=caption):
            return table(headings, rows, caption)
        case Facts(pairs=pairs):
            return ''.join(
                f'<div>{plain(name)}: <code>{plain(value)}</code></div>' for name, value in pairs
            )
        case Sentence(text=text, strong=strong):
            return f'<div><b>{plain(text)}</b></div>' if strong else f'<div>{plain(text)}</div>'


def _statistics(part: Table) -> str:
    """Return the statistics of a search, with a bar for each share."""
    headings, *rows = part.cells
    best = next((number for number, row in enumerate(part.rows) if row.best), -1)
    shares = [float(row.share.rstrip('%')) / 100 for row in part.rows]
    drawn = [(*row, bar(share)) for row, share in zip(rows, shares, strict=True)]
    return table((*headings, ''), drawn, part.caption.replace('* the', 'bold: the'), best)
