"""The drawn comparison of all engines; `benchmarks/campaign.py` runs it.

In reading order: `games` (what is played), `cases` (what is drawn: values), `compare` (whether the
engines agree on a case), `shrink` (the smallest case that still shows a difference), `script` (a
case as Python code).
"""

import sys
from pathlib import Path

# The tests draw the same searches, and play the same maze.
sys.path.append(str(Path(__file__).parents[2] / 'tests' / 'search'))
