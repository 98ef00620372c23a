"""The fixture of all tests of searches: each of the engines."""

import pytest

from fmcts._running.registry import ENGINES


@pytest.fixture(scope='session', params=ENGINES)
def engine(request):
    """Each engine, by name; a test that names others by `parametrize` gets those."""
    return request.param
