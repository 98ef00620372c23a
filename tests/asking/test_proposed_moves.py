"""Evaluators that propose the moves of states which list none: as if they were listed."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import evolve, field, frozen
from hypothesis import given, strategies as st

from chained import agree
from fmcts import Player, Search, SplitMix, analyse, reroot
from fmcts.asking import Evaluation, asking, journal, run
from fmcts.errors import GameError, MethodError, UnansweredError
from fmcts.games import tictactoe
from fmcts.history import load_history, save
from fmcts.history.receipts import history_of, receipt
from fmcts.search import walk
from fmcts.search.networks import Answering
from fmcts.search.proposals import Width
from fmcts.testing import positions
from told import Words, evaluate, finished, said

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
        if move == 'up':
            raise ValueError('no cell')
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
    iterations=st.integers(1, 40),
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


class Side(StrEnum):
    BUY = 'buy'


@frozen
class Offers:
    """Three offers of any kind, or outcomes where chance has the second; X wins."""

    kinds: tuple
    chance: bool = False
    made: tuple = ()
    player = Player.X
    winner = property(lambda self: Player.X if self.over else None)
    over = property(lambda self: len(self.made) == 3)
    moves = property(
        lambda self: self.kinds if self.chance and not self.chances and not self.over else ()
    )
    chances = property(
        lambda self: (
            tuple((it, 1) for it in self.kinds) if self.chance and len(self.made) == 1 else ()
        )
    )

    def play(self, move):
        return evolve(self, made=(*self.made, move))


def offered(request):
    return Evaluation(0.5, proposals=request.state.kinds, cost=1)


KEPT = ((1, 'a', 2.5, None, -0.0), (True, 10**30, (1, ('b',))))
CHANGED = (
    *(Fraction(1, 3), Decimal('0.1'), Side.BUY, b'a', frozenset({1}), np.float64(0.1)),
    *(np.int64(1), (1, (Fraction(1, 3),)), (float('nan'),)),
)


@pytest.mark.parametrize('kinds', KEPT)
def test_files_keep_the_moves_of_json(tmp_path, kinds):
    begun = asking(Offers(kinds), RNG, Search(30, selection='puct'), window=3)
    found = finished(begun, offered)
    with ThreadPoolExecutor(3) as pool:
        run(
            begun, lambda state: offered(SimpleNamespace(state=state)), pool, journal=tmp_path / 'a'
        )
    with journal(tmp_path / 'a', begun) as (again, _):
        assert (again, again.digest) == (found, found.digest)
    save(tmp_path / 'h', found.history())
    assert load_history(tmp_path / 'h', begun.state).digest == found.digest


@pytest.mark.parametrize('move', CHANGED, ids=repr)
def test_files_refuse_moves_that_they_would_change_and_the_answer_is_not_lost(tmp_path, move):
    begun = asking(Offers(('a', move)), RNG, Search(30, selection='puct'), window=3)
    message = 'has the move .*, which a file cannot keep: it keeps int, float, str, bool, None and'
    calls = []

    def evaluate(state):
        calls.append(state)
        return offered(SimpleNamespace(state=state))

    with ThreadPoolExecutor(3) as pool:
        for _ in range(2):
            with pytest.raises(UnansweredError, match=message) as error:
                run(begun, evaluate, pool, journal=tmp_path / 'a')
            assert error.value.search == begun.tell(0, offered(begun.ask()[0]))
        found = run(error.value.search, evaluate, pool)
    assert len(calls) == len(found.replies) + 1  # one for each run, and nothing twice in one
    with pytest.raises(MethodError, match=message), journal(tmp_path / 'a', begun) as (_, append):
        append(found.replies[-1].request, TimeoutError())
    with pytest.raises(MethodError, match=message):
        save(tmp_path / 'h', found.history())
    assert not (tmp_path / 'h').exists()


def test_a_journal_keeps_outcomes_of_any_kind(tmp_path):
    begun = asking(Offers((*CHANGED[:4], 7), chance=True), RNG, Search(30), window=3)
    with ThreadPoolExecutor(3) as pool:
        found = run(begun, lambda _: 0.5, pool, journal=tmp_path / 'a')
    with journal(tmp_path / 'a', begun) as (again, _):
        assert (again, again.digest) == (found, found.digest)
    assert {len(it.request.path) for it in found.replies} >= {2}


@pytest.mark.parametrize('selection', SELECTIONS)
def test_a_history_with_proposals_is_saved(tmp_path, selection):
    begun = asking(Hidden(tictactoe.start), RNG, Search(40, selection=selection), window=3)
    made = finished(begun, lambda request: proposing(request.state)).history()
    save(tmp_path / 'history', made)
    again = load_history(tmp_path / 'history', begun.state)
    assert again == made
    assert again.at(20).tree == made.at(20).tree
    assert again.digest == made.digest
    assert again.answers == made.answers
    game = SimpleNamespace(name='hidden', start=begun.state, format_move=str, format=repr)
    spec = f'mcts:40,selection={selection}'
    signed = receipt(game, spec, RNG, made.at(40), RNG, moves=()).with_network(made)
    assert history_of(signed, game).digest == made.digest


@pytest.mark.parametrize(
    ('answer', 'line'),
    [
        (0.5, 'must propose at least one move: the state does not list its moves'),
        (Evaluation(0.5, proposals=()), 'must propose at least one move'),
        (Evaluation(0.5, (1,), proposals=(1, 2)), 'must have a prior for each of 2 proposals'),
        (Evaluation(0.5, ('a',), proposals=(1,)), 'must have a prior for each of 1 proposals'),
        (Evaluation(0.5, proposals=(float('nan'),)), 'must propose hashable moves that equal'),
        (Evaluation(0.5, proposals=({},)), 'must propose hashable moves that equal'),
        (
            Evaluation(0.5, proposals=(4, 9)),
            'request 0 proposes illegal move 9: the legal',
        ),
        (
            Evaluation(0.5, proposals=(4, 'up')),
            r"request 0 proposes illegal move 'up': ValueError\('no cell'\)$",
        ),
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


# ---- asked again for more ----


class Naive:
    """A node of a search that asks again, one descent at a time."""

    def __init__(self, state, mover):
        self.state, self.mover = state, mover
        self.visits, self.reward, self.asked = 0, 0.0, 0
        self.priors, self.children = {}, {}

    def answered(self, path):
        """The value for X of an answer that brings more moves, or the first."""
        answer = said(path, tuple(self.priors))
        found = {}
        for letter, prior in zip(answer.proposals, answer.priors, strict=True):
            found[letter] = found.get(letter, 0.0) + prior
        before, new = self.asked, len(found)
        if before:
            found = {
                move: (before * self.priors.get(move, 0.0) + new * found.get(move, 0.0))
                / (before + new)
                for move in dict.fromkeys((*self.priors, *found))
            }
        self.priors, self.asked = found, before + new
        return answer.value if self.state.player is Player.X else 1 - answer.value

    def chosen(self):
        def score(move):
            child, prior = self.children.get(move), self.priors[move]
            visits = child.visits if child else 0
            value = child.reward / visits if child else 0.5
            return value + 1.25 * (prior * math.sqrt(1 + self.visits) / (1 + visits))

        return max(self.priors, key=score)


def naive(iterations, c, alpha):
    """The tree after so many descents, and how often more moves were asked for."""
    root, again = Naive(Words(), Player.O), 0
    root.answered(())
    for _ in range(iterations):
        node, line, for_x = root, [root], None
        while for_x is None:
            path = tuple(node.state.text)
            if node.state.over:
                for_x = 1.0 if node.state.winner is Player.X else 0.0
            elif not node.asked:
                for_x = node.answered(path)
            elif node.asked < c * (node.visits + 1) ** alpha:
                for_x, again = node.answered(path), again + 1
            else:
                move = node.chosen()
                if move not in node.children:
                    node.children[move] = Naive(node.state.play(move), node.state.player)
                node = node.children[move]
                line.append(node)
        for passed in line:
            passed.visits += 1
            passed.reward += for_x if passed.mover is Player.X else 1 - for_x
    return root, again


def naive_rows(node, move=None):
    found = [(move, tuple(node.priors), node.visits, node.reward, tuple(node.priors.values()))]
    for each in node.priors:
        if each in node.children:
            found += naive_rows(node.children[each], each)
    return found


SIZES = [(1.0, 0.5), (3.0, 0.25), (2.0, 0.5), (0.0, 0.5)]


@pytest.mark.parametrize(('c', 'alpha'), SIZES)
def test_more_moves_are_asked_for_when_they_are_due(c, alpha):
    search = Search(150, selection='puct', proposals=Width(c, alpha))
    found, again = asking(Words(), RNG, search), 0
    while found.ask():
        request = found.ask()[0]
        again += bool(request.known)
        found = found.tell(request, said(request.path, request.known))
    expected, times = naive(150, c, alpha)
    tree = [
        (it.move, it.moves, it.visits, it.reward, *map(tuple, it.columns.moves))
        for it in walk(found.tree)
    ]
    assert tree == naive_rows(expected)
    assert again == times
    assert bool(times) == bool(c)


@given(
    size=st.sampled_from(SIZES),
    iterations=st.integers(20, 40),
    window=st.integers(1, 6),
    sliding=st.booleans(),
    data=st.data(),
)
def test_asking_again_gives_one_tree_for_every_order(size, iterations, window, sliding, data):
    search = Search(iterations, selection='puct', proposals=Width(*size))
    first = found = asking(Words(long=6), RNG, search, window=window, sliding=sliding)
    while found.ask():
        request = data.draw(st.sampled_from(found.ask()))
        found = found.tell(request, said(request.path, request.known))
        if data.draw(st.integers(0, 9)) == 0:
            found = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    other = finished(first, lambda request: said(request.path, request.known))
    assert found == other
    assert found.tree == other.tree
    history = found.history()
    assert history.digest == found.digest
    assert history.at(found.iterations).tree == found.tree
    assert str(history.why(found.iterations))
    asked = found.replies[0].request
    assert found.what_if(asked, said(asked.path, asked.known)) == found


@frozen
class Climb:
    """Three steps of one player, which are listed or not; the last but one may be cut off."""

    listed: bool
    line: tuple[int, ...] = ()
    players, player = ('one',), 'one'

    over = property(lambda self: len(self.line) == 4)
    moves = property(lambda self: (0, 1, 2) if self.listed and not self.over else ())
    gained = property(lambda self: (sum(self.line) % 4) / 4)

    def play(self, move):
        return evolve(self, line=(*self.line, move))


@frozen
class Guess(Answering):
    """A network that answers at once, and notes of which states."""

    asked: list = field(factory=list)

    def __call__(self, states):
        self.asked.extend(states)
        return [self.answer(state) for state in states]

    def answer(self, state):
        begun = asking(state, RNG, Search(1, selection='puct'))
        return begun.tell(0, guess(state)).replies[0].answer


def guess(state):
    proposals = None if state.listed else (0, 1, 2)
    return Evaluation((sum(state.line) % 3 / 2,), (0.5, 0.25, 0.25), proposals=proposals)


@pytest.mark.parametrize('selection', ['puct', 'ucb1', 'ucb1-tuned'])
@pytest.mark.parametrize('sliding', [False, True])
@pytest.mark.parametrize('window', [1, 4])
def test_nobody_is_asked_at_a_horizon_until_a_later_search_goes_beyond(selection, sliding, window):
    search = Search(60, selection=selection, c=2.0, horizon=2)
    hidden, listed = (
        finished(
            asking(Climb(known), RNG, search, window=window, sliding=sliding),
            lambda request: guess(request.state),
        )
        for known in (False, True)
    )
    assert hidden.analysis.stats == listed.analysis.stats
    assert {len(it.request.state.line) for it in hidden.replies} == {0, 1}
    assert hidden.history().digest == hidden.digest
    tree = reroot(hidden.analysis, hidden.analysis.move)
    for widths in ({}, {'proposals': Width()}):
        network = Guess()
        more = evolve(search, network=network, batch=window, sliding=sliding, **widths)
        agree(tree.state, RNG, more, tree=tree)
        assert 2 in {len(state.line) for state in network.asked} <= {1, 2}
