"""What several modules of tests put in the place of processes."""

import sys
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
from pools import put

sys.path.pop(0)


@pytest.fixture
def stand_in(monkeypatch):
    """Makes the pools of `fmcts.matches.processes` stand-ins, and gives them."""
    return partial(put, monkeypatch)
