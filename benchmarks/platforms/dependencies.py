"""What the scripts of this folder share: a copy of what is to be run, and how a run is reported."""

from __future__ import annotations

import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Sequence

__all__ = ['CHECK', 'Unprepared', 'copy_to', 'must', 'report', 'report_missing']

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = 'benchmarks/platforms/check.py'
EXPECTED = 'benchmarks/platforms/expected.json'
NEEDED = ('fmcts', 'tests/search/golden.json', CHECK, EXPECTED)
PURE = ('attrs', 'returns', 'typing_extensions')  # written in Python: one copy serves them all


class Unprepared(Exception):  # noqa: N818 - it is no fault of the library
    """Why a platform could not be had here, in one line."""


def must(
    *words: str, timeout: float = 600.0, codes: tuple[int, ...] = (0,), **options: object
) -> str:
    """What a command prints.

    :raises Unprepared: it cannot be run, or ends with none of the codes.
    """
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=timeout, **options
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unprepared(f'{words[0]}: {error}') from error
    if done.returncode not in codes:
        lines = (done.stderr or done.stdout).strip().splitlines() or ['no reason given']
        raise Unprepared(f'{words[0]} failed with {done.returncode}: {lines[-1]}')
    return done.stdout


def copy_to(folder: pathlib.Path) -> None:
    """The library, its golden analyses, the check and what they need, in a folder of their own."""
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns('__pycache__'))
        else:
            shutil.copy(source, target)
    # typing_extensions comes with returns; pip of this Python finds them for every other one.
    must(sys.executable, '-m', 'pip', 'install', '--quiet', '--only-binary', ':all:',
         '--target', str(folder / 'dependencies'), *PURE)  # fmt: skip


def report(platform: str, words: Sequence[str], **options: object) -> None:
    """Run the check by this command and print its line, headed by the platform's name.

    :raises SystemExit: with 1 at the end of the script, if the platform finds something else.
    """
    found = {'platform': platform} | json.loads(must(*words, codes=(0, 1), **options))
    print(json.dumps(found), flush=True)
    if not found['same']:
        atexit.register(os._exit, 1)


def report_missing(platform: str, why: object) -> None:
    """Print the line of a platform that could not be prepared."""
    print(json.dumps({'platform': platform, 'missing': ' '.join(str(why).split())}), flush=True)
