"""Run the tutorial from the built wheel alone, with the lowest libraries and with the newest.

    python benchmarks/platforms/tutorial.py

It takes uv and the package index. The wheel is installed with the extras that the tutorial names
into a fresh environment, outside this checkout, and each page runs as a doctest.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
PAGES = HERE / 'docs/tutorial'
INSTALLED = re.compile(r"pip install '\.(\[.*\])'")


def run(*command: str | Path, cwd: Path) -> None:
    """Run a command that prints only errors and what it found."""
    subprocess.run(command, cwd=cwd, check=True)


def main() -> None:
    """Build the wheel and try it twice."""
    (extras,) = INSTALLED.findall((PAGES / '1_first_search.md').read_text(encoding='utf-8'))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run('uv', 'build', '--quiet', '--wheel', '--out-dir', folder, cwd=HERE)
        (wheel,) = folder.glob('*.whl')
        shutil.copytree(PAGES, folder / 'tutorial')
        for resolution in ('lowest-direct', 'highest'):
            python = folder / resolution / 'bin/python'
            run('uv', 'venv', '--quiet', '--python', sys.executable, resolution, cwd=folder)
            needed = (f'{wheel}{extras}', 'pytest>=8.2')
            install = ('uv', 'pip', 'install', '--quiet', '--python', python)
            run(*install, '--resolution', resolution, *needed, cwd=folder)
            print(f'{resolution}:', flush=True)
            test = (python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider')
            run(*test, '--doctest-glob=*.md', '--import-mode=importlib', 'tutorial', cwd=folder)


if __name__ == '__main__':
    main()
