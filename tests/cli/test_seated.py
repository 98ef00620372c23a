"""`fmcts tournament` in games for one player or three: every bot plays every seat."""

import json

from fmcts import SplitMix, random_bot
from fmcts.games.chance import mnk3
from fmcts.matches import seatings

THREE = 'tournament', 'mnk3:3,3,3', 'random', 'random', 'random'


def test_rewards_equal_the_library_s(here):
    code, out, err = here(*THREE, '--games', '12', '--seed', '3', '--json')
    names = 'random', 'random (2)', 'random (3)'
    result = seatings(
        dict.fromkeys(names, random_bot),
        mnk3.start(3, 3, 3),
        rounds=2,
        rng=SplitMix.from_seed(3),
    )
    told = json.loads(out)
    assert (code, err, told['game'], told['games']) == (0, '', 'mnk3:3,3,3', 12)
    assert [row['bot'] for row in told['standings']] == list(names)
    for row, mean, error in zip(told['standings'], result.means, result.errors, strict=True):
        assert (row['games'], row['mean']) == (12, round(mean, 6))
        assert row['error'] == round(error, 6)


def test_a_match_has_all_seatings_too_and_whole_rounds(here):
    one, two = (here(name, *THREE[1:], '--json').out for name in ('match', 'tournament'))
    assert json.loads(one)['games'] == 96
    drop = {'seconds'}
    assert {k: v for k, v in json.loads(one).items() if k not in drop} == {
        k: v for k, v in json.loads(two).items() if k not in drop
    }
