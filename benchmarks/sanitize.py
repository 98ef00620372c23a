"""The loops of the compiled engine under AddressSanitizer and UndefinedBehaviorSanitizer.

    python benchmarks/sanitize.py SECONDS [--seed N]

The C of `fmcts/_linked` is compiled natively by clang 15 with both sanitizers, and linked with the
LLVM code of searches as the engine links it, and with rules in C (`c/linked_games.c`) in place of
those compiled by numba. First the goldens are searched; then, for so many seconds, the cases of the
campaign whose functions there are in C, by this engine and by the reference. Trees are as large as
they need to be, and paths short, so that arrays end where the engine says and grow often.

A report ends the process with its text, after the number of the case; a result that differs, with
the case as code. The exit code is then not 0.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

HERE: Final = pathlib.Path(__file__).parent
ROOT: Final = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / 'tests/search')]

COMPILER: Final = 'clang-15'
SANITIZERS: Final = (
    '-fsanitize=address,undefined -fno-sanitize-recover=all -shared-libasan -g -O0 -fPIC '
    '-fno-omit-frame-pointer -ffp-contract=off -march=native -Wno-psabi -Wno-unused-const-variable'
).split()
OPTIONS: Final = {
    'ASAN_OPTIONS': 'detect_leaks=0:detect_stack_use_after_return=1',
    'UBSAN_OPTIONS': 'print_stacktrace=1',
    'PYTHONMALLOC': 'malloc',  # so that each structure of ctypes has bounds of its own
}
ENGINE: Final = 'linked'
GAMES: Final = HERE / 'c/linked_games.c'
C: Final = f'#include "{GAMES}"\n'
NO_GAME: Final = f'#define GAME 1\n{C}int fault;\ndouble first_number() {{ return 0; }}\n'


def under_sanitizers() -> None:
    """Begin this process again with the sanitizers' library, which must be loaded first."""
    runtime = subprocess.check_output(
        [COMPILER, '-print-file-name=libclang_rt.asan-x86_64.so'], text=True
    ).strip()
    if os.environ.get('LD_PRELOAD') != runtime:
        environment = {**os.environ, **OPTIONS, 'LD_PRELOAD': runtime}
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)  # noqa: S606


class NotInCError(Exception):
    """A function of the search is not in `linked_games.c`."""


class Compiler:
    """In place of numba's: a function becomes a call of that name in `linked_games.c`."""

    def __init__(self, **_options: bool) -> None:
        self.parts: list[str] = []

    def define(
        self, name: str, arguments: Sequence[tuple[str, str]], _body: str, given: dict[str, Any], result: str = ''
    ) -> None:
        """Add the function of C called `name`; see `fmcts._linked.numbas.Compiler`."""
        kinds = {'p': 'const i64 *', 'd': 'const double *', 'i': 'i64 ', 'f': 'double '}
        function = given['function']
        if function.__name__ == '<lambda>':  # of `first_numbers`
            function = function.__closure__[0].cell_contents
        if f' {function.__name__}(' not in GAMES.read_text(encoding='utf-8'):
            raise NotInCError(function.__qualname__)
        heads = [('i64 *' if each == 'out' else kinds[kind]) + each for each, kind in arguments]
        call = f'{function.__name__}({", ".join(each for each, _ in arguments)})'
        head = f'{kinds[result] if result else "void "}{name}({", ".join(heads)})'
        self.parts.append(f'{C}{head} {{ {"return " * bool(result)}{call}; }}\n')


class Code:
    """In place of `fmcts._linked.link.Code`: the same parts, linked natively."""

    folder: Final = pathlib.Path(tempfile.mkdtemp())
    made: int = 0

    def __init__(self, loop: str, parts: Sequence[Any], exported: Sequence[str]) -> None:
        Code.made += 1
        place = self.folder / str(Code.made)
        files: list[str] = []
        for number, part in enumerate(parts or [NO_GAME]):
            if isinstance(part, int):
                files.append(made_of_rules(part))
                continue
            is_c = part.startswith('#')
            file = pathlib.Path(f'{place}-{number}{".c" if is_c else ".ll"}')
            # Code of LLVM is checked where a function asks for it.
            file.write_text(part.replace(' alwaysinline {', ' sanitize_address {'), encoding='utf-8')
            files.append(str(file))
        library = f'{place}.so'
        run_compiler('-shared', '-Wl,-Bsymbolic', made_of_loop(loop), *files, '-o', library)
        loaded = ctypes.CDLL(library)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self.functions = {name: kind((name, loaded)) for name in exported}
        for file in files:
            if file.startswith(f'{place}-'):
                pathlib.Path(file).unlink()


def run_compiler(*arguments: str) -> None:
    """Run the compiler."""
    command = [COMPILER, *SANITIZERS, '-Wno-override-module', *arguments]
    environment = {name: value for name, value in os.environ.items() if name != 'LD_PRELOAD'}
    subprocess.run(command, check=True, env=environment)


@functools.cache
def made_of_loop(loop: str) -> str:
    """Return the object file of a loop, which serves every search: nothing in it is left out."""
    source, made = ROOT / f'fmcts/_linked/{loop}.c', Code.folder / f'{loop}.o'
    run_compiler('-c', str(source), '-o', str(made))
    return str(made)


@functools.cache
def made_of_rules(game: int) -> str:
    """Return the object file of a game's rules."""
    made = Code.folder / f'rules-{game}.o'
    run_compiler(f'-DGAME={game}', '-c', str(GAMES), '-o', str(made))
    return str(made)


def put_in_place() -> None:
    """Let the engine use the classes above, in small arrays."""
    from campaign.games import Heap
    from fmcts._linked import batches, codes, engine, link, searches
    from fmcts._linked.tree import arena, code
    from fmcts._running import registry
    from fmcts.games import GAMES
    from fmcts.rules import rules_of
    from maze import Maze

    starts = [GAMES[name].start for name in ('tictactoe', 'connect4', 'othello')]
    games = {rules_of(start).play: 1 + number for number, start in enumerate(starts)}
    games |= {Maze.compiled.play: 4, Heap.compiled.play: 5}
    link.Code = code.Code = Code
    searches.Compiler = Compiler
    codes.rules_of = lambda rules, *_: games[rules.play]
    engine.LEVELS = batches.LEVELS = 4
    arena.AHEAD = arena.LEAST = 64

    def begin(root: Any, rng: Any, search: Any) -> Any:
        return (engine if search.network is None else batches).begin(root, rng, search)

    registry.ENGINES[ENGINE] = registry.Engine(ENGINE, registry.driven(begin), registry.compiled.unsupported)


def goldens() -> int:
    """Search the goldens; return how many there are.

    :raises SystemExit: one differs.
    """
    from fmcts import Search, analyse, rng as rngs
    from fmcts.games import GAMES

    listed = json.loads((ROOT / 'tests/search/golden.json').read_text(encoding='utf-8'))
    for golden in listed:
        state = GAMES[golden['game']].start
        for move in golden['moves']:
            state = state.play(GAMES[golden['game']].parse_move(move).unwrap())
        rng = rngs.parse(golden['rng']).unwrap()
        found, after = analyse(state, rng, Search(**golden['search']), engine=ENGINE)
        if (found.digest, rngs.format(after)) != (golden['digest'], golden['rng_out']):
            raise SystemExit(f'{golden["name"]} differs')
    return len(listed)


def drawn(seed: int, seconds: float, counts: Counter[str]) -> int:
    """Search drawn cases; return how many were begun.

    :raises SystemExit: one differs.
    """
    from campaign.cases import MEMBERS, draw_cases
    from campaign.compare import REFERENCE, first_difference
    from campaign.script import as_code

    begun, number = time.monotonic(), 0
    for number, case in enumerate(draw_cases(seed)):
        if time.monotonic() - begun > seconds:
            break
        if case.game in MEMBERS:  # menus of several words
            continue
        print(f'\rcase {number} ', end='', file=sys.stderr, flush=True)
        try:
            found = first_difference(case, (REFERENCE, ENGINE), counts)
        except NotInCError as error:
            counts[f'cases left out: {error}'] += 1
            continue
        if found:
            raise SystemExit(f'{found.what}: {found.values}\n{as_code(case, found)}')
    return number


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description='The compiled engine under sanitizers.')
    parser.add_argument('seconds', type=float, help='for the cases of the campaign')
    parser.add_argument('--seed', type=int, default=0, help='decides what is drawn; default 0')
    given = parser.parse_args()
    under_sanitizers()
    put_in_place()
    counts: Counter[str] = Counter()
    print(f'{goldens()} goldens', flush=True)
    number = drawn(given.seed, given.seconds, counts)
    print('\n'.join(f'{what}: {count:,}' for what, count in sorted(counts.items())))
    print(f'{number} cases from seed {given.seed}, {Code.made} structures: no report')


if __name__ == '__main__':
    main()
