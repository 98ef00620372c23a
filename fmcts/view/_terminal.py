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
            # Its last line gives the side to move or the result; the others letter by letter.
            rows, newline, ending = part.text.rstrip().rpartition('\n')
            drawn = Text(no_wrap=True)
            for place, letter in enumerate(rows):
                style = FREE if place in part.free else STYLES.get(letter, 'dim')
                shown = part.free.get(place, letter)
                drawn.append(shown, f'{style} {LAST}' if place == part.last else style)
            return drawn.append(newline).append(ending, 'bold')
        case Listing():
            table = Table(box=box.ROUNDED)
            for place, heading in enumerate(part.headings):
                table.add_column(heading, justify='right' if place and not part.prose else 'left')
            for place, row in enumerate(part.rows):
                table.add_row(*row, style=BEST if place == part.best else '')
            return Group(table, Text(part.caption, 'dim'))
        case Facts():
            width = max(len(name) for name, _ in part.pairs)
            drawn = Text('\n').join(
                Text.assemble((f'{name:<{width}}  ', 'dim'), (value, '' if number else BEST))
                for number, (name, value) in enumerate(part.pairs)
            )
            drawn.no_wrap = True
            return drawn
        case Sentence(text=text, strong=strong):
            return Text(text, style='bold' if strong else '')
