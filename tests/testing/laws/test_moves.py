"""The laws of moves: violations word for word, and correct games."""

from itertools import count

import pytest

from fmcts.testing._laws.members import BASIC_LAWS, LAWS_OF_MOVES, SMALL
from looking import O, Says, X, found

QUICK = (*BASIC_LAWS, *LAWS_OF_MOVES)
MANY = tuple(range(40))


class Without(Says):
    """A position that lacks a member."""

    def __init__(self, name):
        super().__init__()
        if name == 'play':
            self.__class__ = type('Unplayable', (), {'__repr__': Says.__repr__})
        else:
            delattr(self, name)


class Turning(Says):
    """What it says of one member is another thing every time."""

    def __init__(self, name, *values):
        super().__init__()
        self.values = {name: [*values]}

    def __getattribute__(self, name):
        values = object.__getattribute__(self, '__dict__').get('values', {}).get(name)
        if values is None:
            return object.__getattribute__(self, name)
        values.append(values.pop(0))
        return values[-1]


class Alike:
    """Equal to all others, though their hashes say that they are not."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Alike)

    def __hash__(self):
        return self.number

    def __repr__(self):
        return 'alike'


UNLISTED = (
    'the state has no moves but is not over (moves that cannot be listed are proposed, by '
    'Search(proposals=...): then give the check proposals=, too)'
)

FOUND = [
    *(
        ('a state has all members', Without(name), f'a position has no {name}')
        for name in ('player', 'moves', 'over', 'winner', 'play')
    ),
    ('moves are a tuple', Says(moves=[1, 2]), 'moves is a list: [1, 2]'),
    ('moves equal themselves', Says(moves=(1, float('nan'))), 'the move nan does not equal itself'),
    (
        'answers are stable',
        Turning('moves', (2, 1), (1, 2)),  # the first is asked for when the start is copied
        'reading the state twice gives moves (1, 2) and moves (2, 1)',
    ),
    (
        'answers are stable',
        Turning('winner', None, X),
        f'reading the state twice gives winner None and winner {X!r}',
    ),
    ('moves are unique', Says(moves=(1, 2, 3, 2)), 'the move 2 at 1 and at 3'),
    ('moves are unique', Says(moves=([1], [2], [1])), 'the move [1] at 0 and at 2'),
    ('moves are unique', Says(moves=(*range(SMALL), 0)), 'the move 0 at 0 and at 64'),
    (
        'moves are unique',
        Says(moves=(*([n] for n in range(70)), [7])),
        'the move [7] at 7 and at 70',
    ),
    ('moves are unique', Says(moves=(0, Alike(1), Alike(2))), 'the move alike at 1 and at 2'),
    # Among so many each is compared with each, and among more the hashes are believed.
    ('moves are unique', Says(moves=tuple(map(Alike, range(64)))), 'the move alike at 0 and at 1'),
    ('over is a bool', Says(over=0), 'over is 0'),
    ('over is a bool', Says(over=None), 'over is None'),
    ('two players', Says(player='X'), "player is 'X', not a Player"),
    (
        'no moves at the end',
        Says(over=True, moves=MANY),
        f'the state is over but has the moves {str(MANY)[:80]}...',
    ),
    ('no moves at the end', Says(moves=()), UNLISTED),
    ('no winner before the end', Says(winner=O), f'the state is not over but its winner is {O!r}'),
    ('the winner is a player', Says(over=True, winner='X'), "the winner is 'X'"),
    ('the winner is a player', Says(over=True, winner=0), 'the winner is 0'),
]


@pytest.mark.parametrize(('law', 'state', 'words'), FOUND, ids=count())
def test_each_law_s_violation_in_words(law, state, words):
    assert found(law, state) == words


RIGHT = [
    Says(),
    Says(player=O, moves=('a', 'b')),
    Says(over=True, moves=()),
    Says(over=True, moves=(), winner=X),
    Says(over=True, moves=(), winner=O),
    Says(moves=tuple(range(SMALL + 1))),
    Says(moves=([1], [2])),
]


@pytest.mark.parametrize('state', RIGHT, ids=count())
def test_correct_games_pass(state):
    assert {law.name: found(law.name, state) for law in QUICK} == dict.fromkeys(
        law.name for law in QUICK
    )


@pytest.mark.parametrize(
    ('law', 'state'),
    [
        ('moves are unique', Says(moves=tuple(map(Alike, range(65))))),
        ('no winner before the end', Says(over=True, moves=(), winner=X)),
        ('the winner is a player', Says(winner='X')),
    ],
    ids=count(),
)
def test_breaches_of_other_laws_are_ignored(law, state):
    assert found(law, state) is None
