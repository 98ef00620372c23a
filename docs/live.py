"""Put what live examples need beside the pages: Pyodide, the library's wheel, and its libraries.

    npm install --prefix build/pyodide pyodide
    python docs/live.py build/pyodide/node_modules/pyodide
    sphinx-build -W -j auto docs build/site

Then each piece of code on the pages of the tutorial has a button "Run". Nothing is loaded before it
is pressed. Without this the site has no such buttons. It needs pip, which fetches three libraries.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE / '_static/live'
PARTS = (
    'pyodide.mjs',
    'pyodide.asm.mjs',
    'pyodide.asm.wasm',
    'python_stdlib.zip',
    'pyodide-lock.json',
)
LIBRARIES = ('attrs', 'returns', 'typing_extensions')


def main() -> None:
    """Fill the folder `docs/_static/live`, which git ignores."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    for name in PARTS:
        shutil.copy(Path(sys.argv[1], name), TARGET)
    pip = [sys.executable, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', str(TARGET)]
    subprocess.run([*pip, str(HERE.parent), *LIBRARIES], check=True)
    page = (HERE / 'tutorial/2_your_game.md').read_text(encoding='utf-8')
    (game,) = re.findall(r"write_text\('''\n(.*?)^\.\.\. '''\)", page, re.DOTALL | re.MULTILINE)
    files = {
        'wheels': sorted(path.name for path in TARGET.glob('*.whl')),
        'kayles.py': re.sub(r'^\.\.\. ?', '', game, flags=re.MULTILINE),
    }
    (TARGET / 'files.json').write_text(json.dumps(files), encoding='utf-8')


if __name__ == '__main__':
    main()
