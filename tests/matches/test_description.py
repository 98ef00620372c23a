"""The description of a match: its defaults, and what it refuses."""

import pytest
from attrs import evolve

from fmcts import Search, mcts, random_bot
from fmcts.errors import FinishedGameError
from fmcts.games import tictactoe
from played import small
from toy_games import play_line

WON = (0, 3, 1, 4, 2)  # by X


def test_a_match_is_a_value():
    """Two of the same are equal, and openings may be given as lists."""
    one, two = (small(openings=given, opening_plies=0) for given in ([[4], (0, 8)], [(4,), [0, 8]]))
    assert one == two
    assert one.openings == ((4,), (0, 8))
    assert one.bots == (mcts(Search(20)), random_bot)
    with pytest.raises(AttributeError):
        one.games = 4


def test_one_tree_search_suffices_to_keep_trees():
    tree = mcts(Search(20))
    for first, second in ((tree, random_bot), (random_bot, tree), (tree, tree)):
        assert small(first=first, second=second, keep_trees=True).keep_trees


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        (
            {'games': 7},
            'games must be an even number, because each opening is played from both sides, not 7',
        ),
        ({'games': 0}, 'games must be a whole number of at least 2, not 0'),
        ({'games': 2.0}, 'games must be a whole number of at least 2, not 2.0'),
        ({'opening_plies': -1}, 'opening_plies must be a whole number of at least 0, not -1'),
        ({'max_plies': 0}, 'max_plies must be a whole number of at least 1, not 0'),
        ({'openings': [], 'opening_plies': 0}, 'openings must hold at least one line of moves'),
        (
            {'openings': [[0], [4, 4]], 'opening_plies': 0},
            r'opening \(4, 4\): ply 2: illegal move 4: the legal moves are 0, 1, 2, 3, 5, 6, 7, 8',
        ),
        (
            {'openings': [[4]], 'opening_plies': 1},
            'openings and opening_plies exclude each other: give one of them',
        ),
        ({'keep_trees': True, 'first': random_bot}, 'keep_trees needs a tree search'),
        ({'keep_trees': 1}, 'keep_trees must be True or False, not 1'),
        ({'sprt': (0, 20)}, r'sprt must be a Sprt or None, not \(0, 20\)'),
        ({'names': ('a',)}, r"names must be the names of both bots, two texts, not \('a',\)"),
        ({'names': ('a', 'b', 'c')}, 'names must be the names of both bots'),
        ({'names': 'ab'}, "names must be the names of both bots, two texts, not 'ab'"),
        ({'names': ('a', 1)}, 'names must be the names of both bots'),
        (
            {'names': ('a', 'a')},
            "names must tell two bots apart, and both are 'a': give each its own$",
        ),
        ({'names': None}, 'names must be the names of both bots, two texts, not None'),
        (
            {'keep_trees': True, 'first': mcts(Search(50, schedule='halving'))},
            'keep_trees needs a tree search without a schedule, and neither bot is one',
        ),
    ],
    ids=lambda it: it if isinstance(it, str) else '',
)
def test_invalid_matches_are_refused(given, complaint):
    with pytest.raises(ValueError, match=f'^{complaint}'):
        small(**given)


def test_a_bot_against_itself_may_share_one_name():
    names = ('mcts', 'mcts')
    assert small(second=mcts(Search(20)), names=names).names == names


def test_a_finished_start_or_opening_is_refused():
    with pytest.raises(
        FinishedGameError, match=r'^opening \(0, 3, 1, 4, 2\): the game is over aft'
    ):
        small(openings=[[4], WON], opening_plies=0)
    state = play_line(tictactoe.start, WON)
    with pytest.raises(
        FinishedGameError, match=r'^the game is over at the start: there is nothing'
    ):
        evolve(small(), start=state)
