"""numba's implementations of `fmcts.bits` and `fmcts.formulas`, registered on import.

Words are signed 64-bit integers here, with the same bits as Python's unsigned ones.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

from fmcts import bits, formulas

I64: Final = ir.IntType(64)
INLINED: Final = {'forceinline': True}

nth: Final = types.ExternalFunction('nth_bit', types.int64(types.int64, types.int64))
# Linking adds the function. What numba compiles here never runs, but must have an address for it.
binding.add_symbol('nth_bit', 1)


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


def implement(function: Any, plain: Any) -> None:
    """Let numba compile `plain` where it meets a function of this library."""
    overload(function, strict=False, jit_options=INLINED)(lambda *_kinds: plain)


implement(bits.popcount, lambda bits: ones(np.int64(bits)))
implement(bits.nth_bit, lambda bits, index: nth(np.int64(bits), np.int64(index)))
implement(bits.lowest_bit, lambda bits: bits & -bits)
implement(  # the 1 keeps the count defined; the last `&` removes it
    bits.highest_bit,
    lambda bits: (
        np.int64(np.uint64(1 << 63) >> np.uint64(leading_zeros(np.int64(bits) | 1))) & bits
    ),
)
implement(bits.keep_if, lambda bits, condition: bits if condition != 0 else 0)
implement(formulas.where, lambda condition, yes, no: yes if condition else no)
implement(formulas.minimum, lambda one, two: one if one < two else two)
implement(formulas.maximum, lambda one, two: one if one > two else two)
implement(formulas.sqrt, lambda number: np.sqrt(number))


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


implement(
    bits.union_of_four,
    lambda rule, steps, masks, *same: united(rule(side_by_side(steps), side_by_side(masks), *same)),
)
