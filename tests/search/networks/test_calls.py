"""When a search calls what it was given: networks, watchers, conditions, evaluators."""

import pytest
from attrs import evolve, frozen
from returns.unsafe import unsafe_perform_io

from fmcts import STOP, Player, Search, SplitMix, analyse, analyse_for, trees
from fmcts.formulas import sqrt
from fmcts.games import connect4, tictactoe
from fmcts.history import history
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT
from toy_games import play_line

RNG = SplitMix.from_seed(1)
PYTHON = ['persistent', 'monadic', 'inplace']


# ---- batches ----


def quarter(states):
    """Every position is worth a quarter to X."""
    values = [0.25 if state.player.value == 'X' else 0.75 for state in states]
    return [[1.0] * len(state.moves) for state in states], values


class Seeing(PUCT):
    """PUCT that notes the means of the nodes where it chooses, for the side to move there."""

    seen = set()  # noqa: RUF012 - for the test

    def scores(self, edges, parent, node):
        own = node.edge.value if node.same else 1.0 - node.edge.value
        self.seen.add((parent.value, own))
        return [
            edge.value + edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits)
            for edge in edges
        ]


@pytest.mark.parametrize('engine', PYTHON)
def test_what_waits_does_not_change_the_mean_of_a_parent(engine):
    Seeing.seen.clear()
    search = Search(60, network=quarter, batch=8, selection=Seeing())
    analyse(connect4.start, RNG, search, engine=engine)
    assert Seeing.seen == {(0.0, 1.0), (0.25, 0.25), (0.75, 0.75)}  # at first nothing is backed up


# ---- calls of a network, and what ends a search between two of them ----


def noting(events):
    """A network that knows nothing, and notes how many states it is asked about."""

    def network(states):
        events.append(len(states))
        return [[1.0] * len(state.moves) for state in states], [0.5] * len(states)

    return network


@pytest.mark.parametrize('engine', PYTHON)
@pytest.mark.parametrize('batch', [8, 64])
def test_the_call_under_way_when_a_search_is_to_end_is_the_last(batch, engine):
    calls = []
    search = Search(640, network=noting(calls), batch=batch)
    found, _ = analyse(connect4.start, RNG, search, engine=engine, watch=lambda _: STOP)
    assert (calls, found.iterations) == ([1, 7], 7)  # the root, then a batch that met itself
    calls.clear()
    timed, _ = unsafe_perform_io(
        analyse_for(connect4.start, RNG, search, seconds=1e-9, engine=engine)
    )
    assert calls == [1, 7]
    assert timed == found == analyse(connect4.start, RNG, evolve(search, iterations=7))[0]


@pytest.mark.parametrize('search_by', [analyse, history])
def test_a_watch_is_called_between_any_two_calls(search_by):
    events = []
    search = Search(200, network=noting(events), batch=16)
    search_by(connect4.start, RNG, search, engine='inplace', watch=lambda _: events.append('watch'))
    assert [it == 'watch' for it in events] == [False, True] * (len(events) // 2)


@pytest.mark.parametrize('engine', PYTHON)
def test_a_condition_is_asked_between_any_two_calls(engine):
    def enough(stats):
        return sum(row.visits for row in stats) >= 130

    events = []
    search = Search(640, network=noting(events), batch=8, stop=enough)
    found, _ = analyse(connect4.start, RNG, search, engine=engine)
    assert 130 <= found.iterations < 130 + events[-1]
    *_, (streamed, _) = trees(connect4.start, RNG, search)
    assert streamed == found.tree


def test_the_compiled_engine_asks_between_two_calls_too():
    numpy = pytest.importorskip('numpy')
    pytest.importorskip('numba')
    calls = []

    def equal(positions):
        calls.append(len(positions))
        return numpy.ones((len(positions), 48)), numpy.full(len(positions), 0.5)

    search = Search(640, network=OnPositions(equal), batch=8)
    analyse(connect4.start, RNG, search, engine='compiled', watch=lambda _: STOP)
    assert calls == [1, 7]


def test_a_batch_is_backed_up_to_its_end_after_a_proof():
    state = play_line(tictactoe.start, [0, 3, 1, 4])  # X wins by 2, the first of five equal moves
    h = history(state, RNG, Search(100, network=noting([]), batch=4, solver=True))
    assert (str(h.at(1).proof), h.last) == ('win in 1', 4)


# ---- an evaluator ----


@frozen
class Turns:
    """A line of turns: a move, and an outcome after it."""

    ply: int = 0
    player = Player.X
    over = property(lambda self: self.ply == 20)
    moves = property(lambda self: () if self.ply % 2 or self.over else (0,))
    chances = property(lambda self: ((0, 1),) if self.ply % 2 else ())
    winner = property(lambda self: Player.X if self.over else None)

    def play(self, _move):
        return Turns(self.ply + 1)


@pytest.mark.parametrize('engine', PYTHON)
def test_an_outcome_counts_as_a_ply_and_comes_before_an_evaluation(engine):
    seen = []

    def noted(state):
        seen.append(state.ply)
        return 0.5

    for plies in range(6):  # from the first child, where chance moves
        search = Search(1, evaluate=noted, evaluate_after=plies)
        analyse(Turns(), RNG, search, engine=engine)
    assert seen == [2, 2, 4, 4, 6, 6]
