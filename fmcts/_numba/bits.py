"""Compiled implementations of the helpers in `fmcts.bits`, registered on import.

Words are signed 64-bit integers here, with the same bits as Python's unsigned ones.
"""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, register_model, typeof_impl

from fmcts import bits
from fmcts._numba.guards import CHECKED, refuse_outside
from fmcts._numba.intrinsics import (
    leading_zeros,
    ones,
    overload_for,
    splat,
    spread,
    spreads_bits,
    trailing_zeros,
)


@overload_for(bits.popcount)
def _popcount(bits: Any) -> Any:
    return lambda bits: ones(np.int64(bits))


def _by_spreading(bits: Any, index: Any) -> Any:  # compiled
    return trailing_zeros(spread(np.int64(1) << index, np.int64(bits)))


def _by_clearing(bits: Any, index: Any) -> Any:  # compiled
    for _ in range(index):
        bits &= bits - 1
    return trailing_zeros(np.int64(bits))


@overload_for(bits.nth_bit)
def _nth_bit(bits: Any, index: Any) -> Any:
    return _by_spreading if spreads_bits() else _by_clearing


@overload_for(bits.lowest_bit)
def _lowest_bit(bits: Any) -> Any:
    return lambda bits: bits & -bits


@overload_for(bits.highest_bit)
def _highest_bit(bits: Any) -> Any:
    # The 1 keeps the count defined; the last `&` removes it.
    return lambda bits: np.int64(np.uint64(1 << 63) >> np.uint64(leading_zeros(bits | 1))) & bits


@overload_for(bits.keep_if)
def _keep_if(bits: Any, condition: Any) -> Any:
    return lambda bits, condition: bits if condition != 0 else 0


@intrinsic
def _replace(_context: Any, words: Any, _place: Any, _word: Any) -> Any:
    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        given, place, word = args
        if CHECKED:
            refuse_outside(context, build, place, 1, ir.IntType(64)(sig.args[0].count))
        memory = cgutils.alloca_once_value(build, given)
        build.store(word, cgutils.gep_inbounds(build, memory, 0, place))
        return build.load(memory)

    plain = types.UniTuple(types.int64, words.count)
    return plain(words, types.int64, types.int64), generate


@overload_for(bits.replaced)
def _replaced(words: Any, place: Any, word: Any) -> Any:
    if not isinstance(words, types.UniTuple | types.NamedUniTuple) or words.dtype != types.int64:
        return None
    return lambda words, place, word: _replace(words, np.int64(place), np.int64(word))


# ---- four words side by side ----


class WordsType(types.Type):
    """The numba type of four words in one register."""

    def __init__(self) -> None:
        super().__init__(name='Words4')


WORDS: Final = WordsType()
VECTOR: Final = ir.VectorType(ir.IntType(64), 4)


@register_default(WordsType)
class WordsModel(models.PrimitiveModel):
    """The data model of words in a register, as an LLVM vector."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, VECTOR)


def _define(operation: Any, instruction: str) -> None:
    """Define `operation` on four words, and on four words and a number."""

    @intrinsic
    def apply(_context: Any, one: Any, two: Any) -> Any:
        sig = WORDS(*(it if it is WORDS else types.int64 for it in (one, two)))

        def generate(_cg: Any, build: Any, sig: Any, args: Any) -> Any:
            vectors = (
                value if it is WORDS else splat(build, value, VECTOR)
                for value, it in zip(args, sig.args, strict=True)
            )
            return getattr(build, instruction)(*vectors)

        return sig, generate

    @overload_for(operation)
    def typed(one: Any, two: Any) -> Any:
        operands = one, two
        if WORDS in operands and all(
            it is WORDS or isinstance(it, types.Integer) for it in operands
        ):
            return lambda one, two: apply(one, two)
        return None


for _instruction, *_operations in (
    ('and_', operator.and_, operator.iand),
    ('or_', operator.or_, operator.ior),
    ('shl', operator.lshift, operator.ilshift),
    ('lshr', operator.rshift, operator.irshift),
    ('mul', operator.mul, operator.imul),
):
    for _operation in _operations:
        _define(_operation, _instruction)


@intrinsic
def _side_by_side(_context: Any, _four: Any) -> Any:
    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        vector = ir.Constant(VECTOR, ir.Undefined)
        for place in range(4):
            word = build.extract_value(args[0], place)
            vector = build.insert_element(vector, word, ir.IntType(32)(place))
        return vector

    return WORDS(types.UniTuple(types.int64, 4)), generate


@intrinsic
def _union(_context: Any, _words: Any) -> Any:
    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        shape = ir.FunctionType(ir.IntType(64), [VECTOR])
        name = 'llvm.vector.reduce.or.v4i64'
        return build.call(cgutils.get_or_insert_function(build.module, shape, name), args)

    return types.int64(WORDS), generate


@overload_for(bits.union_of_four)
def _union_of_four(rule: Any, steps: Any, masks: Any, *same: Any) -> Any:
    return lambda rule, steps, masks, *same: _union(
        rule(_side_by_side(steps), _side_by_side(masks), *same)
    )


# ---- constant tables ----


class TableType(types.Type):
    """The numba type of one table; tables with different words have different types."""

    def __init__(self, table: bits.Table, name: str = 'Table') -> None:
        self.table = table
        super().__init__(name=f'{name}({",".join(map(hex, table))})')


class CheckedTable(bits.Table):
    """A constant table whose compiled lookups are checked; `checked_copies` substitutes it."""

    __slots__ = ()


class CheckedTableType(TableType):
    """The numba type of one table whose lookups are checked."""

    def __init__(self, table: CheckedTable) -> None:
        super().__init__(table, 'CheckedTable')


register_model(TableType)(models.OpaqueModel)
register_model(CheckedTableType)(models.OpaqueModel)


@typeof_impl.register(bits.Table)
def _type_of_table(table: bits.Table, _context: Any) -> TableType:
    return CheckedTableType(table) if isinstance(table, CheckedTable) else TableType(table)


@lower_constant(CheckedTableType)
@lower_constant(TableType)
def _lower_table(context: Any, _build: Any, _kind: Any, _table: Any) -> Any:
    return context.get_dummy_value()  # the words are in the type


@intrinsic
def _look_up(_context: Any, table: Any, _index: Any) -> Any:
    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        length = len(sig.args[0].table)
        kind = ir.ArrayType(word, length)
        if CHECKED:
            refuse_outside(context, build, args[1], 1, word(length))
        # LLVM reads constants as signed.
        signed = [value - (value >> 63 << 64) for value in sig.args[0].table]
        data = cgutils.global_constant(build.module, 'table', ir.Constant(kind, signed))
        return build.load(build.gep(data, [word(0), args[1]]))

    return types.int64(table, types.int64), generate


@overload_for(operator.getitem)
def _item_of_table(table: Any, index: Any) -> Any:
    if isinstance(table, CheckedTableType) and isinstance(index, types.Integer):
        length = len(table.table)

        def checked(table: Any, index: Any) -> Any:  # compiled
            if index < 0 or index >= length:
                raise IndexError('the index is outside the table')
            return _look_up(table, index)

        return checked
    if isinstance(table, TableType) and isinstance(index, types.Integer):
        return lambda table, index: _look_up(table, index)
    return None
