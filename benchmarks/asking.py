"""The library's own share of a request: a thousand in flight, and a tree of 100,000 nodes.

python benchmarks/asking.py [REQUESTS] [WINDOW]

Answers are told in a drawn order. The processor time of `ask` and `tell` alone is measured; what
the evaluator takes is not.
"""

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


def main(requests: int = 100_000, window: int = 1_000) -> None:
    """Print the microseconds of a request, for each tenth of the search."""
    draws = random.Random(1)  # noqa: S311
    search = asking(
        connect4.start, SplitMix.from_seed(1), Search(requests, selection='puct'), window=window
    )
    last, flying, spent, done = -1, [], 0.0, 0
    print(f'{"requests":>9} {"µs each":>8}')
    while True:
        begun = process_time()
        new = search.ask(after=last)
        spent += process_time() - begun
        if new:
            last = new[-1].id
            flying += [(request, evaluated(request.state)) for request in new]
        if not flying:
            break
        place = draws.randrange(len(flying))
        flying[place], flying[-1] = flying[-1], flying[place]
        request, answer = flying.pop()
        begun = process_time()
        search = search.tell(request, answer)
        spent += process_time() - begun
        done += 1
        if done % (requests // 10) == 0:
            print(f'{done:>9,} {spent / (requests // 10) * 1e6:>8.1f}')
            spent = 0.0
    print(f'{search!r}, {search.tree.count():,} nodes')


if __name__ == '__main__':
    main(*map(int, sys.argv[1:]))
