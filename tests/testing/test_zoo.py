"""Each wrong game breaks the law named for it, with the shortest line."""

import pytest

from fmcts.testing import check_game, same_game
from zoo_games import PROCESS, ZOO

NUMBERED = [pytest.param(wrong, id=f'{wrong.name}-{wrong.law}'.replace(' ', '-')) for wrong in ZOO]


def checked(wrong):
    if wrong.theirs is not None:
        return same_game(wrong.start, wrong.theirs, **wrong.told)
    without = [] if wrong.law == PROCESS else [PROCESS]
    return check_game(wrong.start, without=without, max_plies=50, **wrong.told)


@pytest.mark.parametrize('wrong', NUMBERED)
def test_every_wrong_game_breaks_its_law(wrong):
    breach = checked(wrong).failure()
    assert (breach.law, len(breach.line)) == (wrong.law, wrong.line), str(breach)
    assert len(str(breach).splitlines()) == 1
