"""Compiled games with chance and other players equal the Python engines to the bit.

Two games are compiled, each for one search: the bear-off, between X and O with weights and a
winner, by PUCT with priors; and a race of three with an even die and rewards, by UCB1. The rules of
the other games are compared with their states without compiling them.
"""

import pickle
from functools import partial
from itertools import islice
from typing import NamedTuple

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse, mcts, playouts
from fmcts.errors import EndlessGameError, EngineError, GameError
from fmcts.game import chances_of
from fmcts.games import CHANCE_GAMES, find_game
from fmcts.games.chance import bearoff
from fmcts.games.from_rules import make_game
from fmcts.history import history
from fmcts.rules import IntegerRules, OnPositions, rules_of
from fmcts.search.methods import PUCT, UCB1
from fmcts.search.policies import AntiDecisive, Mixture, Uniform
from fmcts.testing import check_game, check_rules
from fmcts.testing._laws.rules import Disagreement, walk
from tiers import exhaustive, usually

PYTHON = ('persistent', 'monadic', 'inplace')


class Race(NamedTuple):
    """Three runners: how far each has come, whose turn it is, and the turns that are left."""

    a: int
    b: int
    c: int
    turns: int
    running: int


def menu(position):
    if position.running:
        return 0b1110
    return 0b11 if position.turns else 0


def play(position, move):
    a, b, c, turns, running = position
    if not running:
        return Race(a, b, c, turns, 1) if move else Race(a, b, c, turns - 1, 0)
    if turns % 3 == 0:
        a += move
    elif turns % 3 == 1:
        b += move
    else:
        c += move
    return Race(a, b, c, turns - 1, 0)


def chances(position):
    return 3 if position.running else 0


def side(position):
    return position.turns % 3


def rewards(position, player):
    far = (position.a, position.b, position.c)[player]
    return far / (position.a + position.b + position.c + 1)


race = make_game(
    'race',
    Race(0, 0, 0, 5, 0),
    IntegerRules(menu=menu, play=play, side=side, chances=chances, players=3, rewards=rewards),
    players=('red', 'green', 'blue'),
)
STARTS = {'bearoff': bearoff.start(3).play((2, 1)), 'race': race.start}


def leaning(position, move):
    return (1 + (move + position.side) % 3) / 4


METHODS = {'bearoff': partial(PUCT, prior=OnPositions(leaning)), 'race': UCB1}


@pytest.mark.parametrize('name', usually(['race'], STARTS))
def test_compiled_histories_equal_python(name):
    search = Search(300, selection=METHODS[name]())
    one, two = (
        history(STARTS[name], SplitMix.from_seed(1), search, engine)
        for engine in ('compiled', 'persistent')
    )
    assert (one, one.log) == (two, two.log)
    if not search.method.names:  # what is in the log
        assert one.log.digest(120) == two.at(120).digest
    assert str(one.why(120)) == str(two.why(120))


def nodes(tree):
    return [tree, *(node for child in tree.children for node in nodes(child))]


@settings(max_examples=20, deadline=None)
@pytest.mark.parametrize(('name', 'method'), [*METHODS.items(), exhaustive(('bearoff', UCB1))])
@given(
    seed=st.integers(0, 2**32),
    iterations=st.integers(1, 150),
    c=st.sampled_from([0.5, 1.4]),
    max_nodes=st.sampled_from([None, 9, 60]),
    engine=st.sampled_from(PYTHON),
)
def test_compiled_searches_equal_python(name, method, seed, iterations, c, max_nodes, engine):
    """Priors also in nodes where chance moves, whose outcomes have none."""
    state, rng = STARTS[name], SplitMix.from_seed(seed)
    search = Search(iterations, selection=method(c=c), max_nodes=max_nodes)
    one, after = analyse(state, rng, search, engine=engine)
    two, other = analyse(state, rng, search, engine='compiled')
    assert (two, other) == (one, after)
    assert [it.columns for it in nodes(two.tree)] == [it.columns for it in nodes(one.tree)]
    assert (two.digest, two.stats, two.value) == (one.digest, one.stats, one.value)
    assert pickle.loads(pickle.dumps(two.tree)) == one.tree  # noqa: S301 - its own
    crossed = [
        analyse(state, after, search, tree=tree, engine=other_engine)
        for tree, other_engine in ((one, 'compiled'), (two, engine), (two, 'compiled'))
    ]
    assert crossed[0] == crossed[1] == crossed[2]


def test_root_moves_bots_and_playouts_equal_python():
    for name, state in STARTS.items():
        after = state.play(state.moves[-1])
        after = after.play(chances_of(after)[-1][0])
        rng, search = SplitMix.from_seed(5), Search(50, selection=METHODS[name]())
        one, two = (
            analyse(after, rng, search, engine=it, root_moves=after.moves[:1])
            for it in ('inplace', 'compiled')
        )
        assert one == two
        bots = [mcts(search, engine=it)(after, rng) for it in ('inplace', 'compiled')]
        assert bots[0] == bots[1]
    state, rng = STARTS['bearoff'], SplitMix.from_seed(2)
    assert playouts(state, rng, 200, engine='inplace') == playouts(
        state, rng, 200, engine='compiled'
    )
    with pytest.raises(EndlessGameError, match='not over after 3 plies'):
        playouts(state, rng, 9, engine='compiled', max_plies=3)


@pytest.mark.parametrize(
    ('share', 'fault'),
    [
        (lambda position: (position.a / 9) * position.a / 30, None),
        (lambda position: position.b * 2654435761**2 % 7 / 14, ' compiled, '),  # beyond 64 bits
    ],
)
def test_compiled_rewards_compute_as_python(share, fault):
    def shares(position, player):
        return share(position) if player else 1 - 2 * share(position)

    changed = evolve(rules_of(race.start), rewards=shares)
    found = check_rules(
        make_game('shares', race.start.position, changed, players=(0, 1, 2)).start, plies=2_000
    )
    assert found.failure().count(fault) if fault else found.unwrap() == 2_000


@pytest.mark.parametrize('checkers', usually([15], [3, 15]))
def test_check_rules_accepts_bear_off(checkers):
    """The race with other rewards is accepted above."""
    start = bearoff.start(checkers).play((2, 1))
    assert check_rules(start, plies=300).unwrap() == 300


def test_the_race_keeps_the_laws():
    assert check_game(race.start, positions=30, games=3).unwrap().total > 300


@pytest.mark.parametrize(
    ('wrong', 'message'),
    [
        ({'chances': lambda p: 8 * p.running}, 'give 8 for `chances`, but the weights .* up to 3'),
        ({'side': lambda p: p.turns % 4}, 'give side 3: accepted are 0 to 2, for 3 players'),
        ({'chances': lambda _: None}, 'give None for `chances`, but the weights .* up to'),
        ({'rewards': lambda _p, _player: '1'}, "has the rewards \\('1', '1', '1'\\): accepted is"),
    ],
)
def test_contradictory_rules_are_refused_in_python_too(wrong, message):
    rules = evolve(type(race.start).compiled, **wrong)
    start = make_game('wrong', Race(0, 0, 0, 5, 0), rules, players=('r', 'g', 'b')).start
    with pytest.raises(GameError, match=message):
        analyse(start, SplitMix.from_seed(1), Search(40), engine='inplace')
    assert message[:8] in str(check_game(start, positions=20, games=2).failure())


NAMED = (*('bearoff:2', 'bearoff', 'pig:30', '2048:2', '2048', 'mnk3:3,3,3', 'mnk3:5,4,4'),)


@pytest.mark.parametrize('name', [*NAMED, exhaustive('2048:3')])
def test_the_library_s_rules_agree_with_their_states(name):
    state = find_game(name).unwrap().start
    plies = list(islice(walk(state, rules_of(state), SplitMix.from_seed(1)), 150))
    assert len(plies) == 150


def test_all_chance_games_have_rules_on_integers():
    assert all(rules_of(find_game(name).unwrap().start) for name in CHANCE_GAMES)
    start = find_game('mnk3:9,9,5').unwrap().start
    with pytest.raises(EngineError, match='does not support Three, which declares no rules'):
        analyse(start, SplitMix.from_seed(1), Search(5), engine='compiled')


WRONG = {
    'the number of players': {'players': 2},
    'whether there are chances': {'chances': None},
    'whether there are rewards': {'rewards': None, 'winner': lambda _position: 0},
    'chances, the sum of the weights': {'chances': lambda p: 6 if p.running else 0},
    'the weight of move number 1': {'weight': lambda _p, outcome: (1, 3, 1)[outcome - 1]},
    'the reward of player 0': {'rewards': lambda _position, player: 1.0 if player else 0.5},
    'the side to move': {'side': lambda position: (position.turns + 1) % 3},
}


@pytest.mark.parametrize('message', WRONG)
def test_rules_that_disagree_with_states_are_reported(message):
    wrong = evolve(rules_of(race.start), **WRONG[message])
    with pytest.raises(Disagreement, match=message):
        list(islice(walk(race.start, wrong, SplitMix.from_seed(1)), 100))


def test_an_evaluator_in_a_game_with_rewards_is_refused_by_name():
    message = 'the engine compiled does not support evaluate in games with rewards or other players'
    search = Search(5, evaluate=OnPositions(menu))
    with pytest.raises(EngineError, match=message):
        analyse(race.start, SplitMix.from_seed(1), search, engine='compiled')


@pytest.mark.parametrize(
    'playout', ['decisive', Mixture((AntiDecisive(), Uniform()), (0.75, 0.25))], ids=str
)
@pytest.mark.parametrize('engine', ['inplace', 'persistent'])
def test_policies_look_ahead_in_games_with_dice(playout, engine):
    """Where chance moves nothing is chosen, and no move wins at once for certain."""
    state, rng = bearoff.start(3).play((2, 1)), SplitMix.from_seed(4)
    search = Search(60, playout=playout)
    one, after = analyse(state, rng, search, engine=engine)
    two, other = analyse(state, rng, search, engine='compiled')
    assert (two.digest, two.stats, other) == (one.digest, one.stats, after)


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({}, r'must have winner\(position\), rewards or gained'),
        ({'winner': side, 'players': 0}, 'players must be a whole number from 1 to 64'),
        ({'winner': side, 'weight': side}, r'with a weight must have chances\(position\)'),
        ({'winner': side, 'rewards': rewards}, 'or rewards.*, not both'),
    ],
)
def test_incomplete_rules_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        IntegerRules(menu=menu, play=play, side=side, **given)


def test_the_number_of_players_must_match_the_rules():
    with pytest.raises(ValueError, match='players must be 3 different values'):
        make_game('race', race.start.position, race.start.compiled, players=('one', 'two'))
