"""The check under Pyodide, which is CPython for WebAssembly: one line of JSON.

    python benchmarks/platforms/pyodide.py

It takes node and npm; Pyodide is installed in a folder that is gone afterwards.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import tempfile

from dependencies import Unprepared, copy_to, must, report, report_missing

SCRIPT = pathlib.Path(__file__).with_suffix('.mjs')


def main() -> None:
    """Check it."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        try:
            must('npm', 'install', '--prefix', place, '--silent', 'pyodide')
            package = json.loads((folder / 'node_modules/pyodide/package.json').read_text())
            copy_to(folder / 'check')
            script = shutil.copy(SCRIPT, folder)
            name = f'Pyodide {package["version"]}'
            report(name, ['node', script, str(folder / 'check')])
        except Unprepared as why:
            report_missing('Pyodide', why)


if __name__ == '__main__':
    main()
