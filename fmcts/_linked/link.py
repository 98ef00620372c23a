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

from fmcts._linked.build import LOOP_OF_PAGES, OF_MACHINES, PAGES
from fmcts.errors import RulesError

HERE: Final = Path(__file__).parent
LLVM_VERSION: Final = llvm.llvm_version_info[0]  # its bitcode is for this version and later ones
TARGET: Final = re.compile(r'^target (datalayout|triple) = "[^"]*"\n', re.MULTILINE)
COMMON: Final = re.compile(r'= common (local_unnamed_addr )?global')
ENTRY: Final = 'void (ptr)'
"""The type of a function that Python calls, and of no other."""

OF_LOOP: Final = (
    *('global_dead_code_eliminate', 'sroa', 'simplify_cfg', 'instruction_combine', 'simplify_cfg'),
)
"""Passes over a loop by itself, once for all searches: a third of the instructions is left."""

EARLY: Final = (
    *('global_dead_code_eliminate', 'ipsccp', 'simplify_cfg', 'global_dead_code_eliminate'),
    *('always_inliner', 'sroa', 'sccp', 'simplify_cfg', 'global_dead_code_eliminate'),
)
"""Passes that remove what the constants of a search exclude, before LLVM's own.

The order matters: constants reach the branches before anything is inlined, which would copy the
branches that are never taken, and a second time after it, where arguments are constants too.
"""


@functools.cache
def target() -> Any:
    """Return the kind of machine that code is made for: this one."""
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except RuntimeError:  # done by a newer llvmlite itself
        pass
    return llvm.Target.from_default_triple()


def machine(loop: str = '') -> Any:
    """Return a machine to make code for: a page's for the loop of pages, else this one.

    It is made anew, as LLVM deletes it with the code.
    """
    if loop == LOOP_OF_PAGES:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        kind = llvm.Target.from_triple(PAGES)  # with what all current browsers have
        return kind.create_target_machine(features='+simd128,+bulk-memory', opt=3)
    return target().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features(), opt=3, jit=True
    )


@functools.cache
def features() -> str:
    """Return the instructions of this processor, as LLVM lists them."""
    return str(llvm.get_host_cpu_features().flatten())


@functools.cache
def loop_of(name: str, exported: tuple[str, ...]) -> bytes:
    """Return the bitcode of a loop for any machine, as far as the exported functions need it."""
    llvm.parse_assembly('')  # initialises
    module = llvm.parse_bitcode((HERE / f'{name}.bc').read_bytes())
    # What Python does not call is let go here, with what only that needs: batches, games, playouts.
    for each in module.functions:
        unused = str(each.global_value_type) == ENTRY and each.name not in exported
        if unused and not each.is_declaration:
            each.linkage = 'internal'
    optimise(module, OF_LOOP, builder_for(machine(name)))
    # The passes above went by them; other parts have none, and LLVM warns where two differ.
    module.triple = module.data_layout = ''
    return module.as_bitcode()  # type: ignore[no-any-return]


def optimise(module: Any, passes: Sequence[str], builder: Any) -> None:
    """Run passes over a module, in this order."""
    manager = llvm.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f'add_{name}_pass')()
    manager.run(module, builder)


def builder_for(host: Any) -> Any:
    """Return what makes passes for a machine."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_unrolling = True  # without it the solver takes a quarter longer on tic-tac-toe
    return llvm.create_pass_builder(host, options)


def portable(text: str) -> str:
    """Return LLVM code without what belongs to one machine."""
    return COMMON.sub('= internal global', OF_MACHINES.sub('', TARGET.sub('', text)))


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


def linked(loop: str, parts: Sequence[str | bytes], exported: Sequence[str]) -> Any:
    """Return a loop, such as `search`, and these parts as one optimised module."""
    module = llvm.parse_bitcode(loop_of(loop, tuple(exported)))
    for part in parts:
        module.link_in(parsed(part))
    for each in (*module.functions, *module.global_variables):
        if not (each.is_declaration or each.name.startswith('llvm.')):
            # Weak ones have been replaced by now; what still may be would never be inlined.
            each.linkage = 'external' if each.name in exported else 'internal'
    host = machine(loop)
    module.triple = PAGES if loop == LOOP_OF_PAGES else llvm.get_process_triple()
    module.data_layout = str(host.target_data)
    builder = builder_for(host)
    optimise(module, EARLY, builder)
    # Function by function: the passes for modules would take half as long again, for code that has
    # been inlined and knows its constants, and find nothing more in it.
    passes = builder.getFunctionPassManager()
    for each in module.functions:
        if not each.is_declaration:
            passes.run(each, builder)
    optimise(module, ('strip_dead_prototype',), builder)
    return module


def declared(module: Any) -> list[str]:
    """Return the names that a module refers to and does not define."""
    found = [it.name for it in (*module.functions, *module.global_variables) if it.is_declaration]
    return [name for name in found if not name.startswith('llvm.')]


def undefined(module: Any) -> list[str]:
    """Return the names that a module refers to and nothing in this process has."""
    return [name for name in declared(module) if not llvm.address_of_symbol(name)]


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
    """Machine code, kept as long as this value; its functions take one pointer.

    :raises RulesError: it needs a function that is not there, for which LLVM would end the process.
    """

    def __init__(self, loop: str, parts: Sequence[str | bytes], exported: Sequence[str]) -> None:
        module = linked(loop, parts, exported)
        if undefined(module):
            numbas().load_helpers()  # which rules from the disk may call, such as those of lists
        if lacking := undefined(module):
            raise RulesError(f'machine code needs what is not there: {", ".join(lacking)}')
        self.engine = llvm.create_mcjit_compiler(module, machine())
        self.engine.finalize_object()
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self.functions = {name: kind(self.engine.get_function_address(name)) for name in exported}
