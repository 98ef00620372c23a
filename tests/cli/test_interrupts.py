import gc
import signal
import sys
import threading
import time
import weakref
from functools import partial

import pytest

from fmcts.cli._ending import errors_in_clean_up, interruptible
from fmcts.cli._starting import leave


def wait():
    """For a minute, in steps: a signal may come just before the system begins to wait."""
    for _ in range(600):
        time.sleep(0.1)


@pytest.fixture(autouse=True)
def _python_s_own_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize('handler', [signal.default_int_handler, leave])
def test_an_interrupt_is_raised_at_once(handler):
    signal.signal(signal.SIGINT, handler)
    with interruptible(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is handler


def fail(error, _pointer):
    raise error


class Node:
    """Something that weak references can point to."""


@pytest.mark.parametrize('handler', [signal.default_int_handler, leave])
def test_an_interrupt_where_errors_are_dropped_is_raised_shortly_after(handler, capsys):
    """Weak references and finalizers call such functions; so does the machinery of imports."""
    pointers = []

    def lose_an_interrupt():
        node = Node()
        pointers.append(weakref.ref(node, lambda _: signal.raise_signal(signal.SIGINT)))
        del node
        gc.collect()  # where references are not counted
        wait()

    signal.signal(signal.SIGINT, handler)
    with errors_in_clean_up(), interruptible(), pytest.raises(KeyboardInterrupt):
        lose_an_interrupt()
    assert pointers[0]() is None
    assert capsys.readouterr().err == ''
    assert signal.getsignal(signal.SIGINT) is handler


def test_other_dropped_errors_are_still_shown(monkeypatch):
    shown = []
    monkeypatch.setattr(sys, 'unraisablehook', shown.append)
    with errors_in_clean_up():
        for error in (ZeroDivisionError, MemoryError):  # of lost memory nothing is shown
            node = Node()
            pointer = weakref.ref(node, partial(fail, error))
            del node
            gc.collect()
            assert pointer() is None
    assert [what.exc_type for what in shown] == [ZeroDivisionError]


def test_ignored_interrupts_stay_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_threads_install_no_handlers():
    seen = []

    def work():
        with interruptible():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
