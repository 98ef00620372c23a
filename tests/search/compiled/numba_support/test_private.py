"""Each use of numba beyond its public interface, tested by itself.

A failure here names what a new version of numba broke; `private` is the one file to mend.
"""

import pathlib
import re
import tomllib

import numba
import numpy as np
import pytest
from numba import njit, types
from numba.core import ir
from numba.core.compiler import Compiler
from numba.core.datamodel import models
from numba.core.event import install_recorder
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python as runtime, rtsys
from numba.core.untyped_passes import InlineClosureLikes
from numba.extending import intrinsic, overload, register_jitable, register_model

from fmcts._numba import private
from fmcts._numba.cache.jit import OPTIONS
from fmcts._numba.intrinsics import inlined, make_known, step

ROOT = pathlib.Path(__file__).parents[4]
HERE = f'numba {numba.__version__}'


class Kept:
    """A cache that notes what numba does with it."""

    def __init__(self):
        self.found = None
        self.saved = []

    def load_overload(self, _sig, target_context):
        return self.found and private.from_bytes(self.found, target_context)

    def save_overload(self, sig, data):
        self.saved.append((sig, private.is_portable(data), private.to_bytes(data)))


def twice(number):
    return number + number


def test_the_cache_is_asked_for_code_and_receives_it():
    kept = Kept()
    first = njit(twice)
    private.keep_code_with(first, kept)
    assert first(21) == 42
    ((sig, portable, contents),) = kept.saved
    assert portable, HERE
    assert sig == (types.int64,)

    again = Kept()
    again.found = contents
    second = njit(lambda _number: 0)  # the code is that of the cache
    private.keep_code_with(second, again)
    assert second(21) == 42, HERE
    assert again.saved == []


def test_code_that_embeds_an_address_is_detected():
    large = np.arange(2_000_000.0)
    kept = Kept()
    summed = njit(lambda index: large[index])
    private.keep_code_with(summed, kept)
    assert summed(5) == 5.0
    assert not kept.saved[0][1], HERE


def test_the_compiler_lock():
    with private.COMPILER_LOCK:
        assert private.COMPILER_LOCK.is_locked(), HERE


def test_the_intrinsic_class():
    @intrinsic
    def one(_context):
        return types.int64(), lambda _context, _build, _sig, _args: None

    assert isinstance(one, private.Intrinsic), HERE


class Kind(types.Type):
    """A numba type for the test."""

    def __init__(self):
        super().__init__(name='KindOfTheTest')


def test_the_data_model_of_a_type():
    assert private.model_of(Kind) is None
    register_model(Kind)(models.OpaqueModel)
    assert private.model_of(Kind) is models.OpaqueModel, HERE


def some_function(number):
    return number


def some_other(number):
    return number


def test_overloads_and_jitable_functions_are_found():
    @overload(some_function, strict=False, jit_options={'forceinline': True})
    def stated(number):  # noqa: ARG001 - numba gives arguments by name
        return lambda number: number

    register_jitable(some_other)
    found = {
        function: parts
        for function, parts in private.overloads()
        if function in (some_function, some_other)
    }
    statement, options, inline, strict, prefers_literals = found[some_function]
    assert statement is stated, HERE
    assert ('forceinline', True) in options, HERE
    assert (inline, strict, prefers_literals) == ('never', False, False), HERE
    assert not private.stands_for_itself(stated)
    assert private.stands_for_itself(found[some_other][0]), HERE


@pytest.mark.parametrize(('compiler', 'times'), [(Compiler, 2), (private.PointCompiler, 1)])
def test_functions_called_from_an_entry_point_are_compiled_once(compiler, times):
    """By itself and within what it calls, for which numba's own compiler makes it twice."""

    @make_known
    def count(number):
        return len([one for one in range(number) if one])

    @make_known
    def twice_as_many(number):
        return 2 * count(number)

    point = njit(lambda number: count(number) + twice_as_many(number), pipeline_class=compiler)
    with install_recorder('numba:compile') as compiled:
        assert point(4) == 9, HERE
    made = [event.data['dispatcher'].py_func for _, event in compiled.buffer if event.is_start]
    assert made.count(count) == times, HERE


def steps(share):
    """Return a function of two steps, one within the other, with branches, loops and closures."""

    @step
    def halve(number):
        if number % 2:
            return number, False
        return number // share, True

    @step
    def halve_often(number, most):
        times, even = 0, True
        while even and times < most:
            number, even = halve(number)
            times += even
        return number, times

    def point(number):
        found, times = halve_often(number, 3)
        return (found, times) if number > 0 else (0, -1)

    return point


@pytest.mark.parametrize(('compiler', 'copied'), [(Compiler, False), (private.PointCompiler, True)])
def test_steps_are_copied_into_an_entry_point(compiler, copied):
    plain, compiled = steps(2), njit(steps(2), pipeline_class=compiler)
    with install_recorder('numba:compile') as events:
        assert [compiled(number) for number in range(50)] == [*map(plain, range(50))], HERE
    made = {event.data['dispatcher'].py_func.__name__ for _, event in events.buffer}
    assert (made == {'point'}) == copied, HERE


@pytest.mark.parametrize(
    ('compiler', 'once'),
    [(Compiler, False), (private.LeanCompiler, True), (private.PointCompiler, True)],
)
def test_equal_calls_are_resolved_once(compiler, once, monkeypatch):
    calling = make_known(twice)
    context, asked = type(cpu_target.typing_context), []
    resolve = context.resolve_function_type

    def resolving(self, function, args, named):
        asked.append(getattr(function, 'typing_key', None))
        return resolve(self, function, args, named)

    monkeypatch.setattr(context, 'resolve_function_type', resolving)
    point = njit(lambda number: calling(calling(number)) + calling(1.5), pipeline_class=compiler)
    assert point(2) == 11.0, HERE
    assert asked.count(calling) >= 2, HERE  # of an integer and of a float
    assert (asked.count(calling) == 2) == once, HERE


def test_functions_within_others_get_no_machine_code_of_their_own_and_raise_errors_with_values():
    @make_known
    def refuse(number):
        if number > 3:
            raise KeyError(number)  # boxed with the help of the function's environment
        return number

    point = njit(pipeline_class=private.PointCompiler)(lambda number: refuse(number) + 1)
    with install_recorder('numba:compile') as compiled:
        assert point(3) == 4, HERE
    with pytest.raises(KeyError) as raised:
        point(7)
    assert raised.value.args == (7,), HERE
    engine = cpu_target.target_context.codegen()._engine
    made = {
        event.data['dispatcher'].py_func: next(iter(event.data['dispatcher'].overloads.values()))
        for _, event in compiled.buffer
        if event.is_start
    }
    names = {function: each.fndesc.llvm_func_name for function, each in made.items()}
    assert engine.is_symbol_defined(names[point.py_func]), HERE  # or this test cannot fail
    assert not engine.is_symbol_defined(names[refuse]), HERE


def with_inner_function(number):
    def more(one):
        return one + number

    return more(2)


@pytest.mark.parametrize(
    ('function', 'times'),
    [
        (lambda number: number + 1, 0),
        (lambda number: sum([one + 1 for one in range(number)]), 1),
        (with_inner_function, 1),
    ],
    ids=['plain', 'comprehension', 'inner function'],
)
def test_closures_are_looked_for_where_a_function_has_inner_functions(function, times, monkeypatch):
    passes, usual = [], InlineClosureLikes.run_pass

    def run_pass(self, state):
        passes.append(state.func_id.func)
        return usual(self, state)

    monkeypatch.setattr(InlineClosureLikes, 'run_pass', run_pass)
    assert njit(function, pipeline_class=private.VerbCompiler)(3) == function(3), HERE
    assert passes.count(function) == times, HERE
    passes.clear()
    assert njit(function)(3) == function(3)
    assert passes.count(function) == 1, HERE  # or this test cannot fail


@pytest.fixture
def allocations():
    """Return a function that returns how many objects numba has allocated and freed."""
    before = runtime.memsys_stats_enabled()
    runtime.memsys_enable_stats()
    yield lambda: (rtsys.get_allocation_stats().mi_alloc, rtsys.get_allocation_stats().mi_free)
    if not before:
        runtime.memsys_disable_stats()


def test_lists_are_freed_within_an_entry_point_that_counts_no_references(allocations):
    @make_known
    def up_to(number):
        return [one * one for one in range(number)]

    @inlined
    def last(number):
        squares = up_to(number)
        return squares[-1] + len(squares)

    def summed(limit):
        total = 0
        for number in range(1, limit):
            total += last(number)
        return total

    point = njit(summed, pipeline_class=private.PointCompiler, **OPTIONS)
    expected = sum((number - 1) ** 2 + number for number in range(1, 9))
    assert point(9) == expected, HERE
    allocated, freed = allocations()
    assert point(9) == expected
    after, freed_after = allocations()
    assert after - allocated >= 8  # or this test cannot fail
    assert after - allocated == freed_after - freed, HERE


def test_the_installed_numba_version_was_tried():
    if not (ROOT / 'pyproject.toml').is_file():
        pytest.skip('pyproject.toml is not part of this copy')
    project = tomllib.loads((ROOT / 'pyproject.toml').read_text())['project']
    (line,) = (it for it in project['optional-dependencies']['fast'] if it.startswith('numba'))
    least, past = re.match(r'numba>=([\d.]+),<([\d.]+);', line).groups()
    version = tuple(int(part) for part in numba.__version__.split('.')[:2])
    assert tuple(map(int, least.split('.'))) <= version < tuple(map(int, past.split('.')))


def test_a_function_can_be_rewritten_before_compilation():
    seen = []

    def noting(function):
        seen.append(function.func_id.func_name)
        (constant,) = (
            statement.value
            for block in function.blocks.values()
            for statement in block.body
            if isinstance(getattr(statement, 'value', None), ir.Const)
        )
        constant.value = 7

    compiler = private.compiler_with(noting)
    made = njit(pipeline_class=compiler)(lambda number: number + 1)
    assert made(1) == 8, HERE
    assert len(seen) == 1, HERE


@pytest.mark.parametrize('compiler', [private.LeanCompiler, private.PointCompiler])
def test_type_annotations_are_dropped(compiler):
    made, usual = njit(pipeline_class=compiler)(twice), njit(twice)
    assert made(21) == usual(21) == 42
    kept = [next(iter(each.overloads.values())).type_annotation for each in (made, usual)]
    assert kept[0] is None, HERE
    assert kept[1] is not None, HERE  # or this test cannot fail


def code_of(function, seen):
    """The machine code of a function, without what numba numbers, and how many managers it took."""
    codegen = cpu_target.target_context.codegen()
    made = getattr(type(codegen), private.MANAGER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            type(codegen),
            private.MANAGER,
            lambda self, **how: seen.append(how) or made(self, **how),
        )
        compiled = njit(function)
        assert compiled(3) == 13, HERE
    (code,) = compiled.inspect_asm().values()
    return re.sub(r'B?\d+v\d+|\bv\d+B|\.L\w+', '', code)


@pytest.mark.skipif(
    not hasattr(cpu_target.target_context.codegen(), '_pass_builder'),
    reason='numba before 0.62 has managers of another kind',
)
def test_one_pass_manager_serves_all_functions():
    """With the same code; afterwards numba has its own again, also after an error."""
    calling = register_jitable(twice)

    def function(number):
        return calling(calling(number)) + 1

    each, one = [], []
    plain = code_of(function, each)
    with private.one_pass_manager(), private.one_pass_manager():
        assert code_of(function, one) == plain, HERE
    assert len(each) > 1
    assert one == []
    with pytest.raises(KeyError), private.one_pass_manager():
        raise KeyError
    again = []
    assert code_of(function, again) == plain
    assert len(again) > 1
