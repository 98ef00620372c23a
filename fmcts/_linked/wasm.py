"""The compiled engine linked for pages: a search of one game in some kilobytes of WebAssembly.

Of some searches of the library's games the files are shipped beside the rules (`ship`); others are
linked where a linker for WebAssembly is installed, and kept in the cache folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import llvmlite.binding as llvm

from fmcts._engines import returns_of
from fmcts._linked import link, searches
from fmcts._linked.codes import SHIPPED, cached, rules_key, rules_of, write
from fmcts._linked.engine import State, parameters_of, stamps_of
from fmcts._linked.structure import Structure, structure_of
from fmcts._linked.tables import as_array
from fmcts.errors import RulesError
from fmcts.game import has_rewards, is_plain, players_of
from fmcts.rng import SplitMix, StdGen
from fmcts.rules import IntegerRules, fields_of, rules_of as declared_rules
from fmcts.search import Search

LOOP: Final = 'search.wasm'
TRIPLE: Final = 'wasm32-unknown-unknown'
LINKERS: Final = ('wasm-ld-15', 'wasm-ld')
RULES: Final = (
    'menu',
    'over',
    'count',
    'pick',
    'play',
    'side',
    'winner',
    'key',
    'chances',
    'weight',
)
EXPORTED: Final = ('search', 'plant_root', *(f'rule_{name}' for name in RULES))
OPTIONS: Final = ('--no-entry', '--strip-all', '--export=__heap_base', '-z', 'stack-size=262144')
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


def linker() -> str | None:
    """Return the path of a linker for WebAssembly; `None` if there is none."""
    return next(filter(None, map(shutil.which, LINKERS)), None)


def versions() -> str:
    """Return the versions of what links here, as in `MADE_BY`."""
    said = subprocess.run([linker() or '', '--version'], capture_output=True, check=True, text=True)  # noqa: S603 - found above
    return f'LLVM {".".join(map(str, llvm.llvm_version_info))}, {said.stdout.strip()}'


def machine() -> Any:
    """Return the machine of pages, which all current browsers have."""
    link.target()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    kind = llvm.Target.from_triple(TRIPLE)
    return kind.create_target_machine(features='+simd128,+bulk-memory', opt=3)


def linked(parts: Sequence[str | bytes]) -> bytes:
    """Return the loop and these parts as a WebAssembly file.

    :raises OSError: there is no linker.
    """
    module = link.linked(LOOP, parts, EXPORTED, machine())
    with tempfile.TemporaryDirectory() as folder:
        made, out = Path(folder, 'search.o'), Path(folder, 'search.wasm')
        made.write_bytes(machine().emit_object(module))
        command = [linker() or LINKERS[0], *OPTIONS, *(f'--export={name}' for name in EXPORTED)]
        subprocess.run([*command, '-o', out, made], check=True)  # noqa: S603 - fixed arguments
        return out.read_bytes()


def file_of(state: Any, search: Search, *, stdgen: bool = False, anew: bool = False) -> Path | None:
    """Return the path of the WebAssembly file of such searches, which is made if need be.

    `anew`: make it in the folder of the shipped files. `None` if it cannot be made here.
    """
    rules: Any = declared_rules(state)
    position, structure = rules.pack(state), _structure(search, rules)
    menu = rules.menu(position)
    key = rules_key(rules, position, menu)
    loop = hashlib.blake2b(Path(link.HERE, f'{LOOP}.bc').read_bytes()).hexdigest()
    whole = EXPORTED, OPTIONS, loop, key, searches.key_of_parts(structure, stdgen=stdgen)
    name = f'{hashlib.blake2b(repr(whole).encode(), digest_size=16).hexdigest()}.wasm'
    paths = SHIPPED / name, cached(name)
    for path in () if anew else paths:
        if path.exists():
            return path
    if linker() is None:
        return None
    parts = searches.parts_of(rules, position, structure, stdgen=stdgen, batched=False, here=False)
    path = paths[not anew]
    write(path, linked([rules_of(rules, position, menu, key), *parts]))
    return path if path.exists() else None


def _structure(search: Search, rules: IntegerRules) -> Structure:
    return structure_of(search, rules, unvisited=search.expands == 'selected')


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
    try:
        path = file_of(state, search, stdgen=isinstance(rng, StdGen))
    except RulesError as error:
        return str(error)
    if path is None:
        return 'there was no linker for WebAssembly: apt-get install lld-15'
    rules: IntegerRules = declared_rules(state)  # type: ignore[assignment] # `unsupported` checked this
    position, structure = rules.pack(state), _structure(search, rules)
    fields, menu = fields_of(position), rules.menu(position)
    memory: Any = as_array(search.policy.memories, (), rules.keys)
    return {
        'file': path.read_bytes(),
        'state': [(it[0], 4 if it[1] is ctypes.c_void_p else 8) for it in State._fields_],
        'position': [*map(str, fields)],
        'menu': len(menu) if isinstance(menu, tuple) else 1,
        'rng': [*map(str, State.words_of(rng))],
        'splits': isinstance(rng, SplitMix),
        'numbers': parameters_of(structure),
        'c': next((at for at, it in enumerate(structure.method.parameters) if it == 'c'), None),
        'stamps': stamps_of(structure, rules),
        'memory': [(len([*same]), value) for value, same in groupby(memory.tolist())],
        'counts': structure.method.counts,
        'seats': 0 if is_plain(state) else len(players_of(state)),
        'reward_row': structure.reward_row if structure.real else None,
        'max_plies': str(min(search.max_plies, 2**62)),
        'max_nodes': str(min(search.max_nodes or 2**62, 2**62)),
        'cut_after': search.evaluate_after,
    }
