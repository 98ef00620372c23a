"""Games with dice and for one or three players: laws, and exact values from other sources."""

import itertools
import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from fmcts import GameError, Player, Search, SplitMix, mcts, monte_carlo, play_game, random_bot
from fmcts.errors import EndlessGameError
from fmcts.games import CHANCE_GAMES, find_game
from fmcts.games.chance import bearoff, mnk3, pig, tiles
from fmcts.matches import match, replay, seatings
from fmcts.record import play_seats
from fmcts.rules import rules_of
from fmcts.solve import check_expectation, expectation
from fmcts.testing import check_game

SMALL = ('pig:8', 'bearoff:2', '2048:2', 'mnk3:3,3,3')


@pytest.mark.parametrize('name', SMALL)
def test_all_laws_hold(name):
    assert check_game(find_game(name).unwrap().start, positions=40, games=4).unwrap().total > 400


# ---- Pig ----


def pig_values(target: int, nearly: float = 1e-9) -> np.ndarray:
    """The chances of whoever moves, by points, the other's points and the turn's.

    T. Neller and C. Presser, "Optimal play of the dice game Pig" (2004), equation (1).
    """
    wins = np.zeros((target, target, target + 6))
    own = np.arange(target)[:, None]
    for _ in range(600):
        before = wins[:, :, 0].copy()
        lost = 1 - before.T
        for turn in range(target - 1, -1, -1):
            ahead = np.zeros((target, target))
            for face in range(2, 7):
                done = own + turn + face >= target
                ahead += np.where(done, 1.0, wins[:, :, min(turn + face, target + 5)])
            rolled = (lost + ahead) / 6
            held = np.ones((target, target))
            held[: target - turn] = 1 - before[:, turn:].T
            wins[:, :, turn] = np.maximum(rolled, held) if turn else rolled
        if np.abs(wins[:, :, 0] - before).max() < nearly:
            break
    return wins


@pytest.mark.exhaustive
def test_the_first_player_wins_53_06_percent_of_pig():
    """The published share, at the target of the rules."""
    assert round(100 * pig_values(100, 1e-7)[0, 0, 0], 2) == 53.06


def test_pig_has_the_published_values():
    """Value iteration over the states of the class itself, against the arrays."""
    target = 5
    start = pig.start(target)
    after, values = {}, {}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here not in after:
            options = [face for face, _ in here.chances] or here.moves
            after[here] = [here.play(option) for option in options]
            values[here] = float(here.winner is Player.X) if here.over else 0.5
            waiting += after[here]
    for _ in range(150):
        for state, below in after.items():
            if below and state.rolling:
                values[state] = sum(values[each] for each in below) / 6
            elif below:
                best = max if state.player is Player.X else min
                values[state] = best(values[each] for each in below)
    assert abs(values[start] - pig_values(target)[0, 0, 0]) < 1e-7


def test_pig_is_refused_because_positions_repeat():
    with pytest.raises(EndlessGameError, match='a position of Pig can come again'):
        expectation(pig.start(6))


# ---- expectations ----


def bearing_off(home, other):
    """The chance of the side to roll, by recursion over homes, written from the rules."""

    @cache
    def wins(home, other):
        total = Fraction(0)
        for dice in itertools.product(range(1, 7), repeat=2):
            best = Fraction(0)
            orders = {dice, dice[::-1]} if dice[0] != dice[1] else {dice * 2}
            for order in orders:
                best = max(best, go(home, other, order))
            total += best
        return total / 36

    def go(home, other, dice):
        if not home:
            return Fraction(1)
        if not dice:
            return 1 - wins(other, home)
        die, rest, best = dice[0], dice[1:], Fraction(0)
        for checker in set(home):
            if checker >= die or (checker == max(home) and checker < die):
                left = list(home)
                left.remove(checker)
                if checker > die:
                    left.append(checker - die)
                best = max(best, go(tuple(sorted(left)), other, rest))
        return best

    return wins(tuple(sorted(home)), tuple(sorted(other)))


def home_of(checkers):
    return tuple(checkers.count(point) for point in range(1, 7))


@pytest.mark.parametrize(
    ('mine', 'other'), [((6, 2), (1, 1, 4)), ((5, 3), (6, 5)), ((6, 6), (3, 3))]
)
def test_bear_off_equals_a_recursion(mine, other):
    found = expectation(bearoff.BearOff(home_of(mine), home_of(other)))
    assert found.values[0] == bearing_off(mine, other)
    assert check_expectation(found) == len(found.table)


def test_bear_off_rules_on_integers_equal_its_states():
    """All homes of up to two checkers and drawn ones, by every roll; the moves in order."""
    draw = random.Random(3)  # noqa: S311 - of a test
    homes = [home for home in itertools.product(range(3), repeat=6) if 0 < sum(home) < 3]
    homes += [home_of([draw.randint(1, 6) for _ in range(count)]) for count in (3, 4, 5, 9, 15)]
    for home in homes:
        for roll, _ in bearoff.ROLLS:
            state = bearoff.BearOff(home, home, Player.O, roll)
            menu = rules_of(state).menu(rules_of(state).pack(state))
            places = sorted({0, menu.number // 2, menu.number - 1})
            found = [rules_of(state).pick(menu, place) for place in places]
            assert menu.number == len(state.moves)
            for place, move in zip(places, found, strict=True):
                after = state.play(state.moves[place])
                assert rules_of(state).pack(after).o == move


def test_three_players_equal_max_n_by_recursion():
    """Max^n by plain recursion over boards as text, on all boards after some moves."""

    @cache
    def values(state):
        if state.over:
            winner = state.winner
            return (
                (Fraction(1, 3),) * 3
                if winner is None
                else tuple(Fraction(int(it == winner)) for it in 'ABC')
            )
        mine = 'ABC'.index(state.player)
        return max((values(state.play(move)) for move in state.moves), key=lambda row: row[mine])

    draw = random.Random(5)  # noqa: S311 - of a test
    for _ in range(6):
        state = mnk3.start(3, 3, 3)
        for _ in range(4):
            state = state.play(draw.choice(state.moves))
        found = expectation(state)
        assert all(
            abs(one - two) < 1e-15 for one, two in zip(found.values, values(state), strict=True)
        )
        assert check_expectation(found) == len(found.table)


def test_a_wrong_value_is_detected():
    found = expectation(bearoff.BearOff(home_of((2, 1)), home_of((3,))))
    for state in list(found.table)[:5]:
        wrong = dict(found.table)
        wrong[state] = (wrong[state][0] + Fraction(1, 7), wrong[state][1])
        with pytest.raises(GameError, match='the value of'):
            check_expectation(type(found)(found.start, wrong))
    lacking = dict(found.table)
    del lacking[next(state for state in found.table if state.over)]
    with pytest.raises(GameError, match='lacks a state'):
        check_expectation(type(found)(found.start, lacking))


# ---- rules ----


def test_tiles_are_merged_once():
    board = tiles.Tiles(4, (1, 1, 1, 1, 2, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0))
    assert board.play('left').cells == (2, 2, 0, 0, 3, 3, 0, 0) + (0,) * 8
    assert board.play('right').cells == (0, 0, 2, 2, 0, 0, 3, 3) + (0,) * 8
    assert board.moves == ('left', 'right', 'down')
    assert tiles.Tiles(2, (1, 2, 2, 1)).over


def test_pig_holds_only_with_points():
    begin = pig.start(10)
    assert begin.moves == ('roll',)
    turn = begin.play('roll').play(6)
    assert turn.moves == ('roll', 'hold')
    assert turn.play('roll').play(4).moves == ('hold',)


@pytest.mark.parametrize('name', [*CHANCE_GAMES, *SMALL])
def test_games_are_found_and_their_text_round_trips(name):
    game = find_game(name).unwrap()
    state, rng = game.start, SplitMix.from_seed(2)
    for _ in range(8):
        options = [outcome for outcome, _ in getattr(state, 'chances', ())] or state.moves
        if not options:
            break
        index, rng = rng.uniform(0, len(options) - 1)
        assert game.read_move(state, game.format_move(options[index])).unwrap() == options[index]
        state = state.play(options[index])
        assert game.format(state)


# ---- games between bots ----


def test_both_bots_face_the_same_dice():
    """What is drawn by chance does not depend on what bots draw."""

    def dice_of(first, second):
        record, _ = play_game(bearoff.start(4), first, second, SplitMix.from_seed(9))
        assert replay(record).unwrap().moves == record.moves
        return record.moves[::2]

    one = dice_of(random_bot, random_bot)
    two = dice_of(monte_carlo(12), random_bot)
    assert all(dice == other for dice, other in zip(one, two, strict=False))


def test_a_match_with_dice_does_not_depend_on_workers_and_replays():
    bots = mcts(Search(20)), random_bot
    result = match(*bots, pig.start(15), games=6, rng=SplitMix.from_seed(1))
    assert result.wins + result.losses == 6
    assert all(replay(game).unwrap().winner is game.winner for game in result.games)
    pair = result.games[:2]
    assert pair[0].rng_in == pair[1].rng_in


def test_games_by_seats():
    record, rng = play_seats(tiles.start(2), [mcts(Search(20))], SplitMix.from_seed(1))
    assert record.final.over
    assert rng == record.rng_out
    with pytest.raises(GameError, match='has 3 players, and 2 bots play'):
        play_game(mnk3.start(), random_bot, random_bot, SplitMix.from_seed(1))
    with pytest.raises(GameError, match=r'use fmcts\.matches\.seatings'):
        match(random_bot, random_bot, mnk3.start(), games=2, rng=SplitMix.from_seed(1))
    result = seatings([random_bot] * 3, mnk3.start(3, 3, 3), rounds=3, rng=SplitMix.from_seed(1))
    assert len(result.records) == 18
    assert abs(sum(result.means) - 1) < 1e-12
    assert result.orders[:6] == tuple(itertools.permutations(range(3)))
