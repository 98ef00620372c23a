"""Laws as values: each has a name, a sentence that says what is promised, and a check of one case.

Nothing here needs hypothesis, so the command line can check laws without it.
"""

from __future__ import annotations

from fmcts.testing.laws.bots import BOT_LAWS, check_bot
from fmcts.testing.laws.law import Breach, Law, Passed

__all__ = ['BOT_LAWS', 'Breach', 'Law', 'Passed', 'check_bot']
