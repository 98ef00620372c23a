"""The compiled engine in pages: what one needs to make a search of a game by itself.

A page searches by a file of some kilobytes of WebAssembly. For some searches of the library's games
the files are shipped beside the rules (`ship`), so that no LLVM is needed; others are linked where
LLVM and a linker for WebAssembly are installed, and kept in the cache folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from fmcts._engines import returns_of
from fmcts._linked import installed, loaded
from fmcts._linked.build import LOOP_OF_PAGES
from fmcts._linked.functions import rules_key
from fmcts._linked.keys import SHIPPED
from fmcts._linked.layout import fields
from fmcts._linked.searches import Parts, parts_of
from fmcts._linked.structure import Structure, marks_of, parameters_of, structure_of
from fmcts.errors import RulesError
from fmcts.game import has_rewards, is_plain, players_of
from fmcts.rng import SplitMix, StdGen, format as format_rng
from fmcts.rules import fields_of
from fmcts.search import Search
from fmcts.search.memory import size_of

RULES: Final = (
    *('menu', 'over', 'count', 'pick', 'play', 'side', 'winner', 'key', 'chances', 'weight'),
)
EXPORTED: Final = ('search', 'plant_root', *(f'rule_{name}' for name in RULES))
OPTIONS: Final = ('--no-entry', '--strip-all', '--export=__heap_base', '-z', 'stack-size=262144')
UNDEFINED: Final = re.compile(r'undefined symbol: (\w+)')
LINKERS: Final = ('wasm-ld-15', 'wasm-ld')
MADE_BY: Final = 'LLVM 22.1.0, Debian LLD 15.0.6'
"""The versions that made the shipped files; others may give other bytes, which do the same."""

OFFERED: Final[Mapping[str, Search]] = MappingProxyType(
    {
        '': Search(1),
        'expansion=random': Search(1, expansion='random'),
        'playout=decisive': Search(1, playout='decisive'),
        'selection=uct': Search(1, selection='uct'),
        'selection=ucb1-tuned': Search(1, selection='ucb1-tuned'),
        'solver=on': Search(1, solver=True),
    }
)
"""The searches that are shipped for the library's games, by their options; `c` is a number."""


def pieces_of(state: Any, search: Search, *, stdgen: bool) -> tuple[Structure, Parts]:
    """Return the structure of a search in pages, and what is linked."""
    structure = structure_of(search, state)
    return structure, parts_of(state, structure, stdgen=stdgen, here=False)


def name_of(parts: Parts) -> str:
    """Return the name of the WebAssembly file of such searches."""
    key = rules_key(parts.rules, parts.position)
    loop = hashlib.blake2b(Path(__file__).with_name(f'{LOOP_OF_PAGES}.bc').read_bytes()).hexdigest()
    whole = EXPORTED, OPTIONS, loop, key, parts.key
    return f'{hashlib.blake2b(repr(whole).encode(), digest_size=16).hexdigest()}.wasm'


def linker() -> str | None:
    """Return the path of a linker for WebAssembly; `None` if there is none."""
    return next(filter(None, map(shutil.which, LINKERS)), None)


def linked(parts: Parts, found: str) -> bytes:
    """Return the WebAssembly of such searches, made by the linker that was found.

    :raises RulesError: a rule or function cannot be compiled, or calls what a page does not have.
    """
    link = loaded('link')
    rules = loaded('codes').rules_of(parts.rules, parts.position)
    module = link.linked(LOOP_OF_PAGES, [rules, *parts.all()], EXPORTED)
    if lacking := link.declared(module):  # numba's functions, which no page has
        raise _lacking(lacking)
    with tempfile.TemporaryDirectory() as folder:
        made, out = Path(folder, 'search.o'), Path(folder, 'search.wasm')
        made.write_bytes(link.machine(LOOP_OF_PAGES).emit_object(module))
        command = [found, *OPTIONS, *(f'--export={name}' for name in EXPORTED)]
        command += ['-o', str(out), str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed arguments
        if done.returncode:  # LLVM has made calls of `exp` and others of the C library
            raise _lacking(UNDEFINED.findall(done.stderr) or done.stderr.splitlines()[:1])
        return out.read_bytes()


def _lacking(names: Sequence[str]) -> RulesError:
    """Return the error for what machine code calls and a page does not have."""
    return RulesError(f'machine code in a page lacks {", ".join(dict.fromkeys(names))}')


def unable(state: Any, search: Search) -> str | None:
    """Return what of a search for machine code cannot run in a page; `None` if all can."""
    given = {
        'a network': search.network is not None,
        'a schedule': search.schedule is not None,
        'stop': search.stop is not None,
        'a rule for the choice': search.final != 'robust',
        'bounds': search.bounds,
        'rewards on the way': returns_of(search, state) is not None,
        'full expansion': search.expands == 'full',
        'states of playouts in the tree': search.rollout_expand,
        'heuristics': any(each.heuristic for each in search.derived),
        'priors': bool(search.method.move_columns),
        'rewards, or other players than two': has_rewards(state) or len(players_of(state)) != 2,
    }
    return next((name for name, there in given.items() if there), None)


def described(state: Any, rng: Any, search: Search) -> dict[str, Any] | str:
    """Return what a page needs to make a search, as plain values; or why it cannot.

    `fmcts/explore/machine.js` says what for.
    """
    lacking = unable(state, search)
    if lacking is not None:
        return lacking
    stdgen = isinstance(rng, StdGen)
    try:
        structure, parts = pieces_of(state, search, stdgen=stdgen)
        path, found = SHIPPED / name_of(parts), linker()
        if not path.exists():
            if not installed():
                return 'there was no llvmlite: install fmcts[fast]'
            path = loaded('codes').cached(path.name)
        if path.exists():
            file = path.read_bytes()
        elif found is None:
            return 'there was no linker for WebAssembly: apt-get install lld-15'
        else:
            file = linked(parts, found)
            loaded('codes').write(path, file)
    except RulesError as error:
        return str(error)
    rules, position = parts.rules, parts.position
    menu, tables = rules.menu(position), search.policy.memories
    return {
        'file': file,
        'state': [
            (name, 4 if kind is ctypes.c_void_p else 8)
            for name, kind in fields('search.h', 'Search')
        ],
        'position': [*map(str, fields_of(position))],
        'menu': len(menu) if isinstance(menu, tuple) else 1,
        'rng': format_rng(rng).split(':')[1:],
        'splits': isinstance(rng, SplitMix),
        'numbers': parameters_of(search),
        'c': next((at for at, it in enumerate(structure.method.parameters) if it == 'c'), None),
        'marks': marks_of(structure, rules),
        'memory': [
            (size_of(table, rules.keys) // len(table.columns), absent)
            for table in tables
            for absent in table.absent
        ],
        'counts': structure.method.counts,
        'seats': 0 if is_plain(state) else len(players_of(state)),
        'reward_row': structure.reward_row if structure.real else None,
        'max_plies': str(min(search.max_plies, 2**62)),
        'max_nodes': str(min(search.max_nodes or 2**62, 2**62)),
        'cut_after': search.evaluate_after,
    }
