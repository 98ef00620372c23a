"""Linking: a loop's bitcode, the rules and the formulas become one piece of machine code."""

from __future__ import annotations

import ctypes
import functools
import importlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from fmcts.errors import RulesError

HERE: Final = Path(__file__).parent
LLVM_VERSION: Final = llvm.llvm_version_info[0]  # its bitcode is for this version and later ones
OTHER_MACHINES: Final = re.compile(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"')
TARGET: Final = re.compile(r'^target (datalayout|triple) = "[^"]*"\n', re.MULTILINE)
EARLY: Final = (
    *('global_dead_code_eliminate', 'ipsccp', 'simplify_cfg', 'global_dead_code_eliminate'),
    *('always_inliner', 'sroa', 'sccp', 'simplify_cfg', 'global_dead_code_eliminate'),
)
"""Passes that remove what the constants of a search exclude, before LLVM's own."""
COMMON: Final = re.compile(r'= common (local_unnamed_addr )?global')


@functools.cache
def target() -> Any:
    """Return the kind of machine that code is made for: this one."""
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except RuntimeError:  # done by a newer llvmlite itself
        pass
    return llvm.Target.from_default_triple()


def machine() -> Any:
    """Return a machine to make code for. It is made anew, as LLVM deletes it with the code."""
    return target().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features(), opt=3, jit=True
    )


@functools.cache
def features() -> str:
    """Return the instructions of this processor, as LLVM lists them."""
    return str(llvm.get_host_cpu_features().flatten())


@functools.cache
def loop_of(name: str) -> bytes:
    """Return the bitcode of a loop for any machine."""
    llvm.parse_assembly('')  # initialises
    text = str(llvm.parse_bitcode((HERE / f'{name}.bc').read_bytes()))
    return llvm.parse_assembly(portable(text)).as_bitcode()  # type: ignore[no-any-return]


def portable(text: str) -> str:
    """Return LLVM code without what belongs to one machine."""
    return COMMON.sub('= internal global', OTHER_MACHINES.sub('', TARGET.sub('', text)))


def joined(parts: Sequence[str]) -> bytes:
    """Return the LLVM code of a game's rules as one piece of bitcode, for any machine."""
    module = parsed(parts[0])
    for part in parts[1:]:
        module.link_in(parsed(part))
    return module.as_bitcode()  # type: ignore[no-any-return]


def parsed(part: str | bytes) -> Any:
    """Return a module of LLVM code, or of the bitcode of rules.

    Of rules only the functions of `game.h` are seen by other parts: numba counts its functions, and
    one that another process compiled may have the name of one that this process compiles.
    """
    if isinstance(part, str):
        return llvm.parse_assembly(portable(part))
    module = llvm.parse_bitcode(part)
    for each in module.functions:
        if not each.is_declaration and not each.name.startswith('rule_'):
            each.linkage = 'internal'
    return module


def linked(
    loop: str, parts: Sequence[str | bytes], exported: Sequence[str], host: Any = None
) -> Any:
    """Return a loop, such as `search`, and these parts as one optimised module.

    `host`: the machine to make code for, by default this one.
    """
    module = llvm.parse_bitcode(loop_of(loop))
    for part in parts:
        module.link_in(parsed(part))
    for each in (*module.functions, *module.global_variables):
        if not (each.is_declaration or each.name.startswith('llvm.')):
            # Weak ones have been replaced by now; what still may be would never be inlined.
            each.linkage = 'external' if each.name in exported else 'internal'
    triple = host.triple if host else llvm.get_process_triple()
    host = host or machine()
    module.triple, module.data_layout = triple, str(host.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_unrolling = True  # without it the solver takes a quarter longer on tic-tac-toe
    builder = llvm.create_pass_builder(host, options)
    early = llvm.create_new_module_pass_manager()
    for name in EARLY:
        getattr(early, f'add_{name}_pass')()
    early.run(module, builder)
    builder.getModulePassManager().run(module, builder)
    return module


def numbas() -> Any:
    """Return the module `numbas`, which loads numba.

    :raises RulesError: numba does not work here.
    """
    try:
        found: Any = importlib.import_module('fmcts._linked.numbas')
    except (ImportError, OSError) as error:  # a shared library that cannot be loaded raises either
        why = str(error).partition('\n')[0] or type(error).__name__
        raise RulesError(f'numba does not load ({why})') from error
    if found.numba.config.DISABLE_JIT:
        raise RulesError('numba compiles nothing, as NUMBA_DISABLE_JIT is set')
    return found


class Code:
    """Machine code, kept as long as this value; its functions take one pointer."""

    def __init__(self, loop: str, parts: Sequence[str | bytes], exported: Sequence[str]) -> None:
        self.engine = llvm.create_mcjit_compiler(linked(loop, parts, exported), machine())
        self.engine.finalize_object()
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self.functions = {name: kind(self.engine.get_function_address(name)) for name in exported}
