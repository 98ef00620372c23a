"""Parts of a page as plain text: the same on every machine, for pipes and files.

>>> print(draw(Facts((('move', '7'), ('iterations', '30000')))), end='')
move        7
iterations  30000
"""

from __future__ import annotations

from fmcts.view._parts import Board, Facts, Listing, Part, Sentence, Table


def draw(part: Part) -> str:
    """Return the part as lines of text, each ending in a newline."""
    match part:
        case Board(text=text):
            return text
        case Table():
            return _table(part)
        case Listing():
            return _listing(part)
        case Facts(pairs=pairs):
            width = max(len(name) for name, _ in pairs)
            return ''.join(f'{name:<{width}}  {value}\n' for name, value in pairs)
        case Sentence(text=text):
            return f'{text}\n'


def _table(table: Table) -> str:
    marks = ('  ', *('* ' if row.best else '  ' for row in table.rows))
    cells = [*zip(marks, table.cells, strict=True)]
    widths = [max(map(len, column)) for column in zip(*(row for _, row in cells), strict=True)]
    lines = [
        mark + '  '.join(f'{cell:>{width}}' for cell, width in zip(row, widths, strict=True))
        for mark, row in cells
    ]
    return ''.join(f'{line}\n' for line in (*lines, table.caption) if line)


def _listing(listing: Listing) -> str:
    rows = (listing.headings, *listing.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    further = '<' if listing.prose else '>'
    lines = [
        '  '.join(
            f'{cell:{further if place else "<"}{width}}'
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return ''.join(f'{line}\n' for line in (*lines, listing.caption) if line)
