"""What holds for all tests: signals, and the profiles of hypothesis."""

import signal

from hypothesis import Phase, settings

# No test judges by the clock: machines differ, and one that is busy would fail it.
settings.register_profile('fmcts', deadline=None)
settings.load_profile('fmcts')

# For the mutation check (docs/mutation.md), which runs the tests a thousand times: few examples,
# always the same ones, and no shrinking, since it is enough to know that a test fails.
settings.register_profile(
    'mutation',
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],
)


def pytest_configure():
    """Let child processes be interrupted, also when the tests themselves run in the background.

    A shell starts background jobs with SIGINT ignored, and that is inherited; a handler is not.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
