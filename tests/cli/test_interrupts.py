import signal
import threading
import time
from types import SimpleNamespace

import pytest

from fmcts.cli.interrupts import interruptible


def frames(*modules):
    """The innermost of nested frames that run code of these modules, the outermost first."""
    frame = None
    for module in modules:
        frame = SimpleNamespace(f_globals={'__name__': module}, f_back=frame)
    return frame


@pytest.fixture(autouse=True)
def _python_s_own_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_raised_at_once():
    with interruptible(), pytest.raises(KeyboardInterrupt):
        signal.getsignal(signal.SIGINT)(signal.SIGINT, frames('__main__', 'numba.core.codegen'))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_in_llvmlite_it_is_raised_a_little_later():
    with interruptible():
        inside = frames('__main__', 'llvmlite.binding.ffi', 'numba.core.codegen')
        signal.getsignal(signal.SIGINT)(signal.SIGINT, inside)
        with pytest.raises(KeyboardInterrupt):
            time.sleep(60)


def test_who_ignores_interrupts_goes_on_ignoring_them():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_threads_have_no_handlers():
    seen = []

    def work():
        with interruptible():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
