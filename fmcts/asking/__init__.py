"""Searches over slow evaluators, by `ask` and `tell`: the same tree in any order of answers.

>>> from fmcts import Search, SplitMix
>>> from fmcts.games import tictactoe
>>> search = asking(tictactoe.start, SplitMix.from_seed(1), Search(60, solver=True), window=4)
>>> while requests := search.ask():
...     search = search.tell(requests[-1], None)  # the newest first: any order gives this tree
>>> search.analysis.move, search.digest[:8]
(0, '7398b827')
"""

from fmcts.asking._drivers import run, run_async
from fmcts.asking._evaluation import Budget, Evaluation, Spent
from fmcts.asking._journal import journal
from fmcts.asking._search import Asking, Reply, asking
from fmcts.asking._session import Request

__all__ = [
    'Asking',
    'Budget',
    'Evaluation',
    'Reply',
    'Request',
    'Spent',
    'asking',
    'journal',
    'run',
    'run_async',
]
