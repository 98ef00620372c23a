"""Pictures and texts of values: pure functions of positions, analyses and trees.

`board_svg` draws a position, `draw` a tree, `draw_versions` what an update copied and shares, and
`draw_probabilities` all games from a position; `descents`, `dry_run` and `dump` print a search line
by line. `parts` defines the parts of a page, `designs` makes parts of a comparison of designs;
`text` writes parts as plain text, `terminal` as coloured renderables of rich (the extra `cli`),
`html` for notebooks. `formulas` prints traced formulas, `replay` makes the data with which a page
replays a search. Nothing here reads or prints.
"""

from fmcts.view._board import board_svg
from fmcts.view._drawing import draw, draw_probabilities, draw_versions

__all__ = ['board_svg', 'draw', 'draw_probabilities', 'draw_versions']
