"""A zoo of wrong games with chance or other players: each breaks its own law."""

import itertools

import pytest
from attrs import field, frozen

from fmcts import GameError, Player, Search, SplitMix, monte_carlo, random_bot
from fmcts.game import illegal
from fmcts.games.chance import mnk3, pig
from fmcts.simulation import playout
from fmcts.testing import CHANCE_LAWS, check_bot, check_game, check_search, same_game


@frozen
class Race:
    """Two players throw a die of two sides in turn, twice each; more points win."""

    points: tuple = (0, 0)
    throws: int = 0
    rolling: bool = False
    players = (Player.X, Player.O)
    sides = ((1, 1), (2, 3))
    player = property(lambda self: self.players[self.throws % 2])
    over = property(lambda self: self.throws == 4)
    chances = property(lambda self: self.sides if self.rolling else ())
    moves = property(lambda self: () if self.over or self.rolling else ('throw',))

    @property
    def rewards(self):
        if not self.over:
            return ()
        x, o = self.points
        return (0.5, 0.5) if x == o else (1.0, 0.0) if x > o else (0.0, 1.0)

    def play(self, move):
        if self.rolling and type(move) is int and move in (1, 2):
            x, o = self.points
            points = (x, o + move) if self.throws % 2 else (x + move, o)
            return type(self)(points, self.throws + 1)
        if move not in self.moves:
            raise illegal(self, move)
        return type(self)(self.points, self.throws, rolling=True)


thrown = itertools.count()


def hidden(self, move):
    """Throw a die inside `play`."""
    after = Race.play(self, move)
    return type(self)((after.points[0] + next(thrown), 0), after.throws, after.rolling)


def endless(self, move):
    """Throw for ever."""
    Race.play(self, move)
    return type(self)(rolling=not self.rolling)


def lenient(self, move):
    """Take anything for a throw."""
    return Race.play(self, 'throw' if not self.rolling and not self.over else move)


class Locked(Race):
    """States that no pickle reads back as they were."""

    def __reduce__(self):
        return Locked, ((9, 9), 0, False)


def of(**members):
    """Return the start of a race in which something is otherwise."""
    return type('Wrong', (Race,), members)()


PLAYERS, CHANCES = 'players are the same everywhere', 'chances are outcomes with weights'
ZOO = {
    'rewards come and go': (
        type('Other', (Race,), {'play': lambda _self, _move: Bare()})(),
        'a state has all members',
    ),
    'the players change': (
        of(players=property(lambda s: (Player.X, Player.O)[:: -1 if s.throws == 2 else 1])),
        PLAYERS,
    ),
    'somebody else is to move': (
        of(player=property(lambda s: 'Z' if s.rolling else Player.X)),
        PLAYERS,
    ),
    'a weight of zero': (of(sides=((1, 0), (2, 3))), CHANCES),
    'a weight that is not whole': (of(sides=((1, 0.5),)), CHANCES),
    'an outcome twice': (of(sides=((1, 1), (1, 1))), CHANCES),
    'moves where chance moves': (
        of(moves=property(lambda s: () if s.over else ('throw',))),
        CHANCES,
    ),
    'a player who is asked and has no move': (
        of(moves=property(lambda s: () if s.over or s.rolling or s.throws % 2 else ('throw',))),
        'who is asked has a move',
    ),
    'a move twice': (
        of(moves=property(lambda s: () if s.over or s.rolling else ('throw', 'throw'))),
        'moves are unique and end with the game',
    ),
    'an outcome that cannot be played': (
        of(sides=((1, 1), (7, 1))),
        'every move and outcome can be played',
    ),
    'dice inside play': (of(play=hidden), 'nothing is drawn inside play'),
    'a reward missing': (
        of(rewards=property(lambda s: (1.0,) if s.over else ())),
        'ends have rewards',
    ),
    'rewards before the end': (of(rewards=property(lambda _self: (0.5, 0.5))), 'ends have rewards'),
    'no end': (of(play=endless, over=False), 'games end'),
    'anything is a move': (of(play=lenient), 'what cannot be played is refused'),
    'a pickle of something else': (Locked(), 'a state can be pickled'),
}


@frozen
class Bare:
    """A state without chances, players and rewards."""

    player = Player.X
    moves = ()
    over = True
    winner = None

    def play(self, move):
        raise illegal(self, move)


def checked(start, **told):
    return check_game(start, positions=60, games=3, max_plies=200, **told)


def test_the_correct_game_keeps_all_laws():
    passed = checked(Race()).unwrap()
    assert dict(passed.cases).keys() == {law.name for law in CHANCE_LAWS}
    assert all(dict(passed.cases).values())


@pytest.mark.parametrize('name', ZOO)
def test_each_wrong_game_breaks_its_law(name):
    start, law = ZOO[name]
    assert checked(start).failure().law == law


def test_every_law_has_a_wrong_game():
    caught = {law for _, law in ZOO.values()} | {'play changes nothing'}
    assert caught == {law.name for law in CHANCE_LAWS}


@frozen
class Writing(Race):
    """`play` writes to the state itself."""

    said: list = field(factory=list, eq=False, hash=False)
    winner = property(lambda self: len(self.said) if self.over else tuple(self.said) or None)

    def play(self, move):
        self.said.append(move)
        return Race.play(self, move)


def test_a_state_that_play_changes_is_caught():
    breach = checked(Writing()).failure()
    assert 'play changes nothing' in {breach.law, *(it.law for it in breach.others)}


def test_the_line_is_the_shortest():
    late = of(sides=property(lambda s: ((1, 1), (2, 0)) if s.throws == 1 else ((1, 1), (2, 3))))
    assert checked(late).failure().line == ('throw', 1, 'throw')


def test_unsupported_arguments_are_refused():
    with pytest.raises(ValueError, match='symmetry is not supported in a game with chance'):
        checked(Race(), symmetry=(lambda state: state, lambda move: move))
    with pytest.raises(ValueError, match='there is no law'):
        checked(Race(), without=['no such law'])


def test_invariants_and_laws_left_out():
    broken = checked(Race(), invariants={'low': lambda state: state.points[0] < 4})
    assert broken.failure().law == 'low'
    passed = checked(Race(), without=['games end']).unwrap()
    assert passed.left_out == (('games end', 'it was not asked for'),)


@pytest.mark.parametrize('start', [pig.start(12), mnk3.start(3, 3, 3)], ids=['pig', 'mnk3'])
def test_bots_and_searches_are_checked_in_such_games(start):
    """Positions behind dice are reached, and no law is broken by the checker itself."""
    assert check_bot(random_bot, start, positions=4).unwrap().total > 20
    engines = 'persistent', 'inplace'
    passed = check_search(Search(8), start, iterations=20, positions=2, engines=engines).unwrap()
    why = 'the game has chance, rewards or other players'
    assert ('more iterations play no worse', why) in passed.left_out


# ---- two implementations of one game ----


class Loaded(pig.Pig):
    @property
    def chances(self):
        return tuple((face, weight + (face == 6)) for face, weight in super().chances)


class Kind(Race):
    rewards = property(lambda self: (0.5, 0.5) if self.over else ())


@pytest.mark.parametrize(
    ('mine', 'theirs', 'law', 'line'),
    [
        (pig.start(4), Loaded(4), 'same chances', ('roll',)),
        (pig.start(4), pig.start(5), 'same moves', ('roll', 4)),
        (Race(), Kind(), 'same rewards', ('throw', 1, 'throw', 1, 'throw', 1, 'throw', 2)),
    ],
)
def test_different_games_with_dice_are_distinguished(mine, theirs, law, line):
    breach = same_game(mine, theirs, positions=200, games=5).failure()
    assert (breach.law, breach.line) == (law, line)


def test_equal_games_with_dice_are_the_same_beyond_the_first_roll():
    passed = same_game(pig.start(6), pig.start(6), games=0).unwrap()
    assert passed.extent.endswith('positions (all) and 0 in 0 longer games')
    assert passed.total > 1000
    faces = {face: face + 10 for face in range(1, 7)}
    other = same_game(pig.start(6), Renumbered(pig.start(6)), moves=lambda it: faces.get(it, it))
    assert other.unwrap().total > 1000


@frozen
class Renumbered:
    """Pig with the faces 11 to 16."""

    inner: pig.Pig
    player = property(lambda self: self.inner.player)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)
    winner = property(lambda self: self.inner.winner)

    @property
    def chances(self):
        return tuple((face + 10, weight) for face, weight in self.inner.chances)

    def play(self, move):
        return Renumbered(self.inner.play(move if isinstance(move, str) else move - 10))


@pytest.mark.parametrize('bot', [random_bot, monte_carlo(5)])
def test_bots_refuse_chance_states(bot):
    with pytest.raises(GameError, match='chance moves in this state of Pig: play one of its out'):
        bot(pig.start().play('roll'), SplitMix.from_seed(1))


def test_a_playout_refuses_weights_below_1():
    class Weightless(pig.Pig):
        @property
        def chances(self):
            return tuple((face, weight - (face == 6)) for face, weight in super().chances)

    with pytest.raises(GameError, match='has the weight 0 for 6 among its chances'):
        playout(Weightless(8), SplitMix.from_seed(1))


@pytest.mark.parametrize(
    ('members', 'message'),
    [
        ({'sides': ((1, 1), (1, 1))}, 'has the move 1 twice among its chances'),
        ({'sides': ((1, True), (2, 1))}, 'has the weight True for 1 among its chances'),
        ({'sides': ((1, 1 << 64), (2, 1))}, 'whose weights add up to 18446744073709551617'),
        ({'sides': {1: 1, 2: 3}}, r'has the chances \{1: 1, 2: 3\}: accepted is a tuple of pairs'),
        ({'rewards': (1.0,)}, r'has the rewards \(1.0,\)'),
    ],
)
def test_playouts_check_the_game_as_searches_do(members, message):
    with pytest.raises(GameError, match=message):
        playout(of(**members), SplitMix.from_seed(1))


def test_weights_may_fill_the_range_of_a_draw():
    assert playout(of(sides=((1, 1), (2, (1 << 64) - 1))), SplitMix.from_seed(1))[0] is None
