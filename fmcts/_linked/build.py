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
PROCESSORS: Final = 'x86_64-unknown-linux-gnu'  # for all whose pointers have 64 bits
PAGES: Final = 'wasm32-unknown-unknown'
OPTIONS: Final = [
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
    sources = [(source, '.bc', PROCESSORS) for source in sorted(folder.glob('*.c'))]
    made = []
    for source, ending, target in [*sources, (folder / 'search.c', '.wasm.bc', PAGES)]:
        bitcode = source.with_suffix(ending)
        names = ['-c', source.name, '-o', bitcode.name]
        command = [COMPILER, f'--target={target}', *OPTIONS, *more, *names]
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - fixed arguments
        made.append(bitcode)
    return sorted(made)


if __name__ == '__main__':
    build(HERE, *sys.argv[1:])
