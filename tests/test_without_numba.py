"""Without numba the tests are collected, and those that need it are skipped with the reason."""

from processes import run_python

BLOCKED = """
import sys
for name in ('numba', 'llvmlite'):
    sys.modules[name] = None
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_tests_that_need_numba_are_skipped_with_the_reason():
    folders = ['fmcts/search', 'tests/search/linked', 'docs/compiled_games.md']
    folders += ['docs/designs.md', 'tests/cli/test_prepare.py']
    done = run_python(
        '-c', BLOCKED, '-q', '-p', 'no:cacheprovider', '-p', 'no:cov', *folders, timeout=600
    )
    assert done.returncode == 0, done.stdout
    skipped = [line for line in done.stdout.splitlines() if line.startswith('SKIPPED')]
    assert skipped
    assert all('numba is missing here: it comes with the extra fmcts[fast]' in it for it in skipped)
    assert ' passed' in done.stdout
