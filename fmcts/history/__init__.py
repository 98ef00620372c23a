"""A search with all its versions, as one value: go back, ask why, fork, and ask what if.

>>> from fmcts import Search, SplitMix
>>> from fmcts.games import tictactoe
>>> h = history(tictactoe.start, SplitMix.from_seed(42), Search(500), engine='persistent')
>>> h
<History of TicTacToe, iterations 0 to 500, move 8, engine persistent>

What is imported here `as` itself is for other rooms of the library.
"""

from fmcts.errors import FileError
from fmcts.history._changes import (
    Change,
    Decisive,
    Lead,
    Moment,
    MoveChange,
    Stability,
    Timeline,
    descent as descent,
    sampled as sampled,
)
from fmcts.history._files import (
    check_kept as check_kept,
    is_kept as is_kept,
    load,
    load_history,
    load_log,
    options_changed as options_changed,
    options_written as options_written,
    save,
)
from fmcts.history._hunting import Mistake, Starved, hunt, values_within as values_within
from fmcts.history._log import Log, Outcome as Outcome
from fmcts.history._partings import Parting, apart as apart, parting
from fmcts.history._reasons import (
    OF_PARENT as OF_PARENT,
    Backup,
    Choice,
    Draw,
    Score,
    Why,
    terms_of as terms_of,
    worth_in_words as worth_in_words,
)
from fmcts.history._recording import ABSENT as ABSENT
from fmcts.history._versions import History, WhatIf, history, recorded as recorded

__all__ = [
    'Backup',
    'Change',
    'Choice',
    'Decisive',
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
