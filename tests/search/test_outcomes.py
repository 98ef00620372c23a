"""What an iteration is worth: playouts by policies, evaluators and rewards, draw by draw."""

import math
from typing import ClassVar, NamedTuple

import pytest
from attrs import evolve, frozen

from fmcts import EndlessGameError, GameError, Player, Search
from fmcts.games import connect4, tictactoe
from fmcts.rules import DRAW, IntegerRules, OnPositions
from fmcts.search.errors import MethodError
from fmcts.search.outcomes import Outcome, check_policy, ending_of, playout_of, worth

X_WON = tictactoe.parse('XXXOO....').unwrap()
O_WON = tictactoe.parse('OOOXX.X..').unwrap()
DRAWN = tictactoe.parse('XOXXOOOXX').unwrap()


class Position(NamedTuple):
    left: int
    turn: int


RULES = IntegerRules(
    pack=lambda state: Position(state.left, state.turn),
    menu=lambda position: (1 << min(position.left, 3)) - 1,
    play=lambda position, taken: Position(position.left - taken - 1, 1 - position.turn),
    side=lambda position: position.turn,
    winner=lambda _: DRAW,
)


@frozen
class Counters:
    """One to three counters are taken in turn; moves are named by letters. Nobody wins."""

    left: int
    turn: int = 0

    compiled: ClassVar[IntegerRules] = RULES
    winner = None

    @property
    def player(self):
        return Player.O if self.turn else Player.X

    @property
    def moves(self):
        return tuple('abc'[: self.left])

    @property
    def over(self):
        return self.left == 0

    def play(self, move):
        return Counters(self.left - 'abc'.index(move) - 1, 1 - self.turn)


class Drawing:
    """Gives the indices told, and keeps among how many it was to draw."""

    def __init__(self, *indices):
        self.indices, self.among = list(indices), []

    def __call__(self, count):
        self.among.append(count)
        return self.indices.pop(0)


def left(state):
    return state.left / 10


# ---- a worth ----


@pytest.mark.parametrize('value', [0, 1, 0.0, 1.0, 0.5, 5e-324, True])
def test_a_worth_is_a_float(value):
    assert worth('the reward', left, value) == value
    assert isinstance(worth('the reward', left, value), float)


@pytest.mark.parametrize('value', [-5e-324, 1.0000000000000002, -1, 2, math.nan, '1', None, (1,)])
def test_what_is_no_worth_is_refused(value):
    with pytest.raises(MethodError) as error:
        worth('the reward', left, value)
    assert str(error.value).startswith(
        'the reward left must give a number from 0, X loses, to 1, X wins, not '
    )


def test_a_value_without_a_name_is_called_by_its_class():
    class Net:
        def __call__(self, _state):
            return 7

    with pytest.raises(MethodError, match=r'^the evaluator Net must give .* not 7$'):
        playout_of(Search(evaluate=Net()), Counters(3))(Counters(3), None)
    with pytest.raises(MethodError, match=r'^the reward Net must give .* not 7$'):
        ending_of(Search(reward=Net()))(Counters(0))


# ---- an end ----


@pytest.mark.parametrize(('state', 'for_x'), [(X_WON, 1.0), (O_WON, 0.0), (DRAWN, 0.5)])
def test_an_end_is_worth_what_its_winner_says(state, for_x):
    assert ending_of(Search())(state) == for_x


def test_an_end_is_worth_what_the_reward_says():
    assert ending_of(Search(reward=left))(Counters(3)) == 0.3
    with pytest.raises(MethodError, match=r'^the reward left must give .* not 1\.1$'):
        ending_of(Search(reward=left))(Counters(11))


def on_positions(position):
    return position.left / 100


def test_a_reward_of_positions_is_told_the_position():
    assert ending_of(Search(reward=OnPositions(on_positions)))(Counters(3)) == 0.03
    with pytest.raises(MethodError, match=r'^the reward on_positions must give .* not 1\.01$'):
        ending_of(Search(reward=OnPositions(on_positions)))(Counters(101))


class Bare(Counters):
    """Rules serve the class that declares them alone."""


def test_without_rules_there_is_no_position():
    with pytest.raises(MethodError, match=r'^Bare declares no rules on integers$'):
        ending_of(Search(reward=OnPositions(on_positions)))(Bare(3))


# ---- a playout ----


def played_out(search, state, *indices):
    """What the playout of the state is worth, with these draws; and among how many it drew."""
    draw = Drawing(*indices)
    found = playout_of(search, state)(state, draw)
    assert not draw.indices
    return found, draw.among


def test_a_uniform_playout_draws_among_all_moves():
    assert played_out(Search(), Counters(7), 1, 2, 0, 0) == (0.5, [3, 3, 2, 1])
    state = tictactoe.parse('XX.OO....').unwrap()
    assert played_out(Search(), state, 0) == (1.0, [5])
    assert played_out(Search(), state, 2, 0, 0, 0, 0) == (0.5, [5, 4, 3, 2, 1])
    assert played_out(Search(), state, 4, 1)[0] == 0.0
    for playout in (lambda state: state.moves, 'uniform'):
        search = Search(playout=playout, reward=lambda state: float(state.winner is Player.X))
        assert played_out(search, state, 4, 1) == (0.0, [5, 4])
        assert played_out(search, state, 0) == (1.0, [5])


def test_an_evaluation_draws_nothing():
    assert played_out(Search(evaluate=left), Counters(7)) == (0.7, [])
    found, _ = played_out(Search(evaluate=left, selection='amaf'), Counters(7))
    assert found == Outcome(0.7, set())
    assert isinstance(found, Outcome)


def test_no_two_evaluations_share_the_moves_played():
    search, state = Search(evaluate=left, selection='amaf'), Counters(7)
    play = playout_of(search, state)
    play(state, None).played.add('a move')
    assert play(state, None).played == set()


def test_the_moves_of_a_playout_are_remembered_where_a_method_asks():
    search = Search(selection='amaf', reward=lambda _state: 0.25)
    found, among = played_out(search, Counters(7), 1, 2, 0, 0)
    assert among == [3, 3, 2, 1]
    x, o = Player.X, Player.O
    assert found == Outcome(0.25, {(x, 'b'), (o, 'c'), (x, 'a'), (o, 'a')})
    assert played_out(evolve(search, selection='ucb1'), Counters(7), 1, 2, 0, 0)[0] == 0.25


def test_moves_are_remembered_by_their_keys():
    """Columns filled one after the other, until X has four in a row: 19 cells."""
    found, _ = played_out(Search(selection='amaf'), connect4.start, *[0] * 19)
    assert found.for_x == 1.0
    assert len(found.played) == 19


@pytest.mark.parametrize('selection', ['ucb1', 'amaf'])
def test_a_game_may_be_as_long_as_max_plies(selection):
    """By a policy, which plays ply by ply."""
    search = Search(playout=lambda state: state.moves[:1], selection=selection, max_plies=7)
    found, among = played_out(search, Counters(7), *[0] * 7)
    assert among == [1] * 7
    assert found == 0.5 or found.for_x == 0.5
    with pytest.raises(EndlessGameError, match='7 plies'):
        played_out(search, Counters(8), *[0] * 8)


def test_an_end_that_is_not_over_is_told():
    class Stuck(Counters):
        over = False

        def play(self, move):
            return Stuck(super().play(move).left)

    policy = Search(playout=lambda state: state.moves)
    with pytest.raises(GameError, match='Stuck'):
        played_out(policy, Stuck(1), 0)


# ---- policies ----


def second(state):
    return state.moves[1:2]


def test_a_policy_narrows_the_moves():
    """Two to four are drawn among; the last of the counters leave it no choice, nor any move."""
    found, among = played_out(Search(playout=lambda state: state.moves[-2:]), Counters(6), 1, 1)
    assert (found, among) == (0.5, [2, 2])
    with pytest.raises(MethodError) as error:
        played_out(Search(playout=second), Counters(3), 0)
    assert str(error.value) == (
        "the playout policy second must give at least one of the legal moves ('a',), not ()"
    )


def test_a_policy_gives_legal_moves_only():
    class Wrong:
        def __call__(self, _state):
            return ['a', 'z']

    with pytest.raises(MethodError) as error:
        played_out(Search(playout=Wrong()), Counters(3), 0)
    assert str(error.value) == (
        "the playout policy Wrong must give at least one of the legal moves ('a', 'b', 'c'), "
        "not ['a', 'z']"
    )


def test_a_policy_of_positions_narrows_menus():
    told = []

    def highest(position, menu):
        told.append((position, menu))
        return menu & ~(menu >> 1) & 6 or menu

    found, among = played_out(Search(playout=OnPositions(highest)), Counters(7), 0, 0, 0)
    assert (found, among) == (0.5, [1, 1, 1])  # three, three, and the last one
    assert told == [((7, 0), 7), ((4, 1), 7), ((1, 0), 1)]
    traced = Search(playout=OnPositions(highest), selection='amaf')
    found, _ = played_out(traced, Counters(7), 0, 0, 0)
    assert found.played == {(Player.X, 'c'), (Player.O, 'c'), (Player.X, 'a')}


def none(_position, _menu):
    return 0


def outside(_position, _menu):
    return 0b1010


@pytest.mark.parametrize(('policy', 'picked'), [(none, '[]'), (outside, '[1, 3]')])
def test_a_policy_of_positions_gives_legal_moves_only(policy, picked):
    with pytest.raises(MethodError) as error:
        played_out(Search(playout=OnPositions(policy)), Counters(3), 0)
    assert str(error.value) == (
        f'the playout policy {policy.__name__} must give at least one of the legal moves '
        f'[0, 1, 2], not {picked}'
    )


class Without(Counters):
    """Rules without a menu: there is nothing to narrow."""

    compiled = IntegerRules(
        pack=RULES.pack, play=RULES.play, side=RULES.side, winner=RULES.winner,
        count=lambda position: min(position.left, 3), pick=lambda _position, index: index,
    )  # fmt: skip


def test_only_menus_are_narrowed():
    search = Search(playout=OnPositions(none))
    for check in (lambda: check_policy(search, Without(3)), lambda: playout_of(search, Without(3))):
        with pytest.raises(MethodError) as error:
            check()
        assert str(error.value) == (
            'the playout policy none narrows a menu, and the rules on integers of Without have '
            'none: a menu may be a NamedTuple of integers'
        )

    class Narrow:
        def __call__(self, _position, menu):
            return menu

    with pytest.raises(MethodError, match=r'^the playout policy Narrow narrows a menu'):
        check_policy(Search(playout=OnPositions(Narrow())), Without(3))
    for able in (Counters(3), Bare(3)):  # without rules it is another error, and later
        check_policy(search, able)
    for playout in ('uniform', none):
        check_policy(Search(playout=playout), Without(3))
