"""`import fmcts` loads attrs and returns, and nothing heavier."""

import subprocess
import sys

import pytest

HEAVY = ['click', 'hypothesis', 'matplotlib', 'numba', 'numpy', 'pytest', 'rich']


def loaded_after(statement):
    script = f'import sys; {statement}; print(*sys.modules)'
    finished = subprocess.run(
        [sys.executable, '-c', script], capture_output=True, text=True, check=True
    )
    return set(finished.stdout.split())


@pytest.mark.parametrize('statement', ['import fmcts', 'import fmcts, fmcts.games, fmcts.cli'])
def test_nothing_heavy_is_imported(statement):
    loaded = loaded_after(statement)
    assert not loaded & set(HEAVY)
    assert {'attrs', 'returns', 'fmcts'} <= loaded


def test_this_test_can_fail():
    assert 'hypothesis' in loaded_after('import fmcts.testing')
