"""Which playouts decided the choice: as `what_if` says, however they are asked."""

import pytest
from hypothesis import example, given, settings, strategies as st

from fmcts import Search, SplitMix, _linked as linked
from fmcts.games import connect4, tictactoe
from fmcts.history import Decisive, history, sampled
from fmcts.testing import generators, positions

NEEDS_NUMPY = pytest.mark.skipif(not linked.installed(), reason='llvmlite or numpy is missing')
SEARCHES = [
    Search(60), Search(60, selection='rave'), Search(60, solver=True), Search(60, playout='mast'),
    Search(60, expansion='random', selection='puct'),
]  # fmt: skip


def naive(found, samples):
    """Ask `what_if` about each; what ended in the tree is asked in vain."""
    decided = []
    for iteration in sampled(found.last, samples):
        real = found.log.outcomes[iteration - 1]
        for other in (0.0, 1.0) if real == 0.5 else (1.0 - real,):
            try:
                assumed = found.what_if(iteration, other)
            except ValueError:
                continue
            if assumed.move != found.move:
                decided.append(Decisive(iteration, real, other, assumed.move))
    return tuple(decided)


@NEEDS_NUMPY
@example(tictactoe.start, SplitMix.from_seed(0), SEARCHES[1])
@given(
    state=st.one_of(*(positions(game.start, running=True) for game in (tictactoe, connect4))),
    rng=generators(),
    search=st.sampled_from(SEARCHES),
)
@settings(max_examples=12)
def test_machine_code_finds_what_what_if_says(state, rng, search):
    found = history(state, rng, search, engine='persistent')
    assert found.decisive(20) == naive(found, 20)


def test_a_continued_search_is_asked_in_python():
    begun = history(tictactoe.start, SplitMix.from_seed(1), Search(40), engine='persistent')
    forked = begun.fork(20, Search(30))
    decided = forked.decisive(8)
    assert {it.iteration for it in decided} <= {20 + number for number in sampled(30, 8)}
    for it in decided:
        assert forked.what_if(it.iteration, it.outcome).move == it.move != forked.move


def test_a_schedule_is_refused():
    found = history(tictactoe.start, SplitMix.from_seed(1), Search(60, schedule='halving'))
    with pytest.raises(ValueError, match='schedule'):
        found.decisive()
