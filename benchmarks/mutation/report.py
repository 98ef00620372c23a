"""The mutation check: how many small faults in the core would the tests find.

    python benchmarks/mutation/report.py [OPTIONS] [MODULE ...]

Each module of cosmic-ray.toml is mutated, one fault at a time, in a copy of this tree, and its
tests run on every mutant. The share of mutants killed is printed, and every survivor with the
reason that survivors.toml gives. Exits with 1 when less than 90 % are killed or a survivor has no
reason. What was measured is kept in mutants/ and measured again only when the module, its tests or
the configuration have changed; `--fresh` forgets it. See docs/mutation.md.
"""

from __future__ import annotations

import argparse
import ast
import functools
import hashlib
import math
import os
import pathlib
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import operators
from attrs import frozen
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.tools.filters import operators_filter
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
SESSIONS = ROOT / 'mutants'
CONFIG = tomllib.loads((HERE / 'cosmic-ray.toml').read_text())
SURVIVORS = tomllib.loads((HERE / 'survivors.toml').read_text())['survivor']
WANTED = 90
MEMORY = 4 << 30  # bytes; a mutant that collects without end runs into a MemoryError
PYTEST = '-m pytest -x -q -p no:cacheprovider --tb=no --no-header --hypothesis-profile=mutation'
KILLED = WorkResult(WorkerOutcome.NORMAL, 'killed before', TestOutcome.KILLED)
SKIPPED = WorkResult(output='read by type checkers only', worker_outcome=WorkerOutcome.SKIPPED)


@frozen
class Survivor:
    """A mutant that no test noticed: the line before and after."""

    module: str
    line: str
    mutant: str

    @property
    def reason(self) -> str | None:
        """Why it may live, as survivors.toml has it."""
        for known in SURVIVORS:
            if (known['module'], known['line']) == (self.module, self.line) and (
                self.mutant in known['mutants']
            ):
                return str(known['reason'])
        return None


@frozen
class Outcome:
    """What became of the mutants of one module."""

    module: str
    killed: int
    survivors: tuple[Survivor, ...]

    @property
    def mutants(self) -> int:
        """All that were tested."""
        return self.killed + len(self.survivors)

    def line(self) -> str:
        """The outcome in words."""
        share = 100 * self.killed / max(self.mutants, 1)
        return f'killed {self.killed} of {self.mutants} ({share:.1f} %)'


def typing_only(source: str) -> Iterator[ast.AST]:
    """The code that only type checkers read, so that no test can find a fault in it.

    Annotations, type aliases, protocols, functions under `@overload`, and what stands under
    `if TYPE_CHECKING`.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(decorator_list=[ast.Name('overload'), *_]):
                yield from (node, *node.decorator_list)
            case ast.ClassDef(bases=[*_, ast.Name('Protocol')]):
                yield node
            case ast.If(test=ast.Name('TYPE_CHECKING')):
                yield from node.body
            case ast.AnnAssign(annotation=ast.Name('TypeAlias')):
                yield node
            case ast.AnnAssign(annotation=kind) | ast.arg(annotation=ast.expr() as kind):
                yield kind
            case ast.FunctionDef(returns=ast.expr() as kind):
                yield kind


def skip(session: WorkDB, module: str) -> None:
    """Take mutants out of the count: by excluded operators, and where only type checkers read."""
    excluded = CONFIG['cosmic-ray']['filters']['operators-filter']['exclude-operators']
    operators_filter.OperatorsFilter()._skip_filtered(session, excluded)  # noqa: SLF001 - no file
    places: list[Any] = list(typing_only((ROOT / module).read_text()))
    for item in session.pending_work_items:
        (mutation,) = item.mutations
        row, column = mutation.start_pos
        if 'RemoveDecorator' in mutation.operator_name:
            column += 1  # the decorator itself stands after the @
        if any(
            (node.lineno, node.col_offset) <= (row, column) < (node.end_lineno, node.end_col_offset)
            for node in places
        ):
            session.set_result(item.job_id, SKIPPED)


def fingerprint(paths: list[str], configuration: object = None) -> str:
    """A name for the contents of these files, and the configuration that matters to them."""
    digest = hashlib.blake2b(repr(configuration).encode(), digest_size=5)
    for path in paths:
        digest.update((ROOT / path).read_bytes())
    return digest.hexdigest()


def begun(module: str, tests: list[str], *, keep_killed: bool) -> pathlib.Path:
    """The session of cosmic-ray for these tests: an earlier one, or one with nothing tested yet."""
    source = f'{module.removesuffix(".py").replace("/", ".")}-{fingerprint([module])}'
    named = f'{source}-{fingerprint([*tests, "tests/conftest.py"], CONFIG["cosmic-ray"])}.sqlite'
    path = SESSIONS / named
    if path.exists():
        return path
    killed = [one for old in SESSIONS.glob(f'{source}-*.sqlite') for one in killed_in(old)]
    new = path.with_suffix('.new')
    new.unlink(missing_ok=True)
    with use_db(str(new)) as session:
        init([pathlib.Path(module)], session, {})
        skip(session, module)
        if keep_killed:
            for item in session.pending_work_items:
                if key(item) in killed:
                    session.set_result(item.job_id, KILLED)
    return new.rename(path)


def key(item: WorkItem) -> tuple[str, int]:
    """What names a mutant of a module."""
    return item.mutations[0].operator_name, item.mutations[0].occurrence


def killed_in(path: pathlib.Path) -> list[tuple[str, int]]:
    """The mutants that tests killed in an earlier session."""
    with use_db(str(path), WorkDB.Mode.open) as session:
        ids = {name for name, found in session.results if found.test_outcome is TestOutcome.KILLED}
        return [key(item) for item in session.work_items if item.job_id in ids]


def measure(module: str, *, keep_killed: bool) -> Outcome:
    """Test every mutant of the module in this copy of the tree, but for those tested before."""
    operators.register()
    tests = CONFIG['modules'][module]
    path = begun(module, tests, keep_killed=keep_killed)
    command = f'{sys.executable} {PYTEST} {" ".join([*tests, module])}'
    begin, spent = time.monotonic(), seconds_of_tests()
    # Python writes its bytecode here; later, with a mutated module, it only reads it.
    subprocess.run(command.split(), check=True, capture_output=True)
    # Processor time, as others may use the machine; the clock only ends what waits for ever.
    most = math.ceil(2 * (seconds_of_tests() - spent) + 2)
    command = f'sh -c {shlex.quote(f"ulimit -t {most}; exec {command}")}'
    timeout = 10 * (time.monotonic() - begin) + 30
    with use_db(str(path), WorkDB.Mode.open) as session:
        for item in list(session.pending_work_items):
            session.set_result(item.job_id, mutate_and_test(item.mutations, command, timeout))
    outcome = read(module, path)
    print(f'{module}: {outcome.line()}, {time.monotonic() - begin:.0f} s', flush=True)
    return outcome


def seconds_of_tests() -> float:
    """The processor time of the processes that were started and have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read(module: str, path: pathlib.Path) -> Outcome:
    """The outcome that a finished session holds."""
    killed, survivors = 0, []
    with use_db(str(path), WorkDB.Mode.open) as session:
        for _, result in session.results:
            if result.worker_outcome is WorkerOutcome.SKIPPED:
                continue
            if result.worker_outcome is not WorkerOutcome.NORMAL:
                raise RuntimeError(f'{module}: a mutant was not tested: {result.output}')
            if result.test_outcome is TestOutcome.KILLED:
                killed += 1
                continue
            changed = [text for text in result.diff.splitlines() if text[:1] in {'-', '+'}]
            changed = [text for text in changed if text[:3] not in {'---', '+++'}]
            before, after = (
                ' '.join(text[1:].strip() for text in changed if text[0] == sign) for sign in '-+'
            )
            survivors.append(Survivor(module, before, after))
    return Outcome(module, killed, tuple(sorted(survivors, key=lambda found: found.line)))


def normalise() -> None:
    """Begin a worker: in a copy of what the tests need, with little priority and memory."""
    copy = pathlib.Path(tempfile.mkdtemp(dir=os.environ['MUTATION_COPIES']))
    for name in ('fmcts', 'tests'):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns('__pycache__'))
    for name in ('pyproject.toml', 'README.md', 'LICENSE'):
        shutil.copy(ROOT / name, copy)
    os.chdir(copy)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the figures of each module, a line each."""
    for found in outcomes:
        share = 100 * found.killed / max(found.mutants, 1)
        yield f'{found.module:32} {found.mutants:5} {found.killed:5} {share:6.1f} %'


def table_of_folders(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the figures of each folder as a table of Markdown."""
    folders: dict[str, list[Outcome]] = {}
    for found in outcomes:
        folders.setdefault(found.module.rpartition('/')[0], []).append(found)
    yield from ('| folder | modules | mutants | killed | % |', '|---|---:|---:|---:|---:|')
    for folder, those in sorted(folders.items()):
        mutants, killed = (sum(getattr(it, name) for it in those) for name in ('mutants', 'killed'))
        share = 100 * killed / max(mutants, 1)
        yield f'| `{folder}/` | {len(those)} | {mutants:,} | {killed:,} | {share:.1f} |'


def listing(survivors: tuple[Survivor, ...]) -> Iterator[str]:
    """Yield the survivors, those together that one line has for one reason."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for one in survivors:
        why = one.reason or 'NO REASON GIVEN'
        groups.setdefault((one.module, one.line, why), []).append(one.mutant or '(nothing)')
    before = None
    for (module, line, why), mutants in groups.items():
        if module != before:
            yield from ('', module, '')
            before = module
        yield from (f'- {line}', *(f'+ {mutant}' for mutant in mutants), f'  {why}')


def show(outcomes: list[Outcome], *, markdown: bool) -> bool:
    """Print what was found; whether it is good enough."""
    survivors = tuple(one for found in outcomes for one in found.survivors)
    total = Outcome('all', sum(found.killed for found in outcomes), survivors)
    unexplained = sum(one.reason is None for one in survivors)
    if markdown:
        print('', *table_of_folders(outcomes), sep='\n')
    else:
        print('', *table(outcomes), *listing(survivors), sep='\n')
    print(f'\n{total.line()}; survivors without a reason: {unexplained}')
    return unexplained == 0 and 100 * total.killed >= WANTED * total.mutants


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description='The mutation check; see docs/mutation.md.')
    parser.add_argument('modules', nargs='*', help='paths of modules; all when none is given')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='modules at a time')
    parser.add_argument('--fresh', action='store_true', help='forget what was measured')
    parser.add_argument(
        '--keep-killed',
        action='store_true',
        help='when only tests were added: test again what survived, not what was killed',
    )
    parser.add_argument(
        '--markdown', action='store_true', help='print a table of the folders, as Markdown'
    )
    options = parser.parse_args()
    if options.fresh:
        shutil.rmtree(SESSIONS, ignore_errors=True)
    SESSIONS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as copies:
        os.environ['MUTATION_COPIES'] = copies
        with ProcessPoolExecutor(options.jobs, initializer=normalise) as pool:
            one = functools.partial(measure, keep_killed=options.keep_killed)
            outcomes = list(pool.map(one, options.modules or CONFIG['modules']))
    return 0 if show(outcomes, markdown=options.markdown) else 1


if __name__ == '__main__':
    sys.exit(main())
