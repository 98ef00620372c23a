"""Parts of a page as renderables of rich, for a terminal with colours (the extra `cli`).

`X` and `O` keep their letters, so that nothing rests on colour alone.
"""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fmcts.view._parts import Board, Facts, Listing, Part, Sentence

STYLES = {'X': 'bold #0087d7', 'O': 'bold #d75f00', '.': 'dim'}  # near the colours of pictures
LAST = 'reverse'
FREE = 'green'
BEST = 'bold green'


def drawn_for_terminal(part: Part) -> RenderableType:
    """Return the part as something that a `rich.console.Console` prints.

    Print a `Text` with `no_wrap` with `soft_wrap`, so that a line which the terminal breaks can
    still be copied whole.
    """
    match part:
        case Board():
            return _board(part)
        case Listing():
            return _listing(part)
        case Facts():
            return _facts(part)
        case Sentence(text=text, strong=strong):
            return Text(text, style='bold' if strong else '')


def _board(board: Board) -> Text:
    """Return the board letter by letter; its last line gives the side to move or the result."""
    rows, newline, ending = board.text.rstrip().rpartition('\n')
    drawn = Text(no_wrap=True)
    for place, letter in enumerate(rows):
        shown = board.free.get(place, letter)
        style = FREE if place in board.free else STYLES.get(letter, 'dim')
        drawn.append(shown, f'{style} {LAST}' if place == board.last else style)
    return drawn.append(newline).append(ending, 'bold')


def _listing(listing: Listing) -> Group:
    drawn = Table(box=box.ROUNDED)
    for place, heading in enumerate(listing.headings):
        drawn.add_column(heading, justify='right' if place and not listing.prose else 'left')
    for place, row in enumerate(listing.rows):
        drawn.add_row(*row, style=BEST if place == listing.best else '')
    return Group(drawn, Text(listing.caption, 'dim'))


def _facts(facts: Facts) -> Text:
    width = max(len(name) for name, _ in facts.pairs)
    drawn = Text('\n').join(
        Text.assemble((f'{name:<{width}}  ', 'dim'), (value, BEST if number == 0 else ''))
        for number, (name, value) in enumerate(facts.pairs)
    )
    drawn.no_wrap = True
    return drawn
