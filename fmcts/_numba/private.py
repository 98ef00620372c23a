"""All uses of numba beyond its public interface.

`numba.extending` and `njit` are public. The rest may change with any version:
`tests/search/compiled/numba_support/test_private.py` tests each part separately, to show which one
a new version broke. `pyproject.toml` lists the supported versions.
"""

from __future__ import annotations

import pickle
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core import config, extending, ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.datamodel import default_manager
from numba.core.environment import lookup_environment
from numba.core.extending import _Intrinsic
from numba.core.inline_closurecall import inline_closure_call
from numba.core.ir_utils import get_definition, guard, simplify_CFG
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import (
    AnnotateTypes,
    NativeLowering,
    NopythonRewrites,
    NopythonTypeInference,
)
from numba.core.typing.templates import builtin_registry
from numba.core.untyped_passes import InlineClosureLikes, ReconstructSSA

COMPILER_LOCK: Final[Any] = global_compiler_lock
"""The lock that numba holds while it compiles."""

Intrinsic: Final[Any] = _Intrinsic
"""The class of the objects that `numba.extending.intrinsic` returns."""

MANAGER: Final = '_function_pass_manager'
"""The name of the method of numba's code generator that makes a pass manager."""


def keep_code_with(dispatcher: Any, cache: Any) -> None:
    """Make a dispatcher load its machine code from `cache`, and save it there."""
    dispatcher._cache = cache  # noqa: SLF001 - there is no other way


def from_bytes(contents: bytes, target_context: Any) -> Any:
    """Return the compiled function that `to_bytes` wrote.

    numba's own cache would first load all of numba's implementations, which takes longer than
    everything else. Compiled code does not need them, but crashes without the array runtime.
    """
    rtsys.initialize(target_context)
    return CompileResult._rebuild(target_context, *pickle.loads(contents))  # noqa: S301, SLF001


def to_bytes(compiled: Any) -> bytes:
    """Return a compiled function as bytes."""
    return bytes(dumps(compiled._reduce()))  # noqa: SLF001 - there is no other way


def is_portable(compiled: Any) -> bool:
    """Return whether a compiled function is valid in another process.

    It is not if numba embedded the address of a global array, as it does for large ones.
    """
    return not compiled.library.has_dynamic_globals


def model_of(kind: type) -> Any:
    """Return the class of a numba type's data model."""
    return default_manager._handlers.get(kind)  # noqa: SLF001 - no public lookup by class


def overloads() -> Iterator[tuple[object, tuple[Any, ...]]]:
    """Yield a pair for each overload: the overloaded function and the overload's parts.

    The parts are the function that returns code for types of arguments, and numba's options.
    """
    for function, kind in builtin_registry.globals:
        for template in getattr(kind, 'templates', ()):
            statement = getattr(template, '_overload_func', None)
            if isinstance(statement, types.FunctionType):
                options = tuple(sorted(template._jit_options.items()))  # noqa: SLF001
                inline, strict = template._inline._inline, template._strict  # noqa: SLF001
                yield function, (statement, options, inline, strict, template.prefer_literal)


def stands_for_itself(statement: Any) -> bool:
    """Return whether an overload is from `register_jitable`: the function replaces itself."""
    return bool(statement.__module__ == extending.__name__)


@contextmanager
def one_pass_manager() -> Iterator[None]:
    """Use one manager of LLVM's function passes within the block, for one function at a time.

    numba creates one for each function, and llvmlite 0.50 never frees them: a user's rule needs
    about 85, of 33 KB each.
    """
    codegen = cpu_target.target_context.codegen()
    before_numba_0_62 = not hasattr(codegen, '_pass_builder')
    if before_numba_0_62 or config.LLVM_PASS_TIMINGS or MANAGER in vars(codegen):
        yield
        return
    made = getattr(codegen, MANAGER)()
    setattr(codegen, MANAGER, lambda: made)
    try:
        yield
    finally:
        delattr(codegen, MANAGER)  # its class has one


class _Remembering:
    """A typing context that resolves each call once.

    numba asks again for each place with the same call, and in each round of inference.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._known: dict[object, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, named: Any) -> Any:
        call = function, tuple(args), tuple(named.items())
        found = self._known.get(call)
        if found is None:
            found = self._context.resolve_function_type(function, args, named)
            if found is not None and found.return_type.is_precise():
                self._known[call] = found
        return found


@register_pass(mutates_CFG=True, analysis_only=False)
class _Types(NopythonTypeInference):
    """Infers types, with each call resolved once."""

    _name = 'types'

    def run_pass(self, state: Any) -> bool:
        context = state.typingctx
        state.typingctx = _Remembering(context)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = context


@register_pass(mutates_CFG=True, analysis_only=False)
class _TypesAsWithin(_Types):
    """Infers types as if the function were compiled into another one."""

    _name = 'types_as_within'

    def run_pass(self, state: Any) -> bool:
        flags = state.flags.copy()
        # An entry point does not count references (`_nrt`), but functions within may make lists.
        flags.forceinline = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.nrt = True
        flags.release_gil = False
        with ConfigStack().enter(flags):
            return bool(super().run_pass(state))


class _LinkedLibrary(JITCodeLibrary):
    """The code of a function that is compiled into its callers and never called by itself.

    It is optimised, and made machine code, as part of theirs only.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    """Lowers a function; one that is compiled into its callers to a `_LinkedLibrary`."""

    _name = 'lowering'

    def run_pass(self, state: Any) -> bool:
        target = state.targetctx
        if not state.flags.forceinline:
            super().run_pass(state)
            # The functions within have environments of their own, for the errors that they raise.
            for variable in state.library._final_module.global_variables:  # noqa: SLF001
                environment = lookup_environment(variable.name)
                if environment is not None:
                    target.codegen().set_env(variable.name, environment)
            return True
        state.library = _LinkedLibrary(target.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        super().run_pass(state)
        entry = [].clear  # what callers find the code by: a built-in function of its own
        state['cr'] = state['cr']._replace(cfunc=entry)
        target.insert_user_function(entry, state['cr'].fndesc, [state.library])
        return True


class LeanCompiler(Compiler):
    """numba's compiler without work that the engine's functions do not need.

    It keeps no annotated copy of a function for display, does not look for expressions of whole
    arrays, resolves equal calls once, and makes no machine code of its own for a function that is
    compiled into its callers.
    """

    def define_pipelines(self) -> Any:
        """Return numba's pipelines with the four changes."""
        own = {NativeLowering: _Lowering, NopythonTypeInference: _Types}
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (own.get(each, each), why)
                for each, why in pipeline.passes
                if each not in {AnnotateTypes, NopythonRewrites}
            ]
        return pipelines


@register_pass(mutates_CFG=True, analysis_only=False)
class _Closures(InlineClosureLikes):
    """Inlines closures, in a function that has inner functions or comprehensions.

    numba's pass visits every call, also in branches that are never taken.
    """

    _name = 'closures'

    def run_pass(self, state: Any) -> bool:
        constants = state.func_id.code.co_consts
        if not any(isinstance(each, types.CodeType) for each in constants):
            return False
        return bool(super().run_pass(state))


STEP: Final = 'is_a_step'
"""The attribute of a function that marks it as a step."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _Steps(_Closures):
    """Copies steps into an entry point, and their own steps too, before types are inferred.

    numba's own `inline='always'` copies a function three times, and runs all its passes for it.
    """

    _name = 'steps'

    def run_pass(self, state: Any) -> bool:
        super().run_pass(state)
        whole = state.func_ir
        unseen = [*whole.blocks.items()]
        while unseen:
            _, block = unseen.pop()
            for place, statement in enumerate(block.body):
                called = isinstance(statement, ir.Assign) and getattr(statement.value, 'op', None)
                if called != 'call':
                    continue
                made = guard(get_definition, whole, statement.value.func)
                step: Any = getattr(made, 'value', None)
                if getattr(step, STEP, False):
                    inline_closure_call(
                        whole,
                        step.__globals__,
                        block,
                        place,
                        step,
                        work_list=unseen,
                        replace_freevars=False,
                    )
                    break  # the rest of the block is a new one, which is among the unseen
        whole.blocks = simplify_CFG(whole.blocks)
        PostProcessor(whole).run()
        return True


class VerbCompiler(LeanCompiler):
    """The compiler of the engine's own functions, most of which have no inner functions."""

    def define_pipelines(self) -> Any:
        """Return numba's pipelines with that change too."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_Closures if each is InlineClosureLikes else each, why)
                for each, why in pipeline.passes
            ]
        return pipelines


class PointCompiler(VerbCompiler):
    """The compiler of the engine's entry points, which Python calls.

    numba compiles a function again for each set of options of its callers. Types are therefore
    inferred as if the entry point were itself compiled into another function, as most callers are;
    then one version of each function is enough. The steps of an entry point are copied into it.
    """

    def define_pipelines(self) -> Any:
        """Return numba's pipelines with these changes too."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            own = {_Types: _TypesAsWithin, _Closures: _Steps}
            pipeline.passes = [(own.get(each, each), why) for each, why in pipeline.passes]
        return pipelines


def compiler_with(rewrite: Callable[[Any], None]) -> type[Compiler]:
    """Return a compiler that lets `rewrite` change a function before types are inferred."""

    @register_pass(mutates_CFG=False, analysis_only=False)
    class Rewrite(FunctionPass):
        _name = f'rewrite_{rewrite.__module__}'

        def __init__(self) -> None:
            """Initialise as numba does."""
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            rewrite(state.func_ir)
            return True

    class RewritingCompiler(LeanCompiler):
        def define_pipelines(self) -> Any:
            pipelines = super().define_pipelines()
            for pipeline in pipelines:
                passes = []
                for each in pipeline.passes:
                    passes.append(each)
                    if each[0] is ReconstructSSA:
                        passes.append((Rewrite, "rewrite users' functions"))
                pipeline.passes = passes
            return pipelines

    return RewritingCompiler
