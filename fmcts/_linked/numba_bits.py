"""numba's implementations of `fmcts.bits` and `fmcts.formulas`, registered on import.

Words are signed 64-bit integers here, with the same bits as Python's unsigned ones.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, overload, register_model, typeof_impl

from fmcts import bits, formulas

I64: Final = ir.IntType(64)
INLINED: Final = {'forceinline': True}


@intrinsic
def ones(_context: Any, _number: Any) -> Any:
    """Return the number of set bits."""
    return types.int64(types.int64), lambda _cg, build, _sig, args: build.ctpop(args[0])


@intrinsic
def leading_zeros(_context: Any, _number: Any) -> Any:
    """Return the number of zeros above the highest set bit; there must be one."""
    undefined = ir.Constant(ir.IntType(1), 1)  # at 0
    return types.int64(types.int64), lambda _cg, build, _sig, args: build.ctlz(args[0], undefined)


@intrinsic
def nth(_context: Any, _bits: Any, _index: Any) -> Any:
    """Return the position of the set bit with `index` set bits below it.

    It is a function of its own, which linking replaces by an instruction where there is one.
    """

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        shape = ir.FunctionType(I64, [I64, I64])
        function = build.module.globals.get('nth_bit') or ir.Function(
            build.module, shape, 'nth_bit'
        )
        if function.is_declaration:
            function.linkage = 'linkonce_odr'
            function.attributes.add('noinline')
            begin, loop, more, end = (
                function.append_basic_block(each) for each in ('begin', 'loop', 'more', 'end')
            )
            write = ir.IRBuilder(begin)
            write.branch(loop)
            write.position_at_end(loop)
            left, count = write.phi(I64), write.phi(I64)
            write.cbranch(write.icmp_signed('==', count, I64(0)), end, more)
            write.position_at_end(more)
            left.add_incoming(function.args[0], begin)
            left.add_incoming(write.and_(left, write.sub(left, I64(1))), more)
            count.add_incoming(function.args[1], begin)
            count.add_incoming(write.sub(count, I64(1)), more)
            write.branch(loop)
            write.position_at_end(end)
            write.ret(write.cttz(left, ir.Constant(ir.IntType(1), 1)))
        return build.call(function, args)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def with_word(_context: Any, words: Any, _place: Any, _word: Any) -> Any:
    """Return a tuple of words with another at a place."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        given, place, word = args
        with build.goto_entry_block():
            memory = build.alloca(given.type)
        build.store(given, memory)
        build.store(word, build.gep(memory, [I64(0), place], inbounds=True))
        return build.load(memory)

    plain = types.UniTuple(types.int64, words.count)
    return plain(words, types.int64, types.int64), generate


@overload(bits.popcount, strict=False, jit_options=INLINED)
def _popcount(bits: Any) -> Any:
    return lambda bits: ones(np.int64(bits))


@overload(bits.nth_bit, strict=False, jit_options=INLINED)
def _nth_bit(bits: Any, index: Any) -> Any:
    return lambda bits, index: nth(np.int64(bits), np.int64(index))


@overload(bits.lowest_bit, strict=False, jit_options=INLINED)
def _lowest_bit(bits: Any) -> Any:
    return lambda bits: bits & -bits


@overload(bits.highest_bit, strict=False, jit_options=INLINED)
def _highest_bit(bits: Any) -> Any:
    # The 1 keeps the count defined; the last `&` removes it.
    return lambda bits: (
        np.int64(np.uint64(1 << 63) >> np.uint64(leading_zeros(np.int64(bits) | 1))) & bits
    )


@overload(bits.keep_if, strict=False, jit_options=INLINED)
def _keep_if(bits: Any, condition: Any) -> Any:
    return lambda bits, condition: bits if condition != 0 else 0


@overload(bits.replaced, strict=False, jit_options=INLINED)
def _replaced(words: Any, place: Any, word: Any) -> Any:
    if not isinstance(words, types.UniTuple | types.NamedUniTuple) or words.dtype != types.int64:
        return None
    count = words.count

    def replaced(words: Any, place: Any, word: Any) -> Any:
        if place < 0 or place >= count:
            raise IndexError('the place is outside the tuple')
        return with_word(words, np.int64(place), np.int64(word))

    return replaced


# ---- four words side by side, for `union_of_four` ----


class WordsType(types.Type):  # type: ignore[misc] # numba has no annotations
    """The numba type of four words in one register."""

    def __init__(self) -> None:
        super().__init__(name='Words4')


WORDS: Final = WordsType()
VECTOR: Final = ir.VectorType(I64, 4)


@register_model(WordsType)
class WordsModel(models.PrimitiveModel):  # type: ignore[misc] # the same
    """The data model of words in a register, as an LLVM vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _vector(build: Any, values: Sequence[Any]) -> Any:
    vector = ir.Constant(VECTOR, ir.Undefined)
    for place, value in enumerate(values):
        vector = build.insert_element(vector, value, ir.IntType(32)(place))
    return vector


def _splat(build: Any, value: Any) -> Any:
    first = _vector(build, [value])
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4)
    return build.shuffle_vector(first, ir.Constant(VECTOR, ir.Undefined), zeros)


@intrinsic
def side_by_side(_context: Any, _four: Any) -> Any:
    """Return four words as a vector."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        return _vector(build, [build.extract_value(args[0], place) for place in range(4)])

    return WORDS(types.UniTuple(types.int64, 4)), generate


@intrinsic
def united(_context: Any, _words: Any) -> Any:
    """Return the union of four words."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        shape, name = ir.FunctionType(I64, [VECTOR]), 'llvm.vector.reduce.or.v4i64'
        reduce = build.module.globals.get(name) or ir.Function(build.module, shape, name)
        return build.call(reduce, args)

    return types.int64(WORDS), generate


def _define(operation: Any, instruction: str) -> None:
    """Define `operation` on four words, and on four words and a number."""

    @intrinsic
    def apply(_context: Any, one: Any, two: Any) -> Any:
        def generate(_cg: Any, build: Any, sig: Any, args: Any) -> Any:
            pairs = zip(args, sig.args, strict=True)
            vectors = [it if kind is WORDS else _splat(build, it) for it, kind in pairs]
            return getattr(build, instruction)(*vectors)

        return WORDS(*(it if it is WORDS else types.int64 for it in (one, two))), generate

    @overload(operation, strict=False, jit_options=INLINED)
    def typed(one: Any, two: Any) -> Any:
        kinds = one, two
        if WORDS in kinds and all(it is WORDS or isinstance(it, types.Integer) for it in kinds):
            return lambda one, two: apply(one, two)
        return None


for _operation, _instruction in (
    *((operator.and_, 'and_'), (operator.iand, 'and_'), (operator.or_, 'or_')),
    *((operator.ior, 'or_'), (operator.lshift, 'shl'), (operator.ilshift, 'shl')),
    *((operator.rshift, 'lshr'), (operator.irshift, 'lshr'), (operator.mul, 'mul')),
):
    _define(_operation, _instruction)


@overload(bits.union_of_four, strict=False, jit_options=INLINED)
def _union_of_four(rule: Any, steps: Any, masks: Any, *same: Any) -> Any:
    return lambda rule, steps, masks, *same: united(
        rule(side_by_side(steps), side_by_side(masks), *same)
    )


# ---- tables of words, as constants ----


class CheckedTable(bits.Table):
    """A table whose lookups are checked: of a user's function."""

    __slots__ = ()


class TableType(types.Type):  # type: ignore[misc] # the same
    """The numba type of one table; tables with different words have different types."""

    def __init__(self, table: bits.Table) -> None:
        self.table = table
        super().__init__(name=f'{type(table).__name__}({",".join(map(hex, table))})')


register_model(TableType)(models.OpaqueModel)


@typeof_impl.register(bits.Table)
def _type_of_table(table: bits.Table, _context: Any) -> TableType:
    return TableType(table)


@lower_constant(TableType)
def _lower_table(context: Any, _build: Any, _kind: Any, _table: Any) -> Any:
    return context.get_dummy_value()  # the words are in the type


@intrinsic
def look_up(_context: Any, table: Any, _index: Any) -> Any:
    """Return the word at an index."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        words = [value - (value >> 63 << 64) for value in table.table]  # LLVM reads them as signed
        kind = ir.ArrayType(I64, len(words))
        name = build.module.get_unique_name('table')
        data = ir.GlobalVariable(build.module, kind, name)
        data.initializer, data.global_constant, data.linkage = (
            ir.Constant(kind, words),
            True,
            'internal',
        )
        data.unnamed_addr = True  # equal tables become one
        return build.load(build.gep(data, [I64(0), args[1]], inbounds=True))

    return types.int64(table, types.int64), generate


@overload(operator.getitem, strict=False, jit_options=INLINED)
def _item_of_table(table: Any, index: Any) -> Any:
    if not isinstance(table, TableType) or not isinstance(index, types.Integer):
        return None
    length = len(table.table)

    def checked(table: Any, index: Any) -> Any:  # compiled
        if index < 0 or index >= length:
            raise IndexError('the index is outside the table')
        return look_up(table, np.int64(index))

    if isinstance(table.table, CheckedTable):
        return checked
    return lambda table, index: look_up(table, np.int64(index))


@overload(formulas.where, strict=False, jit_options=INLINED)
def _where(condition: Any, yes: Any, no: Any) -> Any:
    return lambda condition, yes, no: yes if condition else no


@overload(formulas.minimum, strict=False, jit_options=INLINED)
def _minimum(one: Any, two: Any) -> Any:
    return lambda one, two: one if one < two else two


@overload(formulas.maximum, strict=False, jit_options=INLINED)
def _maximum(one: Any, two: Any) -> Any:
    return lambda one, two: one if one > two else two


@overload(formulas.sqrt, strict=False, jit_options=INLINED)
def _sqrt(number: Any) -> Any:
    return lambda number: np.sqrt(number)
