"""A branch that lets a processor continue with a guess, as a numba intrinsic."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fmcts._numba.intrinsics import INT64


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
