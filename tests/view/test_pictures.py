"""The drawings in `docs/pictures.md` equal the output of their command."""

import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / 'benchmarks/pictures.py'
PAGE = ROOT / 'docs/pictures.md'
if not (SCRIPT.is_file() and PAGE.is_file()):
    pytest.skip('docs or benchmarks is not part of this copy', allow_module_level=True)


def test_the_drawings_are_up_to_date(tmp_path):
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    stored = {path.name: path.read_bytes() for path in (PAGE.parent / 'pictures').glob('*.svg')}
    assert len(drawn) >= 10
    for name, text in drawn.items():
        root = ET.fromstring(text)
        assert root[0].text, name
    for files in (drawn, stored):  # another matplotlib may draw the chart with other bytes
        files['history.svg'] = files['history.svg'].partition(b'<g ')[0]
    assert drawn == stored


def test_the_page_shows_each_drawing():
    shown = re.findall(r'!\[[^]]+\]\(pictures/(\w+\.svg)\)', PAGE.read_text(encoding='utf-8'))
    assert sorted(shown) == sorted(path.name for path in (PAGE.parent / 'pictures').glob('*.svg'))
