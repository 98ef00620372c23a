"""`check_game`: correct games break no law, and lines to breaches are the shortest."""

import itertools
from collections import deque
from pathlib import Path

import pytest
from attrs import evolve, field, frozen
from hypothesis import given, settings
from returns.result import Success

from fmcts import Player, SplitMix
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.rng import thaw
from fmcts.testing import GAME_LAWS, Drawn, check_game, games, same_game
from fmcts.testing._drawn import game_by
from tiers import usually
from toy_games import play_line
from zoo_games import Dice, OneClass
from zoo_right import PROCESS, RIGHT, AsAttrs, Heap, Noughts

HERE = {'without': [PROCESS]}
ROOT = Path(__file__).parent.parent.parent


def mirror(state):
    """Connect Four with its columns in the other order."""

    def flipped(discs):
        return sum((discs >> 7 * column & 0b1111111) << 7 * (6 - column) for column in range(7))

    return evolve(state, x=flipped(state.x), o=flipped(state.o))


@pytest.mark.parametrize('name', usually(['tictactoe', 'connect4'], GAMES))
def test_the_library_s_games_keep_all_laws(name):
    game = GAMES[name]
    symmetry = {'connect4': {'symmetry': (mirror, lambda move: 6 - move)}}.get(name, {})
    passed = check_game(game.start, text=(game.parse, game.format), **symmetry).unwrap()
    looked = {law for law, count in passed.cases if count}
    assert looked | {law for law, _ in passed.left_out} == {law.name for law in GAME_LAWS}
    left_out = {
        'known games end so',
        'keys are unique',
        'the symmetry holds',
        'the colours are alike',
    }
    out = {law for law, _ in passed.left_out} - {'a subclass stays itself'}  # as others have made
    assert out == left_out - (
        {'keys are unique', 'the symmetry holds'} if name == 'connect4' else set()
    )


@pytest.mark.parametrize(
    'right',
    usually(lambda right: type(right.start).__name__ not in {'Wide', 'Long'}, RIGHT),
    ids=lambda right: type(right.start).__name__,
)
def test_no_law_fails_a_correct_game(right):
    passed = check_game(right.start, **HERE, **right.told).unwrap()
    assert passed.total > 20
    names = dict(passed.left_out)
    for told, law in [('text', 'text is read back'), ('symmetry', 'the symmetry holds')]:
        assert (law in names) == (told not in right.told)


def test_a_correct_game_is_the_same_in_another_process():
    passed = check_game(AsAttrs()).unwrap()
    assert dict(passed.cases)[PROCESS] > 20
    assert PROCESS not in dict(passed.left_out)


@settings(max_examples=25)
@given(games())
def test_drawn_games_keep_all_laws(game):
    assert isinstance(check_game(game, games=3, positions=40, **HERE), Success)
    assert isinstance(same_game(game, game, games=1), Success)


# The shortest line, against a search of its own.


@frozen
class Planted(Drawn):
    """A drawn game that is wrong at some positions."""

    wrong: frozenset = field(default=frozenset(), kw_only=True)

    over = property(lambda self: self.at in self.wrong or not self.moves)


def nearest(game):
    """The fewest moves to a position that is wrong, by looking at all."""
    waiting, met = deque([(game.at, 0)]), set()
    while waiting:
        at, plies = waiting.popleft()
        if at in game.wrong and game.graph.after[at]:
            return plies
        if at not in met:
            met.add(at)
            waiting.extend((after, plies + 1) for after in game.graph.after[at])
    return None


@pytest.mark.parametrize('seed', usually(range(10), range(40)))
def test_the_line_to_a_planted_fault_is_the_shortest(seed):
    game = game_by(thaw(SplitMix.from_seed(seed)).draw, 30)
    running = [at for at, after in enumerate(game.graph.after) if after]
    wrong = frozenset(at for at in running if at % 4 == seed % 4 and at)
    planted = Planted(game.graph, wrong=wrong)
    result = check_game(planted, positions=5, games=30, without=[PROCESS])
    plies = nearest(planted)
    if plies is None:
        assert isinstance(result, Success)
    else:
        breach = result.failure()
        assert (breach.law, len(breach.line)) == ('no moves at the end', plies)
        state = play_line(planted, breach.line)
        assert state.at in wrong


# What is told, and what is refused.


def test_the_start_is_not_modified():
    """A game that changes its states is told, and the user's own start stays as it was."""

    class Moved:
        player, winner = Player.X, None
        moves, over = (1,), False

        def __init__(self):
            self.played = []

        def play(self, move):
            self.played.append(move)
            return self

    start = Moved()
    assert check_game(start).failure().law == 'play is pure'
    assert start.played == []


def test_skipped_laws_are_reported():
    class Local(Noughts):
        pass

    passed = check_game(Local(), games=1, positions=2, without=['states differ']).unwrap()
    reasons = dict(passed.left_out)
    assert reasons['states differ'] == 'it was not asked for'
    assert reasons['text is read back'] == 'none was given'
    assert 'Local is not a name in a module' in reasons['states pickle']
    assert 'another process cannot import' in reasons[PROCESS]
    assert 'not looked at: ' in str(passed)
    assert not set(reasons) & set(dict(passed.cases))


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'max_plies': 'many'}, "max_plies must be a whole number of at least 1, not 'many'"),
        ({'without': ['purity']}, "there is no law 'purity': the laws are a state has"),
        ({'text': (1, 2)}, 'text must be two functions, not (1, 2)'),
        ({'symmetry': (len,)}, 'symmetry must be two functions, not (<built-in function len>,)'),
        ({'without': 'purity'}, "without must be a list of names of laws, not 'purity'"),
        ({'known': 3}, 'known must be a list of pairs, each of the moves of a game and its winner'),
    ],
)
def test_invalid_arguments_are_refused(given, message):
    with pytest.raises(ValueError) as told:  # noqa: PT011 - the message is compared
        check_game(tictactoe.start, **given)
    assert str(told.value).startswith(message)


def test_a_start_where_the_game_is_over_is_reported():
    over = play_line(tictactoe.start, (0, 3, 1, 4, 2))
    passed = check_game(over, **HERE).unwrap()
    assert passed.extent == 'the start alone, which lists nothing to play'


@pytest.mark.parametrize('thing', [3, None, 'text', object(), lambda: None])
def test_values_that_are_not_games_break_the_first_law(thing):
    assert check_game(thing).failure().law == 'a state has all members'


SCRIPT = """
from attrs import frozen, evolve
from fmcts import Player
from fmcts.game import illegal
from fmcts.testing import check_game

@frozen
class Letters:
    left: str = 'abcdefgh'
    player: Player = Player.X
    moves = property(lambda self: tuple(sorted(self.left, key=hash)))
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, left=self.left.replace(move, ''), player=self.player.other)

result = check_game(Letters(), positions=20, games=0)
print('once')
print(result)
"""


def test_a_game_in_a_script_is_checked_in_another_process(run_python, tmp_path):
    """Its definitions are, without the rest; what asks there starts no more processes."""
    script = tmp_path / 'letters.py'
    script.write_text(SCRIPT)
    done = run_python(str(script), check=True, cwd=ROOT)
    once, told = done.stdout.splitlines()
    assert once == 'once'
    assert told.startswith(f'<Failure: {PROCESS}, at the start: here and in another process')


def test_same_game_accepts_another_notation():
    """All 5,478 positions of tic-tac-toe, and the moves written in another way."""
    written = {cell: cell for cell in range(9)}
    passed = same_game(Noughts(), tictactoe.start, moves=written, games=1).unwrap()
    assert dict(passed.cases)['same winner'] > 5478
    keyed = same_game(connect4.start, connect4.start, keys=True, positions=50, games=2).unwrap()
    assert dict(keyed.cases)['same keys'] > 50


def test_the_watch_receives_the_progress():
    told = []
    check_game(tictactoe.start, positions=10, games=3, watch=told.append, **HERE)
    assert told == sorted(set(told))
    assert told[0] == 1
    assert told[-1] > 13


HALF = """
from attrs import evolve, frozen
from fmcts import Player
from fmcts.game import illegal

@frozen
class Heap:
    left: int = 4
    player: Player = Player.X
    moves = property(lambda self: (1, 2)[: self.left])
    over = property(lambda self: self.left == 0)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        if self.left > 4:
            return self
        return evolve(self, left=self.left - move, player=self.player.other)
"""


def test_the_lines_that_never_ran_are_named(run_python, tmp_path):
    (tmp_path / 'half.py').write_text(HALF)
    program = (
        'from fmcts.testing import check_game; from half import Heap; '
        'passed = check_game(Heap(), coverage=True, games=2).unwrap(); print(passed.never_run)'
    )
    found = run_python('-c', program, cwd=tmp_path, check=True).stdout
    assert found == 'half.py: line 18, one way only from line 17\n'


# ---- chance, invariants, and which breach is told ----


X, O = Player  # noqa: E741 - the player's name


# Chance.


class DiceByIdentity(Dice):
    """States are compared as objects."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class DiceWithoutHash(Dice):
    __eq__ = Dice.__eq__
    __hash__ = None


@pytest.mark.parametrize('kind', [Dice, DiceByIdentity, DiceWithoutHash])
def test_randomness_is_reported_as_chance(kind):
    """And neither on hashing nor on equality."""
    breach = check_game(kind()).failure()
    assert (breach.law, breach.line, breach.others) == ('no chance', (), ())
    assert breach.found.startswith("played again, 'roll' leads to another state: ")
    assert breach.expected.endswith('`play` draws no dice and no cards.')


def test_later_randomness_is_reported_as_chance():
    faces = itertools.count()

    class Later(Heap):
        def play(self, move):
            after = super().play(move)
            return evolve(after, player=[X, O][next(faces) % 2]) if after.left == 2 else after

    assert check_game(Later(), **HERE).failure().law == 'no chance'


# What is told of a game.


def at_most_six(heap):
    assert heap.left <= 6


def whose(heap):
    return 'O has two' if heap.left == 2 and heap.player is O else None


def test_an_invariant_is_a_separate_law():
    told = {'counters': lambda heap: heap.left >= 0, 'six': at_most_six}
    passed = check_game(Heap(), invariants=told, **HERE).unwrap()
    assert dict(passed.cases)['invariant counters'] > 50
    assert dict(passed.cases)['invariant six'] > 50
    for holds, words, line in (
        (lambda heap: heap.left != 3, 'it gives False', 2),
        (lambda heap: 1 // (heap.left - 4) < 9, 'raised ZeroDivisionError: ', 1),
        (whose, 'O has two', 3),
    ):
        breach = check_game(Heap(), invariants={'it': holds}, **HERE).failure()
        assert breach.law == 'invariant it'
        assert breach.found.startswith(words)
        assert len(breach.line) == line
    without = ['invariant six', PROCESS]
    passed = check_game(Heap(), invariants=told, without=without).unwrap()
    assert dict(passed.left_out)['invariant six'] == 'it was not asked for'


@pytest.mark.parametrize('given', [[len], {'one': 1}, 3])
def test_invariants_other_than_functions_are_refused(given):
    with pytest.raises(
        ValueError, match='invariants must be a mapping from names to functions of a state'
    ):
        check_game(Heap(), invariants=given)


def itself(value):
    return value


# Which breach is told.


class WrongWinnerAndMore(Heap):
    """The winner is wrong, illegal moves raise another error, and it is of one class."""

    winner = property(lambda self: self.player if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise ValueError('no such move')
        after = Heap.play(self, move)
        return WrongWinnerAndMore(after.left, after.player)


def test_the_most_important_breach_comes_first_with_the_others():
    breach = check_game(WrongWinnerAndMore(), known=[((2, 2, 2), X)], **HERE).failure()
    assert (breach.law, breach.line) == ('known games end so', (2, 2, 2))
    assert [other.law for other in breach.others] == [
        'illegal moves are refused',
        'nothing is played after the end',
    ]
    assert str(breach).endswith(
        ' Also broken: illegal moves are refused, nothing is played after the end.'
    )
    assert 'raised ValueError: no such move; raise IllegalMoveError' in breach.others[0].found


def test_a_class_without_subclasses_may_name_itself():
    """A right game, whose `play` builds its class by name."""

    class Alone(OneClass):
        def play(self, move):
            after = super().play(move)
            return Alone(after.left, after.player)

    passed = check_game(Alone(), **HERE).unwrap()
    assert dict(passed.left_out)['a subclass stays itself'] == 'Alone has no subclass'


# Two games.


def test_comparisons_can_be_extended_or_reduced():
    two = Noughts()

    def stones(state):
        return sum(cell is not None for cell in state.cells)

    def none(_state):
        return 0

    passed = same_game(two, two, compare={'stones': stones}, positions=50, games=1).unwrap()
    assert dict(passed.cases)['same stones'] > 50
    pair = {'stones': (stones, none)}
    breach = same_game(two, two, compare=pair, positions=50, games=1).failure()
    assert (breach.law, breach.line) == ('same stones', (0,))
    assert breach.found == 'stones is 1 in mine and 0 in theirs'
    passed = same_game(
        two, two, compare=pair, without=['same stones', 'same player'], positions=9, games=1
    ).unwrap()
    assert {law for law, _ in passed.left_out} == {'same stones', 'same player', 'same keys'}
