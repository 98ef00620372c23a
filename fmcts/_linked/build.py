"""Make the bitcode of the loops again, beside their C.

    python fmcts/_linked/build.py

Needs clang 15, whose bitcode the LLVM of every supported numba reads. The same source gives the
same bytes in every folder: names of files are relative, and the compiler does not sign its work.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
COMPILER: Final = 'clang-15'
PROCESSORS: Final = 'x86_64-unknown-linux-gnu'  # for all whose pointers have 64 bits
PAGES: Final = 'wasm32-unknown-unknown'
LOOP_OF_PAGES: Final = 'search.wasm'
OPTIONS: Final = [
    '-std=c11',
    '-O2',
    '-Xclang',
    '-disable-llvm-passes',
    '-ffreestanding',
    '-fPIE',
    '-ffp-contract=off',
    '-fno-math-errno',  # a root is an instruction
    '-fno-ident',
    '-Wall',
    '-Wextra',
    '-Wno-psabi',
    '-Werror',
    '-emit-llvm',
]
"""The passes run when a search is linked, for its processor; vectors are passed by pointer only."""

AGAIN: Final = ['-c', '-x', 'ir', '-Xclang', '-disable-llvm-passes', '-emit-llvm', '-']
OF_MACHINES: Final = re.compile(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"')
"""What LLVM code says of the processor that it was made for, which is not the one that runs it."""


def build(folder: Path = HERE, *more: str) -> list[Path]:
    """Make the bitcode of each C file in the folder, with more options; return its paths."""
    sources = [(source, '.bc', PROCESSORS) for source in sorted(folder.glob('*.c'))]
    made = []
    for source, ending, target in [*sources, (folder / 'search.c', '.wasm.bc', PAGES)]:
        bitcode = source.with_suffix(ending)
        options = [*OPTIONS, *more, '-S', source.name, '-o', '-']
        text = OF_MACHINES.sub('', _compiler(folder, target, options))
        _compiler(folder, target, [*AGAIN, '-o', bitcode.name], text)
        made.append(bitcode)
    return sorted(made)


def _compiler(folder: Path, target: str, options: list[str], text: str = '') -> str:
    """Return what the compiler prints, called in a folder with some text to read."""
    command = [COMPILER, f'--target={target}', *options]
    run = subprocess.run(  # noqa: S603 - fixed arguments
        command, cwd=folder, check=True, input=text, stdout=subprocess.PIPE, text=True
    )
    return run.stdout


if __name__ == '__main__':
    build(HERE, *sys.argv[1:])
