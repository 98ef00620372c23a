"""Wrong games, each with one realistic mistake, and the law that it breaks.

`ZOO` is the list; documentation shows it.
"""

from typing import Any, NamedTuple

import zoo_of_answers as answers
import zoo_of_play as playing
import zoo_of_states as states
import zoo_stated_twice as twice
from zoo_right import Heap, Noughts, X


class Wrong(NamedTuple):
    """A wrong game, the law that is named for what is wrong with it, and how it comes about."""

    start: Any
    law: str
    why: str
    line: int = 0
    told: dict = {}  # noqa: RUF012 - nobody changes it
    theirs: Any = None

    @property
    def name(self):
        return type(self.start).__name__


PROCESS = 'the same in another process'
ZOO = (
    Wrong(answers.HashOrder(), PROCESS, 'moves are in the order of their hashes, as out of a set'),
    Wrong(answers.PlayerByNumber(), 'two players', 'the player is 0 or 1'),
    Wrong(playing.Dice(), 'no chance', 'a die is thrown in play'),
    Wrong(
        answers.GoesOn(),
        'no moves at the end',
        'a line is made, and moves are offered as before',
        5,
    ),
    Wrong(answers.NeverFull(), 'no moves at the end', 'a full board without a line is not over', 9),
    Wrong(answers.ListOfMoves(), 'moves are a tuple', 'moves are a list, which anybody may change'),
    Wrong(
        answers.MovesOnce(),
        'moves are a tuple',
        'moves are a generator, empty when asked for again',
    ),
    Wrong(
        answers.Twice(), 'moves are unique', 'a move that can be made in two ways is listed twice'
    ),
    Wrong(answers.Leading(), 'no winner before the end', 'the winner is who leads, at any time', 7),
    Wrong(answers.Shuffled(), 'answers are stable', 'moves depend on a counter of the module'),
    Wrong(answers.NotANumber(), 'moves equal themselves', 'a move is NaN'),
    Wrong(answers.WinnerByName(), 'the winner is a player', 'the winner is a text', 3),
    Wrong(answers.OverByCount(), 'over is a bool', 'over is a number'),
    Wrong(
        answers.DividesByNothing(),
        'a state has all members',
        'a member raises an error in some state',
        2,
    ),
    Wrong(answers.NoWinner(), 'a state has all members', 'a member was forgotten'),
    Wrong(playing.Board(), 'play is pure', 'play puts the stone on its own board'),
    Wrong(playing.SharedHistory(), 'play is pure', 'all states share one list of what was played'),
    Wrong(playing.SharedQueue(), 'play is pure', 'all states share one queue of the last moves'),
    Wrong(
        playing.HidesInAFunction(),
        'play is pure',
        'a function that states share keeps what it is given',
    ),
    Wrong(playing.Unplayable(), 'every move can be played', 'moves has one that play refuses', 1),
    Wrong(playing.PlaysNothing(), 'every move can be played', 'play returns nothing'),
    Wrong(
        playing.AnythingGoes(),
        'illegal moves are refused',
        'play does not look whether the cell is free',
    ),
    Wrong(
        playing.WrongError(),
        'illegal moves are refused',
        'an illegal move raises the KeyError of a table',
    ),
    Wrong(
        playing.CountsTries(), 'illegal moves are refused', 'a move that is refused leaves a trace'
    ),
    Wrong(
        playing.AfterTheEnd(), 'nothing is played after the end', 'play does not look at the end', 5
    ),
    Wrong(playing.Endless(), 'games end', 'nothing brings the end nearer', told={'positions': 30}),
    Wrong(playing.ThereAndBack(), 'states differ', 'a move undoes the one before it', 4),
    Wrong(playing.OneClass(), 'a subclass stays itself', 'play names its own class'),
    Wrong(states.ByIdentity(), 'equal by value', 'states are compared as objects'),
    Wrong(states.HashOfIdentity(), 'hashed by value', 'equality is by value, and the hash is not'),
    Wrong(states.NoHash(), 'hashed by value', 'a class with __eq__ and without __hash__'),
    Wrong(states.AllEqual(), 'states differ', 'equality looks at the class alone', 1),
    Wrong(
        states.SideLeftOut(), 'equal states are alike', 'equality leaves out the side to move', 2
    ),
    Wrong(states.ComparesFields(), 'states differ', 'equality takes everything for a state'),
    Wrong(states.HoldsAFunction(), 'states pickle', 'a state holds a lambda'),
    Wrong(states.HoldsALock(), 'states copy', 'a state holds a lock'),
    Wrong(states.KeepsItsHash(), PROCESS, 'a hash of text is kept, and pickled with the state', 1),
    Wrong(states.ForgetsInCopies(), 'states copy', 'a copy is made of the start', 1),
    Wrong(twice.SameKeys(), 'keys are unique', 'the key does not depend on the move'),
    Wrong(
        twice.KeyOfAnother(),
        'the rules on integers agree',
        'the key is of the position after the move',
    ),
    Wrong(
        twice.RulesOtherwise(),
        'the rules on integers agree',
        'the two statements of the rules differ',
        3,
    ),
    Wrong(twice.DrawsTooLittle(), 'the playout agrees', 'a forced move is not drawn'),
    Wrong(twice.LastMoverWins(), 'the playout agrees', 'the playout forgets draws', 2),
    Wrong(
        Heap(),
        'text is read back',
        'the text has no side to move',
        1,
        {'text': (twice.read_left(Heap), twice.write_left)},
    ),
    Wrong(
        Noughts(),
        'the symmetry holds',
        'the mirror leaves out a row',
        0,
        {'symmetry': (twice.mirrored, twice.mirrored_move)},
    ),
    Wrong(
        Noughts(),
        'the colours are alike',
        'the side to move follows from the stones',
        0,
        {'colours': (twice.colours_exchanged, twice.same_move)},
    ),
    Wrong(
        answers.Swapped(),
        'known games end so',
        'the winner is swapped',
        3,
        {'known': [((2, 2, 2), X)]},
    ),
    Wrong(answers.Swapped(), 'same winner', 'the winner is swapped', 3, theirs=Heap()),
    Wrong(twice.OffByOne(), 'same moves', 'a line is missing in a table', 5, theirs=Noughts()),
    Wrong(
        twice.NoPass(),
        'same player',
        'sides take turns though one may move twice',
        1,
        theirs=Heap(),
    ),
    Wrong(
        states.CachedForAll(),
        'same moves',
        'a cache of the class is keyed by too little',
        5,
        theirs=Noughts(),
    ),
    Wrong(twice.NeverOver(), 'same end', 'the end was forgotten', 3, theirs=Heap()),
    Wrong(
        twice.SameKeys(), 'same keys', 'the two name moves in two ways', 0, {'keys': True}, Heap()
    ),
    Wrong(twice.Downwards(), 'same moves', 'moves are listed in another order', 0, theirs=Heap()),
)
