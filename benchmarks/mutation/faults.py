"""Plant faults in the places that matter, one at a time, and see that tests find them.

    python benchmarks/mutation/faults.py [OPTIONS] [--only NAME ...]

`faults.toml` lists them: bounds, offsets, and code that engines share, so that comparing engines
cannot find a fault in it. Each is planted in a copy of this tree, where the tests that it names run
until one fails. They pass on the copy without faults, or nothing is judged (`--again` leaves this
out). With `--fast` only those of the tests run that `pytest --fast` has, and a fault without any
survives. Faults in C need clang 15.

Prints a line for each fault. Exits with 1 when fewer than 95 % are killed.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable

from attrs import evolve, frozen

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
WANTED = 95  # per cent
MEMORY = 6 << 30  # bytes that a process of the tests may have: some faults take all there is
COPIED = ('fmcts', 'tests', 'benchmarks', 'docs', 'pyproject.toml', 'README.md', 'CHANGELOG.md')
COMPILED = ('fmcts/_linked/', 'fmcts/solve/_linked')
PYTEST = (
    *('-m', 'pytest', '-x', '-q', '-p', 'no:cacheprovider', '--tb=line', '--no-header', '--wide'),
    '--hypothesis-profile=faults',
)
FAILED = 1  # the exit code of pytest when tests failed


@frozen
class Fault:
    """One fault: the text that it replaces in a file, and the tests that should find it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    why: str

    @property
    def is_compiled(self) -> bool:
        """Whether it is in the engine `compiled`."""
        return self.file.startswith(COMPILED)


def read_faults() -> list[Fault]:
    """Return the list."""
    listed = tomllib.loads((HERE / 'faults.toml').read_text(encoding='utf-8'))['fault']
    return [Fault(**{**one, 'tests': tuple(one['tests'])}) for one in listed]


def only_fast(fault: Fault) -> Fault:
    """Return the fault with those of its tests that `pytest --fast` runs."""
    lines = (ROOT / 'tests/fast.txt').read_text(encoding='utf-8').splitlines()
    kept: list[str] = []
    for test in fault.tests:
        file = pathlib.Path(test.split('::')[0])
        around = {test, test.partition('[')[0], str(file), *map(str, file.parents)}
        if around.isdisjoint(lines):
            kept += [line for line in lines if line.startswith((f'{test}::', f'{test}['))]
        else:
            kept.append(test)
    return evolve(fault, tests=tuple(kept))


def run_tests(copy: pathlib.Path, tests: Iterable[str], seconds: float) -> tuple[str, str]:
    """Return `failed`, `passed`, `time` or `ended`, and the last lines of what was printed."""
    environment = {
        **os.environ,
        'PYTHONPATH': str(copy),
        'PYTHONDONTWRITEBYTECODE': '1',
        'FMCTS_CACHE_DIR': str(copy / 'cache'),
    }
    try:
        done = subprocess.run(
            [sys.executable, *PYTEST, *tests],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return 'time', ''
    last = '\n'.join(done.stdout.splitlines()[-4:])
    if done.returncode < 0:
        return f'ended by signal {-done.returncode}', last
    if done.returncode not in (0, FAILED):
        raise SystemExit(f'pytest could not run {" ".join(tests)}:\n{done.stdout}{done.stderr}')
    return ('failed' if done.returncode else 'passed'), last


def copy_tree(copy: pathlib.Path) -> None:
    """Copy the tree."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, copy / name, ignore=shutil.ignore_patterns('__pycache__', '.hypothesis')
            )
        else:
            shutil.copy(source, copy / name)


def write(copy: pathlib.Path, file: pathlib.Path, text: str) -> None:
    """Write a file of the copy; of C, make the bitcode again."""
    file.write_text(text, encoding='utf-8')
    if file.suffix in ('.c', '.h'):
        subprocess.run([sys.executable, copy / 'fmcts/_linked/build.py', '-w'], check=True)


def judge(fault: Fault, copy: pathlib.Path, seconds: float) -> bool:
    """Plant the fault, run its tests, take it out again: whether it was found."""
    if not fault.tests:
        print(f'survived {fault.name}, by no test', flush=True)
        return False
    file = copy / fault.file
    text = file.read_text(encoding='utf-8')
    if text.count(fault.old) != 1:
        raise SystemExit(f'{fault.name}: its text is not once in {fault.file}')
    write(copy, file, text.replace(fault.old, fault.new))
    begun = time.monotonic()
    try:
        ending, last = run_tests(copy, fault.tests, seconds)
    finally:
        write(copy, file, text)
    verdict = 'survived' if ending == 'passed' else 'killed'
    how = '' if ending in ('passed', 'failed') else f' ({ending})'
    print(f'{verdict:9}{fault.name}{how}, {time.monotonic() - begun:.0f} s', flush=True)
    if ending == 'passed':
        print(f'         {fault.why}\n         {last}', flush=True)
    return ending != 'passed'


def main() -> int:
    """Judge the faults that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description='Faults in the places that matter.')
    parser.add_argument('--only', nargs='+', default=[], metavar='NAME')
    parser.add_argument('--python', action='store_true', help='those in code that Python runs')
    parser.add_argument('--compiled', action='store_true', help='those in code that is compiled')
    parser.add_argument('--fast', action='store_true', help='by the tests of `pytest --fast` alone')
    parser.add_argument('--seconds', type=float, default=600, help='for the tests of a fault')
    parser.add_argument('--again', action='store_true', help='the tests are known to pass')
    given = parser.parse_args()
    # Inherited by the tests. Not `RLIMIT_AS`: Node reserves more for WebAssembly, and uses little.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    faults = [
        fault
        for fault in read_faults()
        if (not given.only or fault.name in given.only)
        and not (given.python and fault.is_compiled)
        and not (given.compiled and not fault.is_compiled)
    ]
    if not faults:
        raise SystemExit('no such fault')
    if given.fast:
        faults = [only_fast(fault) for fault in faults]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / 'tree'
        copy.mkdir(mode=0o700)
        copy_tree(copy)
        tests = sorted({test for fault in faults for test in fault.tests})
        if not given.again:
            ending, last = run_tests(copy, tests, 10 * given.seconds)
            if ending != 'passed':
                raise SystemExit(f'without a fault the tests {ending}:\n{last}')
        killed = sum([judge(fault, copy, given.seconds) for fault in faults])
    print(f'{killed} of {len(faults)} faults killed ({100 * killed / len(faults):.0f} %)')
    return 0 if 100 * killed >= WANTED * len(faults) else 1


if __name__ == '__main__':
    sys.exit(main())
