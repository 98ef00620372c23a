"""The solver: what it proves is so, and what it does follows the paper."""

import math
import sys
from functools import reduce
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import Player, Search, SplitMix, analyse, mcts, reroot, trees
from fmcts.bots.spec import parse_bot
from fmcts.games import GAMES, connect4, othello, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.engines import ENGINES
from fmcts.search.methods import METHODS
from fmcts.search.scoring import logarithm_of
from fmcts.search.settling import SOLVER, Proven
from fmcts.search.settling.bounds import AT_LEAST, AT_MOST, BOUNDS
from fmcts.search.settling.solver import proof_at, proof_number
from fmcts.search.tree import principal_variation, walk
from fmcts.testing import generators, positions, searches

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
from drawn import Drawn, games, solved

sys.path.pop(0)

RNG = SplitMix.from_seed(1)
small = st.one_of(*(positions(it, running=True) for it in (tictactoe.start, connect4.start)))
running = st.one_of(*(positions(game.start, running=True) for game in GAMES.values()))


def breaches(tree):
    """The nodes of which something is claimed that is not so."""
    for node in walk(tree):
        proof = proof_at(node)
        for_x, plies = solved(node.state)
        number, mover = proof_number(node), for_x if node.mover is Player.X else 1.0 - for_x
        if (number == AT_LEAST and mover < 0.5) or (number == AT_MOST and mover > 0.5):
            yield node
        if proof is None:
            continue
        mine = for_x if node.state.player is Player.X else 1.0 - for_x
        if proof.reward != mine or (proof.plies is not None and proof.plies < plies):
            yield node


@given(
    games(),
    generators(),
    st.integers(1, 300),
    st.sampled_from([*METHODS]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=150)
def test_what_is_proven_is_so(game, rng, iterations, name, bounds, data):
    """In games of any shape, with sides that move twice; and the winner needs no more plies.

    When all that can be proven is, the root is proven, and its value is exact.
    """
    full = data.draw(st.sampled_from([None, 'full', 'random']))
    search = Search(iterations, selection=name, solver=True, bounds=bounds, expansion=full)
    analysis, _ = analyse(game, rng, search, engine='persistent')
    assert [*breaches(analysis.tree)] == []
    if analysis.iterations < iterations:
        for_x, _ = solved(game)
        assert analysis.proof.reward == (for_x if game.player is Player.X else 1.0 - for_x)
        assert solved(game.play(analysis.move))[0] == for_x


@given(games(), generators(), st.booleans())
@settings(max_examples=60)
def test_every_game_is_solved_in_the_end(game, rng, bounds):
    """Each iteration that proves nothing makes a node, or is a draw known before."""
    search = Search(100_000, solver=True, bounds=bounds)
    analysis, _ = analyse(game, rng, search, engine='inplace')
    assert analysis.iterations < 100_000
    assert analysis.proof is not None


@given(games(), generators(), st.integers(1, 200))
@settings(max_examples=60)
def test_bounds_prove_what_the_solver_proves_and_more(game, rng, iterations):
    """While both have made the same tree: no later, and what they are is what the children say."""
    tree, _ = analyse(game, rng, Search(iterations, solver=True, bounds=True), engine='inplace')

    def naive(node):
        """The least and the most that the mover gets, from all that is below."""
        state = node.state
        if state.over:
            mine = {node.mover: 1.0, None: 0.5}.get(state.winner, 0.0)
            return (mine, mine) if node.visits else (0.0, 1.0)
        below = [naive(child) for child in node.children]
        if len(below) < len(state.moves):
            below.append((0.0, 1.0))
        least, most = (max(bound) for bound in zip(*below, strict=True))
        return (least, most) if node.mover is state.player else (1.0 - most, 1.0 - least)

    kinds = {(0.0, 1.0): 0.0, (0.5, 1.0): AT_LEAST, (0.0, 0.5): AT_MOST, (0.5, 0.5): 0.5}
    for node in walk(tree):
        number = proof_number(node)
        expected = kinds.get(naive(node))
        assert number == expected if expected is not None else abs(number) >= 1.0


def test_a_sure_draw_is_chosen_before_what_may_be_no_more():
    """A draw is proven by the last move; the first is a loss of which only a draw was seen."""
    win, draw = Drawn(Player.X, (), Player.X), Drawn(Player.X)
    game = Drawn(Player.O, (Drawn(Player.X, (win, win, win, draw)), win, draw))
    search = Search(5, solver=True, bounds=True, expansion='random')
    for seed in range(40):
        found, _ = analyse(game, SplitMix.from_seed(seed), search, engine='inplace')
        if found.proof is not None:
            assert (str(found.proof), found.move) == ('draw', 2)
    assert BOUNDS.preferred([AT_MOST, 0.5, 0.0, AT_LEAST, -2.0]) == [1, 2, 3]
    assert BOUNDS.preferred([AT_MOST, 0.0, -2.0]) == [0, 1]


def test_bounds_prove_a_draw_sooner():
    """One move draws; the other is known not to win before it is known to draw."""
    ends = [Drawn(Player.X, won=won) for won in (None, Player.O, Player.X)]
    late = Drawn(Player.O, (ends[0], Drawn(Player.O, (Drawn(Player.X, (ends[2],)), ends[1]))))
    game = Drawn(Player.X, (Drawn(Player.O), late))
    found = {
        bounds: analyse(game, RNG, Search(100, solver=True, bounds=bounds), engine='inplace')[0]
        for bounds in (False, True)
    }
    assert found[False].proof == found[True].proof == Proven(0.5, None)
    assert found[True].iterations < found[False].iterations


ROOT_OF_2 = math.sqrt(2)


def naive(state, rng, iterations):  # noqa: C901 - in one piece
    """UCT with a solver, in one piece: after each iteration the whole tree is judged anew.

    A node is a list: state, mover, visits, reward, children by index of the move.
    """

    def proof(node):  # for the mover: 0, 1/2, n or -n
        state, mover, visits, _, children = node
        if state.over:
            return (
                0
                if not visits
                else 0.5
                if state.winner is None
                else 1
                if state.winner is mover
                else -1
            )
        found = [proof(child) for child in children.values()]
        sign = 1 if mover is state.player else -1
        if any(number >= 1 for number in found):
            return sign * (min(number for number in found if number >= 1) + 1)
        if len(found) < len(state.moves) or 0 in found:
            return 0
        return 0.5 if 0.5 in found else -sign * (max(-number for number in found) + 1)

    def score(node, child):
        if proof(child) < 0:
            return -math.inf
        return child[3] / child[2] + ROOT_OF_2 * math.sqrt(logarithm_of(1 + node[2]) / child[2])

    root = [state, state.player.other, 0, 0.0, {}]
    for _ in range(iterations):
        if proof(root):
            break
        path = [root]
        while not path[-1][0].over:
            node = path[-1]
            state, children = node[0], node[4]
            if len(children) < len(state.moves):
                move = len(children)
                children[move] = [state.play(state.moves[move]), state.player, 0, 0.0, {}]
                path.append(children[move])
                break
            path.append(max(children.values(), key=lambda child: score(node, child)))
        state = path[-1][0]
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        for node in path:
            node[2] += 1
            node[3] += 0.5 if state.winner is None else state.winner is node[1]
    return root, rng, proof


@pytest.mark.parametrize('drawn', [True, False])
@given(st.data(), generators(), st.integers(1, 60))
@settings(max_examples=25)
def test_it_is_a_naive_transcription(drawn, data, rng, iterations):
    ends = [positions(it, running=True) for it in (tictactoe.start, connect4.start)]
    state = data.draw(games() if drawn else st.one_of(*ends))
    expected, rng_after, proof = naive(state, rng, iterations)
    analysis, after = analyse(state, rng, Search(iterations, solver=True), engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.visits, node.reward, node.columns.own) == (plain[2], plain[3], (proof(plain),))
        assert len(node.children) == len(plain[4])
        pairs += zip(node.children, plain[4].values(), strict=True)


@pytest.mark.parametrize('name', METHODS)
@given(running, generators())
@settings(max_examples=15)
def test_before_anything_is_proven_it_is_plain(name, state, rng):
    """The same visits and rewards, iteration for iteration, up to the first end."""
    with_solver = trees(state, rng, Search(selection=name, solver=True))
    plain = trees(state, rng, Search(selection=name))
    for _, (one, after), (two, other_after) in zip(range(60), with_solver, plain, strict=False):
        if any(node.columns.own[-1] for node in walk(one)):
            break
        assert after == other_after
        kept = [(node.move, node.visits, node.reward) for node in walk(one)]
        assert kept == [(node.move, node.visits, node.reward) for node in walk(two)]


SETTLING = {
    'solver': {'solver': True},
    'bounds': {'solver': True, 'bounds': True},
    'closing': {'closing': True},
}


def equal(engine, state, rng, steps):
    """Trees, generators and choices, and so they are when they are gone on from."""
    found = []
    for name in ('persistent', engine):
        tree, after, kept = None, rng, []
        for search in steps:
            tree, after = analyse(state, after, search, engine=name, tree=tree)
            kept.append((tree.move, tree.stats, tree.digest, tree.proof, after))
        found.append(kept)
    assert found[0] == found[1]


@pytest.mark.parametrize('settles', SETTLING)
@pytest.mark.parametrize('engine', ['monadic', 'inplace'])
@given(small, generators(), st.data(), st.integers(1, 3))
@settings(max_examples=20)
def test_every_engine_settles_the_same(settles, engine, state, rng, data, count):
    drawn = searches(max_iterations=80, solver=settles != 'closing', closing=settles == 'closing')
    steps = [data.draw(drawn) for _ in range(count)]
    equal(engine, state, rng, [evolve(it, bounds=settles == 'bounds') for it in steps])


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('settles', 'expansion', 'selection', 'game'),  # few, as each is compiled
    [
        ('solver', None, 'ucb1', tictactoe),
        ('solver', 'full', 'ucb1-tuned', tictactoe),
        ('bounds', 'random', 'ucb1', connect4),
        ('closing', None, 'puct', tictactoe),
    ],
)
@given(st.data(), st.integers(0, 99), st.lists(st.integers(1, 400), min_size=1, max_size=3))
@settings(max_examples=30)
def test_compiled_searches_settle_the_same(
    settles, expansion, selection, game, data, seed, iterations
):
    state = data.draw(positions(game.start, running=True))
    steps = [
        Search(count, expansion=expansion, selection=selection, **SETTLING[settles])
        for count in iterations
    ]
    equal('compiled', state, SplitMix.from_seed(seed), steps)


@pytest.mark.parametrize('engine', ENGINES)
def test_a_won_position_ends_the_search(engine):
    state = reduce(lambda state, move: state.play(move), (3, 0, 3, 0, 3, 1), connect4.start)
    analysis, _ = analyse(state, RNG, Search(1000, solver=True), engine=engine)
    assert (analysis.move, analysis.iterations) == (3, 4)  # the fourth move in order wins
    assert analysis.proof == Proven(1.0, 1)
    assert [row.proof for row in analysis.stats] == [None, None, None, Proven(1.0, 1), *[None] * 3]
    assert analysis.principal_variation == (3,)
    again, _ = analyse(state, RNG, Search(1000, solver=True), engine=engine, tree=analysis)
    assert again == analysis  # nothing is left to do
    assert analysis.tree.columns.own == (-2.0,)  # for the opponent, from the move before


def test_a_stream_of_trees_ends_with_the_proof():
    state = reduce(lambda state, move: state.play(move), (3, 0, 3, 0, 3, 1), connect4.start)
    *_, (last, _) = trees(state, RNG, Search(solver=True))
    assert last.visits == 4


LONG = Drawn(  # X to move: 0 draws, 1 wins in three, 2 wins at once, 3 loses
    Player.X,
    (
        Drawn(Player.O, won=None),
        Drawn(Player.O, (Drawn(Player.X, (Drawn(Player.O, won=Player.X),)),)),
        Drawn(Player.O, won=Player.X),
        Drawn(Player.O, (Drawn(Player.X, won=Player.O),)),
    ),
)
LOST = Drawn(  # X loses in two, or in four
    Player.X,
    (
        Drawn(Player.O, (Drawn(Player.X, won=Player.O),)),
        Drawn(
            Player.O,
            (Drawn(Player.X, (Drawn(Player.O, (Drawn(Player.X, won=Player.O),)),)),),
        ),
    ),
)


@pytest.mark.parametrize(
    'final', ['robust', 'first-robust', 'max', 'ucb', lambda edge, _: -edge.visits]
)
def test_the_longest_loss_is_played(final):
    analysis, _ = analyse(LOST, RNG, Search(1000, solver=True, final=final), engine='inplace')
    assert analysis.move == 1
    assert analysis.proof == Proven(0.0, 4)
    assert [row.proof for row in analysis.stats] == [Proven(0.0, 2), Proven(0.0, 4)]
    assert principal_variation(analysis.tree) == (1, 0, 0, 0)


def test_the_shortest_known_win_is_played():
    """Grown at first without the winning move, so that the longer win is known before it."""
    numbers = [0.5, 3.0, 1.0, -2.0]
    assert SOLVER.preferred(numbers) == [2]
    assert SOLVER.preferred([0.5, -2.0, 0.0]) == [0, 2]
    assert SOLVER.preferred([-2.0, -4.0, -4.0]) == [1]
    analysis, _ = analyse(LONG, RNG, Search(1000, solver=True), engine='inplace')
    assert analysis.move == 2


def test_a_drawn_position_is_proven_a_draw():
    state = reduce(lambda state, move: state.play(move), (0, 4, 8, 1, 7, 6, 2), tictactoe.start)
    assert solved(state)[0] == 0.5
    analysis, _ = analyse(state, RNG, Search(1000, solver=True))
    assert analysis.proof == Proven(0.5, None)
    assert solved(state.play(analysis.move))[0] == 0.5


def test_a_proven_subtree_is_searched_no_further():
    analysis, _ = analyse(LONG, RNG, Search(1000, solver=True), engine='inplace')
    below = reroot(analysis, 1)
    assert below.visits
    grown, rng = analyse(below.state, RNG, Search(50, solver=True), tree=below, engine='inplace')
    assert (grown.iterations, rng) != (below.visits + 50, RNG)


# ---- traps that others fell into, each as a solver that is wrong in one way ----


def untried_taken_for_lost(so_far, _complete, same):
    return SOLVER.of_node(so_far, complete=True, same=same)


def drawn_too_early(so_far, complete, same):
    return (
        0.5 if so_far[2] > 0.0 and so_far[0] == math.inf else SOLVER.of_node(so_far, complete, same)
    )


def for_the_wrong_side(so_far, complete, same):
    return SOLVER.of_node(so_far, complete, not same)


def by_depth(so_far, complete, _same):
    """The sides taken to alternate."""
    return SOLVER.of_node(so_far, complete, same=False)


MUTANTS = {
    'untried taken for lost': evolve(SOLVER, of_node=untried_taken_for_lost),
    'drawn too early': evolve(SOLVER, of_node=drawn_too_early),
    'the wrong side': evolve(SOLVER, of_node=for_the_wrong_side),
    'sides by depth': evolve(SOLVER, of_node=by_depth),
    'the wrong mover of an end': evolve(SOLVER, of_end=lambda reward: SOLVER.of_end(1.0 - reward)),
    'at most taken for at least': evolve(
        BOUNDS, of_node=lambda so_far, complete, same: BOUNDS.of_node(so_far, complete, not same)
    ),
    'a draw taken for a loss': evolve(SOLVER, of_end=lambda reward: SOLVER.of_end(reward - 0.5)),
}


@pytest.mark.parametrize('name', MUTANTS)
def test_each_trap_is_caught(name, monkeypatch):
    """By the law above, on twenty games drawn without Hypothesis."""
    source = SplitMix.from_seed(3)

    def drawn(depth):
        nonlocal source
        side, source = source.uniform(0, 1)
        player = [*Player][side]
        width, source = source.uniform(1, 3)
        end, source = source.uniform(0, 2)
        if not depth:
            return Drawn(player, won=[*Player, None][end])
        return Drawn(player, tuple(drawn(depth - 1 if end else 0) for _ in range(width)))

    starts = [drawn(4) for _ in range(20)]

    def caught():
        found = [analyse(it, RNG, Search(40, solver=True), engine='inplace')[0] for it in starts]
        return any([*breaches(analysis.tree)] for analysis in found)

    assert not caught()
    monkeypatch.setattr(Search, 'settling', MUTANTS[name])
    assert caught()


VISITING = 'a schedule would go on visiting what is settled'


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        ({'solver': 1}, 'solver must be True or False, not 1'),
        ({'bounds': True}, 'bounds needs solver: it is about what is proven'),
        ({'solver': 'on'}, "solver must be True or False, not 'on'"),
        (
            {'solver': True, 'closing': True},
            'solver and closing exclude each other: what is explored to its ends is proven',
        ),
        (
            {'solver': True, 'schedule': 'halving'},
            f'solver and schedule exclude each other: {VISITING}',
        ),
        (
            {'closing': True, 'schedule': 'halving'},
            f'closing and schedule exclude each other: {VISITING}',
        ),
        (
            {'solver': True, 'reward': OnPositions(lambda _: 0.5)},
            'solver and reward exclude each other: proven are wins, losses and draws',
        ),
    ],
)
def test_nonsense_is_refused(options, message):
    with pytest.raises(ValueError, match=r'.') as caught:
        Search(**options)
    assert str(caught.value) == message


def test_by_name():
    assert parse_bot('mcts:50,solver=on').unwrap() == mcts(Search(50, solver=True))
    assert parse_bot('mcts:50,solver=yes').failure() == (
        "bot 'mcts:50,solver=yes': solver must be on or off, not 'yes'"
    )


@pytest.mark.parametrize('engine', ENGINES)
def test_going_on_needs_the_column(engine):
    plain, _ = analyse(tictactoe.start, RNG, Search(5), engine=engine)
    with pytest.raises(ValueError, match='keeps no columns, the search the columns proof'):
        analyse(tictactoe.start, RNG, Search(5, solver=True), tree=plain, engine=engine)


def test_it_wastes_nothing_on_othello_without_ends():
    """No end within reach: the same as plain search."""
    one, _ = analyse(othello.start, RNG, Search(300, solver=True))
    two, _ = analyse(othello.start, RNG, Search(300))
    assert [row.visits for row in one.stats] == [row.visits for row in two.stats]
