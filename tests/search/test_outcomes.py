"""The result of an iteration: uniform playouts, evaluators and rewards, draw by draw."""

import math
from typing import ClassVar, NamedTuple

import pytest
from attrs import frozen

from fmcts import EndlessGameError, GameError, Player, Search, SplitMix, analyse
from fmcts._engines.outcomes import check_policy, ending_of, playout_of, valued
from fmcts.errors import MethodError
from fmcts.rules import DRAW, IntegerRules, OnPositions
from fmcts.search._tree import plant


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

    player = property(lambda self: Player.O if self.turn else Player.X)
    moves = property(lambda self: tuple('abc'[: self.left]))
    over = property(lambda self: self.left == 0)

    def play(self, move):
        return Counters(self.left - 'abc'.index(move) - 1, 1 - self.turn)


class Drawing:
    """Gives the indices told, and keeps among how many it was to draw."""

    def __init__(self, *indices):
        self.indices, self.among = list(indices), []

    def __call__(self, count):
        self.among.append(count)
        return self.indices.pop(0)


class Bare(Counters):
    """Rules serve the class that declares them alone."""


def playing(search, state):
    """Return `play(draw)`: what a playout of a root in this state is worth, and its moves, if it
    remembers them.
    """
    play, root = playout_of(search, state), plant(state)

    def played(draw):
        worth, trace, _ = play([], root, draw)
        return worth if trace is None else (worth, trace.line)

    return played


def played_out(search, state, *indices):
    """What the playout of the state is worth, with these draws; and among how many it drew."""
    draw = Drawing(*indices)
    found = playing(search, state)(draw)
    assert not draw.indices
    return found, draw.among


def left(state):
    return state.left / 10


# ---- a worth ----


@pytest.mark.parametrize('value', [0, 1, 0.0, 1.0, 0.5, 5e-324, True])
def test_a_reward_becomes_a_float(value):
    found = valued('the reward', lambda _state: value)(None)
    assert found == value
    assert isinstance(found, float)


@pytest.mark.parametrize('value', [-5e-324, 1.0000000000000002, -1, 2, math.nan, '1', None, (1,)])
def test_invalid_rewards_are_refused(value):
    def left(_state):
        return value

    with pytest.raises(MethodError) as error:
        valued('the reward', left)(None)
    assert str(error.value).startswith(
        'the reward left must return a number from 0 (X loses) to 1 (X wins), not '
    )


def test_a_nameless_function_is_called_by_its_class():
    class Net:
        def __call__(self, _state):
            return 7

    with pytest.raises(MethodError, match=r'^the evaluator Net must return .* not 7$'):
        playing(Search(evaluate=Net()), Counters(3))(None)
    with pytest.raises(MethodError, match=r'^the reward Net must return .* not 7$'):
        ending_of(Search(reward=Net()))(Counters(0))


# ---- an end ----


def test_custom_reward_of_a_terminal_state():
    assert ending_of(Search(reward=left))(Counters(3)) == 0.3
    with pytest.raises(MethodError, match=r'^the reward left must return .* not 1\.1$'):
        ending_of(Search(reward=left))(Counters(11))


def on_positions(position):
    return position.left / 100


def test_a_reward_of_positions_receives_the_position():
    assert ending_of(Search(reward=OnPositions(on_positions)))(Counters(3)) == 0.03
    with pytest.raises(MethodError, match=r'^the reward on_positions must return .* not 1\.01$'):
        ending_of(Search(reward=OnPositions(on_positions)))(Counters(101))


def test_a_reward_of_positions_needs_rules():
    with pytest.raises(MethodError, match=r'^Bare declares no rules on integers$'):
        ending_of(Search(reward=OnPositions(on_positions)))(Bare(3))


# ---- a playout ----


def test_a_state_without_moves_that_is_not_over_is_reported():
    class Stuck(Counters):
        over = False

        def play(self, move):
            return Stuck(super().play(move).left)

    policy = Search(playout=lambda state: state.moves)
    with pytest.raises(GameError, match='Stuck'):
        played_out(policy, Stuck(1), 0)


def second(state):
    return state.moves[1:2]


def test_a_policy_narrows_the_moves():
    """Two to four are drawn among; the last of the counters leave it no choice, nor any move."""
    found, among = played_out(Search(playout=lambda state: state.moves[-2:]), Counters(6), 1, 1)
    assert (found, among) == (0.5, [2, 2])
    with pytest.raises(MethodError) as error:
        played_out(Search(playout=second), Counters(3), 0)
    assert str(error.value) == (
        "the playout policy second must return at least one of the legal moves ('a',), not ()"
    )


def test_a_policy_must_return_legal_moves():
    class Wrong:
        def __call__(self, _state):
            return ['a', 'z']

    with pytest.raises(MethodError) as error:
        played_out(Search(playout=Wrong()), Counters(3), 0)
    assert str(error.value) == (
        "the playout policy Wrong must return at least one of the legal moves ('a', 'b', 'c'), "
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
    assert found == (0.5, [(Player.X, 'c'), (Player.O, 'c'), (Player.X, 'a')])


def none(_position, _menu):
    return 0


def outside(_position, _menu):
    return 0b1010


@pytest.mark.parametrize(('policy', 'picked'), [(none, '[]'), (outside, '[1, 3]')])
def test_a_policy_of_positions_must_return_legal_moves(policy, picked):
    with pytest.raises(MethodError) as error:
        played_out(Search(playout=OnPositions(policy)), Counters(3), 0)
    assert str(error.value) == (
        f'the playout policy {policy.__name__} must return at least one of the legal moves '
        f'[0, 1, 2], not {picked}'
    )


@pytest.mark.parametrize('menu', [1.0, None, (1,)])
def test_a_policy_of_positions_must_return_a_menu(menu):
    search = Search(playout=OnPositions(lambda _position, _menu: menu))
    with pytest.raises(MethodError) as error:
        played_out(search, Counters(3), 0)
    assert str(error.value) == (
        f'the playout policy <lambda> must return a menu, an integer, not {menu!r}'
    )


class Without(Counters):
    """Rules without a menu: there is nothing to narrow."""

    compiled = IntegerRules(
        pack=RULES.pack, play=RULES.play, side=RULES.side, winner=RULES.winner,
        count=lambda position: min(position.left, 3), pick=lambda _position, index: index,
    )  # fmt: skip


def test_narrowing_needs_a_menu():
    search = Search(playout=OnPositions(none))
    for check in (lambda: check_policy(search, Without(3)), lambda: playing(search, Without(3))):
        with pytest.raises(MethodError) as error:
            check()
        assert str(error.value) == (
            'the playout policy none narrows a menu, and the rules on integers of Without have '
            'none: a menu may be a NamedTuple of integers'
        )

    class Rewarded(Without):
        compiled = Without.compiled
        rewards = property(lambda self: (0.5, 0.5) if self.over else ())

    with pytest.raises(MethodError, match=r'^the playout policy none narrows a menu'):
        analyse(Rewarded(3), SplitMix.from_seed(1), search, engine='inplace')

    class Narrow:
        def __call__(self, _position, menu):
            return menu

    with pytest.raises(MethodError, match=r'^the playout policy Narrow narrows a menu'):
        check_policy(Search(playout=OnPositions(Narrow())), Without(3))
    for able in (Counters(3), Bare(3)):  # without rules it is another error, and later
        check_policy(search, able)
    for playout in ('uniform', none):
        check_policy(Search(playout=playout), Without(3))


@pytest.mark.parametrize('selection', ['ucb1', 'amaf'])
def test_a_game_may_last_exactly_max_plies(selection):
    """By a policy, which plays ply by ply."""
    search = Search(playout=lambda state: state.moves[:1], selection=selection, max_plies=7)
    found, among = played_out(search, Counters(7), *[0] * 7)
    assert among == [1] * 7
    assert found == 0.5 or found[0] == 0.5
    with pytest.raises(EndlessGameError, match='7 plies'):
        played_out(search, Counters(8), *[0] * 8)
