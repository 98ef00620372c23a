"""Vectors as values of compiled code: operations on several numbers at once."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from llvmlite import ir
from numba.extending import intrinsic

from fmcts._numba.intrinsics import INT32, overload_for


def splat(build: Any, value: Any, vector: Any) -> Any:
    """Return a `vector` with `value` in every lane."""
    undefined = ir.Constant(vector, ir.Undefined)
    first = build.insert_element(undefined, value, INT32(0))
    order = ir.Constant(ir.VectorType(INT32, vector.count), [0] * vector.count)
    return build.shuffle_vector(first, undefined, order)


@frozen
class Vector:
    """A vector: its numba type `kind` and its layout in a register.

    `number` is the numba type of one element; values of the type `accepts` can be converted to it.
    """

    kind: Any
    lanes: ir.VectorType
    number: Any
    accepts: type

    def define(self, operation: Any, instruction: str) -> None:
        """Define `operation` on two vectors, and on a vector and a number."""
        kind, lanes, number, accepts = self.kind, self.lanes, self.number, self.accepts

        @intrinsic
        def apply(_context: Any, one: Any, two: Any) -> Any:
            sig = kind(*(it if it is kind else number for it in (one, two)))

            def generate(_cg: Any, build: Any, sig: Any, args: Any) -> Any:
                vectors = (
                    value if it is kind else splat(build, value, lanes)
                    for value, it in zip(args, sig.args, strict=True)
                )
                return getattr(build, instruction)(*vectors)

            return sig, generate

        @overload_for(operation)
        def typed(one: Any, two: Any) -> Any:
            operands = one, two
            if kind in operands and all(it is kind or isinstance(it, accepts) for it in operands):
                return lambda one, two: apply(one, two)
            return None
