"""Bots below their strength: a temperature, and levels."""

import pytest

from fmcts import Search, SplitMix, analyse, random_bot
from fmcts.bots import AtTemperature, Level, parse_bot
from fmcts.games import connect4, tictactoe
from fmcts.games.chance import mnk3
from fmcts.matches import match
from fmcts.selfplay.draws import by_visits

RNG = SplitMix.from_seed(5)


@pytest.mark.parametrize('temperature', [0, 0.5, 3])
def test_a_move_is_drawn_by_the_visits_of_the_search(temperature):
    search = Search(60)
    analysis, after = analyse(connect4.start, RNG, search)
    found = AtTemperature(search, temperature)(connect4.start, RNG)
    assert found == by_visits(analysis.stats, after, temperature)
    assert (found == (analysis.move, after)) == (temperature == 0)


def test_a_level_is_a_number_of_iterations_and_a_temperature():
    for level, iterations, temperature in ((1, 20, 0.9), (7, 1_280, 0.3), (10, 10_240, 0.0)):
        alike = AtTemperature(Search(iterations), temperature)
        assert Level(level)(tictactoe.start, RNG) == alike(tictactoe.start, RNG)
        assert parse_bot(f'level:{level}').unwrap() == Level(level)
    assert parse_bot('level:11').failure().endswith('level must be at most 10, not 11')
    assert Level(3)(mnk3.start(), RNG)[0] in mnk3.start().moves


def test_a_level_wins_against_a_lower_one():
    for better, worse in ((Level(6), Level(1)), (Level(4), random_bot)):
        found = match(better, worse, tictactoe.start, games=30, rng=RNG, opening_plies=1)
        assert found.score > 0.6


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        (lambda: Level(0), 'level must be a whole number of at least 1, not 0'),
        (lambda: Level(11), 'level must be at most 10, not 11'),
        (lambda: AtTemperature(Search(), -1), 'temperature must be 0 or a number'),
    ],
)
def test_bad_levels_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
