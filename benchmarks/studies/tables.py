"""The figures of a study as comma-separated values, under the names of their columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

__all__ = ['HERE', 'read', 'written']

HERE: Final = Path(__file__).parents[2] / 'docs/studies'


def written(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[list[str]]:
    """Write the rows to `docs/studies/NAME.csv` one by one, print them, and give them as texts."""
    lines = []
    with (HERE / f'{name}.csv').open('w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(columns)
        print(*columns, sep='  ')
        for row in rows:
            line = [f'{it:.6g}' if isinstance(it, float) else str(it) for it in row]
            writer.writerow(line)
            print(*line, sep='  ', flush=True)
            lines.append(line)
    return lines


def read(name: str) -> list[dict[str, str]]:
    """The rows of `docs/studies/NAME.csv`, by the names of their columns."""
    with (HERE / f'{name}.csv').open(encoding='utf-8') as file:
        return list(csv.DictReader(file))
