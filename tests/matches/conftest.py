"""Stand-ins for worker processes."""

from functools import partial

import pytest

from pools import put


@pytest.fixture
def stand_in(monkeypatch):
    """Makes the pools of `fmcts.matches._processes` stand-ins, and gives them."""
    return partial(put, monkeypatch)
