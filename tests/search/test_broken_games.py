"""Games that break a promise: one line at the first search, in every interpreted engine.

(The compiled engine compares rules with states elsewhere.)
"""

import enum
from typing import Any

import pytest
from attrs import evolve, frozen

from fmcts import (
    GameError,
    Player,
    Search,
    SplitMix,
    analyse,
    monte_carlo,
    play_game,
    playout,
    random_bot,
    reroot,
    trees,
)
from fmcts._promises import checked_moves, score
from fmcts._running import playouts
from fmcts.bots import parallel
from fmcts.game import reward
from fmcts.games import tictactoe
from fmcts.search._tree import plant
from fmcts.simulation import uniform_playout

INTERPRETED = ['persistent', 'monadic', 'inplace']
RNG = SplitMix.from_seed(1)


class Third(enum.Enum):
    X = 'X'


class Likes:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = None

    def __repr__(self):
        return 'anything'


@frozen
class Fields:
    """A user's game of four plies, three moves each, in which something may be wrong."""

    wrong: str = ''
    given: Any = None
    plies: int = 0

    player = property(lambda self: (Player.X, Player.O)[self.plies % 2])
    here = property(lambda self: self.plies == 2)

    @property
    def moves(self):
        if self.wrong == 'moves' and self.here:
            return self.given
        return ('a', 'b', 'c') if self.plies < 4 else ()

    @property
    def over(self):
        if self.wrong == 'over' and self.here:
            return True
        return self.plies >= 4

    winner = property(lambda self: self.given if self.wrong == 'winner' else Player.X)

    def play(self, _move):
        return evolve(self, plies=self.plies + 1)


PROMISES = '; moves must differ, and there must be none exactly when the game is over '
PROMISES += '(fmcts.testing.check_game looks for the cause)'
ENDS = ['X', 0.7, Third.X, True, Likes(), [1]]
WRONG = [
    (Fields('moves', ('a', 'b', 'a')), "has the move 'a' twice"),
    (Fields('moves', (1, 2, True)), 'has the move True twice'),
    (Fields('moves', ([1], [2], [1])), 'has the move [1] twice'),
    (
        Fields('moves', ()),
        'has no moves but is not over (if they cannot be listed, a search needs proposals)',
    ),
    (Fields('over'), "is over but has moves: 'a', 'b', 'c'"),
]


def winner_message(winner):
    return (
        f'the game Fields has the winner {winner!r}: '
        'accepted are Player.X, Player.O and, for a draw, None'
    )


CASES = [
    *((state, f'the game Fields has a state that {how}{PROMISES}') for state, how in WRONG),
    *((Fields('winner', end), winner_message(end)) for end in ENDS),
]


@pytest.mark.parametrize(
    ('engine', 'expansion'),
    [('persistent', 'in-order'), ('monadic', 'random'), ('inplace', 'full')],
)
@pytest.mark.parametrize(('state', 'message'), CASES)
def test_the_first_search_reports_the_breach(state, message, engine, expansion):
    """Below the root, at the root, and where the only move ends the game."""
    first = evolve(state, plies=3 if state.wrong == 'winner' else 2)
    for start, search in ((state, Search(200, expansion=expansion)), (first, Search(1))):
        with pytest.raises(GameError) as told:
            analyse(start, RNG, search, engine=engine)
        assert str(told.value) == message


@pytest.mark.parametrize(('state', 'message'), CASES)
def test_playouts_and_games_report_the_breach(state, message):
    ways = [
        lambda: [playout(state, SplitMix.from_seed(seed)) for seed in range(9)],
        lambda: playouts(state, RNG, 9),
        lambda: monte_carlo(9)(state, RNG),
        lambda: play_game(state, random_bot, random_bot, RNG),
        lambda: list(zip(range(99), trees(state, RNG, Search()), strict=False)),
    ]
    # A playout looks at its end and at the state before it: all states would cost too much.
    if state.wrong == 'over' or (state.wrong == 'moves' and state.given):
        ways = ways[3:]
    for act in ways:
        with pytest.raises(GameError) as told:
            act()
        assert str(told.value) == message


class Letters(Fields):
    player = property(lambda self: 'XO'[self.plies % 2])


def test_a_game_between_bots_asks_who_is_to_move():
    with pytest.raises(GameError, match=r"the player 'X': accepted are Player\.X and Player\.O"):
        play_game(Letters(), random_bot, random_bot, RNG)


@frozen
class ToTheEdge(Fields):
    """A game whose author forgot that it ends when somebody wins: moves until the board is full."""

    over = property(lambda self: self.plies >= 3)


def test_a_playout_beyond_the_end_is_reported():
    message = "the game ToTheEdge has a state that is over but has moves: 'a', 'b', 'c'" + PROMISES
    with pytest.raises(GameError) as told:
        playout(ToTheEdge(), RNG)
    assert str(told.value) == message
    for engine in INTERPRETED:  # before any node is that deep
        with pytest.raises(GameError) as told:
            analyse(ToTheEdge(), RNG, Search(1), engine=engine)
        assert str(told.value) == message


@frozen
class OwnPlayout(Fields):
    """The same with a playout of its own, whose winner is looked at all the same."""

    def playout(self, _draw):
        return self.given


@pytest.mark.parametrize('engine', INTERPRETED)
@pytest.mark.parametrize('winner', ENDS)
def test_the_winner_of_a_custom_playout_is_checked(winner, engine):
    state = OwnPlayout('winner', winner)
    message = winner_message(winner).replace('Fields', 'OwnPlayout')
    for act in (
        lambda: analyse(state, RNG, Search(1), engine=engine),
        lambda: playouts(state, RNG, 1, engine=engine),
        lambda: playout(state, RNG),
    ):
        with pytest.raises(GameError) as told:
            act()
        assert str(told.value) == message


def test_reroot_checks_the_new_root():
    with pytest.raises(GameError, match='has no moves but is not over'):
        reroot(plant(Fields('moves', (), 1)), 'a')


@frozen
class Exhausted(tictactoe.TicTacToe):
    """In some of its positions `play` asks an iterator for more than it has."""

    def play(self, move):
        if move == 0 and (self.x | self.o).bit_count() == 8:
            next(iter(()))
        return super().play(move)

    def playout(self, draw):
        return uniform_playout(self, draw)


@pytest.mark.parametrize('engine', INTERPRETED)
def test_no_loop_takes_a_rule_s_stopiteration_for_its_end(engine):
    """The first tree of `parallel` does not raise: its loop would end there and merge that one."""
    search, message = Search(64), 'raised StopIteration$'
    analyse(Exhausted(), RNG.split()[0].child(0), Search(4), engine=engine)
    with pytest.raises(RuntimeError, match=message):
        analyse(Exhausted(), RNG, search, engine=engine)
    with pytest.raises(RuntimeError, match=message):
        parallel(search, trees=16, engine=engine).analyse(Exhausted(), RNG)


def test_correct_games_are_not_affected():
    assert checked_moves(Fields()) == ('a', 'b', 'c')
    assert checked_moves(Fields(plies=4)) == ()
    unhashable = Fields('moves', ([1], [2]), 2)
    assert checked_moves(unhashable) == ([1], [2])
    assert analyse(unhashable, RNG, Search(20), engine='persistent')[0].iterations == 20
    for state in (tictactoe.start, Fields(plies=4)):
        assert [score(state, winner) for winner in (Player.X, Player.O, None)] == [
            reward(winner, Player.X) for winner in (Player.X, Player.O, None)
        ]


MANY = tuple(range(10_000))
PAIRS = tuple((number, 'a') for number in MANY)


@pytest.mark.parametrize(
    ('moves', 'twice'),
    [
        ((*MANY, 7), '7'),
        ((*PAIRS, (7, 'a')), r'\(7, .a.\)'),
        ((*MANY, 8.0), '8.0'),
        ((Third.X, Third.X), "<Third.X: 'X'>"),
    ],
    ids=['int', 'tuple', 'float', 'enum'],
)
def test_duplicate_moves_are_found_anywhere(moves, twice):
    with pytest.raises(GameError, match=f'has the move {twice} twice'):
        checked_moves(Fields('moves', moves, 2))
