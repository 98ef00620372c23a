"""An explorer of searches: a page of HTML that replays a search and shows every version of it.

`explore` returns the page of a history. A notebook displays it, and `Page.save` writes it to a file
that needs no other file. The page makes the search again by WebAssembly, or has its log. It
computes every version, and the scores by the method's formulas, translated to JavaScript, and
compares the digest with Python's.
`fmcts explore` serves the page; a served page can also request playouts, forks and the bot's
replies.
"""

from fmcts.errors import ReplayError
from fmcts.explore._answers import Answers as Answers, AskError as AskError, Place as Place
from fmcts.explore._page import Page, explore, searching
from fmcts.explore._server import Served as Served, served as served

__all__ = ['Page', 'ReplayError', 'explore', 'searching']
