"""Wrong games, each with one realistic mistake, and the law that it breaks.

`ZOO` is the list; documentation shows it.
"""

from typing import Any, NamedTuple

from zoo_of_answers import (
    DividesByNothing,
    GoesOn,
    HashOrder,
    Leading,
    ListOfMoves,
    MovesOnce,
    NeverFull,
    NotANumber,
    NoWinner,
    OverByCount,
    PlayerByNumber,
    Shuffled,
    Swapped,
    Twice,
    WinnerByName,
)
from zoo_of_play import (
    AfterTheEnd,
    AnythingGoes,
    Board,
    CountsTries,
    Dice,
    Endless,
    HidesInAFunction,
    OneClass,
    PlaysNothing,
    SharedHistory,
    SharedQueue,
    ThereAndBack,
    Unplayable,
    WrongError,
)
from zoo_of_states import (
    AllEqual,
    ByIdentity,
    CachedForAll,
    ComparesFields,
    ForgetsInCopies,
    HashOfIdentity,
    HoldsAFunction,
    HoldsALock,
    KeepsItsHash,
    NoHash,
    SideLeftOut,
)
from zoo_right import Heap, Noughts, X
from zoo_stated_twice import (
    Downwards,
    DrawsTooLittle,
    KeyOfAnother,
    LastMoverWins,
    NeverOver,
    NoPass,
    OffByOne,
    RulesOtherwise,
    SameKeys,
    colours_exchanged,
    mirrored,
    mirrored_move,
    read_left,
    same_move,
    write_left,
)


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
    Wrong(HashOrder(), PROCESS, 'moves are in the order of their hashes, as out of a set'),
    Wrong(PlayerByNumber(), 'two players', 'the player is 0 or 1'),
    Wrong(Dice(), 'no chance', 'a die is thrown in play'),
    Wrong(GoesOn(), 'no moves at the end', 'a line is made, and moves are offered as before', 5),
    Wrong(NeverFull(), 'no moves at the end', 'a full board without a line is not over', 9),
    Wrong(ListOfMoves(), 'moves are a tuple', 'moves are a list, which anybody may change'),
    Wrong(MovesOnce(), 'moves are a tuple', 'moves are a generator, empty when asked for again'),
    Wrong(Twice(), 'moves are unique', 'a move that can be made in two ways is listed twice'),
    Wrong(Leading(), 'no winner before the end', 'the winner is who leads, at any time', 7),
    Wrong(Shuffled(), 'answers are stable', 'moves depend on a counter of the module'),
    Wrong(NotANumber(), 'moves equal themselves', 'a move is NaN'),
    Wrong(WinnerByName(), 'the winner is a player', 'the winner is a text', 3),
    Wrong(OverByCount(), 'over is a bool', 'over is a number'),
    Wrong(
        DividesByNothing(), 'a state has all members', 'a member raises an error in some state', 2
    ),
    Wrong(NoWinner(), 'a state has all members', 'a member was forgotten'),
    Wrong(Board(), 'play is pure', 'play puts the stone on its own board'),
    Wrong(SharedHistory(), 'play is pure', 'all states share one list of what was played'),
    Wrong(SharedQueue(), 'play is pure', 'all states share one queue of the last moves'),
    Wrong(
        HidesInAFunction(), 'play is pure', 'a function that states share keeps what it is given'
    ),
    Wrong(Unplayable(), 'every move can be played', 'moves has one that play refuses', 1),
    Wrong(PlaysNothing(), 'every move can be played', 'play returns nothing'),
    Wrong(
        AnythingGoes(), 'illegal moves are refused', 'play does not look whether the cell is free'
    ),
    Wrong(
        WrongError(), 'illegal moves are refused', 'an illegal move raises the KeyError of a table'
    ),
    Wrong(CountsTries(), 'illegal moves are refused', 'a move that is refused leaves a trace'),
    Wrong(AfterTheEnd(), 'nothing is played after the end', 'play does not look at the end', 5),
    Wrong(Endless(), 'games end', 'nothing brings the end nearer'),
    Wrong(ThereAndBack(), 'states differ', 'a move undoes the one before it', 4),
    Wrong(OneClass(), 'a subclass stays itself', 'play names its own class'),
    Wrong(ByIdentity(), 'equal by value', 'states are compared as objects'),
    Wrong(HashOfIdentity(), 'hashed by value', 'equality is by value, and the hash is not'),
    Wrong(NoHash(), 'hashed by value', 'a class with __eq__ and without __hash__'),
    Wrong(AllEqual(), 'states differ', 'equality looks at the class alone', 1),
    Wrong(SideLeftOut(), 'equal states are alike', 'equality leaves out the side to move', 2),
    Wrong(ComparesFields(), 'states differ', 'equality takes everything for a state'),
    Wrong(HoldsAFunction(), 'states pickle', 'a state holds a lambda'),
    Wrong(HoldsALock(), 'states copy', 'a state holds a lock'),
    Wrong(KeepsItsHash(), PROCESS, 'a hash of text is kept, and pickled with the state', 1),
    Wrong(ForgetsInCopies(), 'states copy', 'a copy is made of the start', 1),
    Wrong(SameKeys(), 'keys are unique', 'the key does not depend on the move'),
    Wrong(
        KeyOfAnother(), 'the rules on integers agree', 'the key is of the position after the move'
    ),
    Wrong(
        RulesOtherwise(), 'the rules on integers agree', 'the two statements of the rules differ', 3
    ),
    Wrong(DrawsTooLittle(), 'the playout agrees', 'a forced move is not drawn'),
    Wrong(LastMoverWins(), 'the playout agrees', 'the playout forgets draws', 2),
    Wrong(
        Heap(),
        'text is read back',
        'the text has no side to move',
        1,
        {'text': (read_left(Heap), write_left)},
    ),
    Wrong(
        Noughts(),
        'the symmetry holds',
        'the mirror leaves out a row',
        0,
        {'symmetry': (mirrored, mirrored_move)},
    ),
    Wrong(
        Noughts(),
        'the colours are alike',
        'the side to move follows from the stones',
        0,
        {'colours': (colours_exchanged, same_move)},
    ),
    Wrong(
        Swapped(),
        'known games end so',
        'the winner is swapped',
        3,
        {'known': [((2, 2, 2), X)]},
    ),
    Wrong(Swapped(), 'same winner', 'the winner is swapped', 3, theirs=Heap()),
    Wrong(OffByOne(), 'same moves', 'a line is missing in a table', 5, theirs=Noughts()),
    Wrong(NoPass(), 'same player', 'sides take turns though one may move twice', 1, theirs=Heap()),
    Wrong(
        CachedForAll(),
        'same moves',
        'a cache of the class is keyed by too little',
        5,
        theirs=Noughts(),
    ),
    Wrong(NeverOver(), 'same end', 'the end was forgotten', 3, theirs=Heap()),
    Wrong(SameKeys(), 'same keys', 'the two name moves in two ways', 0, {'keys': True}, Heap()),
    Wrong(Downwards(), 'same moves', 'moves are listed in another order', 0, theirs=Heap()),
)
