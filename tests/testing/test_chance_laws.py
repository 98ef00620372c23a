"""A zoo of wrong games with chance or other players: each breaks its own law."""

import random

import pytest
from attrs import evolve, frozen

from fmcts import GameError, Player, Search, SplitMix, mcts, random_bot
from fmcts.game import illegal
from fmcts.games.chance import mnk3, pig
from fmcts.simulation import playout
from fmcts.testing import CHANCE_LAWS, check_bot, check_game, check_rules, check_search, same_game
from toy_games import Throw, propose
from zoo_declared import RACE_RULES, Aim, Race, RewardMissing, RulesTooHeavy, aimed
from zoo_right import PROCESS


def of(**members):
    """Return the start of a race in which something is otherwise."""
    return type('Wrong', (Race,), members)()


def checked(start, without=(PROCESS,), **told):
    return check_game(start, positions=60, games=3, max_plies=200, without=without, **told)


def test_the_correct_game_keeps_all_laws():
    passed = checked(Race(), without=()).unwrap()
    left_out = dict(passed.left_out)
    assert {*dict(passed.cases), *left_out} == {law.name for law in CHANCE_LAWS} | {
        'the playout agrees'
    }
    assert all(dict(passed.cases).values())
    asked = {*left_out} - {'the rules on integers agree', 'keys are unique', 'the playout agrees'}
    assert {left_out[law] for law in asked} - {'Race has no subclass'} == {'none was given'}


@pytest.mark.parametrize('start', [pig.start(12), mnk3.start(3, 3, 3)], ids=['pig', 'mnk3'])
def test_bots_and_searches_are_checked_in_such_games(start):
    """Positions behind dice are reached, and no law is broken by the checker itself."""
    assert check_bot(random_bot, start, positions=4).unwrap().total > 20
    engines = 'persistent', 'inplace'
    passed = check_search(Search(8), start, iterations=20, positions=2, engines=engines).unwrap()
    why = 'the game has chance, rewards or other players'
    assert ('more iterations play no worse', why) in passed.left_out


# ---- moves that are not listed ----

AIMING = Search(10, c=1.0, proposals=aimed)


def anywhere(_state, rng):
    return random.choice((0.5, -0.5)), rng  # noqa: S311 - the mistake


@pytest.mark.parametrize(
    ('bot', 'law', 'line'),
    [
        (anywhere, 'no global generator', 0),
        (lambda state, rng: (state.left * 1.5, rng), 'the move is legal', 0),
        (lambda state, rng: (0.5 if state.left > 1 else 3.5, rng), 'the move is legal', 2),
        (random_bot, 'a bot answers', 0),
    ],
)
def test_bots_that_propose_are_checked(bot, law, line):
    breach = check_bot(bot, Aim(), positions=8).failure()
    assert (breach.law, len(breach.line)) == (law, line)


def test_a_bot_that_proposes_rightly_keeps_all_laws():
    passed = check_bot(mcts(AIMING), Aim(), positions=9).unwrap()
    assert dict(passed.cases)['nothing is remembered'] == 9  # by up to three moves at each
    assert [law for law, _ in passed.left_out] == ['every engine plays the same']
    assert passed.extent.startswith('9 positions (the nearest, up to 2 plies from the start)')


def test_searches_that_propose_are_checked():
    engines = 'inplace', 'persistent'
    passed = check_search(AIMING, Aim(), engines=engines, iterations=30).unwrap()
    assert {*dict(passed.cases).values()} == {6}
    assert passed.extent.startswith('3 positions (the nearest, up to 1 ply from the start) and 3')
    wrong = evolve(AIMING, proposals=anywhere)
    breach = check_search(wrong, Aim(), engines=engines, iterations=30).failure()
    assert breach.law == 'a search draws from its generator alone'


def test_a_game_that_lists_no_moves_is_checked_as_far_as_it_can_be():
    breach = check_game(Aim(), without=[PROCESS]).failure()
    assert (breach.law, breach.others) == ('who is asked has a move', ())
    assert 'proposed, by Search(proposals=...)' in breach.found
    passed = check_game(Aim(), without=[PROCESS, breach.law]).unwrap()
    assert passed.extent == 'the start alone, which lists nothing to play'
    assert dict(passed.left_out)['games end'] == 'what can be played is not listed'


def die(rng):
    return rng.uniform(1, 9)


class Dice(Throw):
    chances = property(lambda self: die if callable(Throw.chances.fget(self)) else ())

    def play(self, move):
        return Dice((*self.line, move), self.long, dice=9, drawn=True)


def test_a_game_that_lists_no_moves_is_played_by_proposals():
    passed = check_game(Aim(), proposals=aimed).unwrap()
    assert passed.extent.startswith('40 positions (the nearest, up to 3 plies from the start)')
    assert dict(passed.cases)['the same in another process'] > 40
    assert not [law for law, why in passed.left_out if law in {'games end', PROCESS}]
    refusals = 'illegal moves are refused', 'nothing is played after the end'
    passed = check_game(
        Dice(long=4, dice=9, drawn=True), proposals=propose, without=[*refusals, PROCESS]
    ).unwrap()
    assert '(the nearest, up to 4 plies from the start)' in passed.extent


class Fading(Aim):
    """After two moves there is no `gained`, so the game has another kind of reward."""

    def play(self, move):
        after = Aim.play(self, move)
        return Fading(after.left, after.gained if after.left else None)


def test_what_breaks_at_a_proposed_move_is_found():
    breach = check_game(Fading(), proposals=aimed, without=[PROCESS]).failure()
    assert len(breach.line) == 3
    endless = check_game(Aim(left=30), proposals=aimed, without=[PROCESS], max_plies=20).failure()
    assert endless.law == 'games end'


def test_what_to_do_with_an_endless_game_is_said():
    endless = of(over=False, rewards=())
    found = checked(endless).failure()
    assert found.law == 'games end'
    assert "searched with a horizon, it need not be: without=['games end'], max_p" in found.found
    assert checked(endless, without=['games end', PROCESS]).unwrap()


# ---- two implementations of one game ----


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


@frozen
class Die:
    """A die is thrown once, and X wins if it shows 2."""

    sides: object
    shown: int = 0
    player = Player.X
    moves = ()
    over = property(lambda self: self.shown > 0)
    winner = property(lambda self: Player.X if self.shown == 2 else Player.O)
    chances = property(lambda self: () if self.over else self.sides)

    def play(self, move):
        return Die(self.sides, move)


@pytest.mark.parametrize(
    ('sides', 'message'),
    [
        (((1, 1), (1, 1)), 'has the move 1 twice among its chances'),
        (((1, True), (2, 1)), 'has the weight True for 1 among its chances'),
        (((1, 0), (2, 1)), 'has the weight 0 for 1 among its chances'),
        (((1, 1 << 64), (2, 1)), 'whose weights add up to 18446744073709551617'),
        ({1: 1, 2: 3}, r'has the chances \{1: 1, 2: 3\}: accepted is a tuple of pairs'),
    ],
)
def test_playouts_check_the_game_as_searches_do(sides, message):
    with pytest.raises(GameError, match=message):
        playout(Die(sides), SplitMix.from_seed(1))


def test_weights_may_fill_the_range_of_a_draw():
    sides = (1, 1), (2, (1 << 64) - 1)
    assert playout(Die(sides), SplitMix.from_seed(1))[0] is Player.X


# ---- rules on integers ----


class Failing(Race):
    """At the end a reward is looked up that is not there."""

    compiled = RACE_RULES
    rewards = property(lambda self: {4: ()}[self.throws + 1] if self.over else ())


class Missing(RewardMissing):
    compiled = RACE_RULES


class Nothing(Race):
    compiled = evolve(RACE_RULES, rewards=lambda _position, _player: None)


@pytest.mark.parametrize(
    ('start', 'words'),
    [
        (Failing(), 'rewards of the state raised KeyError: 5'),
        (Missing(), 'rewards of the state raised GameError: the game Missing has the rewards (1'),
        (Nothing(), 'rewards raised TypeError: float() argument must be'),
        (RulesTooHeavy(), 'chances gave 2147483649: accepted are up to 2**31 - 1'),
    ],
)
def test_the_check_of_rules_reports_what_goes_wrong(start, words):
    assert words in check_rules(start, plies=9).failure()


# ---- what a game is described by ----


@frozen
class Duel:
    """Each player throws a die with as many points as it has faces; the higher one wins."""

    thrown: tuple = ()
    weights: tuple = (1, 1, 1)
    turn: int = 0
    player = property(lambda self: Player.X if self.turn == 0 else Player.O)
    moves = ()
    over = property(lambda self: len(self.thrown) == 2)
    chances = property(lambda s: () if s.over else ((1, s.weights[0]), (2, 1), (3, s.weights[2])))
    rewards = property(
        lambda s: (1.0, 0.0) if s.over and s.thrown == (3, 1) else (0.5, 0.5) * s.over
    )

    def play(self, face):
        if self.over or type(face) is not int or face not in (1, 2, 3):
            raise illegal(self, face)
        return evolve(self, thrown=(*self.thrown, face), turn=1 - self.turn)


def turned(duel):
    """The die upside down: 3 for 1."""
    return evolve(duel, thrown=tuple(4 - face for face in duel.thrown))


def test_images_have_the_images_of_outcomes_and_their_rewards():
    faces = turned, lambda face: 4 - face
    loaded = checked(Duel(weights=(1, 1, 2)), symmetry=faces).failure()
    assert (loaded.law, loaded.line) == ('the symmetry holds', ())
    assert loaded.found.startswith('the images of the moves are ((3, 1), (2, 1), (1, 2)), and')
    breach = checked(Duel(), symmetry=faces).failure()
    assert (breach.law, breach.line) == ('the symmetry holds', (1, 3))
    assert breach.found == 'rewards is (1.0, 0.0) in the image, not (0.5, 0.5)'


def test_known_games_with_dice_end_with_their_rewards():
    line = 'throw', 1, 'throw', 2, 'throw', 2, 'throw', 2
    assert checked(Race(), known=[(line, (0.0, 1.0))]).unwrap()
    breach = checked(Race(), known=[(line, (1.0, 0.0))]).failure()
    assert (breach.law, breach.line) == ('known games end so', line)
