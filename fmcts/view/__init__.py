"""Pictures and texts of values: pure functions of positions, analyses and trees.

`board_svg` draws a position, `draw` a tree, `draw_versions` what an update copied and shares, and
`draw_probabilities` all games from a position; `draw_history` charts a search over its iterations;
`descents`, `dry_run` and `dump` follow a search line by line. `parts` says what a page consists of,
`designs` makes parts of a comparison of designs; `text` writes parts as plain text, `terminal` as
coloured renderables of rich (the extra `cli`), `html` for notebooks. `formulas` prints traced
formulas. Nothing here reads or prints.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from fmcts.view._board import board_svg
    from fmcts.view._charts import draw_history
    from fmcts.view._drawing import draw, draw_probabilities, draw_versions
    from fmcts.view._svg import Svg

__all__ = ['Svg', 'board_svg', 'draw', 'draw_history', 'draw_probabilities', 'draw_versions']

PICTURES: Final = {
    'Svg': 'fmcts.view._svg',
    'board_svg': 'fmcts.view._board',
    'draw': 'fmcts.view._drawing',
    'draw_history': 'fmcts.view._charts',
    'draw_probabilities': 'fmcts.view._drawing',
    'draw_versions': 'fmcts.view._drawing',
}
"""The module of each public name, imported on first use: text does not wait for pictures."""


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module first."""
    if name not in PICTURES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(importlib.import_module(PICTURES[name]), name)


def __dir__() -> list[str]:
    """Return the public names too."""
    return sorted({*globals(), *PICTURES})
