"""The different ways to break each law are reported in different words."""

import sys
import types
from itertools import count

import pytest
from attrs import evolve, field, frozen

from fmcts import Player
from fmcts.games import tictactoe
from fmcts.testing import check_game
from fmcts.testing._laws import games_elsewhere
from right_games import AsAttrs, MovesWithoutHash
from zoo_of_answers import Swapped
from zoo_right import PROCESS, Heap, Noughts
from zoo_stated_twice import write_left

NUMBERS = count()
X, O = Player  # noqa: E741 - the player's name


@frozen
class ChangesTheFirst(Heap):
    """Every state knows the first one, and writes there what was played."""

    first: list = field(factory=list, eq=False)

    def play(self, move):
        after = super().play(move)
        if self.left < 6:
            self.first.append(move)
        return after


class OtherWinnerOnceAsked(Heap):
    asked = set()  # noqa: RUF012 - that is the fault

    def play(self, move):
        self.asked.add(self.left)
        return super().play(move)

    player = property(lambda self: O if self.left in self.asked else X)

    def __init__(self, left=6, player=X):  # noqa: ARG002 - `evolve` gives it
        object.__setattr__(self, 'left', left)


class NeverEqual(Heap):
    __eq__ = lambda self, other: self is other or self.left == 6  # noqa: E731
    __hash__ = Heap.__hash__


class OtherChildHash(Heap):
    __eq__ = Heap.__eq__
    __hash__ = lambda self: next(NUMBERS) if self.left < 6 else 6  # noqa: E731


class ManyLists(MovesWithoutHash):
    moves = property(
        lambda self: tuple([step] for step in (*range(70), 3)) if self.steps == 0 else ()
    )


class CopiesAsAnother(Heap):
    def __deepcopy__(self, _):
        return Heap(self.left, self.player) if self.left < 6 else evolve(self)


class CopiesTheSide(Heap):
    def __deepcopy__(self, _):
        return evolve(self, player=X)


class HashOfCopies(Heap):
    __eq__ = Heap.__eq__
    __hash__ = lambda self: hash((self.left, id(self) if self.left < 6 else 0))  # noqa: E731


class ListKeys(Heap):
    def key(self, move):
        return [move]


class KeysThatChange(Heap):
    def key(self, move):
        return move, next(NUMBERS)


class PlayoutForTheOther(Heap):
    def playout(self, draw):
        state = self
        while not state.over:
            state = state.play(state.moves[draw(len(state.moves))])
        return state.player


class RaisesInPlayout(Heap):
    def playout(self, _draw):
        raise LookupError('no cells')


def nothing(value):
    return value


def other_player(state):
    return evolve(state, player=state.player.other)


def read(text):
    left, player = text.split()
    return Heap(int(left), Player[player])


def write(heap):
    return f'{heap.left} {heap.player}'


FACES = [
    (ChangesTheFirst(), {}, 'play is pure', 'ChangesTheFirst.first'),
    (
        OtherWinnerOnceAsked(),
        {},
        'play is pure',
        "player <Player.X: 'X'> and player <Player.O: 'O'>",
    ),
    (NeverEqual(), {}, 'equal by value', 'played twice, gives states that are not equal: twice'),
    (OtherChildHash(), {}, 'hashed by value', 'played twice, gives states with different hashes'),
    (ManyLists(), {}, 'moves are unique', 'the move [3] at 3 and at 70'),
    (CopiesAsAnother(), {}, 'states copy', 'the copied state is a Heap, not a CopiesAsAnother'),
    (CopiesTheSide(), {}, 'states copy', "have player <Player.O: 'O'> and player <Player.X: 'X'>"),
    (ListKeys(), {}, 'keys are unique', 'the key of 1 is [1], which has no hash'),
    (KeysThatChange(), {}, 'keys are unique', 'and asked again it is another'),
    (PlayoutForTheOther(), {}, 'the playout agrees', 'by playout'),
    (RaisesInPlayout(), {}, 'the playout agrees', 'raised LookupError: no cells'),
    (Heap(), {'text': (read, lambda heap: heap.left)}, 'text is read back', 'the text is 6'),
    (Heap(), {'text': (tictactoe.parse, write)}, 'text is read back', 'its text is not read again'),
    (Noughts(), {'text': (lambda _: AsAttrs(), str)}, 'text is read back', 'have moves'),
    (
        Heap(),
        {'text': (read, lambda heap: write(heap) + ' ' * next(NUMBERS))},
        'text is read back',
        'is written as',
    ),
    (Heap(), {'symmetry': (other_player, nothing)}, 'the symmetry holds', 'in the image'),
    (
        Heap(),
        {'symmetry': (nothing, lambda move: 3 - move)},
        'the symmetry holds',
        'is not the image after the image',
    ),
    (Heap(), {'symmetry': (nothing, abs)}, None, ''),
    (
        Heap(),
        {'symmetry': (nothing, lambda move: move + 1)},
        'the symmetry holds',
        'are (2, 3), and',
    ),
    (
        Heap(),
        {'known': [((2, 9), X)]},
        'known games end so',
        'continues with 9, which is not legal',
    ),
    (Heap(), {'known': [((2, 2), X)]}, 'known games end so', 'is over here, and the state is not'),
    (Swapped(), {'known': [((2, 2, 2), O)]}, None, ''),
]


@pytest.mark.parametrize(
    ('game', 'told', 'law', 'words'),
    FACES,
    ids=[f'{number}-{type(face[0]).__name__}' for number, face in enumerate(FACES)],
)
def test_each_kind_of_breach(game, told, law, words):
    result = check_game(game, positions=10, games=2, without=[PROCESS], **told)
    if law is None:
        assert result.unwrap().total > 100
    else:
        breach = result.failure()
        assert breach.law == law, str(breach)
        assert words in breach.found


def test_text_that_loses_information_is_detected():
    told = (lambda text: Heap(int(text.split()[0])), write_left)
    breach = check_game(Heap(), text=told, without=[PROCESS]).failure()
    assert breach.found.startswith("the state and the one read from '4 left' have player")


# The other process.


def why(start):
    return dict(check_game(start, positions=2, games=0).unwrap().left_out)[PROCESS]


def test_a_module_unknown_to_another_process(monkeypatch):
    module = types.ModuleType('made_up_here')
    module.Heap = type('Heap', (Heap,), {'__module__': 'made_up_here'})
    monkeypatch.setitem(sys.modules, 'made_up_here', module)
    assert why(module.Heap()) == (
        "another process failed: ModuleNotFoundError: No module named 'made_up_here'"
    )


@frozen
class WithFunction(Noughts):
    rule: object = field(default=lambda: None, eq=False)


def test_a_start_that_does_not_pickle():
    passed = check_game(WithFunction(), positions=2, games=0, without=['states pickle']).unwrap()
    assert 'the start cannot be pickled: it raised' in dict(passed.left_out)[PROCESS]


@pytest.mark.parametrize(
    ('answer', 'words'),
    [
        ('raised KeyError', 'in another process the state raised KeyError'),
        (((O, (1, 2), False, None), Heap()), 'whose hashes of text differ, states have player'),
        (((X, (1, 2), False, None), Heap(5)), 'comes back from another process as Heap(left=5'),
        (((X, (1, 2), False, None), Heap()), None),
    ],
    ids=count(),
)
def test_answers_of_another_process_are_compared(answer, words, monkeypatch):
    monkeypatch.setattr(games_elsewhere, '_answers', lambda cases: [[answer] * len(cases)])
    result = check_game(Heap(), positions=1, games=0)
    if words is None:
        assert dict(result.unwrap().cases)[PROCESS] == 1
    else:
        assert words in result.failure().found
