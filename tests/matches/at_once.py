"""An executor that plays games as soon as they are submitted."""

from concurrent.futures import Future


class AtOnce:
    """It counts what was not taken, and what was taken back."""

    def __init__(self):
        self.given = []
        self.untaken = 0
        self.most = 0
        self.cancelled = 0

    def submit(self, function, *args):
        future = Future()
        future.set_result(function(*args))
        executor = self

        class Counted(Future):
            def result(self, timeout=None):
                executor.untaken -= 1
                return future.result(timeout)

            def cancel(self):
                executor.cancelled += 1
                return True

        self.given.append(args)
        self.untaken += 1
        self.most = max(self.most, self.untaken)
        return Counted()
