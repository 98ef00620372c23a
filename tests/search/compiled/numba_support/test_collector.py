"""Garbage collection is disabled during compilation only."""

import gc

import pytest

from fmcts._numba.cache.jit import CompilationError, Jitted, collector_paused
from fmcts._numba.private import COMPILER_LOCK


class Compiler:
    """It notes whether the collector runs, and whether other threads may compile meanwhile."""

    def __init__(self, error=None):
        self.error = error
        self.seen = []

    def compile(self, _types):
        self.seen.append((gc.isenabled(), COMPILER_LOCK.is_locked()))
        if self.error:
            raise self.error


@pytest.fixture(params=[True, False], ids=['running', 'switched off'])
def running(request):
    (gc.enable if request.param else gc.disable)()
    yield request.param
    gc.enable()


@pytest.mark.parametrize('error', [None, MemoryError(), KeyError('menu')], ids=repr)
def test_collection_is_disabled_during_compilation_and_restored(running, error):
    compiler = Compiler(error)
    try:
        Jitted(compiler).compile()
    except (CompilationError, MemoryError):
        assert error is not None
    assert compiler.seen == [(False, True)]
    assert gc.isenabled() is running
    assert not COMPILER_LOCK.is_locked()


def test_nested_blocks_do_not_enable_collection(running):
    with collector_paused():
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled() is running
