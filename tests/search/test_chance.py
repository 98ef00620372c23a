"""Games with chance and any number of players: every engine, against a naive transcription."""

from functools import partial

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import GameError, Player, Search, SplitMix, StdGen, analyse, reroot
from fmcts.errors import MethodError
from fmcts.games.chance import bearoff
from fmcts.solve import expectation
from tiers import usually
from toy_games import BY_CHANCE as STARTS
from transcription import Node, rows, rows_of, search as naive_search, ucb1

PYTHON = ('persistent', 'monadic', 'inplace')


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(sorted(STARTS)),
    st.integers(0, 2**32),
    st.integers(1, 80),
    st.sampled_from([0.5, 1.4]),
    st.sampled_from([SplitMix.from_seed, StdGen.from_seed]),
)
def test_every_engine_matches_the_transcription(name, seed, iterations, c, made):
    state, rng = STARTS[name], made(seed)
    search = Search(iterations, c=c)
    root, after = naive_search(Node(state), rng, iterations, partial(ucb1, c=c))
    for engine in PYTHON:
        found, next_rng = analyse(state, rng, search, engine=engine)
        assert rows_of(found.tree) == rows(root)
        assert next_rng == after


def test_reroot_past_a_chance_outcome():
    tree, rng = analyse(STARTS['pig'], SplitMix.from_seed(1), Search(200))
    after = reroot(reroot(tree, 'roll'), 4)
    assert after.state == STARTS['pig'].play('roll').play(4)
    assert after.visits > 1
    more, _ = analyse(after.state, rng, Search(50), tree=after)
    assert more.iterations == after.visits + 50
    unknown = reroot(reroot(analyse(STARTS['pig'], rng, Search(1))[0], 'roll'), 6)
    assert (unknown.visits, unknown.state.turn) == (0, 6)


@pytest.mark.parametrize('name', usually(['mnk3', 'puzzle'], ['bearoff', 'mnk3', 'puzzle']))
def test_the_best_move_is_found(name):
    """The value of the move that is chosen is the best there is, exactly."""
    state = STARTS[name]
    if name == 'mnk3':
        state = state.play(0).play(3).play(4).play(1).play(5)
    solved = expectation(state)
    chosen = analyse(state, SplitMix.from_seed(3), Search(1500, c=0.7))[0].move
    mine = getattr(state, 'players', (Player.X, Player.O)).index(state.player)
    assert solved.table[state.play(chosen)][mine] == solved.values[mine]


def test_an_evaluator_returns_a_number_per_player():
    state, rng = STARTS['mnk3'], SplitMix.from_seed(1)
    search = Search(20, evaluate=lambda _state: (0.25, 0.5, 0.75))
    assert analyse(state, rng, search)[0].value == 0.25
    with pytest.raises(MethodError, match='must return a tuple of 3 numbers from 0 to 1'):
        analyse(state, rng, Search(20, evaluate=lambda _state: 0.5))


REFUSED = {
    'solver': {'solver': True},
    'closing': {'closing': True},
    'rollout_expand': {'rollout_expand': True},
    'the schedule shot': {'schedule': 'shot'},
    'the selection rule BayesUCT1': {'selection': 'bayes-uct1'},
}


@pytest.mark.parametrize('what', REFUSED)
@pytest.mark.parametrize('engine', PYTHON)
def test_unsupported_options_are_refused_by_name(what, engine):
    with pytest.raises(MethodError, match=f'^{what}.* is not supported in a game with chance'):
        analyse(STARTS['pig'], SplitMix.from_seed(1), Search(10, **REFUSED[what]), engine=engine)


@pytest.mark.parametrize(
    ('what', 'options'),
    [
        ('the selection rule Baeldung, which marks lost ends,', {'selection': 'baeldung'}),
        ('reward', {'reward': lambda _state: 0.5}),
        ('the playout decisive', {'playout': 'decisive'}),
    ],
)
def test_options_for_a_single_value_are_refused_with_rewards(what, options):
    with pytest.raises(MethodError, match=f'^{what}.* is not supported in a game with rewards'):
        analyse(STARTS['mnk3'], SplitMix.from_seed(1), Search(10, **options))


def test_a_chance_state_cannot_be_the_root():
    for engine in (*PYTHON, 'auto'):
        with pytest.raises(GameError, match=r"^it is chance's turn in this state of BearOff: "):
            analyse(bearoff.start(3), SplitMix.from_seed(1), Search(5), engine=engine)


# ---- games that break a promise ----


@frozen
class Coin:
    """X tosses a coin and wins by a 1."""

    stage: int = 0
    tossed: int = 0
    player = Player.X
    moves = property(lambda self: ('toss',) if self.stage == 0 else ())
    chances = property(lambda self: ((0, 1), (1, 1)) if self.stage == 1 else ())
    over = property(lambda self: self.stage == 2)
    winner = property(lambda self: (Player.X if self.tossed else Player.O) if self.over else None)

    def play(self, move):
        return type(self)(self.stage + 1, move if self.stage else 0)


WRONG = {
    'the weight 0': {'chances': property(lambda s: ((0, 0), (1, 1)) if s.stage == 1 else ())},
    'the weight 0.5': {'chances': property(lambda s: ((0, 0.5), (1, 1)) if s.stage == 1 else ())},
    'the move 0 twice among': {'chances': property(lambda s: ((0, 1), (0, 1)) * (s.stage == 1))},
    'has the chances': {'chances': property(lambda s: (0, 1) if s.stage == 1 else ())},
    'both moves and chances': {'moves': property(lambda s: ('toss',) if s.stage < 2 else ())},
    'is over but has chances': {'over': property(lambda s: s.stage >= 1)},
    'has no moves but is not over': {'chances': ()},
    'has the player': {'players': ('A', 'B')},
    r'has the players \(\)': {'players': ()},
    'accepted is a tuple of 1 to 256 different': {'players': (Player.X, Player.X)},
    'has the rewards': {'rewards': property(lambda s: (1.0,) if s.over else ())},
    'has the winner': {'winner': property(lambda s: 'nobody' if s.over else None)},
}


@pytest.mark.parametrize('engine', PYTHON)
@pytest.mark.parametrize('message', WRONG)
def test_invalid_games_are_refused_in_one_line(message, engine):
    kind = type('Coin', (Coin,), WRONG[message])
    with pytest.raises(GameError, match=message) as refused:
        analyse(kind(), SplitMix.from_seed(1), Search(20), engine=engine)
    assert '\n' not in str(refused.value)


def test_errors_inside_a_member_propagate():
    kind = type('Coin', (Coin,), {'rewards': property(lambda s: s.no_such_field)})
    for asked in (expectation, lambda state: analyse(state, SplitMix.from_seed(1), Search(5))):
        with pytest.raises(AttributeError, match='no_such_field'):
            asked(kind())


@pytest.mark.parametrize(
    ('members', 'message'),
    [
        (
            {'players': property(lambda s: ((Player.X, Player.O), ('a', Player.X))[s.stage > 0])},
            'all',
        ),
        ({'player': property(lambda s: Player.X if s.stage == 0 else 'z')}, "has the player 'z'"),
    ],
)
def test_exact_values_check_the_players(members, message):
    with pytest.raises(GameError, match=message):
        expectation(type('Coin', (Coin,), members)())
