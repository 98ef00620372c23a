"""RAVE against the paper's formula, and known faults."""

import math

import pytest
from hypothesis import strategies as st

import naive
from fmcts import Search, SplitMix, analyse
from fmcts._engines import outcomes, updates
from fmcts.formulas import sqrt, where
from fmcts.games import connect4, tictactoe
from fmcts.search.methods import RAVE
from fmcts.search.methods.amaf import AllMovesAsFirst
from fmcts.search.methods.rave import mixed


def rave(node, index, *, c=0.2, k=1000.0):
    visits = node.children[index].visits if index in node.children else 0
    return naive.mixed(node, index, c, math.sqrt(k / (3 * visits + k)) if visits or k else 0.0)


test_matches_the_formula = naive.law(rave, k=st.just(0.0) | st.floats(1e-3, 1e4))


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


test_faulty_formulas_are_detected = naive.faults(rave, OtherSide, Untried, OfTheParent)


def holds(game, seed):
    return naive.holds(RAVE(), game.start, SplitMix.from_seed(seed), 120, rave)


def test_amaf_with_wrong_keys_is_detected(monkeypatch):
    """A column of Connect Four twice is two cells; taken for one move, AMAF credits the wrong."""
    assert all(holds(connect4, seed) for seed in range(3))
    for module in (updates, outcomes):
        monkeypatch.setattr(module, 'key_of', lambda _state, move: move)
    assert not any(holds(connect4, seed) for seed in range(3))


def test_amaf_crediting_the_opponent_s_moves_is_detected(monkeypatch):
    """Who plays a cell matters: credited for either side, moves get what the opponent's earned."""

    class Either(set):
        """Moves played, whoever played them."""

        def __contains__(self, played):
            return any(key == played[1] for _, key in self)

    monkeypatch.setattr(updates, 'set', Either, raising=False)
    assert not any(holds(tictactoe, seed) for seed in range(3))


@pytest.mark.needs_numba
def test_lanes_past_the_last_move_change_nothing():
    """Of nine moves eight are updated at once, then one; in the other lanes key 0 would be read."""
    search = Search(300, selection='rave')
    one, two = (
        analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)[0].digest
        for engine in ('persistent', 'compiled')
    )
    assert one == two
