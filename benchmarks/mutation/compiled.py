"""The mutation check of `fmcts/_compiled/` and `fmcts/_numba/`, which report.py leaves out.

    python benchmarks/mutation/compiled.py [--only FILE ...] [--workers N] [--limit N --seed S]

Each mutant lies in a copy of this tree of its own, with a folder of machine code of its own that
begins with what the unchanged sources made; what the fault reaches is compiled anew. The tests run
until the first that fails, those of the module and a few whole searches first. What was found is
kept, a line each, in mutants/compiled.jsonl: a run that was ended goes on where it was, and what
is known of another state of the module is not believed. `--again` tests the survivors again, after
tests were added.

Printed are the share killed, and each survivor with the reason that compiled.toml gives, if any.
Exits with 1 when less than 85 % are killed or a survivor has no reason. All of it takes days of
one core; `--limit 30` tests thirty, chosen by `--seed`. See docs/mutation.md.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from attrs import frozen
from operators_compiled import Mutant, mutants

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = {'fmcts/_compiled': '', 'fmcts/_numba/cache': 'cache', 'fmcts/_numba': 'numba_support'}
"""The folders with code, and that of their tests in `TESTS`: modules are named by the latter."""
TESTS = pathlib.PurePath('tests/search/compiled')
RESULTS = ROOT / 'mutants' / 'compiled.jsonl'
REASONS = tomllib.loads((HERE / 'compiled.toml').read_text()).get('survivor', [])
WANTED = 85  # per cent
MEMORY = 8 << 30  # bytes of addresses for a process of tests; the engine reserves some ahead

# The quickest and nearest first; then the searches; processes with a folder of their own last.
ORDER = (
    *('numba_support/test_intrinsics.py', 'cache/test_naming.py', 'cache/test_fingerprint.py'),
    *('cache/test_place.py', 'cache/test_files.py', 'test_logs.py', 'numba_support/test_guards.py'),
    *('numba_support/test_bits.py', 'numba_support/test_generators.py', 'test_calls.py'),
    *('numba_support/test_private.py', 'test_checking.py', 'test_rules.py'),
    *('test_subclasses.py', 'test_flat_playouts.py', 'test_candidates.py', 'test_numbers.py'),
    *('tree/test_store.py', 'tree/test_packing.py', 'tree/test_damaged_pickles.py'),
    *('test_scores.py', 'test_functions.py', 'test_methods.py', 'tree/test_nodes.py'),
    *('tree/test_going_on.py', 'test_engine.py'),
    *('../test_engines.py', 'numba_support/test_locks.py', 'test_wide.py', 'test_faults.py'),
    'cache/test_disk.py',
)
# For what searches are made of: some that have, together, nearly all that a search may have.
SEARCHES = (
    'test_functions.py::test_functions_of_positions_agree_in_all_engines[policy and reward]',
    *(
        f'test_shapes.py::test_chains_of_searches_equal_the_reference[{name}]'
        for name in ('minimax', 'puct')
    ),
)
# What some modules are for is tested in all engines together, in other folders.
ELSEWHERE = {
    **dict.fromkeys(('policies.py', 'memory.py'), ('../policies',)),
    'cache/disk.py': ('cache/test_disk_alone.py',),
    'deriving.py': (
        '../resolution/test_resolution_by_engines.py',
        '../resolution/test_solver.py',
        '../resolution/test_closing.py',
        '../methods/test_implicit_minimax.py',
    ),
    'tables.py': ('../methods/test_grave.py',),
    'marking.py': ('../methods/test_amaf.py', '../methods/test_degeneracy.py'),
    'expansion.py': ('../test_jumping.py',),
}
PYTEST = (
    *(sys.executable, '-m', 'pytest', '-x', '-q', '-p', 'no:cacheprovider', '--tb=no'),
    *('--no-header', '--hypothesis-profile=mutation', '--import-mode=importlib'),
)


def sources() -> dict[str, pathlib.PurePath]:
    """Return the files with code by the names of their modules."""
    found: dict[str, pathlib.PurePath] = {}
    for folder, name in PACKAGES.items():
        for path in sorted((ROOT / folder).rglob('*.py')):
            if path.relative_to(ROOT) not in found.values():
                module = pathlib.PurePath(name) / path.relative_to(ROOT / folder)
                found[module.as_posix()] = path.relative_to(ROOT)
    return found


@frozen
class Place:
    """A copy of the tree, with a folder for machine code."""

    folder: pathlib.Path

    @classmethod
    def new(cls, parent: pathlib.Path, cache: pathlib.Path | None) -> Place:
        """A copy in a new folder; the machine code is copied too, where there is some."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
        ignored = shutil.ignore_patterns('__pycache__')
        for name in ('fmcts', 'tests'):
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        for name in ('pyproject.toml', 'README.md', 'LICENSE'):
            shutil.copy(ROOT / name, folder)
        if cache:
            shutil.copytree(cache, folder / 'cache')
        return cls(folder)

    def test(self, first: Iterable[str], timeout: float) -> str:
        """`passed`, or the first test that fails, or `timeout`; those named first come first."""
        tests = [str(TESTS / name) for name in dict.fromkeys((*first, *ORDER))]
        environment = os.environ | {
            'FMCTS_CACHE_DIR': str(self.folder / 'cache'),
            'PYTHONPATH': str(self.folder),
            'PYTHONDONTWRITEBYTECODE': '1',
        }
        with subprocess.Popen(
            [*PYTEST, *tests],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors='replace',
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # and the processes that tests began
                return 'timeout'
        if process.returncode == 0:
            return 'passed'
        failed = [line for line in output.splitlines() if line.startswith(('FAILED', 'ERROR'))]
        return failed[0][:200] if failed else f'ended with status {process.returncode}'


def hashed(text: str) -> str:
    """A short name for a text."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def key(mutant: Mutant, original: str) -> str:
    """What a result is kept under: the mutant, and the state of the module."""
    return hashed(repr((mutant.key, hashed(original), hashed(mutant.source))))


def known() -> dict[str, dict[str, Any]]:
    """The results so far; of several under one key, the last."""
    if not RESULTS.exists():
        return {}
    lines = RESULTS.read_text().splitlines()
    return {found['key']: found for found in map(json.loads, lines)}


def prepared(parent: pathlib.Path) -> tuple[pathlib.Path, float]:
    """The machine code of the unchanged sources, and how many seconds their tests take.

    Both are kept beside the results, for this state of sources and tests.
    """
    files = sorted(path for name in ('fmcts', 'tests') for path in (ROOT / name).rglob('*.py'))
    state = hashed(''.join(path.read_text() for path in files))
    kept = RESULTS.parent / f'unchanged-{state}'
    if not kept.exists():
        place = Place.new(parent, None)
        begin = time.monotonic()
        outcome = place.test((), 7200)
        if outcome != 'passed':
            raise SystemExit(f'the unchanged sources fail: {outcome}')
        (place.folder / 'seconds').write_text(str(time.monotonic() - begin))
        for name in ('fmcts', 'tests'):
            shutil.rmtree(place.folder / name)
        shutil.move(place.folder, kept)
    return kept / 'cache', float((kept / 'seconds').read_text())


def tested(
    mutant: Mutant, name: str, parent: pathlib.Path, cache: pathlib.Path, timeout: float
) -> dict[str, Any]:
    """Make the mutant, test it, and forget the copy."""
    begin = time.monotonic()
    place = Place.new(parent, cache)
    try:
        (place.folder / sources()[mutant.module]).write_text(mutant.source)
        path = pathlib.PurePath(mutant.module)
        near = str(path.with_name(f'test_{path.name}'))
        first = [near] if (ROOT / TESTS / near).exists() else []
        first += ELSEWHERE.get(mutant.module, ())
        first += SEARCHES if path.parts[0] not in {'cache', 'numba_support'} else ()
        outcome = place.test(first, timeout)
    finally:
        shutil.rmtree(place.folder, ignore_errors=True)
    module, operator, row, before, after = mutant.key
    return {
        'key': name,
        'module': module,
        'operator': operator,
        'row': row,
        'before': before,
        'after': after,
        'outcome': outcome,
        'seconds': round(time.monotonic() - begin),
    }


def reason(found: dict[str, Any]) -> str | None:
    """Why a survivor may live, as compiled.toml has it."""
    for one in REASONS:
        if (one['module'], one['line']) == (found['module'], found['before']) and (
            found['after'] in one['mutants']
        ):
            return str(one['reason'])
    return None


def show(results: list[dict[str, Any]]) -> bool:
    """Print the figures of each module, and the survivors; whether it is good enough."""
    survivors = [found for found in results if found['outcome'] == 'passed']
    for module, count in sorted(Counter(found['module'] for found in results).items()):
        killed = count - sum(found['module'] == module for found in survivors)
        print(f'{module:20} {count:5} {killed:5} {100 * killed / count:6.1f} %')
    for found in survivors:
        print(f'\n{found["module"]}, line {found["row"]}, {found["operator"]}')
        print(f'- {found["before"]}\n+ {found["after"]}')
        print(f'  {reason(found) or "NO REASON GIVEN"}')
    unexplained = sum(reason(found) is None for found in survivors)
    killed = len(results) - len(survivors)
    share = 100 * killed / max(len(results), 1)
    late = sum(found['outcome'] == 'timeout' for found in results)
    print(f'\nkilled {killed} of {len(results)} ({share:.1f} %), {late} of them by time alone;')
    print(f'survivors without a reason: {unexplained}')
    return unexplained == 0 and share >= WANTED


def main() -> int:
    """Choose, test, judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--only', action='append', metavar='FILE', help='of these modules only')
    parser.add_argument('--workers', type=int, default=1, help='mutants at a time')
    parser.add_argument('--limit', type=int, help='only so many, chosen at random')
    parser.add_argument('--seed', type=int, default=0, help='which are chosen')
    parser.add_argument('--timeout', type=float, help='seconds for a mutant; else by the first run')
    parser.add_argument('--again', action='store_true', help='test survivors once more')
    options = parser.parse_args()
    chosen: list[tuple[str, Mutant]] = []
    for module, path in sources().items():
        if not options.only or path.name in {pathlib.Path(name).name for name in options.only}:
            source = (ROOT / path).read_text()
            chosen += [(key(one, source), one) for one in mutants(module, source)]
    if options.limit is not None:
        chosen = random.Random(options.seed).sample(chosen, min(options.limit, len(chosen)))  # noqa: S311 - a sample
    results = known()
    left = [
        (name, mutant)
        for name, mutant in chosen
        if name not in results or (options.again and results[name]['outcome'] == 'passed')
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # inherited by the tests
    with tempfile.TemporaryDirectory() as folder, RESULTS.open('a') as kept:
        parent = pathlib.Path(folder)
        cache, seconds = prepared(parent)
        timeout = options.timeout or 2 * seconds + 60
        test = functools.partial(tested, parent=parent, cache=cache, timeout=timeout)
        with ThreadPoolExecutor(options.workers) as pool:
            for done in as_completed(pool.submit(test, mutant, name) for name, mutant in left):
                found = done.result()
                results[found['key']] = found
                kept.write(json.dumps(found) + '\n')
                kept.flush()
                print(f'{found["seconds"]:4} s {found["module"]} {found["row"]}: {found["after"]}')
                print(f'       {found["outcome"]}', flush=True)
    return 0 if show([results[name] for name, _ in chosen]) else 1


if __name__ == '__main__':
    sys.exit(main())
