"""Make the bitcode of the loops again, beside their C.

    python fmcts/_linked/build.py

Needs clang 15, whose bitcode the LLVM of every supported numba reads. The same source gives the
same bytes in every folder: names of files are relative, and the compiler does not sign its work.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
COMPILER: Final = 'clang-15'
OPTIONS: Final = [
    '--target=x86_64-unknown-linux-gnu',
    '-std=c11',
    '-O2',
    '-Xclang',
    '-disable-llvm-passes',
    '-ffreestanding',
    '-fPIE',
    '-ffp-contract=off',
    '-fno-ident',
    '-Wall',
    '-Wextra',
    '-Wno-psabi',
    '-Werror',
    '-emit-llvm',
]
"""The passes run when a search is linked, for its processor; vectors are passed by pointer only."""


def build(folder: Path = HERE, *more: str) -> list[Path]:
    """Make the bitcode of each C file in the folder, with more options; return its paths."""
    made = [source.with_suffix('.bc') for source in sorted(folder.glob('*.c'))]
    for bitcode in made:
        source = bitcode.with_suffix('.c').name
        command = [COMPILER, *OPTIONS, *more, '-c', source, '-o', bitcode.name]
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - fixed arguments
    return made


if __name__ == '__main__':
    build(HERE, *sys.argv[1:])
