"""Results as tables: JSON, comma-separated values, or a data frame of pandas or polars."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from attrs import field, frozen

from fmcts._arguments import amount, shown
from fmcts._extras import loaded

FRAMES: Final = ('pandas', 'polars')
"""The libraries whose data frames are supported."""

INTERVAL: Final = {'low': 'low (95 %)', 'high': 'high (95 %)'}
"""The headings of the ends of an interval."""


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values for JSON: numbers have six decimals, and what is not finite is `None`.

    >>> plain({'elo': float('inf'), 'interval': (1 / 3, 1.0), 'games': 3})
    {'elo': None, 'interval': [0.333333, 1.0], 'games': 3}
    """

    def in_json(value: Any) -> Any:
        match value:
            case float():
                return round(value, 6) if math.isfinite(value) else None
            case tuple() | list():
                return [*map(in_json, value)]
            case dict():
                return plain(value)
        return value

    return {name: in_json(value) for name, value in values.items()}


@frozen
class ResultTable:
    """Rows of texts and numbers with named columns.

    :param columns: the names, each with the type of its values, which may also be `None`.
    :param rows: with a value a column.
    :param headings: what Markdown and LaTeX print in place of the names of some columns.
    :param given: the columns of parameters, whose numbers they print as short as they are.

    >>> table = ResultTable({'bot': str, 'points': float}, (('mc', 1.5), ('mcts', None)))
    >>> print(table.to_csv(), end='')
    bot,points
    mc,1.5
    mcts,
    >>> print(table.to_json())
    [{"bot": "mc", "points": 1.5}, {"bot": "mcts", "points": null}]
    """

    columns: Mapping[str, type]
    rows: tuple[tuple[Any, ...], ...] = field(repr=lambda rows: amount(len(rows), 'row'))
    headings: Mapping[str, str] = field(factory=dict, repr=False)
    given: Collection[str] = field(default=(), repr=False)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dictionary per row, by the columns' names.

        :raises ValueError: a row has more or fewer values than there are columns.
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_json(self) -> str:
        """Return one line of JSON: an array with one object per row; what is not finite is null."""
        rows = [
            {
                name: None if isinstance(it, float) and not math.isfinite(it) else it
                for name, it in row.items()
            }
            for row in self.to_dicts()
        ]
        return json.dumps(rows, allow_nan=False)

    def to_csv(self) -> str:
        """Return comma-separated values, the columns' names first; `None` is empty."""
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator='\n')
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return lines.getvalue()

    def to_markdown(self) -> str:
        """Return the table as Markdown; numbers that are not whole have three decimals.

        A text stays in its cell: `|` is written with a backslash, and a line end as a space.

        :raises ImportError: tabulate is not installed.

        >>> print(ResultTable({'bot': str, 'points': float}, (('mc', 1.5),)).to_markdown(), end='')
        | bot   |   points |
        |:------|---------:|
        | mc    |    1.500 |
        """
        return self._printed('pipe', lambda text: ' '.join(text.splitlines()).replace('|', r'\|'))

    def to_latex(self) -> str:
        """Return the table as LaTeX, for the package booktabs; numbers as in Markdown.

        :raises ImportError: tabulate is not installed.
        """
        return self._printed('latex_booktabs')

    def _printed(self, form: str, written: Callable[[str], str] = str) -> str:
        tabulate = loaded('tabulate', 'tables as text need', 'fmcts[matches]')
        texts = [kind is str for kind in self.columns.values()]
        text: str = tabulate.tabulate(
            [[written(it) if isinstance(it, str) else it for it in row] for row in self.rows],
            [written(self.headings.get(name, name)) for name in self.columns],
            tablefmt=form,
            floatfmt=['.12g' if name in self.given else '.3f' for name in self.columns],
            disable_numparse=[place for place, is_text in enumerate(texts) if is_text],
            colalign=['left' if is_text else 'right' for is_text in texts] if self.rows else None,
        )
        return f'{text}\n'

    def to_frame(self, library: str) -> Any:
        """Return a data frame of the library `pandas` or `polars`.

        :raises ImportError: the library is not installed.
        :raises ValueError: `library` is neither of the two.
        """
        if library not in FRAMES:
            raise ValueError(f'library must be {" or ".join(FRAMES)}, not {shown(library)}')
        module = loaded(library, 'this frame needs', library)
        rows = self.to_dicts()
        data = {name: [row[name] for row in rows] for name in self.columns}
        if library == 'polars':
            return module.DataFrame(data, schema=dict(self.columns))
        return module.DataFrame(data)
