"""The figures of a study as comma-separated values, and the page that is written from them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2

__all__ = ['HERE', 'PAGES', 'page', 'read', 'rendered', 'written']

HERE: Final = Path(__file__).parents[2] / 'docs/studies'
PAGES: Final = Path(__file__).parent / 'pages'


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


def rendered(name: str, figures: Mapping[str, Any]) -> str:
    """Return the text of a study's page: `pages/NAME.md`, a Jinja template, with its figures."""
    loader = jinja2.FileSystemLoader(PAGES)
    environment = jinja2.Environment(  # noqa: S701 - the pages are Markdown
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters['n'] = '{:,}'.format
    environment.filters['percent'] = lambda share, digits=1: f'{100 * share:.{digits}f} %'
    environment.filters['to'] = lambda ends, digits=1: ' to '.join(
        f'{100 * end:.{digits}f}' for end in ends
    )
    return environment.get_template(f'{name}.md').render(**figures)


def page(name: str, figures: Mapping[str, Any]) -> None:
    """Write a study's page, `docs/studies/NAME.md`."""
    (HERE / f'{name}.md').write_text(rendered(name, figures), encoding='utf-8')
