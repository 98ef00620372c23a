"""Linking: the loop's bitcode, the rules and the formulas become one piece of machine code."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

OTHER_MACHINES: Final = re.compile(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"')
TARGET: Final = re.compile(r'^target (datalayout|triple) = "[^"]*"\n', re.MULTILINE)
COMMON: Final = re.compile(r'= common (local_unnamed_addr )?global')


@functools.cache
def machine() -> Any:
    """Return the machine that code is made for: this one."""
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except RuntimeError:  # done by a newer llvmlite itself
        pass
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features(), opt=3, jit=True
    )


@functools.cache
def features() -> str:
    """Return the instructions of this processor, as LLVM lists them."""
    return llvm.get_host_cpu_features().flatten()


@functools.cache
def loop(name: str) -> str:
    """Return a loop, `search` or `solve`, as LLVM code for any machine."""
    llvm.parse_assembly('')  # initialises
    bitcode = Path(__file__).with_name(f'{name}.bc')
    return portable(str(llvm.parse_bitcode(bitcode.read_bytes())))


def portable(text: str) -> str:
    """Return LLVM code without what belongs to one machine."""
    return COMMON.sub('= internal global', OTHER_MACHINES.sub('', TARGET.sub('', text)))


def linked(parts: Sequence[str], exported: Sequence[str]) -> Any:
    """Return these parts and the loop, the first of the exported functions, as one optimised module."""
    module = llvm.parse_assembly(loop(exported[0]))
    for part in parts:
        module.link_in(llvm.parse_assembly(portable(part)))
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name not in exported and not each.name.startswith('llvm.'):
            each.linkage = 'internal'
    module.triple, module.data_layout = llvm.get_process_triple(), str(machine().target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine(), options)
    builder.getModulePassManager().run(module, builder)
    return module


class Code:
    """Machine code, kept as long as this value; its functions take one pointer."""

    def __init__(self, parts: Sequence[str], exported: Sequence[str]) -> None:
        self.engine = llvm.create_mcjit_compiler(linked(parts, exported), machine())
        self.engine.finalize_object()
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self.functions = {name: kind(self.engine.get_function_address(name)) for name in exported}
