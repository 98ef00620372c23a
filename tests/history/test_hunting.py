"""The hunt finds searches that play worse than perfectly, and its report is true."""

import pytest
from attrs import evolve

from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.history import _hunting, history, hunt
from fmcts.solve import move_values

from .conftest import rule

START = tictactoe.start.play(1).play(0)
SMALL = Search(1000, selection='uct', expansion='in-order', c=0.2)


def judged(state):
    return {row.move: row.value for row in move_values(state)}


def test_finds_the_mistakes_that_searches_by_all_seeds_make():
    search = Search(60)
    found = {it.seed: it for it in hunt(tictactoe.start, search, 40, plies=4)}
    for seed in range(40):
        rng, state = SplitMix.from_seed(seed), tictactoe.start
        draws = rng.child(0)
        for _ in range(4):
            index, draws = draws.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        values = judged(state)
        move = analyse(state, rng, search)[0].move
        assert (seed in found) == (values[move] < max(values.values()))
        if seed in found:
            it = found[seed]
            assert (it.history.root.state, it.move) == (state, move)
            assert {*it.right} == {m for m in values if values[m] == max(values.values())}
    assert found


@pytest.mark.parametrize('engine', ['persistent', 'inplace'])
def test_the_reported_facts_are_true(engine):
    (it,) = hunt(START, SMALL, [233, 234], engine=engine)
    h = it.history
    assert h == history(START, SplitMix.from_seed(234), SMALL)
    assert it.right == (3, 4, 6, 8)
    assert (it.seed, it.move) == (234, 5)
    # No right move led later, and one did before.
    assert all(h.at(k).move not in it.right for k in (it.since, 500, 1000))
    assert h.at(it.since - 1).move in it.right
    starved = it.starved
    node = h.tree
    for move in starved.line:
        above, node = node, node.child(move)
    assert node.visits == starved.visits
    assert above.most_visited().visits > 5 * node.visits
    values = judged(above.state)
    assert values[starved.line[-1]] == max(values.values())
    assert h.why(starved.iteration).path[: len(starved.line)] == starved.line
    assert h.what_if(starved.iteration, starved.what_if.outcome).move in it.right
    # The least constant that saves the search.
    for c, move in it.constants:
        assert analyse(START, h.rng, evolve(SMALL, c=c))[0].move == move
        assert (move in it.right) == (c == it.saved_by)
    assert str(it).endswith('with c=0.3 it chooses 4')
    assert repr(it) == '<Mistake seed=234 line=() move=5 right=(3, 4, 6, 8)>'


def test_rules_without_c_and_mistakes_that_nothing_fixes():
    found = next(hunt(tictactoe.start, Search(30, selection=rule), 200, plies=4))
    assert found.constants == ()
    assert found.saved_by is None
    lost = next(it for it in hunt(tictactoe.start, Search(200), [33], plies=4))
    assert lost.saved_by is None
    assert str(lost).endswith('with no c up to 3 does it choose a best move')


def test_games_that_perfect_play_cannot_judge_are_refused(monkeypatch):
    monkeypatch.setattr(_hunting, 'MOST', 3000)
    with pytest.raises(MethodError, match='which 3,000 positions of this game do not decide'):
        next(hunt(connect4.start, Search(9)))


def test_finished_positions_are_skipped():
    done = []
    assert [*hunt(tictactoe.start, Search(5), 3, plies=9, each=done.append)] == []
    assert done == [0, 1, 2]


def test_unsupported_searches_are_refused():
    for search, complaint in (
        (Search(9, schedule='halving'), 'a schedule needs a fixed number of iterations'),
        (Search(9, transpositions='sound'), 'a search with transpositions, which makes a graph'),
    ):
        with pytest.raises(ValueError, match=complaint):
            hunt(connect4.start, search)
    with pytest.raises(ValueError, match='plies must be a whole number of at least 0, not -1'):
        hunt(connect4.start, Search(9), plies=-1)
    with pytest.raises(ValueError, match='a hunt needs at least one seed, not 0'):
        hunt(connect4.start, Search(9), 0)
