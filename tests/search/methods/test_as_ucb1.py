"""Which methods equal UCB1 for one value of a parameter, as docs/searches.md says."""

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS

RNG = SplitMix.from_seed(3)
# Each with the value of a parameter that leaves UCB1.
AS_UCB1 = {
    'ucb1-fpu': {'first_play': 1e9},
    'progressive-bias': {'weight': 0, 'heuristic': lambda state: [0.5] * len(state.moves)},
    'widening': {'k': 1e300},
    'rave': {'k': 0, 'c': 2**0.5},
    'amaf': {'alpha': 0},
    'implicit-minimax': {'alpha': 0},
    'grave': {'ref': 10**9, 'c': 2**0.5},
}


def numbers(tree):
    return [(node.move, node.visits, node.reward) for node in walk(tree)]


def test_which_methods_equal_ucb1_to_the_digest_and_which_in_visits_and_rewards():
    plain, _ = analyse(tictactoe.start, RNG, Search(200))
    found = {
        name: analyse(tictactoe.start, RNG, Search(200, selection=METHODS[name](**given)))[0]
        for name, given in AS_UCB1.items()
    }
    assert all(numbers(it.tree) == numbers(plain.tree) for it in found.values())
    assert {name for name, it in found.items() if it.digest == plain.digest} == {'ucb1-fpu'}
