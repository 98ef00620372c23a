"""Searches that ask and are told: one tree for every order of answers, that of a network."""

import pickle
from functools import reduce

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.asking import Budget, Evaluation, Request, asking
from fmcts.errors import FinishedGameError, MethodError
from fmcts.games import connect4, tictactoe
from fmcts.history.receipts import history_of, receipt
from fmcts.search.methods import PUCT
from fmcts.search.proposals import Proposals
from fmcts.testing import positions
from naive_batches import network, number
from told import evaluate, finished

RNG = SplitMix.from_seed(1)
START = connect4.start.play(3)
O_WINS = reduce(connect4.Connect4.play, [1, 0, 1, 0, 2, 0, 2, 0], connect4.start)
SEARCHES = st.builds(
    lambda iterations, options: Search(iterations, **options),
    st.integers(1, 60),
    st.fixed_dictionaries(
        {'selection': st.sampled_from(['puct', 'puct-reduced', 'widening', 'ucb1', 'ucb1-tuned'])},
        optional={
            'solver': st.just(value=True),
            'max_nodes': st.integers(2, 40),
            'stop': st.just(lambda stats: sum(row.visits for row in stats) > 110),
        },
    ),
)


class Run:
    """A run in which anything may happen, as `data` draws it."""

    def __init__(self, search, data):
        self.search, self.data, self.told, self.earlier = search, data, [], [search]

    def step(self):
        search, draw = self.search, self.data.draw
        request = draw(st.sampled_from(search.ask()))
        what = draw(st.sampled_from(['tell'] * 6 + ['fail', 'again', 'restart']))
        if what == 'tell':
            self.told.append(request)
            self.search = search.tell(
                draw(st.sampled_from([request, request.id])), evaluate(request.state)
            )
        elif what == 'fail':
            self.search = search.fail(request)
            assert evolve(request, attempt=request.attempt + 1) in self.search.ask()
        elif what == 'again' and self.told:
            again = draw(st.sampled_from(self.told))
            assert search.tell(again, evaluate(again.state)) is search
            assert search.fail(again) is search
        elif what == 'restart':
            self.search = pickle.loads(pickle.dumps(search))  # noqa: S301
            assert self.search == search
            assert hash(self.search) == hash(search)
        self.earlier.append(search)


@given(
    state=positions(tictactoe.start, running=True),
    search=SEARCHES,
    window=st.integers(1, 12) | st.just(50),
    sliding=st.booleans(),
    data=st.data(),
)
@settings(max_examples=60)
def test_every_order_gives_the_tree_of_a_network(state, search, window, sliding, data):
    begun = asking(state, RNG, evolve(search, stop=None), window=window, sliding=sliding)
    run = Run(begun, data)
    while run.search.ask():
        assert len(run.search.ask()) <= window
        run.step()
    for earlier in data.draw(st.permutations(run.earlier))[:3]:
        assert earlier.digest == pickle.loads(pickle.dumps(earlier)).digest  # noqa: S301
        again = finished(earlier)
        assert (again, again.digest) == (run.search, run.search.digest)
    described = evolve(search, network=network, batch=window, sliding=sliding, stop=None)
    engine = data.draw(st.sampled_from(['persistent', 'monadic', 'inplace']))
    expected, _ = analyse(state, RNG, described, engine=engine)
    assert run.search.tree == expected.tree
    assert run.search.analysis == expected
    assert run.search.digest == expected.digest


@given(
    state=positions(connect4.start, max_plies=6, running=True),
    search=SEARCHES,
    window=st.integers(1, 12),
    sliding=st.booleans(),
    budget=st.builds(
        Budget,
        calls=st.none() | st.integers(0, 40),
        cost=st.none() | st.floats(0, 20),
        seconds=st.none() | st.floats(0, 20),
    ),
    data=st.data(),
)
@settings(max_examples=60)
def test_histories_of_any_part(state, search, window, sliding, budget, data):
    begun = asking(state, RNG, search, window=window, sliding=sliding, budget=budget)
    found = finished(begun)
    other = begun
    while other.ask():
        request = data.draw(st.sampled_from(other.ask()))
        other = other.tell(request, evaluate(request.state))
        if data.draw(st.integers(0, 9)) == 0 and other.iterations:
            assert other.history().tree == other.tree
    assert other == found
    made = len(found.replies)
    if budget.calls is not None:
        assert made <= budget.calls
    for limit, spent in ((budget.cost, found.spent.cost), (budget.seconds, found.spent.seconds)):
        if limit is not None and spent >= limit:
            before = sum(it.evaluation.cost for it in found.replies[: max(0, made - window)])
            assert limit is budget.seconds or before <= limit or before == pytest.approx(limit)
    if found.iterations:
        h = found.history()
        assert h.tree == found.tree
        assert h.at(h.last) == found.analysis
        assert [it.remarks.notes for it in h.answers] == [
            str(it.request.state.moves) for it in found.replies if it.request.path
        ]


def test_a_stop_condition_ends_it_where_a_network_would():
    search = Search(
        300, selection='puct', stop=lambda stats: sum(row.visits for row in stats) > 110
    )
    for sliding in (True, False):
        found = finished(asking(START, RNG, search, window=7, sliding=sliding))
        described = evolve(search, network=network, batch=7, sliding=sliding)
        assert found.analysis == analyse(START, RNG, described)[0]
        assert 110 < found.iterations < 120


def test_a_budget_of_calls_is_exact():
    found = finished(asking(START, RNG, Search(300), window=7, budget=Budget(calls=20)))
    assert (len(found.replies), found.over, found.iterations) == (20, True, 20)


def test_a_receipt_carries_the_answers():
    for selection in ('puct', 'ucb1'):
        search = Search(40, selection=selection)
        found = finished(asking(START, RNG, search, window=4))
        h = found.history()
        bot = f'mcts:40,selection={selection}'
        signed = receipt(connect4, bot, RNG, found.analysis, RNG, moves=(3,)).with_network(h)
        again = history_of(signed, connect4)
        assert again.digest == found.digest
        assert again.answers == h.answers


# ---- answers ----


def test_one_who_does_not_know_gives_the_first_value():
    method = PUCT(first_play=0.25)
    search = asking(START, RNG, Search(9, selection=method))
    search = search.tell(0, None)
    (request,) = search.ask()
    assert request.mover is Player.O
    search = search.tell(request, None)
    assert search.tree.children[0].reward == 0.25
    assert search.tree.columns.moves[0] == (pytest.approx(1 / 7, abs=1e-6),) * 7
    assert search == asking(START, RNG, Search(9, selection=method)).tell(0, None).tell(
        1, Evaluation()
    )


@pytest.mark.parametrize(
    ('said', 'worth'),
    [
        (0.25, 0.75),
        (([1] * 7, 0.25), 0.75),
        (Evaluation(0.25, notes='poor'), 0.75),
        (Evaluation(priors=[0, 0, 0, 1, 0, 0, 0]), 0.5),
        (O_WINS, 1.0),
    ],
)
def test_kinds_of_answers(said, worth):
    search = asking(START, RNG, Search(9, selection='puct')).tell(0, None)
    assert search.tell(1, said).tree.children[0].reward == worth


@pytest.mark.parametrize(
    ('request_', 'said', 'message'),
    [
        (1, 1.5, r'the answer to request 1 gave the value 1\.5: expected a number from 0'),
        (1, ([1, 2], 0.5), 'the answer to request 1 gave 2 priors for a state with 7 moves'),
        (1, ([-1] * 7, 0.5), 'the answer to request 1 gave the priors .*: expected finite'),
        (1, 'no', "an answer must be an Evaluation, a value, .* not 'no'"),
        (1, START, 'the answer to request 1 must have a finished state as its end, and no value'),
        (0, 0.5, 'request 0 was answered by Evaluation.*, and now by .*: use what_if'),
        (2, 0.5, 'there is no request 2; open are: 1'),
        (-1, 0.5, 'there is no request -1; open are: 1'),
        ('1', 0.5, "there is no request '1'; open are: 1"),
        (Request(1, START, (4,), None), 0.5, 'request 1 is of another search'),
    ],
)
def test_wrong_answers_are_refused_in_one_line(request_, said, message):
    search = asking(START, RNG, Search(9, selection='puct')).tell(0, None)
    with pytest.raises((MethodError, ValueError), match=message) as error:
        search.tell(request_, said)
    assert '\n' not in str(error.value)


@pytest.mark.parametrize(
    ('search', 'message'),
    [
        (Search(network=network), 'asking takes the place of a network'),
        (Search(schedule='halving'), 'asking excludes a schedule'),
        (Search(evaluate=lambda _state: 0.5), 'network and evaluate exclude each other'),
        (Search(playout='mast'), 'asking takes the place of a network: network and playout'),
    ],
)
def test_searches_that_cannot_ask(search, message):
    with pytest.raises(ValueError, match=message):
        asking(START, RNG, search)


def test_calls_are_checked():
    with pytest.raises(ValueError, match='window must be a whole number of at least 1, not 0'):
        asking(START, RNG, Search(), window=0)
    with pytest.raises(TypeError, match=r'budget must be a Budget such as .*, not 0$'):
        asking(START, RNG, Search(), budget=0)
    over = O_WINS
    with pytest.raises(FinishedGameError):
        asking(over, RNG, Search())
    with pytest.raises(ValueError, match='nothing is backed up yet'):
        asking(START, RNG, Search(selection='puct')).history()
    with pytest.raises(ValueError, match=r'backed up yet: tell the answers to the first requests$'):
        _ = asking(START, RNG, Search(selection='puct')).analysis
    with pytest.raises(ValueError, match='budget or max_nodes leaves no room'):
        _ = asking(START, RNG, Search(selection='puct'), budget=Budget(calls=0)).analysis
    with pytest.raises(ValueError, match='cost must be a finite number of at least 0, not -1'):
        Evaluation(0.5, cost=-1)
    with pytest.raises(ValueError, match=r'^notes must be a text, not 3$'):
        Evaluation(0.5, notes=3)
    with pytest.raises(ValueError, match=r'^sources must be a tuple or list of texts, not \(3,\)$'):
        Evaluation(0.5, sources=[3])
    with pytest.raises(ValueError, match=r'^moves must be a Width, not 3$'):
        Proposals(moves=3)
    with pytest.raises(ValueError, match=r'must be a tuple or list of moves, not .ab.$'):
        Evaluation(0.5, proposals='ab')


@given(
    state=positions(tictactoe.start, max_plies=4, running=True),
    window=st.integers(1, 6),
    data=st.data(),
)
@settings(max_examples=25)
def test_what_if_keeps_the_other_answers(state, window, data):
    found = finished(asking(state, RNG, Search(40, selection='puct'), window=window))
    changed = data.draw(st.integers(0, len(found.replies) - 1))
    reply = found.replies[changed]
    assert found.what_if(reply.request, reply.evaluation) == found
    other = Evaluation(number('other', data.draw(st.integers(0, 9))))
    path = reply.request.path

    def instead(request):
        return other if request.path == path else evaluate(request.state)

    asked = {it.request.path for it in found.replies}
    changed_search = found.what_if(reply.request.id, other)
    assert not asked & {it.path for it in changed_search.ask()}
    assert finished(changed_search, instead) == finished(
        asking(state, RNG, Search(40, selection='puct'), window=window), instead
    )
