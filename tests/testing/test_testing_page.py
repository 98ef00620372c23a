"""Every law is broken by something in the zoo, and no two laws share a name."""

import zoo_bots
import zoo_generators
import zoo_methods
from fmcts.testing import BOT_LAWS, GAME_LAWS, GENERATOR_LAWS, SAME_LAWS, SEARCH_LAWS
from zoo_games import ZOO


def test_every_law_has_a_wrong_game():
    told = {wrong.law for wrong in ZOO}
    named = {law.name for law in (*GAME_LAWS, *SAME_LAWS)}
    assert named == told
    assert len(ZOO) >= 25


def test_the_zoos_are_not_empty():
    kinds = (zoo_bots.WRONG, zoo_generators.WRONG, zoo_methods.WRONG, zoo_methods.WRONG_ENGINES)
    assert [len(zoo) >= least for zoo, least in zip(kinds, (10, 8, 6, 6), strict=True)] == [
        True
    ] * 4


def test_no_two_laws_share_a_name():
    laws = (*BOT_LAWS, *GENERATOR_LAWS, *SEARCH_LAWS[1:])  # the first is that of bots too
    assert len({law.name for law in laws}) == len(laws)
