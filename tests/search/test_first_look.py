"""Games with chance or more players are detected before a search, by every engine."""

import itertools

import pytest
from attrs import evolve, field, frozen
from fmcts._agreement import first_look
from fmcts._agreement.first_look import check_play

from fmcts import GameError, Player, Search, SplitMix, analyse, trees
from fmcts._running.playouts import playouts
from fmcts.games import GAMES
from fmcts.solve import solve

RNG = SplitMix.from_seed(1)
ENGINES = ['auto', 'persistent', 'monadic', 'inplace']
GOAL = 6


def pig(**members):
    """The dice game Pig: its die, thrown inside of `play`, shows 1 to 6 in turn."""
    die = itertools.cycle(range(1, 7))

    @frozen
    class Pig:
        player: Player = Player.X
        turn: int = 0
        banked: tuple[int, int] = (0, 0)
        winner = property(lambda self: self.player.other if self.over else None)
        over = property(lambda self: max(self.banked) >= GOAL)
        moves = property(lambda self: () if self.over else ('roll', 'hold'))

        def play(self, move):
            if move == 'roll':
                shown = next(die)
                return evolve(self, turn=self.turn + shown) if shown > 1 else self.passed(0)
            return self.passed(self.turn)

        def passed(self, gained):
            mine, theirs = self.banked
            return evolve(self, player=self.player.other, turn=0, banked=(theirs, mine + gained))

    return type('Pig', (Pig,), members)()


CHANCE = (
    "the game Pig has chance: the move 'roll', played twice, gives two different states; expected "
    'a game whose play draws nothing, and whose states are equal after the same moves'
)


def ways(state, engine):
    """All that begins with a look at the game."""
    yield lambda: analyse(state, RNG, Search(100, solver=True), engine=engine)
    yield lambda: playouts(state, RNG, 3, engine=engine)
    yield lambda: solve(state, engine='auto')
    yield lambda: next(trees(state, RNG, Search()))


@pytest.mark.parametrize('engine', ENGINES)
def test_a_game_with_dice_is_refused(engine):
    for way in ways(pig(), engine):
        with pytest.raises(GameError) as refused:
            way()
        assert str(refused.value) == CHANCE


def test_randomness_in_incomparable_states_is_detected():
    """States that are compared as objects, or not at all."""

    def cannot(_self, _other):
        raise ValueError('which of the fields?')

    for members in (
        {'__eq__': object.__eq__, '__hash__': object.__hash__},
        {'__eq__': cannot, '__hash__': None},
    ):
        with pytest.raises(GameError, match='the game Pig has chance'):
            check_play(pig(**members))


@frozen
class Count:
    """One move a ply, for some plies; `movers` are those who move, in turn."""

    movers: tuple = (Player.X, Player.O)
    left: int = 4
    winner = None
    player = property(lambda self: self.movers[self.left % len(self.movers)])
    over = property(lambda self: not self.left)
    moves = property(lambda self: (0,) if self.left else ())

    def play(self, _move):
        return evolve(self, left=self.left - 1)


@pytest.mark.parametrize('engine', ENGINES)
@pytest.mark.parametrize('players', [(1, Player.X), (None, Player.X, Player.O), ('O', Player.X)])
def test_unknown_players_are_refused(players, engine):
    """At the root, or some plies later."""
    message = (
        f'the game Count has the player {players[0]!r}: accepted are Player.X and Player.O, as a '
        'game without `players` has two players'
    )
    for left in (len(players) * 2, len(players) * 2 + 1):
        for way in ways(Count(players, left), engine):
            with pytest.raises(GameError) as refused:
                way()
            assert str(refused.value) == message


@frozen
class Counted(Count):
    """The plies that are played are counted."""

    played: list = field(factory=list, eq=False)

    def play(self, move):
        self.played.append(self.left)
        return super().play(move)


def test_lines_are_checked_once_per_class_and_roots_each_time():
    class Fresh(Counted):
        pass

    for _ in range(2):
        state = Fresh(left=20)
        check_play(state)
        first, state = state.played, Fresh(left=20)
        check_play(state)
        assert state.played == [20, 20]
    assert len(first) == 2
    state = type('Again', (Counted,), {})(left=20)
    check_play(state)
    assert len(state.played) == 2 * first_look.PLIES + 2


def test_chance_at_a_later_root_is_detected():
    faces = itertools.count()

    class Late(Count):
        def play(self, move):
            after = super().play(move)
            return evolve(after, left=after.left - next(faces) % 2) if self.left == 50 else after

    check_play(Late(left=40))
    with pytest.raises(GameError, match='the game Late has chance'):
        check_play(Late(left=50))


@pytest.mark.parametrize('name', GAMES)
def test_correct_games_pass(name):
    state = GAMES[name].start
    while not state.over:
        check_play(state)
        state = state.play(state.moves[0])
    check_play(state)
