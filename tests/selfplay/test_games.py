"""Self-play: concurrent games equal sequential ones."""

import hashlib
import threading
from typing import NamedTuple

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.game import Player, reward
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import IntegerRules, OnPositions
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.selfplay import Noise, as_arrays, improved_policy, root_of, self_play
from fmcts.selfplay.draws import by_visits, with_noise
from fmcts.testing import generators


def network(states):
    rows, values = [], []
    for state in states:
        number = int.from_bytes(hashlib.blake2b(str(state).encode(), digest_size=4).digest(), 'big')
        rows.append([(number >> move) % 7 + 1.0 for move in state.moves])
        values.append(number / 2**32)
    return rows, values


def one_after_another(start, rng, search, games, noise, temperature, drawn_plies):
    """What `self_play` promises, said by `analyse`: moves, visits and generator of each game."""
    found = []
    for number in range(games):
        state, own, moves, visits = start, rng.child(number), [], []
        while not state.over:
            root = root_of(state, search)
            if noise is not None:
                root, own = with_noise(root, own, alpha=noise.alpha, share=noise.share)
            analysis, own = analyse(state, own, search, tree=root, engine='persistent')
            move = analysis.move
            if drawn_plies is None or len(moves) < drawn_plies:
                move, own = by_visits(analysis.stats, own, temperature)
            moves.append(move)
            visits.append(tuple(row.visits for row in analysis.stats))
            state = state.play(move)
        found.append((tuple(moves), tuple(visits), state.winner, own))
    return found


@given(
    rng=generators(),
    iterations=st.integers(1, 20),
    batch=st.integers(1, 8),
    games=st.integers(1, 5),
    together=st.none() | st.integers(1, 5),
    noise=st.none() | st.builds(Noise, st.floats(0.1, 2.0), st.floats(0.0, 1.0)),
    temperature=st.sampled_from([0.0, 0.5, 1.0]),
    drawn_plies=st.none() | st.integers(0, 4),
    solver=st.booleans(),
)
@settings(max_examples=25)
def test_concurrent_games_equal_sequential_ones(  # noqa: PLR0913, PLR0917 - all that is drawn
    rng, iterations, batch, games, together, noise, temperature, drawn_plies, solver
):
    search = Search(iterations, network=network, batch=batch, solver=solver)
    played = self_play(
        tictactoe.start,
        rng,
        search,
        games=games,
        together=together,
        noise=noise,
        temperature=temperature,
        drawn_plies=drawn_plies,
    )
    assert [(it.moves, it.visits, it.winner, it.rng) for it in played] == one_after_another(
        tictactoe.start, rng, search, games, noise, temperature, drawn_plies
    )


@given(
    rng=generators(),
    iterations=st.integers(1, 20),
    batch=st.integers(1, 4),
    together=st.none() | st.integers(1, 3),
    noise=st.none() | st.just(Noise(0.5)),
)
@settings(max_examples=6)
def test_gumbel_games_play_the_moves_of_their_searches(rng, iterations, batch, together, noise):
    schedule = GumbelHalving(considered=4)
    search = Search(iterations, network=network, batch=batch, selection=Gumbel(), schedule=schedule)
    options = {'games': 3, 'together': together, 'noise': noise}
    for number, game in enumerate(self_play(tictactoe.start, rng, search, **options)):
        own = rng.child(number)
        for state, move, visits, policy in zip(
            game.states, game.moves, game.visits, game.policies, strict=True
        ):
            root = root_of(state, search)
            if noise is not None:
                root, own = with_noise(root, own, alpha=0.5, share=0.25)
            found, own = analyse(state, own, search, tree=root, engine='persistent')
            assert (found.move, tuple(row.visits for row in found.stats)) == (move, visits)
            if noise is None:
                assert tuple(improved_policy(found, search)) == policy
        assert own == game.rng


# ---- machine code, which plays games of rules on integers ----


def hashed(keys):
    """A network on positions whose answers have learnt nothing; some priors are 0."""
    numpy = pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    places = numpy.arange(keys)[None, :]

    def on_positions(positions):
        mixed = (positions * ([0x9E37, 0x79B9, *[77] * 8][: positions.shape[1]])).sum(axis=1)
        mixed &= 0xFFFFFFFF
        priors = (mixed[:, None] >> places % 13) + 37 * places & 1023
        return (priors + (mixed[:, None] % 3 > 0)) / 1024.0, mixed % 4097 / 4096.0

    return OnPositions(on_positions)


SIDES = st.tuples(st.none() | st.integers(1, 3), st.integers(1, 3), st.booleans())
PUCTS = {
    'selection': st.sampled_from(['puct', 'puct-reduced', 'widening']),
    'solver': st.booleans(),
    'max_nodes': st.none() | st.integers(8, 30),
    'final': st.sampled_from(['robust', 'max', 'first-robust']),
}
GUMBELS = {
    'selection': st.builds(Gumbel, c_scale=st.sampled_from([0.1, 1.0]), rescale=st.booleans()),
    'schedule': st.builds(GumbelHalving, st.integers(1, 20), st.sampled_from([0.0, 0.5, 1.0])),
}


@given(
    data=st.data(),
    rng=generators(),
    game=st.sampled_from([tictactoe, connect4, othello]),
    halves=st.booleans(),
    iterations=st.integers(1, 24),
    batch=st.integers(1, 8),
    collisions=st.sampled_from([0, 0, 1, 9]),
    games=st.integers(1, 4),
    noise=st.none()
    | st.builds(Noise, st.sampled_from([0.03, 0.5, 10.0]), st.sampled_from([0.0, 0.25, 1.0])),
    temperature=st.sampled_from([0, 1e-300, 0.5, 1.0]),
)
@settings(max_examples=16)
def test_machine_code_plays_the_same_games(  # noqa: PLR0913, PLR0917 - all that is drawn
    data, rng, game, halves, iterations, batch, collisions, games, noise, temperature
):
    network = hashed(game.start.compiled.keys)
    options = data.draw(st.fixed_dictionaries(GUMBELS if halves else PUCTS))
    search = Search(iterations, network=network, batch=batch, collisions=collisions, **options)
    more = {'games': games, 'noise': noise, 'temperature': temperature}
    if not halves:
        more['drawn_plies'] = data.draw(st.sampled_from([None, 0, 3]))
    expected = self_play(game.start, rng, search, engine='inplace', **more)
    for together, threads, overlap in ((None, 1, False), data.draw(SIDES)):
        sides = {'together': together, 'threads': threads, 'overlap': overlap}
        assert self_play(game.start, rng, search, engine='compiled', **sides, **more) == expected


WRONG = {
    'priors': {'network': OnPositions(lambda positions: ([[1.0]] * len(positions),) * 2)},
    'values': {'network': OnPositions(lambda positions: ([[1.0] * 9] * len(positions), None))},
    'no room': {'max_nodes': 1},
    'no end': {'max_plies': 3},
    'numbers': {'selection': Gumbel(), 'schedule': GumbelHalving(numbers=(1.0, 2.0))},
    'infinite': {'selection': Gumbel(c_visit=1e300, c_scale=1e300), 'schedule': GumbelHalving()},
}


@pytest.mark.parametrize('options', WRONG.values(), ids=WRONG)
def test_errors_are_the_same(options):
    search, found = Search(8, **{'network': hashed(9), **options}), []
    for engine in ('inplace', 'compiled'):
        with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is
            self_play(tictactoe.start, SplitMix.from_seed(1), search, games=2, engine=engine)
        found.append((caught.type, str(caught.value)))
    assert found[0] == found[1]


class Left(NamedTuple):
    left: int
    side: int


def count_down(position, move):
    return Left(position.left - 1 // (position.left - 2), move)


@frozen
class Countdown:
    """A game whose rules raise an error where 2 are left."""

    left: int
    player = Player.X
    winner = None
    over = property(lambda self: self.left <= 0)
    moves = property(lambda self: () if self.over else (0,))
    compiled = IntegerRules(
        pack=lambda state: Left(state.left, 0),
        menu=lambda position: 1 if position.left > 0 else 0,
        play=count_down,
        side=lambda position: position.side,
        winner=lambda position: position.side,
        keys=1,
    )

    def play(self, move):
        return Countdown(count_down(Left(self.left, 0), move).left)


def test_an_error_of_the_rules_is_the_users_own():
    search = Search(4, network=hashed(1))
    with pytest.raises(ZeroDivisionError):
        self_play(Countdown(3), SplitMix.from_seed(1), search, games=3, engine='compiled')


def test_overlap_leaves_the_network_to_the_calling_thread_and_its_arrays_alone():
    numpy = pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    network, kept, sizes = hashed(9).function, numpy.empty((64, 9)), []

    def again(positions):
        assert threading.current_thread() is threading.main_thread()
        priors, values = network(positions)
        kept[:] = -1.0
        kept[: len(priors)] = priors
        sizes.append(len(positions))
        return kept[: len(priors)], values

    search = Search(16, network=OnPositions(again), batch=2)
    found = self_play(tictactoe.start, SplitMix.from_seed(1), search, games=32, overlap=True)
    assert found == self_play(tictactoe.start, SplitMix.from_seed(1), search, games=32)
    assert max(sizes) > 16 >= sizes[0]


class Later:
    """An array of another library, which is filled when it is read."""

    def __init__(self, fill):
        self.fill = fill

    def __array__(self, *_args, **_options):
        return self.fill()


@pytest.mark.parametrize('sides', [{}, {'threads': 3}, {'threads': 2, 'overlap': True}], ids=str)
def test_arrays_may_be_filled_when_they_are_read(sides):
    """As JAX's are, and torch's whose copies from the device are still under way."""
    network = hashed(9).function

    def later(positions):
        return tuple(Later(lambda place=place: network(positions)[place]) for place in (0, 1))

    search = Search(16, network=OnPositions(later), batch=2)
    plain = Search(16, network=OnPositions(network), batch=2)
    found = self_play(
        tictactoe.start, SplitMix.from_seed(1), search, games=32, engine='compiled', **sides
    )
    assert found == self_play(tictactoe.start, SplitMix.from_seed(1), plain, games=32)


class Mine(Gumbel):
    """A user's method, whose functions the root would need."""


def test_methods_of_ones_own_play_in_place():
    options = {'selection': Mine(), 'schedule': GumbelHalving()}
    search = Search(4, network=hashed(9), **options)
    with pytest.raises(EngineError, match='does not support subclasses of Gumbel'):
        self_play(tictactoe.start, SplitMix.from_seed(1), search, games=1, engine='compiled')
    played = [
        self_play(tictactoe.start, SplitMix.from_seed(1), each, games=1)
        for each in (search, Search(4, network=hashed(9), **{**options, 'selection': Gumbel()}))
    ]
    assert played[0] == played[1]


def test_the_network_is_called_once_for_all_games():
    asked = []

    def counting(states):
        asked.append(len(states))
        return network(states)

    search = Search(16, network=counting, batch=4)
    played = self_play(tictactoe.start, SplitMix.from_seed(1), search, games=20)
    positions = sum(len(game.moves) for game in played)
    assert max(asked) > 40
    assert len(asked) < positions


def test_arrays_have_a_row_for_each_position():
    pytest.importorskip('numpy', reason='numpy is missing: the extra fmcts[fast]')
    search = Search(20, network=network, batch=4)
    played = self_play(tictactoe.start, SplitMix.from_seed(1), search, games=3)
    positions, policies, values, outcomes = as_arrays(played)
    rows = [
        (state, move_visits, value, game.winner)
        for game in played
        for state, move_visits, value in zip(game.states, game.visits, game.values, strict=True)
    ]
    assert len(positions) == len(policies) == len(values) == len(outcomes) == len(rows)
    for (state, visits, value, winner), position, policy, kept, outcome in zip(
        rows, positions, policies, values, outcomes, strict=True
    ):
        assert tuple(position) == tuple(state.compiled.pack(state))
        assert [policy[move] * 20 for move in state.moves] == pytest.approx(visits)
        assert policy.sum() == pytest.approx(1.0)
        assert (kept, outcome) == (value, reward(winner, state.player))


@pytest.mark.parametrize(
    ('options', 'error', 'message'),
    [
        ({'search': Search(5)}, ValueError, 'self-play needs a search with a network'),
        (
            {
                'search': Search(5, network=network, selection=Gumbel(), schedule=GumbelHalving()),
                'drawn_plies': 2,
            },
            ValueError,
            'drawn_plies and GumbelHalving exclude each other',
        ),
        ({'noise': 0.3}, TypeError, 'noise must be a Noise'),
        ({'temperature': -1, 'drawn_plies': 0}, ValueError, 'temperature must be 0 or a number'),
        ({'drawn_plies': -3}, ValueError, 'drawn_plies must be a whole number of at least 0'),
        ({'games': 0}, ValueError, 'games must be a whole number of at least 1'),
        ({'together': 0}, ValueError, 'together must be a whole number of at least 1'),
        ({'rng': 1}, TypeError, r'did you mean SplitMix.from_seed\(1\)'),
        ({'start': tictactoe}, TypeError, r'did you mean tictactoe.start'),
        ({'threads': 0}, ValueError, 'threads must be a whole number of at least 1'),
        ({'threads': 2}, EngineError, 'threads and overlap need the engine compiled'),
        ({'engine': 'fast'}, EngineError, "not 'fast'"),
        ({'engine': 'compiled'}, EngineError, 'the engine compiled does not support'),
        (
            {'search': Search(5, network=network, schedule='halving')},
            ValueError,
            'no schedule other than GumbelHalving',
        ),
    ],
)
def test_bad_arguments_are_named(options, error, message):
    given = {'start': tictactoe.start, 'rng': SplitMix.from_seed(1)}
    given |= {'search': Search(5, network=network), 'games': 1, **options}
    with pytest.raises(error, match=message):
        self_play(**given)


def test_as_arrays_needs_positions():
    with pytest.raises(ValueError, match='no position'):
        as_arrays([])
