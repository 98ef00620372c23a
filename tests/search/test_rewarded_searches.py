"""Every kind of search in games with rewards or chance: engines, histories, the plain game."""

from typing import NamedTuple

import pytest
from attrs import frozen

from decisions import start_of
from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.game import illegal
from fmcts.games import tictactoe
from fmcts.games.chance import mnk3, pig
from fmcts.games.from_rules import make_game
from fmcts.history import history
from fmcts.rules import IntegerRules
from fmcts.search import principal_variation
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.search.policies import MAST, LastGoodReply, Mixture
from puzzle import Puzzle
from test_chance import PYTHON, Rewarded, rows

RNG = SplitMix.from_seed(1)


@frozen
class Line:
    """Five moves of up to three players, without chance; each move brings something to each."""

    count: int
    at: int = 1
    left: int = 5
    gained: tuple = (0.0,)
    players = property(lambda self: tuple('ABC'[: self.count]))
    player = property(lambda self: 'ABC'[self.left % self.count])
    over = property(lambda self: self.left == 0)
    moves = property(lambda self: () if self.over else (0, 1, 2)[: 2 + self.at % 2])

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        at = (self.at * 5 + move * 3 + 1) % 17
        gained = tuple((at * (player + 3)) % 7 - 2.0 for player in range(self.count))
        return Line(self.count, at, self.left - 1, gained)


def judging(states):
    """Priors, and values below 0 and above 1 for each player."""
    priors = [[1.0 / (1 + index) for index in range(len(state.moves))] for state in states]
    values = [
        tuple((len(state.moves) * 3 + it + state.left) % 5 - 1.0 for it in range(state.count))
        for state in states
    ]
    return priors, values


GUMBEL = {'selection': Gumbel(rescale=True), 'schedule': GumbelHalving()}
MIXED = Mixture((MAST(0.25), LastGoodReply(forgetting=True)), (0.5, 0.5))
OPTIONS = {
    'closing': {'closing': True, 'discount': 0.9, 'normalised': True},
    'rollouts': {'rollout_expand': True, 'horizon': 3, 'normalised': True},
    'shot': {'schedule': 'shot'},
    'halving': {'schedule': 'halving', 'normalised': True},
    'gumbel': {'selection': Gumbel(rescale=True)},
    'gumbel halving': GUMBEL,
    'grave': {'selection': 'grave', 'c': 2.0, 'discount': 0.9},
    'rave': {'selection': 'rave', 'c': 2.0, 'discount': 0.9},
    'mixed': {'playout': MIXED, 'normalised': True},
    'batch': {'network': judging, 'batch': 4, 'selection': 'puct-reduced', 'c': 2.0},
    'tuned batch': {'network': judging, 'batch': 4, 'selection': 'ucb1-tuned', 'c': 2.0},
    'collisions': {'network': judging, 'batch': 4, 'collisions': 2, 'c': 2.0, 'discount': 0.5},
    'sliding': {'network': judging, 'batch': 4, 'sliding': True, 'c': 2.0},
    'normalised batch': {'network': judging, 'batch': 4, 'normalised': True, 'discount': 0.9},
    'normalised window': {'network': judging, 'batch': 4, 'normalised': True, 'sliding': True},
    'one by one': {'network': judging, 'normalised': True},
    'gumbel batch': {'network': judging, 'batch': 3, **GUMBEL},
}


@pytest.mark.parametrize('count', [1, 2, 3])
@pytest.mark.parametrize('name', OPTIONS)
def test_engines_agree_and_histories_replay(name, count):
    start, search = Line(count, gained=(0.0,) * count), Search(80, **OPTIONS[name])
    found = [analyse(start, RNG, search, engine=engine) for engine in (*PYTHON, 'auto')]
    assert all(one == found[0] for one in found)
    made = history(start, RNG, search)
    assert made.digest == found[0][0].digest
    made.why(made.last)
    if not (search.columns or search.policy.memories):
        assert made.log.digest() == made.digest


TELLING = {
    'closing': {'closing': True},
    'rollouts': {'rollout_expand': True},
    'shot': {'schedule': 'shot'},
    **{name: {'selection': name} for name in ('ucb1-tuned', 'puct', 'amaf', 'rave', 'grave')},
    **{name: {'playout': name} for name in ('mast', 'nst', 'last-good-reply')},
    'normalised': {'normalised': True},
}


@pytest.mark.parametrize('name', TELLING)
def test_rewards_that_say_who_won_change_nothing(name):
    """Max^n of two players is the search of the plain game, to the bit."""
    search = Search(150, **TELLING[name])
    plain, after = analyse(tictactoe.start, RNG, search, engine='inplace')
    told, other = analyse(Rewarded(tictactoe.start), RNG, search, engine='inplace')
    assert (rows(told.tree), told.stats, other) == (rows(plain.tree), plain.stats, after)
    assert told.tree.columns == plain.tree.columns


CHANCY = {
    'amaf in pig': (pig.start(12), {'selection': 'amaf'}),
    'rave in pig': (pig.start(12), {'selection': 'rave'}),
    'grave': (mnk3.start(3, 3, 3), {'selection': 'grave'}),
    'mast': (mnk3.start(3, 3, 3), {'playout': 'mast'}),
    'replies': (mnk3.start(3, 3, 3), {'playout': 'last-good-reply'}),
    'chance': (start_of(3, 2, ends=True), {'selection': 'rave', 'c': 2.0, 'discount': 0.9}),
    'chance for three': (start_of(4, 3), {'playout': MIXED, 'normalised': True}),
}


@pytest.mark.parametrize('name', CHANCY)
def test_statistics_by_move_in_games_with_chance_and_of_several(name):
    start, options = CHANCY[name]
    search = Search(80, **options)
    found = [analyse(start, RNG, search, engine=engine) for engine in (*PYTHON, 'auto')]
    assert all(one == found[0] for one in found)
    assert found[0][0].tree == found[2][0].tree


def test_moves_of_chance_are_in_no_table():
    tree = analyse(start_of(3), RNG, Search(60, playout='mast', c=2.0))[0].tree
    (table,) = tree.columns.memory
    assert {key for _, key in table.entries} <= {0, 1, 2, 3}
    assert {player for player, _ in table.entries} == {0}
    assert all(row[0] == 0 for row in table.rows)


class Digits(NamedTuple):
    """A number that grows by a digit a move, six times."""

    number: int
    left: int


DIGITS = make_game(
    'digits',
    Digits(1, 6),
    IntegerRules(
        menu=lambda at: 0b111 if at.left else 0,
        play=lambda at, move: Digits((at.number * 5 + move * 3) % 97, at.left - 1),
        side=lambda _at: 0,
        players=1,
        rewards=lambda at, _player: at.number / 97.0,
    ),
    players=('me',),
)


@pytest.mark.parametrize('bounds', [False, True])
def test_a_puzzle_for_one_player_is_proven_solved(bounds):
    """Its winner is told, so it has wins and losses."""
    search = Search(20_000, solver=True, bounds=bounds)
    found = [analyse(Puzzle(), RNG, search, engine=engine) for engine in PYTHON]
    assert found[0] == found[1] == found[2]
    analysis = found[0][0]
    assert str(analysis.proof) == 'win in 5'
    state = Puzzle()
    for move in principal_variation(analysis.tree):
        state = state.play(move)
    assert state.winner == 'player'
    lost, _ = analyse(Puzzle(left=3), RNG, search)
    assert str(lost.proof) == 'loss in 3'
    assert lost.iterations < 100


@pytest.mark.needs_numba
@pytest.mark.parametrize('selection', ['implicit-minimax', 'power-mean'])
def test_one_player_has_the_best_of_the_numbers_below(selection):
    search = Search(300, selection=selection)
    engines = *PYTHON, 'compiled'
    found = [analyse(DIGITS.start, RNG, search, engine=engine) for engine in engines]
    assert all(one == found[0] for one in found)
    assert found[0][0].tree == found[3][0].tree
    if selection == 'implicit-minimax':
        below = [child.columns.own[0] for child in found[0][0].tree.children]
        assert found[0][0].tree.columns.own[0] == max(below)
    with pytest.raises(MethodError, match='derives numbers from children, is not supported'):
        analyse(Line(1), RNG, search)
