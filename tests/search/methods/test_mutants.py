"""Methods that are wrong as others' were, and the law that tells each from the right one.

The law is that of `naive`: the tree of the search is that of the paper's formula.
"""

import functools

import attrs
import pytest

import naive
from fmcts import Search, SplitMix, analyse
from fmcts._engines import outcomes, updates
from fmcts.formulas import sqrt, where
from fmcts.games import connect4, tictactoe
from fmcts.search.methods import PUCT, RAVE, ReducedPUCT, Widening
from fmcts.search.methods.amaf import AllMovesAsFirst
from fmcts.search.methods.rave import mixed
from tiers import exhaustive


class OtherSide(RAVE):
    """AMAF for the other side: what is good for the opponent counts as good."""

    class Kept(AllMovesAsFirst):
        def update(self, row, reward):
            return row.amaf_visits + 1.0, row.amaf_reward + (1.0 - reward)

    table = Kept()


class Untried(RAVE):
    """A move without visits as a lost one, though the weight of AMAF is 1 there."""

    def score(self, edge, parent):
        return where(edge.visits > 0.0, RAVE.score(self, edge, parent), 0.0)


class OfTheParent(RAVE):
    """The weight falls with the parent's visits, not the move's."""

    def score(self, edge, parent):
        beta = sqrt(self.k / (3.0 * parent.visits + self.k))
        return mixed(edge, parent, self.c, beta)


class HiddenPriors(PUCT):
    """The square root of zero: at the first visit no prior counts."""

    def score(self, edge, parent):
        value = where(edge.visits > 0.0, edge.value, self.first_play)
        return value + self.c * (edge.prior * sqrt(parent.visits) / (1.0 + edge.visits))


class Leaking(ReducedPUCT):
    """First-play urgency that leaks between siblings: from the last one that was scored."""

    last = [0.5]  # noqa: RUF012 - it is the fault

    def score(self, edge, parent):
        if edge.visits:
            self.last[0] = edge.value
        return ReducedPUCT.score(self, edge, parent._replace(value=self.last[0]))


class LeakingPositions(ReducedPUCT):
    """First-play urgency that leaks between positions: what it was at the first node scored."""

    first = {}  # noqa: RUF012 - it is the fault

    def score(self, edge, parent):
        value = self.first.setdefault('value', float(parent.value))
        return ReducedPUCT.score(self, edge, parent._replace(value=value))


class WrongMover(ReducedPUCT):
    """First-play urgency from what the parent is worth to the other side."""

    def score(self, edge, parent):
        return ReducedPUCT.score(self, edge, parent._replace(value=1.0 - parent.value))


class Unsummed(ReducedPUCT):
    """The priors of all moves are summed, tried or not."""

    def summed(self, edge):
        return edge.prior


class OneTooMany(Widening):
    """Moves are counted before the one to come, which is so one too many."""

    def score(self, edge, parent):
        return Widening.score(self, edge, parent._replace(total=parent.total - 1.0))


MUTANTS = {
    OtherSide: naive.rave,
    Untried: naive.rave,
    OfTheParent: naive.rave,
    HiddenPriors: naive.puct,
    Leaking: naive.puct_reduced,
    LeakingPositions: naive.puct_reduced,
    WrongMover: naive.puct_reduced,
    Unsummed: naive.puct_reduced,
    OneTooMany: naive.widening,
}


def uneven(state):
    return [(1.0 + index * 7 % 5) / 8.0 for index in range(len(state.moves))]


def holds(kind, score, game, seed, iterations=120):
    """Whether the law holds of one search."""
    has_prior = 'prior' in attrs.fields_dict(kind)
    method = kind(prior=uneven) if has_prior else kind()
    rng = SplitMix.from_seed(seed)
    found, after = analyse(game.start, rng, Search(iterations, selection=method), engine='inplace')
    expected, rng_after = naive.search(
        game.start, rng, iterations, score, selected=True, prior=uneven if has_prior else None
    )
    return after == rng_after and naive.agree(found, expected)


holds_of_the_right = functools.cache(holds)  # one serves several mutants


@pytest.mark.parametrize('game', [tictactoe, exhaustive(connect4)], ids=['tictactoe', 'connect4'])
@pytest.mark.parametrize('mutant', MUTANTS)
def test_faulty_formulas_are_detected(mutant, game):
    score = MUTANTS[mutant]
    right = mutant.__base__
    assert all(holds_of_the_right(right, score, game, seed) for seed in range(3))
    assert not any(holds(mutant, score, game, seed) for seed in range(3))


def test_amaf_with_wrong_keys_is_detected(monkeypatch):
    """A column of Connect Four twice is two cells; taken for one move, AMAF credits the wrong."""
    assert all(holds(RAVE, naive.rave, connect4, seed) for seed in range(3))
    for module in (updates, outcomes):
        monkeypatch.setattr(module, 'key_of', lambda _state, move: move)
    assert not any(holds(RAVE, naive.rave, connect4, seed) for seed in range(3))


def test_amaf_crediting_the_opponent_s_moves_is_detected(monkeypatch):
    """Who plays a cell matters: credited for either side, moves get what the opponent's earned."""

    class Either(set):
        """Moves played, whoever played them."""

        def __contains__(self, played):
            return any(key == played[1] for _, key in self)

    monkeypatch.setattr(updates, 'set', Either, raising=False)
    assert not any(holds(RAVE, naive.rave, tictactoe, seed) for seed in range(3))
