"""The check under every Python that is installed here: one line of JSON each.

    python benchmarks/platforms/installed.py [PYTHON ...]

Without names these are python3.11 to python3.15 and pypy3, as far as they are found.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
import tempfile

from dependencies import CHECK, Unprepared, copy_to, report, report_missing

USUAL = (*(f'python3.{minor}' for minor in range(11, 16)), 'pypy3')


def main() -> None:
    """Check them all."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        copy_to(folder)
        environment = os.environ | {'PYTHONPATH': str(folder / 'dependencies')}
        for name in sys.argv[1:] or USUAL:
            if shutil.which(name) is None:
                report_missing(pathlib.Path(name).name, 'not installed here')
                continue
            try:
                report(pathlib.Path(name).name, [name, str(folder / CHECK)], env=environment)
            except Unprepared as why:
                report_missing(pathlib.Path(name).name, why)


if __name__ == '__main__':
    main()
