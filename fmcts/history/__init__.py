"""A search with all its versions, as one value: go back, ask why, fork, and ask what if.

>>> from fmcts import Search, SplitMix
>>> from fmcts.games import tictactoe
>>> h = history(tictactoe.start, SplitMix.from_seed(42), Search(500), engine='persistent')
>>> h
<History of TicTacToe, iterations 0 to 500, move 8, engine persistent>
"""

from fmcts.history._changes import Change, Lead, MoveChange, Stability
from fmcts.history._container import FileError
from fmcts.history._files import load, load_history, load_log, save
from fmcts.history._hunting import Mistake, Starved, hunt
from fmcts.history._log import Log
from fmcts.history._partings import Parting, parting
from fmcts.history._reasons import Backup, Choice, Draw, Score, Why
from fmcts.history._timeline import Moment, Timeline
from fmcts.history._versions import History, WhatIf, history

__all__ = [
    'Backup',
    'Change',
    'Choice',
    'Draw',
    'FileError',
    'History',
    'Lead',
    'Log',
    'Mistake',
    'Moment',
    'MoveChange',
    'Parting',
    'Score',
    'Stability',
    'Starved',
    'Timeline',
    'WhatIf',
    'Why',
    'history',
    'hunt',
    'load',
    'load_history',
    'load_log',
    'parting',
    'save',
]
