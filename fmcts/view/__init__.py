"""Pictures and texts of values: pure functions of positions, analyses and trees.

`board_svg` draws a position, `draw` a tree, `draw_versions` what an update copied and shares, and
`draw_probabilities` all games from a position; `draw_history` charts a search over its iterations.
`fmcts.view.descents` follows a search line by line, `fmcts.view.formulas` prints traced formulas.
What a command or a notebook shows consists of parts (`_parts`), which `as_text`, `_terminal` and
`_notebook` write. Nothing here reads or prints.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from fmcts.view._parts import (
    Board as Board,
    Facts as Facts,
    Listing as Listing,
    Part as Part,
    Sentence as Sentence,
    as_text as as_text,
    join_moves as join_moves,
    line_of as line_of,
    picture as picture,
    solved as solved,
    standings as standings,
    statistics as statistics,
)

if TYPE_CHECKING:
    from fmcts.view._board import (
        board_parts as board_parts,
        board_svg as board_svg,
        cells_of as cells_of,
        notation_of as notation_of,
    )
    from fmcts.view._charts import draw_history as draw_history
    from fmcts.view._designs import (
        figures as figures,
        values_in_words as values_in_words,
        verdict as verdict,
    )
    from fmcts.view._drawing import (
        draw as draw,
        draw_probabilities as draw_probabilities,
        draw_versions as draw_versions,
    )
    from fmcts.view._svg import MOVES as MOVES, Svg as Svg
    from fmcts.view._terminal import drawn_for_terminal as drawn_for_terminal

__all__ = ['Svg', 'board_svg', 'draw', 'draw_history', 'draw_probabilities', 'draw_versions']

_HOME: Final = {
    '_board': ('board_parts', 'board_svg', 'cells_of', 'notation_of'),
    '_charts': ('draw_history',),
    '_designs': ('figures', 'values_in_words', 'verdict'),
    '_drawing': ('draw', 'draw_probabilities', 'draw_versions'),
    '_svg': ('MOVES', 'Svg'),
    '_terminal': ('drawn_for_terminal',),
}
"""The names of pictures, by module; each is imported on first use: text waits for no picture."""


def __getattr__(name: str) -> Any:
    """Return a name, importing its module first."""
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f'fmcts.view.{module}'), name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def __dir__() -> list[str]:
    """Return the public names too."""
    return sorted({*globals(), *__all__})
