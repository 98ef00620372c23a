"""Measured tables on pages are those of the files in `docs/figures`, which say how they were made.

    python tests/test_figures.py            writes the tables on the pages anew from the files

A table stands below `<!-- figures: NAME -->` and comes from `docs/figures/NAME.csv`, whose first
line has the command, the machine and the date. A page may link a file in place of its table.
"""

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / 'docs'
if not DOCS.is_dir():
    pytest.skip('docs is not part of this copy', allow_module_level=True)

MARKED = re.compile(r'(<!-- figures: (\w+) -->\n\n?)((?:\|.*\n)+)')
FILES = sorted((DOCS / 'figures').glob('*.csv'))
LINKED = re.compile(r'\]\(figures/(\w+)\.csv\)')
MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'


def table(path):
    """Return the table of a file as the lines of a page."""
    _, *lines = path.read_text(encoding='utf-8').splitlines()
    alignment, heading, *rows = csv.reader(lines)
    first, *others = (f'| {" | ".join(row)} |\n' for row in (heading, *rows))
    return ''.join((first, f'|{"|".join(alignment)}|\n', *others))


def pages():
    for page in sorted(DOCS.glob('*.md')):
        yield page, page.read_text(encoding='utf-8')


def unspaced(text):
    return re.sub(r' *\| *', '|', text)


def test_tables_of_figures_equal_their_files():
    shown = {
        name: (page.name, lines)
        for page, text in pages()
        for _, name, lines in MARKED.findall(text)
    }
    drawn = {name for _, text in pages() for name in LINKED.findall(text)}
    assert {*shown} | drawn == {path.stem for path in FILES}
    assert not drawn & {*shown}
    for name, (page, lines) in shown.items():
        path = DOCS / f'figures/{name}.csv'
        assert unspaced(lines) == unspaced(table(path)), f'{page}: run python tests/test_figures.py'


@pytest.mark.parametrize('path', FILES, ids=lambda path: path.stem)
def test_each_file_of_figures_states_its_origin(path):
    first = path.read_text(encoding='utf-8').partition('\n')[0]
    said = re.fullmatch(rf'# (python .*|.*); (.*); (\d+ )?({MONTHS}) \d{{4}}', first)
    assert said, first
    for program in re.findall(r'benchmarks/\w+\.py', said[1]):
        assert (ROOT / program).is_file()


if __name__ == '__main__':
    for page, text in pages():
        new = MARKED.sub(lambda it: it[1] + table(DOCS / f'figures/{it[2]}.csv'), text)
        if new != text:
            page.write_text(new, encoding='utf-8')
