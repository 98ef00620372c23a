"""`docs/notebook.ipynb`: every cell runs and gives its stored output."""

import base64
import json
import pathlib
import re
import xml.etree.ElementTree as ET

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PATH = ROOT / 'docs/notebook.ipynb'
if not PATH.is_file():
    pytest.skip('docs is not part of this copy', allow_module_level=True)
nbformat = pytest.importorskip('nbformat', reason='nbformat is missing: fmcts[dev]')
nbclient = pytest.importorskip('nbclient', reason='nbclient is missing: fmcts[dev]')
pytest.importorskip('ipykernel', reason='ipykernel is missing: fmcts[dev]')

STORED = nbformat.read(PATH, as_version=4)


def title(found):
    """The image before its drawing, if matplotlib drew it: another may draw with other bytes."""
    picture = base64.b64decode(found[0].removeprefix('base64,'))
    return picture.partition(b'<g ')[0].decode() if b'-figure_1' in picture else found[0]


def comparable(notebook):
    """What each cell gives, but for the bytes of charts."""
    return re.sub(r'base64,[A-Za-z0-9+/=]+', title, json.dumps(shown(notebook), sort_keys=True))


def shown(notebook):
    """What each cell gives, by kind, and what it prints."""
    return [
        [dict(it.data) if 'data' in it else it.text for it in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == 'code'
    ]


@pytest.mark.exhaustive  # a kernel, and all cells
@pytest.mark.filterwarnings('default')  # those of the libraries that run it
def test_the_notebook_gives_its_stored_output(tmp_path):
    copy = nbformat.read(PATH, as_version=4)
    for cell in copy.cells:
        if cell.cell_type == 'code':
            cell.outputs = []
    client = nbclient.NotebookClient(copy, timeout=300, kernel_name='python3')
    client.execute(cwd=str(tmp_path))
    assert comparable(copy) == comparable(STORED)


def test_the_notebook_needs_no_scripts_and_no_network():
    """Also where scripts are stripped there is something to see: pictures and tables."""
    nbformat.validate(STORED)
    kinds = [sorted(it) for cell in shown(STORED) for it in cell if isinstance(it, dict)]
    assert sum('image/svg+xml' in it for it in kinds) >= 5
    assert sum('text/html' in it for it in kinds) >= 2
    assert not any('javascript' in kind for it in kinds for kind in it)
    for cell in shown(STORED):
        for output in cell:
            data = output if isinstance(output, dict) else {}
            html = data.get('text/html', '')
            pictures = [data.get('image/svg+xml', '')]
            pictures += [
                base64.b64decode(it).decode() for it in re.findall(r'base64,([^"]+)', html)
            ]
            for text in (html, *pictures):
                assert '<script' not in text
                assert 'http' not in text.replace('http://www.w3.org/2000/svg', '')
            for picture in filter(None, pictures):
                ET.fromstring(picture)
