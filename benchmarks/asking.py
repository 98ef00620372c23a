"""The library's own share of a request: a thousand in flight, and a tree of 100,000 nodes.

python benchmarks/asking.py [REQUESTS] [WINDOW]

Answers are told in a drawn order, and after each the new requests are asked for. The processor time
of `ask` and `tell` alone is measured, a hundred at a time; what the evaluator takes is not. The
last column is the part of it in which Python's collector of garbage walks over the tree.
"""

import gc
import random
import sys
from time import process_time

from fmcts import Search, SplitMix
from fmcts.asking import Evaluation, asking
from fmcts.games import connect4


def evaluated(state: connect4.Connect4) -> Evaluation:
    """Return an answer that depends on the state alone."""
    draws = random.Random(hash(state))  # noqa: S311
    priors = [draws.random() for _ in state.moves]
    return Evaluation(draws.random(), [prior / sum(priors) for prior in priors])


class Collector:
    """The processor time in the collector of garbage."""

    def __init__(self) -> None:
        self.seconds = self.begun = 0.0
        gc.callbacks.append(self)

    def __call__(self, phase: str, _info: object) -> None:
        """Note the beginning of a collection, or add its time."""
        now = process_time()
        self.seconds += now - self.begun if phase == 'stop' else 0.0
        self.begun = now


def main(requests: int = 100_000, window: int = 1_000) -> None:
    """Print the microseconds of a request, for each tenth of the search."""
    draws = random.Random(1)  # noqa: S311
    search = asking(
        connect4.start, SplitMix.from_seed(1), Search(requests, selection='puct'), window=window
    )
    collector, last, flying = Collector(), 0, [*search.ask()]
    spent, collected, done = 0.0, 0.0, 0
    print(f'{"requests":>9} {"µs each":>8} {"collector":>9}')
    while flying:
        draws.shuffle(flying)
        flying, some = flying[100:], flying[:100]
        answers = [evaluated(request.state) for request in some]
        begun, before = process_time(), collector.seconds
        for request, answer in zip(some, answers, strict=True):
            search = search.tell(request, answer)
            if new := search.ask(after=last):
                last = new[-1].id
                flying += new
        spent += process_time() - begun
        collected += collector.seconds - before
        tenth, done = requests // 10, done + len(some)
        if done // tenth > (done - len(some)) // tenth:
            print(f'{done:>9,} {spent / tenth * 1e6:>8.1f} {collected / tenth * 1e6:>9.1f}')
            spent = collected = 0.0
    print(f'{search!r}, {search.tree.count():,} nodes')


if __name__ == '__main__':
    main(*map(int, sys.argv[1:]))
