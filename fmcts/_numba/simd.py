"""Eight doubles side by side as one value of compiled code: reading, masking, comparing.

See the module `formula_code` for what is computed from them.
"""

from __future__ import annotations

import math
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.codegen import get_host_cpu_features
from numba.core.datamodel import models, register_default
from numba.extending import intrinsic

from fmcts import formulas
from fmcts._numba.guards import bare
from fmcts._numba.intrinsics import INT32, INT64, overload_for, splat

WIDTH: Final = 8
MASKS: Final = '+avx' in get_host_cpu_features().split(',')
"""Whether the processor reads single lanes of a vector; others compute with subnormals at no cost,
or are older than 2011."""


class DoublesType(types.Type):
    """The numba type of `WIDTH` doubles."""

    def __init__(self) -> None:
        super().__init__(name=f'Doubles{WIDTH}')


LANES: Final = DoublesType()
DOUBLES: Final = ir.VectorType(ir.DoubleType(), WIDTH)
INTEGERS: Final = ir.VectorType(INT32, WIDTH)


@register_default(DoublesType)
class DoublesModel(models.PrimitiveModel):
    """The data model of lanes in a register, as an LLVM vector."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, DOUBLES)


class TruthsType(types.Type):
    """The numba type of `WIDTH` truth values, the result of comparing lanes."""

    def __init__(self) -> None:
        super().__init__(name=f'Truths{WIDTH}')


TRUTHS: Final = TruthsType()
BITS: Final = ir.VectorType(ir.IntType(1), WIDTH)


@register_default(TruthsType)
class TruthsModel(models.PrimitiveModel):
    """The data model of truth values in a register, as an LLVM vector of single bits."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, BITS)


@intrinsic
def _either(_context: Any, _condition: Any, _yes: Any, _no: Any) -> Any:
    return LANES(TRUTHS, LANES, LANES), lambda _cg, build, _sig, args: build.select(*args)


@overload_for(formulas.where)
def _where(condition: Any, yes: Any, no: Any) -> Any:
    if condition is TRUTHS:
        return lambda condition, yes, no: _either(condition, yes, no)
    return lambda condition, yes, no: yes if condition else no


@overload_for(formulas.minimum)
def _minimum(one: Any, two: Any) -> Any:
    return lambda one, two: formulas.where(one < two, one, two)


@overload_for(formulas.maximum)
def _maximum(one: Any, two: Any) -> Any:
    return lambda one, two: formulas.where(one > two, one, two)


@overload_for(formulas.sqrt)
def _sqrt(number: Any) -> Any:
    return lambda number: math.sqrt(number)


@intrinsic
def doubles_at(_context: Any, pointer: Any, _index: Any) -> Any:
    """Return the `WIDTH` 32-bit integers from `pointer[index]` on, as doubles."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        begin = bare(context, build, sig.args[0], args[0], args[1], WIDTH)
        place = build.bitcast(build.gep(begin, [args[1]]), INTEGERS.as_pointer())
        return build.sitofp(build.load(place, align=4), DOUBLES)

    return LANES(pointer, types.int64), generate


def _of_the_first(build: Any, lanes: Any, count: Any, otherwise: float) -> Any:
    """Return the first `count` lanes, with `otherwise` in the lanes past them."""
    others = ir.Constant(DOUBLES, [otherwise] * WIDTH)
    return build.select(_are_of_the_first(build, count), lanes, others)


def _are_of_the_first(build: Any, count: Any) -> Any:
    places = ir.Constant(INTEGERS, list(range(WIDTH)))
    counts = splat(build, build.trunc(count, INT32), INTEGERS)
    return build.icmp_signed('<', places, counts)


def _greatest(build: Any, scores: Any) -> list[Any]:
    """Return the greatest lane and its first index; no lane may be NaN."""
    shape = ir.FunctionType(ir.DoubleType(), [DOUBLES])
    name = f'llvm.vector.reduce.fmax.v{WIDTH}f64'
    highest = cgutils.get_or_insert_function(build.module, shape, name)
    top = build.call(highest, [scores], fastmath=('nnan',))
    same = build.fcmp_ordered('==', scores, splat(build, top, DOUBLES))
    bits = build.zext(build.bitcast(same, ir.IntType(WIDTH)), INT64)
    return [top, build.cttz(bits, ir.Constant(ir.IntType(1), 1))]


@intrinsic
def best(_context: Any, _scores: Any, _count: Any) -> Any:
    """Return the greatest of the first `count` lanes, and its first index.

    Scores must be at least 0 and not NaN; lanes past `count` are ignored.
    """

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        found = _greatest(build, _of_the_first(build, args[0], args[1], -1.0))
        return context.make_tuple(build, sig.return_type, found)

    return types.Tuple((types.float64, types.int64))(LANES, types.int64), generate


def _place_of_reals(context: Any, build: Any, sig: Any, args: Any) -> Any:
    """Return the address of `WIDTH` doubles; the arguments begin with pointer and index."""
    begin = bare(context, build, sig.args[0], args[0], args[1], 2 * WIDTH)
    return build.bitcast(build.gep(begin, [args[1]]), DOUBLES.as_pointer())


@intrinsic
def reals_at(_context: Any, pointer: Any, _index: Any) -> Any:
    """Return the `WIDTH` doubles from `pointer[index]` on; each takes two 32-bit integers."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        return build.load(_place_of_reals(context, build, sig, args), align=4)

    return LANES(pointer, types.int64), generate


@intrinsic
def of_the_first(_context: Any, _lanes: Any, _count: Any) -> Any:
    """Return the first `count` lanes, with 0.0 in the lanes past them."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        return _of_the_first(build, args[0], args[1], 0.0)

    return LANES(LANES, types.int64), generate


@intrinsic
def first_reals_at(_context: Any, pointer: Any, _index: Any, _count: Any) -> Any:
    """Return the first `count` of the doubles that `reals_at` reads, and 0.0 in the other lanes.

    Past the end of a row are small integers, which read as subnormal doubles; arithmetic on those
    takes some processors a hundred cycles. So they must not be read: the compiler would compute
    with numbers that are read and drop the results.
    """

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        place = _place_of_reals(context, build, sig, args)
        if not MASKS:
            return _of_the_first(build, build.load(place, align=4), args[2], 0.0)
        shape = ir.FunctionType(DOUBLES, [place.type, INT32, BITS, DOUBLES])
        name = f'llvm.masked.load.v{WIDTH}f64.p0v{WIDTH}f64'
        load = cgutils.get_or_insert_function(build.module, shape, name)
        read = _are_of_the_first(build, args[2])
        return build.call(load, [place, INT32(4), read, ir.Constant(DOUBLES, [0.0] * WIDTH)])

    return LANES(pointer, types.int64, types.int64), generate


@intrinsic
def best_of_any(_context: Any, _scores: Any, _count: Any) -> Any:
    """Return `best` for scores of any sign, and whether one of the first `count` is NaN."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        scores = _of_the_first(build, args[0], args[1], float('-inf'))
        broken = build.fcmp_unordered('uno', scores, scores)
        lowest = ir.Constant(DOUBLES, [float('-inf')] * WIDTH)
        found = _greatest(build, build.select(broken, lowest, scores))
        nans = build.zext(build.bitcast(broken, ir.IntType(WIDTH)), INT64)
        return context.make_tuple(build, sig.return_type, [*found, nans])

    return types.Tuple((types.float64, types.int64, types.int64))(LANES, types.int64), generate
