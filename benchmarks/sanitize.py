"""The loops of the compiled engine under AddressSanitizer and UndefinedBehaviorSanitizer.

    python benchmarks/sanitize.py SECONDS [--seed N]

The C of `fmcts/_linked` is compiled natively by clang 15 with both sanitizers, and linked with the
LLVM code of searches as the engine links it. In place of what numba compiles there are rules in C
(`c/linked_games.c`) for three games, and calls of Python for all else. First the goldens are
searched; then, for so many seconds, the cases of the campaign, by this engine and by the reference.
Trees begin as small and paths as short as they can, so that arrays end where the engine says and
grow often.

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
import shutil
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
OPTIONS: Final = [
    '-fsanitize=address,undefined',
    '-fno-sanitize-recover=all',
    '-shared-libasan',
    '-g',
    '-O0',
    '-fPIC',
    '-ffp-contract=off',
    '-fno-math-errno',
    '-march=native',
    '-Wno-psabi',
    '-DUSUAL=__attribute__((weak))',
    '-Wno-unused-const-variable',
    '-Wno-override-module',
]
"""Without optimisation, which would remove reads of what is not used."""

SETTINGS: Final = {
    'ASAN_OPTIONS': 'detect_leaks=0:detect_stack_use_after_return=1',
    'UBSAN_OPTIONS': 'print_stacktrace=1',
    'PYTHONMALLOC': 'malloc',  # so that each structure of ctypes has bounds of its own
}
ENGINE: Final = 'compiled'
GAMES: Final = HERE / 'c/linked_games.c'
NO_GAME: Final = (
    f'#define GAME 1\n#include "{GAMES}"\ndouble first_number() {{ return 0; }}\n'
    'const int one __asm("ONE_WORD") = 1, width __asm("FIELDS") = 2, fast __asm("HAS_PDEP");\n'
)
KINDS: Final = {
    'p': (ctypes.POINTER(ctypes.c_int64), 'long *'),
    'd': (ctypes.POINTER(ctypes.c_double), 'double *'),
    'i': (ctypes.c_int64, 'long '),
    'f': (ctypes.c_double, 'double '),
    '': (None, 'void '),
}


def under_sanitizers() -> None:
    """Begin this process again with the sanitizers' library, which must be loaded first."""
    runtime = subprocess.check_output(
        [COMPILER, '-print-file-name=libclang_rt.asan-x86_64.so'], text=True
    ).strip()
    if os.environ.get('LD_PRELOAD') != runtime:
        environment = {**os.environ, **SETTINGS, 'LD_PRELOAD': runtime}
        symbolizer = shutil.which('llvm-symbolizer-15')  # of the package llvm-15
        environment |= {'ASAN_SYMBOLIZER_PATH': symbolizer} if symbolizer else {}
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)  # noqa: S606


class Compiler:
    """In place of `fmcts._linked.numbas.Compiler`: a function of C calls Python."""

    kept: Final[list[Any]] = []
    source_of: Any  # that of the module

    def __init__(self, **_options: bool) -> None:
        self.parts: list[str] = []

    def define(
        self,
        name: str,
        body: str,
        given: dict[str, Any],
        outs: Sequence[str] = (),
        **_options: Any,
    ) -> None:
        """Add the function of C called `name`."""
        from fmcts._linked.layout import shape_of

        result, arguments = shape = shape_of(name)
        scope = {**given, 'int64': int, 'float64': float}
        exec(self.source_of(shape, body, outs), scope)  # noqa: S102 - as the class replaced here
        noted = ctypes.c_int(0)

        def entry(*numbers: Any) -> Any:
            try:
                return scope['entry'](*numbers)
            except (ArithmeticError, LookupError, ValueError):
                noted.value += 1
                return 0

        kinds = [KINDS[kind] for kind in arguments.values()]
        call = ctypes.CFUNCTYPE(KINDS[result][0], *(each for each, _ in kinds))(entry)
        self.kept.extend((call, noted))
        names = ', '.join(arguments)
        head = ', '.join(f'{kind}{name}' for (_, kind), name in zip(kinds, arguments, strict=True))
        kind, address = KINDS[result][1], ctypes.cast(call, ctypes.c_void_p).value
        where = ctypes.addressof(noted)
        # A fault is noted where `search.c` looks for it.
        self.parts.append(
            f'#include <stdint.h>\nextern int fault;\n{kind}{name}({head}) {{\n'
            f'  int *noted = (int *){where}UL;\n'
            f'  {f"{kind}result = " * bool(result)}(({kind}(*)({head})){address}UL)({names});\n'
            f'  fault += *noted, *noted = 0;\n  {"return result;" * bool(result)}\n}}\n'
        )


class Code:
    """In place of `fmcts._linked.link.Code`: the same parts, linked natively."""

    folder: Final = pathlib.Path(tempfile.mkdtemp())
    made: int = 0

    def __init__(self, loop: str, parts: Sequence[Any], exported: Sequence[str]) -> None:
        Code.made += 1
        rules, *others = parts or [NO_GAME]
        texts = [*rules, *others] if isinstance(rules, list) else [rules, *others]
        with tempfile.TemporaryDirectory() as folder:
            files = [
                made_of_rules(text)
                if isinstance(text, int)
                else written(f'{folder}/{number}', text)
                for number, text in enumerate(texts)
            ]
            library = str(Code.folder / f'{Code.made}.so')  # a report reads its lines there
            compile_natively(
                '-shared',
                '-Wl,-Bsymbolic',
                made_of_loop(loop),
                *files,
                '-o',
                library,
            )
            loaded = ctypes.CDLL(library)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self.functions = {name: kind((name, loaded)) for name in exported}


def written(name: str, text: str) -> str:
    """Write a part to a file; return its path. LLVM code is checked where functions ask for it."""
    file = pathlib.Path(name + ('.c' if text.startswith('#') else '.ll'))
    file.write_text(text.replace(' alwaysinline {', ' sanitize_address {'), encoding='utf-8')
    return str(file)


def compile_natively(*arguments: str) -> None:
    """Run the compiler."""
    environment = {name: value for name, value in os.environ.items() if name != 'LD_PRELOAD'}
    subprocess.run([COMPILER, *OPTIONS, *arguments], check=True, env=environment)


@functools.cache
def made_of_loop(loop: str) -> str:
    """Return the object file of a loop, which serves every search: nothing in it is left out."""
    made = str(Code.folder / f'{loop}.o')
    compile_natively('-c', str(ROOT / f'fmcts/_linked/{loop}.c'), '-o', made)
    return made


@functools.cache
def made_of_rules(game: int) -> str:
    """Return the object file of a game's rules."""
    made = str(Code.folder / f'rules-{game}.o')
    compile_natively(f'-DGAME={game}', '-c', str(GAMES), '-o', made)
    return made


def put_in_place() -> None:
    """Let the engine use the classes above, and small arrays."""
    from fmcts._linked import codes, engine, link, numbas
    from fmcts._linked.tree import arena
    from fmcts.games import GAMES as KNOWN
    from fmcts.rules import rules_of
    from fmcts.solve import _linked as solver

    starts = [KNOWN[name].start for name in ('tictactoe', 'connect4', 'othello')]
    in_c = {rules_of(start).play: 1 + number for number, start in enumerate(starts)}

    def rules_code(rules: Any, position: Any) -> Any:
        return in_c.get(rules.play) or numbas.rules_code(rules, position)

    link.Code = arena.Code = solver.Code = Code
    Compiler.source_of = staticmethod(numbas.source_of)
    numbas.Compiler = Compiler
    codes.rules_of = rules_code
    engine.LEVELS, engine.PLACES = 4, 2
    arena.AHEAD = arena.LEAST = 64
    solver.BUCKETS = 1


def goldens() -> int:
    """Search the goldens; return how many there are.

    :raises SystemExit: one differs.
    """
    from fmcts import Search, analyse, rng as rngs
    from fmcts.games import GAMES as KNOWN

    listed = json.loads((ROOT / 'tests/search/golden.json').read_text(encoding='utf-8'))
    for golden in listed:
        game = KNOWN[golden['game']]
        state = game.start
        for move in golden['moves']:
            state = state.play(game.parse_move(move).unwrap())
        rng = rngs.parse(golden['rng']).unwrap()
        found, after = analyse(state, rng, Search(**golden['search']), engine=ENGINE)
        if (found.digest, rngs.format(after)) != (golden['digest'], golden['rng_out']):
            raise SystemExit(f'{golden["name"]} differs')
    return len(listed)


def goes_with(search: Any, state: Any) -> bool:
    """Return whether a search is possible in a game with chance or other players than two."""
    from fmcts._engines.chance import check_supported

    try:
        check_supported(search, state)
    except ValueError:
        return False
    return True


def drawn(seed: int, seconds: float, counts: Counter[str]) -> int:
    """Search drawn cases; return how many.

    In every fifth the game is one of chance. Playouts from the position, and its value, are
    compared too.

    :raises SystemExit: one differs.
    """
    from attrs import evolve
    from campaign import cases
    from campaign.compare import REFERENCE, first_difference
    from campaign.script import as_code

    from drawn_searches import worth
    from fmcts import rng as rngs
    from fmcts._running import playouts
    from fmcts.game import chances_of, is_plain
    from fmcts.games import CHANCE_GAMES, find_game
    from fmcts.rules import OnPositions
    from fmcts.solve import AlphaBeta, solve

    of_chance = {name: find_game(name).unwrap().start for name in CHANCE_GAMES}
    cases.STARTS = {**cases.STARTS, **of_chance}
    begun, number = time.monotonic(), 0
    for number, drawn in enumerate(cases.draw_cases(seed)):
        if time.monotonic() - begun > seconds:
            break
        if drawn.game == 'hex:9':  # minutes, as its rules run in Python
            continue
        print(f'\rcase {number} ', end='', file=sys.stderr, flush=True)
        case = drawn
        if number % 5 == 0:
            game = [*of_chance][number // 5 % len(of_chance)]
            steps = tuple(
                evolve(step, reroot=None)
                for step in drawn.steps
                # A network judges the game that it was drawn for.
                if step.search.network is None and goes_with(step.search, of_chance[game])
            )
            case = evolve(drawn, game=game, sizes=(), steps=steps, from_end=None)
            while chances_of(cases.position_of(case)):
                case = evolve(case, moves=(*case.moves, number))
        found = first_difference(case, (REFERENCE, ENGINE), counts)
        if found:
            raise SystemExit(f'{found.what}: {found.values}\n{as_code(case, found)}')
        state, rng = cases.position_of(case), rngs.parse(case.rng).unwrap()
        if not is_plain(state) or state.over:
            continue
        asked = AlphaBeta(1 + number % 3, evaluate=OnPositions(worth) if number % 2 else None)
        for what, function in {
            'playouts': lambda engine: playouts(state, rng, 20, engine=engine),  # noqa: B023
            'solve': lambda engine: solve(state, asked, engine=engine),  # noqa: B023
        }.items():
            one, two = map(function, ('inplace', ENGINE))
            if one != two:
                raise SystemExit(f'{what}: {one} and {two} of {state!r}, {rng!r}, {asked!r}')
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
    shutil.rmtree(Code.folder)
    print(f'{number} cases from seed {given.seed}, {Code.made} structures: no report')


if __name__ == '__main__':
    main()
