"""Differences of two implementations of a game, word for word, and how much is compared."""

from itertools import count
from types import SimpleNamespace

import pytest
from attrs import evolve, frozen

from fmcts import Player, SplitMix
from fmcts.testing._laws.cases import Case, Description
from fmcts.testing._laws.law import found_by
from fmcts.testing._laws.same import SAME_LAWS, Pair, same_game

X, O = Player  # noqa: E741 - the player's name
_, PLAYER, MOVES, END, WINNER, KEYS, *_ = SAME_LAWS


class Says(SimpleNamespace):
    """A position that says what it is told to say; the key of a move is its place in `keys`."""

    def __repr__(self):
        return 'a position'

    def key(self, move):
        return self.keys[move]


def said(**told):
    return Says(**{'player': X, 'moves': (1, 2), 'over': False, 'winner': None, **told})


def found(law, mine, theirs, moves=None):
    case = Case(Description(mine, SplitMix.from_seed(1)), mine)
    return found_by(law, Pair(case, theirs, moves))


# What they say.


def test_the_player_of_a_finished_state_is_ignored():
    one, two = said(player=X, over=True), said(player=O, over=True)
    assert found(PLAYER, one, two) is None
    assert found(PLAYER, one, said(player=O)) == f'player is {X!r} in mine and {O!r} in theirs'


LONG = tuple(range(100))
CUT = str(LONG)[:80] + '...'


@pytest.mark.parametrize(
    ('mine', 'theirs', 'words'),
    [
        ((1, 2), [1, 2], None),
        ((1, 2), (2, 1), 'moves are (1, 2) in mine and (2, 1) in theirs'),
        (LONG, (1,), f'moves are {CUT} in mine and (1,) in theirs'),
    ],
    ids=count(),
)
def test_moves_must_be_equal_in_order(mine, theirs, words):
    assert found(MOVES, said(moves=mine), said(moves=theirs)) == words


@pytest.mark.parametrize(
    ('mine', 'theirs', 'is_told'),
    [
        ((1, 2), (12, 11), False),
        ((1, 2), (11,), True),
        ((1,), (11, 12), True),
        ((1, 1, 2), (11, 12, 12), True),
    ],
    ids=count(),
)
def test_translated_moves_may_come_in_any_order(mine, theirs, is_told):
    words = found(MOVES, said(moves=mine), said(moves=theirs), lambda move: move + 10)
    assert words == (
        f'moves are {tuple(move + 10 for move in mine)} in mine, translated, and {theirs} in theirs'
        if is_told
        else None
    )


def test_keys_are_compared_move_by_move():
    mine, theirs = said(keys={1: 'a', 2: 'b'}), said(keys={1: 'a', 2: 'c'})
    assert found(KEYS, mine, mine) is None
    assert found(KEYS, mine, theirs) == "the key of 2 is 'b' in mine and 'c' in theirs"
    written = said(keys={11: 'b', 12: 'b'})
    assert found(KEYS, mine, written, lambda move: move + 10) == (
        "the key of 1 is 'a' in mine and 'b' in theirs"
    )


# Two games in step.


@frozen
class Digits:
    """So many plies of the moves 0 and 1; who has won at the end says the last of them."""

    plies: int = 3
    line: tuple = ()
    moves_of: tuple = (0, 1)
    wrong: frozenset = frozenset()

    player = property(lambda self: (X, O)[len(self.line) % 2])
    over = property(lambda self: len(self.line) == self.plies)
    moves = property(lambda self: () if self.over else self.moves_of)
    winner = property(lambda self: None if not self.over or self.line in self.wrong else X)

    def play(self, move):
        return evolve(self, line=(*self.line, self.moves.index(move)))

    def key(self, move):
        return move


def test_positions_and_whole_random_games_are_compared():
    """By four laws, or by five with that of keys; 2**4 - 1 positions, and 4 in a game."""
    told = []
    one, two = Digits(), Digits()
    passed = same_game(one, two, games=3, watch=told.append).unwrap()
    names = [law.name for law in SAME_LAWS]
    assert passed.cases == tuple((name, 15 + 3 * 4) for name in names[:5])
    assert passed.left_out == (('same keys', 'it was not asked for'),)
    assert told == [*range(1, 15 + 3 * 4 + 1)]
    passed = same_game(one, two, games=3, positions=5, keys=True).unwrap()
    assert passed.cases == tuple((name, 5 + 3 * 4) for name in names[:6])
    assert passed.left_out == ()


def test_repeated_positions_are_not_continued():
    """In both games: what differs in one of them alone is another pair."""

    class Merged(Digits):
        """Only how often each move was made is left of the line."""

        def play(self, move):
            return evolve(self, line=tuple(sorted((*self.line, move))))

    def number(one, two):
        return {count for _, count in same_game(one, two, games=0).unwrap().cases}

    assert number(Merged(), Merged()) == {1 + 2 + 3 + 4}
    assert number(Merged(), Digits()) == number(Digits(), Merged()) == {15}


@pytest.mark.parametrize(
    'moves', [{0: 'b', 1: 'a'}, {0: 'b', 1: 'a'}.get], ids=['mapping', 'function']
)
def test_moves_can_be_translated(moves):
    """Theirs are told at the first position where their move is not the one for mine."""
    theirs = Digits(moves_of=('b', 'a'), wrong=frozenset({(0, 1, 1)}))
    assert same_game(Digits(), evolve(theirs, wrong=frozenset()), moves=moves).unwrap().total
    breach = same_game(Digits(), theirs, moves=moves, games=0).failure()
    assert (breach.law, breach.line) == ('same winner', (0, 1, 1))
    assert breach.found == f'winner is {X!r} in mine and None in theirs'
    assert breach.expected == WINNER.sentence


def test_the_generator_determines_the_random_games():
    seen = {1: [], 7: []}
    for number, states in seen.items():
        compare = {'seen': states.append}
        rng = SplitMix.from_seed(number)
        same_game(Digits(7), Digits(7), positions=1, games=9, rng=rng, compare=compare).unwrap()
    assert seen[1] != seen[7]


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'compare': {'a': 1}}, 'compare must have functions of a state, or pairs of them, not 1'),
        ({'without': ['same dice']}, "there is no law 'same dice': the laws are same play, "),
        ({'positions': 0}, 'positions must be a whole number of at least 1, not 0'),
    ],
)
def test_wrong_comparisons_are_refused(given, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared
        same_game(Digits(), Digits(), **given)
    assert str(refused.value).startswith(message)
