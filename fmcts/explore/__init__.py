"""An explorer of searches: a page of HTML that replays a search and shows every version of it.

`explore` makes the page of a history, which a notebook shows, and `Page.save` writes to a file that
works alone. The page grows the tree from its log by the method's formulas, written in JavaScript,
and shows that the digest is that of Python. `fmcts explore` serves the page; then the game's rules
can be asked, for playouts, forks and the bot's answers.
"""

from fmcts.explore._formulas import ReplayError
from fmcts.explore._page import Page, explore

__all__ = ['Page', 'ReplayError', 'explore']
