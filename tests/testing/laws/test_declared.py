"""The laws of redundant declarations (keys, playouts, rules), word for word."""

from itertools import count

import pytest
from attrs import evolve, frozen

from fmcts import SplitMix
from fmcts.game import illegal
from looking import O, Says, X, found
from zoo_right import HEAP_RULES, Heap, HeapPosition

KEYS, PLAYOUT, RULES = 'keys are unique', 'the playout agrees', 'the rules on integers agree'


class Keyed(Says):
    """The keys of the moves, by their places."""

    def key(self, move):
        return self.keys[self.moves.index(move)]


class Turning(Keyed):
    """Keys that are others every time."""

    asked, more = 0, 1

    def key(self, move):
        Turning.asked += self.more
        return move, Turning.asked


class TurningBack(Turning):
    more = -1


@pytest.mark.parametrize(
    ('state', 'words'),
    [
        (Keyed(keys=(5, 6)), None),
        (Keyed(keys=(5, 5)), 'the moves 1 and 2 have the same key 5'),
        (Keyed(moves=(1, 2, 3), keys=(5, 6, 5)), 'the moves 1 and 3 have the same key 5'),
        (Keyed(keys=(5, [6])), 'the key of 2 is [6], which has no hash'),
        (Turning(), 'the key of 1 is (1, 1), and asked again it is another'),
        (TurningBack(), 'the key of 1 is (1, -1), and asked again it is another'),
        # Of 129 moves the last but one is passed over, and of 128 none.
        (
            Keyed(moves=tuple(range(128)), keys=(*range(126), 0, 127)),
            'the moves 0 and 126 have the same key 0',
        ),
        (
            Keyed(moves=tuple(range(128)), keys=(0, 0, *range(2, 128))),
            'the moves 0 and 1 have the same key 0',
        ),
        (Keyed(moves=tuple(range(129)), keys=(*range(127), 0, 128)), None),
    ],
    ids=count(),
)
def test_keys_must_be_unique(state, words, monkeypatch):
    monkeypatch.setattr(Turning, 'asked', 0)
    assert found(KEYS, state) == words


# Playouts.


@frozen
class Stones:
    """Two or three plies of three and more moves each; `playout` is as the class says."""

    ply: int = 0
    length: int = 2
    player = property(lambda self: (X, O)[self.ply % 2])
    over = property(lambda self: self.ply == self.length)
    moves = property(lambda self: () if self.over else tuple(range(3 + self.ply)))
    winner = property(lambda self: X if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, ply=self.ply + 1)


def right(self, draw):
    while not self.over:
        self = self.play(self.moves[draw(len(self.moves))])
    return self.winner


def loser(self, draw):
    return right(self, draw) and O


def short(self, draw):
    draw(len(self.moves))
    return X


def endless(self, draw):
    while self.over is not None:
        draw(3)


class Own(Stones):
    playout = right


class Loser(Stones):
    playout = loser


class Short(Stones):
    playout = short


class Endless(Stones):
    playout = endless


@frozen
class Choice(Stones):
    """The last of the moves decides."""

    last: int = -1
    winner = property(lambda self: (X, O, None)[self.last % 3] if self.over else None)
    playout = right

    def play(self, move):
        return evolve(super().play(move), last=move)


class Unplayable(Stones):
    playout = loser

    def play(self, move):
        raise ArithmeticError(move)


def draws(state, rng):
    """The line that is drawn, worked out here."""
    line = []
    for ply in range(state.ply, state.length):
        number, rng = rng.uniform(0, 2 + ply)
        line.append(number)
    return line


@pytest.mark.parametrize(
    ('state', 'line', 'told', 'words'),
    [
        (Own(), (), {}, None),
        (Own(), (0,), {}, None),
        (Own(), (0, 1), {}, None),
        (Own(), (), {'max_plies': 2}, None),
        (Own(0, 3), (), {'max_plies': 2}, None),  # another law tells
        (Unplayable(), (), {}, None),
        (Loser(), (), {}, 'the winner is {O!r} by playout, {X!r} by play'),
        (Loser(), (1,), {}, 'the winner is {O!r} by playout, {X!r} by play'),
        (Short(), (), {}, 'playout draws below [3], and there are [3, 4] moves'),
        (Endless(), (), {'max_plies': 9}, None),
        (Endless(), (), {'max_plies': 1234}, None),
        *((Choice(0, length), (), {}, None) for length in range(2, 7)),
        (Loser(), (), {'max_plies': 2}, 'the winner is {O!r} by playout, {X!r} by play'),
    ],
    ids=count(),
)
def test_a_playout_must_be_the_game_drawn(state, line, told, words):
    rng = SplitMix.from_seed(8)
    after = evolve(state, ply=len(line))
    words = words and f'in the game {draws(after, rng.child(len(line)))} ' + words.format(X=X, O=O)
    if type(state) is Endless:
        words = f'raised EndlessGameError: more than {told["max_plies"]:,} plies'
    assert found(PLAYOUT, state, *line, rng=rng, **told) == words


def test_long_games_are_truncated():
    """At 80 characters, the moves and what is drawn below alike."""
    told = found(PLAYOUT, Short(0, 90), rng=SplitMix.from_seed(8))
    line = draws(Short(0, 90), SplitMix.from_seed(8).child(0))
    assert told == (
        f'in the game {str(line)[:80]}... playout draws below [3], and there are '
        f'{str([*range(3, 93)])[:80]}... moves'
    )


class TooLong(Stones):
    def playout(self, draw):
        for number in range(3, 60):
            draw(number)
        return X


def test_superfluous_draws_of_a_playout_are_truncated_too():
    told = found(PLAYOUT, TooLong(), rng=SplitMix.from_seed(8))
    assert f'playout draws below {str([*range(3, 60)])[:80]}..., and there are [3, 4]' in told


# Rules.


class ByRules(Heap):
    compiled = HEAP_RULES


class OtherWinner(Heap):
    compiled = evolve(HEAP_RULES, winner=lambda position: position.turn)


class Wide(Heap):
    """As many moves as counters."""

    moves = property(lambda self: tuple(range(1, self.left + 1)))


def rules_but(wrong):
    """The rules of `Wide`, but for one move that changes no turn."""
    return evolve(
        HEAP_RULES,
        menu=lambda position: position.left,
        play=lambda position, move: HeapPosition(
            position.left - move, position.turn if move in {1, wrong} else 1 - position.turn
        ),
    )


class Wrong32(Wide):
    compiled = rules_but(32)


class Wrong33(Wide):
    compiled = rules_but(33)


def test_rules_on_integers_must_agree():
    assert found(RULES, ByRules()) is None
    assert found(RULES, ByRules(), 2, 1) is None
    assert found(RULES, OtherWinner(), 2, 2, 2) == ('the winner: 1 interpreted, 0 by OtherWinner')
    assert found(RULES, OtherWinner(), 2, 2) is None  # one position at a time


def test_at_most_32_moves_are_compared():
    rng = SplitMix.from_seed(1)
    assert rng.uniform(0, 59)[0] not in {31, 32}
    assert found(RULES, Wrong32(60), rng=rng).startswith('move number 31 (32 by pick), ')
    assert found(RULES, Wrong33(60), rng=rng) is None
