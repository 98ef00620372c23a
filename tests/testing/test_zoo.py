"""Each wrong game breaks the law named for it, with the shortest line; each law has one."""

import pytest

from fmcts import testing
from fmcts.testing import check_game, same_game
from lines import play_line
from tiers import EXHAUSTIVE
from zoo_games import ZOO
from zoo_right import PROCESS

FEWER = {'positions': 40, 'games': 6}
"""The default run looks at fewer positions, where these have the breach."""

NEARER = {
    'AfterTheEnd': (0, 3, 1),
    'GoesOn': (0, 3, 1),
    'Leading': (0, 3, 1),
    'NeverFull': (0, 1, 2, 4),
}
"""It begins nearer to breaches that are far away, as all positions before them are looked at."""


def cases():
    for wrong in ZOO:
        name = f'{wrong.name}-{wrong.law}'.replace(' ', '-')
        if wrong.theirs is None:
            begun = NEARER.get(wrong.name, ())
            yield pytest.param(wrong, begun, FEWER, id=f'{name}-nearer' if begun else name)
            yield pytest.param(wrong, (), {}, id=f'{name}-as-usual', marks=EXHAUSTIVE)
        else:
            yield pytest.param(wrong, (), {}, id=name)


def checked(wrong, begun, extent):
    if wrong.theirs is not None:
        return same_game(wrong.start, wrong.theirs, **wrong.told)
    start = play_line(wrong.start, begun)
    without = [] if wrong.law == PROCESS else [PROCESS]
    return check_game(start, without=without, max_plies=50, **(extent | wrong.told))


@pytest.mark.parametrize(('wrong', 'begun', 'extent'), list(cases()))
def test_every_wrong_game_breaks_its_law(wrong, begun, extent):
    breach = checked(wrong, begun, extent).failure()
    assert (breach.law, len(begun) + len(breach.line)) == (wrong.law, wrong.line), str(breach)
    assert len(str(breach).splitlines()) == 1


def test_every_law_has_a_wrong_game():
    laws = (*testing.GAME_LAWS, *testing.CHANCE_LAWS, *testing.SAME_LAWS)
    assert {law.name for law in laws} == {wrong.law for wrong in ZOO}


def test_no_two_laws_share_a_name():
    searches = testing.SEARCH_LAWS[1:]  # the first is that of bots too
    laws = (*testing.BOT_LAWS, *testing.GENERATOR_LAWS, *searches)
    assert len({law.name for law in laws}) == len(laws)
