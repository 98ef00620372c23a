"""Evaluators that propose the moves of states which list none: as if they were listed."""

import pickle

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.asking import Evaluation, asking
from fmcts.asking._journal import journal
from fmcts.errors import GameError, MethodError
from fmcts.games import tictactoe
from fmcts.history import save
from fmcts.search import walk
from fmcts.search.networks import Answering
from fmcts.testing import positions
from told import evaluate, finished

RNG = SplitMix.from_seed(1)
SELECTIONS = 'puct', 'puct-reduced', 'widening', 'ucb1', 'ucb1-tuned'


@frozen
class Hidden:
    """A game whose states do not list their moves."""

    inner: tictactoe.TicTacToe
    moves = ()

    @property
    def player(self):
        return self.inner.player

    @property
    def over(self):
        return self.inner.over

    @property
    def winner(self):
        return self.inner.winner

    def play(self, move):
        return Hidden(self.inner.play(move))


def proposing(state):
    """What is said of the inner state, with its moves; the last of them in two parts."""
    said = evaluate(state.inner)
    *first, last = said.priors
    halves = (*first, last / 2, last / 2)
    moves = state.inner.moves
    return Evaluation(
        said.value, halves, proposals=(*moves, moves[-1]), notes='as they come to mind'
    )


def rows(tree):
    return [(it.move, it.moves, it.visits, it.reward, it.columns.moves) for it in walk(tree)]


@given(
    state=positions(tictactoe.start, running=True),
    selection=st.sampled_from(SELECTIONS),
    iterations=st.integers(1, 60),
    window=st.integers(1, 8),
    sliding=st.booleans(),
    data=st.data(),
)
def test_the_tree_is_that_of_listed_moves_in_every_order(
    state, selection, iterations, window, sliding, data
):
    search = Search(iterations, selection=selection)
    begun = asking(Hidden(state), RNG, search, window=window, sliding=sliding)
    found = begun
    while found.ask():
        request = data.draw(st.sampled_from(found.ask()))
        found = found.tell(request, proposing(request.state))
        if data.draw(st.integers(0, 9)) == 0:
            found = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    listed = finished(asking(state, RNG, search, window=window, sliding=sliding))
    assert rows(found.tree) == rows(listed.tree)
    assert found.analysis.stats == listed.analysis.stats
    assert found.digest == found.history().digest != listed.digest


@frozen
class Judge(Answering):
    """A network that answers at once what the evaluator says."""

    def __call__(self, states):
        asked = [asking(state, RNG, Search(1, selection='puct')) for state in states]
        told = [it.tell(0, proposing(it.state)) for it in asked]
        return [it.replies[0].answer for it in told]


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace'])
@pytest.mark.parametrize('batch', [1, 4])
def test_every_engine_repeats_what_was_proposed(engine, batch):
    search = Search(50, selection='puct')
    begun = asking(Hidden(tictactoe.start), RNG, search, window=batch)
    while begun.ask():
        begun = begun.tell(begun.ask()[-1], proposing(begun.ask()[-1].state))
    described = evolve(search, network=Judge(), batch=batch, sliding=True)
    root = asking(Hidden(tictactoe.start), RNG, search).tell(0, proposing(begun.state))._root
    assert analyse(begun.state, RNG, described, tree=root, engine=engine)[0].tree == begun.tree


def test_a_journal_keeps_proposals(tmp_path):
    begun = asking(Hidden(tictactoe.start), RNG, Search(30, selection='puct'), window=3)
    with journal(tmp_path / 'answers', begun) as (_, append):
        search = begun
        while search.ask():
            request = search.ask()[-1]
            append(request, proposing(request.state))
            search = search.tell(request, proposing(request.state))
    with journal(tmp_path / 'answers', begun) as (again, _):
        assert again == search
        assert again.digest == search.digest


def test_reasons_and_leaders_know_what_was_proposed():
    begun = asking(Hidden(tictactoe.start), RNG, Search(30, selection='puct'))
    while begun.ask():
        begun = begun.tell(begun.ask()[0], proposing(begun.ask()[0].state))
    history = begun.history()
    assert history.at(20).iterations == 20
    assert history.leaders()[-1].move == begun.analysis.move
    assert 'X chooses' in str(history.why(20))
    with pytest.raises(ValueError, match='keep the journal of its answers'):
        save('nowhere', history)


@pytest.mark.parametrize(
    ('answer', 'line'),
    [
        (0.5, 'must propose at least one move: the state does not list its moves'),
        (Evaluation(0.5, proposals=()), 'must propose at least one move'),
        (Evaluation(0.5, (1,), proposals=(1, 2)), 'must have a prior for each of 2 proposals'),
        (Evaluation(0.5, ('a',), proposals=(1,)), 'must have a prior for each of 1 proposals'),
        (Evaluation(0.5, proposals=(float('nan'),)), 'must propose moves that equal themselves'),
    ],
)
def test_what_is_no_proposal_is_refused(answer, line):
    begun = asking(Hidden(tictactoe.start), RNG, Search(5, selection='puct'))
    with pytest.raises(MethodError, match=line):
        begun.tell(0, answer)


def test_proposals_belong_to_states_that_list_no_moves():
    listed = asking(tictactoe.start, RNG, Search(5, selection='puct'))
    with pytest.raises(MethodError, match='must not propose moves: the state lists its moves'):
        listed.tell(0, Evaluation(0.5, proposals=(1, 2)))
    with pytest.raises(GameError, match='has no moves but is not over'):
        analyse(Hidden(tictactoe.start), RNG, Search(5))
