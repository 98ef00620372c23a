"""The sequential test in simulated and in real matches."""

import sys
from pathlib import Path

import pytest
from attrs import evolve

sys.path.insert(0, str(Path(__file__).parents[2] / 'benchmarks'))
from sprt import errors

sys.path.pop(0)

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import Sprt, match
from fmcts.matches._sprt import BEFORE

RNG = SplitMix.from_seed(3)


@pytest.mark.parametrize('drawn', [0.0, 0.4, 0.9])
def test_error_rates_are_as_stated(drawn):
    """By simulation, at both guesses; without the pairs before it does not where many are drawn."""
    first, second, _ = errors(Sprt(0, 50), drawn, BEFORE, 500)
    most = 0.05 + 3 * (0.05 * 0.95 / 500) ** 0.5
    assert max(first, second) <= most
    if drawn:
        assert max(errors(Sprt(0, 50), drawn, 0, 500)[:2]) > most


def test_a_match_ends_by_its_results_alone():
    bots = mcts(Search(100)), random_bot
    options = {'games': 200, 'rng': RNG, 'sprt': Sprt(0, 100)}
    alone = match(*bots, tictactoe.start, **options)
    assert alone.accepted == 'elo1'
    assert len(alone.games) < 200
    assert len(alone.games) % 2 == 0
    assert match(*bots, tictactoe.start, jobs=2, **options).games == alone.games
    assert evolve(alone, games=alone.games[:-2]).accepted is None
