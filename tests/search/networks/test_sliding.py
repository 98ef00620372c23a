"""Sliding windows: the same tree in the Python engines and in a naive transcription."""

import json
import math

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

import transcription
from fmcts import STOP, Player, Search, SplitMix, analyse, trees, walk
from fmcts.asking import asking
from fmcts.asking._search import Queue
from fmcts.errors import EngineError, GameError, MethodError
from fmcts.game import players_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.games.chance import mnk3, pig, tiles
from fmcts.history import history, load_history, save
from fmcts.history._files import answers_of_rows, rows_of as rows_of_answers
from fmcts.rules import OnPositions
from fmcts.search.networks import rounded
from fmcts.selfplay import self_play
from fmcts.testing import positions
from naive_batches import network, number, rows_of, rows_of_tree, sliding_search
from toy_games import Puzzle
from transcription import Node, search as naive_search, selected

RNG = SplitMix.from_seed(1)
GAMES = {'tictactoe': tictactoe, 'connect4': connect4, 'othello': othello}
PYTHON = ['persistent', 'monadic', 'inplace']


def found(state, search, engine='persistent', **more):
    return analyse(state, RNG, search, engine=engine, **more)[0]


def sliding(iterations, window, **more):
    return Search(iterations, network=network, batch=window, sliding=True, **more)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        'resolution': st.sampled_from(['solver', 'closing']),
        'max_nodes': st.integers(2, 40),
        'stop': st.just(lambda stats: sum(row.visits for row in stats) > 110),
        'selection': st.sampled_from(
            ['puct', 'puct-reduced', 'widening', 'ucb1', 'ucb1-tuned', 'ucb1-fpu', 'baeldung']
        ),
    },
).map(lambda it: {it.pop('resolution', 'solver'): True, **it} if 'resolution' in it else it)


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90))))
def test_a_queue_is_a_list_whose_versions_stay(steps):
    queue, items, versions = Queue(), [], []
    for most, new in steps:
        versions.append((queue, items))
        added = tuple(range(len(items), len(items) + new))
        gone = min(most, len(items) + new)
        queue, items = queue.after(gone, added), [*items, *added][gone:]
    for each, expected in [*versions, (queue, items)]:
        assert [each[place] for place in range(len(each))] == expected
        middle = len(expected) // 2
        assert [*each.since(middle)] == expected[middle:]


@given(data=st.data(), window=st.integers(1, 20), iterations=st.integers(1, 80))
@pytest.mark.parametrize('game', GAMES)
@settings(max_examples=20)
def test_matches_the_transcription_node_by_node(game, data, window, iterations):
    state = data.draw(positions(GAMES[game].start, running=True))
    tree = found(state, sliding(iterations, window)).tree
    assert rows_of_tree(tree) == rows_of(sliding_search(state, iterations, window))


@given(data=st.data(), iterations=st.integers(1, 100), options=OPTIONS)
@settings(max_examples=25)
def test_a_window_of_one_is_a_batch_of_one(data, iterations, options):
    state = data.draw(positions(connect4.start, running=True))
    search = sliding(iterations, 1, **options)
    assert found(state, search) == found(state, evolve(search, sliding=False))


@given(
    state=positions(tictactoe.start, max_plies=4, running=True),
    engine=st.sampled_from(PYTHON),
    window=st.integers(2, 12),
    iterations=st.integers(1, 60),
    options=OPTIONS,
    data=st.data(),
)
@settings(max_examples=40)
def test_histories_have_every_version(state, engine, window, iterations, options, data):
    search = sliding(iterations, window, **options)
    h = history(state, RNG, search, engine)
    assert h.tree == found(state, search).tree
    k = data.draw(st.integers(1, h.last))
    assert h.at(k).tree == found(state, evolve(search, iterations=k)).tree
    versions = [*h.versions()]
    assert versions[k - 1] == h.at(k).tree
    why = h.why(k)
    for choice in why.choices:
        if choice.by == 'score':
            assert choice.chosen.score == max(row.score or -1e9 for row in choice.scores)
    assert h.log.at(h.last)[0][0] == h.last


def test_a_file_has_the_answers(tmp_path):
    h = history(connect4.start, RNG, sliding(50, 4))
    save(tmp_path / 'h', h)
    assert load_history(tmp_path / 'h', connect4.start).digest == h.digest
    with pytest.raises(ValueError, match='in flight after iteration 20: give the fork a search'):
        h.fork(20)
    assert h.fork(20, sliding(9, 4)).last == 29


def test_the_network_is_called_for_a_window_at_a_time():
    asked = []

    def counting(states):
        asked.append(len(states))
        return network(states)

    search = Search(640, network=counting, batch=64, sliding=True)
    analysis, _ = analyse(connect4.start, RNG, search, watch=lambda n: STOP if n > 300 else None)
    assert analysis.iterations < 400
    assert max(asked) <= 64
    assert len(asked) < 20


def test_the_compiled_engine_says_that_it_has_no_window():
    with pytest.raises(EngineError, match='does not support sliding descents; use one of: inplace'):
        found(connect4.start, sliding(5, 2), 'compiled')


# ---- a network that raises ----


class Raising:
    """A network that raises an error in one of its calls."""

    def __init__(self, good):
        self.good = good

    def __call__(self, states):
        if self.good == 0:
            raise ConnectionError('no line')
        self.good -= 1
        return network(states)


@given(
    good=st.integers(1, 9),
    batch=st.integers(1, 12),
    slides=st.booleans(),
    engine=st.sampled_from(PYTHON),
)
@settings(max_examples=40)
def test_what_was_searched_is_kept_when_a_network_raises(good, batch, slides, engine):
    search = Search(200, network=Raising(good), batch=batch, sliding=slides)
    with pytest.raises(ConnectionError) as error:
        found(connect4.start, search, engine)
    kept = getattr(error.value, 'searched', None)
    if kept is None:
        assert good == 1  # the root
        return
    whole = evolve(search, network=network)
    assert kept == found(connect4.start, evolve(whole, iterations=kept.iterations))
    assert kept.tree == found(connect4.start, evolve(whole, iterations=kept.iterations)).tree
    if not slides:
        rest = evolve(whole, iterations=200 - kept.iterations)
        assert found(connect4.start, rest, tree=kept) == found(connect4.start, whole)
    with pytest.raises(ConnectionError) as error:
        history(connect4.start, RNG, evolve(search, network=Raising(good)), engine)
    h = error.value.searched
    assert h.last == kept.iterations or slides
    assert h.tree == found(connect4.start, evolve(whole, iterations=h.last)).tree
    assert h.at(h.last).tree == h.tree
    assert h.why(1).path


# ---- chance ----


def judge(state):
    """Priors and a value for X, also where chance moves."""
    weights = [number(str(state), move) + 0.01 for move in state.moves]
    priors = [rounded(weight / sum(weights)) for weight in weights]
    value = rounded(number(str(state)))
    return priors, value if state.player is Player.X else 1.0 - value


def judged(states):
    """The same as a network, whose values are for the side to move."""
    rows, values = zip(*map(judge, states), strict=True)
    sides = [
        it if state.player is Player.X else 1.0 - it
        for it, state in zip(values, states, strict=True)
    ]
    return list(rows), sides


def puct(node, index):
    child, (priors, _) = node.children.get(index), judge(node.state)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else 0.5
    return mean + 1.25 * (priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


def worths(state):
    _, for_x = judge(state)
    return for_x, 1.0 - for_x


def priors_of(node):
    """Outcomes have none."""
    return (0.0,) * len(node.state.chances) or tuple(judge(node.state)[0])


@given(
    seed=st.integers(0, 99),
    iterations=st.integers(1, 80),
    batch=st.integers(1, 9),
    slides=st.booleans(),
    engine=st.sampled_from(PYTHON),
    collisions=st.integers(0, 3),
)
@settings(max_examples=50)
def test_chance_moves_in_the_tree(seed, iterations, batch, slides, engine, collisions):
    state, rng = pig.start(12), SplitMix.from_seed(seed)
    search = Search(
        iterations,
        network=judged,
        batch=batch,
        sliding=slides,
        collisions=0 if slides else collisions,
    )
    expected = analyse(state, rng, search, engine='persistent')
    other = analyse(state, rng, search, engine=engine)
    assert other == expected
    assert other[0].tree == expected[0].tree
    alone, after = analyse(state, rng, Search(iterations, network=judged, sliding=slides))
    root, left = naive_search(Node(state), rng, iterations, puct, expand=selected, judge=worths)
    assert (transcription.rows_of(alone.tree), after) == (transcription.rows(root), left)
    priors = [priors_of(node) for _, node in root.all()]
    assert [node.columns.moves for node in walk(alone)] == [(row,) for row in priors]
    h = history(state, rng, search, engine)
    assert (h.tree, h.after) == (expected[0].tree, expected[1])
    middle = 1 + seed % h.last
    assert h.at(middle).tree == analyse(state, rng, evolve(search, iterations=middle))[0].tree
    assert [*h.versions()][middle - 1] == h.at(middle).tree
    assert h.why(middle).path
    asked = asking(state, rng, Search(iterations, selection='puct'), window=batch, sliding=slides)
    while asked.ask():
        request = asked.ask()[seed % len(asked.ask())]
        (priors,), (value,) = judged([request.state])
        asked = asked.tell(request, (priors, value))
    if not collisions or slides:
        assert (asked.tree, asked.after) == (expected[0].tree, expected[1])
        assert asked.history().tree == asked.tree


def test_chance_is_refused_by_name_where_it_is_not_supported():
    search = Search(5, network=OnPositions(lambda it: ([[1.0]] * len(it), [0.5] * len(it))))
    with pytest.raises(EngineError, match='does not support a network in games with chance'):
        analyse(pig.start(12), RNG, search, engine='compiled')
    with pytest.raises(GameError, match='self-play is not supported in a game with chance'):
        self_play(pig.start(12), RNG, search, games=1)
    several = Search(
        5, network=lambda them: ([[1.0] * len(it.moves) for it in them], [[0.5] * 3] * len(them))
    )
    assert analyse(mnk3.start(3, 3, 3), RNG, several)[0].iterations == 5
    values = Search(5, network=network, selection='ucb1')
    with pytest.raises(MethodError, match='expected 3 numbers from 0 to 1, one for each player'):
        analyse(mnk3.start(3, 3, 3), RNG, values)


@given(
    game=st.sampled_from([mnk3.start(3, 3, 3), tiles.start(2).play((0, 1)).play((3, 1)), Puzzle()]),
    iterations=st.integers(1, 60),
    batch=st.integers(1, 9),
    slides=st.booleans(),
    engine=st.sampled_from(PYTHON),
    data=st.data(),
)
@settings(max_examples=40)
def test_games_for_other_numbers_of_players(game, iterations, batch, slides, engine, data):
    players = len(players_of(game))

    def values(state):
        return tuple(rounded(number(str(state), seat)) for seat in range(players))

    def several(states):
        return [[1.0] * len(it.moves) for it in states], [values(it) for it in states]

    options = {'selection': 'ucb1', 'batch': batch, 'sliding': slides}
    search = Search(iterations, network=several, **options)
    expected = analyse(game, RNG, search, engine='persistent')
    other = analyse(game, RNG, search, engine=engine)
    assert (other[0].tree, other[1]) == (expected[0].tree, expected[1])
    if not hasattr(game, 'chances'):  # else outcomes are drawn before `evaluate` is called
        one = Search(iterations, evaluate=values)
        alone = Search(iterations, network=several, selection='ucb1')
        assert analyse(game, RNG, alone) == analyse(game, RNG, one)
    asked = asking(game, RNG, Search(iterations), window=batch, sliding=slides)
    while asked.ask():
        request = data.draw(st.sampled_from(asked.ask()))
        asked = asked.tell(request, values(request.state))
    assert (asked.tree, asked.after) == (expected[0].tree, expected[1])
    h = asked.history()
    assert h.tree == asked.tree
    assert answers_of_rows(json.loads(json.dumps(rows_of_answers(h.answers)))) == [*h.answers]


def test_a_stream_ends_with_what_is_in_flight():
    search = sliding(200, 6, stop=bool)
    *_, (tree, _) = trees(tictactoe.start, RNG, search)
    assert tree == found(tictactoe.start, search).tree
    assert tree.visits > 100  # where it stopped
