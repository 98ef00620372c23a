"""Changes between versions, changes of the leader, and the stability of the choice."""

import itertools

import pytest
from hypothesis import example, given, settings, strategies as st

from fmcts import STOP, Search, SplitMix, _linked as linked, agreement, analyse
from fmcts.games import connect4, tictactoe
from fmcts.history import Decisive, history, sampled
from fmcts.search._tree import walk
from fmcts.search._watch import chunks_by_count
from fmcts.testing import generators, positions
from tiers import usually
from toy_games import nodes_by_line

from .conftest import SEARCHES, STARTS

RNG = SplitMix.from_seed(5)
H = history(STARTS['connect4'], RNG, Search(300, c=0.5), 'persistent')


@settings(max_examples=30)  # ten checks each
@given(st.lists(st.integers(1, 300), min_size=3, max_size=3).map(sorted))
def test_changes_compose(versions):
    a, b, c = versions
    one, two, both = H.between(a, b), H.between(b, c), H.between(a, c)
    assert one + two == both
    assert both.iterations == one.iterations + two.iterations == c - a
    assert {*one.new, *two.new} == {*both.new}
    assert len(one.new) + len(two.new) == len(both.new)
    for first, second, all_of_it in zip(one.moves, two.moves, both.moves, strict=True):
        assert first.visits + second.visits == all_of_it.visits
        assert (first.before, first.after, second.after) == (
            all_of_it.before,
            second.before,
            all_of_it.after,
        )
    assert both.best == (H.at(a).move, H.at(c).move)


@pytest.mark.parametrize('engine', ['persistent', 'inplace'])
def test_a_change_is_the_difference_of_two_analyses(engine):
    h = history(H.root.state, RNG, H.search, engine)
    change = h.between(100, 250)
    before, after = (analyse(H.root.state, RNG, Search(k, c=0.5))[0] for k in (100, 250))
    assert {*change.new} == (nodes_by_line(after.tree).keys() - nodes_by_line(before.tree).keys())
    assert [it.visits for it in change.moves] == [
        new.visits - old.visits for old, new in zip(before.stats, after.stats, strict=True)
    ]
    assert repr(change).startswith(f'<Change 100 to 250: {len(change.new)} nodes, 0: +')
    assert change == H.between(100, 250)
    assert hash(change) == hash(H.between(100, 250))
    assert change != H.between(100, 249)


def test_changes_with_a_gap_do_not_compose():
    with pytest.raises(ValueError, match='must begin at the version of 20 iterations'):
        H.between(10, 20) + H.between(21, 30)
    with pytest.raises(TypeError):
        H.between(10, 20) + 1
    assert H.between(10, 20) != 1


@pytest.mark.parametrize(
    'name', usually(['plain', 'solver'], ['plain', 'solver', 'closing', 'full', 'mast'])
)
def test_leaders_are_the_versions_with_another_move(name):
    h = history(STARTS['tictactoe'], RNG, SEARCHES[name], 'persistent')
    moves = [h.at(k).move for k in range(1, h.last + 1)]
    changes = [1] + [k for k, (a, b) in enumerate(itertools.pairwise(moves), 2) if a != b]
    leads = h.leaders()
    assert [lead.iteration for lead in leads] == changes
    assert [lead.move for lead in leads] == [moves[k - 1] for k in changes]
    assert [lead.before for lead in leads[1:]] == [lead.move for lead in leads[:-1]]
    for lead in leads[1:]:
        rows = {row.move: row for row in h.at(lead.iteration).stats}
        assert {row.move: row for row in lead.stats} == {
            move: rows[move] for move in (lead.move, lead.before)
        }


def test_leaders_say_why():
    leads = history(connect4.start, RNG, Search(400), 'persistent').leaders()
    assert str(leads[0]) == 'iteration 1: 0 leads first'
    for lead in leads[1:]:
        new, old = (
            next(row for row in lead.stats if row.move == move) for move in (lead.move, lead.before)
        )
        assert str(lead) == (
            f'iteration {lead.iteration}: {lead.move} overtakes {lead.before}: '
            f'{new.visits} visits of mean {new.value:.3f} against '
            f'{old.visits} visits of mean {old.value:.3f}'
        )
    solved = history(
        connect4.start.play(3).play(0).play(3).play(0).play(3).play(1),
        SplitMix.from_seed(1),
        Search(1000, solver=True),
    )
    assert str(solved.leaders()[-1]).endswith('a proven win in 1 against nothing proven')


def test_stability_counts_other_generators_with_the_same_move():
    h = history(tictactoe.start.play(0), RNG, Search(60), 'persistent')
    chosen = [analyse(h.root.state, RNG.child(seed), h.search)[0].move for seed in range(12)]
    found = h.stability(12)
    assert found.searches == 12
    assert dict(found.counts) == {move: chosen.count(move) for move in chosen}
    assert found.same == chosen.count(h.move) / 12
    analysis, _ = analyse(h.root.state, RNG, h.search)
    assert agreement(analysis, RNG, h.search, 12) == chosen.count(h.move)
    of_20 = agreement(analysis, RNG, h.search), 20
    assert h.agreement() == (of_20 if linked.installed() else None)
    assert h.stability(range(3, 5)).searches == 2
    assert repr(found).startswith(f'<Stability move={h.move} same=')
    with pytest.raises(
        TypeError, match=r'stability needs a number of seeds or a row of .*, not 1\.5'
    ):
        h.stability(1.5)


def test_a_fork_is_judged_from_its_start():
    fork = H.fork(250, Search(20))
    assert fork.leaders()[0].iteration == 250
    assert fork.stability(3).searches == 3
    assert fork.between(250, 270).before == fork.root
    assert {id(node) for node in walk(fork.root)} & {id(node) for node in walk(fork.tree)}


# ---- decisive playouts ----


NEEDS_NUMPY = pytest.mark.skipif(not linked.installed(), reason='llvmlite or numpy is missing')
ASKED = [
    Search(60), Search(60, selection='rave'), Search(60, solver=True), Search(60, playout='mast'),
    Search(60, expansion='random', selection='puct'),
]  # fmt: skip


def naive(found, samples):
    """Ask `what_if` about each; what ended in the tree is asked in vain."""
    decided = []
    for iteration in sampled(found.last, samples):
        real = found.log.outcomes[iteration - 1]
        for other in (0.0, 1.0) if real == 0.5 else (1.0 - real,):
            try:
                assumed = found.what_if(iteration, other)
            except ValueError:
                continue
            if assumed.move != found.move:
                decided.append(Decisive(iteration, real, other, assumed.move))
    return tuple(decided)


@NEEDS_NUMPY
@example(tictactoe.start, SplitMix.from_seed(0), ASKED[1])
@given(
    state=st.one_of(*(positions(game.start, running=True) for game in (tictactoe, connect4))),
    rng=generators(),
    search=st.sampled_from(ASKED),
)
@settings(max_examples=12)
def test_machine_code_finds_what_what_if_says(state, rng, search):
    found = history(state, rng, search, engine='persistent')
    assert found.decisive(20) == naive(found, 20)


@NEEDS_NUMPY
@pytest.mark.parametrize(
    'search',
    [
        Search(2000),
        Search(2000, stop=lambda stats: max(row.visits for row in stats) > 40),
        Search(2000, solver=True),
    ],
    ids=['watch', 'stop', 'solver'],
)
def test_nor_do_they_differ_about_a_search_that_ended_early(search):
    state = tictactoe.parse('XO.......').unwrap() if search.solver else connect4.start
    watched = not (search.stop or search.solver)
    with chunks_by_count():
        found = history(
            state, RNG, search, watch=lambda done: STOP if watched * done > 99 else None
        )
    assert 100 <= found.last < search.iterations
    assert found.decisive(20) == naive(found, 20)


def test_a_continued_search_is_asked_in_python():
    begun = history(tictactoe.start, SplitMix.from_seed(1), Search(40), engine='persistent')
    forked = begun.fork(20, Search(30))
    decided = forked.decisive(8)
    assert {it.iteration for it in decided} <= {20 + number for number in sampled(30, 8)}
    for it in decided:
        assert forked.what_if(it.iteration, it.outcome).move == it.move != forked.move


def test_a_schedule_is_refused():
    found = history(tictactoe.start, SplitMix.from_seed(1), Search(60, schedule='halving'))
    with pytest.raises(ValueError, match='schedule'):
        found.decisive()
