"""Boards of a page: the cells that each node's move changed, or pictures of the main nodes.

If a game prints its positions as rows of X, O and `.`, the page draws them itself: it gets the
empty board, the stones, and the changed cells of each node, a few bytes a node, so every position
is available. For other games the most visited positions are embedded as pictures.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, Final

from attrs import frozen

from fmcts.games import Cells, read_cells
from fmcts.search import Node
from fmcts.view import board_parts, board_svg, cells_of

CODES: Final = {'.': 0, 'X': 1, 'O': 2}
LETTERS: Final = frozenset(CODES)
WORD: Final = re.compile(r'\S+')
ROOM: Final = 600_000  # bytes of pictures in a page, before compression
DRAWN: Final = 50_000  # nodes at most whose board is stored


@frozen
class Boards:
    """The form in which a page shows the positions of a game.

    `cells` are the cells of the first position, or `None` if positions are shown as pictures;
    `places` are their indexes in the game's text.
    """

    game: Any
    cells: Cells | None
    places: tuple[int, ...] = ()

    def parts(self, root: Any) -> dict[str, Any]:
        """Return what all positions share: the empty board, the stones, the places of the cells."""
        if self.cells is None:
            return {'kind': 'pictures', 'root': picture_of(root, self.game)}
        return {
            'kind': 'cells',
            'root': [CODES[letter] for row in self.cells.rows for letter in row],
            **board_parts(self.cells, self.game),
        }

    def letters(self, state: Any) -> str | None:
        """Return the cells of a state in reading order; `None` if its text has another form."""
        text = self.game.format(state)
        # Of one place `itemgetter` would give a letter, and not a tuple of them.
        if len(self.places) > 1 and len(text) > self.places[-1]:
            letters = ''.join(itemgetter(*self.places)(text))
            if LETTERS.issuperset(letters):
                return letters
        cells = read_cells(text)
        return None if cells is None else ''.join(cells.rows)

    def changes(self, nodes: Iterable[Node], parents: Sequence[int]) -> list[list[int] | None]:
        """Return for each node the cells that its move changed.

        A cell is encoded as three times its number plus its new content. `None` if the text of a
        state has another form than the first state's.
        """
        letters = [self.letters(node.state) for node in nodes]
        pairs = zip(letters, parents, strict=False)
        return [_changed(letters[parent], now) for now, parent in pairs]

    def difference(self, before: Any, after: Any) -> list[int] | None:
        """Return the cells that one move changed, as in `changes`."""
        if self.cells is None:
            return None
        return _changed(self.letters(before), self.letters(after))

    def pictures(self, nodes: Sequence[Node]) -> dict[str, str]:
        """Return pictures of the most visited nodes, by node number, up to the size limit."""
        found: dict[str, str] = {}
        room = ROOM
        order = sorted(
            range(1, min(len(nodes), DRAWN)), key=lambda number: (-nodes[number].visits, number)
        )
        for number in order:
            picture = picture_of(nodes[number].state, self.game)
            room -= len(picture)
            # By visits: where there is no room for all, those that a reader comes to first have
            # one.
            if room < 0:
                break
            found[str(number)] = picture
        return found


def _changed(old: str | None, new: str | None) -> list[int] | None:
    if old is None or new is None or len(old) != len(new):
        return None
    cells = enumerate(zip(old, new, strict=True))
    return [3 * at + CODES[now] for at, (was, now) in cells if was != now]


def boards_of(state: Any, game: Any) -> Boards:
    """Return how a page shows the positions of a state's game."""
    # A game that draws itself says more by its picture than rows of letters would.
    if hasattr(type(state), 'picture'):
        return Boards(game, None)
    text = game.format(state)
    cells = cells_of(text, game)
    if cells is None:
        return Boards(game, None)
    letters = ''.join(cells.rows)
    words = (it for it in WORD.finditer(text) if it[0] in CODES)
    places = tuple(it.start() for it, _ in zip(words, letters, strict=False))
    known = ''.join(text[place] for place in places) == letters
    # Letters at fixed places are read without parsing each text of a large tree.
    return Boards(game, cells, places if known else ())


def picture_of(state: Any, game: Any) -> str:
    """Return the picture of a state as the URL of an image; scripts in an image never run."""
    svg = board_svg(state, game=game, words_below=False)
    return f'data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}'
