"""What each engine costs: time, memory, versions kept and lines, as the table of docs/designs.md.

Measures on Connect Four in one run:

    python benchmarks/costs.py [iterations]
"""

from __future__ import annotations

import ast
import pathlib
import re
import sys
import time

from fmcts import Node, Search, SplitMix, analyse, walk
from fmcts._running.registry import ENGINES
from fmcts.compare._measure import measure_peak
from fmcts.games import connect4

ROOT = pathlib.Path(__file__).parent.parent
ROUNDS, KEPT, BEFORE = 15, 20, 2_000
COLUMNS = {
    'µs an iteration': '{:.3g}',
    'peak memory, MB': '{:.1f}',
    f'{KEPT} versions, in trees': '{:.2f}',
    'lines of code': '{:,}',
}


def seconds(engine: str, iterations: int, seed: int) -> float:
    """The time of one search, without that of other processes."""
    begin = time.process_time()
    analyse(connect4.start, SplitMix.from_seed(seed), Search(iterations), engine=engine)
    return time.process_time() - begin


def peak(engine: str, iterations: int) -> float:
    """The most memory that a search held, in megabytes."""
    search, rng = Search(iterations), SplitMix.from_seed(0)
    found = measure_peak(lambda: analyse(connect4.start, rng, search, engine=engine))
    return (found or 0) / 1e6


def retained(versions: list[Node]) -> int:
    """Bytes of the nodes and tuples that the versions hold, each once."""
    seen = {}
    for node in (node for version in versions for node in walk(version)):
        for part in (node, node.children, node.state, node.moves):
            seen[id(part)] = part
    return sum(map(sys.getsizeof, seen.values()))


def versions_kept(engine: str) -> float:
    """What the last versions of a search hold together, against the last one alone."""
    rng = SplitMix.from_seed(0)
    analysis, rng = analyse(connect4.start, rng, Search(BEFORE), engine=engine)
    versions = [analysis.tree]
    while len(versions) < KEPT:
        analysis, rng = analyse(connect4.start, rng, Search(1), engine=engine, tree=versions[-1])
        versions.append(analysis.tree)
    return retained(versions) / retained(versions[-1:])


def lines(engine: str) -> int:
    """Lines of the engine's own code, without comments, docstrings and empty lines.

    Those of several files are given to the nearest hundred.
    """
    here = ROOT / 'fmcts'
    files = [here / '_engines' / f'{engine}.py']
    if engine == 'compiled':
        files = [file for end in ('py', 'c', 'h') for file in (here / '_linked').rglob(f'*.{end}')]
    found = sum(len(code_lines(file.read_text(encoding='utf-8'), file.suffix)) for file in files)
    return round(found, -2 if len(files) > 1 else 0)


def code_lines(text: str, suffix: str) -> set[int]:
    """The numbers of the lines that have code, in Python or in C."""
    if suffix != '.py':
        bare = re.sub(
            r'/\*.*?\*/', lambda found: '\n' * found[0].count('\n'), text, flags=re.DOTALL
        )
        return {number for number, line in enumerate(bare.splitlines(), 1) if line.strip()}
    tree = ast.parse(text)
    strings = {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    written = enumerate(text.splitlines(), 1)
    kept = {number for number, line in written if line.strip() and line.strip()[0] != '#'}
    return kept - strings


def measured(iterations: int) -> dict[str, tuple[float, ...]]:
    """The row of each engine, from the fastest on."""
    times: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    for seed in range(ROUNDS):
        for engine, found in times.items():
            count = iterations * (20 if engine == 'compiled' else 1)
            found.append(seconds(engine, count, seed) / count * 1e6)
    return {
        engine: (
            min(found),
            peak(engine, iterations),
            versions_kept(engine),
            lines(engine),
        )
        for engine, found in times.items()
    }


def main(iterations: int = 20_000) -> None:
    """Measure and print."""
    rows = measured(iterations)
    print('| engine |', ' | '.join(COLUMNS), '|')
    print('|---' * (1 + len(COLUMNS)) + '|')
    for engine, row in rows.items():
        cells = [form.format(value) for form, value in zip(COLUMNS.values(), row, strict=True)]
        print(f'| `{engine}` |', ' | '.join(cells), '|')


if __name__ == '__main__':
    main(*map(int, sys.argv[1:2]))
