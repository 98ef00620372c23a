"""Process several moves at once: test marks, write doubles, look numbers up in a table."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fmcts._numba.guards import bare
from fmcts._numba.intrinsics import INT32, INT64, splat
from fmcts._numba.simd import DOUBLES, INTEGERS, LANES, TRUTHS, WIDTH

LONGS: Final = ir.VectorType(INT64, WIDTH)


@intrinsic
def marked(_context: Any, stamps: Any, _begin: Any, _keys: Any, _count: Any, _stamp: Any) -> Any:
    """Return whether `stamps[begin + key]` equals `stamp`, for each of the first `count` keys.

    Keys are whole numbers. Lanes past `count` may hold anything.
    """

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        stamps, begin, keys, count, stamp = args
        places = ir.Constant(INTEGERS, list(range(WIDTH)))
        there = build.icmp_signed('<', places, splat(build, build.trunc(count, INT32), INTEGERS))
        keys = build.select(there, keys, ir.Constant(DOUBLES, [0.0] * WIDTH))
        indices = build.add(build.fptosi(keys, LONGS), splat(build, begin, LONGS))
        found: Any = ir.Constant(INTEGERS, ir.Undefined)
        for lane in range(WIDTH):
            index = build.extract_element(indices, INT32(lane))
            here = bare(context, build, sig.args[0], stamps, index)
            found = build.insert_element(found, build.load(build.gep(here, [index])), INT32(lane))
        wanted = splat(build, build.trunc(stamp, INT32), INTEGERS)
        return build.and_(there, build.icmp_signed('==', found, wanted))

    return TRUTHS(stamps, types.int64, LANES, types.int64, types.int64), generate


@intrinsic
def marked_bits(_context: Any, _mask: Any, _keys: Any, _count: Any) -> Any:
    """Return whether the bit `key` of `mask` is set, for each of the first `count` keys.

    Keys are whole numbers below 64. Lanes past `count` may hold anything.
    """

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        mask, keys, count = args
        places = ir.Constant(INTEGERS, list(range(WIDTH)))
        there = build.icmp_signed('<', places, splat(build, build.trunc(count, INT32), INTEGERS))
        keys = build.select(there, keys, ir.Constant(DOUBLES, [0.0] * WIDTH))
        # Convert through 32 bits, as not every processor has the instruction for 64.
        steps = build.zext(build.fptosi(keys, INTEGERS), LONGS)
        bits = build.lshr(splat(build, mask, LONGS), steps)
        bit = build.and_(bits, ir.Constant(LONGS, [1] * WIDTH))
        return build.and_(there, build.icmp_signed('!=', bit, ir.Constant(LONGS, [0] * WIDTH)))

    return TRUTHS(types.int64, LANES, types.int64), generate


@intrinsic
def put_reals(_context: Any, pointer: Any, _index: Any, _lanes: Any) -> Any:
    """Write `WIDTH` doubles from `pointer[index]` on; each takes two 32-bit integers."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        begin = bare(context, build, sig.args[0], args[0], args[1], 2 * WIDTH)
        place = build.bitcast(build.gep(begin, [args[1]]), DOUBLES.as_pointer())
        build.store(args[2], place, align=4)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, LANES), generate


@intrinsic
def looked_up(_context: Any, table: Any, _places: Any, _count: Any) -> Any:
    """Return the numbers of a `table` of doubles at the first `count` of some indices.

    Lanes past `count`, and lanes with a negative index, read the number at index 0.
    """

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        table, places, count = args
        order = ir.Constant(INTEGERS, list(range(WIDTH)))
        there = build.icmp_signed('<', order, splat(build, build.trunc(count, INT32), INTEGERS))
        none = ir.Constant(INTEGERS, [0] * WIDTH)
        places = build.fptosi(places, INTEGERS)
        there = build.and_(there, build.icmp_signed('>', places, none))
        places = build.select(there, places, none)
        found: Any = ir.Constant(DOUBLES, ir.Undefined)
        for lane in range(WIDTH):  # one by one: gather instructions are slower
            index = build.sext(build.extract_element(places, INT32(lane)), INT64)
            here = bare(context, build, sig.args[0], table, index)
            found = build.insert_element(found, build.load(build.gep(here, [index])), INT32(lane))
        return found

    return LANES(table, LANES, types.int64), generate
