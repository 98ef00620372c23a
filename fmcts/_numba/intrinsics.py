"""Single machine instructions for compiled code, as numba intrinsics.

Pointers replace arrays inside the loop: an array passed to a helper costs reference counting and
tests for negative indices at every use. Nothing here checks bounds, except in the build for tests
that `guards` describes; the callers of the loop do.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType as PythonFunction  # `ir.FunctionType` is another
from typing import Any, Final, TypeAlias

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic, overload, register_jitable

from fmcts._numba.guards import CheckedPointer, bare, pointer_to
from fmcts._numba.locks import registering
from fmcts._numba.private import STEP, LeanCompiler, VerbCompiler

Verb: TypeAlias = Callable[..., Any]
"""A function of the engine that other compiled code calls."""

INT32: Final = ir.IntType(32)
INT64: Final = ir.IntType(64)
UNDEFINED_AT_ZERO: Final = ir.Constant(ir.IntType(1), 1)

# Conversions in compiled code; typed `Any` because mypy would see conversions of NumPy scalars.
int32: Final[Any] = np.int32
int64: Final[Any] = np.int64
uint64: Final[Any] = np.uint64

# Such code is never called from outside, so it needs no wrapper.
WITHIN: Final = {
    'forceinline': True,
    'no_cfunc_wrapper': True,
    'pipeline_class': LeanCompiler,
}

make_known: Final = register_jitable(**WITHIN)
"""Registers a plain function, which numba then compiles into its callers."""

_make_verb: Final = register_jitable(**WITHIN | {'pipeline_class': VerbCompiler})


# Building a search creates its small functions anew. Replacing each by an equal earlier one means
# that its code is compiled once.
_first_made: Final[dict[object, PythonFunction]] = {}
_kept_alive: Final[list[object]] = []  # what keys of `_first_made` have by identity

PLAIN: Final = (bool, int, str, type(None))


def made_before(function: PythonFunction) -> PythonFunction:
    """Return the first function equal to this one, which may be the function itself.

    Equal functions have the same code, the same globals, and closures with the same values, which
    must not change afterwards. A function with default arguments or an unset closure variable is
    returned itself.
    """
    if function.__defaults__ or function.__kwdefaults__:
        return function
    try:
        values = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:  # no value yet
        return function
    within = function.__code__, function.__globals__
    name = (*map(id, within), *map(_key_of, values))
    first = _first_made.setdefault(name, function)
    if first is function:
        _kept_alive.extend((within, values))
    return first


def _key_of(value: Any) -> object:
    """Return a key that two values share only if they are one object, or equal plain values."""
    return (type(value), value) if type(value) in PLAIN else id(value)


def inlined(function: Any) -> Any:
    """Register a plain function of the engine, which numba then compiles into its callers.

    Return the function, or an equal one that was registered earlier.
    """
    with registering:
        first = made_before(function)
        return _make_verb(function) if first is function else first


def step(function: Any) -> Any:
    """Register a piece of an entry point, which numba copies into it before it infers types.

    So the piece costs no call, and what it returns is not packed into a value in memory, unlike
    that of a function that is `inlined`. It should have one place that it is called from.
    """
    setattr(function, STEP, True)
    return _make_verb(function)


@inlined
def nothing(*_arguments: Any) -> None:
    """Do nothing, instead of a step that a search does not have."""


def overload_for(function: Any) -> Any:
    """Register the decorated function as the compiled implementation of a Python `function`.

    It receives the types of the arguments. (Only the arguments' names must match: numba's strict
    test would compare annotations as well.)
    """
    return overload(function, strict=False, jit_options=WITHIN)


def compiled_only(typed: Any) -> Any:
    """Return a function for compiled code alone, of which `typed` returns the implementation.

    `typed` receives the types of the arguments.
    """
    called = typed.__qualname__

    def stand_in(*_arguments: Any) -> Any:
        raise NotImplementedError(f'{called} is for compiled code only')

    # Not by `functools.wraps`: a function whose module is not that of its globals may change.
    stand_in.__name__, stand_in.__qualname__ = typed.__name__, called
    stand_in.__doc__ = typed.__doc__
    overload_for(stand_in)(typed)
    return stand_in


@intrinsic
def ones(_context: Any, _bits: Any) -> Any:
    """Return the number of bits that are set."""
    return types.int64(types.int64), lambda _cg, build, _sig, args: build.ctpop(args[0])


@intrinsic
def trailing_zeros(_context: Any, _bits: Any) -> Any:
    """Return the number of zeros below the lowest set bit; at least one bit must be set."""
    return types.int64(types.int64), lambda _cg, build, _sig, args: build.cttz(
        args[0], UNDEFINED_AT_ZERO
    )


@intrinsic
def leading_zeros(_context: Any, _bits: Any) -> Any:
    """Return the number of zeros above the highest set bit; at least one bit must be set."""
    return types.int64(types.int64), lambda _cg, build, _sig, args: build.ctlz(
        args[0], UNDEFINED_AT_ZERO
    )


@intrinsic
def bits_of(_context: Any, _number: Any) -> Any:
    """Return the 64 bits of a double, as an integer."""
    return types.int64(types.float64), lambda _cg, build, _sig, args: build.bitcast(args[0], INT64)


@intrinsic
def spread(_context: Any, _bits: Any, _mask: Any) -> Any:
    """Return the lowest `bits`, placed at the positions in `mask` (x86's `pdep`)."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        shape = ir.FunctionType(INT64, [INT64, INT64])
        pdep = build.module.declare_intrinsic('llvm.x86.bmi.pdep.64', (), shape)
        return build.call(pdep, args)

    return types.int64(types.int64, types.int64), generate


def spreads_bits() -> bool:
    """Return whether the target processor has a fast `pdep`."""
    if config.CPU_NAME or config.CPU_FEATURES:  # not compiled for this machine
        named = [one for one in (config.CPU_FEATURES or '').split(',') if one[1:] == 'bmi2']
        return named[-1:] == ['+bmi2']  # the last mention counts
    if llvm.get_host_cpu_name() in ('znver1', 'znver2'):  # their `pdep` is slower than a loop
        return False
    features = llvm.get_host_cpu_features()
    return llvm.get_process_triple().startswith('x86_64') and bool(features.get('bmi2'))


@intrinsic
def address(_context: Any, array: Any) -> Any:
    """Return the address of an array's data. The caller must keep the array alive."""
    kind = pointer_to(array.dtype)

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        contents = cgutils.create_struct_proxy(sig.args[0])(context, build, args[0])
        if not isinstance(kind, CheckedPointer):
            return contents.data
        both = cgutils.create_struct_proxy(kind)(context, build)
        both.data, both.length = contents.data, contents.nitems
        return both._getvalue()  # noqa: SLF001 - as numba spells it

    return kind(array), generate


@intrinsic
def get(_context: Any, pointer: Any, _index: Any) -> Any:
    """Return `pointer[index]`, unchecked."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        return build.load(build.gep(bare(context, build, sig.args[0], *args), [args[1]]))

    return pointer.dtype(pointer, types.int64), generate


@intrinsic
def get_int(_context: Any, pointer: Any, _index: Any) -> Any:
    """Return the integer `pointer[index]` widened to 64 bits, unchecked."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        place = build.gep(bare(context, build, sig.args[0], *args), [args[1]])
        return context.cast(build, build.load(place), pointer.dtype, types.int64)

    return types.int64(pointer, types.int64), generate


@intrinsic
def put(_context: Any, pointer: Any, _index: Any, value: Any) -> Any:
    """Set `pointer[index] = value`, unchecked; an integer that is too wide is truncated."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        entry = context.cast(build, args[2], sig.args[2], pointer.dtype)
        build.store(entry, build.gep(bare(context, build, sig.args[0], *args[:2]), [args[1]]))
        return context.get_dummy_value()

    return types.void(pointer, types.int64, value), generate


@intrinsic(prefer_literal=True)
def all_at(_context: Any, pointer: Any, _index: Any, count: Any) -> Any:
    """Return `count` entries from `pointer[index]` on as a tuple; `count` must be a constant."""
    length = count.literal_value

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        begin = build.gep(bare(context, build, sig.args[0], args[0], args[1], length), [args[1]])
        entries = [build.load(build.gep(begin, [INT64(place)])) for place in range(length)]
        return context.make_tuple(build, sig.return_type, entries)

    return types.UniTuple(pointer.dtype, length)(pointer, types.int64, count), generate


@intrinsic
def put_all(_context: Any, pointer: Any, _index: Any, entries: Any) -> Any:
    """Write a tuple of numbers from `pointer[index]` on, each as `put` does."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        pointed = bare(context, build, sig.args[0], args[0], args[1], len(entries))
        begin = build.gep(pointed, [args[1]])
        numbers = cgutils.unpack_tuple(build, args[2], len(entries))
        for place, (kind, number) in enumerate(zip(entries, numbers, strict=True)):
            entry = context.cast(build, number, kind, pointer.dtype)
            build.store(entry, build.gep(begin, [INT64(place)]))
        return context.get_dummy_value()

    return types.void(pointer, types.int64, entries), generate


@intrinsic
def prefetch(_context: Any, pointer: Any, _index: Any) -> Any:
    """Prefetch the memory around `pointer[index]`; the index need not be valid."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        shape = ir.FunctionType(ir.VoidType(), [byte, INT32, INT32, INT32])
        ask = cgutils.get_or_insert_function(build.module, shape, 'llvm.prefetch.p0')
        begin = bare(context, build, sig.args[0], args[0])
        place = build.bitcast(build.gep(begin, [args[1]]), byte)
        build.call(ask, [place, INT32(0), INT32(3), INT32(1)])  # to read; keep; data
        return context.get_dummy_value()

    return types.void(pointer, types.int64), generate


def _entries_of_a_real(pointer: Any) -> int:
    """Return the number of the pointer's entries that a double takes."""
    return 64 // int(pointer.dtype.bitwidth)


@intrinsic
def get_real(_context: Any, pointer: Any, _index: Any) -> Any:
    """Return the double stored in `pointer[index]` and the integer after it."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        begin = bare(context, build, sig.args[0], args[0], args[1], _entries_of_a_real(pointer))
        place = build.bitcast(build.gep(begin, [args[1]]), ir.DoubleType().as_pointer())
        return build.load(place, align=4)

    return types.float64(pointer, types.int64), generate


@intrinsic
def put_real(_context: Any, pointer: Any, _index: Any, value: Any) -> Any:
    """Write a double at `pointer[index]` and the integer after it."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        number = context.cast(build, args[2], sig.args[2], types.float64)
        begin = bare(context, build, sig.args[0], args[0], args[1], _entries_of_a_real(pointer))
        place = build.bitcast(build.gep(begin, [args[1]]), ir.DoubleType().as_pointer())
        build.store(number, place, align=4)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, value), generate


@intrinsic
def get_long(_context: Any, pointer: Any, _index: Any) -> Any:
    """Return the 64-bit integer stored in `pointer[index]` and the integer after it."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        begin = bare(context, build, sig.args[0], args[0], args[1], _entries_of_a_real(pointer))
        place = build.bitcast(build.gep(begin, [args[1]]), INT64.as_pointer())
        return build.load(place, align=4)

    return types.int64(pointer, types.int64), generate


@intrinsic
def put_long(_context: Any, pointer: Any, _index: Any, _value: Any) -> Any:
    """Write a 64-bit integer at `pointer[index]` and the integer after it."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        begin = bare(context, build, sig.args[0], args[0], args[1], _entries_of_a_real(pointer))
        place = build.bitcast(build.gep(begin, [args[1]]), INT64.as_pointer())
        build.store(args[2], place, align=4)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, types.int64), generate


@intrinsic
def guessed(_context: Any, _number: Any, _guess: Any) -> Any:
    """Return `number`; the processor may continue with the `guess` before the number is known.

    Processors predict branches, but not the operands of addresses. So there is a branch in which
    the result comes from the guess; the compiler is kept from seeing that both values are equal
    there.
    """

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        number, guess = args
        shape = ir.FunctionType(INT64, [INT64])
        unrelated = build.asm(shape, '', '=r,0', [guess], side_effect=False)
        before = build.block
        with build.if_then(build.icmp_signed('==', number, guess), likely=True):
            same = build.asm(shape, '', '=r,0', [unrelated], side_effect=True)
            inside = build.block
        chosen = build.phi(INT64)
        chosen.add_incoming(number, before)
        chosen.add_incoming(same, inside)
        return chosen

    return types.int64(types.int64, types.int64), generate


def splat(build: Any, value: Any, vector: Any) -> Any:
    """Return a `vector` with `value` in every lane."""
    undefined = ir.Constant(vector, ir.Undefined)
    first = build.insert_element(undefined, value, INT32(0))
    order = ir.Constant(ir.VectorType(INT32, vector.count), [0] * vector.count)
    return build.shuffle_vector(first, undefined, order)
