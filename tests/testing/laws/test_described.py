"""The laws of what users describe (text, symmetry, known games), word for word."""

from itertools import count

import pytest
from attrs import evolve, frozen
from returns.result import Failure, Success

from fmcts import Player
from fmcts.game import illegal
from looking import O, X, found

KNOWN, SYMMETRY, TEXT = 'known games end so', 'the symmetry holds', 'text is read back'


@frozen
class Strip:
    """Three cells in a row; a stone on the left or right cell wins, on the middle one draws."""

    taken: int = -1
    side: Player = X
    moves = property(lambda self: (0, 1, 2) if self.taken < 0 else ())
    over = property(lambda self: self.taken >= 0)
    player = property(lambda self: self.side)
    winner = property(lambda self: X if self.taken in {0, 2} else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, taken=move, side=O)


def write(state):
    return f'{state.taken} {state.side}'


def read(text):
    taken, side = text.split()
    return Strip(int(taken), Player[side])


# Text.


class Wider:
    """Each text has one mark more before it."""

    def __init__(self, text=None, mark=' '):
        self.text, self.mark, self.asked = text, mark, 0

    def __call__(self, state):
        self.asked += 1
        return self.mark * self.asked + (self.text or write(state))


@pytest.mark.parametrize(
    ('parse', 'write', 'words'),
    [
        (read, write, None),
        (lambda text: Success(read(text)), write, None),
        (read, lambda _: 3, 'the text is 3'),
        (lambda _: Failure('no'), write, 'its text is not read again: no'),
        (
            lambda text: evolve(read(text), side=O),
            lambda state: f'{state.taken} X',
            f"the state and the one read from '-1 X' have player {X!r} and player {O!r}",
        ),
        (
            lambda text: evolve(read(text), taken=-7),
            write,
            "the state read from '-1 X' is not equal to the one that was written",
        ),
        (read, Wider(), "what was read from ' -1 X' is written as '  -1 X'"),
        (
            lambda text: read(text.strip('~')),
            Wider(mark='~'),
            "what was read from '~-1 X' is written as '~~-1 X'",
        ),
    ],
    ids=count(),
)
def test_texts_must_be_read_back(parse, write, words):
    assert found(TEXT, Strip(), text=(parse, write)) == words


def test_long_texts_are_truncated():
    """At 80 characters, wherever they are quoted."""
    text = 'long ' * 40 + '-1 X'
    quoted = repr(text[:80] + '...')

    def last(text):
        return read(' '.join(text.split()[-2:]))

    def long(_state):
        return text

    other = found(TEXT, Strip(), text=(lambda text: evolve(last(text), side=O), long))
    assert other.startswith(f'the state and the one read from {quoted} have player ')
    unequal = found(TEXT, Strip(), text=(lambda text: evolve(last(text), taken=-7), long))
    assert unequal.startswith(f'the state read from {quoted} is not equal ')
    longer = Wider(text)
    again = found(TEXT, Strip(), text=(last, longer))
    first, second = (' ' * number + text for number in (1, 2))
    assert again == (
        f'what was read from {first[:80] + "..."!r} is written as {second[:80] + "..."!r}'
    )


# Symmetry.


def flipped(state):
    return evolve(state, taken=2 - state.taken if state.over else -1)


def flip(move):
    return 2 - move


@frozen
class Wide(Strip):
    """A hundred cells."""

    moves = property(lambda self: tuple(range(100)) if self.taken < 0 else ())
    winner = None


def putting(**changes):
    return lambda state: evolve(state, **changes)


@pytest.mark.parametrize(
    ('state', 'line', 'on_state', 'on_move', 'words'),
    [
        (Strip(), (), flipped, flip, None),
        (Strip(), (2,), flipped, flip, None),
        (Strip(), (), putting(side=O), flip, f'player is {O!r} in the image, not {X!r}'),
        (Strip(), (0,), putting(taken=-1), flip, 'over is False in the image, not True'),
        (Strip(), (0,), putting(taken=1), flip, f'winner is None in the image, not {X!r}'),
        (
            *(Strip(), (), flipped, lambda move: min(1, move)),
            'the images of the moves are (0, 1, 1), and the moves of the image are (0, 1, 2)',
        ),
        (
            *(Strip(), (), flipped, lambda move: (move + 1) % 3),
            'the image of the state after 0 is not the image after the image',
        ),
        (
            *(Wide(), (), putting(), lambda move: move + 1),
            (
                f'the images of the moves are {str(tuple(range(1, 101)))[:80]}..., '
                f'and the moves of the image are {str(tuple(range(100)))[:80]}...'
            ),
        ),
    ],
    ids=count(),
)
def test_symmetric_images_must_be_the_same_game(state, line, on_state, on_move, words):
    assert found(SYMMETRY, state, *line, symmetry=(on_state, on_move)) == words


@frozen
class Listed(Strip):
    """Its moves are these."""

    listed: tuple = (0, 1, 2)
    moves = property(lambda self: self.listed)


@pytest.mark.parametrize('image', [(0, 1), (0, 1, 2, 2)])
def test_symmetric_images_must_have_as_many_moves(image):
    told = found(
        SYMMETRY,
        Listed(),
        symmetry=(lambda state: evolve(state, listed=image), lambda move: move),
    )
    assert told == f'the images of the moves are (0, 1, 2), and the moves of the image are {image}'


# Known games.


@pytest.mark.parametrize(
    ('line', 'known', 'words'),
    [
        ((), [((0,), X), ((1,), None)], None),
        ((0,), [((0,), X), ((1,), None)], None),
        ((1,), [((0,), X), ((1,), None)], None),
        ((), [((0,), X), ((5,), X)], 'a known game continues with 5, which is not legal here'),
        (
            (0,),
            [((1, 1), X), ((0, 7), X)],
            'a known game continues with 7, which is not legal here',
        ),
        ((), [((0,), X), ((), X)], 'a known game is over here, and the state is not'),
        (
            (0,),
            [((2,), X), ((0,), O)],
            f'a known game is won by {O!r} here, and the winner is {X!r}',
        ),
        (
            (1,),
            [((2,), X), ((1,), O)],
            f'a known game is won by {O!r} here, and the winner is None',
        ),
        ((2,), [((0, 7), X), ((1,), X)], None),  # none of these games
        ((2,), [((), X)], None),
    ],
    ids=count(),
)
def test_known_games_are_replayed(line, known, words):
    assert found(KNOWN, Strip(), *line, known=known) == words
