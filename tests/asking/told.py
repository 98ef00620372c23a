"""An evaluator that depends on the state alone, and searches that are told its answers."""

from fmcts import Search, SplitMix
from fmcts.asking import Evaluation, asking
from fmcts.games import tictactoe
from naive_batches import answer

RNG = SplitMix.from_seed(1)
BEGUN = asking(tictactoe.start, RNG, Search(60, selection='puct', solver=True), window=6)


def evaluate(state):
    """The answer of the network of `naive_batches`, with a cost and notes."""
    priors, value = answer(state)
    return Evaluation(value, priors, cost=value, seconds=1 - value, notes=str(state.moves))


def finished(search, evaluated=lambda request: evaluate(request.state)):
    """The search after all requests were answered, the oldest first."""
    while search.ask():
        request = search.ask()[0]
        search = search.tell(request, evaluated(request))
    return search
