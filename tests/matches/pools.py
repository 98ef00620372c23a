"""Stand-ins for single-worker pools, which play or die as a test's script says."""

from collections import deque
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from itertools import chain

from fmcts.matches import _batches as batches, _processes as processes


class Pools:
    """Stands in for `ProcessPoolExecutor`, `perf_counter` and `wait` of the module."""

    def __init__(self, script=(), tick=0.001):
        self.begun = []
        self.script = deque(script)  # what a pool does, each time that it is looked at
        self.now, self.tick = 0.0, tick  # how long a ply takes here
        self.most = 0

    def pool(self, jobs, **told):
        self.begun.append(Pool(self, jobs, told))
        return self.begun[-1]

    def clock(self):
        self.now += self.tick
        return self.now

    def wait(self, futures, timeout, return_when):
        """As long as nothing else is to be done: until one has played what it was given first."""
        assert futures
        assert (timeout, return_when) == (None, 'FIRST_COMPLETED')
        assert not any(future.done() for future in futures)
        futures[0].pool.play()

    def given(self):
        """The numbers of all games that processes were given, in the order of the processes."""
        return list(chain(*(numbers for pool in self.begun for numbers in pool.given)))


class Pool:
    def __init__(self, pools, jobs, told):
        self.pools, self.jobs, self.told = pools, jobs, told
        self.given, self.ended, self.unplayed = [], [], deque()
        self.broken = False

    def submit(self, function, described, numbers, *more):
        if self.broken:
            raise BrokenProcessPool
        future = Promised(self)
        self.given.append(numbers)
        self.unplayed.append((future, function, described, numbers, *more))
        self.pools.most = max(self.pools.most, len(self.unplayed))
        return future

    def act(self):
        """What the script says next, if there is anything to be done."""
        if self.unplayed and self.pools.script:
            {'rest': lambda: None, 'play': self.play, 'die': self.die}[
                self.pools.script.popleft()
            ]()

    def play(self):
        future, function, *told = self.unplayed.popleft()
        try:
            future.set_result(function(*told))
        except ZeroDivisionError as error:
            future.set_exception(error)

    def die(self):
        self.broken = True
        for future, *_ in self.unplayed:
            future.set_exception(BrokenProcessPool())
        self.unplayed.clear()

    def shutdown(self, **how):
        self.ended.append(how)


class Promised(Future):
    def __init__(self, pool):
        super().__init__()
        self.pool = pool

    def done(self):
        if not super().done():
            self.pool.act()
        return super().done()


def put(patch, **how):
    """Puts stand-ins in the place of what the modules have, until the patch is undone."""
    pools = Pools(**how)
    patch.setattr(processes, 'ProcessPoolExecutor', pools.pool)
    patch.setattr(processes, 'perf_counter', pools.clock)
    patch.setattr(processes, 'wait', pools.wait)
    patch.setattr(batches, 'perf_counter', lambda: 0.0)  # the others are quick
    patch.setattr(processes, '_expect_sendable', lambda _match: None)  # nothing is sent
    patch.setattr(batches, 'expect_same', lambda *_given: None)
    return pools
