"""The law that games end, and the games drawn for it."""

from itertools import count

import pytest
from attrs import evolve

from fmcts import Player, SplitMix
from fmcts.testing._laws.playing import LAWS_OF_PLAY
from looking import Says, X, found
from plies import ENDS, Keeps, Plies


@pytest.mark.parametrize(
    ('state', 'line', 'told', 'words'),
    [
        (Plies(5), (), {'max_plies': 5}, None),
        (
            Plies(5, 1),
            (),
            {'max_plies': 4},
            'a random game that begins 0, 100, 200, 300 is not over after 4 plies',
        ),
        (
            Plies(5000, 1),
            (),
            {'max_plies': 1000},
            (
                'a random game that begins 0, 100, 200, 300, 400, 500, 600, 700 is not over after '
                '1,000 plies'
            ),
        ),
    ],
    ids=count(),
)
def test_games_must_end_within_max_plies(state, line, told, words):
    assert found(ENDS, state, *line, **told) == words


def test_each_random_game_has_its_own_generator(monkeypatch):
    class Wide(Keeps):
        pass

    rng = SplitMix.from_seed(5)
    monkeypatch.setattr(Wide, 'tried', ())
    assert found(ENDS, Wide(2, 90), rng=rng) is None
    expected = []
    for number in range(4):
        one, after = rng.child(number).uniform(0, 89)
        expected += [one, 100 + after.uniform(0, 89)[0]]
    assert [*Wide.tried] == expected


def test_games_that_cannot_continue_are_left_to_another_law():
    assert found(ENDS, Says(moves=(1,)), max_plies=50) is None


def test_endless_games_are_found_beyond_the_first_line():
    """Of four games one in two goes on for ever, by its first move."""

    class Forks(Plies):
        over = property(lambda self: self.ply == 1)

        def play(self, move):
            after = super().play(move)
            return evolve(after, ply=after.ply if move % 2 else 200)

    told = found(ENDS, Forks(0, 2), max_plies=20)
    assert told.startswith('a random game that begins 0, 200')


def test_correct_games_pass():
    assert X is Player.X
    for line in [(), (0,), (0, 100, 200)]:
        for law in LAWS_OF_PLAY:
            assert found(law.name, Plies(), *line) is None
